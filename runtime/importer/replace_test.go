package importer_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// TestFit: numbers of too many places are rounded and lines joined in one call for a column, shown before; what else is wrong stays.
func TestFit(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{}, false, []string{"编号", "数量", "名称", "测点.位置", "测点.数值"},
			[]string{"F-1", "#1.235", "梁\n 板"}, []string{"F-2", "-1.2349"}, []string{"F-3", "abc", "x\ny"}, []string{"F-4", "#2", "a\r\n\r\nb", "l", "#0.123456789"}, []string{"F-5", "＋999.567 "})
		require.Equal(t, int64(5), out.Errors)
		replace := func(r importer.Replacement) (importer.Replaced, error) {
			r.ID, r.All = out.ID, len(r.Rows) == 0
			return w.app.Importer().Replace(t.Context(), w.view(w.boss), r)
		}
		want := []importer.ReplacedCell{{Number: 2, Before: "1.235", After: "1.24"}, {Number: 3, Before: "-1.2349", After: "-1.23"}, {Number: 6, Before: "＋999.567", After: "999.57"}}
		for _, preview := range []bool{true, true, false} {
			got, err := replace(importer.Replacement{PropertyCode: "quantity", Fit: true, Preview: preview})
			require.NoError(t, err)
			require.Equal(t, importer.Replaced{Changed: 3, Changes: want}, got, "the preview has changed nothing")
		}
		got, err := replace(importer.Replacement{PropertyCode: "quantity", Fit: true})
		require.NoError(t, err)
		require.Zero(t, got.Changed, "what fits stays")
		got, err = replace(importer.Replacement{PropertyCode: "title", Fit: true, Rows: []string{out.Rows[0].ID, out.Rows[3].ID}})
		require.NoError(t, err)
		require.Equal(t, []importer.ReplacedCell{{Number: 2, Before: "梁\n 板", After: "梁 板"}, {Number: 5, Before: "a\r\n\r\nb", After: "a b"}}, got.Changes)
		got, err = replace(importer.Replacement{PropertyCode: "points.value", Fit: true})
		require.NoError(t, err)
		require.Equal(t, []importer.ReplacedCell{{Number: 5, Before: "0.123456789", After: "0.12345679"}}, got.Changes)

		for _, wrong := range []importer.Replacement{
			{PropertyCode: "state", Fit: true}, {PropertyCode: "nope", Fit: true}, {PropertyCode: "title", Fit: true, Search: "x"}, {PropertyCode: "title", Search: "x"},
			{PropertyCode: "title", Search: "x", Value: json.RawMessage(`[{"id":"a","name":"b"}]`)},
		} {
			_, err := replace(wrong)
			require.Equal(t, fault.BadParameter, fault.Of(err), "%+v", wrong)
		}

		again, err := w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID})
		require.Equal(t, fault.ImportAgain, fault.Of(err))
		require.Equal(t, []int64{4, 1}, []int64{again.Added, again.Errors}, "%v", refusedAs(again))
		require.Equal(t, []string{"F-1 1.24 梁 板", "F-2 -1.23 null", "F-4 2 a b", "F-5 999.57 null"}, w.list(w.boss, "part", "number", "quantity", "title"))
		require.Equal(t, []string{"l 0.12345679"}, w.points("F-4"))
	})
}

// TestSearchAndReplace: a part of the texts of a column becomes another, where conditions hold, in records and rows of sub-tables.
func TestSearchAndReplace(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{}, false, []string{"编号", "数量", "工点", "测点.位置", "测点.数值"},
			[]string{"S-1", "12 kg", "没有"}, []string{"S-2", "3.5kg/kg"}, []string{"S-3", "kg", "", "a", "1 m"}, []string{"", "", "", "b", "2 m"}, []string{"S-4", "7 t"})
		require.Equal(t, int64(4), out.Errors)
		replace := func(r importer.Replacement) importer.Replaced {
			r.ID, r.All = out.ID, true
			got, err := w.app.Importer().Replace(t.Context(), w.view(w.boss), r)
			require.NoError(t, err)
			return got
		}
		one := importer.Replacement{PropertyCode: "quantity", Search: "kg", Value: json.RawMessage(`""`), Preview: true}
		want := []importer.ReplacedCell{{Number: 2, Before: "12 kg", After: "12"}, {Number: 3, Before: "3.5kg/kg", After: "3.5/"}, {Number: 4, Before: "kg", After: ""}}
		require.Equal(t, importer.Replaced{Changed: 3, Changes: want}, replace(one))
		one.Conditions, one.Preview = []importer.Condition{{PropertyCode: "number", QueryFilterType: "NotEqual", PropertyValue: "S-2"}}, false
		require.Equal(t, 2, replace(one).Changed)
		require.Zero(t, replace(one).Changed)
		lines := importer.Replacement{PropertyCode: "points.value", Search: " m", Value: json.RawMessage(`"00"`), Conditions: []importer.Condition{{PropertyCode: "points.place", PropertyValue: "b"}}}
		require.Equal(t, []importer.ReplacedCell{{Number: 5, Before: "2 m", After: "200"}}, replace(lines).Changes)
		rows, _, err := w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "failed", 0, 10)
		require.NoError(t, err)
		var told []string
		for _, r := range rows {
			for _, e := range r.Errors {
				told = append(told, e.PropertyCode)
			}
		}
		require.Equal(t, []string{"site", "quantity", "points.value", "quantity"}, told)
	})
}
