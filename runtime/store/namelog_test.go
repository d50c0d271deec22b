package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestNameLog: an apply notes what it renames and removes, of tables and of other documents, in its transaction; a process that starts later reads it.
func TestNameLog(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		var told []names.Step
		fails := false
		o.Renamed = func(_ context.Context, tx *store.Tx, epoch int64, steps []names.Step) error {
			told = append(told, steps...)
			if fails {
				return tx.System().Exec("INSERT INTO nowhere VALUES (1)").Error
			}
			return nil
		}
		db := storetest.Open(t, o)
		roles := func(of ...names.Entry) names.Set {
			return names.Set{names.Role: of, names.Model: {{Code: "lot", Parts: names.Set{names.Property: {{Code: "title"}}}}}}
		}
		lots := func(set names.Set) plan.Storage {
			s := storage(table("lot", text("title")))
			s.Names = set
			return s
		}
		apply := func(s plan.Storage, po store.PlanOptions) ([]store.Step, error) {
			t.Helper()
			p, err := db.Plan(t.Context(), s, po)
			require.NoError(t, err)
			return p.Steps, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true})
		}
		_, err := apply(lots(roles(names.Entry{Code: "clerk", Pack: "desk"}, names.Entry{Code: "chief", Pack: "desk"})), store.PlanOptions{})
		require.NoError(t, err)
		require.Zero(t, db.NameLog().Epoch())

		next := lots(roles(names.Entry{Code: "keeper", Former: names.Former{"clerk"}, Pack: "desk"}))
		fails = true
		_, err = apply(next, store.PlanOptions{})
		require.Error(t, err)
		require.Zero(t, db.NameLog().Epoch(), "all of it or nothing")
		fails, told = false, nil
		steps, err := apply(next, store.PlanOptions{})
		require.NoError(t, err)
		require.Len(t, steps, 1)
		require.Equal(t, store.Safe, steps[0].Class)
		require.Equal(t, "rename role clerk to keeper", steps[0].Text.In("en"))
		require.Equal(t, []names.Step{{Kind: names.Role, Old: "chief"}, {Kind: names.Role, Old: "clerk", New: "keeper"}}, told)
		require.EqualValues(t, 1, db.NameLog().Epoch())

		// The same again asks for nothing; a pack that takes part no more keeps its names.
		steps, err = apply(next, store.PlanOptions{})
		require.NoError(t, err)
		require.Empty(t, steps)
		_, err = apply(lots(roles()), store.PlanOptions{Packs: []string{"other"}})
		require.NoError(t, err)
		require.EqualValues(t, 1, db.NameLog().Epoch())
		_, err = apply(lots(roles(names.Entry{Code: "warden", Former: names.Former{"keeper", "clerk"}, Pack: "desk"})), store.PlanOptions{Packs: []string{"desk"}})
		require.NoError(t, err)
		code, ok := db.NameLog().SinceBefore().Document(names.Role, "clerk")
		require.True(t, ok)
		require.Equal(t, "warden", code)

		// Tables tell their names where documents give none, also those of a database that has kept none until now.
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("DELETE FROM sl_name_set").Error
		}))
		renamed := storage(table("lot", from("title", text("label"))))
		_, err = apply(renamed, store.PlanOptions{})
		require.NoError(t, err)
		code, ok = db.NameLog().Since(2, time.Now()).Property("lot", "title")
		require.True(t, ok)
		require.Equal(t, "label", code)
	})
}

// TestRemovedFromRenamedPack: what a pack has no more is removed, also when the same apply gives the pack another code.
func TestRemovedFromRenamedPack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		of := func(pack names.Entry, roles ...string) (names.Set, store.PlanOptions) {
			set := names.Set{names.Pack: {pack}, names.Model: {{Code: "lot"}}}
			for _, code := range roles {
				set[names.Role] = append(set[names.Role], names.Entry{Code: code, Pack: pack.Code})
			}
			return set, store.PlanOptions{Packs: []string{pack.Code}}
		}
		take := func(set names.Set, o store.PlanOptions) {
			s := storage(table("lot", text("title")))
			s.Names = set
			p, err := db.Plan(t.Context(), s, o)
			require.NoError(t, err)
			require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}))
		}
		take(of(names.Entry{Code: "desk"}, "clerk", "chief"))
		take(of(names.Entry{Code: "office", Former: names.Former{"desk"}}, "clerk"))
		_, there := db.NameLog().SinceBefore().Document(names.Role, "chief")
		require.False(t, there)
		code, there := db.NameLog().SinceBefore().Document(names.Role, "clerk")
		require.Equal(t, "clerk true", code+map[bool]string{true: " true"}[there])
	})
}
