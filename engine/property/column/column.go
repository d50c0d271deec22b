// Package column holds what all property types with a single column of their own share: the column itself, its storage
// form and its place in expressions.
package column

import (
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// New makes the column of a property, or its second one when part is not "": place, place__detail. NotNull is the
// engine's to set, for required is a key of every property.
func New(d def.Property, part string, k plan.Kind) plan.Column {
	c := plan.Column{Name: name(d.Code, part), Property: d.Code, Kind: k, At: d.Node.KeyPos().String()}
	c.RenamedFrom = names.Former(d.RenamedFrom).Map(func(code string) string { return name(code, part) })
	return c
}

func name(code, part string) string {
	if part == "" {
		return code
	}
	return code + "__" + part
}

// One is a property's only column. Types embed it; the Go value is the column's value.
type One struct {
	Column *plan.Column
	all    []plan.Column
}

// Only makes the one column of a property. What is set of Column afterwards belongs to it.
func Only(c plan.Column) One {
	all := []plan.Column{c}
	return One{Column: &all[0], all: all}
}

// Kind of the value in expressions.
func (o One) Kind() plan.Kind { return o.Column.Kind }

// Columns is the one column. The write path asks for it many times a record.
func (o One) Columns() []plan.Column { return o.all[:1:1] }

// Store gives the value to the column as it is.
func (o One) Store(v any) []any { return []any{v} }

// Load takes the value from the column as it is.
func (o One) Load(columns []any) any { return columns[0] }

// In is the column's expression.
func (o One) In(column func(name string) plan.Expr) plan.Expr { return column(o.Column.Name) }
