package authn_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
)

// code is what the app of a secret shows now.
func (w *world) code(secret string) string {
	w.t.Helper()
	code, err := totp.GenerateCode(secret, w.now)
	require.NoError(w.t, err)
	return code
}

// ticket is what a sign-in with the password answers somebody who has a second factor.
func (w *world) ticket() string {
	w.t.Helper()
	_, err := w.signIn(username, first)
	w.refused(fault.SecondFactor, err)
	var f *fault.Error
	require.ErrorAs(w.t, err, &f)
	return f.Data.(authn.SecondStep).Ticket
}

func (w *world) second(ticket, code string) (authn.Tokens, error) {
	return w.Finish(w.t.Context(), authn.Second{Ticket: ticket, Code: code, Peer: home})
}

func (w *world) proof(password string) authn.Proof {
	index, sealed := w.encrypt(password)
	return authn.Proof{Index: index, Password: sealed[0], Peer: home}
}

// enrolled turns the second factor of wang on, in a session of their browser.
func (w *world) enrolled() (p principal.Principal, secret string, codes []string) {
	w.t.Helper()
	p, err := w.AuthenticateDue(w.t.Context(), w.signedIn().Access)
	require.NoError(w.t, err)
	e, err := w.BeginFactor(w.t.Context(), p, "Sluice: 船闸", authn.Proof{})
	require.NoError(w.t, err)
	codes, err = w.ConfirmFactor(w.t.Context(), p, e.Ticket, w.code(e.Secret))
	require.NoError(w.t, err)
	return p, e.Secret, codes
}

func TestSecondFactor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		elsewhere := w.signedIn()
		script, err := w.MakeToken(ctx, wang, authn.TokenOf{Label: "x", Life: 24 * time.Hour})
		require.NoError(t, err)
		p, err := w.Authenticate(ctx, w.signedIn().Access)
		require.NoError(t, err)
		w.later(11 * time.Minute)
		_, err = w.BeginFactor(ctx, p, "Sluice", authn.Proof{})
		w.refused(fault.SignInFresh, err) // somebody else may sit there by now
		_, err = w.BeginFactor(ctx, p, "Sluice", w.proof("Not-this-1"))
		w.refused(fault.PasswordWrong, err)
		e, err := w.BeginFactor(ctx, p, "Sluice: 船闸", w.proof(first))
		require.NoError(t, err)
		address, err := url.Parse(e.Address)
		require.NoError(t, err)
		require.Equal(t, []string{"otpauth", "totp", "/Sluice  船闸:wang.fang", e.Secret, "Sluice  船闸"},
			[]string{address.Scheme, address.Host, address.Path, address.Query().Get("secret"), address.Query().Get("issuer")})

		_, err = w.ConfirmFactor(ctx, p, e.Ticket, "000000")
		w.refused(fault.FactorWrong, err)
		w.signedIn() // nothing has changed yet
		_, err = w.ConfirmFactor(ctx, principal.Principal{UserID: "another"}, e.Ticket, w.code(e.Secret))
		w.refused(fault.SignInStale, err)
		codes, err := w.ConfirmFactor(ctx, p, e.Ticket, w.code(e.Secret))
		require.NoError(t, err)
		require.Len(t, codes, 10)
		_, err = w.BeginFactor(ctx, p, "Sluice", w.proof(first))
		w.refused(fault.FactorState, err)
		w.refused(fault.TokenExpired, w.authenticates(elsewhere.Access))
		require.NoError(t, w.authenticates(script), "tokens of scripts stay")

		// The password alone opens nothing any more.
		ticket := w.ticket()
		_, err = w.second(ticket, w.code(e.Secret))
		w.refused(fault.FactorWrong, err) // the code that turned it on
		_, err = w.second("forged", w.code(e.Secret))
		w.refused(fault.SignInStale, err)
		_, err = w.second(e.Ticket, w.code(e.Secret))
		w.refused(fault.SignInStale, err) // a ticket of another purpose
		w.later(30 * time.Second)
		good := w.code(e.Secret)
		tokens, err := w.second(ticket, good[:3]+" "+good[3:])
		require.NoError(t, err)
		require.NoError(t, w.authenticates(tokens.Access))
		_, err = w.second(ticket, good)
		w.refused(fault.SignInStale, err)
		_, err = w.second(w.ticket(), good)
		w.refused(fault.FactorWrong, err) // seen over somebody's shoulder
		w.later(time.Minute)
		early := w.code(e.Secret)
		w.later(2 * time.Minute)
		_, err = w.second(w.ticket(), early)
		w.refused(fault.FactorWrong, err)
		ticket = w.ticket()
		w.later(6 * time.Minute)
		_, err = w.second(ticket, w.code(e.Secret))
		w.refused(fault.SignInStale, err)

		// A recovery code goes once.
		_, err = w.second(w.ticket(), strings.ToUpper(codes[3]))
		require.NoError(t, err)
		_, err = w.second(w.ticket(), codes[3])
		w.refused(fault.FactorWrong, err)
		state, err := w.Factor(ctx, wang)
		require.NoError(t, err)
		require.Equal(t, []any{true, 9, true}, []any{state.On, state.Codes, state.Password})
		_, err = w.RenewRecovery(ctx, p, w.proof(second))
		w.refused(fault.PasswordWrong, err)
		renewed, err := w.RenewRecovery(ctx, p, w.proof(first))
		require.NoError(t, err)
		_, err = w.second(w.ticket(), codes[4])
		w.refused(fault.FactorWrong, err)
		_, err = w.second(w.ticket(), renewed[0])
		require.NoError(t, err)

		w.refused(fault.PasswordWrong, w.FactorOff(ctx, p, w.proof(second)))
		require.NoError(t, w.FactorOff(ctx, p, w.proof(first)))
		w.refused(fault.FactorState, w.FactorOff(ctx, p, w.proof(first)))
		w.signedIn()
		require.NotContains(t, w.log.String(), e.Secret)
		w.holdsNo(t, e.Secret, codes[0], strings.ReplaceAll(renewed[1], "-", ""))
	})
}

