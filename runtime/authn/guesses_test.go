package authn_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

const (
	stranger = "198.51.100.7"
	wrong    = "Long-Enough-9"
)

// waits checks that an attempt was refused unseen, and returns for how many seconds.
func (w *world) waits(err error) int {
	w.t.Helper()
	w.refused(fault.TooManyAttempts, err)
	var f *fault.Error
	require.True(w.t, errors.As(err, &f))
	return f.Data.(fault.Retry).After
}

// fails tries a wrong password n times.
func (w *world) fails(n int, peer, name string) {
	w.t.Helper()
	for i := range n {
		_, err := w.signInFrom(peer, name, wrong)
		require.Equal(w.t, fault.LoginFailed, fault.Of(err), "attempt %d: %v", i+1, err)
	}
}

func TestGuessesWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fails(5, stranger, username)
		_, err := w.signInFrom(stranger, username, wrong)
		require.Equal(t, 5, w.waits(err))
		_, err = w.signInFrom(stranger, "WANG.fang", first)
		require.Equal(t, 5, w.waits(err), "the right password is not told from others, however the name is written")
		_, err = w.signInFrom(home, username, first)
		require.NoError(t, err, "the person comes in elsewhere")
		_, err = w.signInFrom(stranger, "li.na", wrong)
		w.refused(fault.LoginFailed, err)

		after := 5
		for _, next := range []int{10, 20, 40, 80, 160, 300, 300} {
			w.later(time.Duration(after) * time.Second)
			w.fails(1, stranger, username)
			_, err = w.signInFrom(stranger, username, wrong)
			after = w.waits(err)
			require.Equal(t, next, after, "nobody is kept out for longer than five minutes")
		}
		w.later(5 * time.Minute)
		_, err = w.signInFrom(stranger, username, first)
		require.NoError(t, err)
		w.fails(5, stranger, username) // the right password has wiped them out
	})
}

// TestGuessesAreForgotten: who waits gets their attempts back.
func TestGuessesAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fails(5, stranger, username)
		w.later(30 * time.Minute)
		w.fails(2, stranger, username)
		_, err := w.signInFrom(stranger, username, wrong)
		require.Positive(t, w.waits(err))
		w.later(24 * time.Hour)
		w.fails(5, stranger, username)
	})
}

// TestGuessesAtUnknownNames: the answers and waits are those of a known name.
func TestGuessesAtUnknownNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 8 {
			_, known := w.signInFrom("198.51.100.1", username, wrong)
			_, unknown := w.signInFrom("198.51.100.2", []string{"nobody", "NoBody"}[i%2], wrong) // a name is one, however it is written
			require.Equal(t, known, unknown, "attempt %d", i+1)
		}
	})
}

// TestGuessesAtManyUnknownNames: those who try many names learn nothing from having to wait: unknown ones count apart, as known ones do.
func TestGuessesAtManyUnknownNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 8 {
			_, err := w.signInFrom(stranger, fmt.Sprint("nobody", i), wrong)
			w.refused(fault.LoginFailed, err)
		}
		_, err := w.signInFrom(stranger, username, wrong)
		w.refused(fault.LoginFailed, err)
	})
}

// TestGuessesAtOnce: what is sent together is counted before it is looked at.
func TestGuessesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		results := make(chan error, 16)
		for range cap(results) {
			index, sealed := w.encrypt(wrong)
			wg.Go(func() {
				_, err := w.SignIn(t.Context(), authn.Credentials{Username: username, Password: sealed[0], Index: index, Peer: stranger})
				results <- err
			})
		}
		wg.Wait()
		close(results)
		seen := map[fault.Code]int{}
		for err := range results {
			seen[fault.Of(err)]++
		}
		require.Equal(t, map[fault.Code]int{fault.LoginFailed: 5, fault.TooManyAttempts: 11}, seen)
	})
}

// TestGuessesOfOnePeer: trying one password on many accounts ends too, and others are not kept out by it.
func TestGuessesOfOnePeer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.signInFrom(stranger, username, first)
		require.NoError(t, err)
		for i := range 61 {
			require.NoError(t, w.Fail(t.Context(), fmt.Sprint("name", i), stranger))
		}
		_, err = w.signInFrom(stranger, "one more", wrong)
		require.Positive(t, w.waits(err))
		_, err = w.signInFrom(stranger, username, first)
		require.Positive(t, w.waits(err))
		_, err = w.signInFrom(home, username, first)
		require.NoError(t, err)
	})
}

