package app_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A role that is removed ends for its people, as the plan says; another one that gets its code begins without people. A rename keeps them.
func TestRolesEndWithTheirDocument(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), config(t, o, deskDir))
		require.NoError(t, err)
		defer a.Close()
		d := desks{a, t}
		file := func(role, more string) app.Change {
			text := `{"name": "` + role + `"` + more + `, "models": [{"schemaCode": "ticket", "actions": ["view"], "rows": "all"}]}`
			return app.Change{Pack: "desk", Path: "access/" + role + ".json", Text: &text}
		}
		removed := func(role string) app.Change {
			one := d.change("access/"+role+".json", "", "")
			one.Text = nil
			return one
		}
		var said []string
		publish := func(files ...app.Change) {
			p, err := d.Look(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: files})
			require.NoError(t, err)
			_, err = d.publish(app.Confirmation{Steps: p.Digest}, files...)
			require.NoError(t, err)
			said = nil
			for _, s := range p.Steps {
				said = append(said, fmt.Sprint(s.Action, " ", s.Class, " ", s.Count, " ", s.Text.In("en")))
			}
		}
		roles := func(who string) []string {
			p, known := a.Caller(t.Context(), who)
			require.True(t, known)
			slices.Sort(p.Roles)
			return p.Roles
		}
		publish(file("reader", ""), file("keeper", ""), file("other", ""))
		ann, err := a.AddUser(t.Context(), "ann", "ann", []string{"reader", "keeper"})
		require.NoError(t, err)
		_, err = a.AddUser(t.Context(), "bob", "bob", []string{"READER"})
		require.NoError(t, err)
		_, err = a.AddUser(t.Context(), "cid", "cid", []string{"keeper"})
		require.NoError(t, err)

		publish(removed("other"))
		require.Empty(t, said, "nobody has it")
		publish(removed("reader"))
		require.Equal(t, []string{"remove-role needs-confirmation 2 remove role reader; 2 people lose it: ann, bob"}, said)
		require.Equal(t, []string{"keeper"}, roles("ann"))
		require.Empty(t, roles("bob"))
		publish(file("reader", ""))
		require.Equal(t, []string{"keeper"}, roles("ann"), "another role of the code")
		require.Empty(t, roles("bob"))

		gone := removed("keeper")
		publish(gone, file("warden", `, "renamedFrom": "keeper"`))
		require.Equal(t, []string{"warden"}, roles("ann"))
		require.Equal(t, []string{"warden"}, roles("cid"))

		require.NoError(t, a.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			rows, _, err := record.HistoryOf(tx, "user", []string{ann}, 0, 10)
			require.NoError(t, err)
			require.Len(t, rows, 2, "what ann had is in the history")
			return nil
		}))
		view := rightsOf(a, "administrator")
		require.NoError(t, a.Store().Read(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			q := &plan.Query{Model: "user", Where: plan.True, Select: []plan.Expr{&plan.Field{Column: catalog.Version, K: plan.Int}}, Order: []plan.Order{{By: &plan.Field{Column: "username", K: plan.Text}}}}
			var versions []any
			err := tx.Query(ctx, view.Catalog, q, func(row []any) error { versions = append(versions, row[0]); return nil })
			require.Contains(t, fmt.Sprint(versions), "2 2 1", "ann, bob and cid")
			return err
		}))
		page, err := a.Audit().Page(t.Context(), audit.Query{Size: 100})
		require.NoError(t, err)
		var told []string
		for _, e := range page.Entries {
			if e.Kind == audit.RolesChanged && e.Detail["removed"] != "" {
				told = append(told, e.About+" "+e.Detail["removed"])
			}
		}
		slices.Sort(told)
		require.Equal(t, []string{"ann reader", "bob reader"}, told)
	})
}
