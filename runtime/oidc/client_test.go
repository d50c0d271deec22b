package oidc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/oidc"
)

var secrets = oidc.Secrets{State: "state", Nonce: "nonce", Verifier: strings.Repeat("v", 43)}

// TestAddress: the browser is sent to the provider with what its answer is bound to, and with the address it comes back to.
func TestAddress(t *testing.T) {
	i := newIssuer(t, false)
	for _, one := range []struct {
		scopes []string
		want   string
	}{{nil, "openid profile email"}, {[]string{"mail"}, "openid mail"}} {
		address, err := i.client(one.scopes...).Address(t.Context(), "main", secrets)
		require.NoError(t, err)
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, i.URL+"/auth", u.Scheme+"://"+u.Host+u.Path)
		require.Equal(t, url.Values{"prompt": {"login"}, "client_id": {"sluice"}, "response_type": {"code"}, "scope": {one.want},
			"state": {"state"}, "nonce": {"nonce"}, "redirect_uri": {"https://sluice.example/oauthCallback"},
			"code_challenge_method": {"S256"}, "code_challenge": {"7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM"}}, u.Query())
	}
	_, err := i.client().Address(t.Context(), "other", secrets)
	require.ErrorIs(t, err, oidc.ErrUnknown)
	_, err = i.client().Identify(t.Context(), "other", secrets, oidc.Answer{Code: "code"})
	require.ErrorIs(t, err, oidc.ErrUnknown)
}

func TestProviders(t *testing.T) {
	var none *oidc.Client
	require.Empty(t, none.Providers())
	_, ok := none.Provider("main")
	require.False(t, ok)
	c := newIssuer(t, false).client()
	require.Len(t, c.Providers(), 1)
	p, ok := c.Provider("main")
	require.True(t, ok)
	require.Equal(t, "Main", p.Name)
	_, ok = c.Provider("Main")
	require.False(t, ok)
	_, err := oidc.New([]oidc.Provider{{Code: "bad code"}}, "https://sluice.example", time.Now)
	require.ErrorContains(t, err, `"bad code"`)
}

// named changes claims of the token, says keys of the provider's description, tells what it says of a person elsewhere; nil = leave it out.
func named(key string, v any, more ...any) func(*issuer) {
	return func(i *issuer) { i.claims = object(append([]any{key, v}, more...)) }
}

func says(key string, v any) func(*issuer) {
	return func(i *issuer) { i.describe = map[string]any{key: v} }
}

func tells(key string, v any, more ...any) func(*issuer) {
	return func(i *issuer) { i.about = object(append([]any{key, v}, more...)) }
}

func signed(alg string, sign func([]byte) string) func(*issuer) {
	return func(i *issuer) { i.alg, i.sign = alg, sign }
}

func answers(key string, v any, more ...any) func(*issuer) {
	return func(i *issuer) {
		all := with(map[string]any{"access_token": "access", "token_type": "Bearer"}, object(append([]any{key, v}, more...)))
		i.answer = func(w http.ResponseWriter, _ *http.Request) { send(w, all) }
	}
}

func object(pairs []any) map[string]any {
	out := map[string]any{}
	for k := 0; k < len(pairs); k += 2 {
		out[pairs[k].(string)] = pairs[k+1]
	}
	return out
}

type changes []func(*issuer)

