package store

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Columns that every table has without being asked, and those of sub-tables and link tables.
const (
	idColumn     = "id"
	parentColumn = "parentId"
	orderColumn  = "sortKey"
)

// own reports whether a table is one of the engine's.
func own(t plan.Table) bool { return len(t.Key) > 0 }

// columns are the columns of a table as they are in the database, without rid.
func columns(t plan.Table) []plan.Column {
	if own(t) {
		return slices.Clone(t.Columns)
	}
	out := []plan.Column{{Name: idColumn, Kind: plan.ID, NotNull: true}}
	if t.Parent != "" {
		out = append(out, plan.Column{Name: parentColumn, Kind: plan.ID, NotNull: true}, plan.Column{Name: orderColumn, Kind: plan.Int, NotNull: true})
	}
	for _, c := range t.Columns {
		if !implicit(t, c.Name) {
			out = append(out, c)
		}
	}
	return out
}

func implicit(t plan.Table, column string) bool {
	return column == idColumn || t.Parent != "" && (column == parentColumn || column == orderColumn)
}

// links are the link tables of a table's Set columns.
func links(t plan.Table) []plan.Column {
	return slices.DeleteFunc(columns(t), func(c plan.Column) bool { return c.Kind != plan.Set })
}

// action is what a foreign key does when its target goes.
type action string

const (
	onRefuse  action = "NO ACTION"
	onClear   action = "SET NULL"
	onCascade action = "CASCADE"
)

// foreign is a foreign key of a table or of a link table.
type foreign struct {
	table, column, target string
	action                action
}

func (f foreign) name() string { return objectName("f", f.table, f.column) }

// clause is the key as it is behind a column.
func (f foreign) clause() string {
	return " REFERENCES " + Ident(f.target) + " (" + quote(idColumn) + ") ON DELETE " + string(f.action)
}

// foreignKeys lists the keys of a table and of its link tables. References to tables outside the storage plan (files) are
// checked by the person who writes them.
func foreignKeys(s plan.Storage, t plan.Table) []foreign {
	var out []foreign
	if t.Parent != "" {
		out = append(out, foreign{t.Name, parentColumn, t.Parent, onCascade})
	}
	for _, c := range columns(t) {
		to := referenced(s, c)
		on := onRefuse
		switch c.OnDelete {
		case "clear":
			on = onClear
		case "cascade":
			on = onCascade
		}
		if c.Kind == plan.Set {
			link := LinkTable(t.Name, c.Name)
			out = append(out, foreign{link, "v", t.Name, onCascade})
			if to != "" {
				if on == onClear { // the member leaves the set
					on = onCascade
				}
				out = append(out, foreign{link, idColumn, to, on})
			}
		} else if to != "" {
			out = append(out, foreign{t.Name, c.Name, to, on})
		}
	}
	return out
}

// foreignOf finds the key of a column; ok is false when it has none.
func foreignOf(keys []foreign, table, column string) (foreign, bool) {
	i := slices.IndexFunc(keys, func(f foreign) bool { return f.table == table && f.column == column })
	if i < 0 {
		return foreign{}, false
	}
	return keys[i], true
}

type indexKind uint8

const (
	plainIndex indexKind = iota
	uniqueIndex
	gramIndex
)

// index is an index of a table as it is in the database.
type index struct {
	kind    indexKind
	name    string
	table   string
	columns []string
	desc    []bool
	derived bool // made for a foreign key, not asked for
	own     bool // of a table of the engine
	where   string
}

// indexes lists a table's indexes: the wanted ones, one for each foreign key that no other begins with, and gram indexes.
func indexes(s plan.Storage, t plan.Table) []index {
	var out []index
	add := func(kind indexKind, prefix string, of plan.Index, derived bool) {
		x := index{kind: kind, name: objectName(prefix, t.Name, of.Columns...), table: t.Name, columns: of.Columns, desc: of.Desc, derived: derived, own: own(t), where: of.Where}
		if slices.ContainsFunc(of.Desc, func(d bool) bool { return d }) {
			var marks strings.Builder
			for i := range of.Columns {
				if i < len(of.Desc) && of.Desc[i] {
					marks.WriteByte('d')
				} else {
					marks.WriteByte('a')
				}
			}
			x.name = objectName(prefix, t.Name, append(slices.Clone(of.Columns), marks.String())...)
		}
		if of.Name != "" {
			x.name = of.Name
		}
		if !slices.ContainsFunc(out, func(o index) bool { return o.name == x.name }) {
			out = append(out, x)
		}
	}
	for _, u := range t.Unique {
		add(uniqueIndex, "u", plan.Index{Columns: u.Columns, Name: u.Name, Where: u.Where}, false)
	}
	for _, i := range t.Indexes {
		add(plainIndex, "i", i, false)
	}
	if t.Parent != "" {
		add(plainIndex, "i", plan.Index{Columns: []string{parentColumn, orderColumn}}, true)
	}
	for _, f := range foreignKeys(s, t) {
		if f.table == t.Name && !slices.ContainsFunc(out, func(x index) bool { return x.columns[0] == f.column }) {
			add(plainIndex, "i", plan.Index{Columns: []string{f.column}}, true)
		}
	}
	for _, c := range t.Columns {
		if c.Search && c.Kind == plan.Text {
			out = append(out, index{kind: gramIndex, name: physical(GramTable(t.Name, c.Name)), table: t.Name, columns: []string{c.Name}})
		}
	}
	return out
}

// linkOnes is the statement that puts the one value of each row into the link table of a set that takes its place.
func linkOnes(t plan.Table, c plan.Column, value func(column string) string) string {
	return "INSERT INTO " + Ident(LinkTable(t.Name, c.Name)) + ` ("v", "id", "ordinal") SELECT ` + value(idColumn) + ", " + value(c.Name) + ", 0 FROM " +
		Ident(t.Name) + " WHERE " + Ident(c.Name) + " IS NOT NULL"
}

// statement is one statement of an apply.
type statement struct {
	text string
	args []any
}

// script collects statements.
type script []statement

func (s *script) add(parts ...string) { *s = append(*s, statement{text: strings.Join(parts, "")}) }

func (s *script) addArgs(text string, args ...any) { *s = append(*s, statement{text, args}) }

// idents is a list of quoted names.
func idents(of []string) string {
	out := make([]string, len(of))
	for i, n := range of {
		out[i] = Ident(n)
	}
	return strings.Join(out, ", ")
}
