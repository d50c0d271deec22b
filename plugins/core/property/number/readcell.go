package number

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
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
		text, percent, ok := written(c.Text, p.unit)
		if !ok || !percent {
			return p.Parse(text)
		}
		v, err := read(ungroup(text))
		if err != nil {
			return nil, err
		}
		return p.Parse(v.Shift(-2))
	}
	return nil, property.Refuse(fault.FieldType)
}

var currency = regexp.MustCompile(`^(rmb|cny|usd|eur|[¥$€£])\s*|\s*(元|rmb|cny|usd|eur)$`)

// written is the decimal text of a number as somebody wrote it, and whether it is in percent. What is not a number stays as it is.
func written(s, unit string) (text string, percent, ok bool) {
	t := strings.ToLower(strings.TrimSpace(norm.NFKC.String(s)))
	t = strings.NewReplacer("−", "-", "–", "-", "，", ",", "\u00a0", " ").Replace(t)
	if inner, negative := strings.CutPrefix(t, "("); negative && strings.HasSuffix(inner, ")") {
		t = "-" + strings.TrimSuffix(inner, ")")
	}
	if u := strings.ToLower(norm.NFKC.String(unit)); u != "" && u != "%" {
		t = strings.TrimSpace(strings.TrimSuffix(t, u))
	}
	minus := strings.HasPrefix(t, "-")
	t = currency.ReplaceAllString(strings.TrimSpace(strings.TrimPrefix(t, "-")), "")
	if rest, is := strings.CutSuffix(t, "%"); is {
		t, percent = strings.TrimSpace(rest), unit != "%"
	}
	if groups := strings.Split(t, " "); len(groups) > 1 && !strings.Contains(t, ",") { // 1 200 000.50
		t = strings.Join(groups, ",")
	}
	if minus {
		t = "-" + t
	}
	if _, err := decimal.NewFromString(ungroup(t)); err != nil {
		return s, false, false
	}
	return t, percent, true
}
