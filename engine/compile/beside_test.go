package compile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
)

// TestFilesBeside: only plain files of a pack are served, whatever a document names.
func TestFilesBeside(t *testing.T) {
	s, err := composed()
	require.NoError(t, err)
	outside := filepath.Join(t.TempDir(), "secret.js")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	for name, c := range map[string]struct {
		script, code string
		make         func(lists string)
	}{
		"plain":        {"a.js", "", func(lists string) { write(t, lists, "a.js", "export default {options: {version: '1.1'}, hooks: {}}") }},
		"missing":      {"a.js", "SCRIPT001", func(string) {}},
		"link":         {"a.js", "SCRIPT001", func(lists string) { require.NoError(t, os.Symlink(outside, filepath.Join(lists, "a.js"))) }},
		"folder":       {"a.js", "SCRIPT001", func(lists string) { require.NoError(t, os.Mkdir(filepath.Join(lists, "a.js"), 0o700)) }},
		"traversal":    {"../../secret.js", "SCRIPT002", func(string) {}},
		"backslash":    {`..\\secret.js`, "SCRIPT002", func(string) {}},
		"absolute":     {outside, "SCRIPT002", func(string) {}},
		"below":        {"x/a.js", "SCRIPT002", func(string) {}},
		"hidden":       {".a.js", "SCRIPT002", func(string) {}},
		"other ending": {"lot.json", "SCRIPT002", func(string) {}},
		"larger":       {"a.js", "SCRIPT003", func(lists string) { write(t, lists, "a.js", strings.Repeat(" ", 256<<10+1)) }},
		"largest is ok": {"a.js", "", func(lists string) {
			write(t, lists, "a.js", "export default {options: {version: '1.1'}, hooks: {}}"+strings.Repeat(" ", 200<<10))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lists := filepath.Join(dir, "lists")
			write(t, dir, "pack.json", `{"code": "demo", "version": "1.0.0"}`)
			write(t, filepath.Join(dir, "models"), "lot.json", `{"properties": [{"code": "part", "propertyType": "ShortText"}]}`)
			write(t, lists, "lot.json", `{"schemaCode": "lot", "queryColumns": ["part"], "queryPresentation": {"script": "`+c.script+`"}}`)
			c.make(lists)
			p, found := compile.Load(os.DirFS(dir), "demo", compile.Kinds(product(t)), s)
			base, more := load(t, nil)
			cat, found := compile.Compile(product(t), append(base, p), compile.Options{})
			var codes []string
			for _, d := range append(more, found...) {
				if strings.HasPrefix(d.Code, "SCRIPT") {
					codes = append(codes, d.Code)
				}
			}
			if c.code == "" {
				require.Empty(t, codes)
				require.NotEmpty(t, cat.List("lot").Presentation.Script.Text)
				return
			}
			require.Equal(t, []string{c.code}, codes)
			require.Nil(t, cat.List("lot").Presentation.Script)
		})
	}
}

// TestDigestOfFiles: a changed script is a changed catalog, and has another address.
func TestDigestOfFiles(t *testing.T) {
	s, err := composed()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, text := range []string{"hooks: {}", "hooks: { }"} {
		dir := t.TempDir()
		write(t, dir, "pack.json", `{"code": "demo", "version": "1.0.0"}`)
		write(t, filepath.Join(dir, "models"), "lot.json", `{"properties": [{"code": "part", "propertyType": "ShortText"}]}`)
		write(t, filepath.Join(dir, "lists"), "lot.json", `{"schemaCode": "lot", "queryColumns": ["part"], "queryPresentation": {"script": "lot.js"}}`)
		write(t, filepath.Join(dir, "lists"), "lot.js", "export default {options: {version: '1.1'}, "+text+"}")
		p, _ := compile.Load(os.DirFS(dir), "demo", compile.Kinds(product(t)), s)
		base, _ := load(t, nil)
		cat, _ := compile.Compile(product(t), append([]*def.Pack{p}, base...), compile.Options{})
		seen[cat.Digest] = true
		seen[cat.List("lot").Presentation.Script.Digest] = true
	}
	require.Len(t, seen, 4)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}
