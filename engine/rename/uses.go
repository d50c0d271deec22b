package rename

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
)

// Use is a place that names a thing.
type Use struct {
	diag.Position
	How     How    `json:"how"`
	Written string `json:"written"`
	Pointer string `json:"pointer,omitempty"` // JSON Pointer of the value or member
}

// How a place names a thing.
type How string

// The ways: it defines the thing, it is a reference that the compiler resolves, it is code of the program, or it is a word in a script, a page, a scenario or
// other code, which may mean the thing and may not.
const (
	Defines  How = "definition"
	Refers   How = "reference"
	Program  How = "program"
	Possible How = "possible"
)

// Uses finds every place that names a thing; a diagnostic when there is no such thing. problems are those of the documents: what is in one that
// could not be linked is not found.
func (p Packs) Uses(k names.Kind, path string) (uses []Use, problems, refused diag.List) {
	r := p.Read()
	uses, refused = r.Uses(k, path)
	return uses, r.found, refused
}

// Uses finds every place that names a thing; a diagnostic when there is no such thing.
func (r *Reading) Uses(k names.Kind, path string) ([]Use, diag.List) {
	p := r.of
	refs, list := r.find(k, path)
	if len(list) > 0 && list[0].Code != "RENAME005" { // what nobody defines can be used
		return nil, list
	}
	_, code := cut(path)
	if len(refs) > 0 {
		_, code = cut(refs[0].Path)
	}
	return slices.Concat(placesOf(refs), p.hooked(k, refs), p.possible(map[string]bool{code: true})), nil
}

func placesOf(refs []compile.Reference) (out []Use) {
	for _, r := range refs {
		u := Use{Position: r.At(), How: Refers, Written: r.Written, Pointer: r.Node.Pointer()}
		if r.Program {
			u.How, u.Pointer = Program, ""
		}
		if r.Defines {
			u.How = Defines
		}
		out = append(out, u)
	}
	return out
}

// find returns the references to a thing, with those to the list and the form that a model has without an author. What no document defines, such as
// a property of the system, is a problem.
func (c compiled) find(k names.Kind, path string) ([]compile.Reference, diag.List) {
	refs := c.uses.Of(k, path)
	if !slices.ContainsFunc(refs, func(r compile.Reference) bool { return r.Defines }) && (len(refs) > 0 || k == names.Property && c.property(path)) {
		return refs, diag.List{diag.New("RENAME005", diag.Position{}, path)}
	}
	if len(refs) == 0 {
		var known []string
		for _, r := range c.uses.All() {
			if r.Kind == k && r.Defines {
				known = append(known, r.Path)
			}
		}
		d := diag.New("RENAME001", diag.Position{}, path, Label(k)).Suggest(path, known)
		return nil, diag.List{d}
	}
	if k == names.Model {
		for _, generated := range []names.Kind{names.List, names.Form} {
			if of := c.uses.Of(generated, path); !slices.ContainsFunc(of, func(r compile.Reference) bool { return r.Defines }) {
				refs = append(refs, of...)
			}
		}
	}
	return refs, nil
}

// property reports whether a model or sub-table has a property, perhaps one of the system.
func (c compiled) property(of string) bool {
	owner, code := cut(of)
	model, sheet, nested := strings.Cut(owner, ".")
	m := c.catalog.Model(model)
	if m != nil && nested {
		f := m.Field(sheet)
		if f == nil || f.Sheet == nil {
			return false
		}
		m = f.Sheet
	}
	return m != nil && m.Field(code) != nil
}

// hooked are the hooks of the model of a property, of packs that do not say which codes their code names: these may name it.
func (p Packs) hooked(k names.Kind, refs []compile.Reference) (out []Use) {
	if len(refs) == 0 || k != names.Property {
		return nil
	}
	owner, code := cut(refs[0].Path)
	if model, _, _ := strings.Cut(owner, "."); p.Set.Undeclared(model) {
		out = append(out, Use{Position: diag.Position{File: "hooks on " + owner}, How: Possible, Written: code})
	}
	return out
}

// searched are files that the compiler does not read, or not as far as codes go. Scenario files are the JSON files of the folder tests.
var searched = []string{".js", ".ts", ".tsx", ".go"}

// possible are the places in scripts, pages, scenarios and code of packs at which one of some words is.
func (p Packs) possible(words map[string]bool) (out []Use) {
	for _, f := range p.Folders {
		if f.Embedded {
			continue
		}
		_ = fs.WalkDir(f.FS, ".", func(name string, e fs.DirEntry, err error) error {
			switch base := path.Base(name); {
			case err != nil:
				return nil // what cannot be read is told when it is loaded
			case e.IsDir() && name != "." && (strings.HasPrefix(base, ".") || slices.Contains([]string{"node_modules", "dist", "testdata"}, base)):
				return fs.SkipDir
			case e.IsDir() || !slices.Contains(searched, path.Ext(name)) && !(path.Ext(name) == ".json" && path.Dir(name) == "tests"):
				return nil
			}
			if data, err := fs.ReadFile(f.FS, name); err == nil {
				out = append(out, wordsIn(string(data), path.Join(f.Dir, name), words)...)
			}
			return nil
		})
	}
	return out
}

// inWord reports whether a byte is a part of a word, which letters beyond ASCII are.
func inWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf
}

// wordsIn are the places of words in a text.
func wordsIn(data, file string, words map[string]bool) (out []Use) {
	n := 0
	for line := range strings.Lines(data) {
		n++
		for from := 0; from < len(line); from++ {
			to := from
			for to < len(line) && inWord(line[to]) {
				to++
			}
			if to > from && words[line[from:to]] {
				at := diag.Position{File: file, Line: n, Col: utf8.RuneCountInString(line[:from]) + 1}
				out = append(out, Use{Position: at, How: Possible, Written: line[from:to]})
			}
			from = to
		}
	}
	return out
}

// cut parts the path of a thing into what it is in and its code.
func cut(of string) (owner, code string) {
	if owner, code, option := strings.Cut(of, ":"); option {
		return owner, code
	}
	if i := strings.LastIndexByte(of, '.'); i >= 0 {
		return of[:i], of[i+1:]
	}
	return "", of
}
