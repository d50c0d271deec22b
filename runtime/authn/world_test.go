package authn_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// people is a directory of a few persons.
type people map[string]principal.Person

func (p people) Person(_ context.Context, id string) (principal.Person, bool) {
	person, ok := p[id]
	return person, ok
}

func (p people) PersonByName(_ context.Context, name string) (principal.Person, bool) {
	for _, person := range p {
		if strings.EqualFold(person.Username, name) {
			return person, true
		}
	}
	return principal.Person{}, false
}

func (p people) Below(_ context.Context, departments []string) []string { return departments }

func (p people) Department(context.Context, string) (principal.Department, bool) {
	return principal.Department{}, false
}

const (
	wang     = "00000000-0000-7000-8000-000000000001"
	first    = "Long-Enough-1"
	second   = "Long-Enough-2"
	username = "wang.fang"
	home     = "192.0.2.1" // where wang signs in from
)

// world is a service with its clock, its people and what it logged.
type world struct {
	*authn.Service
	t      *testing.T
	db     *store.DB
	people people
	asked  bool // whether the role staff asks for a second factor
	now    time.Time
	log    strings.Builder
}

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	w := &world{t: t, db: db, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC),
		people: people{wang: {ID: wang, Username: username, Name: "王芳", Roles: []string{"staff"}}}}
	s, err := authn.New(t.Context(), authn.Options{DB: db, People: w.people, Clock: func() time.Time { return w.now },
		Log: slog.New(slog.NewTextHandler(&w.log, nil)), Master: authn.MasterForTest,
		Demands: func(p principal.Person) bool { return w.asked && slices.Contains(p.Roles, "staff") }})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	w.Service = s
	return w
}

// each runs f on a service over each database; the user wang has the password first.
func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		require.NoError(t, w.SetPassword(t.Context(), wang, first, false, false))
		f(t, w)
	}, tables()...)
}

// tables are those that the service writes.
func tables() []any { return append(authn.Tables(), audit.Tables()...) }

// later moves the clock; what the service remembers of sessions for a second is forgotten too.
func (w *world) later(d time.Duration) { w.now = w.now.Add(d) }

// encrypt does what the browser does: a one-time key for the texts.
func (w *world) encrypt(texts ...string) (index string, sealed []secret.Text) {
	w.t.Helper()
	key, err := w.LoginKey(w.t.Context())
	require.NoError(w.t, err)
	block, _ := pem.Decode([]byte(key.Key))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	require.NoError(w.t, err)
	for _, text := range texts {
		b, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(text), nil)
		require.NoError(w.t, err)
		sealed = append(sealed, secret.Text(base64.StdEncoding.EncodeToString(b)))
	}
	return key.Index, sealed
}

func (w *world) signIn(name, password string) (authn.Tokens, error) {
	w.t.Helper()
	return w.signInFrom(home, name, password)
}

func (w *world) signInFrom(peer, name, password string) (authn.Tokens, error) {
	w.t.Helper()
	index, sealed := w.encrypt(password)
	return w.SignIn(w.t.Context(), authn.Credentials{Username: name, Password: sealed[0], Index: index, Peer: peer})
}

func (w *world) signedIn() authn.Tokens {
	w.t.Helper()
	tokens, err := w.signIn(username, first)
	require.NoError(w.t, err)
	return tokens
}

func (w *world) refused(want fault.Code, err error) {
	w.t.Helper()
	require.Error(w.t, err)
	require.Equal(w.t, want, fault.Of(err), "%v", err)
}

// authenticates reports whether an access token is good, or why not.
func (w *world) authenticates(token string) error {
	_, err := w.Authenticate(w.t.Context(), token)
	return err
}
