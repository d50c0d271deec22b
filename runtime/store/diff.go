package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// storageDiff pairs the tables of two storage plans.
type storageDiff struct {
	have, want plan.Storage
	tables     []tableDiff
	repack     bool // have and want are the same, but for the form in which ids are stored
	// words are what values of columns of want become that are texts before and after (names.Words).
	words map[*plan.Column]map[string]string
	log   *names.Log // up to have; nil where it tells nothing
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

type columnDiff struct {
	have, want *plan.Column
	reshaped   bool // its property has another number of columns: an address is no text
}

type indexPair struct{ have, want index }

func (d tableDiff) renamed() bool {
	return d.have != nil && d.want != nil && d.have.Name != d.want.Name
}

func (d columnDiff) stays() bool   { return d.have != nil && d.want != nil }
func (d columnDiff) renamed() bool { return d.stays() && d.have.Name != d.want.Name }

// retyped: what is stored cannot be kept.
func (d columnDiff) retyped(x *storageDiff) bool {
	if !d.stays() {
		return false
	}
	_, moves := d.moves(x)
	return d.have.Kind != d.want.Kind && !moves || d.reshaped || d.other() || d.strangers(x)
}

// strangers: ids name records of other models than those that the column refers to.
func (d columnDiff) strangers(x *storageDiff) bool {
	want := holders(x.want, *d.want)
	return len(want) > 0 && slices.ContainsFunc(holders(x.have, *d.have), func(h string) bool {
		return !slices.Contains(want, h) && !slices.Contains(want, x.newName(h))
	})
}

// holders are the tables of the records whose ids a column holds, and models that have none; none where that is not known.
func holders(s plan.Storage, c plan.Column) (out []string) {
	if c.References != "" {
		if table := referenced(s, c); table != "" {
			out = append(out, table)
		}
		return out
	}
	for _, model := range strings.Fields(c.Of) {
		out = append(out, cmp.Or(referenced(s, plan.Column{References: model}), model))
	}
	return out
}

// other: a set of options that shall be one of records, or the other way.
func (d columnDiff) other() bool {
	ids := func(c *plan.Column) bool { return c.Of != "" || c.References != "" }
	return d.have.Kind == plan.Set && d.want.Kind == plan.Set && (len(d.have.Choices) > 0 && ids(d.want) || ids(d.have) && len(d.want.Choices) > 0)
}

// moves tells how what is stored is kept in another form; false where its form stays or nothing can be kept.
func (d columnDiff) moves(x *storageDiff) (plan.Conversion, bool) {
	if !d.stays() || d.reshaped {
		return plan.Conversion{}, false
	}
	if words := x.words[d.want]; words != nil && d.have.Kind == plan.Text && d.want.Kind == plan.Text {
		return plan.Conversion{From: plan.Text, Words: words}, true
	}
	named := ""
	if d.have.Kind == plan.ID && d.want.Kind == plan.Text {
		if named = x.holder(*d.have); x.newName(named) == "" { // what goes with the same plan has no names more
			return plan.Conversion{}, false
		}
	}
	if d.have.Kind == d.want.Kind || d.strangers(x) || named == "" && x.newName(referenced(x.have, *d.have)) != referenced(x.want, *d.want) {
		return plan.Conversion{}, false
	}
	i := slices.IndexFunc(d.want.Conversions, func(c plan.Conversion) bool {
		return c.From == d.have.Kind && (!c.Options || len(d.have.Choices) > 0) && (!c.Split || len(d.have.Choices) == 0) && (c.Options || c.From != plan.Set || len(d.have.Choices) == 0)
	})
	if i < 0 {
		return plan.Conversion{}, false
	}
	out := d.want.Conversions[i]
	out.Names = named
	if out.Split {
		out.Words = x.words[d.want]
	}
	return out, true
}

// holder is the table of before that has the records whose ids a column of before holds; "" where that is not known, or they have no names.
func (x *storageDiff) holder(c plan.Column) string {
	of := holders(x.have, c)
	if len(of) != 1 {
		return ""
	}
	name := of[0]
	i := slices.IndexFunc(x.have.Tables, func(t plan.Table) bool { return t.Name == name })
	if i < 0 || !slices.ContainsFunc(x.have.Tables[i].Columns, func(o plan.Column) bool { return o.Name == catalog.Name && o.Kind == plan.Text }) {
		return ""
	}
	return name
}

// told takes what names tell of values that become others.
func (x *storageDiff) told(words []names.Step) {
	of := map[string]map[string]string{}
	for _, s := range words {
		if owner := strings.ToLower(s.Owner); s.Kind == names.Word {
			if of[owner] == nil {
				of[owner] = map[string]string{}
			}
			of[owner][s.Old] = s.New
		}
	}
	x.words = map[*plan.Column]map[string]string{}
	for _, t := range x.tables {
		for _, c := range t.columns {
			if c.stays() && c.want.Name == c.want.Property {
				if found := of[strings.ToLower(names.Join(t.want.Model, c.want.Property))]; found != nil {
					x.words[c.want] = found
				}
			}
		}
	}
}

// remade: the column gets another form, with its values or without.
func (d columnDiff) remade(x *storageDiff) bool {
	_, moves := d.moves(x)
	return moves || d.retyped(x)
}

// diff pairs two storages; words are what values become with the types of their properties (names.Words).
func diff(have, want plan.Storage, words ...names.Step) *storageDiff {
	x := &storageDiff{have: have, want: want}
	of := tableOrigins(have, want)
	used := map[*plan.Table]bool{}
	for i := range want.Tables {
		h := of[want.Tables[i].Name]
		used[h] = true
		x.tables = append(x.tables, tableDiff{have: h, want: &want.Tables[i]})
	}
	for i := range have.Tables {
		if h := &have.Tables[i]; !used[h] {
			x.tables = append(x.tables, tableDiff{have: h})
		}
	}
	for i := range x.tables {
		d := &x.tables[i]
		if d.have != nil && d.want != nil {
			d.columns = pairColumns(d.have, d.want)
			d.reshape()
		}
	}
	x.told(words)
	for i := range x.tables {
		x.pairIndexes(&x.tables[i])
		x.pairKeys(&x.tables[i])
	}
	return x
}

// reshape marks the first columns of properties that have another number of columns. Tables that the type of a property has for itself (property.Nester)
// are not meant: all their columns are of one property, by names of their own, and a version of the program may add some.
func (d *tableDiff) reshape() {
	count := func(t *plan.Table, property string) (n int) {
		for _, c := range t.Columns {
			if c.Property == property && (c.Name == property || strings.HasPrefix(c.Name, property+"__")) {
				n++
			}
		}
		return n
	}
	for i, c := range d.columns {
		if c.stays() && c.have.Property != "" && c.want.Property != "" && c.have.Property == c.have.Name && c.want.Property == c.want.Name {
			d.columns[i].reshaped = count(d.have, c.have.Property) != count(d.want, c.want.Property)
		}
	}
}

// oldName and newName follow renames of tables; "" for a table that is not in the other plan.
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

// pairIndexes sorts a table's indexes into kept, gone and coming ones; an index of a column of another form is made again.
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
			lost[c.have.Name] = c.remade(x)
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
			return w.kind == h.kind && slices.Equal(w.columns, mapped) && slices.Equal(w.desc, h.desc) && w.where == h.where
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
	lost := map[string]bool{} // columns and link tables that go, are made again or get another name: their keys are called by it
	for _, c := range d.columns {
		if c.have != nil && (c.remade(x) || c.renamed()) {
			lost[c.have.Name] = true
			lost[LinkTable(d.have.Name, c.have.Name)] = true
		}
	}
	for _, h := range hs {
		now := h
		now.target = x.newName(h.target)
		j := slices.Index(ws, now)
		if j < 0 || d.renamed() || h.table == d.have.Name && lost[h.column] || lost[h.table] {
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
