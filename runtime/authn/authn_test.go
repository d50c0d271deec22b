package authn_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func TestSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens, err := w.signIn("Wang.Fang", first)
		require.NoError(t, err, "names are compared without case")
		require.Equal(t, w.now.Add(authn.AccessLife).Unix(), tokens.Expires)
		p, err := w.Authenticate(t.Context(), tokens.Access)
		require.NoError(t, err)
		require.Equal(t, wang, p.UserID)
		require.Equal(t, []string{"staff"}, p.Roles)
		require.NotEmpty(t, p.Session)
		last, err := w.Account(t.Context(), wang)
		require.NoError(t, err)
		require.Nil(t, last.LastLogin, "there was none before")
		begun := w.now
		w.later(time.Hour)
		_, err = w.signInFrom("192.0.2.9", username, first)
		require.NoError(t, err)
		last, err = w.Account(t.Context(), wang)
		require.NoError(t, err)
		require.WithinDuration(t, begun, *last.LastLogin, 0)
		require.Equal(t, home, last.LastFrom)
		require.NotContains(t, w.log.String(), first)
	})
}

func TestSignInIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, wrong := w.signIn(username, "Long-Enough-9")
		_, unknown := w.signIn("nobody", first)
		w.people["2"] = principal.Person{ID: "2", Username: "new"}
		_, without := w.signIn("new", "")
		disabled := w.people[wang]
		disabled.Disabled = true
		w.people[wang] = disabled
		_, off := w.signIn(username, first)
		for name, err := range map[string]error{"wrong password": wrong, "unknown user": unknown, "user without a password": without, "disabled": off} {
			w.refused(fault.LoginFailed, err)
			require.Equal(t, wrong.Error(), err.Error(), "%s: the answers do not differ", name)
		}
	})
}

func TestLoginKeyServesOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		index, sealed := w.encrypt(first)
		_, err := w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
		require.NoError(t, err)
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
		w.refused(fault.KeyExpired, err)

		index, sealed = w.encrypt("Wrong-One-1")
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
		w.refused(fault.LoginFailed, err)
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
		w.refused(fault.KeyExpired, err)

		index, sealed = w.encrypt(first)
		w.later(5*time.Minute + time.Second)
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
		w.refused(fault.KeyExpired, err)

		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: "no such index", Peer: home})
		w.refused(fault.KeyExpired, err)

		_, other := w.encrypt(first)
		index, _ = w.encrypt(first)
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: other[0], Index: index, Peer: home})
		w.refused(fault.BadParameter, err)
		index, _ = w.encrypt(first)
		_, err = w.SignIn(t.Context(), authn.Credentials{Username: username, Password: "not base64!", Index: index, Peer: home})
		w.refused(fault.BadParameter, err)
	})
}

func TestLoginKeyServesOneOfMany(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		index, sealed := w.encrypt(first)
		var wg sync.WaitGroup
		results := make(chan error, 6)
		for range cap(results) {
			wg.Go(func() {
				_, err := w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: home})
				results <- err
			})
		}
		wg.Wait()
		close(results)
		good := 0
		for err := range results {
			if err == nil {
				good++
				continue
			}
			w.refused(fault.KeyExpired, err)
		}
		require.Equal(t, 1, good)
	})
}

func TestRefreshRotates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one := w.signedIn()
		w.later(authn.AccessLife + time.Second)
		w.refused(fault.TokenExpired, w.authenticates(one.Access))
		two, err := w.Refresh(t.Context(), one.Refresh)
		require.NoError(t, err)
		require.NotEqual(t, one.Refresh, two.Refresh)
		require.NoError(t, w.authenticates(two.Access))

		other := w.signedIn()
		_, err = w.Refresh(t.Context(), one.Refresh)
		w.refused(fault.RefreshRejected, err)
		w.refused(fault.TokenExpired, w.authenticates(two.Access))
		_, err = w.Refresh(t.Context(), two.Refresh)
		w.refused(fault.RefreshRejected, err)
		require.NoError(t, w.authenticates(other.Access), "other sessions of the person go on")

		_, err = w.Refresh(t.Context(), "made up")
		w.refused(fault.RefreshRejected, err)
	})
}

func TestRefreshEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one := w.signedIn()
		w.later(authn.RefreshLife - time.Minute)
		two, err := w.Refresh(t.Context(), one.Refresh)
		require.NoError(t, err)
		w.later(2 * time.Minute)
		_, err = w.Refresh(t.Context(), two.Refresh)
		w.refused(fault.RefreshRejected, err)
		w.refused(fault.TokenExpired, w.authenticates(two.Access))
	})
}

func TestRefreshTurnsOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one := w.signedIn()
		var wg sync.WaitGroup
		results := make(chan error, 4)
		for range cap(results) {
			wg.Go(func() {
				_, err := w.Refresh(t.Context(), one.Refresh)
				results <- err
			})
		}
		wg.Wait()
		close(results)
		good := 0
		for err := range results {
			if err == nil {
				good++
			}
		}
		require.Equal(t, 1, good)
	})
}

func TestPasswordChangeEndsSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		mine, elsewhere := w.signedIn(), w.signedIn()
		script, err := w.ScriptToken(ctx, wang, "", time.Hour)
		require.NoError(t, err)
		p, err := w.Authenticate(ctx, mine.Access)
		require.NoError(t, err)
		change := func(from, to string) (authn.Tokens, error) {
			index, sealed := w.encrypt(from, to)
			return w.ChangePassword(ctx, p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
		}
		_, err = change("Long-Enough-9", second)
		w.refused(fault.PasswordWrong, err)
		_, err = change(first, first)
		w.refused(fault.PasswordSame, err)
		_, err = change(first, "short")
		w.refused(fault.PasswordRule, err)
		require.NoError(t, w.authenticates(mine.Access), "a refused change ends nothing")

		next, err := change(first, second)
		require.NoError(t, err)
		require.NoError(t, w.authenticates(next.Access))
		for name, token := range map[string]string{"own": mine.Access, "elsewhere": elsewhere.Access, "script": script} {
			require.Equal(t, fault.TokenExpired, fault.Of(w.authenticates(token)), name)
		}
		_, err = w.Refresh(ctx, elsewhere.Refresh)
		w.refused(fault.RefreshRejected, err)
		_, err = w.signIn(username, first)
		w.refused(fault.LoginFailed, err)
		_, err = w.signIn(username, second)
		require.NoError(t, err)
	})
}

func TestDisabled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := w.signedIn()
		script, err := w.ScriptToken(t.Context(), wang, "", time.Hour)
		require.NoError(t, err)
		p := w.people[wang]
		p.Disabled = true
		w.people[wang] = p
		w.refused(fault.TokenExpired, w.authenticates(tokens.Access))
		w.refused(fault.TokenExpired, w.authenticates(script))
		_, err = w.Refresh(t.Context(), tokens.Refresh)
		w.refused(fault.RefreshRejected, err)
		delete(w.people, wang)
		w.refused(fault.TokenExpired, w.authenticates(tokens.Access))
	})
}

func TestSignOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens, other := w.signedIn(), w.signedIn()
		p, err := w.Authenticate(t.Context(), tokens.Access)
		require.NoError(t, err)
		require.NoError(t, w.SignOut(t.Context(), p))
		w.refused(fault.TokenExpired, w.authenticates(tokens.Access))
		_, err = w.Refresh(t.Context(), tokens.Refresh)
		w.refused(fault.RefreshRejected, err)
		require.NoError(t, w.authenticates(other.Access))
	})
}

func TestScriptToken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, err := w.ScriptToken(t.Context(), wang, "", 24*time.Hour)
		require.NoError(t, err)
		w.later(23 * time.Hour)
		p, err := w.Authenticate(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, wang, p.UserID)
		w.later(2 * time.Hour)
		w.refused(fault.TokenExpired, w.authenticates(token))
		for _, life := range []time.Duration{0, -time.Hour} {
			_, err = w.ScriptToken(t.Context(), wang, "", life)
			w.refused(fault.BadParameter, err)
		}
	})
}

