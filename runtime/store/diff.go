package store

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// storageDiff pairs the tables of two storage plans.
type storageDiff struct {
	have, want plan.Storage
	tables     []tableDiff
}

// tableDiff is a table that stays (both), comes (have is nil) or goes (want is nil).
type tableDiff struct {
	have, want *plan.Table
	columns    []columnDiff // of a table that stays: all, in the order of want, those that go last
	kept       []indexPair
	gone, come []index
	keysGone   []foreign // named as in have
	keysCome   []foreign
}

type columnDiff struct{ have, want *plan.Column }

type indexPair struct{ have, want index }

func (d tableDiff) renamed() bool {
	return d.have != nil && d.want != nil && d.have.Name != d.want.Name
}

func (d columnDiff) stays() bool   { return d.have != nil && d.want != nil }
func (d columnDiff) renamed() bool { return d.stays() && d.have.Name != d.want.Name }

// retyped: what is stored cannot be kept.
func (d columnDiff) retyped(x *storageDiff) bool {
	return d.stays() && (d.have.Kind != d.want.Kind || x.newName(referenced(x.have, *d.have)) != referenced(x.want, *d.want) &&
		referenced(x.have, *d.have) != "" && referenced(x.want, *d.want) != "")
}

func diff(have, want plan.Storage) *storageDiff {
	x := &storageDiff{have: have, want: want}
	used := map[string]bool{}
	for i := range want.Tables {
		w := &want.Tables[i]
		h := x.origin(w, used)
		if h != nil {
			used[h.Name] = true
		}
		x.tables = append(x.tables, tableDiff{have: h, want: w})
	}
	for i := range have.Tables {
		if h := &have.Tables[i]; !used[h.Name] {
			x.tables = append(x.tables, tableDiff{have: h})
		}
	}
	for i := range x.tables {
		d := &x.tables[i]
		if d.have != nil && d.want != nil {
			d.columns = pairColumns(d.have, d.want)
		}
		x.pairIndexes(d)
		x.pairKeys(d)
	}
	return x
}

// origin finds the table that w was. Its own name wins, so that a renamedFrom that has been carried out is without effect.
func (x *storageDiff) origin(w *plan.Table, used map[string]bool) *plan.Table {
	wanted := func(name string) bool {
		return slices.ContainsFunc(x.want.Tables, func(t plan.Table) bool { return t.Name == name })
	}
	find := func(is func(t *plan.Table) bool) *plan.Table {
		for i := range x.have.Tables {
			if t := &x.have.Tables[i]; !used[t.Name] && is(t) {
				return t
			}
		}
		return nil
	}
	if t := find(func(t *plan.Table) bool { return t.Name == w.Name }); t != nil {
		return t
	}
	var names []string
	if w.RenamedFrom != "" {
		names = append(names, w.RenamedFrom, "d_"+w.RenamedFrom)
	}
	if w.Parent != "" { // a sub-table follows its parent, and may have another name besides
		if p := x.oldName(w.Parent); p != "" {
			if w.RenamedFrom != "" {
				names = append(names, p+"__"+w.RenamedFrom)
			}
			names = append(names, p+strings.TrimPrefix(w.Name, w.Parent))
		}
	}
	for _, n := range names {
		if t := find(func(t *plan.Table) bool { return strings.EqualFold(t.Name, n) && !wanted(t.Name) }); t != nil {
			return t
		}
	}
	return nil
}

// oldName and newName follow renames of the tables paired so far; "" for a table that is not in the other plan.
func (x *storageDiff) oldName(want string) string {
	for _, d := range x.tables {
		if d.have != nil && d.want != nil && d.want.Name == want {
			return d.have.Name
		}
	}
	return ""
}

func (x *storageDiff) newName(have string) string {
	for _, d := range x.tables {
		if d.have != nil && d.want != nil && d.have.Name == have {
			return d.want.Name
		}
	}
	return ""
}

