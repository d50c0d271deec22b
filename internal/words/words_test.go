// Package words tests the language of texts, comments and documentation: the rules of docs/glossary.md that can be tested.
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

// forbidden are the words that no English text, comment or page of documentation may contain.
var forbidden = regexp.MustCompile(`\b(for ever|anew|[Yy]ou may not|stands|[Hh]e|him|[Hh]imself|[Hh]is|[Ww]hoever|tells? whether)\b`)

// isNo is "is no X" for "is not a X". Plain English are "there is no X", "is no longer", and "you may not have" as a possibility.
var (
	isNo    = regexp.MustCompile(`\bis no [a-z]`)
	allowed = regexp.MustCompile(`\b[Tt]here is no\b|\bis no (longer|more|one|way|need|less)\b|\byou may not have\b`)
)

// colloquial are Chinese words that texts don't use: 没能, 打不开 and 连不上 are 未能, 无法打开 and 无法连接.
var colloquial = regexp.MustCompile(`没能|打不开|连不上|试试|一下|起个名|被别人`)

// citation is a paper that the repository does not contain.
var citation = regexp.MustCompile(`(DESIGN|SECURITY|STYLE|PERFORMANCE|DEPENDENCIES)(\.md)?,? (section|sections|rule|rules) ?\d|` +
	`(documents|paths|domain)\.md|specification [123]-|\b(1-shell|2-data-lists|3-print)\b`)

// wrong returns the forbidden words of an English text.
func wrong(text string) []string {
	text = allowed.ReplaceAllString(text, "")
	return append(forbidden.FindAllString(text, -1), isNo.FindAllString(text, -1)...)
}

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
		for i, c := range comments(text) {
			if found := wrong(c); c != "" && len(found) > 0 {
				t.Errorf("%s:%d: %q in a comment; docs/glossary.md has better words", name, i+1, found)
			}
		}
	})
}

// comments returns the comment of each line that is nothing else; "" for the other lines.
func comments(text string) []string {
	lines := strings.Split(text, "\n")
	block := false
	for i, l := range lines {
		s := strings.TrimSpace(l)
		block = block || strings.HasPrefix(s, "/*")
		if !block && !strings.HasPrefix(s, "//") {
			lines[i] = ""
		}
		block = block && !strings.Contains(s, "*/")
	}
	return lines
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
			if found := wrong(l); len(found) > 0 {
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
		if found := append(wrong(text), colloquial.FindAllString(text, -1)...); len(found) > 0 {
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
	require.True(t, citation.MatchString("see DESIGN section 5"))
	require.False(t, citation.MatchString("see docs/formats.md"))
}
