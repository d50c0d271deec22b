package date_test

import (
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/date"
	"github.com/stretchr/testify/require"
)

var groupN = []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.GreaterThan, plan.LessThan,
	plan.GreaterThanOrEqual, plan.LessThanOrEqual, plan.Between, plan.NotBetween}

func TestCalendarDate(t *testing.T) {
	propertytest.Run(t, date.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `"2026-11-21"`, Zh: "2026-11-21", Cell: "time 2026-11-21T00:00:00 yyyy-mm-dd"},
			{In: `"1900-02-28"`, Zh: "1900-02-28", Cell: "text 1900-02-28"}, // spreadsheets disagree about days before March 1900
			{In: `"2026-11-20T16:00:00Z"`, JSON: `"2026-11-21"`, Zh: "2026-11-21"},
			{In: `"2026-11-21 23:59"`, JSON: `"2026-11-21"`, Zh: "2026-11-21"},
			{In: `"0001-01-01"`, Zh: "0001-01-01", Cell: "text 0001-01-01"},
			{In: `"0001-01-02"`, Zh: "0001", Format: "yyyy", Cell: "text 0001-01-02"},
			{In: `"9999-12-31"`, Zh: "12-31", Format: "MM-dd", Cell: "time 9999-12-31T00:00:00 mm-dd"},
			{In: `"2026-11-21"`, Zh: "2026-11-21", Format: "HH:mm"}, // a format of the other kind
		},
		Refused: []propertytest.Refusal{
			{In: `"2026-02-30"`, Code: fault.FieldType}, {In: `"21.11.2026"`, Code: fault.FieldType}, {In: `20261121`, Code: fault.FieldType},
			{In: `"2026"`, Code: fault.FieldType}, {In: `"2026-11"`, Code: fault.FieldType},
			{In: `"0000-01-01"`, Code: fault.FieldRange}, {In: `"0000-12-31"`, Code: fault.FieldRange}, {In: `"10000-01-01"`, Code: fault.FieldRange},
			{In: `"12026-11-21 08:30"`, Code: fault.FieldRange}, {In: `"120261121"`, Code: fault.FieldType},
		},
		Order:     []string{`null`, `"0001-01-01"`, `"0001-01-02"`, `"2026-11-20"`, `"2026-11-21"`},
		Operators: groupN,
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"2026"`, Selects: []string{`"2026-01-01"`, `"2026-12-31"`}, Leaves: []string{`"2025-12-31"`, `"2027-01-01"`, `null`}},
			{Op: plan.GreaterThan, Operand: `"2026-02"`, Selects: []string{`"2026-03-01"`}, Leaves: []string{`"2026-02-28"`}},
			{Op: plan.Between, Operand: `"2026-02;2026-03"`, Selects: []string{`"2026-02-01"`, `"2026-03-31"`}, Leaves: []string{`"2026-01-31"`, `"2026-04-01"`}},
			{Op: plan.Between, Operand: `"2026-02"`, Selects: []string{`"2026-02-01"`, `"2026-02-28"`}, Leaves: []string{`"2026-03-01"`}},
			{Op: plan.Between, Operand: `"2026-02-01;2026-02-02;2026-02-03"`, Code: fault.FilterValue},
			{Op: plan.Between, Operand: `"lastDays:0"`, Code: fault.FilterValue},
			{Op: plan.Between, Operand: `"lastWeek"`, Code: fault.FilterValue},
			{Op: plan.Equal, Operand: `"soon"`, Code: fault.FilterValue},
		},
	})
}

func TestInstant(t *testing.T) {
	propertytest.Run(t, date.Type{}, propertytest.Cases{
		Options: `{"displayFormat": "yyyy-MM-dd HH:mm"}`,
		Values: []propertytest.Value{
			{In: `"2026-11-21T03:04:05.000Z"`, Zh: "2026-11-21 11:04"},
			{In: `"2026-11-21T03:04:05.1239+08:00"`, JSON: `"2026-11-20T19:04:05.123Z"`, Zh: "2026-11-21 03:04", Cell: "time 2026-11-21T03:04:05.123 yyyy-mm-dd hh:mm"},
			{In: `"0001-01-01T00:00:00.000Z"`, Zh: "0001-01-01 08:00", Cell: "text 0001-01-01 08:00:00"},
			{In: `"9999-12-31T15:59:59.999Z"`, Zh: "9999-12-31 23:59", Cell: "time 9999-12-31T23:59:59.999 yyyy-mm-dd hh:mm"},
			{In: `"2026-11-21 08:30"`, JSON: `"2026-11-21T00:30:00.000Z"`, Zh: "2026-11-21 08:30:00", Format: "yyyy-MM-dd HH:mm:ss"},
			{In: `"2026-11-21"`, JSON: `"2026-11-20T16:00:00.000Z"`, Zh: "00:00", Format: "HH:mm"},
			{In: `"2026-11-21 08:30:09"`, JSON: `"2026-11-21T00:30:09.000Z"`, Zh: "08:30:09", Format: "HH:mm:ss"},
			{In: `"2026-11-21 08:30:09"`, JSON: `"2026-11-21T00:30:09.000Z"`, Zh: "2026-11-21 上午 08:30", Format: "yyyy-MM-dd CN-APM hh:mm"},
			{In: `"2026-11-21 20:30"`, JSON: `"2026-11-21T12:30:00.000Z"`, Zh: "2026-11-21 PM 08:30", Format: "yyyy-MM-dd EN-APM hh:mm"},
			{In: `"2026-11-21 12:00"`, JSON: `"2026-11-21T04:00:00.000Z"`, Zh: "下午 12:00", Format: "CN-APM hh:mm", Cell: "time 2026-11-21T12:00:00 [$-804]AM/PM hh:mm"},
			{In: `"2026-11-21 00:05"`, JSON: `"2026-11-20T16:05:00.000Z"`, Zh: "AM 12:05", Format: "EN-APM hh:mm"},
		},
		Refused: []propertytest.Refusal{
			{In: `"0001-01-01T00:00:00+08:00"`, Code: fault.FieldRange},
			{In: `"0000-12-31T23:59:59.999Z"`, Code: fault.FieldRange}, {In: `"9999-12-31T16:00:00Z"`, Code: fault.FieldRange},
			{In: `"08:30"`, Code: fault.FieldType},
		},
		Order:     []string{`null`, `"2026-11-21T00:00:00Z"`, `"2026-11-21T00:00:00.001Z"`},
		Operators: groupN,
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"2026-11-21"`, Selects: []string{`"2026-11-20T16:00:00Z"`, `"2026-11-21T15:59:59.999Z"`},
				Leaves: []string{`"2026-11-20T15:59:59.999Z"`, `"2026-11-21T16:00:00Z"`, `null`}},
			{Op: plan.Between, Operand: `"2026-11-21;2026-11-21"`, Selects: []string{`"2026-11-21T15:59:59.999Z"`}, Leaves: []string{`"2026-11-21T16:00:00Z"`}},
			{Op: plan.GreaterThan, Operand: `"2026-11-21"`, Selects: []string{`"2026-11-21T16:00:00Z"`}, Leaves: []string{`"2026-11-21T15:59:59.999Z"`}},
			{Op: plan.LessThanOrEqual, Operand: `"2026-11"`, Selects: []string{`"2026-11-30T15:59:59Z"`}, Leaves: []string{`"2026-11-30T16:00:00Z"`}},
			{Op: plan.Equal, Operand: `"2026-11-21 08:30"`, Selects: []string{`"2026-11-21T00:30:00Z"`}, Leaves: []string{`"2026-11-21T00:30:01Z"`}},
		},
	})
}

