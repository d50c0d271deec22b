package importer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Say puts a verdict into words of a language.
type Say func(v Verdict, locale string) string

// ErrorFile writes the rows that were refused or given up into a workbook: the columns of the file, each refused cell marked and with its
// reason as a note, and all reasons of a row in a last column. The workbook can be corrected and imported as it is. It returns its name.
func (s *Service) ErrorFile(ctx context.Context, view *authz.View, id string, say Say, to io.Writer) (name string, err error) {
	imp, err := s.find(ctx, view.User(), id)
	if err != nil {
		return "", err
	}
	m := view.Model(imp.Model)
	if m == nil {
		return "", fault.New(fault.ModelNotFound, imp.Model)
	}
	h, err := imp.head()
	if err != nil {
		return "", err
	}
	name = FileTitle(titleOf(view, imp.List, m, imp.Locale), "错误信息", "import errors", imp.Locale, s.Clock().In(s.Zone))
	e := &errorFile{w: workbook.NewWriter(to, workbook.Options{Title: imp.FileName, Created: s.Clock().UTC(), Locale: imp.Locale}), locale: imp.Locale, say: say}
	e.columnsOf(view, m, h)
	names, after := h.names(), int64(0)
	for {
		var found []keptRow
		err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Where("import_id = ? AND kind IN ? AND number > ?", imp.ID, []string{rowFailed, rowSkipped}, after).Order("number").Limit(500).Find(&found).Error
		})
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			if !e.begun {
				e.begin(names, 0)
			}
			return name, e.w.Close()
		}
		for _, k := range found {
			if at, _ := parted(k.Number); !e.begun || at != e.sheet {
				e.begin(names, at)
			}
			if err := e.row(k); err != nil {
				return "", err
			}
		}
		after = found[len(found)-1].Number
	}
}

// FileTitle is the name of a file for people: the title of a list or application, what the file is, and the time.
func FileTitle(title, zh, en, locale string, at time.Time) string {
	stamp := at.Format("20060102150405")
	if locale == "en" {
		return fmt.Sprintf("%s %s %s.xlsx", title, en, stamp)
	}
	return title + zh + stamp + ".xlsx"
}

// errorFile writes the workbook.
type errorFile struct {
	w             *workbook.Writer
	columns       []Column
	locale        string
	say           Say
	wrong, reason int // styles
	head          workbook.SheetOptions
	sheet         int // of the import, whose rows are written
	begun         bool
}

var reasonHeading = map[string]string{"zh": "错误原因", "en": "Reasons"}

// columnsOf reads what the columns of each worksheet are.
func (e *errorFile) columnsOf(view *authz.View, m *catalog.Model, h head) {
	lacking := missing(columnsOf(view, m), h)
	grouped := false
	for _, c := range columnsOf(view, m) {
		if h.has(c.Code()) || slices.Contains(lacking, c.Code()) {
			e.columns = append(e.columns, c)
			grouped = grouped || c.Sheet != nil
		}
	}
	bold := e.w.Style(workbook.Style{Bold: true, Fill: "F0F0F0"})
	e.wrong = e.w.Style(workbook.Style{Fill: "FFD6D6"})
	e.reason = e.w.Style(workbook.Style{Color: "C00000", Wrap: true})
	text := func(s string) workbook.Out {
		if s == "" {
			return workbook.Out{Style: bold}
		}
		return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: s}, Style: bold}
	}
	var keys, above, below []workbook.Out
	o := workbook.SheetOptions{FreezeColumns: 1}
	column := func(key, group, heading string, options workbook.ColumnOptions) {
		keys, above, below = append(keys, text(key)), append(above, text(group)), append(below, text(heading))
		o.Columns = append(o.Columns, options)
	}
	column(rowID, "ID", "", workbook.ColumnOptions{Hidden: true})
	for i, c := range e.columns {
		if c.Sheet == nil {
			column(c.Code(), c.Field.Label.In(e.locale), "", workbook.ColumnOptions{Width: 18})
			continue
		}
		name := ""
		if first := i == 0 || e.columns[i-1].Sheet != c.Sheet; first {
			name = c.Sheet.Label.In(e.locale)
			column(c.Sheet.Code+"."+rowID, name, "ID", workbook.ColumnOptions{Hidden: true})
		}
		column(c.Code(), name, c.Field.Label.In(e.locale), workbook.ColumnOptions{Width: 18})
	}
	column("", reasonHeading[e.locale], "", workbook.ColumnOptions{Width: 60})
	o.Head = []workbook.HeadRow{{Cells: keys, Height: workbook.Hidden}, {Cells: above}}
	if grouped {
		o.Head = append(o.Head, workbook.HeadRow{Cells: below})
	}
	o.FreezeRows = len(o.Head)
	e.head = o
}

