package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

type list struct {
	*catalog.List // nil until compiled, and when its model is missing
	def           *def.List
	generated     *model // that it was made from; nil when an author wrote it
}

const (
	defaultWidth        = 176
	defaultPanelColumns = 3
)

// associations gives the wire number of associationType.
var associations = map[string]int{"": 0, "none": 0, "workflow": 1, "form": 2, "action": 3, "url": 4, "script": 5, "list": 6}

func (c *compiler) compileLists() {
	for _, l := range c.lists.all {
		c.compileList(l)
	}
}

func (c *compiler) compileList(l *list) {
	d := l.def
	m, ok := l.generated, true
	if m == nil {
		m, ok = lookup(c, &c.models, d.SchemaCode, member(d.Node, "schemaCode"), "LIST001")
	}
	if !ok {
		return
	}
	out := &catalog.List{Code: d.Code, Label: c.labelOr(l.generated != nil, m.PluralLabel(), d.Head), Model: m.Model, Generated: l.generated != nil}
	l.List = out
	out.Condition = c.condition(d.Node.Get("condition"), d.Condition, c.env(m, envSQL, envEngine), "LIST002")
	out.Columns = c.columns(m, d.Columns)
	if len(d.Columns) == 0 && !misspelt(d.Node, "queryColumns") {
		c.report("LIST003", member(d.Node, "queryColumns"))
	}
	out.OrderBy = c.orderBy(m, d.OrderBy)
	seen := map[string]bool{}
	for _, cond := range d.Conditions {
		c.listCondition(m, out, cond, seen)
	}
	c.presentation(m, out, d)
	c.chartOrder(out, d)
	c.listActions(m, out, d.Actions)
	c.cat.Lists = append(c.cat.Lists, out)
}

func (c *compiler) orderBy(m *model, keys []def.OrderBy) (out []catalog.ListOrder) {
	for _, o := range keys {
		p, ok := c.path(m, o.PropertyCode, source.In(codeNode(o.Node)), "LIST010")
		if !ok {
			continue
		}
		if _, sorts := p.Field.Property.(property.Sorter); !sorts || p.Sheet {
			c.report("LIST011", codeNode(o.Node), o.PropertyCode, p.Field.Type.Name())
			continue
		}
		out = append(out, catalog.ListOrder{Path: p, Descending: o.Direction == "descending"})
	}
	if len(keys) == 0 {
		if f := m.Field(catalog.CreatedTime); f != nil {
			out = []catalog.ListOrder{{Path: catalog.Path{Code: f.Code, Field: f}, Descending: true}}
		}
	}
	return out
}

// columns compiles the columns of a list, or of a sub-table in it.
func (c *compiler) columns(m *model, columns []def.ListColumn) (out []catalog.Column) {
	seen := map[string]bool{}
	for _, d := range columns {
		p, ok := c.path(m, d.PropertyCode, source.In(codeNode(d.Node)), "LIST012")
		if !ok {
			continue
		}
		if p.Sheet {
			sheet, column, _ := strings.Cut(p.Code, ".")
			c.report("LIST080", codeNode(d.Node), p.Code, sheet, column)
			continue
		}
		if seen[p.Code] {
			c.report("LIST013", codeNode(d.Node), d.PropertyCode)
			continue
		}
		seen[p.Code] = true
		col := catalog.Column{Path: p, Label: inherited(d.Named, p.Field.Label), Width: d.Width,
			DisplayFormat: c.displayFormat(p.Field, d.Node, d.DisplayFormat), Sum: c.sum(p.Field, d), Visible: d.Visible == nil || *d.Visible}
		if col.Width == 0 {
			col.Width = defaultWidth
		}
		switch {
		case p.Field.Sheet == nil && len(d.ChildColumns) > 0:
			c.report("LIST014", member(d.Node, "childColumns"), d.PropertyCode)
		case p.Field.Sheet != nil:
			children := d.ChildColumns
			if len(children) == 0 {
				children = allColumns(p.Field.Sheet)
			}
			col.Children = c.columns(c.of[p.Field.Sheet], children)
		}
		out = append(out, col)
	}
	return out
}

