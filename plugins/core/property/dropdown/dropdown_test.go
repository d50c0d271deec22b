package dropdown_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/dropdown"
)

var weather = propertytest.Scope{Dictionaries: map[string][]property.Option{"weather": {
	{Code: "SUNNY", Label: plan.Label{Zh: "晴"}},
	{Code: "RAIN", Label: plan.Label{Zh: "雨", I18n: map[string]string{"en": "Rain"}}},
	{Code: "大雨", Label: plan.Label{Zh: "大雨"}, Parent: "RAIN", Disabled: true},
}}}

func TestDropdown(t *testing.T) {
	propertytest.Run(t, dropdown.Type{}, propertytest.Cases{
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

func TestDictionary(t *testing.T) {
	propertytest.Run(t, dropdown.Type{}, propertytest.Cases{
		Options: `{"dictionary": "weather"}`, Scope: weather,
		Values: []propertytest.Value{
			{In: `"RAIN"`, Zh: "雨", En: "Rain"},
			{In: `"大雨"`, Zh: "大雨"},
		},
		Order:     []string{`"SUNNY"`, `"RAIN"`, `"大雨"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
	})
}

// An option that was removed stays readable.
func TestRemovedOption(t *testing.T) {
	p, _ := dropdown.Type{}.Compile(propertytest.Define(dropdown.Type{}, `{"options": ["a"]}`), propertytest.Scope{})
	if got := p.Text("gone", property.TextContext{Locale: "zh"}); got != "gone" {
		t.Errorf("text %q", got)
	}
	if got := string(p.AppendJSON(nil, "gone", nil)); got != `"gone"` {
		t.Errorf("JSON %s", got)
	}
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, dropdown.Type{}, weather, []propertytest.Problem{
		{Options: `{"dictionary": "whether"}`, Code: "PROP005", Pointer: "/dictionary", En: `there is no dictionary "whether" (did you mean "weather"?)`},
		{Options: `{"dictionary": "weather", "options": ["a"]}`, Code: "PROP006", Pointer: "/dictionary", En: `"options" and "dictionary" exclude each other`},
		{Options: `{}`, Code: "PROP007", En: `property "f" has no options`},
		{Options: `{"options": []}`, Code: "PROP007", Pointer: "/options", En: `property "f" has no options`},
		{Options: `{"options": ["a;b"]}`, Code: "PROP008", Pointer: "/options/0", En: `option code "a;b" must have 1 to 100 characters and no semicolon`},
		{Options: `{"options": ["a", {"code": "b", "items": ["a"]}]}`, Code: "PROP009", Pointer: "/options/1/items/0", En: `option code "a" is used twice`},
		{Options: `{"dictionary": "weather", "dependsOn": "besides"}`, Code: "PROP010", Pointer: "/dependsOn", En: `there is no property "besides" beside this one to depend on (did you mean "beside"?)`},
	})
}
