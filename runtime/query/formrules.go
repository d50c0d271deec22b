package query

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// hides reports whether the caller may not know of a field.
func (b *formBuilder) hides(f *catalog.Field) bool {
	right, _ := b.view.Field(f)
	return right == catalog.Hidden
}

// visibleRule is a rule as the caller may be told of it: fields that are hidden from the caller are empty in it, and what it asks of
// the caller is answered.
func (b *formBuilder) visibleRule(e plan.Expr) plan.Expr {
	if e == nil {
		return nil
	}
	inRow := rowFields(e)
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		switch n := x.(type) {
		case *plan.Var:
			if strings.HasPrefix(n.Name, "user.") {
				return &plan.Const{K: n.K, Value: b.view.Vars()[n.Name]}
			}
		case *plan.Field:
			if sheet := b.form.Model.Field(inRow[n]); sheet != nil && sheet.Sheet != nil {
				return b.orEmpty(n, sheet.Sheet)
			}
			return b.orEmpty(n, b.form.Model)
		case *plan.AnyRow:
			if sheet := b.form.Model.Field(n.Sheet); sheet != nil && b.hides(sheet) {
				return plan.False
			}
		case *plan.Aggregate:
			if sheet := b.form.Model.Field(n.Sheet); sheet != nil && b.hides(sheet) {
				return &plan.Const{K: n.Kind()}
			}
		}
		return x
	})
}

// orEmpty is a field, or the empty value where the caller may not read it or what leads there.
func (b *formBuilder) orEmpty(f *plan.Field, m *catalog.Model) plan.Expr {
	for _, step := range f.Path {
		relation := m.Field(step)
		if relation == nil || relation.Target == nil || b.hides(relation) {
			return &plan.Const{K: f.K}
		}
		m = relation.Target
	}
	if own := ownerOf(m, f.Column); own != nil && b.hides(own) {
		return &plan.Const{K: f.K}
	}
	return f
}

// visibleRowRule is a rule on the rows of a sub-table as the caller may be told of it.
func (b *formBuilder) visibleRowRule(rows *catalog.Model, e plan.Expr) plan.Expr {
	if e == nil {
		return nil
	}
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		f, ok := x.(*plan.Field)
		switch {
		case !ok:
			return x
		case f.Outer:
			return b.orEmpty(f, b.form.Model)
		}
		return b.orEmpty(f, rows)
	})
}

// computeRule is a formula that the browser may evaluate: one whose operands the caller may read.
func (b *formBuilder) computeRule(f *catalog.Field) json.RawMessage {
	if !b.readable(f.Model, f.Compute) {
		return expression.JSON(nil)
	}
	return expression.JSON(f.Compute)
}

// FormRule is a data rule of a property: a pattern, or a formula as JSON.
type FormRule struct {
	Pattern     string            `json:"pattern,omitempty"`
	Formula     json.RawMessage   `json:"formula,omitempty"`
	Message     string            `json:"message,omitempty"`
	MessageI18n map[string]string `json:"message_i18n,omitempty"`
}

// rules are the data rules of a field that the browser may decide before the save does.
func (b *formBuilder) rules(f *catalog.Field, readOnly bool) (out []FormRule) {
	for _, r := range f.Model.Rules {
		if r.Field != f || readOnly {
			continue
		}
		rule := FormRule{Pattern: r.Pattern, Message: r.Message.Zh, MessageI18n: r.Message.I18n}
		if r.Formula != nil {
			if !b.readable(f.Model, r.Formula) || !timeless(r.Formula) {
				continue
			}
			rule.Formula = expression.JSON(r.Formula)
		}
		if rule.Pattern != "" || rule.Formula != nil {
			out = append(out, rule)
		}
	}
	return out
}

