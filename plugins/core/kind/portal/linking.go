package portal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/widget"
)

// linking is what Compile of a widget's type gets.
type linking struct {
	*compiler
	at *source.Node // the widget
	w  *catalog.Widget
	t  widget.Type
}

var _ widget.Linker = &linking{}

// way leads from the widget's options to a node below them.
func (l *linking) way(n *source.Node) (out []string) {
	for ; n != nil && n != l.at; n = n.Parent {
		step := n.Key
		if n.Parent.Kind == source.Array {
			step = strconv.Itoa(n.Index)
		}
		out = append(out, step)
	}
	slices.Reverse(out)
	return out
}

// Title implements widget.Linker.
func (l *linking) Title(at *source.Node) {
	if at == nil {
		return
	}
	if n := units(at.Text()); n > catalog.TitleUnits {
		l.Report("PORTAL004", at, n, catalog.TitleUnits)
	}
}

// units is the width of a title: an ASCII character counts 1 and any other 2.
func units(text string) (n int) {
	for _, r := range text {
		if n++; r > 127 {
			n++
		}
	}
	return n
}

// Picture implements widget.Linker.
func (l *linking) Picture(at *source.Node) {
	if at != nil && at.Text() != "" {
		l.w.Pictures = append(l.w.Pictures, catalog.PortalPicture{At: l.way(at)})
	}
}

// Opens implements widget.Linker.
func (l *linking) Opens(at *source.Node) {
	if at == nil {
		return
	}
	t := &catalog.PortalTarget{At: l.way(at)}
	how := at.Get("actionType").Text() + at.Get("gotoType").Text()
	switch how {
	case "app":
		if code := at.Get("appCode"); l.Exists(widget.KindApp, code) {
			t.App = code.Text()
		}
	case "bizModel":
		t.Model, t.List = l.list(at)
	case "portalPage", "page":
		code := at.Get("portalCode")
		if how == "page" {
			code = at.Get("gotoPage")
		}
		t.Portal = l.portal(code)
		if at.Get("isDefaultWorkbench").Text() == "true" && !strings.EqualFold(t.Portal, catalog.DefaultPortal) {
			l.Report("PORTAL014", code)
		}
	case "URL":
		address := at.Get("URL")
		if address == nil {
			address = at.Get("linkUrl")
		}
		if t.Address = address.Text(); address != nil && !opens(t.Address) {
			l.Report("PORTAL005", address, t.Address)
		}
	default:
		t.Nothing = true
	}
	l.w.Targets = append(l.w.Targets, t)
}

