package number_test

import (
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/number"
	"github.com/stretchr/testify/require"
)

var groupN = []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.GreaterThan, plan.LessThan,
	plan.GreaterThanOrEqual, plan.LessThanOrEqual, plan.Between, plan.NotBetween}

func TestNumber(t *testing.T) {
	propertytest.Run(t, number.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `"12.5"`, Zh: "12.5", Cell: "number 12.5"},
			{In: `12.50`, JSON: `"12.5"`, Zh: "12.5"},
			{In: `1.25e3`, JSON: `"1250"`, Zh: "1250"},
			{In: `-0.00`, JSON: `"0"`, Zh: "0"},
			{In: `" 1,234,567.5 "`, JSON: `"1234567.5"`, Zh: "1234567.5"},
			{In: `9999999999999999.99999999`, JSON: `"9999999999999999.99999999"`, Zh: "9999999999999999.99999999"},
			{In: `"1234.5"`, Format: "thousands", Zh: "1,234.5", Cell: "number 1234.5 #,##0.0"},
			{In: `"0.125"`, Format: "percent", Zh: "12.5%", Cell: "number 0.125 0.0%"},
			{In: `"1234.5"`, Format: "capitals", Zh: "壹仟贰佰叁拾肆元伍角整", En: "1,234.50", Cell: "number 1234.5 #,##0.00"},
			{In: `"1"`, Format: "yyyy", Zh: "1"},
		},
		Refused: []propertytest.Refusal{
			{In: `10000000000000000`, Code: fault.FieldRange},
			{In: `0.123456789`, Code: fault.FieldScale},
			{In: `"1,23"`, Code: fault.FieldNumber},
			{In: `"NaN"`, Code: fault.FieldNumber},
			{In: `true`, Code: fault.FieldType},
			{In: `1e999999999`, Code: fault.FieldNumber},
			{In: `1e-999999999`, Code: fault.FieldNumber},
		},
		Order:     []string{`null`, `-10`, `-9.5`, `0`, `0.00000001`, `9`, `10`},
		Operators: groupN,
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `12.50`, Selects: []string{`"12.5"`}, Leaves: []string{`null`}},
			{Op: plan.Between, Operand: `"1;2"`, Selects: []string{`1`, `1.5`, `2`}, Leaves: []string{`0.99999999`, `2.00000001`, `null`}},
			{Op: plan.Between, Operand: `[null, 2]`, Selects: []string{`-5`, `2`}, Leaves: []string{`3`}},
			{Op: plan.Between, Operand: `";"`, Code: fault.FilterValue},
			{Op: plan.Between, Operand: `"1"`, Code: fault.FilterValue},
			{Op: plan.GreaterThan, Operand: `"x"`, Code: fault.FilterValue},
			{Op: plan.Contains, Operand: `"1"`, Code: fault.OperatorNotAllowed},
		},
	})
}

func TestLimits(t *testing.T) {
	propertytest.Run(t, number.Type{}, propertytest.Cases{
		Options: `{"scale": 2, "min": "0", "max": "100", "unit": "m³", "displayFormat": "thousands"}`,
		Values: []propertytest.Value{
			{In: `"12.5"`, Zh: "12.50 m³", Cell: `number 12.5 #,##0.00 "m³"`},
			{In: `"0.1"`, Format: "percent", Zh: "10% m³"},
			{In: `"10.50"`, JSON: `"10.5"`, Format: "capitals", Zh: "壹拾元零伍角整", En: "10.50"},
		},
		Refused: []propertytest.Refusal{
			{In: `-0.01`, Code: fault.FieldRange}, {In: `100.01`, Code: fault.FieldRange}, {In: `1.001`, Code: fault.FieldScale},
		},
		Order:     []string{`0`, `99.99`},
		Operators: groupN,
	})
}

