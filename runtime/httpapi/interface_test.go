package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
)

// writeBundle writes a bundle of one module and one style beside a file that is not published, and returns its digest.
func writeBundle(t *testing.T, dir, pack string) string {
	t.Helper()
	files := map[string]string{"index.js": "export default 1", "look.css": "b{}"}
	sum := sha256.New()
	for _, name := range []string{"index.js", "look.css"} {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	digest := hex.EncodeToString(sum.Sum(nil))[:32]
	manifest, err := json.Marshal(map[string]any{"pack": pack, "sdk": "1.0", "digest": digest, "entry": "index.js", "styles": []string{"look.css"},
		"files": []string{"index.js", "look.css"}, "defines": map[string]any{"properties": []int{950}, "pages": []string{"board"}}})
	require.NoError(t, err)
	files["manifest.json"], files["secret.js"] = string(manifest), "not published"
	folder := filepath.Join(dir, "ui", "dist")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	return digest
}

// The bundle of a pack is served by the names of its manifest, at an address that names its content, to the person who is signed in; nothing else of the
// pack's folder is reachable.
func TestInterfaceOfPacks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pack.json"), []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}, "version": "1.0.0"}`), 0o644))
	for name, text := range map[string]string{
		"models/lot.json": `{"name": "批", "name_i18n": {"en": "Lot"}, "properties": [{"code": "title", "name": "名", "name_i18n": {"en": "Title"}, "propertyType": "ShortText"}]}`,
		"lists/lot.json":  `{"schemaCode": "lot", "name": "批", "name_i18n": {"en": "Lots"}, "queryColumns": ["title"], "queryActions": ["print", "add"]}`,
		"app.json": `{"name": "演示", "name_i18n": {"en": "Demo"}, "menu": [
			{"code": "open", "type": "Page", "page": "board", "name": "甲", "name_i18n": {"en": "A"}},
			{"code": "seen", "type": "Page", "page": "board", "schemaCode": "lot", "name": "乙", "name_i18n": {"en": "B"}},
			{"code": "changed", "type": "Page", "page": "board", "schemaCode": "lot", "right": "edit", "name": "丙", "name_i18n": {"en": "C"}}]}`,
		"access/reader.json": `{"name": "读", "name_i18n": {"en": "Reader"}, "apps": ["demo"], "models": [{"schemaCode": "lot", "actions": ["view", "print", "add"], "rows": "all"}]}`,
		"access/guest.json":  `{"name": "客", "name_i18n": {"en": "Guest"}, "apps": ["demo"]}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	digest := writeBundle(t, dir, "demo")
	w := openPack(t, dir)
	at := "/api/runtime/interface/demo/" + digest + "/"
	for role, want := range map[string][]string{"reader": {"open", "seen"}, "guest": {"open"}} {
		_, err := w.app.AddUser(t.Context(), role, role, []string{role})
		require.NoError(t, err)
		var menu []struct{ Code, Page string }
		w.get(t, role, "/api/app/function/tree?appCode=demo").into(t, &menu)
		var codes []string
		for _, entry := range menu {
			codes = append(codes, entry.Code)
			require.Equal(t, "demo/board", entry.Page)
		}
		require.Equal(t, want, codes, role)
	}
	var config struct{ QueryActions []struct{ ActionCode string } }
	w.get(t, "reader", "/api/runtime/query/config?schemaCode=lot").into(t, &config)
	require.Len(t, config.QueryActions, 2)
	require.Equal(t, []string{"print", "add"}, []string{config.QueryActions[0].ActionCode, config.QueryActions[1].ActionCode})

	require.Equal(t, http.StatusUnauthorized, w.get(t, anonymous, "/api/runtime/interface/list").Code)
	var list struct {
		Data []struct {
			Pack, SDK, Address string
			Styles             []string
			Defines            map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(w.get(t, administrator, "/api/runtime/interface/list").Body.Bytes(), &list))
	require.Len(t, list.Data, 1)
	require.Equal(t, "demo", list.Data[0].Pack)
	require.Equal(t, at+"index.js", list.Data[0].Address)
	require.Equal(t, []string{at + "look.css"}, list.Data[0].Styles)
	require.Equal(t, []any{}, list.Data[0].Defines["actions"], "lists are never null")

	for name, kind := range map[string]string{"index.js": "text/javascript; charset=utf-8", "look.css": "text/css; charset=utf-8"} {
		got := w.get(t, administrator, at+name)
		require.Equal(t, http.StatusOK, got.Code, name)
		require.Equal(t, kind, got.Header().Get("Content-Type"))
		require.Equal(t, "private, max-age=31536000, immutable", got.Header().Get("Cache-Control"))
		require.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
	}
	require.Equal(t, "export default 1", w.get(t, administrator, at+"index.js").Body.String())
	require.Equal(t, http.StatusUnauthorized, w.get(t, anonymous, at+"index.js").Code)
	for _, path := range []string{
		at + "secret.js", at + "manifest.json", at + "", at + "..%2Fdist%2Findex.js", at + "../index.js", at + "..%2F..%2Fpack.json", at + "%2e%2e/pack.json",
		at + "index.js%00", at + `..\pack.json`,
		"/api/runtime/interface/other/" + digest + "/index.js", "/api/runtime/interface/demo/" + strings.Repeat("0", 32) + "/index.js",
		"/api/runtime/interface/demo/../../../../index.js",
	} {
		got := w.get(t, administrator, path)
		require.NotEqual(t, http.StatusOK, got.Code, path)
		require.NotContains(t, got.Header().Get("Cache-Control"), "immutable", path)
		require.NotContains(t, got.Body.String(), "export default", path)
	}
}

// openPack makes a server with the pack of a folder.
func openPack(t *testing.T, dir string) *world {
	t.Helper()
	w, err := openWorldWith(app.Config{Dir: t.TempDir(), Documents: app.Documents{Dirs: []string{dir}}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	require.NoError(t, w.addAdministrator(t.Context()))
	return w
}
