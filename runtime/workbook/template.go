package workbook

import (
	"errors"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
)

// Template is a file for people to fill in.
type Template struct {
	// Sheet and Title name the worksheet and the file.
	Sheet, Title string
	// Locale is the language of the messages that the file shows, "zh" or "en".
	Locale  string
	Groups  []TemplateGroup
	Columns []TemplateColumn
	// Guide are the lines of a second worksheet; none leaves it out.
	Guide []string
}

// TemplateGroup is a sub-table: its heading is over the columns that name its key.
type TemplateGroup struct{ Key, Heading string }

// TemplateColumn is a column to fill in.
type TemplateColumn struct {
	// Key is the property's code. It is in a hidden row, so that headings can be changed.
	Key, Heading string
	// Group is the key of a TemplateGroup, or a heading of its own; "" is none. Columns of a group are behind one another.
	Group            string
	Required, Hidden bool
	// Note explains what the column takes, when the pointer rests on the heading.
	Note string
	// Options are offered as a list in each cell.
	Options []string
	// Format is the number format of a number, date or time.
	Format string
	Width  float64
	// Example is in a row that import leaves out, see IsExample. Its kind is what the cells hold.
	Example property.Cell
}

// TotalsKey is in the hidden column of ids of an export in the row of totals, which is not a record.
const TotalsKey = "#totals"

// Marks of templates, by which reading knows them again.
const (
	keyMark      = "#:"
	requiredMark = " *"
	exampleZH    = "示例 ▸ "
	exampleEN    = "Example ▸ "
)

// TemplateKeys are the keys of a template's columns, when the row is its hidden one; "" where a column has none.
func TemplateKeys(r Row) (keys []string, ok bool) {
	keys = make([]string, len(r.Cells))
	for i, c := range r.Cells {
		if c.Kind == property.CellEmpty {
			continue
		}
		if keys[i], ok = strings.CutPrefix(c.Text, keyMark); !ok {
			return nil, false
		}
	}
	return keys, ok
}

// IsExample tells if a row is a template's example, which is not data: somebody who writes over it takes the mark away.
func IsExample(r Row) bool {
	for _, c := range r.Cells {
		if c.Kind == property.CellText && (strings.HasPrefix(c.Text, exampleZH) || strings.HasPrefix(c.Text, exampleEN)) {
			return true
		}
	}
	return false
}

// Heading is a heading without the mark of required columns.
func Heading(text string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), strings.TrimSpace(requiredMark)))
}

// templateTexts are what a template says.
type templateTexts struct{ example, guide, title, list, date, number string }

var templateLanguages = map[string]templateTexts{
	"zh": {exampleZH, "填写说明", "请核对", "该值不在选项中，仍可保留。", "此列应填写日期或时间。", "此列应填写数字。"},
	"en": {exampleEN, "Guide", "Please check", "This value is not one of the options. You can keep it.", "This column takes dates or times.", "This column takes numbers."},
}

// templateFile is the template while it is made.
type templateFile struct {
	*excelize.File
	t       Template
	texts   templateTexts
	sheet   string
	head    int // row of the headings
	lists   int // columns of the options' worksheet
	example bool
	err     error
}

// optionsSheet holds the lists that are too long for a cell's rule.
const optionsSheet = "_options"

// WriteTemplate writes a template as xlsx: a hidden row of keys, the groups, the headings, the example, and rules for the rows below.
func WriteTemplate(w io.Writer, t Template) error {
	f := &templateFile{File: excelize.NewFile(), t: t, head: 2}
	defer func() { _ = f.Close() }()
	f.texts = templateLanguages["en"]
	if texts, ok := templateLanguages[strings.ToLower(t.Locale[:min(len(t.Locale), 2)])]; ok {
		f.texts = texts
	}
	taken := map[string]bool{optionsSheet: true}
	f.sheet = sheetName(t.Sheet, taken)
	for _, c := range t.Columns {
		if c.Group != "" {
			f.head = 3
		}
		f.example = f.example || c.Example.Kind != property.CellEmpty
	}
	f.try(f.SetSheetName("Sheet1", f.sheet))
	f.columns()
	f.groups()
	f.view()
	f.guide(sheetName(f.texts.guide, taken))
	f.try(f.SetDocProps(&excelize.DocProperties{Title: t.Title, Creator: "Sluice"}))
	if f.err != nil {
		return f.err
	}
	return f.Write(w)
}

func (f *templateFile) try(err error) { f.err = errors.Join(f.err, err) }

func (f *templateFile) style(s excelize.Style) int {
	n, err := f.NewStyle(&s)
	f.try(err)
	return n
}

// columns writes keys, headings, notes, examples and rules.
func (f *templateFile) columns() {
	marked := false
	for i, c := range f.t.Columns {
		name := columnName(i)
		f.try(f.SetColStyle(f.sheet, name, f.style(excelize.Style{CustomNumFmt: cellFormat(c)})))
		width := c.Width
		if width <= 0 {
			width = 16
		}
		f.try(f.SetColWidth(f.sheet, name, name, min(width, 255)))
		f.try(f.SetCellStr(f.sheet, Ref(1, i), keyMark+c.Key))
		f.heading(i, c)
		if c.Hidden {
			f.try(f.SetColVisible(f.sheet, name, false))
			continue
		}
		if c.Note != "" {
			f.try(f.AddComment(f.sheet, excelize.Comment{Cell: Ref(f.head, i), Author: "Sluice", Text: cutText(c.Note, MaxText), Width: 260, Height: uint(60 + len(c.Note)/2)}))
		}
		f.rule(i, c)
		if f.example {
			marked = f.exampleCell(i, c, !marked) || marked
		}
	}
}

