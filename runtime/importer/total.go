package importer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// totalWords are how people head a row of totals, without spaces and marks.
var totalWords = map[string]bool{"合计": true, "总计": true, "小计": true, "共计": true, "总合计": true, "本页小计": true, "total": true, "totals": true, "grandtotal": true, "sum": true, "subtotal": true}

// underWords begin the rows that people write below the totals of a list, without spaces: who made and checked it, when, notes, the page.
var underWords = regexp.MustCompile(`^(?:(?:制表|填表|填报|编制|制单|统计|审核|复核|审批|批准|核准|核对|校核|经办|负责|主管|会计|出纳|签字|签名|签章|盖章|日期|时间|备注|说明|附注|注|单位|部门|公司|` +
	`preparedby|madeby|checkedby|reviewedby|approvedby|signature|signed|date|notes?|remarks?|page)[^:]{0,6}[:]|第\d+页|共\d+页|page\d+)`)

// tally finds rows of totals at the end of a worksheet: headed by a word for it, and with nothing else but sums of the rows above; and what people
// write below them.
type tally struct {
	id      int // column of the record's id; -1 = none
	rows    int
	sums    map[int]decimal.Decimal // by column
	parts   map[int]decimal.Decimal // since the last row that looked like a total
	pending []workbook.Row          // that look like totals, and behind which nothing came yet
}

func newTally(h head) *tally {
	t := &tally{id: -1, sums: map[int]decimal.Decimal{}, parts: map[int]decimal.Decimal{}}
	for _, c := range h.Columns {
		if c.Code == rowID {
			t.id = c.At
		}
	}
	return t
}

// ours tells if a row is that of the sums of an export.
func (t *tally) ours(r workbook.Row) bool { return t.id >= 0 && textOf(r, t.id) == workbook.TotalsKey }

func (t *tally) see(r workbook.Row) {
	if !slices.ContainsFunc(r.Cells, func(c property.Cell) bool {
		return c.Kind != property.CellEmpty && strings.TrimSpace(c.Text) != "" || c.Kind == property.CellTime || c.Kind == property.CellBool
	}) {
		return
	}
	if t.total(r) || len(t.pending) > 0 && t.under(r) {
		r.Cells = slices.Clone(r.Cells)
		t.pending = append(t.pending, r)
		return
	}
	if len(t.pending) > 0 { // what looked like totals was within the list: its sums begin again
		clear(t.parts)
		t.pending = nil
	}
	t.rows++
	for at, c := range r.Cells {
		if n, ok := numberIn(c); ok {
			t.sums[at], t.parts[at] = t.sums[at].Add(n), t.parts[at].Add(n)
		}
	}
}

// total tells if a row can be one of totals.
func (t *tally) total(r workbook.Row) bool {
	if t.rows == 0 || t.id >= 0 && textOf(r, t.id) != "" {
		return false
	}
	headed := false
	for at, c := range r.Cells {
		text := textOf(r, at)
		switch {
		case text == "":
		case !headed:
			if headed = c.Kind == property.CellText && totalWords[totalWord(text)]; !headed {
				return false
			}
		default:
			n, ok := numberIn(c)
			if !ok && (c.Kind != property.CellUnknown || !strings.HasPrefix(text, "SUM(") && !strings.HasPrefix(text, "SUBTOTAL(")) {
				return false
			}
			if ok && !sums(n, t.sums[at]) && !sums(n, t.parts[at]) {
				return false
			}
		}
	}
	return headed
}

// under tells if a row is one that people write below totals. A number in a column that has sums belongs to a record.
func (t *tally) under(r workbook.Row) bool {
	if t.id >= 0 && textOf(r, t.id) != "" {
		return false
	}
	begun := false
	for at, c := range r.Cells {
		text := textOf(r, at)
		if text == "" {
			continue
		}
		if !begun && (c.Kind != property.CellText || !underWords.MatchString(underWord(text))) {
			return false
		}
		begun = true
		if _, number := numberIn(c); number && !t.sums[at].IsZero() {
			return false
		}
	}
	return begun
}

func underWord(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), "")
}

func totalWord(text string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.ToLower(text)), ""), ":：-()（）")
}

// sums: a sum is what the file says, as far as it says it.
func sums(says, sum decimal.Decimal) bool {
	places := max(0, -says.Exponent())
	return says.Equal(sum.Round(places)) || says.Sub(sum).Abs().LessThan(decimal.New(1, -6))
}

// numberIn is the number in a cell, also in one of a text file.
func numberIn(c property.Cell) (decimal.Decimal, bool) {
	if c.Kind != property.CellNumber && c.Kind != property.CellText || len(c.Text) > 40 {
		return decimal.Decimal{}, false
	}
	if text := strings.TrimSpace(c.Text); text == "" || !strings.ContainsRune("+-.0123456789", rune(text[0])) {
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(strings.ReplaceAll(strings.TrimSpace(c.Text), ",", ""))
	return n, err == nil
}

// atEnd are the numbers of the rows of totals, and of those below them, that nothing comes behind.
func (t *tally) atEnd() []int {
	var out []int
	for _, r := range t.pending {
		out = append(out, r.Number)
	}
	return out
}
