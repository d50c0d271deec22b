package importer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// TestEmptyCellsOfNewRecords: where empty cells empty, they do so on what is there: a new record, and a new row of a sub-table, has what
// it begins with.
func TestEmptyCellsOfNewRecords(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		head := []string{"编码", "等级", "备注", "行.位置", "行.率"}
		for _, clear := range []bool{false, true} {
			code := map[bool]string{false: "K", true: "C"}[clear]
			run := func(rows ...[]string) importer.Result {
				req := importer.Request{SchemaCode: "card", QueryField: "code", ClearEmpty: clear}
				return w.run(w.boss, req, false, append([][]string{head}, rows...)...)
			}
			out := run([]string{code + "1", "", "", "left", ""}, []string{code + "2", "A", "x", "left", "7"})
			require.Equal(t, []int64{2, 0}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
			require.Equal(t, []string{code + "1 B null", code + "2 A x"}, w.of(code), "what a new record begins with")
			require.Equal(t, []string{"left 5"}, w.lines(code+"1"))

			out = run([]string{code + "1", "", "", "left", ""}, []string{code + "2", "", "", "left", ""}, []string{code + "2", "", "", "right", ""})
			require.Zero(t, out.Errors, "%v", refusedAs(out))
			if clear {
				require.Equal(t, []string{code + "1 null null", code + "2 null null"}, w.of(code))
				require.Equal(t, []string{"left "}, w.lines(code+"1"))
				require.Equal(t, []string{"left ", "right 5"}, w.lines(code+"2"), "a new row beside one that was there")
			} else {
				require.Equal(t, []string{code + "1 B null", code + "2 A x"}, w.of(code))
				require.Equal(t, []string{"left 5"}, w.lines(code+"1"))
				require.Equal(t, []string{"left 7", "right 5"}, w.lines(code+"2"))
			}
		}
	})
}

// of lists cards by the first letter of their codes.
func (w *world) of(letter string) (out []string) {
	w.Helper()
	for _, text := range w.list(w.boss, "card", "code", "grade", "note") {
		if text[:1] == letter {
			out = append(out, text)
		}
	}
	return out
}

// lines are the rows of a card, as "place rate".
func (w *world) lines(code string) (out []string) {
	w.Helper()
	view := w.view(w.boss)
	card := view.Model("card")
	sheet, key := card.Field("lines"), card.Field("code")
	place, rate := sheet.Sheet.Field("place"), sheet.Sheet.Field("rate")
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		found, err := w.app.Reader().Match(w.Context(), tx, view, card, []*catalog.Field{key}, []string{code})
		if err != nil || len(found[code]) != 1 {
			return fmt.Errorf("%d cards %s: %w", len(found[code]), code, err)
		}
		held, err := w.app.Reader().Holds(w.Context(), tx, view, card, []string{found[code][0].ID}, []*catalog.Field{place, rate})
		if err != nil {
			return err
		}
		for _, r := range held[found[code][0].ID].Rows[sheet] {
			text := ""
			if v := r.Values[rate]; v != nil {
				text = rate.Property.Text(v, property.TextContext{Locale: "zh"})
			}
			out = append(out, fmt.Sprint(r.Values[place], " ", text))
		}
		return nil
	}))
	return out
}

// TestUndoOfHiddenRecords: who sees fewer records since an import undoes it on those that they see; the others stay as they are, and are
// told without their names.
func TestUndoOfHiddenRecords(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.clerk, "part", map[string]any{"number": "P-3", "title": "梁", "quantity": "3"})
		w.save(w.clerk, "part", map[string]any{"number": "P-4", "title": "梁", "quantity": "1"})
		out := w.run(w.clerk, importer.Request{QueryField: "number"}, false, []string{"编号", "名称", "数量"},
			[]string{"P-1", "新", "1"}, []string{"P-2", "新", "2"}, []string{"P-3", "大梁", "3"}, []string{"P-4", "大梁", "1"})
		require.Equal(t, []int64{2, 2, 0}, []int64{out.Added, out.Changed, out.Errors}, "%v", refusedAs(out))

		loaded, err := w.app.Reader().FormLoad(t.Context(), w.view(w.boss), query.FormRequest{SchemaCode: "user", ObjectID: w.clerk})
		require.NoError(t, err)
		role, ok := w.app.People().RoleID(t.Context(), "narrow")
		require.True(t, ok)
		_, err = w.app.Writer().Save(t.Context(), w.view(w.boss), record.Change{Model: "user", ID: w.clerk, Version: loaded.Version,
			Set: map[string]json.RawMessage{"roles": json.RawMessage(`["` + role + `"]`)}})
		require.NoError(t, err)
		require.NoError(t, w.app.People().Refresh(t.Context()))

		require.NoError(t, w.app.Importer().Undo(t.Context(), w.view(w.clerk), out.ID))
		out = w.ended(w.clerk, out.ID)
		require.Equal(t, []int64{2, 2}, []int64{out.Undone, out.Kept})
		require.Equal(t, []string{"P-2 新", "P-3 大梁", "P-4 梁"}, w.list(w.boss, "part", "number", "title"))
		kept, _, err := w.app.Importer().Rows(t.Context(), w.view(w.clerk), out.ID, "kept", 0, 20)
		require.NoError(t, err)
		require.Len(t, kept, 2)
		for _, row := range kept {
			require.Nil(t, row.Name)
			require.Equal(t, fault.RecordNotFound, row.Errors[0].Code)
		}
	})
}

// A text that an export has cut stays as it is in a row of a sub-table too, where empty cells empty; of a row that nobody knows again it is nothing.
func TestCutTextsOfSubTables(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		long := strings.Repeat("长", workbook.MaxText+100)
		w.save(w.boss, "part", map[string]any{"number": "P-1", "points": []any{map[string]any{"place": "左", "note": long}, map[string]any{"place": "右", "note": "x"}}})
		before := w.state()
		s := readSheet(w, w.export(w.boss, "xlsx", "zh", false))
		for range 2 {
			for _, req := range []importer.Request{{}, {ClearEmpty: true}, {ClearEmpty: true, ReplaceLines: true}} {
				counts, refused, _ := w.again(s, req, false)
				require.Equal(t, []int64{0, 0, 1, 0, 0}, counts, "%+v %v", req, refused)
			}
			for _, row := range s.rows {
				delete(row, "points.id")
			}
		}
		s.rows[0]["points.place"], s.rows[1]["points.place"] = s.rows[1]["points.place"], s.rows[0]["points.place"]
		s.rows[0]["points.note"], s.rows[1]["points.note"] = s.rows[1]["points.note"], s.rows[0]["points.note"]
		counts, refused, _ := w.again(s, importer.Request{}, false)
		require.Equal(t, []int64{0, 0, 0, 1, 0}, counts)
		require.Equal(t, []string{fmt.Sprintf("4 points.note#1 RULE %d", fault.CellCut)}, refused)
		require.Equal(t, before.texts(before), w.state().texts(before))
	})
}