// timeless reports whether an expression asks neither for the record as it was nor for the caller.
func timeless(e plan.Expr) bool {
	ok := true
	plan.Walk(e, func(x plan.Expr) {
		switch n := x.(type) {
		case *plan.Field:
			ok = ok && !n.Old
		case *plan.Var:
			ok = ok && !strings.HasPrefix(n.Name, "user.")
		}
	})
	return ok
}

// readable reports whether a browser with the form's values can evaluate an expression of a model, and its caller may know them.
func (b *formBuilder) readable(of *catalog.Model, e plan.Expr) bool {
	readable := true
	inRow := rowFields(e)
	sheet := func(code string) {
		if of := b.form.Model.Field(code); of != nil && b.hides(of) {
			readable = false
		}
	}
	plan.Walk(e, func(e plan.Expr) {
		switch x := e.(type) {
		case *plan.Aggregate:
			if x.Of != nil {
				readable = false // the browser knows the form's values only
				return
			}
			sheet(x.Sheet)
		case *plan.AnyRow:
			sheet(x.Sheet)
		case *plan.Field:
			m := of
			if sheet := b.form.Model.Field(inRow[x]); sheet != nil && sheet.Sheet != nil {
				m = sheet.Sheet
			}
			if x.Outer {
				m = b.form.Model
			}
			if own := ownerOf(m, x.Column); len(x.Path) > 0 || own != nil && b.hides(own) {
				readable = false
			}
		}
	})
	return readable
}

// computeReads lists the properties of the form, sub-tables as a whole, whose values a formula depends on that the browser
// cannot evaluate; nil for others. They are what the caller may know of.
func (b *formBuilder) computeReads(f *catalog.Field, rule json.RawMessage) []string {
	if f.Compute == nil || string(rule) != "null" {
		return nil
	}
	out := map[string]bool{}
	b.reads(f, out, map[*catalog.Field]bool{})
	return slices.Sorted(maps.Keys(out))
}

// reads collects what a formula of the form's model, or of one of its sub-tables, reads of the record.
func (b *formBuilder) reads(f *catalog.Field, out map[string]bool, seen map[*catalog.Field]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	m := b.form.Model
	rows := func(sheet *catalog.Field) {
		if sheet != nil && !b.hides(sheet) {
			out[sheet.Code] = true
		}
	}
	add := func(own *catalog.Field) {
		switch {
		case own == nil || own.System:
		case own.Model != m: // of a row
			rows(sheetOf(m, own.Model))
		case own.Compute == nil && !b.hides(own):
			out[own.Code] = true
		}
		if own != nil && own.Compute != nil {
			b.reads(own, out, seen)
		}
	}
	inRow := rowFields(f.Compute)
	plan.Walk(f.Compute, func(e plan.Expr) {
		switch n := e.(type) {
		case *plan.Aggregate:
			if n.Of != nil && n.Of.Own != "" {
				add(m.Field(n.Of.Own))
			}
			rows(m.Field(n.Sheet))
		case *plan.AnyRow:
			rows(m.Field(n.Sheet))
		case *plan.Field:
			at, column := f.Model, n.Column
			if sheet, ok := inRow[n]; ok {
				if of := m.Field(sheet); of == nil || of.Sheet == nil {
					return // of another model's records
				} else {
					at = of.Sheet
				}
			}
			if n.Outer {
				at = m
			}
			if len(n.Path) > 0 {
				column = n.Path[0]
			}
			add(ownerOf(at, column))
		}
	})
}

func sheetOf(m, sheet *catalog.Model) *catalog.Field {
	for _, f := range m.Fields {
		if f.Sheet == sheet {
			return f
		}
	}
	return nil
}

// scripted are the buttons of the form's script that a new record offers: those that an empty one would.
func (b *formBuilder) scripted() (out []string) {
	for _, a := range b.buttons {
		if a.Association != associatedScript {
			continue
		}
		if a.Enabled != nil {
			if ok, err := expression.Holds(a.Enabled, blank{b.view}); err != nil || !ok {
				continue
			}
		}
		out = append(out, a.Code)
	}
	return out
}