// holdsNo fails where a table of sign-in or the log holds one of the texts.
func (w *world) holdsNo(t *testing.T, texts ...string) {
	t.Helper()
	for _, table := range []string{"sl_factor", "sl_recovery", "sl_ticket", "sl_audit"} {
		var rows []map[string]any
		require.NoError(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Table(table).Find(&rows).Error }))
		for _, row := range rows {
			for column, v := range row {
				text, _ := v.(string)
				if b, ok := v.([]byte); ok {
					text = string(b)
				}
				for _, one := range texts {
					require.NotContains(t, text, one, "%s.%s", table, column)
				}
			}
		}
	}
}

// TestFactorGuesses: codes cannot be tried out, whatever the ticket; many at once use one code once.
func TestFactorGuesses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, secret, _ := w.enrolled()
		w.later(time.Minute)
		for range 5 {
			_, err := w.second(w.ticket(), "000000")
			w.refused(fault.FactorWrong, err)
		}
		ticket := w.ticket()
		_, err := w.second(ticket, w.code(secret))
		w.refused(fault.TooManyAttempts, err)
		w.later(10 * time.Second)
		_, err = w.second(ticket, w.code(secret))
		require.NoError(t, err)

		// Somebody who knows the password and comes from another address with each try.
		w.later(24 * time.Hour)
		tries := 0
		for i := range 30 {
			_, err = w.Finish(t.Context(), authn.Second{Ticket: w.ticket(), Code: "000000", Peer: fmt.Sprintf("203.0.113.%d", i+1)})
			if fault.Of(err) == fault.FactorWrong {
				tries++
			}
		}
		require.Equal(t, 11, tries)

		w.later(24 * time.Hour)
		code := w.code(secret)
		tickets := []string{w.ticket(), w.ticket(), w.ticket(), w.ticket()}
		var group sync.WaitGroup
		results := make([]error, len(tickets))
		for i, ticket := range tickets {
			group.Go(func() { _, results[i] = w.second(ticket, code) })
		}
		group.Wait()
		good := 0
		for _, err := range results {
			if err == nil {
				good++
				continue
			}
			require.Contains(t, []fault.Code{fault.FactorWrong, fault.TooManyAttempts}, fault.Of(err), "%v", err)
		}
		require.Equal(t, 1, good)
	})
}

