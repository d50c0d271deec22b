package app_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestOlderFiles: a process whose files call things as they were called before another process renamed them writes nothing more, whatever was
// renamed, until its files are those of the others.
func TestOlderFiles(t *testing.T) {
	t.Parallel()
	clerk := `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "contract", "actions": ["*"], "rows": "all"}]}`
	before := map[string]string{"models/contract.json": contract(number("amount", "") + ",\n  " + choice("unit", `"dictionary": "units"`) + ",\n  " + choice("state", `"options": ["open", "done"]`)),
		"dictionaries/units.json": units(`"m"`, `"M"`), "lists/all.json": listOf("contract", `"name"`), "access/clerk.json": clerk}
	renamed := func(from, to string) string {
		return `{"renamedFrom": "` + from + `", ` + before[to][1:]
	}
	for name, change := range map[string]map[string]string{
		"a list":                    {"lists/all.json": "", "lists/every.json": renamed("all", "lists/all.json")},
		"a role":                    {"access/clerk.json": "", "access/agent.json": renamed("clerk", "access/clerk.json")},
		"an option":                 {"models/contract.json": strings.Replace(before["models/contract.json"], `"open"`, `{"code": "begun", "renamedFrom": "open"}`, 1)},
		"an option of a dictionary": {"dictionaries/units.json": units(`{"code": "metre", "renamedFrom": "m"}`, `"M"`)},
		"options change places":     {"dictionaries/units.json": units(`{"code": "M", "renamedFrom": "m"}`, `{"code": "m", "renamedFrom": "M"}`)},
		"a property":                {"models/contract.json": strings.Replace(before["models/contract.json"], `"amount", `, `"total", "renamedFrom": "amount", `, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
			start := func(files map[string]string) (*app.App, string) {
				dir := filepath.Join(t.TempDir(), "firm")
				version(t, dir, files)
				cfg := config(t, o, dir)
				cfg.Dev, cfg.Key = true, "a key of this test, long enough to be one"
				a, err := app.Open(t.Context(), cfg)
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, a.Close()) })
				return a, dir
			}
			old, dir := start(before)
			person, err := old.AddUser(t.Context(), "ann", "Ann", []string{"clerk"})
			require.NoError(t, err)
			require.NotEmpty(t, person)
			after := maps.Clone(before)
			maps.Copy(after, change)
			maps.DeleteFunc(after, func(_, text string) bool { return text == "" })
			fresh, _ := start(after)

			writes := func(a *app.App) error {
				_, err := a.Writer().Save(t.Context(), rightsOf(a, "administrator"), record.Change{Model: "contract", Set: map[string]json.RawMessage{
					"name": json.RawMessage(`"one"`), "unit": json.RawMessage(`"m"`), "state": json.RawMessage(`"done"`)}})
				return err
			}
			require.ErrorIs(t, writes(old), store.ErrSchemaMoved)
			label, list := "mine", "all"
			_, err = old.SavedFilters().Add(t.Context(), rightsOf(old, "administrator"), "contract", list, savedfilter.Change{Name: &label, Filters: &[]query.Filter{}})
			require.ErrorIs(t, err, store.ErrSchemaMoved)
			_, err = old.AddUser(t.Context(), "bob", "Bob", []string{"clerk"})
			require.ErrorIs(t, err, store.ErrSchemaMoved)
			require.Eventually(t, func() bool { return old.Ready(t.Context()) != nil }, 10*time.Second, time.Millisecond, "it says so")
			if name != "an option of a dictionary" {
				require.NoError(t, writes(fresh))
			}

			version(t, dir, after)
			require.Eventually(t, func() bool { return old.Ready(t.Context()) == nil }, 10*time.Second, time.Millisecond, "its files are replaced")
			if name != "an option of a dictionary" {
				require.NoError(t, writes(old))
			}
		})
	}
}
