package workflow_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestRowsAtNodes: + adds rows, x deletes them, rw changes those that are there, and nothing else is taken from a person at a node.
func TestRowsAtNodes(t *testing.T) {
	each(t, func(w *world) {
		type row map[string]any
		data := map[string]json.RawMessage{"title": raw("Lock gate"), "parts": raw([]row{{"part": "gate", "cost": 1}, {"part": "hinge", "cost": 2}})}
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "rows", Data: data})
		require.NoError(w, err)
		rows := func() []row {
			detail, err := w.flows().Detail(w.Context(), w.as("sue"), w.task("sue").ID)
			require.NoError(w, err)
			var of struct{ Parts []row }
			require.NoError(w, json.Unmarshal(raw(detail.Form.Data), &of))
			return of.Parts
		}
		rights := func() *query.RowRights {
			detail, err := w.flows().Detail(w.Context(), w.as("sue"), w.task("sue").ID)
			require.NoError(w, err)
			for _, f := range detail.Form.Form.Fields {
				if f.PropertyCode == "parts" {
					require.False(w, f.ReadOnly)
					return f.RowRights
				}
			}
			return nil
		}
		send := func(do flow.Operation, parts []row) error {
			return w.try("sue", do, w.writes(done.Record, map[string]any{"parts": parts}))
		}
		refused := func(parts []row, want ...fault.Code) {
			w.Helper()
			for _, do := range []flow.Operation{flow.OpSave, flow.OpAgree} {
				var got []fault.Code
				var f *fault.Error
				require.True(w, errors.As(send(do, parts), &f))
				for _, one := range f.Data.(fault.Invalid).Errors {
					got = append(got, one.Code)
				}
				require.Equal(w, want, got)
			}
		}
		changed := func(parts []row, at int) []row {
			out := append([]row{}, parts...)
			one := row{}
			for k, v := range parts[at] {
				one[k] = v
			}
			one["cost"] = 99
			out[at] = one
			return out
		}
		more := func(parts []row) []row { return append(append([]row{}, parts...), row{"part": "new", "cost": 7}) }

		now := rows()
		require.Len(w, now, 2)
		require.Equal(w, &query.RowRights{Add: true}, rights())
		refused(changed(now, 0), fault.RowNotChanged)
		refused(now[:1], fault.RowNotDeleted)
		refused(more(changed(now[:1], 0)), fault.RowNotChanged, fault.RowNotDeleted)
		require.NoError(w, send(flow.OpAgree, more(now)))

		now = rows()
		require.Len(w, now, 3)
		require.Equal(w, &query.RowRights{Edit: true}, rights())
		refused(more(now), fault.RowNotAdded)
		refused(now[1:], fault.RowNotDeleted)
		require.NoError(w, send(flow.OpAgree, changed(now, 1)))

		now = rows()
		require.EqualValues(w, "99", now[1]["cost"])
		require.Equal(w, &query.RowRights{Delete: true}, rights())
		refused(more(now), fault.RowNotAdded)
		refused(changed(now, 0), fault.RowNotChanged)
		require.NoError(w, send(flow.OpAgree, now[2:]))
		w.same(done.Instance)
	})
}
