package authn

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// one is a directory of one person.
type one struct{ principal.Directory }

func (one) Person(context.Context, string) (principal.Person, bool) {
	return principal.Person{ID: "u1"}, true
}
func (one) Below(context.Context, []string) []string { return nil }

func newService(t *testing.T) (*Service, time.Time) {
	t.Helper()
	now := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	db := storetest.Open(t, store.Options{Dir: t.TempDir(), System: append(Tables(), audit.Tables()...)})
	s, err := New(t.Context(), Options{DB: db, People: one{}, Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Master: MasterForTest})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, now
}

// TestAccessTokens forges what can be forged: only the server's own algorithm, key, issuer, audience and life are taken.
func TestAccessTokens(t *testing.T) {
	s, now := newService(t)
	ctx := t.Context()
	good, err := s.ScriptToken(ctx, "u1", "", time.Hour)
	require.NoError(t, err)
	var session string
	{
		c, err := s.parse(good)
		require.NoError(t, err)
		session = c.Session
	}
	forge := func(method jwt.SigningMethod, key any, change func(*claims)) string {
		c := claims{Session: session, RegisteredClaims: jwt.RegisteredClaims{Issuer: issuer, Audience: jwt.ClaimStrings{audience},
			Subject: "u1", IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute))}}
		change(&c)
		text, err := jwt.NewWithClaims(method, c).SignedString(key)
		require.NoError(t, err)
		return text
	}
	same := func(*claims) {}
	parts := strings.Split(good, ".")
	for name, c := range map[string]struct {
		token string
		want  fault.Code
	}{
		"the server's own":    {forge(jwt.SigningMethodHS256, s.keys.sign, same), 0},
		"no algorithm":        {forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same), fault.Unauthenticated},
		"another algorithm":   {forge(jwt.SigningMethodHS512, s.keys.sign, same), fault.Unauthenticated},
		"another key":         {forge(jwt.SigningMethodHS256, []byte("a key of somebody else's making!"), same), fault.Unauthenticated},
		"the cursor's key":    {forge(jwt.SigningMethodHS256, s.keys.cursor, same), fault.Unauthenticated},
		"another issuer":      {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.Issuer = "other" }), fault.Unauthenticated},
		"another audience":    {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.Audience = jwt.ClaimStrings{"x"} }), fault.Unauthenticated},
		"without an end":      {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.ExpiresAt = nil }), fault.Unauthenticated},
		"ended":               {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.ExpiresAt = jwt.NewNumericDate(now.Add(-time.Second)) }), fault.TokenExpired},
		"another's session":   {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.Subject = "u2" }), fault.TokenExpired},
		"an unknown session":  {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.Session = "none" }), fault.TokenExpired},
		"another version":     {forge(jwt.SigningMethodHS256, s.keys.sign, func(c *claims) { c.Version = 7 }), fault.TokenExpired},
		"signature cut off":   {parts[0] + "." + parts[1] + ".", fault.Unauthenticated},
		"payload of another":  {parts[0] + "." + strings.Split(forge(jwt.SigningMethodHS256, []byte("k"), same), ".")[1] + "." + parts[2], fault.Unauthenticated},
		"not a token":         {"abc", fault.Unauthenticated},
		"empty":               {"", fault.Unauthenticated},
		"ten thousand points": {strings.Repeat(".", 10000), fault.Unauthenticated},
	} {
		_, err := s.Authenticate(ctx, c.token)
		require.Equal(t, c.want, fault.Of(err), name)
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	s, _ := newService(t)
	secrets := []string{}
	for _, key := range [][]byte{s.keys.sign, s.keys.cursor} {
		require.Len(t, key, 32)
		secrets = append(secrets, string(key), hex.EncodeToString(key), fmt.Sprint(key), strings.Trim(fmt.Sprint(key), "[]"))
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "keys", s.keys)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "keys", *s.keys)
	asJSON, err := json.Marshal(s.keys)
	require.NoError(t, err)
	shown := log.String() + string(asJSON)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		shown += fmt.Sprintf(verb, s.keys) + fmt.Sprintf(verb, *s.keys) + fmt.Sprintf(verb, s)
	}
	for _, secret := range secrets {
		require.NotContains(t, shown, secret)
	}
	require.NotEqual(t, s.keys.sign, s.keys.cursor)
}

