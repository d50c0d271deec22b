package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins/core/kind/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReports compares what the documents of testdata are compiled to, and what is said of them.
func TestReports(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	compiletest.Documents(t, set, report.Kind.Messages, *update, printed)
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
			fmt.Fprintf(&out, "  filter %s %s.%s %s %s %q %q..%q %q visible %t\n",
				f.Code, f.Model.Code, v.Path.Code, v.Operator, label(v.Label), v.DefaultValue, v.StartValue, v.EndValue, v.ChoiceType, v.Visible)
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
	fmt.Fprintf(out, "  set %s %s of %s sheet %s where %s top %d others %t\n",
		s.Code, label(s.Label), s.Model.Code, sheet, compiletest.Formula(s.Where), s.Top, s.Others)
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
		fmt.Fprintf(out, "    measure %s %s %s of %s formula %s when %s places %d %d with %q as %q format %q scale %s unit %q\n",
			m.Code, label(m.Label), m.Fn, path, compiletest.Formula(m.Formula), compiletest.Formula(m.When),
			m.Of, m.Per, m.With, m.As, m.Format, scale, m.Unit)
	}
	for _, o := range s.Order {
		fmt.Fprintf(out, "    order group %d measure %d descending %t\n", o.Group, o.Measure, o.Descending)
	}
}

func label(l plan.Label) string { return fmt.Sprintf("%q", l.In("zh")+"/"+l.I18n["en"]) }

func TestMessages(t *testing.T) { compiletest.SameArguments(t, report.Kind.Messages) }