// TestAmount: an amount is a number from zero on with at most 5 decimals, however it was typed (ADR 23).
func TestAmount(t *testing.T) {
	propertytest.Run(t, number.Type{}, propertytest.Cases{
		Options: `{"min": "0", "scale": 5}`,
		Values: []propertytest.Value{
			{In: `"0"`, Zh: "0.00000"}, {In: `"1234.56789"`, Zh: "1234.56789"}, {In: `"007.5"`, JSON: `"7.5"`, Zh: "7.50000"}, {In: `"0.10"`, JSON: `"0.1"`, Zh: "0.10000"},
		},
		Refused: []propertytest.Refusal{
			{In: `"-0.00001"`, Code: fault.FieldLeast}, {In: `"0.123456"`, Code: fault.FieldScale}, {In: `"1,5"`, Code: fault.FieldNumber},
		},
		Order: []string{`null`, `"0"`, `"0.00001"`, `"2"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.GreaterThan, plan.LessThan, plan.GreaterThanOrEqual,
			plan.LessThanOrEqual, plan.Between, plan.NotBetween},
	})
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ options, value, format, zh string }{
		{`{"scale": 2}`, "2.345", "", "2.35"}, // aggregates have more digits than values
		{`{"scale": 2}`, "-2.345", "", "-2.35"},
		{`{"scale": 0}`, "999.5", "thousands", "1,000"},
		{`{"scale": 3}`, "-1234567.5", "thousands", "-1,234,567.500"},
		{`{"scale": 4}`, "0.12345", "percent", "12.35%"},
		{`{"scale": 6, "displayScale": 1}`, "0.907761", "percent", "90.8%"},
		{`{"scale": 6, "displayScale": 1}`, "1", "percent", "100.0%"},
		{`{"displayScale": 1}`, "12.345", "", "12.3"},
		{`{}`, "0", "capitals", "零元整"},
		{`{}`, "0.004", "capitals", "零元整"},
		{`{}`, "0.05", "capitals", "伍分"},
		{`{}`, "0.5", "capitals", "伍角整"},
		{`{}`, "100", "capitals", "壹佰元整"},
		{`{}`, "100.05", "capitals", "壹佰元零伍分"},
		{`{}`, "1005.16", "capitals", "壹仟零伍元壹角陆分"},
		{`{}`, "-1680.32", "capitals", "负壹仟陆佰捌拾元零叁角贰分"},
		{`{}`, "107000.53", "capitals", "壹拾万零柒仟元零伍角叁分"},
		{`{}`, "100000001", "capitals", "壹亿零壹元整"},
		{`{}`, "120000000000", "capitals", "壹仟贰佰亿元整"},
		{`{}`, "1200000000000", "capitals", "壹万贰仟亿元整"},
		{`{}`, "1000000000000", "capitals", "壹万亿元整"},
		{`{}`, "1000000010000", "capitals", "壹万亿零壹万元整"},
		{`{}`, "9999999999999999.99", "capitals", "玖仟玖佰玖拾玖万玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分"},
	} {
		p, problems := number.Type{}.Compile(propertytest.Define(number.Type{}, c.options), propertytest.Scope{})
		require.Empty(t, problems)
		got := p.Text(decimal.RequireFromString(c.value), property.TextContext{Locale: "zh", DisplayFormat: c.format})
		require.Equal(t, c.zh, got, "%s %s", c.value, c.format)
	}
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, number.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"scale": 9}`, Code: "PROP001", Pointer: "/scale", En: `"scale" must be between 0 and 8`},
		{Options: `{"min": "5", "max": "3"}`, Code: "PROP002", Pointer: "/min", En: `"min" (5) is greater than "max" (3)`},
		{Options: `{"min": "many"}`, Code: "PROP003", Pointer: "/min", En: `value "many" of "min" is not a decimal of at most 16 integer and 8 fraction digits`},
		{Options: `{"displayFormat": "thousand"}`, Code: "PROP004", Pointer: "/displayFormat",
			En: `"thousand" is not a value of "displayFormat"; allowed: plain, thousands, percent, capitals (did you mean "thousands"?)`},
	})
}

// TestWireOfUsualNumbers compares the quick way of writing numbers with the library's.
func TestWireOfUsualNumbers(t *testing.T) {
	p, _ := number.Type{}.Compile(propertytest.Define(number.Type{}, ""), propertytest.Scope{})
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		d := decimal.New(r.Int64()>>r.IntN(64)*int64(1-2*r.IntN(2)), -int32(r.IntN(22))+2)
		want := d.String()
		if got := string(p.AppendJSON(nil, d, nil)); got != `"`+want+`"` {
			t.Fatalf("%s is written as %s", want, got)
		}
	}
}

// TestRefusals: what is wrong with a number is said in the figures that people type; form.test.tsx has the same rows for the browser.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		options, value string
		code           fault.Code
		args           []any
	}{
		{`{"scale": 4, "displayFormat": "percent", "min": "0", "max": "1"}`, "1.2", fault.FieldRange, []any{"0%", "100%"}},
		{`{"scale": 4, "displayFormat": "percent", "min": "0.05"}`, "0.01", fault.FieldLeast, []any{"5%"}},
		{`{"scale": 4, "displayFormat": "percent", "max": "0.5"}`, "0.6", fault.FieldMost, []any{"50%"}},
		{`{"scale": 4, "displayFormat": "percent"}`, "0.12345", fault.FieldScale, []any{2}},
		{`{"scale": 2, "displayFormat": "percent"}`, "0.123", fault.FieldWhole, nil},
		{`{"scale": 1, "displayFormat": "percent"}`, "0.15", fault.FieldStep, []any{"10%"}},
		{`{"scale": 4, "displayFormat": "percent"}`, "x", fault.FieldNumber, []any{"12.5%"}},
		{`{"scale": 2, "displayFormat": "percent"}`, "x", fault.FieldNumber, []any{"12%"}},
		{`{"displayFormat": "percent"}`, "10000000000000000", fault.FieldRange, []any{"-999999999999999999.999999%", "999999999999999999.999999%"}},
		{`{"scale": 0}`, "x", fault.FieldNumber, []any{"12"}},
		{`{"scale": 2, "min": "100"}`, "x", fault.FieldNumber, []any{"100"}},
		{`{"scale": 2, "max": "1"}`, "x", fault.FieldNumber, []any{"1"}},
	} {
		p, problems := number.Type{}.Compile(propertytest.Define(number.Type{}, c.options), propertytest.Scope{})
		require.Empty(t, problems)
		_, err := p.Parse(c.value)
		var refused *property.ValueError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, int(c.code), refused.Code, "%s %s", c.options, c.value)
		require.Equal(t, c.args, refused.Args, "%s %s", c.options, c.value)
	}
}
