package importer

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
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
func readHead(rows []workbook.Row, m *catalog.Model, columns []Column, locale string) (head, error) {
	if len(rows) == 0 {
		return head{}, fault.New(fault.ImportNoRows)
	}
	names := newHeadings(m, columns)
	best := headings{score: 0}
	for i := range min(len(rows), headRows) {
		for _, tried := range []headings{names.codes(rows, i), names.double(rows, i), names.single(rows, i)} {
			if tried.score > best.score {
				best = tried
			}
		}
	}
	if best.score == 0 {
		return head{}, fault.New(fault.ImportNoColumn)
	}
	if len(best.twice) > 0 {
		return head{}, fault.New(fault.ImportColumnTwice, names.labels(best.twice, locale))
	}
	out := best.head
	for best.byCode && out.First <= rows[len(rows)-1].Number { // headings below the codes
		i := slices.IndexFunc(rows, func(r workbook.Row) bool { return r.Number >= out.First })
		if i < 0 {
			break
		}
		if d := names.double(rows, i); d.score >= (len(out.Columns)+1)/2 {
			out.First = d.head.First
		} else if s := names.single(rows, i); s.score >= (len(out.Columns)+1)/2 {
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

// known are the names of a model's columns.
type known struct {
	columns []Column
	byCode  map[string]string
	own     map[string]string         // heading -> code, of the record's properties
	groups  map[string]*catalog.Field // heading -> sub-table
	inGroup map[*catalog.Field]map[string]string
	flat    map[string]string // "sub-table.column"
	others  map[string]bool   // codes of the model that are not among the columns
}

func newHeadings(m *catalog.Model, columns []Column) *known {
	k := &known{columns: columns, byCode: map[string]string{rowID: rowID}, own: map[string]string{}, groups: map[string]*catalog.Field{},
		inGroup: map[*catalog.Field]map[string]string{}, flat: map[string]string{}, others: map[string]bool{}}
	for _, f := range m.Fields {
		k.others[strings.ToLower(f.Code)] = true
		if f.Sheet == nil {
			continue
		}
		k.others[strings.ToLower(f.Code+"."+rowID)] = true
		for _, g := range f.Sheet.Fields {
			k.others[strings.ToLower(f.Code+"."+g.Code)] = true
		}
	}
	for _, c := range columns {
		code := c.Code()
		k.byCode[strings.ToLower(code)] = code
		if c.Sheet == nil {
			for _, name := range namesOf(c.Field) {
				put(k.own, name, code)
			}
			continue
		}
		if k.inGroup[c.Sheet] == nil {
			k.inGroup[c.Sheet] = map[string]string{}
			k.byCode[strings.ToLower(c.Sheet.Code+"."+rowID)] = c.Sheet.Code + "." + rowID
		}
		for _, name := range namesOf(c.Field) {
			put(k.inGroup[c.Sheet], name, code)
			for _, group := range namesOf(c.Sheet) {
				put(k.flat, group+"."+name, code)
			}
		}
		for _, group := range namesOf(c.Sheet) {
			k.groups[group] = c.Sheet
		}
	}
	put(k.own, rowID, rowID)
	for sheet, names := range k.inGroup { // exports name the ids of rows so; a column that is called so comes first
		put(names, rowID, sheet.Code+"."+rowID)
		for _, group := range namesOf(sheet) {
			put(k.flat, group+"."+rowID, sheet.Code+"."+rowID)
		}
	}
	return k
}

// put gives a heading its meaning; of two properties with one label the first has it, unless the other one's code is the heading.
func put(into map[string]string, name, code string) {
	if _, taken := into[name]; !taken && name != "" {
		into[name] = code
	}
}

// namesOf are the headings of a property: its code and its label in each language.
func namesOf(f *catalog.Field) []string {
	return []string{heading(f.Label.In("zh")), heading(f.Label.In("en")), heading(f.Code)}
}

var (
	required = regexp.MustCompile(`^[*]+|[*]+$|[(（](必填|required|mandatory)[)）]$`)
	joined   = strings.NewReplacer(" / ", ".", "/", ".", " - ", ".", "-", ".", ":", ".", "：", ".", "·", ".", "—", ".", "_", ".")
)

// heading is how headings are compared: without case, width, spaces and marks of required columns.
func heading(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(text)), " "))
	for {
		shorter := strings.TrimSpace(required.ReplaceAllString(text, ""))
		if shorter == text {
			return strings.ReplaceAll(text, " ", "")
		}
		text = shorter
	}
}

func textOf(r workbook.Row, at int) string {
	if at >= len(r.Cells) {
		return ""
	}
	return strings.TrimSpace(cellText(r.Cells[at]))
}

// codes reads a row of property codes: every cell that is not empty is one.
func (k *known) codes(rows []workbook.Row, i int) headings {
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
		code, ok := k.byCode[strings.ToLower(text)]
		property, _, _ := strings.Cut(strings.ToLower(text), ".") // "contract.partyB" is a column of a related record
		if !ok && !k.others[strings.ToLower(text)] && !k.others[property] {
			return headings{}
		}
		out.take(at, code, "") // other columns of an export are not the person's to write
	}
	if out.score == 1 && len(k.columns) > 1 { // a single word is more likely a title
		return headings{}
	}
	return out
}

// single reads a row of headings, those of sub-tables written with them: "检查项.名称".
func (k *known) single(rows []workbook.Row, i int) headings {
	out := headings{head: head{First: rows[i].Number + 1}}
	for at := range rows[i].Cells {
		text := textOf(rows[i], at)
		name := heading(text)
		code, ok := k.own[name]
		if !ok {
			code = k.flat[heading(joined.Replace(text))]
		}
		if !ok && code == "" {
			code = k.byCode[strings.ToLower(text)]
		}
		out.take(at, code, text)
	}
	return out
}

// double reads two rows: the second has the headings of sub-tables below their names, and is empty below those of the record's own.
func (k *known) double(rows []workbook.Row, i int) headings {
	if i+1 >= len(rows) || rows[i+1].Number != rows[i].Number+1 {
		return headings{}
	}
	out := headings{head: head{First: rows[i+1].Number + 1}}
	var group *catalog.Field
	inGroups := 0
	for at := range max(len(rows[i].Cells), len(rows[i+1].Cells)) {
		above, below := textOf(rows[i], at), textOf(rows[i+1], at)
		if above != "" {
			group = k.groups[heading(above)]
		}
		if below == "" || group == nil {
			code := k.own[heading(above)]
			if below != "" && code == "" {
				code = k.own[heading(below)]
			}
			out.take(at, code, strings.TrimSpace(above+" "+below))
			continue
		}
		code := k.inGroup[group][heading(below)]
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

// labels are columns in words.
func (k *known) labels(codes []string, locale string) string {
	var out []string
	for _, code := range codes {
		if c, ok := fieldOf(k.columns, code); ok {
			out = append(out, c.label(locale))
		} else {
			out = append(out, code)
		}
	}
	return strings.Join(out, ", ")
}

func (c Column) label(locale string) string {
	if c.Sheet != nil {
		return c.Sheet.Label.In(locale) + "." + c.Field.Label.In(locale)
	}
	return c.Field.Label.In(locale)
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
