package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestDisabledPeopleAreOut: saving a person as disabled ends the person's tokens on every node within a second, and they do
// not come back with the person.
func TestDisabledPeopleAreOut(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		during(t, config(t, o, desk(t, name)), func(one *app.App) {
			other := config(t, o)
			other.Attach = true
			during(t, other, func(two *app.App) {
				id, err := one.AddUser(ctx, "li.na", "李娜", []string{"agent"})
				require.NoError(t, err)
				_, err = one.SetPassword(ctx, "li.na", "", false)
				require.NoError(t, err)
				token, err := one.Auth().ScriptToken(ctx, id, "", time.Hour)
				require.NoError(t, err)
				out := func(a *app.App) func() bool {
					return func() bool {
						_, err := a.Auth().Authenticate(ctx, token)
						return fault.Of(err) == fault.TokenExpired
					}
				}
				require.Eventually(t, func() bool { return !out(two)() }, 5*time.Second, 20*time.Millisecond)
				save := func(version int64, disabled string) {
					view := one.State().Policy.View(principal.System("test"), one.Now(), one.Zone())
					_, err := one.Writer().Save(ctx, view, record.Change{Model: "user", ID: id, Version: &version,
						Set: map[string]json.RawMessage{"disabled": json.RawMessage(disabled)}})
					require.NoError(t, err)
				}
				save(1, "true")
				require.Eventually(t, out(two), 3*time.Second, 20*time.Millisecond)
				require.Eventually(t, out(one), 3*time.Second, 20*time.Millisecond)
				time.Sleep(1100 * time.Millisecond) // what a node remembers of a session is forgotten
				save(2, "false")
				require.Never(t, func() bool { return !out(one)() || !out(two)() }, time.Second, 100*time.Millisecond)
			})
		})
	})
}
