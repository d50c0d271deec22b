// Package partytest holds what the property types of people and departments have in common for their tests.
package partytest

import (
	"strconv"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
)

// Kind is what a type refers to: the model, and the number of its entries on the wire.
type Kind struct {
	Model string
	Type  int
}

// Person and Department are the kinds.
var (
	Person     = Kind{"user", 3}
	Department = Kind{"department", 1}
)

func (k Kind) wire() string { return strconv.Itoa(k.Type) }

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

// everybody is a model of which two have names and all the others are called alike.
type everybody string

// Name implements property.Names.
func (model everybody) Name(r plan.Ref) (property.Named, bool) {
	switch r {
	case plan.Ref{Model: string(model), ID: one}:
		return property.Named{Name: "乙", ImageURL: "/files/1"}, true
	case plan.Ref{Model: string(model), ID: two}:
		return property.Named{Name: "甲"}, true
	}
	return property.Named{Name: "其他"}, true
}

// alike calls all the same.
type alike struct{}

// Name implements property.Names.
func (alike) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "名"}, true }

// Single tests a type that holds one of a kind.
func Single(t *testing.T, typ property.Type, of Kind) {
	t.Run("values", func(t *testing.T) { single(t, typ, of) })
	t.Run("invisible", func(t *testing.T) { invisible(t, typ) })
}

func single(t *testing.T, typ property.Type, of Kind) {
	t.Helper()
	propertytest.Run(t, typ, propertytest.Cases{
		Names: everybody(of.Model),
		Values: []propertytest.Value{
			{In: `"` + one + `"`, JSON: `{"id":"` + one + `","name":"乙","imgUrl":"/files/1","type":` + of.wire() + `}`, Zh: "乙"},
			{In: `{"id": "` + two + `", "name": "whatever"}`, JSON: `{"id":"` + two + `","name":"甲","imgUrl":null,"type":` + of.wire() + `}`, Zh: "甲"},
			{In: `{"id": "` + two + `", "name": "whatever", "imgUrl": null, "detail": null, "leaf": true, "named": "sound"}`, JSON: `{"id":"` + two + `","name":"甲","imgUrl":null,"type":` + of.wire() + `}`, Zh: "甲"},
			{In: `["01900000-0000-7000-8000-00000000000B"]`, JSON: `{"id":"01900000-0000-7000-8000-00000000000b","name":"其他","imgUrl":null,"type":` + of.wire() + `}`, Zh: "其他"},
		},
		Refused: []propertytest.Refusal{
			{In: `"zhang"`, Code: fault.FieldReference}, {In: `{"name": "zhang"}`, Code: fault.FieldType},
			{In: `"` + one + `;` + two + `"`, Code: fault.FieldType}, {In: `7`, Code: fault.FieldReference},
		},
		Order: []string{`null`, `"` + one + `"`, `"` + two + `"`}, // 乙 U+4E59, 甲 U+7532
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains,
			plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `[{"id": "` + one + `"}]`, Selects: []string{`"` + one + `"`}, Leaves: []string{`"` + two + `"`, `null`}},
			{Op: plan.Contains, Operand: `"zhang"`, Code: fault.FilterValue},
		},
	})
}

// invisible: somebody whom the reader may not see is not there.
func invisible(t *testing.T, typ property.Type) {
	t.Helper()
	p, _ := typ.Compile(propertytest.Define(typ, ""), propertytest.Scope{})
	if got := string(p.AppendJSON(nil, one, propertytest.Names{})); got != "null" {
		t.Errorf("JSON %s", got)
	}
	if got := p.Text(one, property.TextContext{Names: propertytest.Names{}}); got != "" {
		t.Errorf("text %q", got)
	}
}

// Multiple tests a type that holds several of a kind.
func Multiple(t *testing.T, typ property.Type, of Kind) {
	t.Run("values", func(t *testing.T) { multiple(t, typ, of) })
	t.Run("invisible", func(t *testing.T) { LeftOut(t, typ, of) })
}

func multiple(t *testing.T, typ property.Type, of Kind) {
	t.Helper()
	propertytest.Run(t, typ, propertytest.Cases{
		Names: alike{},
		Values: []propertytest.Value{
			{In: `["` + two + `", {"id": "` + one + `"}, "` + two + `"]`, JSON: `[{"id":"` + two + `","name":"名","imgUrl":null,"type":` + of.wire() + `},{"id":"` + one + `","name":"名","imgUrl":null,"type":` + of.wire() + `}]`, Zh: "名;名"},
			{In: `"` + one + `;` + two + `"`, JSON: `[{"id":"` + one + `","name":"名","imgUrl":null,"type":` + of.wire() + `},{"id":"` + two + `","name":"名","imgUrl":null,"type":` + of.wire() + `}]`, Zh: "名;名"},
		},
		Refused: []propertytest.Refusal{{In: `["zhang"]`, Code: fault.FieldReference}, {In: `[{"name": "x"}]`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains,
			plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave},
		Filters: []propertytest.Filter{
			{Op: plan.Have, Operand: `"` + one + `"`, Selects: []string{`["` + two + `", "` + one + `"]`}, Leaves: []string{`["` + two + `"]`, `null`}},
			{Op: plan.In, Operand: `["` + one + `", "` + two + `"]`, Selects: []string{`["` + two + `"]`}, Leaves: []string{`null`}},
		},
	})
}

// LeftOut tests that those whom the reader may not see are left out.
func LeftOut(t *testing.T, typ property.Type, of Kind) {
	t.Helper()
	p, _ := typ.Compile(propertytest.Define(typ, ""), propertytest.Scope{})
	visible := propertytest.Names{{Model: of.Model, ID: two}: {Name: "甲"}}
	v := []string{one, two}
	if got, want := string(p.AppendJSON(nil, v, visible)), `[{"id":"`+two+`","name":"甲","imgUrl":null,"type":`+of.wire()+`}]`; got != want {
		t.Errorf("JSON %s", got)
	}
	if got := p.Text(v, property.TextContext{Names: visible}); got != "甲" {
		t.Errorf("text %q", got)
	}
	if got := string(p.AppendJSON(nil, v, propertytest.Names{})); got != "null" {
		t.Errorf("JSON %s", got)
	}
}