// TestFactorOfPeople: what happens to the person between the steps counts, and a reset ends the factor.
func TestFactorOfPeople(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		_, secret, _ := w.enrolled()
		w.later(time.Minute)
		ticket := w.ticket()
		person := w.people[wang]
		person.Disabled = true
		w.people[wang] = person
		_, err := w.second(ticket, w.code(secret))
		w.refused(fault.SignInStale, err)
		person.Disabled = false
		w.people[wang] = person
		require.NoError(t, w.SetPassword(ctx, wang, second, false, false))
		_, err = w.second(ticket, w.code(secret))
		w.refused(fault.LoginFailed, err) // the password of the first step is none any more
		require.NoError(t, w.SetPassword(ctx, wang, first, false, false))
		ticket = w.ticket()
		require.NoError(t, w.ResetFactor(ctx, wang))
		w.refused(fault.FactorState, w.ResetFactor(ctx, wang))
		_, err = w.second(ticket, w.code(secret))
		require.Error(t, err)
		w.signedIn()
		// Sealed for one person, it is worth nothing in the row of another.
		const li = "00000000-0000-7000-8000-000000000002"
		w.people[li] = principal.Person{ID: li, Username: "li"}
		require.NoError(t, w.SetPassword(ctx, li, first, false, false))
		_, secret, _ = w.enrolled()
		require.NoError(t, w.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_factor SET user_id = ?, step = 0", li).Error
		}))
		_, err = w.signIn("li", first)
		var f *fault.Error
		require.ErrorAs(t, err, &f)
		_, err = w.second(f.Data.(authn.SecondStep).Ticket, w.code(secret))
		require.ErrorContains(t, err, "authentication failed")
	})
}

// TestFactorDemanded: people of a role that asks for a second factor can do nothing but set it up.
func TestFactorDemanded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		before := w.signedIn()
		script, err := w.MakeToken(ctx, wang, authn.TokenOf{Label: "x", Life: time.Hour})
		require.NoError(t, err)
		require.NoError(t, w.authenticates(before.Access))
		w.asked = true
		w.refused(fault.FactorDue, w.authenticates(before.Access)) // also a session that was there before
		require.NoError(t, w.authenticates(script))
		account, err := w.Account(ctx, wang)
		require.NoError(t, err)
		require.True(t, account.FactorDue)
		p, secret, _ := w.enrolled()
		require.NoError(t, err)
		w.later(time.Minute)
		tokens, err := w.second(w.ticket(), w.code(secret))
		require.NoError(t, err)
		require.NoError(t, w.authenticates(tokens.Access))
		require.NoError(t, w.FactorOff(ctx, p, w.proof(first)))
		w.refused(fault.FactorDue, w.authenticates(tokens.Access))
	})
}

// TestTicketServesOnce: of several recovery codes that are given for one ticket at once, one opens a session.
func TestTicketServesOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, err := w.Authenticate(t.Context(), w.signedIn().Access)
		require.NoError(t, err)
		e, err := w.BeginFactor(t.Context(), p, "Sluice", w.proof(first))
		require.NoError(t, err)
		codes, err := w.ConfirmFactor(t.Context(), p, e.Ticket, w.code(e.Secret))
		require.NoError(t, err)
		for three := range slices.Chunk(codes[:9], 3) {
			ticket := w.ticket()
			var all sync.WaitGroup
			results, start := make(chan error, len(three)), make(chan struct{})
			for _, code := range three {
				all.Go(func() {
					<-start
					_, err := w.second(ticket, code)
					results <- err
				})
			}
			close(start)
			all.Wait()
			close(results)
			good := 0
			for err := range results {
				if err == nil {
					good++
					continue
				}
				w.refused(fault.SignInStale, err)
			}
			require.Equal(t, 1, good)
			w.later(time.Hour) // what was refused is forgotten
		}
	})
}
