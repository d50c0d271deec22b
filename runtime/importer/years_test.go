package importer_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// TestFirstAndLastYears: both databases hold the years 0001 to 9999 to the day, files bring them back, and what lies beyond is told with the limits.
func TestFirstAndLastYears(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		head := []string{"编号", "日期", "时刻"}
		out := w.run(w.boss, importer.Request{}, false, head,
			[]string{"Y-1", "0001-01-01", "0001-01-01 08:00"},
			[]string{"Y-2", "9999-12-31", "9999-12-31 23:59"},
			[]string{"Y-3", "0000-01-01"}, []string{"Y-4", "0000年12月31日"}, []string{"Y-5", "10000-01-01"}, []string{"Y-6", "", "0001-01-01 07:59"})
		require.Equal(t, []string{
			fmt.Sprintf("4 day RULE %d", fault.FieldRange), fmt.Sprintf("5 day RULE %d", fault.FieldRange), fmt.Sprintf("6 day RULE %d", fault.FieldRange),
			fmt.Sprintf("7 moment RULE %d", fault.FieldRange)}, refusedAs(out))
		require.Equal(t, []any{"0001-01-01", "9999-12-31"}, out.Rows[0].Errors[0].Args)
		require.Equal(t, []any{"0001-01-01 08:00", "9999-12-31 23:59"}, out.Rows[3].Errors[0].Args)
		require.Equal(t, []string{"Y-1 0001-01-01 0001-01-01T00:00:00.000Z", "Y-2 9999-12-31 9999-12-31T15:59:00.000Z"}, w.list(w.boss, "part", "number", "day", "moment"))
		for _, fileType := range []string{"xlsx", "csv"} {
			content := w.file(w.boss, "part", fileType, "zh", "number", "day", "moment")
			same := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "y."+fileType, content), Mode: importer.Update}, false)
			require.Equal(t, []int64{2, 0, 0}, []int64{same.Same, same.Changed, same.Errors}, "%v", refusedAs(same))
		}
	})
}

// TestLineBreaks: a text of one line loses a break at its end, is refused with one inside, in words that say so, and is told once while another cell
// is corrected.
func TestLineBreaks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{}, false, []string{"编号", "名称", "数量"}, []string{"L-1", "梁\r\n"}, []string{"L-2", "梁\n板", "x"}, []string{"L-3", "0000-01-01"})
		require.Equal(t, []string{fmt.Sprintf("3 title FORMAT %d", fault.FieldOneLine), fmt.Sprintf("3 quantity FORMAT %d", fault.CellNumber)}, refusedAs(out))
		require.Equal(t, []string{"L-1 梁", "L-3 0000-01-01"}, w.list(w.boss, "part", "number", "title"))
		rows, err := w.app.Importer().Edit(t.Context(), w.view(w.boss), out.ID, []importer.Edit{{ID: out.Rows[0].ID, Data: map[string]json.RawMessage{"quantity": json.RawMessage(`"1"`)}}})
		require.NoError(t, err)
		require.Len(t, rows[0].Errors, 1)
		require.Equal(t, fault.FieldOneLine, rows[0].Errors[0].Code)

		// A limit that the cell's own text breaks is told once as well, after each correction.
		out = w.run(w.boss, importer.Request{}, false, []string{"编号", "日期", "数量"}, []string{"L-4", "0000-01-01", "x"})
		for range 2 {
			rows, err = w.app.Importer().Edit(t.Context(), w.view(w.boss), out.ID, []importer.Edit{{ID: out.Rows[0].ID, Data: map[string]json.RawMessage{"quantity": json.RawMessage(`"1"`)}}})
			require.NoError(t, err)
			require.Len(t, rows[0].Errors, 1)
		}
	})
}
