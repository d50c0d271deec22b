package packtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Changed exports all columns of a list, changes cells and rows at random, and imports the file: a check first, then in earnest, and takes it back. Whatever
// a cell holds, each refusal has to be one that people understand, and no job may fail: it fails where one ends with an internal fault.
func (s *System) Changed(t testing.TB, r *rand.Rand, who principal.Principal, trip RoundTrip, f Spreadsheet) {
	t.Helper()
	rows, content := s.exported(t, who, trip.List, f)
	if rows == 0 {
		return
	}
	m := &mutation{Rand: r}
	m.read(t, "a."+f.Type, content)
	m.change()
	content = m.written(t)
	req := importer.Request{SchemaCode: trip.Into.Model.Code, QueryCode: trip.Into.Code, Mode: m.mode(), ClearEmpty: f.ClearEmpty, ReplaceLines: r.IntN(2) == 0, Language: f.Locale}
	for _, check := range []bool{true, false} {
		out := s.imported(t, who, req, "a.xlsx", content, check)
		s.understood(t, who, trip, out, m)
		if check || !out.Undoable {
			continue
		}
		if err := s.Importer().Undo(context.Background(), s.View(who), out.ID); err != nil {
			t.Errorf("list %s: undo: %v", trip.List.Code, err)
			continue
		}
		eventually(t, "undoing an import of "+trip.List.Code, func() bool {
			var err error
			if out, err = s.Importer().Result(aside(), s.View(who), out.ID); err != nil {
				t.Fatal(err)
			}
			return out.ErrorType != nil
		})
		s.understood(t, who, trip, out, m)
	}
}

// understood reports refusals that nobody can understand.
func (s *System) understood(t testing.TB, who principal.Principal, trip RoundTrip, out importer.Result, m *mutation) {
	t.Helper()
	if out.State == job.Failed || out.ErrorCode == fault.Internal {
		t.Errorf("list %s, %s: fault %d %v; changed: %s", trip.List.Code, out.Phase, out.ErrorCode, out.ErrorArgs, strings.Join(m.said, ", "))
	}
	kinds := []string{"failed"}
	if out.Phase == "undo" {
		kinds = []string{"kept"}
	}
	for _, kind := range kinds {
		rows, _, err := s.Importer().Rows(context.Background(), s.View(who), out.ID, kind, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, v := range row.Errors {
				if v.Code == fault.Internal || v.Code == 0 {
					t.Errorf("list %s, %s, row %d, %s: %d %v in %s", trip.List.Code, out.Phase, row.Number, v.PropertyCode, v.Code, v.Args, row.Data)
				}
			}
		}
	}
}

// mutation is a file whose cells are changed at random.
type mutation struct {
	*rand.Rand
	rows  [][]property.Cell
	first int // of the data
	said  []string
}

