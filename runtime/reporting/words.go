package reporting

import (
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// quotientPlaces are those of quotients whose author names no scale: theirs do not end.
const quotientPlaces = 2

func itoa(n int) string { return strconv.Itoa(n) }

// isPercent reports whether a figure is shown in percent.
func isPercent(m *catalog.Measure) bool { return formatOf(m) == "percent" }

func formatOf(m *catalog.Measure) string {
	if m.Format == "" && (m.Fn == catalog.MeasureRatio || m.Fn == catalog.MeasureCompare && m.As == "percent") {
		return "percent"
	}
	return m.Format
}

// shownPlaces is how many decimal places a figure has, in percent where it is shown so; fixed ones have as many always.
func shownPlaces(m *catalog.Measure, d decimal.Decimal) (places int, fixed bool) {
	percent := isPercent(m)
	switch quotient := m.Fn == catalog.MeasureRatio || m.Fn == catalog.MeasureCompare || m.Fn == string(plan.SumAverage); {
	case m.Scale != nil && percent:
		return max(*m.Scale-2, 0), true
	case m.Scale != nil:
		return *m.Scale, true
	case quotient:
		return quotientPlaces, false
	}
	return max(-int(d.Exponent()), 0), false
}

// figureWords is a figure as people read it, without its unit.
func figureWords(m *catalog.Measure, v any, zone *time.Location) string {
	d, is := number(v)
	if !is {
		return timeWords(v, zone)
	}
	sign := ""
	if isPercent(m) {
		d, sign = d.Shift(2), "%"
	}
	places, fixed := shownPlaces(m, d)
	text := d.StringFixed(int32(places))
	if !fixed && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if formatOf(m) != "plain" {
		text = grouped(text)
	}
	return text + sign
}

func timeWords(v any, zone *time.Location) string {
	switch x := v.(type) {
	case string:
		return x
	case time.Time:
		return x.In(zone).Format("2006-01-02 15:04")
	}
	return ""
}

// grouped puts a comma between each three integer digits.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// numberFormat is the format of a figure in spreadsheets.
func numberFormat(m *catalog.Measure, d decimal.Decimal) string {
	percent := isPercent(m)
	if percent {
		d = d.Shift(2)
	}
	places, fixed := shownPlaces(m, d)
	if !fixed { // as many as it has
		places = min(places, max(-int(decimal.RequireFromString(d.String()).Exponent()), 0))
	}
	out := "#,##0"
	if percent || formatOf(m) == "plain" {
		out = "0"
	}
	if places > 0 {
		out += "." + strings.Repeat("0", places)
	}
	if percent {
		out += "%"
	}
	return out
}
