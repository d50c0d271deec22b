package portal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// copied copies a JSON value deeply.
func copied(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x)+4)
		for key, value := range x {
			out[key] = copied(value)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, value := range x {
			out[i] = copied(value)
		}
		return out
	}
	return v
}

// gone is the mark of an entry of an array that its reader does not get.
type gone struct{}

// at follows a way through a JSON value to an object.
func at(v any, way []string) (map[string]any, bool) {
	for _, step := range way {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	out, ok := v.(map[string]any)
	return out, ok
}

// options are what a widget's reader gets of its options: with addresses of pictures and of what it leads to, without entries that lead to
// what the reader may not open. ok is false when nothing is left to show.
func (s *Service) options(view *authz.View, p *catalog.Portal, w *catalog.Widget) (_ map[string]any, ok bool) {
	out, _ := copied(w.Options).(map[string]any)
	hidden := map[string]bool{} // ways of objects that are not for this reader
	for _, picture := range w.Pictures {
		last := len(picture.At) - 1
		if of, found := at(out, picture.At[:last]); found {
			key := picture.At[last]
			of[key+"Src"] = source(p, of[key])
		}
	}
	for _, t := range w.Targets {
		of, found := at(out, t.At)
		if !found {
			continue
		}
		if !s.leads(view, t, of) {
			hidden[strings.Join(t.At, "/")] = true
		}
	}
	for _, rows := range w.Rows {
		of, found := at(out, rows.At)
		if !found {
			continue
		}
		delete(of, "condition") // what is listed is decided here
		withoutHidden(view, rows, of)
		m := view.Model(rows.Model.Code)
		if m == nil || !view.Can(m, "view") {
			hidden[strings.Join(rows.At, "/")] = true
			continue
		}
		if len(rows.At) > 1 { // entries before it may be left out
			of["tab"] = tabOf(rows.At)
		}
		of["moreTo"] = s.listAddress(view, rows.Model, rows.List)
	}
	for _, f := range w.Figures {
		of, found := at(out, f.At)
		if !s.figures(view, f, of) {
			hidden[strings.Join(f.At, "/")] = true
			continue
		}
		if found {
			of["moreTo"] = s.reportAddress(view, p, f.Report)
		}
	}
	return out, s.prune(out, hidden)
}

// withoutHidden leaves out of an object that lists records the properties that the principal may not read.
func withoutHidden(view *authz.View, rows *catalog.PortalRows, of map[string]any) {
	hidden := func(v any) bool {
		path, is := v.(string)
		named := func(o string) bool { return strings.EqualFold(o, path) }
		return is && (slices.ContainsFunc(rows.Columns, named) || slices.ContainsFunc(rows.More, named) || named(rows.Sort)) && !query.Shows(view, rows.Model, path)
	}
	for key, v := range of {
		if list, ok := v.([]any); ok {
			of[key] = slices.DeleteFunc(list, hidden)
		} else if hidden(v) {
			delete(of, key)
		}
	}
}

// prune takes the hidden entries out of their arrays; false when the widget itself is hidden, or an array of its is left empty.
func (s *Service) prune(out map[string]any, hidden map[string]bool) bool {
	arrays := map[string]bool{}
	for way := range hidden {
		steps := strings.Split(way, "/")
		if way == "" || len(steps) != 2 {
			return false
		}
		if list, ok := out[steps[0]].([]any); ok {
			i, _ := strconv.Atoi(steps[1])
			list[i], arrays[steps[0]] = gone{}, true
		}
	}
	for key := range arrays {
		list, _ := out[key].([]any)
		list = slices.DeleteFunc(list, func(v any) bool { _, is := v.(gone); return is })
		if out[key] = list; len(list) == 0 {
			return false
		}
	}
	return true
}

// tabOf is the place of a list among several of a widget.
func tabOf(way []string) int {
	if len(way) < 2 {
		return 0
	}
	i, _ := strconv.Atoi(way[1])
	return i
}

// leads adds where an object leads; false when its reader may not go there.
func (s *Service) leads(view *authz.View, t *catalog.PortalTarget, of map[string]any) bool {
	of["external"] = false
	switch {
	case t.Nothing:
		of["to"] = nil
	case t.App != "":
		a := view.Catalog.App(t.App)
		if a == nil || a.Disabled || !view.Opens(a.Code) {
			return false
		}
		of["to"], of["logoSrc"], of["appIcon"], of["appColor"] = "/application/"+url.PathEscape(a.Code), orNull(a.LogoAddress()), orNull(a.Icon), orNull(a.Color)
	case t.Model != nil:
		m := view.Model(t.Model.Code)
		if m == nil || !view.Can(m, "view") || plan.IsFalse(view.Rows(m)) && !view.Can(m, "add") {
			return false
		}
		of["to"] = s.listAddress(view, t.Model, t.List)
		if entry, _ := s.menuEntry(view, t.Model, t.List); entry != nil {
			of["targetIcon"] = orNull(entry.Icon)
		}
	case t.Portal != "":
		switch t.Portal {
		case catalog.WorkflowCenterPage:
			of["to"] = "/workflow-center"
		case catalog.ApplicationListPage:
			of["to"] = "/app-list/applications"
		default:
			if page := view.Catalog.Portal(t.Portal); page != nil && (!s.reads(view, page) || !page.Published && !s.writes(view, page)) {
				return false
			}
			of["to"] = "/portal-page/" + url.PathEscape(t.Portal)
		}
	default:
		of["to"], of["external"] = t.Address, !strings.HasPrefix(t.Address, "/")
	}
	return true
}

// figures reports whether the principal may see a chart, or a data set with the measures that an object of the page names.
func (s *Service) figures(view *authz.View, f *catalog.PortalFigures, of map[string]any) bool {
	r := query.SeenReport(view, f.Report)
	if r == nil {
		return false
	}
	if f.Chart != "" {
		return slices.ContainsFunc(r.Charts, func(c *catalog.ReportChart) bool { return c.Code == f.Chart })
	}
	set, whole := r.Set(f.Set), view.Report(f.Report).Set(f.Set)
	if set == nil {
		return false
	}
	for _, v := range of {
		code, _ := v.(string)
		named := func(m catalog.Measure) bool { return m.Code == code }
		if slices.ContainsFunc(whole.Measures, named) && !slices.ContainsFunc(set.Measures, named) {
			return false
		}
	}
	return true
}

// menuEntry finds the entry of a menu that opens the list of a model, first in the application of its pack.
func (s *Service) menuEntry(view *authz.View, m *catalog.Model, l *catalog.List) (*catalog.Menu, *catalog.App) {
	var find func([]*catalog.Menu) *catalog.Menu
	find = func(in []*catalog.Menu) *catalog.Menu {
		for _, e := range in {
			if e.Hidden || e.Draft {
				continue
			}
			if e.Type == "BizModel" && strings.EqualFold(e.SchemaCode, m.Code) && (l == nil || e.QueryCode == "" || strings.EqualFold(e.QueryCode, l.Code)) {
				return e
			}
			if inner := find(e.Children); inner != nil {
				return inner
			}
		}
		return nil
	}
	apps := slices.Clone(view.Apps)
	slices.SortStableFunc(apps, func(a, b *catalog.App) int {
		return own(b, m) - own(a, m)
	})
	for _, a := range apps {
		if a.Disabled || !view.Opens(a.Code) {
			continue
		}
		if e := find(a.Menu); e != nil {
			return e, a
		}
	}
	return nil, nil
}

func own(a *catalog.App, m *catalog.Model) int {
	if strings.EqualFold(a.Code, m.Pack) {
		return 1
	}
	return 0
}

// listAddress is the page of a list of a model; nil when no application that the principal opens has it.
func (s *Service) listAddress(view *authz.View, m *catalog.Model, l *catalog.List) *string {
	entry, app := s.menuEntry(view, m, l)
	values := url.Values{}
	if entry != nil {
		values.Set("code", entry.Code)
	} else {
		if app = view.Catalog.App(m.Pack); app == nil || app.Disabled || !view.Opens(app.Code) {
			return nil
		}
	}
	if l != nil {
		values.Set("queryCode", l.Code)
	} else if entry != nil && entry.QueryCode != "" {
		values.Set("queryCode", entry.QueryCode)
	}
	address := "/application/" + url.PathEscape(app.Code) + "/application-list/" + url.PathEscape(m.Code)
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return &address
}

// reportAddress is the page of a report; nil when no application that the principal opens has it.
func (s *Service) reportAddress(view *authz.View, p *catalog.Portal, code string) *string {
	d := view.Catalog.Document(catalog.KindReport, code)
	for _, name := range []string{d.Pack, p.Pack} {
		if app := view.Catalog.App(name); app != nil && !app.Disabled && view.Opens(app.Code) {
			address := "/application/" + url.PathEscape(app.Code) + "/application-report/" + url.PathEscape(d.Code)
			return &address
		}
	}
	return nil
}
