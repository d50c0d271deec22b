package rename

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
)

// mostNamed is how many places a message names.
const mostNamed = 5

// Removed tells what a change takes away that something names still: an error for each such thing with its places (REMOVE002), one at each place
// where the compiler finds none (REMOVE001), and warnings at words in scripts and scenarios, which may mean it (REMOVE003). What is renamed is not
// taken away.
func Removed(before, after *Reading) diag.List {
	r := &removal{before: before, after: after, things: map[string]*removedThing{}, same: map[string]bool{}, errors: map[string]diag.List{}}
	for _, one := range gone(nil, "", before.names(), after.names()) {
		t := &removedThing{Thing: one}
		r.order, r.things[key(one.Kind, one.Path)] = append(r.order, t), t
	}
	if len(r.order) == 0 {
		return nil
	}
	for _, d := range after.found {
		if d.Severity == diag.Error {
			r.errors[d.File] = append(r.errors[d.File], d)
		}
	}
	for _, ref := range before.uses.All() {
		if t := r.of(ref); t != nil && !ref.Defines {
			r.use(t, ref)
		}
	}
	var out diag.List
	for _, t := range r.order {
		out = append(out, r.told(t)...)
	}
	return append(out, r.words()...).Sorted()
}

// Mentions are the warnings of Removed for things that are gone already: words in scripts and scenarios, and code of the program that names them.
func (r *Reading) Mentions(gone []names.Step) diag.List {
	of := &removal{before: r, after: r}
	var out diag.List
	for _, s := range gone {
		if rank(s.Kind) < 0 {
			continue
		}
		t := &removedThing{Thing: Thing{Kind: s.Kind, Path: names.Join(s.Owner, s.Old)}}
		of.order = append(of.order, t)
		for _, u := range r.of.hooked(t.Kind, []compile.Reference{{Kind: t.Kind, Path: t.Path}}) {
			out = append(out, diag.New("REMOVE003", u.Position, u.Written, Label(t.Kind), t.Path))
		}
	}
	return append(out, of.words()...).Sorted()
}

// removal is what is known while two readings are compared.
type removal struct {
	before, after *Reading
	order         []*removedThing
	things        map[string]*removedThing
	same          map[string]bool // files whose text is as it was
	errors        map[string]diag.List
}

// removedThing is a thing that is gone, with what is said of the places that name it.
type removedThing struct {
	Thing
	places []string
	found  diag.List
}

func key(k names.Kind, path string) string { return string(k) + " " + compile.Folded(k, path) }

// gone are the things of one set of names that another has not, by the paths that they had. Parts of what is gone are not told.
func gone(out []Thing, owner string, have, want names.Set) []Thing {
	for _, k := range kinds {
		of := names.OriginsOf(k.kind, have[k.kind], want[k.kind])
		for i, h := range have[k.kind] {
			at := joined(k.kind, owner, h.Code)
			if j := slices.Index(of, i); j >= 0 {
				out = gone(out, at, h.Parts, want[k.kind][j].Parts)
			} else {
				out = append(out, Thing{Kind: k.kind, Path: at})
			}
		}
	}
	return out
}

// names are all things that documents define.
func (r *Reading) names() names.Set {
	out, parts := names.Set{}, map[string]names.Set{}
	var all []compile.Reference
	for _, one := range r.uses.All() {
		if one.Defines && rank(one.Kind) >= 0 {
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b compile.Reference) int { return strings.Count(a.Path, ".") - strings.Count(b.Path, ".") })
	for _, one := range all {
		owner, code := cut(one.Path)
		into := out
		if owner != "" {
			into = parts[partOf[one.Kind]+" "+strings.ToLower(owner)]
		}
		if into == nil {
			continue // of a document that is there twice
		}
		inside := names.Set{}
		into[one.Kind] = append(into[one.Kind], names.Entry{Code: code, Former: formerOf(one), Parts: inside})
		if whole, ok := map[names.Kind]string{names.Model: "properties", names.Property: "properties", names.Workflow: "nodes"}[one.Kind]; ok {
			parts[whole+" "+strings.ToLower(one.Path)] = inside
		}
		if one.Kind == names.Property || one.Kind == names.Dictionary {
			parts["options "+strings.ToLower(one.Path)] = inside
		}
	}
	return out
}

// partOf says what the parts of a kind are called in keys.
var partOf = map[names.Kind]string{names.Property: "properties", names.Node: "nodes", names.Option: "options"}