// TestIdentify: who is named by a token is let through, or refused for one reason. What the provider is sent binds the code to this
// sign-in.
func TestIdentify(t *testing.T) {
	const algorithms = "id_token_signing_alg_values_supported"
	const namesSelf = "authorization_response_iss_parameter_supported"
	wang := oidc.Identity{Subject: "s1", Email: "wang@example.com", Name: "Wang", Username: "wang", Verified: true}
	unverified, longest, elsewhere, quiet := wang, wang, wang, wang
	unverified.Verified = false
	longest.Subject = strings.Repeat("s", 255)
	elsewhere.Email, elsewhere.Name, elsewhere.Username = "w@example.com", "W", ""
	quiet.Email = ""
	both := []string{"sluice", "other"}
	for _, one := range []struct {
		name    string
		change  changes
		answer  string // the issuer that the browser's answer names
		nonce   string // of the sign-in; "-" = none
		want    oidc.Identity
		refused string // part of the reason; "" = let through
	}{
		{name: "usual", want: wang},
		{name: "nonce of another", change: changes{named("nonce", "other")}, refused: "nonce"},
		{name: "nonce with more", change: changes{named("nonce", "nonce2")}, refused: "nonce"},
		{name: "without nonce", change: changes{named("nonce", nil)}, refused: "nonce"},
		{name: "without nonces", change: changes{named("nonce", nil)}, nonce: "-", refused: "nonce"},
		{name: "issuer of another", change: changes{named("iss", "https://elsewhere.example")}, refused: "issue"},
		{name: "audience of another", change: changes{named("aud", "other")}, refused: "audience"},
		{name: "several audiences", change: changes{named("aud", both)}, refused: "made for"},
		{name: "several audiences, for us", change: changes{named("aud", both, "azp", "sluice")}, want: wang},
		{name: "several audiences, for another", change: changes{named("aud", both, "azp", "other")}, refused: "made for"},
		{name: "for another", change: changes{named("azp", "other")}, refused: "made for"},
		{name: "one audience in a list", change: changes{named("aud", []string{"sluice"})}, want: wang},
		{name: "expired", change: changes{named("exp", start.Add(-time.Second).Unix())}, refused: "expired"},
		{name: "from the future", change: changes{named("iat", start.Add(31*time.Second).Unix())}, refused: "future"},
		{name: "clocks that differ", change: changes{named("iat", start.Add(30*time.Second).Unix())}, want: wang},
		{name: "without subject", change: changes{named("sub", nil)}, refused: "subject"},
		{name: "longest subject", change: changes{named("sub", longest.Subject)}, want: longest},
		{name: "too long a subject", change: changes{named("sub", longest.Subject+"s")}, refused: "subject"},

		{name: "unsigned", change: changes{signed("none", signNothing)}, refused: "oidc"},
		{name: "signed by another", change: changes{signed("RS256", signRSA(keys().foreign))}, refused: "signature"},
		{name: "signed with the secret", change: changes{signed("HS256", signSecret)}, refused: "algorithm"},
		{name: "signed with the secret, which the provider names", refused: "algorithm",
			change: changes{signed("HS256", signSecret), says(algorithms, []string{"HS256"})}},
		{name: "no algorithm of ours is named", change: changes{says(algorithms, []string{"HS256"})}, want: wang},
		{name: "another algorithm", change: changes{signed("ES256", signEC)}, refused: "algorithm"},
		{name: "an algorithm that is named", change: changes{signed("ES256", signEC), says(algorithms, []string{"RS256", "ES256"})}, want: wang},
		{name: "an algorithm that is not named", change: changes{says(algorithms, []string{"ES256"})}, refused: "algorithm"},
		{name: "hash of the access token", change: changes{named("at_hash", hash("access"))}, want: wang},
		{name: "hash of another", change: changes{named("at_hash", hash("other"))}, refused: "hash"},

		{name: "unverified address", change: changes{named("email_verified", false)}, want: unverified},
		{name: "nobody speaks of the address", change: changes{named("email_verified", nil)}, want: unverified},
		{name: "an address that only looks verified", change: changes{named("email_verified", "true")}, want: unverified},
		{name: "claims of another type", change: changes{named("email", 7)}, refused: "json"},
		{name: "no token", change: changes{answers("scope", "openid")}, refused: "no ID token"},
		{name: "a token of another type", change: changes{answers("id_token", 7)}, refused: "no ID token"},

		{name: "answer of this provider", change: changes{says(namesSelf, true)}, answer: "self", want: wang},
		{name: "answer of this provider, which need not say so", answer: "self", want: wang},
		{name: "answer of another provider", answer: "https://elsewhere.example", refused: "elsewhere.example"},
		{name: "answer of nobody", change: changes{says(namesSelf, true)}, refused: "issuer"},

		{name: "told elsewhere", want: elsewhere,
			change: changes{named("email", nil), tells("sub", "s1", "email", "w@example.com", "email_verified", true, "name", "W")}},
		{name: "told elsewhere about somebody else", change: changes{named("email", nil), tells("sub", "s2", "email", "w@example.com")},
			refused: "somebody else"},
		{name: "told elsewhere in another form", change: changes{named("email", nil), tells("sub", "s1", "name", 7)}, refused: "json"},
		{name: "not asked elsewhere", change: changes{tells("sub", "s2", "email", "w@example.com")}, want: wang},
		{name: "nothing is told elsewhere", change: changes{named("email", nil), says("userinfo_endpoint", nil)}, want: quiet},
	} {
		t.Run(one.name, func(t *testing.T) {
			i := newIssuer(t, false)
			for _, change := range one.change {
				change(i)
			}
			s, a := secrets, oidc.Answer{Code: "the code", Issuer: one.answer}
			if one.nonce == "-" {
				s.Nonce = ""
			}
			if one.answer == "self" {
				a.Issuer = i.URL
			}
			got, err := i.client().Identify(t.Context(), "main", s, a)
			if one.refused != "" {
				require.ErrorContains(t, err, one.refused)
				return
			}
			require.NoError(t, err)
			one.want.Issuer = i.URL
			require.Equal(t, one.want, got)
			require.Equal(t, []url.Values{{"code": {"the code"}, "code_verifier": {s.Verifier}, "grant_type": {"authorization_code"},
				"redirect_uri": {"https://sluice.example/oauthCallback"}}}, i.forms)
		})
	}
}

