package portal_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPages compares what the documents of testdata are compiled to, and what is said of them.
func TestPages(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	compiletest.Documents(t, set, messages(t, set), *update, printed)
}

// printed are the portal pages of a catalog in lines.
func printed(c *catalog.Catalog) string {
	var out bytes.Buffer
	for _, p := range c.Portals() {
		if p.Pack != "demo" {
			continue
		}
		fmt.Fprintf(&out, "page %s %q of %q published %t public %t as %q write %v personal %t visible %s frames %v\n",
			p.Code, p.Label.In("zh")+"/"+p.Label.I18n["en"], p.App, p.Published, p.Public, p.PublicRole,
			p.Write, p.Personal, compiletest.Formula(p.Visible), p.Frames)
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
		fmt.Fprintf(out, "%s%s %q %s at %d,%d size %d,%d read %v visible %s style %s container %t problem %q\n", indent,
			w.ID, w.Code, w.Type, w.X, w.Y, w.Width, w.Height, w.Read, compiletest.Formula(w.Visible), object(w.Style), w.Container, w.Problem)
		fmt.Fprintf(out, "%s  options %s\n", indent, object(w.Options))
		for _, p := range w.Pictures {
			fmt.Fprintf(out, "%s  picture %v\n", indent, p.At)
		}
		for _, t := range w.Targets {
			fmt.Fprintf(out, "%s  target %v app %q model %q list %q page %q address %q nothing %t\n", indent,
				t.At, t.App, model(t.Model), list(t.List), t.Portal, t.Address, t.Nothing)
		}
		for _, r := range w.Rows {
			fmt.Fprintf(out, "%s  rows %v of %q list %q where %s shown %v more %v sort %q descending %t from %q to %q\n", indent,
				r.At, model(r.Model), list(r.List), compiletest.Formula(r.Where), r.Columns, r.More, r.Sort, r.Descending, r.Start, r.End)
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

func TestMessages(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	compiletest.SameArguments(t, messages(t, set))
}

func messages(t *testing.T, set *pack.Set) map[string]diag.Message {
	t.Helper()
	k, ok := set.Kinds.Get(catalog.KindPortal)
	require.True(t, ok)
	return k.Messages
}
