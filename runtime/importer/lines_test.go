package importer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// exported is the export of some parts, to work in.
func (w *world) exported() *sheet {
	w.Helper()
	w.save(w.boss, "part", map[string]any{"number": "P-1", "title": "梁", "points": []any{map[string]any{"place": "左", "value": "1"}, map[string]any{"place": "中", "value": "2"}, map[string]any{"place": "右", "value": "3"}}})
	w.save(w.boss, "part", map[string]any{"number": "P-2", "title": "板", "points": []any{map[string]any{"place": "上", "value": "4"}, map[string]any{"place": "下", "value": "5"}}})
	s := readSheet(w, w.export(w.boss, "xlsx", "zh", false))
	slices.SortStableFunc(s.rows, func(a, b map[string]property.Cell) int { return strings.Compare(idOf(a), idOf(b)) }) // P-1 is the older one
	return s
}

// again imports what became of it, and tells the counts of added, changed, unchanged and refused rows, of removed rows of sub-tables, and what was refused.
func (w *world) again(s *sheet, req importer.Request, dry bool) ([]int64, []string, importer.Result) {
	w.Helper()
	req.FileName, req.Mode = w.upload(w.boss, "all.xlsx", s.bytes(w, "xlsx")), importer.Update
	out := w.run(w.boss, req, dry)
	return []int64{out.Added, out.Changed, out.Same, out.Errors, out.Removed}, refusedAs(out), out
}

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

func edited(t testing.TB, cells map[string]any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for code, v := range cells {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		out[code] = text
	}
	return out
}

func cell(text string) property.Cell { return property.Cell{Kind: property.CellText, Text: text} }

// What can't be told of a row of a sub-table is refused with its cell, and nothing of its record is written.
func TestLinesThatSayTooLittle(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := w.exported()
		all := s.rows
		of := func(rows ...map[string]property.Cell) *sheet { return &sheet{keys: s.keys, head: s.head, rows: rows} }
		with := func(row map[string]property.Cell, key, text string) map[string]property.Cell {
			out := map[string]property.Cell{}
			for k, v := range row {
				out[k] = v
			}
			out[key] = cell(text)
			return out
		}
		stray := map[string]property.Cell{"points.place": cell("新")}
		for _, one := range []struct {
			name    string
			s       *sheet
			counts  []int64
			refused []string
		}{
			{"a new row in a sheet that was sorted", of(all[0], all[3], stray, all[1], all[4], all[2]), []int64{0, 0, 2, 1, 0}, []string{"6  NOEXIT 305045"}},
			{"a row that was moved to another record", of(all[0], all[1], with(all[3], "id", all[3]["id"].Text), with(all[2], "id", all[3]["id"].Text), all[4]), []int64{0, 0, 1, 1, 0}, []string{"6 points.place#1 NOEXIT 305046"}},
			{"a row that was copied", of(all[0], all[1], all[1], all[2], all[3], all[4]), []int64{0, 0, 1, 1, 0}, []string{"4 points.place#2 REPEAT 305047"}},
			{"rows of a record that differ", of(all[0], with(all[1], "title", "柱"), all[2], all[3], all[4]), []int64{0, 0, 1, 1, 0}, []string{"4 title RULE 305048"}},
			{"a record that was copied", of(all[0], all[1], all[2], all[3], all[4], all[0]), nil, nil},
			{"cells that were filled downwards", of(all[0], with(all[1], "title", "梁"), with(all[2], "number", "P-1"), all[3], all[4]), []int64{0, 0, 2, 0, 0}, nil},
		} {
			before := w.state()
			counts, refused, _ := w.again(one.s, importer.Request{}, false)
			if one.counts == nil {
				require.Positive(t, counts[3], one.name)
			} else {
				require.Equal(t, one.counts, counts, "%s %v", one.name, refused)
				require.Equal(t, one.refused, refused, one.name)
			}
			require.Equal(t, before.texts(before), w.state().texts(before), one.name)
		}
	})
}

// A file that brings one of three rows leaves the others, unless its rows are to replace them; then the check counts and shows first what goes.
func TestLinesStayUnlessReplaced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := w.exported()
		few := &sheet{keys: s.keys, head: s.head, rows: s.rows[:1:1]}
		counts, _, _ := w.again(few, importer.Request{}, false)
		require.Equal(t, []int64{0, 0, 1, 0, 0}, counts)
		require.Equal(t, []string{"左 1", "中 2", "右 3"}, w.points("P-1"))

		counts, _, out := w.again(few, importer.Request{ReplaceLines: true}, true)
		require.Equal(t, []int64{0, 1, 0, 0, 2}, counts)
		rows, total, err := w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "removed", 0, 10)
		require.NoError(t, err)
		require.Equal(t, int64(1), total)
		require.Contains(t, string(rows[0].Changes), "中")
		require.Equal(t, []string{"左 1", "中 2", "右 3"}, w.points("P-1"))

		counts, _, _ = w.again(few, importer.Request{ReplaceLines: true}, false)
		require.Equal(t, []int64{0, 1, 0, 0, 2}, counts)
		require.Equal(t, []string{"左 1"}, w.points("P-1"))
		require.Equal(t, []string{"上 4", "下 5"}, w.points("P-2"), "of a record that the file does not have nothing goes")

		head := [][]string{{"编号", "测点", ""}, {"", "位置", "数值"}}
		counted := w.run(w.boss, importer.Request{QueryField: "number"}, false, head[0], head[1], []string{"P-2", "上", "4"}, []string{"", "新", "6"})
		require.Equal(t, int64(1), counted.Changed)
		require.Equal(t, []string{"上 4", "下 5", "新 6"}, w.points("P-2"), "without ids: one that is there, and a new one")
		counted = w.run(w.boss, importer.Request{QueryField: "number"}, false, head[0], head[1], []string{"P-2", "上", "4"}, []string{"", "新", "6"})
		require.Equal(t, int64(1), counted.Same, "the same file once more")
	})
}

