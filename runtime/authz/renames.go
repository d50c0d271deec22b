package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Renames lead from the codes of one catalog to those of another: what was only renamed gives nobody more or less.
type Renames struct {
	then   names.Reading
	before *catalog.Catalog
}

// RenamesBetween finds what the documents of one catalog are called in another.
func RenamesBetween(before, after *catalog.Catalog) Renames {
	steps := slices.Concat(names.Diff(before.Storage.Names, after.Storage.Names), names.Words(before.Storage.Names, after.Storage.Names))
	return Renames{names.NewLog(nil).With(steps).SinceBefore(), before}
}

// Role is what a role is called afterwards.
func (n Renames) Role(code string) string { return n.now(names.Role, code) }

// Was is what a role of afterwards was called; false where it is a new one, or has the code of another one of before.
func (n Renames) Was(code string) (string, bool) { return n.then.Was(names.Role, code) }

// now is the code that a document has afterwards; that of before where it is gone.
func (n Renames) now(k names.Kind, code string) string {
	if now, ok := n.then.Document(k, code); ok {
		return now
	}
	return code
}

// field is the name that grants use afterwards for a property of before, "items.rate" for a column.
func (n Renames) field(m *catalog.Model, name string) string {
	if path, ok := n.then.Model(m.Code + "." + name); ok {
		_, name, _ = strings.Cut(path, ".")
	}
	return name
}

// expr is a condition on records of a model of before with the codes of afterwards.
func (n Renames) expr(m *catalog.Model, e plan.Expr) plan.Expr {
	if n.then.Now() || e == nil || m == nil {
		return e
	}
	switch x := e.(type) {
	case *plan.Field:
		return n.column(m, x)
	case *plan.AnyRow:
		code, rows := n.rows(m, x.Sheet)
		return &plan.AnyRow{Sheet: code, Where: n.expr(rows, x.Where)}
	case *plan.Aggregate:
		out := *x
		var rows *catalog.Model
		if x.Of == nil {
			out.Sheet, rows = n.rows(m, x.Sheet)
		} else if rows = n.before.Model(x.Of.Model); rows != nil {
			of := *x.Of
			of.Model = n.now(names.Model, of.Model)
			of.Property = n.field(rows, of.Property)
			out.Of = &of
		}
		out.X, out.Where = n.expr(rows, x.X), n.expr(rows, x.Where)
		return &out
	case *plan.Compare:
		return &plan.Compare{Op: x.Op, A: n.option(m, x.B, x.A), B: n.option(m, x.A, x.B)}
	case *plan.InSet:
		return &plan.InSet{Op: x.Op, F: n.option(m, x.G, x.F), G: n.option(m, x.F, x.G)}
	}
	return plan.Descend(e, func(x plan.Expr) plan.Expr { return n.expr(m, x) })
}

// option is an expression with the codes of afterwards; a constant that is compared with a choice has those of its options.
func (n Renames) option(m *catalog.Model, with, e plan.Expr) plan.Expr {
	k, constant := e.(*plan.Const)
	x, field := with.(*plan.Field)
	if !constant || !field {
		return n.expr(m, e)
	}
	if x.Outer && m.Parent != nil {
		m = m.Parent
	}
	for _, code := range x.Path {
		f := m.Field(code)
		if f == nil || f.Target == nil {
			return e
		}
		m = f.Target
	}
	now := func(code string) string { return n.then.Option(m.Code, x.Column, code) }
	switch v := k.Value.(type) {
	case string:
		return &plan.Const{K: k.K, Value: now(v)}
	case []string:
		return &plan.Const{K: k.K, Value: []string(names.Former(v).Map(now))}
	}
	return e
}

// rows are the rows of a sub-table: what it is called afterwards, and its model of before.
func (n Renames) rows(m *catalog.Model, sheet string) (string, *catalog.Model) {
	f := m.Field(sheet)
	if f == nil || f.Sheet == nil {
		return sheet, nil
	}
	return n.field(m, sheet), f.Sheet
}

func (n Renames) column(m *catalog.Model, x *plan.Field) plan.Expr {
	out := *x
	if x.Outer && m.Parent != nil {
		m = m.Parent
	}
	out.Path = make([]string, len(x.Path))
	for i, code := range x.Path {
		out.Path[i] = n.field(m, code)
		f := m.Field(code)
		if f == nil || f.Target == nil {
			return x
		}
		m = f.Target
	}
	if len(out.Path) == 0 {
		out.Path = nil
	}
	code, part, further := strings.Cut(x.Column, "__")
	out.Column = n.field(m, code)
	if further {
		out.Column += "__" + part
	}
	return &out
}

// Document is a document of before that one of afterwards was; "" where it is a new one.
func (n Renames) Document(k names.Kind, code string) string {
	was, ok := n.then.Was(k, code)
	if !ok {
		return ""
	}
	return was
}

// Model is what a model of before is called afterwards.
func (n Renames) Model(code string) string { return n.now(names.Model, code) }

// Pack is what a pack of before is called afterwards.
func (n Renames) Pack(code string) string { return n.now(names.Pack, code) }

// Field is the name that grants use afterwards for a property of a model of before.
func (n Renames) Field(m *catalog.Model, name string) string { return n.field(m, name) }

// Node is the id that a node of a workflow of before has afterwards.
func (n Renames) Node(w *catalog.Workflow, id string) string {
	return n.then.Node(n.now(names.Workflow, w.Template.Code), id)
}

// People are participants of a workflow of before with the codes of afterwards.
func (n Renames) People(w *catalog.Workflow, of []catalog.Participant) []catalog.Participant {
	if n.then.Now() || of == nil {
		return of
	}
	out := make([]catalog.Participant, len(of))
	for i, p := range of {
		if p.Kind == catalog.FromRole {
			p.Values = names.Former(p.Values).Map(n.Role)
		}
		if p.Until != "" {
			p.Until = n.Role(p.Until)
		}
		p.Path, p.Scope.Path, p.Of.Path = n.path(p.Path), n.path(p.Scope.Path), n.path(p.Of.Path)
		if p.Node != "" {
			p.Node = n.Node(w, p.Node)
		}
		p.Formula = catalog.RenamedNodes(n.expr(w.Model, p.Formula), func(id string) string { return n.Node(w, id) })
		p.Candidates, p.Exclude = n.People(w, p.Candidates), n.People(w, p.Exclude)
		out[i] = p
	}
	return out
}

func (n Renames) path(p catalog.Path) catalog.Path {
	if p.Field == nil {
		return p
	}
	var codes []string
	for _, f := range append(slices.Clone(p.Steps), p.Field) {
		code, ok := n.then.Property(f.Model.Code, f.Code)
		if !ok {
			return p
		}
		codes = append(codes, code)
	}
	p.Code = strings.Join(codes, ".")
	return p
}
