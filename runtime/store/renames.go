package store

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// tableOrigins finds for each wanted table, by name, the one that it was: nil for a new one. Sub-tables are paired below the
// tables that their parents were.
func tableOrigins(have, want plan.Storage) map[string]*plan.Table {
	out := map[string]*plan.Table{}
	var pair func(wantParent, haveParent string)
	pair = func(wantParent, haveParent string) {
		ws, hs := children(want, wantParent), children(have, haveParent)
		if wantParent != "" && haveParent == "" { // below a new table
			hs = nil
		}
		of := names.Origins(namesOf(have, hs), namesOf(want, ws))
		for i, w := range ws {
			from := ""
			if of[i] >= 0 {
				out[w.Name] = hs[of[i]]
				from = hs[of[i]].Name
			}
			pair(w.Name, from)
		}
	}
	pair("", "")
	return out
}

func children(s plan.Storage, parent string) []*plan.Table {
	var out []*plan.Table
	for i := range s.Tables {
		if s.Tables[i].Parent == parent {
			out = append(out, &s.Tables[i])
		}
	}
	return out
}

// namesOf are tables by what they are called below their parent.
func namesOf(s plan.Storage, tables []*plan.Table) []names.Entry {
	out := make([]names.Entry, len(tables))
	for i, t := range tables {
		if t.Parent == "" {
			out[i] = names.Entry{Code: t.Name, Former: t.RenamedFrom.Map(func(from string) string {
				return tablePrefix + strings.TrimPrefix(from, tablePrefix)
			})}
			continue
		}
		out[i] = names.Entry{Code: ownName(*t), Former: t.RenamedFrom.Map(func(from string) string { return belowParent(s, t.Parent, from) })}
	}
	return out
}

// belowParent is the former name of a sub-table without that of its parent, which may have been renamed too.
func belowParent(s plan.Storage, parent, name string) string {
	for _, p := range s.Tables {
		if p.Name != parent {
			continue
		}
		for _, before := range append(slices.Clone(p.RenamedFrom), p.Name) {
			if rest, ok := strings.CutPrefix(name, before+"__"); ok {
				return rest
			}
		}
	}
	return name
}

// ownName is a table's name without its parent's.
func ownName(t plan.Table) string { return strings.TrimPrefix(t.Name, t.Parent+"__") }

func pairColumns(have, want *plan.Table) []columnDiff {
	hs, ws := columns(*have), columns(*want)
	entries := func(cs []plan.Column) []names.Entry {
		out := make([]names.Entry, len(cs))
		for i := range cs {
			out[i] = names.Entry{Code: cs[i].Name, Former: columnOrigin(&cs[i])}
		}
		return out
	}
	of := names.Origins(entries(hs), entries(ws))
	var out []columnDiff
	for i := range ws {
		d := columnDiff{want: &ws[i]}
		if of[i] >= 0 {
			d.have = &hs[of[i]]
		}
		out = append(out, d)
	}
	for j := range hs {
		if !slices.Contains(of, j) {
			out = append(out, columnDiff{have: &hs[j]})
		}
	}
	return out
}

// columnOrigin are the former names of a column: renamedFrom names the property, whose further columns (place__detail)
// keep their ending.
func columnOrigin(w *plan.Column) names.Former {
	rest, further := strings.CutPrefix(w.Name, w.Property+"__")
	if w.Property == "" || !further {
		return w.RenamedFrom
	}
	return w.RenamedFrom.Map(func(from string) string {
		if strings.Contains(from, "__") {
			return from
		}
		return from + "__" + rest
	})
}

// rename is a name in the database that becomes another.
type rename struct{ from, to string }

// inOrder orders renames so that none meets a name that is taken: what shall have a name that something has at the start goes
// aside first. leaving are names of things that go away later; those in the way go aside too, and aside tells where they are.
// Names that differ in case only count as one, as SQLite takes them.
func inOrder(renames []rename, leaving []string) (out []rename, aside map[string]string) {
	taken, wanted := map[string]bool{}, map[string]bool{}
	for _, n := range leaving {
		taken[strings.ToLower(n)] = true
	}
	for _, r := range renames {
		taken[strings.ToLower(r.from)] = true
		if r.from != r.to {
			wanted[strings.ToLower(r.to)] = true
		}
	}
	aside = map[string]string{}
	for _, n := range leaving {
		if wanted[strings.ToLower(n)] {
			aside[n] = "__" + n
			out = append(out, rename{n, aside[n]})
		}
	}
	var direct, last []rename
	for _, r := range renames {
		switch {
		case r.from == r.to:
		case taken[strings.ToLower(r.to)]:
			out = append(out, rename{r.from, "_" + r.to})
			last = append(last, rename{"_" + r.to, r.to})
		default:
			direct = append(direct, r)
		}
	}
	return append(append(out, direct...), last...), aside
}

// asideOf is where a column that goes is by now.
func asideOf(aside map[string]string, column string) string {
	if at := aside[physical(column)]; at != "" {
		return quote(at)
	}
	return Ident(column)
}

// tableRenames are the new names of tables that stay and of their link tables.
func (x *storageDiff) tableRenames() []rename {
	var out []rename
	for _, t := range x.tables {
		if t.have == nil || t.want == nil {
			continue
		}
		out = append(out, rename{physical(t.have.Name), physical(t.want.Name)})
		for _, l := range x.linksKept(t) {
			out = append(out, rename{physical(l.from), physical(l.to)})
		}
	}
	return out
}

// linksKept are the link tables of a staying table that stay, with their names before and after.
func (x *storageDiff) linksKept(t tableDiff) []rename {
	var out []rename
	for _, c := range t.columns {
		if c.stays() && !c.remade(x) && c.want.Kind == plan.Set {
			out = append(out, rename{LinkTable(t.have.Name, c.have.Name), LinkTable(t.want.Name, c.want.Name)})
		}
	}
	return out
}

// linksLost are the link tables of columns of a staying table that go or are made again.
func (x *storageDiff) linksLost(t tableDiff) []string {
	var out []string
	for _, c := range t.columns {
		if c.have != nil && c.have.Kind == plan.Set && (c.want == nil || c.want.Kind != plan.Set || c.retyped(x)) {
			out = append(out, LinkTable(t.have.Name, c.have.Name))
		}
	}
	return out
}

// columnRenames are the new names of a staying table's columns, and the columns that go or are made again.
func (x *storageDiff) columnRenames(t tableDiff) (renames []rename, leaving []string) {
	for _, c := range t.columns {
		switch {
		case c.have == nil:
		case c.stays() && !c.retyped(x):
			renames = append(renames, rename{physical(c.have.Name), physical(c.want.Name)})
		default:
			leaving = append(leaving, physical(c.have.Name))
		}
	}
	return renames, leaving
}
