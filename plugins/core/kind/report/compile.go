package report

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// compiler is the state of one document.
type compiler struct {
	kind.Linker
	d      *document
	out    *catalog.Report
	faulty bool
	// groups and measures are the codes that a data set declares, those at fault among them: what names one is not told twice.
	groups, measures map[*catalog.DataSet][]string
	// unnamed are the groups that are called after their properties.
	unnamed map[*catalog.DataSet][]string
}

func compile(l kind.Linker, doc def.Document) any {
	d := doc.(*document)
	c := &compiler{Linker: l, d: d, groups: map[*catalog.DataSet][]string{}, measures: map[*catalog.DataSet][]string{}, unnamed: map[*catalog.DataSet][]string{}}
	c.out = &catalog.Report{Code: d.Code, Pack: d.Pack, Label: d.Label(plan.Label{Zh: d.Code}), Exports: d.Exports}
	if len(c.out.Exports) == 0 {
		c.out.Exports = []string{"picture", "xlsx", "pdf"}
	}
	for i := range d.Filters {
		c.filter(&d.Filters[i])
	}
	for i := range d.Sets {
		c.set(&d.Sets[i])
	}
	for i := range d.Charts {
		c.chart(&d.Charts[i])
	}
	if c.faulty {
		return nil
	}
	return c.out
}

// Suggest implements kind.Linker and notes errors.
func (c *compiler) Suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Suggest(code, at, word, candidates, args...)
}

// Report implements kind.Linker and notes errors.
func (c *compiler) Report(code string, at *source.Node, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Report(code, at, args...)
}

func (c *compiler) model(at *source.Node) *catalog.Model {
	m := c.Model(at)
	c.faulty = c.faulty || m == nil
	return m
}

// path resolves the property that a node names: the node itself, or its propertyCode.
func (c *compiler) path(m *catalog.Model, at *source.Node) (catalog.Path, bool) {
	if at.Kind == source.Object {
		at = at.Get("propertyCode")
	}
	if m == nil || at == nil {
		return catalog.Path{}, false
	}
	p, ok := c.Path(m, at)
	c.faulty = c.faulty || !ok
	return p, ok
}

func (c *compiler) filter(f *filter) {
	m := c.model(f.Node.Get("schemaCode"))
	p, ok := c.path(m, f.Node)
	if !ok {
		return
	}
	if slices.ContainsFunc(c.out.Filters, func(o *catalog.ReportFilter) bool { return o.Code == f.Code }) {
		c.Report("REPORT011", f.Node.Get("code"), f.Code)
	}
	of, can := p.Field.Property.(property.Filterer)
	if !can {
		c.Report("REPORT001", f.Node.Get("propertyCode"), f.PropertyCode, p.Field.Type.Name())
		return
	}
	op := of.DefaultOperator()
	if f.Operator != "" {
		if op = plan.Op(f.Operator); !slices.Contains(of.Operators(), op) {
			c.Report("REPORT001", f.Node.Get("queryFilterType"), f.PropertyCode, p.Field.Type.Name())
			return
		}
	}
	for _, key := range []string{"defaultValue", "startValue", "endValue"} {
		c.Chosen(p.Field, f.Node.Get(key))
	}
	c.out.Filters = append(c.out.Filters, &catalog.ReportFilter{Code: f.Code, Model: m, Condition: catalog.Condition{Path: p, Label: f.Label(p.Field.Label), Operator: op,
		DefaultValue: f.Default, StartValue: f.Start, EndValue: f.End, ChoiceType: f.ChoiceType, Visible: f.Visible == nil || *f.Visible}})
}

