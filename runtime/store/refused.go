package store

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// Duplicate says that a unique constraint refused a row.
type Duplicate struct {
	Model   string // code of the model, "" for a system table
	Table   string
	Columns []string
	Err     error
}

func (e *Duplicate) Error() string {
	return fmt.Sprintf("duplicate %s in %s: %v", strings.Join(e.Columns, ", "), e.Table, e.Err)
}

// Unwrap gives gorm's error for it and the driver's.
func (e *Duplicate) Unwrap() []error { return []error{gorm.ErrDuplicatedKey, e.Err} }

// Referenced says that a foreign key refused a change: either a row that shall go is still referred to from Table.Column
// (Missing is false), or the row of Table refers through Column to a row that does not exist (Missing is true).
type Referenced struct {
	Model   string
	Pack    string // of rows that are kept of a pack that takes part no more; no document speaks of Model then
	Table   string
	Column  string
	Missing bool
	Err     error
}

func (e *Referenced) Error() string {
	if e.Missing {
		return fmt.Sprintf("%s.%s refers to a missing row: %v", e.Table, e.Column, e.Err)
	}
	return fmt.Sprintf("still referred to by %s.%s: %v", e.Table, e.Column, e.Err)
}

// Unwrap gives gorm's error for it and the driver's.
func (e *Referenced) Unwrap() []error { return []error{gorm.ErrForeignKeyViolated, e.Err} }

// target is what a statement changes, to explain a refusal: a row of a table, by id, with the values it gets; no values
// means a delete.
type target struct {
	table string
	id    string
	row   map[string]any
}

// explain turns a constraint's refusal into *Duplicate or *Referenced. The driver's words are completed from the applied
// storage plan and, where the database tells nothing (SQLite and foreign keys), by looking.
func (tx *Tx) explain(ctx context.Context, at target, err error) error {
	r, ok := tx.db.d.refused(err)
	if !ok {
		return err
	}
	st := tx.db.schema.Load()
	if known, ok := st.constraints[r.constraint]; ok {
		r.table, r.columns = known.table, known.columns
	}
	if r.table == "" {
		r.table = at.table
	}
	r.table, r.columns = st.logical(r.table, r.columns)
	if r.unique {
		return &Duplicate{Model: st.model(r.table), Table: r.table, Columns: r.columns, Err: err}
	}
	out := &Referenced{Table: r.table, Missing: at.row != nil, Err: err}
	switch {
	case len(r.columns) > 0:
		out.Column = r.columns[0]
	case out.Missing:
		out.Table, out.Column = tx.missing(ctx, st, at)
	default:
		out.Table, out.Column = tx.referrer(ctx, st, at)
	}
	out.Model = st.model(out.Table)
	if t := st.tables[out.Table]; t.Kept {
		out.Pack = t.Pack
	}
	return out
}

// missing finds the property of a refused row whose target does not exist.
func (tx *Tx) missing(ctx context.Context, st *schemaState, at target) (table, property string) {
	for _, f := range st.references {
		if f.table != at.table || at.row[f.column] == nil {
			continue
		}
		if !tx.exists(ctx, f.target, idColumn, at.row[f.column]) {
			return f.owner, f.property
		}
	}
	return at.table, ""
}

// referrer finds who still refers to a row that shall go.
func (tx *Tx) referrer(ctx context.Context, st *schemaState, at target) (table, property string) {
	for _, f := range st.references {
		if f.target == at.table && f.action == onRefuse && tx.exists(ctx, f.table, f.column, at.id) {
			return f.owner, f.property
		}
	}
	return at.table, ""
}

func (tx *Tx) exists(ctx context.Context, table, column string, v any) bool {
	if id, ok := v.(string); ok {
		v = tx.id(id)
	}
	var one int
	text := "SELECT 1 FROM " + Ident(table) + " WHERE " + Ident(column) + " = $1 LIMIT 1"
	return tx.c.QueryRowContext(ctx, text, v).Scan(&one) == nil
}
