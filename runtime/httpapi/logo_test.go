package httpapi

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestAppLogo: the address of an application's logo answers its picture, to those who open the application.
func TestAppLogo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	for name, text := range map[string]string{
		"pack.json":            `{"code": "harbor", "name": "港", "name_i18n": {"en": "Harbor"}, "version": "1.0.0"}`,
		"app.json":             `{"name": "港", "name_i18n": {"en": "Harbor"}, "logo": "l.svg", "menu": []}`,
		"l.svg":                drawing,
		"access/sailor.json":   `{"name": "船员", "name_i18n": {"en": "Sailor"}, "apps": ["harbor"]}`,
		"access/stranger.json": `{"name": "外人", "name_i18n": {"en": "Stranger"}}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	w, err := openWorld(t.TempDir(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	for _, name := range []string{"sailor", "stranger"} {
		_, err := w.app.AddUser(t.Context(), name, name, []string{name})
		require.NoError(t, err)
	}
	var apps []struct {
		Code    string
		LogoURL *string
	}
	require.NoError(t, json.Unmarshal(w.send(t, call{method: "GET", path: "/api/app/apppackage/list", actor: "sailor"}).Data, &apps))
	require.Len(t, apps, 1)
	require.NotNil(t, apps[0].LogoURL)
	got := w.send(t, call{method: "GET", path: *apps[0].LogoURL, actor: "sailor"})
	require.Equal(t, http.StatusOK, got.Code)
	require.Equal(t, drawing, got.Body.String())
	require.Equal(t, "image/svg+xml", got.Header().Get("Content-Type"))
	require.Contains(t, got.Header().Get("Content-Security-Policy"), "sandbox", "opened by itself, it runs nothing")
	require.Equal(t, fault.FileNotFound, w.send(t, call{method: "GET", path: *apps[0].LogoURL, actor: "stranger"}).Errcode)
}
