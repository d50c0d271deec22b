package authn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
)

// TestAudit: each thing that happens to passwords, sessions and tokens leaves one entry, without what was typed.
func TestAudit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, log := t.Context(), audit.Log{DB: w.db}
		before := 0
		look := func() []audit.Entry {
			t.Helper()
			p, err := log.Page(ctx, audit.Query{Size: 100})
			require.NoError(t, err)
			require.Empty(t, p.Next)
			return p.Entries
		}
		before = len(look())
		one := func(kind audit.Kind) audit.Entry {
			t.Helper()
			all := look()
			require.Len(t, all, before+1)
			before++
			require.Equal(t, kind, all[0].Kind)
			return all[0]
		}
		require.NoError(t, w.SetPassword(ctx, wang, first, false, false))
		require.Equal(t, "王芳", one(audit.PasswordSet).About)
		tokens := w.signedIn()
		e := one(audit.SignedIn)
		require.Equal(t, []string{wang, "王芳", home}, []string{e.Actor, e.Name, e.Address})
		p, err := w.Authenticate(ctx, tokens.Access)
		require.NoError(t, err)
		require.NoError(t, w.SignOut(ctx, p))
		require.Equal(t, wang, one(audit.SignedOut).Actor)

		_, err = w.signIn(username, "Wrong-Enough-1")
		w.refused(fault.LoginFailed, err)
		e = one(audit.SignInFailed)
		require.Equal(t, []string{"", wang, home}, []string{e.Actor, e.Subject, e.Address})
		require.True(t, e.Failed)
		_, err = w.signIn("My-Secret-Password", first) // typed into the wrong field
		w.refused(fault.LoginFailed, err)
		require.Equal(t, audit.Entry{Kind: audit.SignInFailed, Address: home, Failed: true}, plain(one(audit.SignInFailed)))
		for range 3 {
			_, err = w.signIn(username, "Wrong-Enough-1")
			w.refused(fault.LoginFailed, err)
			one(audit.SignInFailed)
		}
		_, err = w.signIn(username, "Wrong-Enough-1")
		w.refused(fault.LoginFailed, err)
		one(audit.SignInLocked)
		_, err = w.signIn(username, first)
		w.refused(fault.TooManyAttempts, err)
		require.Len(t, look(), before, "waiting leaves no entries, however often one tries")
		w.later(time.Hour * 24)

		tokens = w.signedIn()
		one(audit.SignedIn)
		_, err = w.Refresh(ctx, tokens.Refresh)
		require.NoError(t, err)
		require.Len(t, look(), before)
		for range 2 {
			_, err = w.Refresh(ctx, tokens.Refresh)
			w.refused(fault.RefreshRejected, err)
		}
		require.Equal(t, wang, one(audit.Reused).Subject)

		_, err = w.ScriptToken(ctx, wang, "nightly", time.Hour)
		require.NoError(t, err)
		require.Equal(t, "nightly", one(audit.TokenMade).Detail["label"])
		open, err := w.Sessions(ctx, wang)
		require.NoError(t, err)
		require.NoError(t, w.Revoke(ctx, wang, open[len(open)-1].ID))
		one(audit.Revoked)
		require.NoError(t, w.RevokeAll(ctx, wang))
		one(audit.RevokedAll)

		tokens = w.signedIn()
		one(audit.SignedIn)
		p, err = w.Authenticate(ctx, tokens.Access)
		require.NoError(t, err)
		index, sealed := w.encrypt(first, second)
		_, err = w.ChangePassword(ctx, p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
		require.NoError(t, err)
		one(audit.PasswordOwn)
		require.NoError(t, w.RevokeOthers(ctx, wang, ""))
		one(audit.RevokedAll)
	})
}

// plain is an entry without what differs from run to run.
func plain(e audit.Entry) audit.Entry {
	e.ID, e.At, e.Detail = "", time.Time{}, nil
	return e
}
