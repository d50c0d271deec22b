package shorttext_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/shorttext"
)

var groupC = []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains}

func TestShortText(t *testing.T) {
	propertytest.Run(t, shorttext.Type{}, propertytest.Cases{
		Options: `{"maxLength": 10}`,
		Values: []propertytest.Value{
			{In: `"A12"`, Zh: "A12"},
			{In: `" a "`, JSON: `"a"`, Zh: "a"},
			{In: `"\u3000\u00a0a\u3000b\u2003\u200b\ufeff\r\n"`, JSON: "\"a\u3000b\"", Zh: "a\u3000b"},
			{In: `"          一二三四五六七八九十          "`, JSON: `"一二三四五六七八九十"`, Zh: "一二三四五六七八九十"},
			{In: `"e\u0301"`, JSON: `"é"`, Zh: "é"},
			{In: `"\"<b>\\"`, Zh: `"<b>\`},
			{In: `"一二三四五六七八九𠮷"`, Zh: "一二三四五六七八九𠮷"},
		},
		Refused: []propertytest.Refusal{
			{In: `"一二三四五六七八九十百"`, Code: fault.FieldTooLong},
			{In: `"a\nb"`, Code: fault.FieldOneLine},
			{In: `"a\r\nb"`, Code: fault.FieldOneLine},
			{In: `"a\u2028b"`, Code: fault.FieldOneLine},
			{In: `"a\tb"`, Code: fault.FieldType},
			{In: `"a\u0000b"`, Code: fault.FieldType},
			{In: `12`, Code: fault.FieldType},
			{In: `["a"]`, Code: fault.FieldType},
		},
		Order:     []string{`null`, `"A"`, `"B"`, `"a"`, `"b"`, `"检"`, `"验"`},
		Operators: groupC,
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"e\u0301"`, Selects: []string{`"é"`}, Leaves: []string{`"É"`, `null`}},
			{Op: plan.Contains, Operand: `"é"`, Selects: []string{`"cafÉ"`}, Leaves: []string{`"cafe"`, `null`}},
			{Op: plan.Contains, Operand: `12`, Selects: []string{`"A12"`}},
			{Op: plan.In, Operand: `"a"`, Code: fault.OperatorNotAllowed},
			{Op: plan.Contains, Operand: `"` + strings.Repeat("长", 200) + `"`, Leaves: []string{`"长"`}},
			{Op: plan.Contains, Operand: `"` + strings.Repeat("长", 201) + `"`, Code: fault.FilterValue},
		},
	})
}

// TestTranslated: texts that a definition declares are shown in the reader's language, others as they are written.
func TestTranslated(t *testing.T) {
	p, problems := shorttext.Type{}.Compile(def.Property{}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	q := p.(property.Translator).Translated(map[string]plan.Label{"员工": {Zh: "员工", I18n: map[string]string{"en": "Staff"}}})
	for _, c := range []struct{ stored, locale, want string }{{"员工", "en", "Staff"}, {"员工", "zh", "员工"}, {"门卫", "en", "门卫"}} {
		if got := q.Text(c.stored, property.TextContext{Locale: c.locale}); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.stored, c.locale, got, c.want)
		}
	}
	if got := q.(property.Translator).Stored("TAF"); len(got) != 1 || got[0] != "员工" {
		t.Errorf("the word TAF finds %v", got)
	}
	for shown, want := range map[string]string{"Staff": "员工", "员工": "员工", "Guard": "Guard"} { // an exported list can be imported again
		if got, err := q.Parse(shown); err != nil || got != want {
			t.Errorf("%s is stored as %v, want %s (%v)", shown, got, want, err)
		}
	}
	if got := p.Text("员工", property.TextContext{Locale: "en"}); got != "员工" {
		t.Errorf("a text without labels became %q", got)
	}
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, shorttext.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"maxLength": 2001}`, Code: "PROP001", Pointer: "/maxLength", En: `"maxLength" must be between 1 and 2000`},
		{Options: `{"maxLength": 0}`, Code: "PROP001", Pointer: "/maxLength", En: `"maxLength" must be between 1 and 2000`},
	})
}
