package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestStartsAgain: a start over documents that the database knows serves the same, and whatever changed in them since is
// checked and written as at the first one.
func TestStartsAgain(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		dir := desk(t, name)
		write := func(file, text string) {
			t.Helper()
			file = filepath.Join(dir, file)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		tickets := func(a *app.App) (n int64) {
			t.Helper()
			require.NoError(t, a.Store().Read(t.Context(), func(tx *store.Tx) error {
				return tx.System().Table(a.State().Catalog.Model("ticket").Table).Count(&n).Error
			}))
			return n
		}
		write("data/ticket.json", `{"key": ["name"], "rows": [{"name": "一"}]}`)
		var digest string
		during(t, config(t, o, dir), func(a *app.App) {
			digest = a.State().Catalog.Digest
			require.EqualValues(t, 1, tickets(a))
		})
		for range 2 {
			during(t, config(t, o, dir), func(a *app.App) {
				require.Equal(t, digest, a.State().Catalog.Digest)
				require.EqualValues(t, 1, tickets(a))
			})
		}
		write("data/ticket.json", `{"key": ["name"], "rows": [{"name": "一"}, {"name": "二"}]}`)
		for range 2 {
			during(t, config(t, o, dir), func(a *app.App) {
				require.NotEqual(t, digest, a.State().Catalog.Digest)
				require.EqualValues(t, 2, tickets(a))
			})
		}
		for file, text := range map[string]string{
			"data/ticket.json":   `{"key": ["name"], "rows": [{"nam": "三"}]}`,
			"models/ticket.json": `{"name": "工单", "properties": [` + name + `], "colour": "red"}`,
		} {
			good, err := os.ReadFile(filepath.Join(dir, file))
			require.NoError(t, err)
			write(file, text)
			_, err = app.Open(t.Context(), config(t, o, dir))
			var faulty *app.Faulty
			require.ErrorAs(t, err, &faulty, file)
			write(file, string(good))
		}
		during(t, config(t, o, dir), func(a *app.App) { require.EqualValues(t, 2, tickets(a)) })
	})
}