// TestRefusedCode: the provider's words are not repeated, for they may quote what was sent. It is not followed elsewhere, and an answer
// that is too long is cut.
func TestRefusedCode(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the secret went elsewhere")
	}))
	defer elsewhere.Close()
	for _, one := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"refused", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error": "invalid_grant", "error_description": "the code of client-secret"}`))
		}, "exchange the code: the provider refused it: 400 Bad Request invalid_grant"},
		{"sent on", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
			"exchange the code: the provider refused it: 307 Temporary Redirect "},
	} {
		i := newIssuer(t, false)
		i.answer = one.answer
		_, err := i.client().Identify(t.Context(), "main", secrets, oidc.Answer{Code: "code"})
		require.EqualError(t, err, one.want, one.name)
	}
	i := newIssuer(t, false)
	named("email", nil)(i)
	tells("sub", "s1", "filler", strings.Repeat("x", 1<<20))(i)
	_, err := i.client().Identify(t.Context(), "main", secrets, oidc.Answer{Code: "code"})
	require.ErrorContains(t, err, "ask about the person")
}

// TestDescription: what the provider says of itself is asked once and has to be about itself. One that is away is asked again after a
// while, and who comes before that is told the same.
func TestDescription(t *testing.T) {
	const at = "/.well-known/openid-configuration"
	i := newIssuer(t, false)
	i.describe = map[string]any{"issuer": "https://elsewhere.example"}
	c := i.client()
	for range 2 {
		_, err := c.Address(t.Context(), "main", secrets)
		require.ErrorContains(t, err, "elsewhere.example")
		_, err = c.Identify(t.Context(), "main", secrets, oidc.Answer{Code: "code"})
		require.ErrorContains(t, err, "elsewhere.example")
	}
	require.Equal(t, 1, i.asked[at])
	i.describe, i.now = nil, i.now.Add(5*time.Second-time.Nanosecond)
	_, err := c.Address(t.Context(), "main", secrets)
	require.Error(t, err)
	i.now = i.now.Add(time.Nanosecond)
	for range 2 {
		_, err = c.Address(t.Context(), "main", secrets)
		require.NoError(t, err)
	}
	require.Equal(t, 2, i.asked[at])

	left, leave := context.WithCancel(t.Context())
	leave()
	c = i.client()
	_, err = c.Address(left, "main", secrets)
	require.ErrorIs(t, err, context.Canceled)
	_, err = c.Address(t.Context(), "main", secrets)
	require.NoError(t, err, "who left says nothing about the provider")

	i = newIssuer(t, false)
	i.describe = map[string]any{"id_token_signing_alg_values_supported": "RS256"}
	_, err = i.client().Address(t.Context(), "main", secrets)
	require.ErrorContains(t, err, "json")
}

// TestEncrypted: all addresses of a provider that is spoken to encrypted are.
func TestEncrypted(t *testing.T) {
	_, err := newIssuer(t, true).client().Address(t.Context(), "main", secrets)
	require.NoError(t, err)
	for _, key := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		i := newIssuer(t, true)
		i.describe = map[string]any{key: "http://id.example/x"}
		_, err := i.client().Address(t.Context(), "main", secrets)
		require.ErrorContains(t, err, `"http://id.example/x" is not encrypted`, key)
	}
	i := newIssuer(t, true)
	i.describe = map[string]any{"userinfo_endpoint": nil}
	_, err = i.client().Address(t.Context(), "main", secrets)
	require.NoError(t, err, "it need not tell about people")
}
