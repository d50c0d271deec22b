// Package choicetest holds what the property types of options have in common for their tests.
package choicetest

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
)

// Weather is a scope with a dictionary.
var Weather = propertytest.Scope{Dictionaries: map[string][]property.Option{"weather": {
	{Code: "SUNNY", Label: plan.Label{Zh: "晴"}},
	{Code: "RAIN", Label: plan.Label{Zh: "雨", I18n: map[string]string{"en": "Rain"}}},
	{Code: "大雨", Label: plan.Label{Zh: "大雨"}, Parent: "RAIN", Disabled: true},
}}}

// Single tests a type that holds one option.
func Single(t *testing.T, typ property.Type) {
	t.Run("options", func(t *testing.T) { single(t, typ) })
	t.Run("dictionary", func(t *testing.T) { dictionary(t, typ) })
	t.Run("removed option", func(t *testing.T) { removed(t, typ) })
	t.Run("cells", func(t *testing.T) { Cells(t, typ) })
	t.Run("problems", func(t *testing.T) { problems(t, typ) })
}

func single(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Run(t, typ, propertytest.Cases{
		Options: `{"options": [{"code": "OK", "name": "合格", "name_i18n": {"en": "Qualified"}}, {"code": "BAD", "name": "不合格", "name_i18n": {"en": "Unqualified"}}, "待定"]}`,
		Values: []propertytest.Value{
			{In: `"OK"`, Zh: "合格", En: "Qualified"},
			{In: `"不合格"`, JSON: `"BAD"`, Zh: "不合格", En: "Unqualified"},
			{In: `" Unqualified "`, JSON: `"BAD"`, Zh: "不合格", En: "Unqualified"},
			{In: `"待定"`, Zh: "待定"},
		},
		Refused:   []propertytest.Refusal{{In: `"ok"`, Code: fault.FieldOption}, {In: `1`, Code: fault.FieldType}, {In: `["OK"]`, Code: fault.FieldType}},
		Order:     []string{`null`, `"OK"`, `"BAD"`, `"待定"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `"OK;待定"`, Selects: []string{`"OK"`, `"待定"`}, Leaves: []string{`"BAD"`, `null`}},
			{Op: plan.Equal, Operand: `["OK", "BAD"]`, Leaves: []string{`"OK"`, `"BAD"`}},
			{Op: plan.Equal, Operand: `"REMOVED"`, Leaves: []string{`"OK"`, `null`}},
		},
	})
}

func dictionary(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Run(t, typ, propertytest.Cases{
		Options: `{"dictionary": "weather"}`, Scope: Weather,
		Values: []propertytest.Value{
			{In: `"RAIN"`, Zh: "雨", En: "Rain"},
			{In: `"大雨"`, Zh: "大雨"},
		},
		Order:     []string{`"SUNNY"`, `"RAIN"`, `"大雨"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
	})
}

// removed: an option that was removed stays readable.
func removed(t *testing.T, typ property.Type) {
	t.Helper()
	p, _ := typ.Compile(propertytest.Define(typ, `{"options": ["a"]}`), propertytest.Scope{})
	if got := p.Text("gone", property.TextContext{Locale: "zh"}); got != "gone" {
		t.Errorf("text %q", got)
	}
	if got := string(p.AppendJSON(nil, "gone", nil)); got != `"gone"` {
		t.Errorf("JSON %s", got)
	}
}

func problems(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Problems(t, typ, Weather, []propertytest.Problem{
		{Options: `{"dictionary": "whether"}`, Code: "PROP005", Pointer: "/dictionary", En: `unknown dictionary "whether" (did you mean "weather"?)`},
		{Options: `{"dictionary": "weather", "options": ["a"]}`, Code: "PROP006", Pointer: "/dictionary", En: `"options" and "dictionary" can't be combined`},
		{Options: `{}`, Code: "PROP007", En: `property "f" has no options`},
		{Options: `{"options": []}`, Code: "PROP007", Pointer: "/options", En: `property "f" has no options`},
		{Options: `{"options": ["a;b"]}`, Code: "PROP008", Pointer: "/options/0", En: `option code "a;b" must have 1 to 100 characters and no semicolon`},
		{Options: `{"options": ["a", {"code": "b", "items": ["a"]}]}`, Code: "PROP009", Pointer: "/options/1/items/0", En: `duplicate option code "a"`},
	})
}

// Multiple tests a type that holds several options.
func Multiple(t *testing.T, typ property.Type) {
	t.Run("options", func(t *testing.T) { multiple(t, typ) })
	t.Run("problems", func(t *testing.T) { multipleProblems(t, typ) })
	t.Run("cells", func(t *testing.T) { Cells(t, typ) })
}

func multiple(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Run(t, typ, propertytest.Cases{
		Options: `{"options": [{"code": "a", "name": "目测", "name_i18n": {"en": "Seen"}}, {"code": "b", "name": "实测", "name_i18n": {"en": "Measured"}}, "c"]}`,
		Values: []propertytest.Value{
			{In: `["b", "a"]`, JSON: `["b","a"]`, Zh: "实测、目测", En: "Measured、Seen"},
			{In: `"a;b;a"`, JSON: `["a","b"]`, Zh: "目测、实测", En: "Seen、Measured"},
			{In: `"目测、c"`, JSON: `["a","c"]`, Zh: "目测、c", En: "Seen、c"},
			{In: `["", "c"]`, JSON: `["c"]`, Zh: "c"},
		},
		Refused:   []propertytest.Refusal{{In: `["a", "x"]`, Code: fault.FieldOption}, {In: `"a、x"`, Code: fault.FieldOption}, {In: `{"a": true}`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `"a;x"`, Selects: []string{`["a"]`, `["b", "a"]`}, Leaves: []string{`["b"]`, `null`}},
			{Op: plan.Equal, Operand: `["b", "a"]`, Selects: []string{`["a", "b"]`}, Leaves: []string{`["a"]`, `["a", "b", "c"]`, `null`}},
		},
	})
}

func multipleProblems(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Problems(t, typ, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"dictionary": "none"}`, Code: "PROP005", Pointer: "/dictionary", En: `unknown dictionary "none"`},
		{Options: `{}`, Code: "PROP007", En: `property "f" has no options`},
	})
}