// displayFormat checks a format that a list or form chooses in place of the property's own.
func (c *compiler) displayFormat(f *catalog.Field, n *source.Node, format string) string {
	if format == "" {
		return ""
	}
	var legal []string
	if p, ok := f.Property.(property.Formatter); ok {
		legal = p.Formats()
	}
	if slices.Contains(legal, format) {
		return format
	}
	at := n.Get("displayFormat")
	if len(legal) == 0 {
		c.report("PROP023", at, f.Code, f.Type.Name())
	} else {
		c.suggest("PROP024", at, format, legal, f.Code, strings.Join(legal, ", "))
	}
	return ""
}

func (c *compiler) sum(f *catalog.Field, d def.ListColumn) plan.Sum {
	if d.SumType == "" {
		return ""
	}
	sum := plan.Sum(d.SumType)
	if a, ok := f.Property.(property.Aggregator); ok && slices.Contains(a.Aggregates(), sum) {
		return sum
	}
	c.report("LIST015", d.Node.Get("sumType"), d.SumType, d.PropertyCode, f.Type.Name())
	return ""
}

func (c *compiler) presentation(m *model, l *catalog.List, d *def.List) {
	p := d.Presentation
	out := catalog.Presentation{Type: p.Type, PanelColumns: p.QueryPanelColumns}
	if out.PanelColumns == 0 {
		out.PanelColumns = defaultPanelColumns
	}
	switch {
	case out.Type == "" && m.Tree != nil:
		out.Type = "tree"
	case out.Type == "":
		out.Type = "table"
	case out.Type == "tree" && m.Tree == nil && m.def.Tree == "":
		c.report("LIST016", p.Node.Get("presentationType"), m.Code)
	case out.Type == "gantt":
		out.Gantt = c.gantt(m, l, p)
	default:
		if views := c.views(); !slices.Contains(views, out.Type) {
			c.suggest("LIST083", p.Node.Get("presentationType"), out.Type, views, strings.Join(views, ", "))
		}
	}
	if p.Gantt.Node != nil && out.Type != "gantt" {
		c.report("LIST066", p.Gantt.Node)
	}
	out.FixedHeader, out.Ordinal, out.Resizable = unless(p.FixedHeader), unless(p.RowOrdinal), unless(p.ColumnResizable)
	out.HideScrollbars, out.Selectable = p.ScrollbarAutoHidding, p.RowSelectable
	out.Layout, out.LayoutFault = c.pageLayout(p)
	out.FixedLeft = c.fixed(m, l, p, "fixedLeftColumns", p.FixedLeftColumns, d.Columns)
	out.FixedLeftGiven = p.FixedLeftColumns != nil
	out.FixedRight = c.fixed(m, l, p, "fixedRightColumns", p.FixedRightColumns, d.Columns)
	out.Script = c.script(p.ScriptFile, p.Node.Get("script"), p.Script, script.List)
	out.Style = c.style(p.StyleFile, p.Node.Get("style"), p.Style, d.Code)
	l.Presentation = out
}

func (c *compiler) fixed(m *model, l *catalog.List, p def.Presentation, key string, codes []string, written []def.ListColumn) (out []string) {
	var names []string
	for _, w := range written {
		names = append(names, w.PropertyCode)
	}
	for i, code := range codes {
		at := p.Node.Get(key).At(itoa(i))
		k := slices.IndexFunc(l.Columns, func(col catalog.Column) bool { return strings.EqualFold(col.Path.Code, code) })
		switch {
		case k >= 0:
			out = append(out, l.Columns[k].Path.Code)
			c.pathOr(m, code, source.In(at), func([]string, string) {})
		case !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, code) }):
			c.suggest("LIST018", at, code, names)
		}
	}
	return out
}
