package house

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = "../.."
	counts = "testdata/counts.txt"
)

// mostListed bounds what a failure lists of an area; the tool lists all of a fence.
const mostListed = 12

var update = flag.Bool("update", false, "lower testdata/counts.txt to what is there now")

// TestFences: no area has more of what a fence counts than testdata/counts.txt allows, and what is not in that file has none.
func TestFences(t *testing.T) {
	t.Parallel()
	all, err := Look(root)
	require.NoError(t, err)
	now := Count(all)
	text, err := os.ReadFile(counts)
	require.NoError(t, err)
	allowed, err := Read(string(text))
	require.NoError(t, err)
	if *update {
		head, _, _ := strings.Cut(string(text), "\n\n")
		require.NoError(t, os.WriteFile(counts, []byte(head+"\n\n"+allowed.Lowered(now).String()), 0o644))
	}
	why := map[string]string{}
	for _, f := range Fences() {
		why[f.Name] = f.Why
	}
	for _, k := range allowed.Over(now) {
		t.Errorf("%s: %s has %d, and %s allows %d. %s", k.Fence, k.Area, now[k], counts, allowed[k], why[k.Fence])
		here := slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Fence != k.Fence || f.Area != k.Area })
		for _, f := range here[:min(len(here), mostListed)] {
			t.Logf("  %s:%d: %s", f.File, f.Line, f.Text)
		}
	}
}

// TestFencesBite: each fence finds what it is for and leaves what is right.
func TestFencesBite(t *testing.T) {
	t.Parallel()
	of := func(name, text string) *file {
		f := &file{name: name, text: text, lines: strings.Split(text, "\n"), tree: &tree{
			addresses: map[string]bool{"/api/jobs/{id}/results": true}, heads: map[string]bool{}, first: map[string]string{}}}
		f.tree.head(f)
		return f
	}
	long := strings.Repeat("x", 150)
	for _, c := range []struct {
		fence, name, text string
		want              int
	}{
		{"wide", "engine/a/a.go", "var a = f(" + long + ")", 1},
		{"wide", "engine/a/a.go", "var a = f(" + long[:100] + ")", 0},
		{"wide", "engine/a/a.go", "\tvar a = f(" + strings.Repeat("字", 64) + ")", 1},
		{"wide", "engine/a/a.go", "\tvar a = f(" + strings.Repeat("字", 60) + ")", 0},
		{"wide", "engine/a/a.go", "\treturn \"" + long + "\",", 0},
		{"wide", "engine/a/a.go", "x := `\n" + long + "\n`", 0},
		{"wide", "engine/a/a.go", "// " + long, 1},
		{"wide", "ui/src/i18n/en/list.ts", "  a: f('" + long + "', 1, 2, 3, 4, 5, 6, 7, 8),", 0},
		{"routes", "runtime/httpapi/a.go", `	s.register(route{method: "GET", path: base + "list", access: signedIn, handle: s.list})`, 1},
		{"routes", "runtime/httpapi/a.go", `	s.register(route{method: "GET", path: "/api/a/list", access: signedIn, handle: s.list})`, 0},
		{"routes", "runtime/httpapi/a.go", "	s.register(route{method: \"GET\", path: \"/api/a\", handle: func(r *request) (any, error) {\n\t\treturn nil, nil\n\t}})\n", 1},
		{"routes", "ui/src/a.ts", "get(`/api/jobs/${id}/results`)", 0},
		{"routes", "ui/src/a.ts", "get(`/api/jobs/${id}/result`)", 1},
		{"routes", "ui/src/a.ts", "get(`/api/work${act}`)", 1},
		{"routes", "ui/src/a.ts", "get('/api/task/' + act)", 1},
		{"keys", "ui/src/a.tsx", "{t(`report.${kind}`)}", 1},
		{"keys", "ui/src/a.tsx", "{t('report.xlsx')}", 0},
		{"verbs", "runtime/app/keep.go", "package app", 1},
		{"verbs", "runtime/app/kept_test.go", "package app", 1},
		{"verbs", "runtime/app/publish.go", "package app", 0},
		{"words", "runtime/app/a.go", "// It lies there.\nlies := 1", 1},
		{"heads", "runtime/a/a.go", "// Package a does.\npackage a\n", 1},
		{"heads", "runtime/a/a.go", "// Package a does.\n//\n//   - In: x\n//   - Out: y\n//   - Guarantees: z\n//   - Begin with: A\npackage a\n", 0},
		{"zeros", "ui/src/a.tsx", "{t('list.total', { count: total ?? 0 })}", 1},
		{"zeros", "plugins/x/ui/a.ts", "const [a, b] = [x ?? 0, y ?? 0]", 2},
		{"zeros", "ui/src/a.ts", "const stroke = width ?? 0.5", 0},
		{"zeros", "ui/src/a.test.ts", "const n = x ?? 0", 0},
		{"zeros", "examples/a/b.ts", "const n = x ?? 0", 0},
	} {
		f := of(c.name, c.text)
		for _, fence := range Fences() {
			if fence.Name == c.fence {
				require.Len(t, fence.find(f), c.want, "%s of %s", c.fence, c.text)
			}
		}
	}
	require.True(t, of("a_gen.go", "").generated())
}

// TestTable: a table is read as it is written, rows only fall, and what it does not name may have none.
func TestTable(t *testing.T) {
	t.Parallel()
	allowed, err := Read("# a comment\n\nwide engine/a 3\nwide engine/b 1\n")
	require.NoError(t, err)
	now := Table{{"wide", "engine/a"}: 2, {"wide", "engine/c"}: 1}
	require.Equal(t, []Key{{"wide", "engine/c"}}, allowed.Over(now))
	require.Equal(t, "wide engine/a 2\n", allowed.Lowered(now).String())
	require.Equal(t, map[string]int{"wide": 4}, allowed.Totals())
	_, err = Read("wide engine/a\n")
	require.Error(t, err)
}