// opens reports whether an address is a path of this system, or one of the web.
func opens(address string) bool {
	if strings.ContainsAny(address, "\\\x00\t\r\n ") {
		return false
	}
	if strings.HasPrefix(address, "/") {
		return !strings.HasPrefix(address, "//")
	}
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// systemPages are those that no document is needed for.
var systemPages = []string{catalog.DefaultPortal, catalog.WorkflowCenterPage, catalog.ApplicationListPage}

func (l *linking) portal(at *source.Node) string {
	code := at.Text()
	for _, page := range systemPages {
		if strings.EqualFold(page, code) {
			return page
		}
	}
	d, known := l.Find(catalog.KindPortal, code)
	if !known {
		l.Suggest("PORTAL006", at, code, append(l.Codes(catalog.KindPortal), systemPages...), diag.Few(systemPages))
		return ""
	}
	if d != nil {
		l.Refers(names.Portal, d.Header().Code, source.In(at))
		return d.Header().Code
	}
	return code
}

// list resolves schemaCode and queryCode of an object; nil after a report, and where a pack that has them is not loaded.
func (l *linking) list(at *source.Node) (*catalog.Model, *catalog.List) {
	m := l.Model(at.Get("schemaCode"))
	if m == nil {
		l.w.Problem = catalog.WidgetGone
		return nil, nil
	}
	code := at.Get("queryCode")
	if code == nil {
		return m, nil
	}
	list := l.List(code)
	if list != nil && list.Model != m {
		l.Report("PORTAL010", code, list.Code, m.Code)
		return m, nil
	}
	return m, list
}

// Records implements widget.Linker.
func (l *linking) Records(at *source.Node, more ...string) *catalog.PortalRows {
	rows := &catalog.PortalRows{At: l.way(at), Descending: at.Get("sortRule").Text() == "descending"}
	if rows.Model, rows.List = l.list(at); rows.Model == nil {
		return nil
	}
	if condition := at.Get("condition"); condition != nil {
		rows.Where = l.Condition(rows.Model, condition)
		l.faulty = l.faulty || rows.Where == nil
	}
	for _, column := range at.Get("displayField").Items() {
		if p, ok := l.path(rows.Model, column); ok {
			if p.Sheet || p.Field.IsTable() {
				l.Report("PORTAL008", column, p.Code, p.Field.Type.Name(), "displayField")
			}
			rows.Columns = append(rows.Columns, p.Code)
		}
	}
	if at.Get("displayField") == nil {
		rows.Columns = []string{catalog.Name}
	}
	if sort := at.Get("sortField"); sort != nil {
		if p, ok := l.path(rows.Model, sort); ok {
			if _, sorts := p.Field.Property.(property.Sorter); !sorts || p.Sheet {
				l.Report("PORTAL008", sort, p.Code, p.Field.Type.Name(), "sortField")
			}
			rows.Sort = p.Code
		}
	}
	for _, key := range more {
		if code := at.Get(key); code != nil {
			if p, ok := l.path(rows.Model, code); ok {
				if p.Sheet || p.Field.Sheet != nil {
					l.Report("PORTAL008", code, p.Code, p.Field.Type.Name(), key)
				}
				rows.More = append(rows.More, p.Code)
			}
		}
	}
	l.w.Rows = append(l.w.Rows, rows)
	return rows
}

func (l *linking) path(m *catalog.Model, at *source.Node) (catalog.Path, bool) {
	p, ok := l.Path(m, at)
	l.faulty = l.faulty || !ok
	return p, ok
}

// Figures implements widget.Linker.
func (l *linking) Figures(at *source.Node, measures ...string) {
	code := at.Get("reportCode")
	if code == nil || !l.Exists(catalog.KindReport, code) {
		l.w.Problem = catalog.WidgetGone
		return
	}
	f := &catalog.PortalFigures{At: l.way(at), Report: code.Text()}
	l.w.Figures = append(l.w.Figures, f)
	d, _ := l.Find(catalog.KindReport, code.Text())
	if d == nil {
		return
	}
	report := d.Header().Node
	named := func(at, in *source.Node) *source.Node {
		if at == nil {
			return nil
		}
		var codes []string
		for _, one := range in.Items() {
			if code := one.Get("code").Text(); code == at.Text() {
				return one
			} else if code != "" {
				codes = append(codes, code)
			}
		}
		l.Suggest("PORTAL007", at, at.Text(), codes, d.Header().Code, diag.Few(codes))
		return nil
	}
	if chart := at.Get("chartCode"); chart != nil {
		named(chart, report.Get("charts"))
		f.Chart = chart.Text()
		return
	}
	set := named(at.Get("dataSet"), report.Get("dataSets"))
	f.Set = at.Get("dataSet").Text()
	for _, key := range measures {
		if set != nil {
			named(at.Get(key), set.Get("measures"))
		}
	}
}

// Embeds implements widget.Linker.
func (l *linking) Embeds(at *source.Node) {
	if at == nil || at.Text() == "" {
		return
	}
	u, err := url.Parse(at.Text())
	if err != nil || !l.Linked(at.Text()) {
		l.Report("PORTAL009", at, at.Text())
		return
	}
	if origin := u.Scheme + "://" + u.Host; !slices.Contains(l.out.Frames, origin) {
		l.out.Frames = append(l.out.Frames, origin)
	}
}