// TestKeysStay: a restarted or second node takes the same keys, so that tokens go on and sealed keys open.
func TestKeysStay(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = Tables()
		var kept []*keys
		for range 2 {
			k, err := loadKeys(t.Context(), storetest.Open(t, o), MasterForTest)
			require.NoError(t, err)
			kept = append(kept, k)
		}
		require.Equal(t, kept[0].sign, kept[1].sign)
		sealed, err := kept[0].Seal([]byte("plain"))
		require.NoError(t, err)
		opened, err := kept[1].Open(sealed)
		require.NoError(t, err)
		require.Equal(t, "plain", string(opened))
		sealed[len(sealed)-1] ^= 1
		_, err = kept[1].Open(sealed)
		require.Error(t, err)
	})
}

// TestKeysAtRest: the keys in the database are sealed with one that is not in it; those of an earlier version are sealed at the
// next start and stay the same.
func TestKeysAtRest(t *testing.T) {
	given := func(text string) Master { return func(bool) (secret.Text, error) { return secret.Text(text), nil } }
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = Tables()
		db := storetest.Open(t, o)
		rows := func() (all []keptKey) {
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Order("name").Find(&all).Error }))
			return all
		}
		before, err := loadKeys(t.Context(), db, given("")) // as earlier versions did
		require.NoError(t, err)
		for _, row := range rows() {
			require.False(t, row.Sealed)
			require.Len(t, row.Value, 32)
		}
		_, err = loadKeys(t.Context(), db, given("too short"))
		require.ErrorContains(t, err, "openssl rand")

		const key = "0123456789abcdef0123456789abcdef"
		for range 2 {
			after, err := loadKeys(t.Context(), db, given(key+"\n"))
			require.NoError(t, err)
			require.Equal(t, before.sign, after.sign)
			require.Equal(t, before.cursor, after.cursor)
			require.Equal(t, before.paper, after.paper)
			sealed, err := before.Seal([]byte("plain"))
			require.NoError(t, err)
			_, err = after.Open(sealed)
			require.NoError(t, err)
		}
		require.Len(t, rows(), 4)
		for _, row := range rows() {
			require.True(t, row.Sealed, row.Name)
			for _, plain := range [][]byte{before.sign, before.cursor, before.paper} {
				require.NotContains(t, string(row.Value), string(plain))
			}
		}
		_, err = loadKeys(t.Context(), db, given(strings.Repeat("x", 32)))
		require.ErrorIs(t, err, ErrMaster)
		_, err = loadKeys(t.Context(), db, given(""))
		require.ErrorIs(t, err, ErrNoMaster)
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { // one row in place of another
			all := rows()
			return tx.System().Model(&keptKey{}).Where("name = ?", all[0].Name).Update("value", all[1].Value).Error
		}))
		_, err = loadKeys(t.Context(), db, given(key))
		require.ErrorIs(t, err, ErrMaster)
	})
}

// TestTokensMadeOtherwise: a signature is not enough.
func TestTokensMadeOtherwise(t *testing.T) {
	s, now := newService(t)
	good, err := s.ScriptToken(t.Context(), "u1", "", time.Hour)
	require.NoError(t, err)
	known, err := s.parse(good)
	require.NoError(t, err)
	for name, change := range map[string]func(*jwt.Token, *claims){
		"without iat":     func(_ *jwt.Token, c *claims) { c.IssuedAt = nil },
		"iat to come":     func(_ *jwt.Token, c *claims) { c.IssuedAt = jwt.NewNumericDate(now.Add(time.Minute)) },
		"crit":            func(t *jwt.Token, _ *claims) { t.Header["crit"] = []string{"exp-limit"} },
		"crit of nothing": func(t *jwt.Token, _ *claims) { t.Header["crit"] = nil },
	} {
		c := *known
		token := jwt.NewWithClaims(jwt.SigningMethodHS256, &c)
		change(token, &c)
		text, err := token.SignedString(s.keys.sign)
		require.NoError(t, err)
		_, err = s.Authenticate(t.Context(), text)
		require.Equal(t, fault.Unauthenticated, fault.Of(err), name)
	}
	c := *known
	c.IssuedAt = jwt.NewNumericDate(now.Add(2 * time.Second)) // another node's clock
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, &c).SignedString(s.keys.sign)
	require.NoError(t, err)
	_, err = s.Authenticate(t.Context(), text)
	require.NoError(t, err)
}

// TestHashesTakeTurns: a burst of sign-ins takes one core, and who cannot wait is told so.
func TestHashesTakeTurns(t *testing.T) {
	h, err := newHasher()
	require.NoError(t, err)
	h.turn <- struct{}{} // somebody's turn
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = h.Matches(ctx, "", "Long-Enough-1")
	require.Equal(t, fault.TooManyRequests, fault.Of(err))
	_, err = h.Hash(ctx, "Long-Enough-1")
	require.Equal(t, fault.TooManyRequests, fault.Of(err))
	<-h.turn
	_, err = h.Matches(t.Context(), "", "Long-Enough-1")
	require.NoError(t, err)
}