// TestFormatCodes: each format has the number of the specification; 1 is read as 0.
func TestFormatCodes(t *testing.T) {
	for format, want := range map[string]int{"yyyy-MM-dd": 0, "yyyy-MM-dd HH:mm:ss": 2, "yyyy-MM-dd HH:mm": 3, "yyyy-MM": 4, "yyyy": 5, "MM-dd": 6, "HH:mm": 7, "HH:mm:ss": 8,
		"yyyy-MM-dd CN-APM hh:mm": 9, "yyyy-MM-dd EN-APM hh:mm": 10, "CN-APM hh:mm": 11, "EN-APM hh:mm": 12} {
		p, problems := date.Type{}.Compile(propertytest.Define(date.Type{}, `{"displayFormat": "`+format+`"}`), propertytest.Scope{})
		require.Empty(t, problems)
		require.Equal(t, want, p.(property.FormatCoder).FormatCode(format), format)
	}
}

// A day that is 23 hours long is still that day.
func TestDayOfChangingClocks(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	p, problems := date.Type{}.Compile(propertytest.Define(date.Type{}, `{"displayFormat": "HH:mm"}`), propertytest.Scope{At: berlin})
	require.Empty(t, problems)
	e, err := p.(property.Filterer).Filter(plan.Equal, "2026-03-29", propertytest.Fields(p), property.FilterContext{Zone: berlin})
	require.NoError(t, err)
	and := e.(*plan.And)
	require.Equal(t, "2026-03-28 23:00:00 +0000 UTC", and.Of[0].(*plan.Compare).B.(*plan.Const).Value.(time.Time).String())
	require.Equal(t, "2026-03-29 22:00:00 +0000 UTC", and.Of[1].(*plan.Compare).B.(*plan.Const).Value.(time.Time).String())
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, date.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"displayFormat": "yyyy-mm-dd"}`, Code: "PROP004", Pointer: "/displayFormat",
			En: `"yyyy-mm-dd" is not a value of "displayFormat"; allowed: yyyy-MM-dd, yyyy-MM, yyyy, MM-dd, yyyy-MM-dd HH:mm:ss, yyyy-MM-dd HH:mm, HH:mm, HH:mm:ss, yyyy-MM-dd CN-APM hh:mm, yyyy-MM-dd EN-APM hh:mm, CN-APM hh:mm, EN-APM hh:mm (did you mean "yyyy-MM-dd"?)`},
	})
}