func (c *compiler) set(d *dataSet) {
	out := &catalog.DataSet{Code: d.Code, Label: d.Label(plan.Label{Zh: d.Code}), Model: c.model(d.Node.Get("schemaCode")), Top: d.Top, Others: d.Others}
	if c.out.Set(d.Code) != nil {
		c.Report("REPORT011", d.Node.Get("code"), d.Code)
	}
	c.out.Sets = append(c.out.Sets, out)
	for i := range d.Groups {
		c.groups[out] = append(c.groups[out], d.Groups[i].code())
		if d.Groups[i].Code == "" {
			c.unnamed[out] = append(c.unnamed[out], d.Groups[i].code())
		}
	}
	for i := range d.Measures {
		c.measures[out] = append(c.measures[out], d.Measures[i].Code)
	}
	defer func() { // when it has its groups and measures
		for i := range d.Order {
			c.order(out, &d.Order[i])
		}
	}()
	if out.Model == nil {
		return
	}
	if at := d.Node.Get("sheet"); at != nil {
		if f := out.Model.Field(d.Sheet); f != nil && f.Sheet != nil {
			out.Sheet = f
			c.Refers(names.Property, names.Join(out.Model.Code, f.Code), source.In(at))
		} else {
			c.Suggest("REPORT003", at, d.Sheet, sheets(out.Model), out.Model.Code)
		}
	}
	if at := d.Node.Get("condition"); at != nil {
		out.Where = c.condition(out, at)
	}
	for i := range d.Filters {
		c.setFilter(out, &d.Filters[i])
	}
	for i := range d.Groups {
		c.group(out, &d.Groups[i])
	}
	for i := range d.Measures {
		c.measure(out, &d.Measures[i])
	}
}

func sheets(m *catalog.Model) (out []string) {
	for _, f := range m.Fields {
		if f.Sheet != nil {
			out = append(out, f.Code)
		}
	}
	return out
}

// condition compiles one on the records. Where rows of a sub-table are counted, it cannot ask for some row of a sub-table.
func (c *compiler) condition(s *catalog.DataSet, at *source.Node) plan.Expr {
	e := c.Condition(s.Model, at)
	if e == nil {
		c.faulty = c.faulty || at.Text() != ""
		return nil
	}
	if s.Sheet != nil {
		plan.Walk(e, func(x plan.Expr) {
			if _, is := x.(*plan.AnyRow); is {
				c.Report("REPORT015", at)
			}
		})
	}
	return e
}

func (c *compiler) setFilter(s *catalog.DataSet, d *setFilter) {
	at := d.Node
	if at.Kind == source.Object {
		at = at.Get("filter")
	}
	i := slices.IndexFunc(c.out.Filters, func(f *catalog.ReportFilter) bool { return f.Code == d.Filter })
	if i < 0 {
		var known []string
		for _, f := range c.out.Filters {
			known = append(known, f.Code)
		}
		c.Suggest("REPORT004", at, d.Filter, known)
		return
	}
	f := c.out.Filters[i]
	out := catalog.DataSetFilter{Filter: f, Path: f.Condition.Path}
	switch {
	case d.PropertyCode != "":
		p, ok := c.path(s.Model, d.Node)
		if !ok {
			return
		}
		of, can := p.Field.Property.(property.Filterer)
		if !can || !slices.Contains(of.Operators(), f.Condition.Operator) {
			c.Report("REPORT001", d.Node.Get("propertyCode"), d.PropertyCode, p.Field.Type.Name())
			return
		}
		out.Path = p
	case f.Model != s.Model:
		c.Report("REPORT005", at, f.Code, s.Model.Code)
		return
	}
	s.Filters = append(s.Filters, out)
}

// single reports whether a property is one value, by which rows can be grouped: texts of any length, files and sets are not.
func single(f *catalog.Field) bool {
	for _, col := range f.Property.Columns() { // a sub-table has none
		if col.Kind == plan.Set {
			return false
		}
	}
	return len(f.Property.Columns()) > 0
}

