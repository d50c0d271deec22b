package compiletest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Documents compiles each archive of testdata as one pack and compares what is printed of the catalog with a file of
// testdata/compiled, which update writes, and what is said of it with the files want.LOCALE of the archive, which
// TestDiagnostics of plugins/core/kind writes. Each of the messages must be said of some archive. The set must be
// frozen.
func Documents(
	t *testing.T, set *pack.Set, messages map[string]diag.Message, update bool, printed func(*catalog.Catalog) string,
) {
	t.Helper()
	cases, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	shown := map[string]bool{}
	for _, file := range cases {
		c, found, want := archive(t, set, file)
		for _, d := range found {
			shown[d.Code] = true
		}
		for locale, text := range want {
			var got bytes.Buffer
			require.NoError(t, diag.WriteText(&got, found, strings.TrimPrefix(locale, "want.")))
			if diff := cmp.Diff(text, got.String()); diff != "" {
				t.Errorf("%s %s: %s", file, locale, diff)
			}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar") + ".txt"
		golden(t, filepath.Join("testdata/compiled", name), printed(c), update)
	}
	for code := range messages {
		require.True(t, shown[code], "no document shows %s", code)
	}
}

func archive(t *testing.T, set *pack.Set, file string) (*catalog.Catalog, diag.List, map[string]string) {
	t.Helper()
	in, err := txtar.ParseFile(file)
	require.NoError(t, err)
	head := `{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`
	files, want := fstest.MapFS{"pack.json": {Data: []byte(head)}}, map[string]string{}
	for _, f := range in.Files {
		if strings.HasPrefix(f.Name, "want.") {
			want[f.Name] = string(f.Data)
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	schemas, err := Schemas(set)
	require.NoError(t, err)
	p, found := compile.Load(files, "", compile.Kinds(set), schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
	return c, append(found, more...).Sorted(), want
}

func golden(t *testing.T, file, got string, update bool) {
	t.Helper()
	if update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}

var arguments = regexp.MustCompile(`\{\d\}`)

// SameArguments holds that both languages of each message name the same arguments.
func SameArguments(t *testing.T, messages map[string]diag.Message) {
	t.Helper()
	for code, m := range messages {
		zh, en := arguments.FindAllString(m.Zh, -1), arguments.FindAllString(m.En, -1)
		slices.Sort(zh)
		slices.Sort(en)
		require.Equal(t, zh, en, code)
	}
}

// Formula prints an expression, and "-" for none.
func Formula(e plan.Expr) string {
	if e == nil {
		return "-"
	}
	return "(" + plan.Format(e) + ")"
}