// formerOf are the codes that a definition says it had.
func formerOf(one compile.Reference) (out names.Former) {
	object := one.Node
	if !one.File {
		object = one.Node.Parent
	}
	n := object.Get("renamedFrom")
	for _, code := range append([]*source.Node{n}, n.Items()...) {
		if text := code.Text(); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// of is the thing that is gone with which a reference has lost its meaning; nil = none.
func (r *removal) of(ref compile.Reference) *removedThing {
	if t := r.things[key(ref.Kind, ref.Path)]; t != nil {
		return t
	}
	owner, _ := cut(ref.Path)
	switch ref.Kind {
	case names.Property:
		for owner != "" {
			up, _ := cut(owner)
			k := names.Property
			if up == "" {
				k = names.Model
			}
			if t := r.things[key(k, owner)]; t != nil {
				return t
			}
			owner = up
		}
	case names.Node:
		return r.things[key(names.Workflow, owner)]
	case names.Option:
		if strings.Contains(owner, ".") {
			return r.of(compile.Reference{Kind: names.Property, Path: owner})
		}
		return r.things[key(names.Dictionary, owner)]
	case names.List, names.Form: // those that a model has without an author
		if _, ok := r.before.Thing(ref.Kind, ref.Path); !ok {
			return r.things[key(names.Model, ref.Path)]
		}
	}
	return nil
}

// use notes a place that named a thing and does so still.
func (r *removal) use(t *removedThing, ref compile.Reference) {
	place := placesOf([]compile.Reference{ref})[0]
	if ref.Program {
		t.add(place.String())
		return
	}
	file := ref.Node.File()
	if r.after.Lines(file) == nil {
		return
	}
	if !r.unchanged(file) {
		for _, d := range r.errors[file] {
			if r.reads(d, ref.Written) {
				t.add(d.Position.String())
			}
		}
		return
	}
	for _, one := range r.after.uses.Of(ref.Kind, ref.Path) {
		if one.Node.File() == file {
			return // something else has the name there
		}
	}
	told := slices.ContainsFunc(r.errors[file], func(d diag.Diagnostic) bool { return d.Line == place.Line })
	if !told {
		t.found = append(t.found, diag.New("REMOVE001", place.Position, Label(t.Kind), t.Path).At(place.Pointer))
	}
	t.add(place.Position.String())
}

func (t *removedThing) add(place string) {
	if !slices.Contains(t.places, place) {
		t.places = append(t.places, place)
	}
}

// unchanged reports whether a file has the text that it had.
func (r *removal) unchanged(file string) bool {
	same, known := r.same[file]
	if !known {
		was, _ := r.before.of.read(file)
		is, err := r.after.of.read(file)
		same = err == nil && bytes.Equal(was, is)
		r.same[file] = same
	}
	return same
}

// reads reports whether a word is at the place of a diagnostic.
func (r *removal) reads(d diag.Diagnostic, word string) bool {
	lines := r.after.Lines(d.File)
	if d.Line < 1 || d.Line > len(lines) {
		return false
	}
	line := []rune(lines[d.Line-1])
	at := strings.TrimPrefix(string(line[min(max(d.Col-1, 0), len(line)):]), `"`)
	rest, found := strings.CutPrefix(strings.ToLower(at), strings.ToLower(word))
	return found && (rest == "" || !inWord(rest[0]))
}

// told is what is said of a thing that is gone.
func (r *removal) told(t *removedThing) diag.List {
	if refs := r.before.uses.Of(t.Kind, t.Path); len(refs) > 0 {
		for _, u := range r.after.of.hooked(t.Kind, refs) {
			t.found = append(t.found, diag.New("REMOVE003", u.Position, u.Written, Label(t.Kind), t.Path))
		}
	}
	if len(t.places) == 0 {
		return t.found
	}
	define, _ := r.before.Thing(t.Kind, t.Path)
	list := strings.Join(t.places[:min(len(t.places), mostNamed)], ", ")
	if more := len(t.places) - mostNamed; more > 0 {
		list += fmt.Sprintf(" (+%d)", more)
	}
	return append(t.found, diag.New("REMOVE002", diag.Position{File: define.File}, Label(t.Kind), t.Path, list))
}

// words are the places in scripts and scenarios that may mean what is gone. Where something else has the same code, only a script that is called after
// a document which named the thing, or its model, is told.
func (r *removal) words() (out diag.List) {
	taken, words := map[string]bool{}, map[string]bool{}
	for _, one := range r.after.uses.All() {
		if one.Defines {
			_, code := cut(one.Path)
			taken[code] = true
		}
	}
	of := map[string][]*removedThing{}
	for _, t := range r.order {
		_, code := cut(t.Path)
		words[code], of[code] = true, append(of[code], t)
	}
	for _, u := range r.after.of.possible(words) {
		for _, t := range of[u.Written] {
			if !taken[u.Written] || r.beside(u.File, t) {
				out = append(out, diag.New("REMOVE003", u.Position, u.Written, Label(t.Kind), t.Path))
				break
			}
		}
	}
	return out
}

// beside reports whether the document beside a script named a thing, or the model that it is of.
func (r *removal) beside(script string, t *removedThing) bool {
	document := strings.TrimSuffix(script, path.Ext(script)) + ".json"
	owner, _ := cut(t.Path)
	for _, refs := range [][]compile.Reference{r.before.uses.Of(t.Kind, t.Path), r.before.uses.Of(names.Model, owner)} {
		if slices.ContainsFunc(refs, func(one compile.Reference) bool { return one.Node.File() == document }) {
			return true
		}
	}
	return false
}