// TestGuessesOfACrowd: many peers together do not get more attempts at one account, and cannot keep its owner out where they
// have signed in before.
func TestGuessesOfACrowd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.signInFrom(home, username, first)
		require.NoError(t, err)
		for i := range 31 {
			require.NoError(t, w.Fail(t.Context(), "user "+wang, fmt.Sprint("203.0.113.", i)))
		}
		_, err = w.signInFrom("203.0.113.99", username, wrong)
		require.Positive(t, w.waits(err))
		_, err = w.signInFrom(home, username, first)
		require.NoError(t, err)
		w.later(31 * 24 * time.Hour)
		for i := range 31 {
			require.NoError(t, w.Fail(t.Context(), "user "+wang, fmt.Sprint("203.0.113.", i)))
		}
		_, err = w.signInFrom(home, username, first)
		require.Positive(t, w.waits(err), "a place is not known for ever")
	})
}

// TestGuessesOnAnotherNode: no node gives new attempts.
func TestGuessesOnAnotherNode(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = tables()
		one, two := newWorld(t, storetest.Open(t, o)), newWorld(t, storetest.Open(t, o))
		require.NoError(t, one.SetPassword(t.Context(), wang, first, false, false))
		one.fails(3, stranger, username)
		two.fails(2, stranger, username)
		_, err := one.signInFrom(stranger, username, first)
		require.Equal(t, 5, one.waits(err))
	})
}

// TestGuessesAtTheOldPassword: an open browser is not a place to find out the password either.
func TestGuessesAtTheOldPassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, err := w.Authenticate(t.Context(), w.signedIn().Access)
		require.NoError(t, err)
		change := func(old string) error {
			index, sealed := w.encrypt(old, second)
			_, err := w.ChangePassword(t.Context(), p, false, authn.PasswordChange{Index: index, Peer: home, Old: sealed[0], New: sealed[1]})
			return err
		}
		for range 5 {
			w.refused(fault.PasswordWrong, change(wrong))
		}
		require.Equal(t, 5, w.waits(change(first)))
		w.later(5 * time.Second)
		require.NoError(t, change(first))
	})
}

// TestGuessesAtTheSetupSecret: an operator's own secret may be a short one.
func TestGuessesAtTheSetupSecret(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		setup := w.NewSetup("1234", nil)
		try := func(text secret.Text) error {
			_, err := setup.Run(t.Context(), authn.First{Secret: text, Peer: stranger})
			return err
		}
		for i := range 5 {
			w.refused(fault.SetupSecret, try(secret.Text(fmt.Sprint(i))))
		}
		require.Equal(t, 5, w.waits(try("1234")))
	}, tables()...)
}

// TestRefusedAttemptsAreLogged: with the peer, and without what was typed.
func TestRefusedAttemptsAreLogged(t *testing.T) {
	w := newWorld(t, storetest.Open(t, store.Options{Dir: t.TempDir(), System: tables()}))
	for range 6 {
		_, _ = w.signInFrom(stranger, "My-Password-1", wrong)
	}
	require.Contains(t, w.log.String(), `msg="sign-in refused" known=false disabled=false peer=`+stranger)
	require.Contains(t, w.log.String(), `msg="attempt refused" peer=`+stranger+" wait=5")
	require.NotContains(t, w.log.String(), "My-Password-1")
	require.NotContains(t, w.log.String(), wrong)
}

// TestGuessesAtLinks: a crowd that guesses at external links waits, each at its own place, and closes them for nobody else.
func TestGuessesAtLinks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		text, err := w.MakeLink(t.Context(), wang, authn.LinkOf{Form: "complaint", Label: "door", Life: time.Hour})
		require.NoError(t, err)
		open := func(text string, peer int) error {
			_, _, err := w.OpenLink(t.Context(), "complaint", text, fmt.Sprint("198.51.100.", peer))
			return err
		}
		for peer := range 45 {
			w.refused(fault.LinkGone, open("forged", peer))
		}
		require.NoError(t, open(text, 100), "somebody with the link, who has not been here")
		for range 4 {
			w.refused(fault.LinkGone, open("forged", 1))
		}
		w.refused(fault.TooManyAttempts, open("forged", 1))
	})
}
