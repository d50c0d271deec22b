package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// part is a property that a chart is made of: the key that names it, what it may be, and the words that its options may have.
type part struct {
	key, code string
	required  bool
	into      **catalog.Field
	fits      func(*catalog.Field) bool
	types     string // for the author
	words     []string
	meanings  string
}

// Words and numbers of a chart's states and levels (docs/formats.md, Values on the wire).
var (
	stateWords = []string{"finish", "doing", "undo", "0", "1", "-1"}
	levelWords = []string{"group", "company", "project", "0", "1", "2"}
)

func chartParts(d def.Gantt, g *catalog.Gantt) []part {
	return []part{
		{key: "titlePropertyCode", code: d.TitlePropertyCode, required: true, into: &g.Title, fits: plain(plan.Text), types: "ShortText, LongText"},
		{key: "startTimePropertyCode", code: d.StartTimePropertyCode, required: true, into: &g.Start, fits: plain(plan.Date, plan.Instant), types: "Date"},
		{key: "endTimePropertyCode", code: d.EndTimePropertyCode, required: true, into: &g.End, fits: plain(plan.Date, plan.Instant), types: "Date"},
		{key: "progressPropertyCode", code: d.ProgressPropertyCode, into: &g.Progress, fits: figureOrChoice, types: "Number, Radio, Dropdown",
			words: stateWords, meanings: "finish (0), doing (1), undo (-1)"},
		{key: "levelPropertyCode", code: d.LevelPropertyCode, into: &g.Level, fits: figureOrChoice, types: "Number, Radio, Dropdown",
			words: levelWords, meanings: "group (0), company (1), project (2)"},
		{key: "orderPropertyCode", code: d.OrderPropertyCode, into: &g.Order, fits: plain(plan.Number), types: "Number"},
	}
}

// plain accepts properties with one value of one of the kinds, and no choices.
func plain(kinds ...plan.Kind) func(*catalog.Field) bool {
	return func(f *catalog.Field) bool {
		_, chooses := f.Property.(property.Chooser)
		return !chooses && single(f, kinds...)
	}
}

func figureOrChoice(f *catalog.Field) bool {
	_, chooses := f.Property.(property.Chooser)
	return chooses && single(f, plan.Text) || !chooses && single(f, plan.Number)
}

func single(f *catalog.Field, kinds ...plan.Kind) bool {
	columns := f.Property.Columns()
	return len(columns) == 1 && slices.Contains(kinds, columns[0].Kind)
}

// gantt compiles the properties of a chart and enters those that are no columns yet among the list's columns, hidden.
func (c *compiler) gantt(m *model, l *catalog.List, p def.Presentation) *catalog.Gantt {
	at := p.Gantt.Node
	if at == nil {
		at = p.Node.Get("presentationType")
	}
	out := &catalog.Gantt{}
	complete := true
	for _, part := range chartParts(p.Gantt, out) {
		if part.code == "" {
			if part.required {
				c.report("LIST017", at, part.key)
				complete = false
			}
			continue
		}
		*part.into = c.chartPart(m, part, at.Get(part.key))
		complete = complete && (*part.into != nil || !part.required)
	}
	if !complete {
		return nil
	}
	if valueKind(out.Start) != valueKind(out.End) {
		c.report("LIST064", at.Get("endTimePropertyCode"), out.Start.Code, out.End.Code)
	}
	for _, f := range out.Fields() {
		if !slices.ContainsFunc(l.Columns, func(col catalog.Column) bool { return col.Path.Field == f && len(col.Path.Steps) == 0 }) {
			l.Columns = append(l.Columns, catalog.Column{Path: catalog.Path{Code: f.Code, Field: f}, Label: f.Label, Width: defaultWidth})
		}
	}
	return out
}

func valueKind(f *catalog.Field) plan.Kind { return f.Property.Columns()[0].Kind }

func (c *compiler) chartPart(m *model, p part, at *source.Node) *catalog.Field {
	f := m.Field(p.code)
	c.noteField(f, p.code, source.In(at))
	if f == nil {
		if !m.poisoned(p.code) {
			c.suggest("LIST061", at, p.code, m.codes(), m.Code)
		}
		return nil
	}
	if !p.fits(f) {
		c.report("LIST062", at, f.Code, f.Type.Name(), p.key, p.types)
		return nil
	}
	if ch, ok := f.Property.(property.Chooser); ok {
		for _, o := range ch.Choices() {
			if !slices.Contains(p.words, strings.ToLower(o.Code)) {
				c.report("LIST063", at, o.Code, f.Code, p.key, p.meanings)
			}
		}
	}
	return f
}

// chartOrder makes the rows of a chart stand in the order that people give them by dragging.
func (c *compiler) chartOrder(l *catalog.List, d *def.List) {
	g := l.Presentation.Gantt
	if g == nil || g.Order == nil {
		return
	}
	if len(d.OrderBy) == 0 {
		l.OrderBy = []catalog.ListOrder{{Path: catalog.Path{Code: g.Order.Code, Field: g.Order}}}
		return
	}
	if len(l.OrderBy) > 0 && (l.OrderBy[0].Path.Field != g.Order || l.OrderBy[0].Descending) {
		c.report("LIST065", codeNode(d.OrderBy[0].Node), g.Order.Code)
	}
}
