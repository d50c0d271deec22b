package number

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/spelling"
)

// ReadCell reads numbers as people write them: full-width digits, thousands separators, percent, a currency sign, the field's unit, and
// negative amounts in parentheses. Of a number of the file all counts, up to 15 digits, whatever its cell shows.
func (p number) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellNumber:
		v, err := read(c.Digits())
		if err != nil {
			return nil, err
		}
		return p.Parse(v)
	case property.CellText:
		text, shift, ok := written(c.Text, p.unit)
		if !ok || shift == 0 {
			return p.Parse(text)
		}
		v, err := read(ungroup(text))
		if err != nil {
			return nil, err
		}
		return p.Parse(v.Shift(shift))
	}
	return nil, property.Refuse(fault.FieldType)
}

// Fit rounds a number to the decimal places that the property keeps, half away from zero. A percentage stays one.
func (p number) Fit(c property.Cell) (property.Cell, bool) {
	text, shift := c.Digits(), int32(0)
	if c.Kind == property.CellText {
		ok := false
		if text, shift, ok = written(c.Text, p.unit); !ok {
			return c, false
		}
	}
	v, err := read(ungroup(text))
	if err != nil || c.Kind != property.CellText && c.Kind != property.CellNumber {
		return c, false
	}
	whole := v.Shift(shift)
	rounded := whole.Round(int32(p.scale))
	if _, err := p.Parse(rounded); err != nil || rounded.Equal(whole) {
		return c, false
	}
	if shift == -2 || p.format == "percent" { // a bare figure would be read as a hundredth where it is shown
		return property.Cell{Kind: property.CellText, Text: canonical(rounded.Shift(2)) + "%"}, true
	}
	return property.Cell{Kind: property.CellText, Text: canonical(rounded)}, true
}

var (
	currency  = regexp.MustCompile(`^(?:rmb|cny|usd|eur|人民币|[¥$€£])\s*|\s*(?:[元圆圓]|rmb|cny|usd|eur)$`)
	symbol    = regexp.MustCompile(`^(?:rmb|cny|人民币|[¥])\s*`)
	multiples = regexp.MustCompile(`[百佰千仟万萬亿億]`)
	moneys    = regexp.MustCompile(`^(?:元|rmb|cny|usd|eur|人民币|[¥$€£])$`)
	counted   = regexp.MustCompile(`[十百千万亿]`)
)

// shifts are the words and signs behind figures that move their point by so many places.
var shifts = []struct {
	word   string
	places int32
}{{"%", -2}, {"‰", -3}, {"万亿", 12}, {"万", 4}, {"亿", 8}}

var plainMarks = strings.NewReplacer("−", "-", "–", "-", "—", "-", "‐", "-", "，", ",", "。", ".", "\u00a0", " ")

// written is the decimal text of a number as somebody wrote it, and by how many places its point moves, for percent and tens of thousands. Signs of money
// are of a field of money, or of one without a unit. What is not a number stays as it is.
func written(s, unit string) (text string, shift int32, ok bool) {
	t := plainMarks.Replace(strings.ToLower(strings.TrimSpace(norm.NFKC.String(property.Visible(s)))))
	if inner, negative := strings.CutPrefix(t, "("); negative && strings.HasSuffix(inner, ")") {
		t = "-" + strings.TrimSuffix(inner, ")")
	}
	u := strings.ToLower(norm.NFKC.String(unit))
	if u != "" && u != "%" {
		t = strings.TrimSpace(strings.TrimSuffix(t, u))
	}
	minus := strings.HasPrefix(t, "-")
	t = strings.TrimSpace(strings.TrimPrefix(t, "-"))
	money := u == "" || moneys.MatchString(u)
	if words, is := spelling.Numeral(symbol.ReplaceAllString(t, ""), money); is && !(counted.MatchString(u) && multiples.MatchString(t)) {
		t = words
	} else {
		t, shift = plainly(t, u, money)
	}
	if groups := strings.Split(t, " "); len(groups) > 1 && !strings.Contains(t, ",") { // 1 200 000.50
		t = strings.Join(groups, ",")
	}
	if minus {
		t = "-" + t
	}
	if _, err := decimal.NewFromString(ungroup(t)); err != nil {
		return s, 0, false
	}
	return t, shift, true
}

// plainly takes the signs of money and the words and signs that move the point from a number in digits.
func plainly(t, unit string, money bool) (string, int32) {
	if money {
		t = currency.ReplaceAllString(t, "")
	}
	for _, s := range shifts {
		if s.places > 0 && counted.MatchString(unit) {
			continue // of a field in 万元 nobody can say what 3万 is
		}
		if rest, is := strings.CutSuffix(t, s.word); is {
			if t = strings.TrimSpace(rest); s.word != unit {
				return t, s.places
			}
			break
		}
	}
	return t, 0
}
