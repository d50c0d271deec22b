package report_test

import (
	"bytes"
	"flag"
	"fmt"
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
	"github.com/sluice-platform/sluice/plugins/core/kind/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReports compares what the documents of testdata are compiled to, and what is said of them. TestDiagnostics of plugins/core/kind writes
// the diagnostics into the archives; what is compiled is in testdata/compiled.
func TestReports(t *testing.T) {
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
	for code := range report.Kind.Messages {
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

// printed are the reports of a catalog in lines.
func printed(c *catalog.Catalog) string {
	var out bytes.Buffer
	for _, d := range c.Documents {
		r, ok := d.Value.(*catalog.Report)
		if d.Kind != catalog.KindReport || !ok {
			continue
		}
		fmt.Fprintf(&out, "report %s of %s %s exports %v\n", r.Code, r.Pack, label(r.Label), r.Exports)
		for _, f := range r.Filters {
			v := f.Condition
			fmt.Fprintf(&out, "  filter %s %s.%s %s %s %q %q..%q %q visible %t\n", f.Code, f.Model.Code, v.Path.Code, v.Operator, label(v.Label),
				v.DefaultValue, v.StartValue, v.EndValue, v.ChoiceType, v.Visible)
		}
		for _, s := range r.Sets {
			printSet(&out, s)
		}
		for _, one := range r.Charts {
			fmt.Fprintf(&out, "  chart %s %s %s of %s %d bytes\n", one.Code, label(one.Label), one.Type, one.Set.Code, len(one.Document))
		}
	}
	return out.String()
}

func printSet(out *bytes.Buffer, s *catalog.DataSet) {
	sheet := "-"
	if s.Sheet != nil {
		sheet = s.Sheet.Code
	}
	fmt.Fprintf(out, "  set %s %s of %s sheet %s where %s top %d others %t\n", s.Code, label(s.Label), s.Model.Code, sheet, formula(s.Where), s.Top, s.Others)
	for _, f := range s.Filters {
		fmt.Fprintf(out, "    filter %s by %s\n", f.Filter.Code, f.Path.Code)
	}
	for _, g := range s.Groups {
		fmt.Fprintf(out, "    group %s %s by %s step %q fill %t level %d\n", g.Code, label(g.Label), g.Path.Code, g.Step, g.Fill, g.Level)
	}
	for _, m := range s.Measures {
		path, scale := "-", "-"
		if m.Path != nil {
			path = m.Path.Code
		}
		if m.Scale != nil {
			scale = fmt.Sprint(*m.Scale)
		}
		fmt.Fprintf(out, "    measure %s %s %s of %s formula %s when %s places %d %d with %q as %q format %q scale %s unit %q\n", m.Code, label(m.Label), m.Fn,
			path, formula(m.Formula), formula(m.When), m.Of, m.Per, m.With, m.As, m.Format, scale, m.Unit)
	}
	for _, o := range s.Order {
		fmt.Fprintf(out, "    order group %d measure %d descending %t\n", o.Group, o.Measure, o.Descending)
	}
}

func label(l plan.Label) string { return fmt.Sprintf("%q", l.In("zh")+"/"+l.I18n["en"]) }

func formula(e plan.Expr) string {
	if e == nil {
		return "-"
	}
	return "(" + plan.Format(e) + ")"
}

// TestMessages: both languages name the same arguments.
func TestMessages(t *testing.T) {
	arguments := regexp.MustCompile(`\{\d\}`)
	for code, m := range report.Kind.Messages {
		zh, en := arguments.FindAllString(m.Zh, -1), arguments.FindAllString(m.En, -1)
		slices.Sort(zh)
		slices.Sort(en)
		require.Equal(t, zh, en, code)
	}
}
