package pack

import (
	"cmp"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
)

// Codes are the codes of things of documents that the code of one pack names. Each method declares a code and returns it, so that what code is written
// with and what is declared are one: a pack keeps them in package variables and hands them to Set.Declare. A code that no document has is an
// error of the documents, with the line of the declaration; `sluice uses` lists that line, and `sluice rename` refuses while it is there.
//
//	var (
//		Declared = pack.NewCodes("survey")
//		Campaign = Declared.Model("campaign")
//		Status   = Declared.Property("status", Campaign)
//		Open     = Declared.Option("OPEN", pack.Path(Campaign, Status))
//	)
//
// Codes are for the initialization of a package, by one goroutine; afterwards they are only read.
type Codes struct {
	pack, where string
	all         *[]Code
}

// Code is a declaration: code of a pack names a thing of documents.
type Code struct {
	Kind  names.Kind
	Path  string // as names.Join and names.OptionPath write it: "contract.items.amount", "contract.status:OPEN"
	Pack  string // whose code it is; "" = not known
	Where string // the pack that has the thing, where the code works without that pack; "" = the thing has to be there
	File  string // of the declaration, beginning with the folder of the pack where that is known: "plugins/quality/codes/codes.go"
	Line  int
}

// NewCodes begins the declarations of a pack, by its code.
func NewCodes(pack string) *Codes { return &Codes{pack: pack, all: &[]Code{}} }

// Where declares things of another pack without which the code works. They are looked for where that pack takes part.
func (c *Codes) Where(pack string) *Codes { return &Codes{pack: c.pack, where: pack, all: c.all} }

// Path is the path of a part: of a sub-table by its model, of a property by its model and perhaps a sub-table.
func Path(codes ...string) string { return strings.Join(codes, ".") }

// Model declares a model.
func (c *Codes) Model(code string) string { return c.document(names.Model, code) }

// Property declares a property of each of some models or sub-tables.
func (c *Codes) Property(code string, of ...string) string {
	for _, owner := range of {
		c.add(names.Property, names.Join(owner, code), 2)
	}
	return code
}

// Option declares an option of each of some properties (Path) or dictionaries.
func (c *Codes) Option(code string, of ...string) string {
	for _, owner := range of {
		c.add(names.Option, names.OptionPath(owner, code), 2)
	}
	return code
}

// Node declares a node of each of some workflows.
func (c *Codes) Node(id string, of ...string) string {
	for _, owner := range of {
		c.add(names.Node, names.Join(owner, id), 2)
	}
	return id
}

// List declares a list that a document defines.
func (c *Codes) List(code string) string { return c.document(names.List, code) }

// Form declares a form that a document defines.
func (c *Codes) Form(code string) string { return c.document(names.Form, code) }

// Role declares a role.
func (c *Codes) Role(code string) string { return c.document(names.Role, code) }

// Dictionary declares a dictionary.
func (c *Codes) Dictionary(code string) string { return c.document(names.Dictionary, code) }

// Workflow declares a workflow.
func (c *Codes) Workflow(code string) string { return c.document(names.Workflow, code) }

// Report declares a report.
func (c *Codes) Report(code string) string { return c.document(names.Report, code) }

// Print declares a print template.
func (c *Codes) Print(code string) string { return c.document(names.Print, code) }

// Portal declares a portal page.
func (c *Codes) Portal(code string) string { return c.document(names.Portal, code) }

// Document declares a document of a kind that a pack has registered.
func (c *Codes) Document(k names.Kind, code string) string { return c.document(k, code) }

func (c *Codes) document(k names.Kind, code string) string {
	c.add(k, code, 3)
	return code
}

func (c *Codes) add(k names.Kind, of string, skip int) {
	file, line := caller(skip + 1)
	*c.all = append(*c.all, Code{Kind: k, Path: of, Pack: c.pack, Where: c.where, File: file, Line: line})
}

// caller is the file and line of who called, as the compiler has written it.
func caller(skip int) (string, int) {
	_, file, line, _ := runtime.Caller(skip)
	return file, line
}

// Declare adds the codes that a pack's code names. It is called behind AddFolder, once for each Codes.
func (s *Set) Declare(c *Codes) {
	for _, one := range *c.all {
		one.File, _ = s.within(one.File)
		s.codes = append(s.codes, one)
	}
	if s.declares == nil {
		s.declares = map[string]bool{}
	}
	s.declares[strings.ToLower(c.pack)] = true
}

// Declares reports whether a pack says which codes its code names.
func (s *Set) Declares(pack string) bool { return s.declares[strings.ToLower(pack)] }

// Codes are all codes that the program's code names: those declared, and the models and properties that have hooks and codes of refusals.
func (s *Set) Codes() []Code {
	out := slices.Clone(s.codes)
	for _, model := range s.Hooked() {
		out = append(out, s.hookedAt[model]...)
		at := s.hookedAt[model][0]
		hooks := s.hooks[model]
		var more []Code
		for refusal := range hooks.Codes {
			one := at
			one.Kind, one.Path = names.Property, names.Join(at.Path, refusal.Property)
			more = append(more, one)
		}
		for holder := range hooks.Holders {
			one := at
			one.Path = holder
			more = append(more, one)
		}
		slices.SortFunc(more, func(a, b Code) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path)) })
		out = append(out, slices.Compact(more)...)
	}
	return out
}

// within is a source file as messages call it, and the pack whose folder it is in: that which was added last. A file that is in another folder is called
// by its last two names.
func (s *Set) within(file string) (name, pack string) {
	if len(s.folders) > 0 {
		last := s.folders[len(s.folders)-1]
		if i := strings.LastIndex("/"+file, "/"+last.Path+"/"); i >= 0 {
			return file[i:], last.code
		}
	}
	return path.Join(path.Base(path.Dir(file)), path.Base(file)), ""
}