// TestSweep: what has ended is removed, what still counts is not.
func TestSweep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		now := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
		s, err := New(ctx, Options{DB: db, People: one{}, Clock: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Master: MasterForTest})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		count := func() (out [4]int64) {
			require.NoError(t, s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
				for i, table := range []any{&session{}, &refresh{}, &loginKey{}, &guess{}} {
					require.NoError(t, tx.System().Model(table).Count(&out[i]).Error)
				}
				return nil
			}))
			return out
		}
		sweep := func(after time.Duration) {
			now = now.Add(after)
			s.sweep(ctx, now)
		}
		_, err = s.newSession(ctx, "u1", place{})
		require.NoError(t, err)
		_, err = s.LoginKey(ctx)
		require.NoError(t, err)
		proven, err := s.try(ctx, "user u1", "192.0.2.1")
		require.NoError(t, err)
		require.NoError(t, s.db.Write(ctx, proven.right))
		require.Equal(t, [4]int64{1, 1, 1, 3}, count())
		sweep(loginKeyLife + time.Minute)
		require.Equal(t, [4]int64{1, 1, 0, 1}, count())
		sweep(RefreshLife)
		require.Equal(t, [4]int64{0, 0, 0, 1}, count())
		sweep(provenLife)
		require.Equal(t, [4]int64{0, 0, 0, 0}, count())
	}, append(Tables(), audit.Tables()...)...)
}

// TestStoredTokensAreHashes: the person who reads the tables cannot sign in with what is there.
func TestStoredTokensAreHashes(t *testing.T) {
	s, _ := newService(t)
	ctx := t.Context()
	require.NoError(t, s.SetPassword(ctx, "u1", "Long-Enough-1", false, false))
	tokens, err := s.newSession(ctx, "u1", place{})
	require.NoError(t, err)
	key, err := s.LoginKey(ctx)
	require.NoError(t, err)
	require.NoError(t, s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var r []refresh
		var l []loginKey
		var c []credential
		for _, rows := range []any{&r, &l, &c} {
			if err := tx.System().Find(rows).Error; err != nil {
				return err
			}
		}
		all := fmt.Sprintf("%+v %+v %s", r, c, l[0].Sealed)
		require.NotContains(t, all, tokens.Refresh)
		require.NotContains(t, fmt.Sprintf("%+v", l), key.Index)
		require.NotContains(t, all, "Long-Enough-1")
		require.Contains(t, c[0].Hash, "$argon2id$v=19$m=")
		return nil
	}))
}

// TestCostOfTheProduct: what the other tests make cheap is dear in the product, and hashes of another cost stay valid.
func TestCostOfTheProduct(t *testing.T) {
	cheap, err := newHasher()
	require.NoError(t, err)
	dear := &hasher{turn: make(chan struct{}, 1), memory: productMemory, time: productTime}
	for from, to := range map[*hasher]*hasher{cheap: dear, dear: cheap} {
		hash, err := from.Hash(t.Context(), "Long-Enough-1")
		require.NoError(t, err)
		require.Equal(t, from == dear, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
		for password, same := range map[secret.Text]bool{"Long-Enough-1": true, "Long-Enough-2": false} {
			matches, err := to.Matches(t.Context(), hash, password)
			require.NoError(t, err)
			require.Equal(t, same, matches)
		}
	}
	key, err := productMake()
	require.NoError(t, err)
	require.Equal(t, 2048, key.N.BitLen())
}

// TestKeysAreMadeAsTheyAreAsked: many visitors at once each get a key of their own, whether or not keys were made ahead.
func TestKeysAreMadeAsTheyAreAsked(t *testing.T) {
	for _, ahead := range []bool{false, true} {
		s, _ := newService(t)
		if ahead {
			s.KeysAhead()
		}
		const visitors = 3 * readyKeys
		got := make(chan LoginKey, visitors)
		for range visitors {
			go func() {
				key, err := s.LoginKey(t.Context())
				if err != nil {
					t.Error(err)
				}
				got <- key
			}()
		}
		seen := map[string]bool{}
		for range visitors {
			key := <-got
			seen[key.Key] = true
			require.NotEmpty(t, key.Index)
		}
		require.Len(t, seen, visitors)
		require.Eventually(t, func() bool { return len(s.stock.ready) == readyKeys }, 10*time.Second, 5*time.Millisecond, "the stock grew with the demand")
	}
}
