package rename

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Reading is packs that were compiled once, for questions about their names. What is asked of it is not written to: it may be asked by several at once.
type Reading struct {
	of Packs
	compiled
}

// Read compiles the packs.
func (p Packs) Read() *Reading { return &Reading{of: p, compiled: p.compile(nil)} }

// Problems are the errors of the documents: what is in one that has them may not be found.
func (r *Reading) Problems() diag.List {
	return slices.DeleteFunc(slices.Clone(r.found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// Thing is what can be looked for.
type Thing struct {
	Kind  names.Kind
	Path  string // "contract.items.amount"
	Label plan.Label
	File  string // that defines it
}

// Things are all things that documents define, by kind in the order of Words, and by path.
func (r *Reading) Things() (out []Thing) {
	for _, one := range r.uses.All() {
		if one.Defines && slices.ContainsFunc(kinds, func(k kindWord) bool { return k.kind == one.Kind }) {
			out = append(out, thingOf(one))
		}
	}
	slices.SortStableFunc(out, func(a, b Thing) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Path, b.Path))
	})
	return out
}

func rank(k names.Kind) int {
	return slices.IndexFunc(kinds, func(one kindWord) bool { return one.kind == k })
}

// Thing is one of them, by its path in any letters; false where no document defines it.
func (r *Reading) Thing(k names.Kind, path string) (Thing, bool) {
	refs := r.uses.Of(k, path)
	i := slices.IndexFunc(refs, func(one compile.Reference) bool { return one.Defines })
	if i < 0 {
		return Thing{}, false
	}
	return thingOf(refs[i]), true
}

func thingOf(one compile.Reference) Thing {
	object := one.Node
	if !one.File {
		object = one.Node.Parent
	}
	return Thing{Kind: one.Kind, Path: one.Path, Label: LabelOf(object, one.Path), File: one.Node.File()}
}

// LabelOf is what an object of a document is called; without a name, by its code.
func LabelOf(n *source.Node, of string) plan.Label {
	_, code := cut(of)
	out := plan.Label{Zh: cmp.Or(n.Get("name").Text(), code)}
	for _, one := range n.Get("name_i18n").Entries() {
		if out.I18n == nil {
			out.I18n = map[string]string{}
		}
		out.I18n[one.Key] = one.Text()
	}
	return out
}

// Document is the label of a document by its file.
func (r *Reading) Document(file string) plan.Label {
	code := stem(file)
	for _, p := range r.packs {
		if p == nil {
			continue
		}
		if p.Node != nil && p.Node.File() == file {
			return LabelOf(p.Node, code)
		}
		for _, d := range p.Documents {
			if h := d.Header(); h.Node != nil && h.Node.File() == file {
				return LabelOf(h.Node, code)
			}
		}
	}
	return plan.Label{Zh: code}
}

// Within is the pack of a file, and its name in that.
func (r *Reading) Within(file string) (pack, name string, ok bool) {
	f, ok := r.of.owner(file)
	if !ok {
		return "", "", false
	}
	return f.Code, strings.TrimPrefix(file, path.Clean(f.Dir)+"/"), true
}

// Lines are the lines of a file; none where it cannot be read.
func (r *Reading) Lines(file string) []string {
	f, ok := r.of.owner(file)
	if !ok {
		return nil
	}
	data, err := fs.ReadFile(f.FS, strings.TrimPrefix(file, path.Clean(f.Dir)+"/"))
	if err != nil {
		return nil
	}
	return strings.Split(string(data), "\n")
}
