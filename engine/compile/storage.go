package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// pinyinColumn holds the sound of a record's name, for keyword search; the engine writes it.
const pinyinColumn = catalog.Name + "__pinyin"

// storage derives the tables of all models and reports names that would meet in the database.
func (c *compiler) storage() plan.Storage {
	out := plan.Storage{Marks: true}
	taken := map[string]*model{}
	usage := c.usage()
	for _, cm := range c.cat.Models {
		m := c.of[cm]
		for _, t := range append([]*catalog.Model{cm}, cm.Sheets...) {
			s := c.of[t]
			table := c.table(s)
			table.Indexes = usage.indexes(s, table.Unique)
			c.claim(taken, s, table)
			out.Tables = append(out.Tables, table)
		}
		c.warnScans(m)
	}
	return out
}

func (c *compiler) table(m *model) plan.Table {
	t := plan.Table{Name: m.Table, Model: m.Code, Pack: m.Pack, RenamedFrom: m.renamedFrom, At: m.at()}
	if m.parent != nil {
		t.Parent = m.parent.Table
		t.Columns = []plan.Column{
			{Name: catalog.ID, Property: catalog.ID, Kind: plan.ID, NotNull: true},
			{Name: catalog.SheetParent, Property: catalog.SheetParent, Kind: plan.ID, NotNull: true, References: t.Parent, OnDelete: "cascade"},
			{Name: catalog.SheetOrder, Property: catalog.SheetOrder, Kind: plan.Int, NotNull: true},
		}
		t.Columns = append(t.Columns, m.Own...)
		t.MinRows, t.MaxRows = m.rows()
	}
	var search bool
	for _, f := range m.Fields {
		for i, col := range f.Columns() {
			if f.Target != nil && col.References != "" {
				col.References = f.Target.Table
			} else if f.Target != nil {
				col.Of = f.Target.Code
			} else if i == 0 && !f.System {
				col.Of = c.recordsOf(f)
			}
			if f.System || col.At == "" {
				col.At = f.At
			}
			if i == 0 && !f.System {
				col.Required, col.Choices, col.Computed = requires(f), sortedChoices(f.Property), f.Compute != nil
				col.ChoicesFrom = formerChoices(f.Property)
				if p, ok := f.Property.(property.Converter); ok {
					col.Conversions = p.Conversions()
				}
			}
			search = search || f.Code == catalog.Name && col.Search
			t.Columns = append(t.Columns, col)
		}
		if f.Live {
			t.Live = append(t.Live, f.Code)
		}
		if f.Unique && f.Columns() != nil {
			t.Unique = append(t.Unique, plan.Index{Columns: []string{f.Property.Columns()[0].Name}, At: f.At})
		}
	}
	if m.parent == nil {
		t.Columns = append(t.Columns, plan.Column{Name: pinyinColumn, Property: catalog.Name, Kind: plan.Text, Search: search, At: m.at()})
	}
	for i := range t.Columns {
		t.Columns[i].At = firstOf(t.Columns[i].At, t.At)
	}
	for i, fields := range m.Unique {
		t.Unique = append(t.Unique, plan.Index{Columns: columnNames(fields), At: m.def.Node.Get("unique").At(itoa(i)).Pos().String()})
	}
	return t
}

// recordsOf are the models, with spaces between, whose records a property without a single target holds; "" where it holds none.
func (c *compiler) recordsOf(f *catalog.Field) string {
	if _, files := f.Property.(property.FileTaker); files {
		return fileRecords
	}
	if _, mixed := f.Property.(property.Claimer); mixed && f.Target == nil {
		of := c.SystemModels()
		return of.Department + " " + of.User
	}
	return ""
}

// fileRecords represents files, which are records of no model.
const fileRecords = "file"

// requires reports whether every record must have a value: one that people give, not a formula or the engine.
func requires(f *catalog.Field) bool { return f.Required && f.Compute == nil }

func sortedChoices(p property.Property) []string { return slices.Sorted(slices.Values(choices(p))) }

// formerChoices are the codes that options had before; nil where none had another.
func formerChoices(p property.Property) map[string]names.Former {
	var out map[string]names.Former
	for _, o := range options(p) {
		if len(o.Former) > 0 {
			if out == nil {
				out = map[string]names.Former{}
			}
			out[o.Code] = o.Former
		}
	}
	return out
}

// rows are the limits of a sub-table that people fill.
func (m *model) rows() (least, most int) {
	i := slices.IndexFunc(m.parent.Fields, func(f *catalog.Field) bool { return f.Sheet == m.Model })
	if i < 0 {
		return 0, 0
	}
	f := m.parent.Fields[i]
	n, ok := f.Property.(property.Nester)
	if !ok || !n.Nested().Writable {
		return 0, 0
	}
	least, most = n.Nested().MinRows, n.Nested().MaxRows
	if f.Required {
		least = max(least, 1)
	}
	return least, most
}

func columnNames(fields []*catalog.Field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Column().Column)
	}
	return out
}

// claim reports two things that would have one name: tables with link tables, and columns.
func (c *compiler) claim(taken map[string]*model, m *model, t plan.Table) {
	taking := []string{t.Name}
	columns := map[string]bool{}
	for _, col := range t.Columns {
		if col.Kind == plan.Set {
			taking = append(taking, t.Name+"__"+col.Name)
		}
		if columns[fold(col.Name)] {
			c.report("MODEL026", m.node, col.Name, m.Code)
		}
		columns[fold(col.Name)] = true
	}
	for _, n := range taking {
		if other := taken[fold(n)]; other != nil {
			c.report("MODEL027", m.node, m.Code, other.Code, n)
			continue
		}
		taken[fold(n)] = m
	}
}

// warnScans warns about lists of large models whose filters or order no index can serve.
func (c *compiler) warnScans(m *model) {
	if m.Volume <= LargeVolume {
		return
	}
	for _, l := range c.lists.all {
		if l.List == nil || l.Model != m.Model || l.generated != nil {
			continue
		}
		for _, d := range l.def.Conditions {
			i := slices.IndexFunc(l.Conditions, func(x catalog.Condition) bool { return strings.EqualFold(x.Path.Code, d.PropertyCode) })
			if i >= 0 && scans(l.Conditions[i], c) {
				c.report("LIST040", codeNode(d.Node), d.PropertyCode, m.Volume)
			}
		}
		for _, d := range l.def.Conditions {
			if f := l.Model.Field(d.PropertyCode); f != nil && f.Live {
				c.report("LIST042", codeNode(d.Node), d.PropertyCode, m.Volume)
			}
		}
		for _, d := range l.def.OrderBy {
			i := slices.IndexFunc(l.OrderBy, func(x catalog.ListOrder) bool { return strings.EqualFold(x.Path.Code, d.PropertyCode) })
			if i >= 0 && sortColumns(l.OrderBy[i].Path) == nil {
				c.report("LIST041", codeNode(d.Node), d.PropertyCode, m.Volume)
			}
		}
	}
}

// scans reports whether a condition looks for a part of a text that has no gram index.
func scans(x catalog.Condition, c *compiler) bool {
	op, _ := x.Operator.Positive()
	if op != plan.Contains || !x.Visible || c.choicesOf(x.Path.Field) != nil {
		return false
	}
	cols := x.Path.Field.Property.Columns()
	return len(cols) == 1 && cols[0].Kind == plan.Text && !cols[0].Search
}
