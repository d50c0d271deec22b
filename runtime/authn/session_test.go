package authn_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestPasswordDue: with a password that an administrator set, a session is good for nothing but changing it; scripts go on.
func TestPasswordDue(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		before := w.signedIn()
		require.NoError(t, w.SetPassword(ctx, wang, second, false, true))
		w.refused(fault.TokenExpired, w.authenticates(before.Access))
		_, err := w.Refresh(ctx, before.Refresh)
		w.refused(fault.RefreshRejected, err)

		tokens, err := w.signIn(username, second)
		require.NoError(t, err)
		w.refused(fault.PasswordDue, w.authenticates(tokens.Access))
		tokens, err = w.Refresh(ctx, tokens.Refresh)
		require.NoError(t, err)
		w.refused(fault.PasswordDue, w.authenticates(tokens.Access))
		script, err := w.ScriptToken(ctx, wang, "", time.Hour)
		require.NoError(t, err)
		require.NoError(t, w.authenticates(script))

		account, err := w.Account(ctx, wang)
		require.NoError(t, err)
		require.True(t, account.MustReset)
		p, err := w.AuthenticateDue(ctx, tokens.Access)
		require.NoError(t, err)
		require.Equal(t, wang, p.UserID)
		index, sealed := w.encrypt(second, second)
		_, err = w.ChangePassword(ctx, p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
		w.refused(fault.PasswordSame, err)
		w.refused(fault.PasswordDue, w.authenticates(tokens.Access))
		index, sealed = w.encrypt(second, first)
		next, err := w.ChangePassword(ctx, p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
		require.NoError(t, err)
		require.NoError(t, w.authenticates(next.Access))
		account, err = w.Account(ctx, wang)
		require.NoError(t, err)
		require.False(t, account.MustReset)
		require.False(t, account.Unchanged)
		require.NoError(t, w.SetPassword(ctx, wang, second, false, false))
		account, err = w.Account(ctx, wang)
		require.NoError(t, err)
		require.True(t, account.Unchanged, "somebody else chose it")
	})
}

// TestPasswordChangesOnce: of two changes from the same old password one wins.
func TestPasswordChangesOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, err := w.Authenticate(t.Context(), w.signedIn().Access)
		require.NoError(t, err)
		results := make(chan error, 4)
		for range cap(results) {
			index, sealed := w.encrypt(first, second)
			go func() {
				_, err := w.ChangePassword(t.Context(), p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
				results <- err
			}()
		}
		good := 0
		for range cap(results) {
			if err := <-results; err == nil {
				good++
			} else {
				w.refused(fault.PasswordWrong, err)
			}
		}
		require.Equal(t, 1, good)
	})
}

// TestOtherNodesFollow: what ends a session on one node ends it on the others within a second.
func TestOtherNodesFollow(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		o.System = tables()
		one, two := newWorld(t, storetest.Open(t, o)), newWorld(t, storetest.Open(t, o))
		require.NoError(t, one.SetPassword(ctx, wang, first, false, false))
		for name, end := range map[string]func(id string) error{
			"signed out":    func(id string) error { return one.Revoke(ctx, wang, id) },
			"all revoked":   func(string) error { return one.RevokeAll(ctx, wang) },
			"password set":  func(string) error { return one.SetPassword(ctx, wang, first, false, false) },
			"account ended": func(string) error { return one.endOf(wang) },
		} {
			browser := one.signedIn()
			script, err := one.ScriptToken(ctx, wang, "", time.Hour)
			require.NoError(t, err)
			require.NoError(t, two.authenticates(browser.Access))
			require.NoError(t, two.authenticates(script))
			p, err := two.Authenticate(ctx, browser.Access)
			require.NoError(t, err)
			require.NoError(t, end(p.Session))
			two.later(time.Second)
			one.later(time.Second)
			require.Equal(t, fault.TokenExpired, fault.Of(two.authenticates(browser.Access)), name)
			_, err = two.Refresh(ctx, browser.Refresh)
			require.Equal(t, fault.RefreshRejected, fault.Of(err), name)
			if name == "signed out" {
				require.NoError(t, two.authenticates(script), name)
				continue
			}
			require.Equal(t, fault.TokenExpired, fault.Of(two.authenticates(script)), name)
		}
	})
}

// endOf ends what a person has, as when the account is disabled.
func (w *world) endOf(person string) error {
	return w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for _, of := range []belonging.Things{w.SessionsOf(), w.TokensOf()} {
			if _, err := of.End(ctx, tx, person); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestOthersStaySignedIn: what one person had ends, and nothing of others.
func TestOthersStaySignedIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := w.signedIn()
		require.NoError(t, w.endOf("another"))
		w.later(time.Second)
		require.NoError(t, w.authenticates(tokens.Access))
	})
}

func TestSessionsAreListedAndRevoked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		tokens := w.signedIn()
		script, err := w.ScriptToken(ctx, wang, "  nightly report ", time.Hour)
		require.NoError(t, err)
		_, err = w.ScriptToken(ctx, wang, longText(101, '长').Reveal(), time.Hour)
		w.refused(fault.BadParameter, err)
		list, err := w.Sessions(ctx, wang)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.False(t, list[0].Script)
		require.True(t, list[1].Script)
		require.Equal(t, "nightly report", list[1].Label)
		require.WithinDuration(t, w.now.Add(time.Hour), list[1].ExpiresAt, 0)

		w.refused(fault.SessionNotFound, w.Revoke(ctx, "another", list[1].ID))
		require.NoError(t, w.authenticates(script))
		require.NoError(t, w.Revoke(ctx, wang, list[1].ID))
		w.refused(fault.TokenExpired, w.authenticates(script))
		w.refused(fault.SessionNotFound, w.Revoke(ctx, wang, list[1].ID))
		require.NoError(t, w.authenticates(tokens.Access))

		index, sealed := w.encrypt(first)
		other, err := w.SignIn(ctx, authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: "192.0.2.9", Device: strings.Repeat("火", 300)})
		require.NoError(t, err)
		w.later(time.Minute)
		refreshed, err := w.Refresh(ctx, other.Refresh)
		require.NoError(t, err)
		list, err = w.Sessions(ctx, wang)
		require.NoError(t, err)
		require.Equal(t, []string{home, "192.0.2.9"}, []string{list[0].Address, list[1].Address})
		require.Len(t, []rune(list[1].Device), 200)
		require.WithinDuration(t, w.now, *list[1].SeenAt, 0)
		require.WithinDuration(t, w.now.Add(-time.Minute), *list[0].SeenAt, 0)
		kept, err := w.MakeToken(ctx, wang, authn.TokenOf{Label: "kept", Life: 20 * authn.RefreshLife, ReadOnly: true})
		require.NoError(t, err)
		require.NoError(t, w.RevokeOthers(ctx, wang, list[0].ID))
		require.NoError(t, w.authenticates(tokens.Access))
		w.refused(fault.TokenExpired, w.authenticates(refreshed.Access))
		p, err := w.Authenticate(ctx, kept)
		require.NoError(t, err, "tokens stay")
		require.True(t, p.Script && p.ReadOnly)
		for range 49 {
			_, err = w.MakeToken(ctx, wang, authn.TokenOf{Label: "x", Life: time.Hour})
			require.NoError(t, err)
		}
		_, err = w.MakeToken(ctx, wang, authn.TokenOf{Label: "x", Life: time.Hour})
		w.refused(fault.TooManyTokens, err)
		w.later(authn.RefreshLife + time.Second)
		list, err = w.Sessions(ctx, wang)
		require.NoError(t, err)
		require.Len(t, list, 1, "what has ended by itself is not shown")
	})
}
