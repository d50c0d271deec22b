package rename

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
)

// Change is a file with its new text. It moves when From and To differ.
type Change struct {
	From, To string
	Text     string
}

// Result is what a rename changes.
type Result struct {
	Changes  []Change
	Places   int       // how many references are changed
	Possible []Use     // that nobody changes
	Left     diag.List // errors in scripts, which AllowScripts lets through
}

// Request is a rename. New is a code; Old is how the thing is defined: "contract.items.amount".
type Request struct {
	Kind     names.Kind
	Old, New string
	// AllowScripts lets a rename through that leaves errors in scripts, whose author corrects them.
	AllowScripts bool
}

var codeForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// optionForm is what an option can be called here: it is written in JSON, in tables and between quotation marks of expressions.
var optionForm = regexp.MustCompile("^[^;'\"`\\\\,\\x00-\\x1f]{1,100}$")

// platform are the packs whose definitions the engine itself names.
var platform = []string{"core", "organisation"}

// renaming is a request with all that names the thing.
type renaming struct {
	Request
	refs []compile.Reference // with the definition
}

// path is how the thing is defined.
func (r renaming) path() string { return r.refs[0].Path }

// Rename gives things other codes. The result is nil, and the list has an error, when one of them cannot get its code.
func (p Packs) Rename(requests ...Request) (*Result, diag.List) {
	now := p.compile(nil)
	out := &Result{}
	var all []renaming
	words := map[string]bool{}
	for _, r := range requests {
		refs, list := now.find(r.Kind, r.Old)
		if len(list) == 0 {
			list = p.refusals(now, refs, r)
		}
		if len(list) > 0 {
			return nil, list
		}
		all = append(all, renaming{r, refs})
		out.Places += len(refs)
		out.Possible = append(out.Possible, p.hooked(r.Kind, refs)...)
		_, code := cut(refs[0].Path)
		words[code] = true
	}
	e := p.edit(all)
	if len(e.refused) > 0 {
		return nil, e.refused
	}
	out.Changes, out.Possible = e.changes, append(out.Possible, p.possible(words)...)
	then := p.compile(e.over())
	list := e.worse(now.found, then.found)
	if slices.ContainsFunc(requests, func(r Request) bool { return r.AllowScripts }) {
		script := func(d diag.Diagnostic) bool { return path.Ext(d.File) == ".js" }
		for _, d := range list {
			if script(d) {
				out.Left = append(out.Left, d)
			}
		}
		list = slices.DeleteFunc(list, script)
	}
	if len(list) == 0 {
		list = e.changed(now.uses.All(), then.uses.All(), renamed(all))
	}
	if len(list) > 0 {
		return nil, list
	}
	return out, nil
}

// refusals are the reasons why a name cannot be changed at all, or not into this one.
func (p Packs) refusals(now compiled, refs []compile.Reference, r Request) (out diag.List) {
	define := refs[slices.IndexFunc(refs, func(one compile.Reference) bool { return one.Defines })]
	owner, code := cut(define.Path)
	at := placesOf([]compile.Reference{define})[0].Position
	k, _ := p.kindOf(define.Node.File())
	pack, _ := p.owner(define.Node.File())
	if r.Kind == names.Option {
		if !optionForm.MatchString(r.New) || strings.TrimSpace(r.New) != r.New {
			return diag.List{diag.New("RENAME013", at, r.New)}
		}
		if r.New == code {
			return diag.List{diag.New("RENAME004", at, r.New, code)}
		}
	}
	part := r.Kind == names.Property || r.Kind == names.Option || r.Kind == names.Node
	switch {
	case r.Kind == names.Option:
	case !codeForm.MatchString(r.New):
		return diag.List{diag.New("RENAME003", at, r.New)}
	case strings.EqualFold(code, r.New):
		return diag.List{diag.New("RENAME004", at, r.New, code)}
	}
	switch {
	case !part && k.Reserves(code), slices.Contains(platform, pack.Code):
		return diag.List{diag.New("RENAME005", at, code)}
	case !part && k.Reserves(r.New):
		return diag.List{diag.New("RENAME005", at, r.New)}
	}
	for _, one := range now.uses.Of(r.Kind, joined(r.Kind, owner, r.New)) {
		if one.Defines {
			return diag.List{diag.New("RENAME004", placesOf([]compile.Reference{one})[0].Position, r.New, one.Path)}
		}
	}
	if m := now.catalog.Model(strings.SplitN(owner, ".", 2)[0]); r.Kind == names.Property && m != nil && !strings.Contains(owner, ".") && m.Field(r.New) != nil {
		return diag.List{diag.New("RENAME005", at, r.New)}
	}
	for _, one := range now.packs {
		for _, b := range one.Broken {
			out = append(out, diag.New("RENAME010", diag.Position{File: b.File}))
		}
	}
	for _, one := range refs {
		of := placesOf([]compile.Reference{one})[0].Position
		in, ok := p.owner(one.Node.File())
		switch {
		case one.Program:
			out = append(out, diag.New("RENAME007", of, one.Written, of))
		case !ok || in.Embedded:
			out = append(out, diag.New("RENAME006", of, one.Written))
		case in.fixed(one.Node.File()):
			out = append(out, diag.New("RENAME012", of, one.Written))
		case one.Unplaced:
			out = append(out, diag.New("RENAME008", of, define.Path).At(one.Node.Pointer()))
		}
	}
	return out
}

