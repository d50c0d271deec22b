package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// described is a column as a database tells of it.
type described struct {
	plan.Column
	expression *string // its default
	key        int     // its place in the primary key, from 1; 0 = it is not part of it
}

// description collects tables of the engine that are read from a database.
type description struct {
	tables []plan.Table
	keys   map[string][]described
}

func (r *description) table(name string) *plan.Table {
	if n := len(r.tables); n == 0 || r.tables[n-1].Name != name {
		i := slices.IndexFunc(r.tables, func(t plan.Table) bool { return t.Name == name })
		if i >= 0 {
			return &r.tables[i]
		}
		r.tables = append(r.tables, plan.Table{Name: name, Model: name})
	}
	return &r.tables[len(r.tables)-1]
}

func (r *description) column(table string, c described) {
	t := r.table(table)
	if c.expression != nil {
		c.Default = defaultOf(*c.expression)
	}
	if c.key > 0 {
		c.NotNull = false // goes without saying
		if r.keys == nil {
			r.keys = map[string][]described{}
		}
		r.keys[table] = append(r.keys[table], c)
	}
	t.Columns = append(t.Columns, c.Column)
}

// index takes a row for each column of an index.
func (r *description) index(scan func(...any) error) error {
	var table, name, column string
	var unique bool
	if err := scan(&table, &name, &unique, &column); err != nil {
		return err
	}
	t := r.table(table)
	of := &t.Indexes
	if unique {
		of = &t.Unique
	}
	if n := len(*of); n > 0 && (*of)[n-1].Name == name {
		(*of)[n-1].Columns = append((*of)[n-1].Columns, column)
	} else {
		*of = append(*of, plan.Index{Name: name, Columns: []string{column}})
	}
	return nil
}

func (r *description) storage() plan.Storage {
	for i := range r.tables {
		keys := r.keys[r.tables[i].Name]
		slices.SortFunc(keys, func(a, b described) int { return cmp.Compare(a.key, b.key) })
		for _, k := range keys {
			r.tables[i].Key = append(r.tables[i].Key, k.Name)
		}
	}
	sortTables(r.tables)
	return plan.Storage{Tables: r.tables}
}

func eachRow(ctx context.Context, c conn, text, arg string, f func(scan func(...any) error) error) error {
	rows, err := c.QueryContext(ctx, text, arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
