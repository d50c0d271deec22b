package portal_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
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
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPages compares what the documents of testdata are compiled to, and what is said of them. TestDiagnostics of plugins/core/kind writes
// the diagnostics into the archives; what is compiled is in testdata/compiled.
func TestPages(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	cases, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	shown := map[string]bool{}
	for _, file := range cases {
		c, found, want := compiled(t, set, file)
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
		golden(t, filepath.Join("testdata/compiled", strings.TrimSuffix(filepath.Base(file), ".txtar")+".txt"), printed(c))
	}
	for code := range messages(t, set) {
		require.True(t, shown[code], "no document shows %s", code)
	}
}

// compiled compiles an archive as one pack.
func compiled(t *testing.T, set *pack.Set, file string) (*catalog.Catalog, diag.List, map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	files, want := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)}}, map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want.") {
			want[f.Name] = string(f.Data)
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	p, found := compile.Load(files, "", compile.Kinds(set), schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
	return c, append(found, more...).Sorted(), want
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
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

// printed are the portal pages of a catalog in lines.
func printed(c *catalog.Catalog) string {
	var out bytes.Buffer
	for _, p := range c.Portals() {
		if p.Pack != "demo" {
			continue
		}
		fmt.Fprintf(&out, "page %s %q of %q published %t public %t as %q write %v personal %t visible %s frames %v\n", p.Code, p.Label.In("zh")+"/"+p.Label.I18n["en"],
			p.App, p.Published, p.Public, p.PublicRole, p.Write, p.Personal, formula(p.Visible), p.Frames)
		fmt.Fprintf(&out, "  settings %s\n", object(p.Page))
		if p.Script != nil {
			fmt.Fprintf(&out, "  script %d bytes\n", len(p.Script.Text))
		}
		for _, name := range slices.Sorted(maps.Keys(p.Pictures)) {
			fmt.Fprintf(&out, "  picture %s %s %d bytes\n", name, p.Pictures[name].Type, len(p.Pictures[name].Data))
		}
		printWidgets(&out, p.Widgets, "  ")
	}
	return out.String()
}

func printWidgets(out *bytes.Buffer, in []*catalog.Widget, indent string) {
	for _, w := range in {
		fmt.Fprintf(out, "%s%s %q %s at %d,%d size %d,%d read %v visible %s style %s container %t problem %q\n", indent, w.ID, w.Code, w.Type, w.X, w.Y, w.Width, w.Height,
			w.Read, formula(w.Visible), object(w.Style), w.Container, w.Problem)
		fmt.Fprintf(out, "%s  options %s\n", indent, object(w.Options))
		for _, p := range w.Pictures {
			fmt.Fprintf(out, "%s  picture %v\n", indent, p.At)
		}
		for _, t := range w.Targets {
			fmt.Fprintf(out, "%s  target %v app %q model %q list %q page %q address %q nothing %t\n", indent, t.At, t.App, model(t.Model), list(t.List), t.Portal, t.Address, t.Nothing)
		}
		for _, r := range w.Rows {
			fmt.Fprintf(out, "%s  rows %v of %q list %q where %s shown %v more %v sort %q descending %t from %q to %q\n", indent, r.At, model(r.Model), list(r.List), formula(r.Where),
				r.Columns, r.More, r.Sort, r.Descending, r.Start, r.End)
		}
		for _, f := range w.Figures {
			fmt.Fprintf(out, "%s  figures %v of %s chart %q set %q\n", indent, f.At, f.Report, f.Chart, f.Set)
		}
		printWidgets(out, w.Widgets, indent+"    ")
	}
}

func model(m *catalog.Model) string {
	if m == nil {
		return ""
	}
	return m.Code
}

func list(l *catalog.List) string {
	if l == nil {
		return ""
	}
	return l.Code
}

// object is what a document says, by its keys in their order.
func object(v map[string]any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func formula(e plan.Expr) string {
	if e == nil {
		return "-"
	}
	return "(" + plan.Format(e) + ")"
}

// TestMessages: both languages name the same arguments.
func TestMessages(t *testing.T) {
	arguments := regexp.MustCompile(`\{\d\}`)
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	for code, m := range messages(t, set) {
		zh, en := arguments.FindAllString(m.Zh, -1), arguments.FindAllString(m.En, -1)
		slices.Sort(zh)
		slices.Sort(en)
		require.Equal(t, zh, en, code)
	}
}

func messages(t *testing.T, set *pack.Set) map[string]diag.Message {
	t.Helper()
	k, ok := set.Kinds.Get(catalog.KindPortal)
	require.True(t, ok)
	return k.Messages
}
