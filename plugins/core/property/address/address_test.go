package address_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/address"
	"github.com/stretchr/testify/require"
)

// places are a small part of the country.
var places = place.New([]place.Division{
	{Code: "11", Name: "北京市", NameEn: "Beijing"}, {Code: "1101", Name: "北京市", NameEn: "Beijing"},
	{Code: "110101", Name: "东城区", NameEn: "Dongcheng"}, {Code: "110105", Name: "朝阳区", NameEn: "Chaoyang"},
	{Code: "42", Name: "湖北省", NameEn: "Hubei"}, {Code: "4205", Name: "宜昌市", NameEn: "Yichang"}, {Code: "420502", Name: "西陵区", NameEn: "Xiling"},
	{Code: "21", Name: "辽宁省", NameEn: "Liaoning"}, {Code: "2113", Name: "朝阳市", NameEn: "Chaoyang"},
})

func TestAddress(t *testing.T) {
	const xiling = `{"code":"420502","province":"湖北省","city":"宜昌市","district":"西陵区","detail":"三江路1号"}`
	propertytest.Run(t, address.Type{}, propertytest.Cases{
		Scope: propertytest.Scope{Divisions: places},
		Pool:  []string{`"42"`, `{"code": "420502", "detail": "a"}`, `{"detail": "b"}`},
		Values: []propertytest.Value{
			{In: `{"code": "420502", "detail": "三江路1号"}`, JSON: xiling, Zh: "湖北省宜昌市西陵区三江路1号", En: "Hubei Yichang Xiling 三江路1号"},
			{In: xiling, Zh: "湖北省宜昌市三江路1号", En: "Hubei Yichang 三江路1号", Format: "province-city"},
			{In: `"湖北省宜昌市西陵区 三江路1号"`, JSON: xiling, Zh: "湖北省三江路1号", En: "Hubei 三江路1号", Format: "province"},
			{In: `"110105"`, JSON: `{"code":"110105","province":"北京市","city":"北京市","district":"朝阳区","detail":null}`, Zh: "北京市朝阳区", En: "Beijing Chaoyang"},
			{In: `"北京市朝阳区"`, JSON: `{"code":"110105","province":"北京市","city":"北京市","district":"朝阳区","detail":null}`, Zh: "北京市朝阳区", En: "Beijing Chaoyang"},
			{In: `"4205"`, JSON: `{"code":"4205","province":"湖北省","city":"宜昌市","district":null,"detail":null}`, Zh: "湖北省宜昌市", En: "Hubei Yichang"},
			{In: `{"code": "42", "detail": "\u3000路 1 "}`, JSON: `{"code":"42","province":"湖北省","city":null,"district":null,"detail":"路 1"}`, Zh: "湖北省路 1", En: "Hubei 路 1"},
			{In: `"// somewhere"`, JSON: `{"code":"","province":null,"city":null,"district":null,"detail":"somewhere"}`, Zh: "somewhere"},
			{In: `"4205//西陵区路口"`, JSON: `{"code":"4205","province":"湖北省","city":"宜昌市","district":null,"detail":"西陵区路口"}`, Zh: "湖北省宜昌市西陵区路口", En: "Hubei Yichang 西陵区路口"},
		},
		Refused: []propertytest.Refusal{
			{In: `"火星"`, Code: fault.PlaceNone}, {In: `"北京路1号"`, Code: fault.PlaceUnclear}, {In: `"湖北省 朝阳区"`, Code: fault.PlaceMissing},
			{In: `{"code": "99"}`, Code: fault.FieldOption}, {In: `{"code": "4"}`, Code: fault.FieldOption}, {In: `"999999"`, Code: fault.PlaceNone},
			{In: `{"code": 42}`, Code: fault.FieldType}, {In: `{"detail": "a\nb"}`, Code: fault.FieldType},
			{In: `"//` + strings.Repeat("长", 201) + `"`, Code: fault.FieldTooLong},
		},
		Order:     []string{`null`, `"110105"`, `"42"`, `"4205"`, `"420502"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"42"`, Selects: []string{`"42"`}, Leaves: []string{`"4205"`, `null`}},
			{Op: plan.Equal, Operand: `"somewhere"`, Selects: []string{`{"detail": "somewhere"}`}, Leaves: []string{`"42"`}},
			{Op: plan.Contains, Operand: `"42"`, Selects: []string{`"42"`, `"420502"`, `{"detail": "road 42"}`}, Leaves: []string{`"110105"`, `null`}},
			{Op: plan.Contains, Operand: `"朝阳"`, Selects: []string{`"110105"`, `"2113"`, `{"detail": "朝阳路"}`}, Leaves: []string{`"110101"`, `"21"`}},
			{Op: plan.Contains, Operand: `"湖北"`, Selects: []string{`"42"`, `"420502"`}, Leaves: []string{`"21"`}},
			{Op: plan.OpIsNull, Operand: `null`, Selects: []string{`null`}, Leaves: []string{`"42"`, `{"detail": "somewhere"}`}},
		},
	})
}

func TestFormatCodes(t *testing.T) {
	for want, format := range []string{"province-city-district", "province-city", "province"} {
		p, problems := address.Type{}.Compile(propertytest.Define(address.Type{}, `{"displayFormat": "`+format+`"}`), propertytest.Scope{Divisions: places})
		require.Empty(t, problems)
		require.Equal(t, want, p.(property.FormatCoder).FormatCode(format), format)
	}
}

// Without the pack that knows divisions an address is its code.
func TestWithoutPlaces(t *testing.T) {
	propertytest.Run(t, address.Type{}, propertytest.Cases{
		Options: `{"displayFormat": "province"}`,
		Pool:    []string{`"42"`, `{"code": "420502", "detail": "a"}`},
		Values: []propertytest.Value{
			{In: `{"code": "420502", "detail": "a"}`, JSON: `{"code":"420502","province":null,"city":null,"district":null,"detail":"a"}`, Zh: "420502a", En: "420502 a"},
		},
		Order:     []string{`"42"`, `"43"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
	})
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, address.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"displayFormat": "city"}`, Code: "PROP004", Pointer: "/displayFormat",
			En: `"city" is not a value of "displayFormat"; allowed: province-city-district, province-city, province`},
	})
}

var _ property.Places = places

// TestSheets: what spreadsheets hold has all levels, whatever is displayed, and is read as it was written.
func TestSheets(t *testing.T) {
	p, problems := address.Type{}.Compile(propertytest.Define(address.Type{}, `{"displayFormat": "province"}`), propertytest.Scope{Divisions: places})
	require.Empty(t, problems)
	for _, v := range []address.Value{{Code: "420502", Detail: "三江路1号"}, {Code: "4205", Detail: "西陵区"}, {Detail: "湖北省"}, {Code: "1101"}, {Code: "110105"}} {
		for _, locale := range []string{"zh", "en"} {
			text := p.(property.SheetWriter).SheetText(v, property.TextContext{Locale: locale, DisplayFormat: "province"})
			got, err := p.(property.CellReader).ReadCell(property.Cell{Kind: property.CellText, Text: text})
			require.NoError(t, err, text)
			require.Equal(t, v, got, text)
		}
	}
	got, err := p.(property.CellReader).ReadCell(property.Cell{Kind: property.CellNumber, Text: "420502"})
	require.NoError(t, err)
	require.Equal(t, address.Value{Code: "420502"}, got)
}