func (c *compiler) group(s *catalog.DataSet, d *group) {
	p, ok := c.path(s.Model, d.Node)
	if !ok {
		return
	}
	at := d.Node
	if at.Kind == source.Object {
		at = at.Get("propertyCode")
	}
	code := d.code()
	if known(s, code) {
		c.Report("REPORT011", at, code)
	}
	if !single(p.Field) || !reaches(s, p) {
		c.Report("REPORT002", at, p.Code, p.Field.Type.Name())
		return
	}
	g := catalog.ReportGroup{Code: code, Label: d.Label(p.Field.Label), Path: p, Step: d.TimeStep, Fill: d.FillGaps}
	if g.Step != "" {
		k := p.Field.Property.Columns()[0].Kind
		if k != plan.Date && k != plan.Instant || g.Step == "hour" && k != plan.Instant {
			c.Report("REPORT006", d.Node.Get("timeStep"), p.Code, p.Field.Type.Name())
			return
		}
	}
	if g.Level = d.Level; g.Level > 0 {
		_, leveled := p.Field.Property.(property.Leveled)
		if !leveled && (p.Field.Target == nil || p.Field.Target.Tree == nil) {
			c.Report("REPORT013", d.Node.Get("level"), p.Code)
		}
	}
	s.Groups = append(s.Groups, g)
}

// reaches reports whether a data set can read a property: of rows of a sub-table only its own one.
func reaches(s *catalog.DataSet, p catalog.Path) bool {
	return !p.Sheet || p.Steps[0] == s.Sheet
}

func known(s *catalog.DataSet, code string) bool {
	return slices.ContainsFunc(s.Groups, func(g catalog.ReportGroup) bool { return g.Code == code }) || place(s, code) >= 0
}

// place is that of a measure; -1 = there is none.
func place(s *catalog.DataSet, code string) int {
	return slices.IndexFunc(s.Measures, func(m catalog.Measure) bool { return m.Code == code })
}

func (c *compiler) measure(s *catalog.DataSet, d *measure) {
	if known(s, d.Code) {
		c.Report("REPORT011", d.Node.Get("code"), d.Code)
	}
	m := catalog.Measure{Code: d.Code, Label: d.Label(plan.Label{Zh: d.Code}), Fn: d.SumType, Of: -1, Per: -1, With: d.With, As: d.As, Format: d.DisplayFormat, Scale: d.Scale, Unit: d.Unit}
	defer func() { s.Measures = append(s.Measures, m) }()
	other := func(key, code string) int {
		i := place(s, code)
		if i < 0 {
			var before []string
			for _, o := range s.Measures {
				before = append(before, o.Code)
			}
			c.Suggest("REPORT007", d.Node.Get(key), code, before)
		}
		return i
	}
	switch d.SumType {
	case catalog.MeasureRatio:
		m.Of, m.Per = other("numerator", d.Numerator), other("denominator", d.Denominator)
		return
	case catalog.MeasureCompare:
		m.Of = other("measure", d.Measure)
		if m.With == "" {
			m.With = "previousPeriod"
		}
		if m.As == "" {
			m.As = "percent"
		}
		return
	case catalog.MeasureCumulative:
		m.Of = other("measure", d.Measure)
		return
	}
	if at := d.Node.Get("condition"); at != nil {
		m.When = c.condition(s, at)
	}
	if at := d.Node.Get("formula"); at != nil {
		c.formula(s, &m, at)
		return
	}
	if d.PropertyCode == "" {
		return
	}
	p, ok := c.path(s.Model, d.Node)
	if !ok {
		return
	}
	if !c.folds(s, &m, p) {
		c.Report("REPORT008", d.Node.Get("propertyCode"), p.Code, p.Field.Type.Name(), d.SumType)
		return
	}
	m.Path = &p
	if m.Fn == string(plan.SumDistinct) && slices.ContainsFunc(s.Groups, func(g catalog.ReportGroup) bool { return g.Level > 0 }) {
		c.Report("REPORT017", d.Node.Get("sumType"), d.Code)
	}
	if d.NameI18n == nil && d.Name == "" {
		m.Label = p.Field.Label
	}
}

// folds reports whether a figure can be made of a property.
func (c *compiler) folds(s *catalog.DataSet, m *catalog.Measure, p catalog.Path) bool {
	if !reaches(s, p) || !single(p.Field) {
		return false
	}
	if m.Fn == string(plan.SumDistinct) {
		return len(p.Field.Property.Columns()) == 1
	}
	of, is := p.Field.Property.(property.Aggregator)
	return is && slices.Contains(of.Aggregates(), plan.Sum(m.Fn))
}