// Numbers count exactly where the property takes them, otherwise as the sheet shows them, and texts are what the sheet shows.
func TestNumbersAndTextsAsShown(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := w.exported()
		number := func(text, format string) property.Cell {
			return property.Cell{Kind: property.CellNumber, Text: text, Format: format}
		}
		first := s.rows[0]
		for _, one := range []struct {
			key     string
			cell    property.Cell
			want    string
			rounded int64
		}{
			{"quantity", number("0.12", "0.0%"), "0.12", 0},
			{"quantity", number("0.125", "0%"), "0.13", 1},
			{"quantity", number("94.1875", "#,##0"), "94", 1},
			{"quantity", number("94.1875", "#,##0.00"), "94.19", 1},
			{"title", number("7", "000000"), "000007", 0},
			{"title", number("13800138000", "General"), "13800138000", 0},
			{"title", number("0.125", "0%"), "13%", 0},
			{"title", number("1234.5", "#,##0.00"), "1,234.50", 0},
		} {
			first[one.key] = one.cell
			counts, refused, out := w.again(s, importer.Request{}, false)
			require.Equal(t, []int64{0, 1, 1, 0, 0}, counts, "%v %v", one, refused)
			require.Equal(t, one.rounded, out.Rounded, "%v", one)
			require.Equal(t, []string{"P-1 " + one.want, "P-2 " + w.list(w.boss, "part", "number", one.key)[1][4:]}, w.list(w.boss, "part", "number", one.key), "%v", one)
			counts, _, _ = w.again(s, importer.Request{}, false)
			require.Equal(t, []int64{0, 0, 2, 0, 0}, counts, "%v the same once more", one)
		}
		first["quantity"] = number("94.1875", "")
		counts, refused, _ := w.again(s, importer.Request{}, false)
		require.Equal(t, []int64{0, 0, 1, 1, 0}, counts)
		require.Len(t, refused, 1, "shown with all its digits, which the property doesn't take")
	})
}

// The cells of a row that was refused for one of them mean what they meant, whatever kind they are of.
func TestRefusedRowsKeepTheirCells(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := w.exported()
		want := w.state()
		first := s.rows[0]
		first["title"] = property.Cell{Kind: property.CellNumber, Text: "7", Format: "000000"}
		first["quantity"] = property.Cell{Kind: property.CellNumber, Text: "0.125", Format: "0%"}
		first["day"] = property.Cell{Kind: property.CellTime, Time: day("2026-03-05"), Format: `yyyy"年"m"月"d"日"`}
		first["clock"] = property.Cell{Kind: property.CellTime, Time: day("1899-12-31").Add(8*time.Hour + 30*time.Minute), Format: "hh:mm"}
		first["done"] = property.Cell{Kind: property.CellBool, Bool: true}
		first["state"] = cell("none such")
		counts, refused, out := w.again(s, importer.Request{}, false)
		require.Equal(t, []int64{0, 0, 1, 1, 0}, counts, "%v", refused)
		_, err := w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID, Rows: []importer.Edit{{ID: out.Rows[0].ID, Data: edited(t, map[string]any{"state": "CLOSED"})}}})
		require.NoError(t, err)
		id := idOf(first)
		for code, text := range map[string]string{"title": `"000007"`, "quantity": `"0.13"`, "day": `"2026-03-05"`, "clock": `"08:30:00"`, "done": "true", "state": `"CLOSED"`} {
			want[id].own[code] = text
		}
		require.Equal(t, want.texts(want), w.state().texts(want))
	})
}

// Rows of a sub-table that the person sees on some records only stay: an import can't tell which of them the file lacks.
func TestLinesThatAreSeenOnSomeRecords(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		half, err := w.app.AddUser(t.Context(), "half", "half", []string{"pointless", "narrow"})
		require.NoError(t, err)
		w.save(w.boss, "part", map[string]any{"number": "P-1", "quantity": "1", "points": []any{map[string]any{"place": "左", "value": "1"}, map[string]any{"place": "右"}}})
		for _, replace := range []bool{false, true} {
			out := w.run(half, importer.Request{QueryField: "number", ReplaceLines: replace}, false,
				[]string{"编号", "测点", ""}, []string{"", "位置", "数值"}, []string{"P-1", "新", "9"})
			require.Equal(t, []string{"3 points.place#0 FORBIDDEN 302003"}, refusedAs(out))
			require.Equal(t, []string{"左 1", "右 "}, w.points("P-1"))
		}
	})
}
