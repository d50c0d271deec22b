package printing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/printing"
)

// TestVerifyReplacedRows: rows of a sub-table that were replaced are compared by what they hold, in their order: the same again are the
// same, and a paper says so when they are others, more, fewer or in another order.
func TestVerifyReplacedRows(t *testing.T) {
	each(t, func(w *world) {
		const as = `{"lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}]}`
		made := w.save("clerk", "", 0, `{"title": "闸门", "lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}]}`)
		paper, err := w.app.Prints().Print(w.Context(), w.as("clerk"), of("sheet", made.ID), printing.File,
			"11111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		code, version := token(w, paper), made.Version
		for _, one := range []struct {
			data string
			want *printing.RowChange
		}{
			{as, nil},
			{`{"lines": [{"what": "a", "count": 1}, {"what": "c", "count": 2}]}`, &printing.RowChange{Before: 2, After: 2, Changed: 1}},
			{`{"lines": [{"what": "a", "count": 1}, {"what": "b", "count": 3}]}`, &printing.RowChange{Before: 2, After: 2, Changed: 1}},
			{`{"lines": [{"what": "b", "count": 2}, {"what": "a", "count": 1}]}`, &printing.RowChange{Before: 2, After: 2, Changed: 2}},
			{`{"lines": [{"what": "a", "count": 1}]}`, &printing.RowChange{Before: 2, After: 1}},
			{`{"lines": []}`, &printing.RowChange{Before: 2}},
			{`{"lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}, {"what": "c", "count": 3}]}`,
				&printing.RowChange{Before: 2, After: 3}},
			{as, nil},
		} {
			version = w.save("clerk", made.ID, version, one.data).Version
			got, err := w.app.Prints().Verify(w.Context(), w.everything(), w.as("clerk"), code)
			require.NoError(w, err)
			if one.want == nil {
				require.Empty(w, got.Differences, one.data)
				continue
			}
			require.Len(w, got.Differences, 1, one.data)
			require.Equal(w, "lines", got.Differences[0].Code)
			rows := map[int]bool{}
			for _, c := range got.Differences[0].Rows.Cells {
				rows[c.Row] = true
			}
			require.Len(w, rows, one.want.Changed, "cells of each changed row")
			got.Differences[0].Rows.Cells = nil
			require.Equal(w, one.want, got.Differences[0].Rows, one.data)
		}
	})
}