func (c *compiler) formula(s *catalog.DataSet, m *catalog.Measure, at *source.Node) {
	m.Formula = c.Formula(s.Model, at, plan.Number)
	if m.Formula == nil {
		c.faulty = true
		return
	}
	if word := expression.MemoryOnly(m.Formula); word != "" {
		c.Report("REPORT012", at, word)
	}
}

func (c *compiler) order(s *catalog.DataSet, d *order) {
	o := catalog.ReportOrder{Group: slices.IndexFunc(s.Groups, func(g catalog.ReportGroup) bool { return g.Code == d.Code }), Measure: place(s, d.Code), Descending: d.Direction == "descending"}
	if o.Group < 0 && o.Measure < 0 {
		if slices.Contains(append(c.groups[s], c.measures[s]...), d.Code) {
			return // at fault itself
		}
		at := d.Node
		if at.Kind == source.Object {
			at = at.Get("code")
		}
		c.Suggest("REPORT010", at, d.Code, slices.Concat(c.groups[s], c.measures[s]))
		return
	}
	if o.Group >= 0 {
		at := d.Node
		if at.Kind == source.Object {
			at = at.Get("code")
		}
		c.refers(s, at)
	}
	s.Order = append(s.Order, o)
}

func (c *compiler) chart(d *chart) {
	if slices.ContainsFunc(c.out.Charts, func(o *catalog.ReportChart) bool { return o.Code == d.Code }) {
		c.Report("REPORT011", d.Node.Get("code"), d.Code)
	}
	s := c.out.Set(d.DataSet)
	if s == nil && d.DataSet == "" {
		return // the schema says so
	}
	if s == nil {
		var known []string
		for _, o := range c.out.Sets {
			known = append(known, o.Code)
		}
		c.Suggest("REPORT014", d.Node.Get("dataSet"), d.DataSet, known)
		return
	}
	for _, key := range catalog.ChartGroups[d.ChartType] {
		c.named(d.Node.Get(key), c.groups[s], "REPORT009", s)
		c.refers(s, d.Node.Get(key))
	}
	for _, key := range catalog.ChartMeasures[d.ChartType] {
		c.named(d.Node.Get(key), c.measures[s], "REPORT009", s)
	}
	if at := d.Node.Get("queryCode"); at != nil {
		l := c.List(at)
		c.faulty = c.faulty || l == nil
		if l != nil && s.Model != nil && l.Model != s.Model {
			c.Report("REPORT016", at, l.Code, s.Model.Code)
		}
	}
	c.out.Charts = append(c.out.Charts, &catalog.ReportChart{Code: d.Code, Label: d.Label(plan.Label{Zh: d.Code}), Type: d.ChartType, Set: s, Document: d.Node.Raw()})
}

// refers notes the properties that unnamed groups are called after.
func (c *compiler) refers(s *catalog.DataSet, at *source.Node) {
	if at != nil && at.Kind == source.Array {
		for _, one := range at.Items() {
			c.refers(s, one)
		}
		return
	}
	for _, g := range s.Groups {
		if f := g.Path.Field; g.Code == at.Text() && slices.Contains(c.unnamed[s], g.Code) {
			c.Refers(names.Property, names.Join(f.Model.Code, f.Code), source.In(at))
		}
	}
}

// named checks a code, or each of several; an entry may be an object with the key measure.
func (c *compiler) named(at *source.Node, codes []string, fault string, s *catalog.DataSet) {
	switch {
	case at == nil:
	case at.Kind == source.Array:
		for _, one := range at.Items() {
			c.named(one, codes, fault, s)
		}
	case at.Kind == source.Object:
		c.named(at.Get("measure"), codes, fault, s)
	case at.Text() != "" && !slices.Contains(codes, at.Text()):
		c.Suggest(fault, at, at.Text(), codes, s.Code, strings.Join(codes, ", "))
	}
}
