package overlay_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/overlay"
)

func ptr(s string) *string { return &s }

// TestFS holds the overlay against what any file system must do.
func TestFS(t *testing.T) {
	t.Parallel()
	base := fstest.MapFS{"pack.json": {Data: []byte("{}")}, "models/a.json": {Data: []byte("A")}, "models/b.json": {Data: []byte("B")}}
	over := overlay.New(base, map[string]*string{"models/a.json": ptr("new"), "models/b.json": nil, "models/c.json": ptr("C"), "lists/l.json": ptr("L"), "gone/x.json": nil})
	require.NoError(t, fstest.TestFS(over, "pack.json", "models/a.json", "models/c.json", "lists/l.json"))
	_, err := fs.ReadFile(over, "models/b.json")
	require.ErrorIs(t, err, fs.ErrNotExist)
	entries, err := fs.ReadDir(over, "models")
	require.NoError(t, err)
	require.Len(t, entries, 2)
	data, err := fs.ReadFile(over, "models/a.json")
	require.NoError(t, err)
	require.Equal(t, "new", string(data))
}

func TestValid(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"pack.json": true, "models/a.json": true, "lists/a.js": true, "data/x.csv": true, "styles/a.css": true,
		"../pack.json": false, "/etc/x.json": false, "models/../x.json": false, "models/.a.json": false, "_x/a.json": false, "a/b/c.json": false, "models/a.go": false,
		"models": false, "": false, `models\a.json`: false, "c:a.json": false, "models/a\n.json": false} {
		require.Equal(t, want, overlay.Valid(name), name)
	}
}

// TestLay compares the base that a document was made from, the document, and the pack's file of now; "-" means no file.
func TestLay(t *testing.T) {
	t.Parallel()
	at := "models/a.json"
	for name, c := range map[string]struct{ base, text, own, want, code string }{
		"the base stands":         {"1", "2", "1", "2", ""},
		"new document":            {"-", "2", "-", "2", ""},
		"taken away":              {"1", "-", "1", "-", ""},
		"became part of the base": {"1", "2", "2", "2", ""},
		"never changed":           {"1", "1", "3", "3", ""},
		"put back":                {"1", "1", "-", "-", ""},
		"merged":                  {`{"a":1,"b":1}`, `{"a":2,"b":1}`, `{"a":1,"b":2}`, "{\n  \"a\": 2,\n  \"b\": 2\n}\n", "PUB002"},
		"both changed":            {`{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":2}`, "PUB001"},
		"layout only":             {`{"a":1}`, `{"a":2}`, `{ "a": 1 }`, `{"a":2}`, ""},
		"merged but for one":      {`{"a":1,"b":1}`, `{"a":2,"b":1}`, `{"a":3,"b":2}`, "{\n  \"a\": 2,\n  \"b\": 2\n}\n", "PUB009"},
		"no JSON":                 {`1`, `{`, `{"a":3}`, `{`, "PUB001"},
		"the pack's file is gone": {"1", "2", "-", "2", "PUB001"},
		"taken away and changed":  {"1", "-", "2", "-", "PUB001"},
		"both new":                {"-", "2", "3", "2", "PUB001"},
		"both gone":               {"1", "-", "-", "-", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			side := func(s string) *string {
				if s == "-" {
					return nil
				}
				return &s
			}
			base := fstest.MapFS{"pack.json": {Data: []byte("{}")}}
			if c.own != "-" {
				base[at] = &fstest.MapFile{Data: []byte(c.own)}
			}
			over, found := overlay.Lay(base, "packs/demo", []overlay.Document{{Path: at, Text: side(c.text), Base: side(c.base), Version: 7}})
			got, err := overlay.Text(over, at)
			require.NoError(t, err)
			require.Equal(t, side(c.want), got)
			if c.code == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, c.code, found[0].Code)
			require.Equal(t, diag.Warning, found[0].Severity)
			require.Equal(t, "packs/demo/models/a.json", found[0].Position.File)
		})
	}
}

func TestConflictIsTold(t *testing.T) {
	t.Parallel()
	for own, c := range map[string]struct{ text, base, want string }{
		`{"x": {"a": 3}}`: {`{"x": {"a": 2}}`, `{"x": {"a": 1}}`, "published version 7 stays in use, but the pack's own file has changed too: /x/a"},
		`{"x": {"a": 3}, "y": 1, "z": 3}`: {`{"x": {"a": 2}, "z": 2}`, `{"x": {"a": 1}, "z": 1}`,
			"published version 7 was merged with later changes of the pack's own file; where both changed a value, the published one stays: /x/a, /z"},
		`[3]`: {`[2]`, `[1]`, "published version 7 stays in use, but the pack's own file has changed too: /"},
	} {
		base := fstest.MapFS{"a.json": {Data: []byte(own)}}
		_, found := overlay.Lay(base, "demo", []overlay.Document{{Path: "a.json", Text: &c.text, Base: &c.base, Version: 7}})
		require.Len(t, found, 1)
		require.Equal(t, c.want, found[0].En)
	}
}