func TestSetup(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		made := 0
		setup := w.NewSetup("the secret", func(context.Context, string, string) (string, error) { made++; return wang, nil })
		run := func(text secret.Text, name, password string) (authn.Tokens, error) {
			index, sealed := w.encrypt(password)
			return setup.Run(t.Context(), authn.First{Secret: text, Username: username, Name: name, Password: sealed[0], Index: index, Peer: home})
		}
		needed, err := w.SetupNeeded(t.Context())
		require.NoError(t, err)
		require.True(t, needed)
		_, err = run("a guess", "王芳", first)
		w.refused(fault.SetupSecret, err)
		_, err = run("", "王芳", first)
		w.refused(fault.SetupSecret, err)
		_, err = run("the secret", " ", first)
		w.refused(fault.EmptyParameter, err)
		_, err = run("the secret", "王芳", "Short-1")
		w.refused(fault.PasswordRule, err)
		require.Zero(t, made)

		var wg sync.WaitGroup
		results := make(chan error, 3)
		for range cap(results) {
			index, sealed := w.encrypt(first)
			wg.Go(func() {
				_, err := setup.Run(t.Context(), authn.First{Secret: "the secret", Username: username, Name: "王芳", Password: sealed[0], Index: index, Peer: home})
				results <- err
			})
		}
		wg.Wait()
		close(results)
		good := 0
		for err := range results {
			if err == nil {
				good++
				continue
			}
			w.refused(fault.SetupDone, err)
		}
		require.Equal(t, 1, good, "the secret serves once")
		require.Equal(t, 1, made)
		_, err = w.signIn(username, first)
		require.NoError(t, err)
	}, tables()...)
}

func TestSetupWithoutSecret(t *testing.T) {
	w := newWorld(t, storetest.Open(t, store.Options{Dir: t.TempDir(), System: tables()}))
	setup := w.NewSetup("", func(context.Context, string, string) (string, error) { return "", errors.New("not reached") })
	index, sealed := w.encrypt(first)
	_, err := setup.Run(t.Context(), authn.First{Username: username, Name: "王芳", Password: sealed[0], Index: index, Peer: home})
	w.refused(fault.SetupSecret, err)
}

func TestCheckPassword(t *testing.T) {
	for password, want := range map[secret.Text][2]bool{ // for everybody, for administrators
		"Abcdef12":               {true, false},
		"Abcdef123456":           {true, true},
		"Abcde12":                {false, false},
		"abcdef123456":           {false, false},
		"ABCDEF123456":           {false, false},
		"Abcdefghijkl":           {false, false},
		"Abcdef 123456":          {false, false},
		"Abcdef密123456":          {false, false},
		"Äbcdef123456":           {true, true},
		"A1" + longText(62, 'a'): {true, true},
		"A1" + longText(63, 'a'): {false, false},
	} {
		for i, admin := range []bool{false, true} {
			require.Equal(t, want[i], authn.CheckPassword(password, admin) == nil, "%q admin=%v", password.Reveal(), admin)
		}
	}
	for range 20 {
		made, err := authn.NewPassword()
		require.NoError(t, err)
		require.NoError(t, authn.CheckPassword(made, true))
	}
}

func longText(n int, r rune) secret.Text { return secret.Text(strings.Repeat(string(r), n)) }

// TestTokensEnd: a token that was good before is refused when its time is over, and one that outlives its session with that.
func TestTokensEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := w.signedIn()
		require.NoError(t, w.authenticates(tokens.Access))
		w.later(authn.AccessLife)
		w.refused(fault.TokenExpired, w.authenticates(tokens.Access))

		w.later(authn.RefreshLife - authn.AccessLife - time.Minute)
		last, err := w.Refresh(t.Context(), tokens.Refresh)
		require.NoError(t, err)
		require.NoError(t, w.authenticates(last.Access))
		w.later(2 * time.Minute)
		w.refused(fault.TokenExpired, w.authenticates(last.Access))
	})
}