// worse are the errors that were not there before the edits. Those of a file are counted by their code, for lines move and texts name codes.
func (e *edits) worse(before, after diag.List) (out diag.List) {
	key := func(d diag.Diagnostic) string { return fmt.Sprint(d.Code, " ", d.File) }
	left := map[string]int{}
	for _, d := range before {
		d.File = e.now(d.File)
		left[key(d)]++
	}
	for _, d := range after {
		if d.Severity != diag.Error {
			continue
		}
		if left[key(d)]--; left[key(d)] < 0 {
			out = append(out, d)
		}
	}
	return out
}

// nothing is what a word means that is not a name.
var nothing = label("无", "nothing")

// changed compares what every place names before and after: a new code may hide another name, or be hidden by one, with no error.
func (e *edits) changed(before, after []compile.Reference, become func(names.Kind, string) string) (out diag.List) {
	was := e.placesByFile(before, become)
	for file, now := range e.placesByFile(after, func(_ names.Kind, of string) string { return of }) {
		for i, one := range now {
			if i >= len(was[file]) {
				out = append(out, one.means(one.meant(), nothing))
				break
			}
			if old := was[file][i]; !slices.Equal(old.things, one.things) {
				out = append(out, one.means(one.meant(), old.meant()))
				break
			}
		}
		if left := was[file]; len(left) > len(now) && len(out) == 0 {
			out = append(out, left[len(now)].means(nothing, left[len(now)].meant()))
		}
		delete(was, file)
	}
	for _, left := range was {
		out = append(out, left[0].means(nothing, left[0].meant()))
	}
	return out.Sorted()
}

// place is a place with all that it names.
type place struct {
	first  compile.Reference
	from   int
	to     int
	things []string // kind and path, as compile.Folded has it, sorted
}

// placesByFile are the places of each file, as it is called afterwards, in their order. What a query, or a file of code, names is one place.
func (e *edits) placesByFile(refs []compile.Reference, become func(names.Kind, string) string) map[string][]place {
	out := map[string][]place{}
	for _, r := range refs {
		file := e.now(r.Node.File())
		from, to := r.Range()
		if r.Program {
			from, to = 0, 0
		}
		if n := len(out[file]); n == 0 || out[file][n-1].from != from || out[file][n-1].to != to {
			out[file] = append(out[file], place{first: r, from: from, to: to})
		}
		last := &out[file][len(out[file])-1]
		last.things = append(last.things, string(r.Kind)+" "+compile.Folded(r.Kind, become(r.Kind, r.Path)))
	}
	for _, places := range out {
		for i := range places {
			slices.Sort(places[i].things)
		}
	}
	return out
}

// meant is what a place names, for messages.
func (p place) meant() string {
	var out []string
	for _, one := range p.things {
		_, path, _ := strings.Cut(one, " ")
		out = append(out, path)
	}
	return strings.Join(out, ", ")
}

func (p place) means(now, before any) diag.Diagnostic {
	return diag.New("RENAME009", placesOf([]compile.Reference{p.first})[0].Position, p.first.Written, now, before).At(p.first.Node.Pointer())
}

// renamed tells how a path is called after all renames: that of a thing itself, of its parts, and of what a model has without an author.
func renamed(all []renaming) func(k names.Kind, of string) string {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b renaming) int { return strings.Count(b.path(), ".") - strings.Count(a.path(), ".") }) // parts first
	return func(k names.Kind, of string) string {
		for _, r := range all {
			of = r.renamed(k, of)
		}
		return of
	}
}

// holds reports whether things of a kind are parts of what is renamed.
func (r renaming) holds(k names.Kind) bool {
	if k == names.Option {
		return r.Kind == names.Model || r.Kind == names.Property || r.Kind == names.Dictionary
	}
	return k == names.Property && (r.Kind == names.Model || r.Kind == names.Property) || k == names.Node && r.Kind == names.Workflow
}

// renamed is how a path is called after one rename.
func (r renaming) renamed(k names.Kind, of string) string {
	old := r.path()
	owner, _ := cut(old)
	switch to := joined(r.Kind, owner, r.New); {
	case compile.Folded(k, of) == compile.Folded(k, old) && slices.ContainsFunc(r.refs, func(one compile.Reference) bool { return one.Kind == k }):
		return to
	case len(of) > len(old) && r.joins(of[len(old)]) && strings.EqualFold(of[:len(old)], old) && r.holds(k):
		return to + of[len(old):]
	}
	return of
}

// joins reports whether a part's path goes on with a sign behind the path of what is renamed. A dictionary may have the code of a model.
func (r renaming) joins(sign byte) bool {
	if sign == ':' {
		return r.Kind == names.Property || r.Kind == names.Dictionary
	}
	return sign == '.' && r.Kind != names.Dictionary
}

// joined is the path of a part. The code of an option may have any signs, so that a colon is before it.
func joined(k names.Kind, owner, code string) string {
	if k == names.Option {
		return names.OptionPath(owner, code)
	}
	return names.Join(owner, code)
}