func pairColumns(have, want *plan.Table) []columnDiff {
	hs, ws := columns(*have), columns(*want)
	used := map[string]bool{}
	for _, w := range ws {
		used[w.Name] = slices.ContainsFunc(hs, func(h plan.Column) bool { return h.Name == w.Name })
	}
	var out []columnDiff
	for i := range ws {
		w := &ws[i]
		j := slices.IndexFunc(hs, func(h plan.Column) bool { return h.Name == w.Name })
		if j < 0 && w.RenamedFrom != "" {
			from := columnOrigin(w)
			j = slices.IndexFunc(hs, func(h plan.Column) bool { return strings.EqualFold(h.Name, from) && !used[h.Name] })
		}
		if j < 0 {
			out = append(out, columnDiff{want: w})
			continue
		}
		used[hs[j].Name] = true
		out = append(out, columnDiff{have: &hs[j], want: w})
	}
	for j := range hs {
		if !used[hs[j].Name] {
			out = append(out, columnDiff{have: &hs[j]})
		}
	}
	return out
}

// columnOrigin is the old name of a renamed column: renamedFrom names the property, whose further columns (place__detail)
// keep their ending.
func columnOrigin(w *plan.Column) string {
	if w.Property != "" && w.RenamedFrom != "" && !strings.Contains(w.RenamedFrom, "__") {
		if rest, ok := strings.CutPrefix(w.Name, w.Property+"__"); ok {
			return w.RenamedFrom + "__" + rest
		}
	}
	return w.RenamedFrom
}

// pairIndexes sorts a table's indexes into kept, gone and coming ones; an index of a retyped column is made anew.
func (x *storageDiff) pairIndexes(d *tableDiff) {
	var hs, ws []index
	if d.have != nil {
		hs = indexes(x.have, *d.have)
	}
	if d.want != nil {
		ws = indexes(x.want, *d.want)
	}
	rename, lost := map[string]string{}, map[string]bool{}
	for _, c := range d.columns {
		if c.stays() {
			rename[c.have.Name] = c.want.Name
			lost[c.have.Name] = c.retyped(x)
		}
	}
	for _, h := range hs {
		mapped := make([]string, len(h.columns))
		intact := true
		for i, c := range h.columns {
			mapped[i] = rename[c]
			intact = intact && !lost[c] && mapped[i] != ""
		}
		j := slices.IndexFunc(ws, func(w index) bool {
			return w.kind == h.kind && slices.Equal(w.columns, mapped) && slices.Equal(w.desc, h.desc)
		})
		if !intact || j < 0 {
			d.gone = append(d.gone, h)
			continue
		}
		d.kept = append(d.kept, indexPair{h, ws[j]})
		ws = slices.Delete(ws, j, j+1)
	}
	d.come = ws
}

// pairKeys does the same for foreign keys, by what they say and how they are called.
func (x *storageDiff) pairKeys(d *tableDiff) {
	var hs, ws []foreign
	if d.have != nil {
		hs = foreignKeys(x.have, *d.have)
	}
	if d.want != nil {
		ws = foreignKeys(x.want, *d.want)
	}
	retyped := map[string]bool{}
	for _, c := range d.columns {
		if c.retyped(x) {
			retyped[c.have.Name] = true
			retyped[LinkTable(d.have.Name, c.have.Name)] = true
		}
	}
	for _, h := range hs {
		now := h
		now.target = x.newName(h.target)
		j := slices.Index(ws, now)
		if j < 0 || retyped[h.column] || retyped[h.table] {
			d.keysGone = append(d.keysGone, h)
			continue
		}
		ws = slices.Delete(ws, j, j+1)
	}
	d.keysCome = ws
}

// keyChanged: the foreign key of a column that stays comes, goes or does something else.
func (x *storageDiff) keyChanged(t tableDiff, c columnDiff) bool {
	h, had, w, has := x.keys(t, c)
	return had != has || has && (h.action != w.action || x.newName(h.target) != w.target)
}

// keys are a staying column's foreign keys before and after.
func (x *storageDiff) keys(t tableDiff, c columnDiff) (h foreign, had bool, w foreign, has bool) {
	oldTable, oldColumn, table, column := t.have.Name, c.have.Name, t.want.Name, c.want.Name
	if c.have.Kind == plan.Set {
		oldTable, oldColumn = LinkTable(oldTable, oldColumn), idColumn
	}
	if c.want.Kind == plan.Set {
		table, column = LinkTable(table, column), idColumn
	}
	h, had = foreignOf(foreignKeys(x.have, *t.have), oldTable, oldColumn)
	w, has = foreignOf(foreignKeys(x.want, *t.want), table, column)
	return h, had, w, has
}
