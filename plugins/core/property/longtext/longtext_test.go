package longtext_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/longtext"
)

func TestLongText(t *testing.T) {
	propertytest.Run(t, longtext.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `"一\n\t二"`, Zh: "一\n\t二"},
			{In: `"a\r\nb\rc"`, JSON: `"a\nb\nc"`, Zh: "a\nb\nc"},
			{In: `"  a\n  b\n\n"`, JSON: `"  a\n  b\n\n"`, Zh: "  a\n  b\n\n"},
			{In: `"a < b, c > d, <3"`, Zh: "a < b, c > d, <3"},
			{In: `"按 <GB50204> 执行"`, Zh: "按 <GB50204> 执行"},
			{In: `"A<B and C>D"`, Zh: "A<B and C>D"},
			{In: `"<p>x</p>"`, Zh: "<p>x</p>"},
			{In: `"<!-- x -->"`, Zh: "<!-- x -->"},
		},
		Refused:   []propertytest.Refusal{{In: `"a\u0007"`, Code: fault.FieldType}, {In: `true`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `"A\r\nB"`, Selects: []string{`"xa\nbx"`}, Leaves: []string{`"ab"`}},
		},
	})
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, longtext.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"maxLength": 100001}`, Code: "PROP001", Pointer: "/maxLength", En: `"maxLength" must be between 1 and 100000`},
	})
}
