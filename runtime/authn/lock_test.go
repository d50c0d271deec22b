package authn_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
)

// lock reads the lock of an account.
func (w *world) lock(user string) (out authn.Lock) {
	w.t.Helper()
	require.NoError(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		out, err = w.LockIn(tx, user)
		return err
	}))
	return out
}

// TestUnlock: failed attempts at the password are seen and forgotten from every address, of one account; an address stays shut out, and nothing
// in the table tells a name.
func TestUnlock(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const li = "00000000-0000-7000-8000-000000000002"
		w.people[li] = principal.Person{ID: li, Username: "li.na", Name: "李娜", Roles: []string{"staff"}}
		require.Zero(t, w.lock(wang))
		w.fails(5, stranger, username)
		w.fails(5, "198.51.100.8", username)
		w.fails(5, stranger, "li.na")
		w.fails(5, stranger, "nobody.at.all")
		held := w.lock(wang)
		require.Equal(t, 10, held.Failures)
		require.Equal(t, w.now.Add(5*time.Second), held.Until.UTC())

		unlock := func() error {
			return w.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return w.UnlockIn(ctx, tx, wang) })
		}
		require.NoError(t, unlock())
		require.Zero(t, w.lock(wang))
		require.NotZero(t, w.lock(li).Until, "somebody else's")
		for _, peer := range []string{stranger, "198.51.100.8"} {
			_, err := w.signInFrom(peer, username, first)
			require.NoError(t, err)
		}
		_, err := w.signInFrom(stranger, "li.na", wrong)
		w.waits(err)

		for i := range 61 { // the address itself
			w.fails(1, "198.51.100.9", fmt.Sprintf("nobody%d", i))
		}
		require.NoError(t, unlock())
		_, err = w.signInFrom("198.51.100.9", username, first)
		w.waits(err)

		require.NoError(t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
			var texts []string
			err := tx.System().Raw("SELECT key FROM sl_guess UNION SELECT COALESCE(account, '') FROM sl_guess").Scan(&texts).Error
			for _, text := range texts {
				require.Regexp(t, `^([0-9a-f]{64}|[\w-]{43}|)$`, text)
			}
			return err
		}))
	})
}
