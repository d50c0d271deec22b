package oidc_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/oidc"
)

// provider is an entry of the file of providers, with other values; nil = leave the key out.
func provider(other map[string]any) map[string]any {
	const issuer = "https://id.example.com/realms/main"
	return with(map[string]any{"code": "main", "name": "Main", "issuer": issuer, "clientId": "sluice"}, other)
}

// read writes a file of providers with a secret beside it, and reads it.
func read(t *testing.T, environment map[string]string, secret string, of ...map[string]any) ([]oidc.Provider, error) {
	t.Helper()
	dir := t.TempDir()
	text, err := json.Marshal(of)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "providers.json"), text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte(secret), 0o600))
	return oidc.Read(filepath.Join(dir, "providers.json"), func(name string) string { return environment[name] })
}

// TestSettings: each fault of the settings has its sentence.
func TestSettings(t *testing.T) {
	type m = map[string]any
	environment := map[string]string{"SLUICE_OIDC_SECRET_MAIN": "hidden", "SLUICE_OIDC_SECRET_A234567890123456789012345678901": "hidden"}
	for _, one := range []struct {
		name  string
		other m
		want  string // part of the fault; "" = none
	}{
		{"usual", nil, ""},
		{"a port and a path", m{"issuer": "https://id.example.com:8443/x/"}, ""},
		{"this machine", m{"issuer": "http://localhost:8080"}, ""},
		{"this machine by its address", m{"issuer": "http://127.0.0.1:8080"}, ""},
		{"this machine by its newer address", m{"issuer": "http://[::1]:8080"}, ""},
		{"longest code", m{"code": "a234567890123456789012345678901"}, ""},
		{"too long a code", m{"code": "a2345678901234567890123456789012"}, "code must be"},
		{"large letters", m{"code": "Main"}, "code must be"},
		{"digit first", m{"code": "1main"}, "code must be"},
		{"sign in the code", m{"code": "ma-in"}, "code must be"},
		{"without a code", m{"code": nil}, "code must be"},
		{"without a name", m{"name": nil}, "name is missing"},
		{"without a client", m{"clientId": nil}, "clientId is missing"},
		{"without an issuer", m{"issuer": nil}, "issuer must be the address"},
		{"no address", m{"issuer": "https://%"}, "issuer must be the address"},
		{"without a host", m{"issuer": "https:///realms/main"}, "issuer must be the address"},
		{"nothing but a protocol", m{"issuer": "https:main"}, "issuer must be the address"},
		{"a path only", m{"issuer": "/realms/main"}, "issuer must be the address"},
		{"a query", m{"issuer": "https://id.example.com/?x=1"}, "issuer must be the address"},
		{"a fragment", m{"issuer": "https://id.example.com/#x"}, "issuer must be the address"},
		{"a person", m{"issuer": "https://me@id.example.com/"}, "issuer must be the address"},
		{"unencrypted", m{"issuer": "http://id.example.com"}, "must begin with https://"},
		{"unencrypted, by an address", m{"issuer": "http://10.0.0.1"}, "must begin with https://"},
		{"another protocol", m{"issuer": "ftp://localhost"}, "must begin with https://"},
		{"makes people", m{"create": true, "roles": []string{"staff"}}, ""},
		{"makes people without roles", m{"create": true}, "create needs roles"},
		{"roles of nobody", m{"roles": []string{"staff"}}, "set create"},
		{"a key that is not known", m{"secret": "x"}, "unknown field"},
	} {
		got, err := read(t, environment, "", provider(one.other))
		if one.want != "" {
			require.ErrorContains(t, err, one.want, one.name)
			require.ErrorContains(t, err, "providers.json", one.name)
			require.NotContains(t, err.Error(), "hidden", one.name)
			continue
		}
		require.NoError(t, err, one.name)
		require.Len(t, got, 1, one.name)
		require.Equal(t, "hidden", got[0].Secret.Reveal(), one.name)
	}
}

// TestSecrets: the secret is in the file that is named, whose place is seen from the file of the providers, or else in the
// environment.
func TestSecrets(t *testing.T) {
	absolute := filepath.Join(t.TempDir(), "absolute")
	require.NoError(t, os.WriteFile(absolute, []byte("of a file elsewhere"), 0o600))
	environment := map[string]string{"SLUICE_OIDC_SECRET_MAIN": "of the environment"}
	for _, one := range []struct {
		name        string
		file        any
		secret      string
		environment map[string]string
		want, fault string
	}{
		{"environment", nil, "x", environment, "of the environment", ""},
		{"nowhere", nil, "x", nil, "", "set SLUICE_OIDC_SECRET_MAIN"},
		{"file", "secret", " of the file \n", environment, "of the file", ""},
		{"file elsewhere", absolute, "x", nil, "of a file elsewhere", ""},
		{"empty file", "secret", "\n", environment, "", "is empty"},
		{"no file", "missing", "x", environment, "", "missing"},
	} {
		got, err := read(t, one.environment, one.secret, provider(map[string]any{"clientSecretFile": one.file}))
		if one.fault != "" {
			require.ErrorContains(t, err, one.fault, one.name)
			require.ErrorContains(t, err, `provider 1 ("main")`, one.name)
			continue
		}
		require.NoError(t, err, one.name)
		require.Equal(t, one.want, got[0].Secret.Reveal(), one.name)
	}
}

func TestSeveralProviders(t *testing.T) {
	environment := map[string]string{"SLUICE_OIDC_SECRET_MAIN": "a", "SLUICE_OIDC_SECRET_OTHER": "b"}
	got, err := read(t, environment, "", provider(nil), provider(map[string]any{"code": "other"}))
	require.NoError(t, err)
	require.Equal(t, []string{"main", "other"}, []string{got[0].Code, got[1].Code})
	require.Equal(t, []string{"a", "b"}, []string{got[0].Secret.Reveal(), got[1].Secret.Reveal()})
	_, err = read(t, environment, "", provider(nil), provider(nil))
	require.ErrorContains(t, err, `two providers have the code "main"`)
	_, err = read(t, environment, "", provider(nil), provider(map[string]any{"code": "other", "name": ""}))
	require.ErrorContains(t, err, `provider 2 ("other")`)
	_, err = oidc.Read(filepath.Join(t.TempDir(), "none.json"), os.Getenv)
	require.ErrorIs(t, err, os.ErrNotExist)
}
