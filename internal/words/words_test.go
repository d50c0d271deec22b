package words

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// said are pages that record what was said and decided at a time, and the page that quotes the forbidden words.
var said = []string{"CHANGELOG.md", "docs/glossary.md", "bench/RESULTS.md"}

// citation is a paper that the repository does not contain.
var citation = regexp.MustCompile(`(DESIGN|SECURITY|STYLE|PERFORMANCE|DEPENDENCIES)(\.md)?,? (section|sections|rule|rules) ?\d|` +
	`(documents|paths|domain)\.md|specification [123]-|\b(1-shell|2-data-lists|3-print)\b`)

// wrong are the words that no text has.
func wrong(text string) []string { return Found(text, Everywhere) }

// files calls see with every tracked kind of file below the root, by its path.
func files(t *testing.T, see func(name, text string)) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		base := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "dist" || base == "bin" || base == "data" && !strings.Contains(name, "/") ||
			base == "screenshots" || base == "test-results"):
			return fs.SkipDir
		case e.IsDir() || strings.HasPrefix(name, "internal/words/"):
			return nil
		}
		switch path.Ext(name) {
		case ".go", ".ts", ".tsx", ".mjs", ".css", ".md", ".yaml", ".json":
			text, err := os.ReadFile(path.Join(root, name))
			see(name, string(text))
			return err
		}
		return nil
	}))
}

func begins(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// TestComments: comments of Go, TypeScript and styles use present-day English, and persons are "they".
func TestComments(t *testing.T) {
	t.Parallel()
	files(t, func(name, text string) {
		ext := path.Ext(name)
		if ext == ".md" || ext == ".json" || ext == ".yaml" || strings.Contains(name, "schema.gen") || strings.Contains(name, "/testdata/") {
			return
		}
		for i, c := range CommentLines(text) {
			if found := Found(c, Everywhere, Comments); c != "" && len(found) > 0 {
				t.Errorf("%s:%d: %q in a comment; docs/glossary.md has better words", name, i+1, found)
			}
		}
	})
}

// TestDocumentation: pages use the same words, outside of code. Records of decisions and of measurements keep theirs.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	files(t, func(name, text string) {
		if path.Ext(name) != ".md" || begins(name, said) || strings.HasPrefix(name, ".notes") {
			return
		}
		for i, l := range strings.Split(code.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }), "\n") {
			if found := Found(l, Everywhere, Comments); len(found) > 0 {
				t.Errorf("%s:%d: %q; docs/glossary.md has better words", name, i+1, found)
			}
		}
	})
}

// TestCitations: nothing cites a paper that a reader of the repository cannot open.
func TestCitations(t *testing.T) {
	t.Parallel()
	files(t, func(name, text string) {
		for i, l := range strings.Split(text, "\n") {
			if found := citation.FindString(l); found != "" {
				t.Errorf("%s:%d: cites %q, which is not in the repository: cite a page of docs, an ADR or a norm", name, i+1, found)
			}
		}
	})
}

// TestTexts: the texts of errors, diagnostics, definitions and the interface, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	check := func(name, at, text string) {
		if found := Found(text, Everywhere, Texts); len(found) > 0 {
			t.Errorf("%s %s: %q in %q", name, at, found, text)
		}
	}
	literal := regexp.MustCompile(`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`)
	files(t, func(name, text string) {
		switch {
		case strings.HasPrefix(name, "ui/src/i18n/en/"), strings.HasPrefix(name, "ui/src/i18n/zh/"), name == "runtime/notify/texts.go":
			for i, l := range strings.Split(text, "\n") {
				for _, m := range literal.FindAllStringSubmatch(l, -1) {
					check(name, fmt.Sprint(i+1), m[1]+m[2])
				}
			}
		case path.Ext(name) == ".json" && !strings.Contains(name, "/testdata/") && !strings.Contains(name, "/data/") &&
			(begins(name, []string{"schemas/", "engine/", "plugins/", "examples/"})):
			var v any
			require.NoError(t, json.Unmarshal([]byte(text), &v), name)
			leaves(v, "", func(at, s string) { check(name, at, s) })
		}
	})
}

// leaves calls see with every text of a JSON value and its path.
func leaves(v any, at string, see func(at, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			leaves(e, at+"/"+k, see)
		}
	case []any:
		for i, e := range v {
			leaves(e, fmt.Sprintf("%s/%d", at, i), see)
		}
	case string:
		see(at, v)
	}
}

// TestRulesBite: each rule finds its word, and plain English passes.
func TestRulesBite(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"deleted for ever", "computed anew", "You may not do this", "it stands there", "what he did", "by his right", "whoever asks", "it is no option", "tells whether x"} {
		require.NotEmpty(t, wrong(s), s)
	}
	for _, s := range []string{"there is no list", "it is no longer used", "understands", "this", "history", "you may not have access", "the theme"} {
		require.Empty(t, wrong(s), s)
	}
	require.Equal(t, []string{"没能"}, Found("没能读取", Texts))
	require.Equal(t, []string{"whilst"}, Found("whilst it runs", Comments))
	require.Equal(t, []string{"lies", "goes on"}, Found("goes on where it lies", Advice), "in the order of the rules")
	for _, r := range Rules() {
		require.NotEmpty(t, r.Instead, r.Find)
		require.Contains(t, []Class{Everywhere, Texts, Comments, Advice}, r.Class, r.Find)
	}
	require.True(t, citation.MatchString("see DESIGN section 5"))
	require.False(t, citation.MatchString("see docs/formats.md"))
}
