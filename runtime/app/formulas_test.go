package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A plan tells which stored values another formula changes, by the code that computes them, and changes nothing.
func TestPlanTellsOfFormulas(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), config(t, o, deskDir))
		require.NoError(t, err)
		defer a.Close()
		d := desks{a, t}
		model := func(old, with string) []app.Change { return []app.Change{d.change("models/ticket.json", old, with)} }
		look := func(files []app.Change) (out []string) {
			p, err := d.Look(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: files})
			require.NoError(t, err)
			require.Equal(t, store.Safe, p.Class)
			for _, s := range p.Steps {
				out = append(out, fmt.Sprint(s.Action, " ", s.Count, " ", s.Text.In("en")))
			}
			return out
		}
		publish := func(files []app.Change) {
			_, err := d.publish(app.Confirmation{}, files...)
			require.NoError(t, err)
			require.NoError(t, a.CatchUp(t.Context()))
		}
		const formula = `{"code": "long", "propertyType": "ShortText", "name": "x", "computeFormula": "concat(name, '!')"}, {"code": "name"`
		first := model(`{"code": "name"`, formula)
		require.Equal(t, []string{"add-column 0 add long to ticket"}, look(first), "values that are new are told by their column")
		publish(first)
		for _, name := range []string{"a", "b", "c", "d"} {
			_, err := a.Writer().Save(t.Context(), rightsOf(a, "administrator"), record.Change{Model: "ticket", Set: map[string]json.RawMessage{"name": json.RawMessage(`"` + name + `"`)}})
			require.NoError(t, err)
		}
		require.NoError(t, a.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec(`UPDATE d_ticket SET "workflowInstanceId" = id WHERE name IN ('b', 'd')`).Error
		}))
		require.Empty(t, look(model(`"name": "备注"`, `"name": "注"`)), "a label")
		require.Equal(t, []string{"recompute 0 formulas of ticket changed; its records are computed again: of 4 records checked, out of 4, 0 get other values"},
			look(model(`concat(name, '!')`, `concat(name, '', '!')`)))
		require.Equal(t, []string{"recompute 3 formulas of ticket changed; its records are computed again: of 4 records checked, out of 4, 3 get other values (long), among them 1 that a workflow completed without sealing it"},
			look(model(`concat(name, '!')`, `concat(name, name == 'd' ? '!' : '?')`)))
		require.Equal(t, []string{"add-column 0 add more to ticket", "recompute 0 formulas of ticket changed; its records are computed again (values that change were not counted: tables change as well)"},
			look(model(`"computeFormula": "concat(name, '!')"}`, `"computeFormula": "concat(name, '?')"}, {"code": "more", "propertyType": "ShortText", "name": "x"}`)))
		publish(model(`concat(name, '!')`, `concat(name, name == 'd' ? '!' : '?')`))
		require.Empty(t, look(model(`"name": "备注"`, `"name": "注"`)), "computed again")
		var kept []string
		require.NoError(t, a.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Raw(`SELECT long FROM d_ticket ORDER BY name`).Scan(&kept).Error
		}))
		require.Equal(t, []string{"a?", "b?", "c?", "d!"}, kept, "what no workflow seals as well, as the plan said")
	})
}
