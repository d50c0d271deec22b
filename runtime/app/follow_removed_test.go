package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A file that a site took away stays away when the pack gives it another code, with and without other renames; one that comes with the code of another
// file that was taken away is there.
func TestRemovalsFollowRenames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ model, renamed string }{
		"alone":                  {contract(number("amount", "")), contract(number("amount", ""))},
		"beside another rename":  {contract(number("amount", "")), contract(number("total", `"renamedFrom": "amount", `))},
		"beside another removal": {contract(number("amount", "")), contract(number("other", ""))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			publishing.Each(t, func(t *testing.T, o store.Options) {
				dir := filepath.Join(t.TempDir(), "firm")
				cfg := config(t, o, dir)
				cfg.Dev = true
				list := listOf("contract", `"name"`)
				version(t, dir, map[string]string{"models/contract.json": c.model, "lists/first.json": list, "lists/second.json": list, "lists/second.js": "// own\n"})
				during(t, cfg, func(a *app.App) {
					for _, path := range []string{"lists/second.js", "lists/second.json"} {
						now, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), "firm", path, 0)
						require.NoError(t, err)
						_, err = a.Publish(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: []app.Change{{Pack: "firm", Path: path, Seen: now.Seen}}}, app.Confirmation{})
						require.NoError(t, err)
					}
				})
				next := map[string]string{"models/contract.json": c.renamed, "lists/first.json": list, "lists/third.json": `{"renamedFrom": ["last", "second"], ` + list[1:], "lists/third.js": "// own\n", "lists/fourth.json": list}
				version(t, dir, next)
				var first int64
				for turn := range 2 {
					if name == "beside another removal" {
						cfg.Dev = false
						require.NoError(t, applyTo(t, cfg, nil))
					}
					during(t, cfg, func(a *app.App) {
						require.Nil(t, a.State().Catalog.List("third"))
						require.NotNil(t, a.State().Catalog.List("fourth"))
						sets, err := a.History(t.Context(), rightsOf(a, "administrator"), 0, 1)
						require.NoError(t, err)
						require.Contains(t, sets[0].Note, "lists/second.json → lists/third.json")
						require.Equal(t, a.State().Catalog.Version, sets[0].Version)
						if turn == 0 {
							first = sets[0].Version
						}
						require.Equal(t, first, sets[0].Version, "once")
						for path, code := range warned(t, a) {
							if turn == 0 {
								code = strings.Replace(code, "PUB011", "", 1) // told once
							}
							require.NotContains(t, code, "PUB", "%s: what stays away is no conflict", path)
						}
						for _, path := range []string{"lists/second.json", "lists/third.json", "lists/third.js"} {
							d, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), "firm", path, 0)
							require.True(t, err != nil || d.Text == nil, "%s: %v", path, d)
						}
					})
				}
				next["lists/second.json"], next["lists/third.json"] = list, list
				version(t, dir, next)
				during(t, cfg, func(a *app.App) {
					require.NotNil(t, a.State().Catalog.List("second"), "another file that has the path later")
					require.Nil(t, a.State().Catalog.List("third"))
				})
			})
		})
	}
}