// begin begins a worksheet: that of a file with several has the name that it has there.
func (e *errorFile) begin(names sheetNames, at int) {
	e.head.Name, e.sheet, e.begun = reasonHeading[e.locale], at, true
	if at < len(names) {
		e.head.Name = names[at]
	}
	e.w.Sheet(e.head)
}

// row writes a record: its own cells on the first row, and a row for each of its sub-tables' rows.
func (e *errorFile) row(k keptRow) error {
	r, err := decodeRaw(k.Content)
	if err != nil {
		return err
	}
	item, err := k.item(nil)
	if err != nil {
		return err
	}
	lines := 1
	for _, rows := range r.Rows {
		lines = max(lines, len(rows))
	}
	var reasons []string
	for _, v := range item.Errors {
		reasons = append(reasons, e.about(v))
	}
	for i := range lines {
		cells := []workbook.Out{{}}
		if r.ID != "" {
			at := i
			if r.Further { // no row has what the record itself holds
				at++
			}
			cells[0].Cell = property.Cell{Kind: property.CellText, Text: workbook.LineKey(r.ID, at)}
		}
		for k, c := range e.columns {
			if c.Sheet != nil && (k == 0 || e.columns[k-1].Sheet != c.Sheet) {
				cells = append(cells, lineID(r, c.Sheet.Code, i))
			}
			cells = append(cells, e.cell(r, c, i, item.Errors))
		}
		if i == 0 {
			cells = append(cells, workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: strings.Join(reasons, "\n")}, Style: e.reason})
		}
		if err := e.w.Row(cells, 0); err != nil {
			return err
		}
	}
	return nil
}

// lineID is the cell with the id of a row of a sub-table.
func lineID(r *raw, sheet string, line int) (out workbook.Out) {
	if line < len(r.Rows[sheet]) && r.Rows[sheet][line].ID != "" {
		out.Cell = property.Cell{Kind: property.CellText, Text: r.Rows[sheet][line].ID}
	}
	return out
}

func (e *errorFile) cell(r *raw, c Column, line int, errs []Verdict) workbook.Out {
	var in input
	switch {
	case c.Sheet == nil && line == 0:
		in = r.Cells[c.Field.Code]
	case c.Sheet != nil && line < len(r.Rows[c.Sheet.Code]):
		in = r.Rows[c.Sheet.Code][line].Cells[c.Field.Code]
	}
	out := workbook.Out{}
	if !in.empty() {
		if out.Cell = in.cell; in.chosen != nil {
			out.Cell = property.Cell{Kind: property.CellText, Text: in.text()}
		}
	}
	var notes []string
	for _, v := range errs {
		if v.PropertyCode == c.Code() && (v.Row == nil && line == 0 || v.Row != nil && *v.Row == line) {
			notes = append(notes, e.say(v, e.locale))
		}
	}
	if len(notes) > 0 {
		out.Style, out.Note = e.wrong, strings.Join(notes, "\n")
	}
	return out
}

// about is a verdict with the column that it is about.
func (e *errorFile) about(v Verdict) string {
	c, ok := fieldOf(e.columns, v.PropertyCode)
	if !ok {
		return e.say(v, e.locale)
	}
	at := ""
	if v.Row != nil {
		at = fmt.Sprintf(" #%d", *v.Row+1)
	}
	if e.locale == "en" {
		return c.Label(e.locale) + at + ": " + e.say(v, e.locale)
	}
	return c.Label(e.locale) + at + "：" + e.say(v, e.locale)
}
