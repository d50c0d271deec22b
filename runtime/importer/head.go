package importer

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/heading"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// head says what the columns of a file mean. It is kept with the import.
type head struct {
	Columns []headColumn `json:"columns"`
	First   int          `json:"first"`             // number of the first row behind the head
	Ignored []string     `json:"ignored,omitempty"` // headings that no property has

	Encoding string `json:"encoding,omitempty"` // in which a text file was read
	found
}

// headColumn is a column of the file that is read: Code is a property, or the id of the record ("id") or of a row ("items.id").
type headColumn struct {
	At   int    `json:"at"` // 0 = A
	Code string `json:"code"`
}

// headRows is how many rows of a file may be before its data.
const headRows = 12

// readHead finds the head of a sheet: a row of property codes, as templates and exports have one hidden, or else the rows whose texts are
// headings in either language: one row, or two where the name of a sub-table is above its columns. Refusals are faults about the whole file.
func readHead(rows []workbook.Row, names *heading.Names, columns []Column, locale string) (head, error) {
	if len(rows) == 0 {
		return head{}, fault.New(fault.ImportNoRows)
	}
	best := headings{score: 0}
	for i := range min(len(rows), headRows) {
		// A row of codes says more than headings can: two columns may be called the same, and one as another one's code.
		if codes := codesOf(names, rows, i, len(columns)); codes.score > 0 && (best.score < 2 || codes.score > best.score) {
			best = codes
			break
		}
		for _, tried := range []headings{double(names, rows, i), single(names, rows, i)} {
			if tried.score > best.score {
				best = tried
			}
		}
	}
	if best.score == 0 {
		return head{}, fault.New(fault.ImportNoColumn)
	}
	if len(best.twice) > 0 {
		return head{}, fault.New(fault.ImportColumnTwice, names.Labels(best.twice, locale))
	}
	out := best.head
	for best.byCode && out.First <= rows[len(rows)-1].Number { // headings below the codes
		i := slices.IndexFunc(rows, func(r workbook.Row) bool { return r.Number >= out.First })
		if i < 0 {
			break
		}
		if d := double(names, rows, i); d.score >= (len(out.Columns)+1)/2 {
			out.First = d.head.First
		} else if s := single(names, rows, i); s.score >= (len(out.Columns)+1)/2 {
			out.First = s.head.First
		} else {
			break
		}
	}
	return out.without(), nil
}

// without leaves out the ids of rows of sub-tables of which the file has nothing else.
func (h head) without() head {
	all := h.Columns
	h.Columns = nil
	for _, c := range all {
		sheet, code, inSheet := strings.Cut(c.Code, ".")
		alone := inSheet && code == rowID && !slices.ContainsFunc(all, func(of headColumn) bool {
			return of.Code != c.Code && strings.HasPrefix(of.Code, sheet+".")
		})
		if !alone {
			h.Columns = append(h.Columns, c)
		}
	}
	return h
}

// headings is an attempt to read some rows as the head.
type headings struct {
	head   head
	score  int      // columns that were recognized
	twice  []string // codes that several columns have
	byCode bool
}

func (h *headings) take(at int, code, text string) {
	switch {
	case code == "":
		if text != "" {
			h.head.Ignored = append(h.head.Ignored, text)
		}
		return
	case slices.ContainsFunc(h.head.Columns, func(c headColumn) bool { return c.Code == code }):
		if !slices.Contains(h.twice, code) {
			h.twice = append(h.twice, code)
		}
	}
	h.head.Columns = append(h.head.Columns, headColumn{at, code})
	h.score++
}

func textOf(r workbook.Row, at int) string {
	if at >= len(r.Cells) {
		return ""
	}
	return strings.TrimSpace(cellText(r.Cells[at]))
}

// codesOf reads a row of property codes: every cell that is not empty is one.
func codesOf(names *heading.Names, rows []workbook.Row, i int, most int) headings {
	out := headings{byCode: true, head: head{First: rows[i].Number + 1}}
	keys, template := workbook.TemplateKeys(rows[i])
	for at := range rows[i].Cells {
		text := textOf(rows[i], at)
		if template {
			text = keys[at]
		}
		if text == "" {
			continue
		}
		code, known := names.Code(text)
		if !known {
			return headings{}
		}
		out.take(at, code, "") // other columns of an export are not the person's to write
	}
	if out.score == 1 && most > 1 { // a single word is more likely a title
		return headings{}
	}
	return out
}

// single reads a row of headings, those of sub-tables written with them: "检查项.名称".
func single(names *heading.Names, rows []workbook.Row, i int) headings {
	out := headings{head: head{First: rows[i].Number + 1}}
	for at := range rows[i].Cells {
		text := textOf(rows[i], at)
		out.take(at, names.Single(text), text)
	}
	return out
}

// double reads two rows: the second has the headings of sub-tables below their names, and is empty below those of the record's own.
func double(names *heading.Names, rows []workbook.Row, i int) headings {
	if i+1 >= len(rows) || rows[i+1].Number != rows[i].Number+1 {
		return headings{}
	}
	out := headings{head: head{First: rows[i+1].Number + 1}}
	var group *catalog.Field
	inGroups := 0
	for at := range max(len(rows[i].Cells), len(rows[i+1].Cells)) {
		above, below := textOf(rows[i], at), textOf(rows[i+1], at)
		if above != "" {
			group = names.Group(above)
		}
		if below == "" || group == nil {
			code := names.Own(above)
			if below != "" && code == "" {
				code = names.Own(below)
			}
			out.take(at, code, strings.TrimSpace(above+" "+below))
			continue
		}
		code := names.Within(group, below)
		if code != "" {
			inGroups++
		}
		out.take(at, code, above+"."+below)
	}
	if inGroups == 0 {
		return headings{}
	}
	return out
}

// cellText is a cell in words: what a person would type into it.
func cellText(c property.Cell) string {
	switch c.Kind {
	case property.CellText, property.CellError, property.CellUnknown:
		return c.Text
	case property.CellNumber:
		return c.Digits()
	case property.CellBool:
		if c.Bool {
			return "TRUE"
		}
		return "FALSE"
	case property.CellTime:
		switch t := c.Time; {
		case t.Year() == 1899 || t.Year() == 1900 && t.YearDay() == 1 && t.Hour()+t.Minute()+t.Second() > 0:
			return t.Format("15:04:05")
		case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
			return t.Format("2006-01-02")
		default:
			return t.Format("2006-01-02 15:04:05")
		}
	}
	return ""
}