// cellFormat is the format of the cells below a heading. Texts are texts, so that "007" stays as it is typed.
func cellFormat(c TemplateColumn) *string {
	format := c.Format
	if format == "" {
		format = c.Example.Format
	}
	if format == "" && (c.Example.Kind == property.CellText || len(c.Options) > 0) {
		format = "@"
	}
	if format == "" {
		format = "General"
	}
	return &format
}

func headStyle(fill string) excelize.Style {
	line := func(side string) excelize.Border { return excelize.Border{Type: side, Color: "D0D5DD", Style: 1} }
	return excelize.Style{
		Font: &excelize.Font{Bold: true}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}},
		Alignment: &excelize.Alignment{Horizontal: "center", Vertical: "center", WrapText: true},
		Border:    []excelize.Border{line("left"), line("right"), line("top"), line("bottom")},
	}
}

// Fills of headings.
const (
	usualFill    = "F2F4F7"
	requiredFill = "FDECEA"
	groupFill    = "E4EAF5"
)

func (f *templateFile) heading(column int, c TemplateColumn) {
	fill, ref := usualFill, Ref(f.head, column)
	if c.Required {
		fill = requiredFill
		f.try(f.SetCellRichText(f.sheet, ref, []excelize.RichTextRun{
			{Text: c.Heading, Font: &excelize.Font{Bold: true}}, {Text: requiredMark, Font: &excelize.Font{Bold: true, Color: "D92D20"}},
		}))
	} else {
		f.try(f.SetCellStr(f.sheet, ref, c.Heading))
	}
	f.try(f.SetCellStyle(f.sheet, ref, ref, f.style(headStyle(fill))))
}

// exampleCell writes an example, and the mark when it is the first.
func (f *templateFile) exampleCell(column int, c TemplateColumn, first bool) (written bool) {
	ref := Ref(f.head+1, column)
	style := excelize.Style{Font: &excelize.Font{Italic: true, Color: "98A2B3"}, CustomNumFmt: cellFormat(c)}
	f.try(f.SetCellStyle(f.sheet, ref, ref, f.style(style)))
	e := c.Example
	switch {
	case e.Kind == property.CellEmpty:
		return false
	case first:
		f.try(f.SetCellStr(f.sheet, ref, f.texts.example+exampleText(c)))
	case e.Kind == property.CellTime:
		days, _ := serial(e.Time)
		f.try(f.SetCellFloat(f.sheet, ref, days, -1, 64))
	case e.Kind == property.CellNumber && exact(e.Text):
		n, _ := decimal([]byte(e.Text))
		f.try(f.SetCellFloat(f.sheet, ref, n, -1, 64))
	default:
		f.try(f.SetCellStr(f.sheet, ref, exampleText(c)))
	}
	return true
}

func exampleText(c TemplateColumn) string {
	e := c.Example
	switch e.Kind {
	case property.CellTime:
		e.Format = *cellFormat(c)
		return timeText(&e)
	case property.CellBool:
		return strings.ToUpper(map[bool]string{true: "true", false: "false"}[e.Bool])
	}
	return e.Text
}

// groups writes the row over the headings.
func (f *templateFile) groups() {
	if f.head < 3 {
		return
	}
	for i := 0; i < len(f.t.Columns); {
		c, end := f.t.Columns[i], i+1
		for c.Group != "" && end < len(f.t.Columns) && f.t.Columns[end].Group == c.Group {
			end++
		}
		from, to, fill := Ref(2, i), Ref(2, end-1), groupFill
		if c.Group == "" {
			fill = usualFill
		} else {
			f.try(f.SetCellStr(f.sheet, from, f.groupHeading(c.Group)))
		}
		f.try(f.SetCellStyle(f.sheet, from, to, f.style(headStyle(fill))))
		if c.Group != "" && end-i > 1 {
			f.try(f.MergeCell(f.sheet, from, to))
		}
		i = end
	}
}

func (f *templateFile) groupHeading(key string) string {
	for _, g := range f.t.Groups {
		if g.Key == key {
			return g.Heading
		}
	}
	return key
}

// view hides the keys and keeps the head in sight.
func (f *templateFile) view() {
	f.try(f.SetRowVisible(f.sheet, 1, false))
	f.try(f.SetPanes(f.sheet, &excelize.Panes{Freeze: true, YSplit: f.head, TopLeftCell: Ref(f.head+1, 0), ActivePane: "bottomLeft"}))
}

// guide writes the second worksheet.
func (f *templateFile) guide(name string) {
	if len(f.t.Guide) == 0 {
		return
	}
	_, err := f.NewSheet(name)
	f.try(err)
	f.try(f.SetColWidth(name, "A", "A", 100))
	wrap := f.style(excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	for i, line := range f.t.Guide {
		f.try(f.SetCellStr(name, Ref(i+1, 0), line))
		f.try(f.SetCellStyle(name, Ref(i+1, 0), Ref(i+1, 0), wrap))
	}
	f.SetActiveSheet(0)
}