func (m *mutation) read(t testing.TB, name string, content []byte) {
	t.Helper()
	book, err := workbook.Open(context.Background(), name, bytes.NewReader(content), int64(len(content)), workbook.Usual)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	err = book.Rows(context.Background(), 0, 1, func(r workbook.Row) bool {
		for len(m.rows) < r.Number-1 {
			m.rows = append(m.rows, nil)
		}
		m.rows = append(m.rows, slices.Clone(r.Cells))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for m.first = 1; m.first < len(m.rows)-1 && m.first < 3 && !m.hasID(m.first); m.first++ {
	}
}

// hasID: the ids of records stand in one of the columns of an export.
func (m *mutation) hasID(row int) bool {
	return slices.ContainsFunc(m.rows[row], func(c property.Cell) bool {
		id, _ := workbook.LineOf(c.Text)
		return uuid.Validate(id) == nil
	})
}

func (m *mutation) mode() importer.Mode {
	return []importer.Mode{importer.Update, importer.AddOrUpdate, importer.AddOrUpdate, importer.Add}[m.IntN(4)]
}

// change changes some of the cells and of the rows.
func (m *mutation) change() {
	for range 3 + m.IntN(20) {
		at := m.first + m.IntN(len(m.rows)-m.first)
		switch row := m.rows[at]; m.IntN(9) {
		case 0: // a row comes twice, or is new
			twin := slices.Clone(row)
			if m.IntN(2) == 0 && len(twin) > 0 {
				twin[m.idColumn()] = property.Cell{}
			}
			m.rows = slices.Insert(m.rows, at, twin)
			m.say(at, 0, "row again")
		case 1:
			if len(m.rows) > m.first+2 {
				m.rows = slices.Delete(m.rows, at, at+1)
				m.say(at, 0, "row gone")
			}
		case 2: // rows change places
			other := m.first + m.IntN(len(m.rows)-m.first)
			m.rows[at], m.rows[other] = m.rows[other], m.rows[at]
		default:
			if len(row) == 0 {
				continue
			}
			column := m.IntN(len(row))
			row[column] = m.cell(row[column])
			m.say(at, column, row[column].Text)
		}
	}
}

func (m *mutation) say(row, column int, what string) {
	m.said = append(m.said, fmt.Sprintf("%s=%.40q", workbook.Ref(row+1, column), what))
}

// idColumn is the column with the ids of records; the first one where nobody knows.
func (m *mutation) idColumn() int {
	for at := range m.rows[m.first] {
		if id, _ := workbook.LineOf(m.rows[m.first][at].Text); uuid.Validate(id) == nil {
			return at
		}
	}
	return 0
}

// odd are texts that files have and nobody thinks of.
var odd = []string{"", " ", "x", "0", "-0", "1e308", "-1E+400", "1E-400", "NaN", "Infinity", "99999999999999999999999999999999999999", "0.00000000000000000000000000001", "00000000-0000-0000-0000-000000000000", "id/2",
	"null", "{}", "[]", `{"id":"x"}`, `["a"]`, `"`, "'", "\\", "%", "_", "\x00", "\xff\xfe", "\u202e", "🏗️🏗️", "a\nb\n\nc", "\t", "是", "2026-02-30", "0000-00-00", "9999-12-31 23:59:59", "24:00", "25:61", "1/2",
	"民国115年3月5日", "一百二十", "#REF!", "=1+1", "；", "、、、", "a;a;a", `"a;"b"`, "(", ")", "（", "x（y）", "x（y", "北京市朝阳区", "北京市//", "/", "<b>", "&amp;", "_x0000_", "…", "𠮷", "ﬁ", "１２３", "1，234", "1.234,5"}

// cell is another value in the place of one.
func (m *mutation) cell(old property.Cell) property.Cell {
	text := func(s string) property.Cell { return property.Cell{Kind: property.CellText, Text: s} }
	switch m.IntN(12) {
	case 0:
		return property.Cell{}
	case 1:
		return property.Cell{Kind: property.CellNumber, Text: []string{"0", "-1", "1e300", "0.1000000000000000055", "46000.5", "1e-300", "123456789012345678"}[m.IntN(7)], Format: []string{"", "0", "0.00%", "yyyy-mm-dd", "@"}[m.IntN(5)]}
	case 2:
		return property.Cell{Kind: property.CellTime, Time: time.Date([]int{1900, 2026, 9999}[m.IntN(3)], 2, 28, m.IntN(24), m.IntN(60), 0, 0, time.UTC), Format: "yyyy-mm-dd hh:mm"}
	case 3:
		return property.Cell{Kind: property.CellBool, Bool: m.IntN(2) == 0}
	case 4: // what another cell says
		row := m.rows[m.first+m.IntN(len(m.rows)-m.first)]
		if len(row) > 0 {
			return row[m.IntN(len(row))]
		}
		return old
	case 5:
		return text(strings.Repeat([]string{"长", "a;", "x\n", "😀"}[m.IntN(4)], 1+m.IntN(3000)))
	case 6: // a part of what is there
		runes := []rune(old.Text)
		return text(string(runes[:m.IntN(len(runes)+1)]))
	case 7:
		return text(old.Text + odd[m.IntN(len(odd))])
	case 8:
		return text(uuid.NewString())
	}
	return text(odd[m.IntN(len(odd))])
}

func (m *mutation) written(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := workbook.NewWriter(&out, workbook.Options{})
	w.Sheet(workbook.SheetOptions{Name: "A"})
	for i, row := range m.rows {
		cells := make([]workbook.Out, len(row))
		for k, c := range row {
			cells[k].Cell = c
		}
		height := 0.0
		if i == 0 {
			height = workbook.Hidden
		}
		if err := w.Row(cells, height); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
