package record

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// session is one transaction's work with what it has read.
type session struct {
	w   *Writer
	ctx context.Context
	tx  *store.Tx

	view      *authz.View
	now       time.Time
	rows      map[string]map[string]any  // "model id" -> columns of related records
	saving    bool                       // what formulas read is stored: it must not change before the commit
	held      map[string]bool            // "model id" of records that were kept as they are
	known     map[string]map[string]bool // model -> ids that exist for the principal
	expected  offering                   // of a lot: what its records will refer to; nil = nothing was asked
	along     []string                   // ids that are asked about together: what they refer to one another by is no reason to stay
	going     map[string]bool            // "model id" of records that are being deleted: nothing is computed for them any more
	approvals map[string]bool            // "model id" -> whether a workflow holds the record as it was approved, as far as it was asked
	other     *formulaRun                // other formulas are brought to all records; nil = no
	lenient   bool                       // computed values of other records that do not fit are emptied, and nothing is refused
	nested    *nested
	failed    error // why what a formula asks for could not be read
	history   []History
	numbers   map[string]*numbers
}

func (w *Writer) session(ctx context.Context, tx *store.Tx, view *authz.View) *session {
	_ = tx.At(view.Catalog.Version) // otherwise every statement fails with it
	s := w.outside(ctx, view)
	s.tx = tx
	return s
}

// outside is a session that has no transaction yet.
func (w *Writer) outside(ctx context.Context, view *authz.View) *session {
	return &session{w: w, ctx: ctx, view: view, now: w.clock().UTC().Truncate(time.Millisecond),
		rows: map[string]map[string]any{}, held: map[string]bool{}, approvals: map[string]bool{}, going: map[string]bool{}, known: map[string]map[string]bool{}, numbers: map[string]*numbers{},
		nested: &nested{made: map[string]bool{}}}
}

// nested is what all writes of a transaction share, no matter whose rights they have.
type nested struct {
	depth   int   // of writes within the hooks of writes
	refused error // the first write that was refused: what it left behind is not known

	gathers bool            // the history waits until the end of the transaction, and running numbers are taken in growing blocks
	history []History       // that waits
	made    map[string]bool // "model id" of records that the transaction has created

	memos map[string]world.Memo // of code of packs, by right
}

// as is the session with other rights, in the same transaction.
func (s *session) as(view *authz.View) *session {
	out := *s
	out.view, out.known, out.expected, out.history = view, map[string]map[string]bool{}, nil, nil
	return &out
}

// fail keeps the first error of the reads that formulas make; compute returns it.
func (s *session) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

func newID() string {
	id, err := uuid.NewV7()
	if err != nil { // no randomness: nothing can be written safely
		panic(err)
	}
	return id.String()
}

// columns lists what a model's rows are read with.
func columns(m *catalog.Model) []plan.Column {
	out := []plan.Column{{Name: catalog.ID, Kind: plan.ID}}
	if m.Parent != nil {
		out = append(out, plan.Column{Name: catalog.SheetParent, Kind: plan.ID}, plan.Column{Name: catalog.SheetOrder, Kind: plan.Int})
	}
	out = append(out, m.Own...)
	for _, f := range m.Fields {
		for _, c := range f.Columns() {
			if !slices.ContainsFunc(out, func(o plan.Column) bool { return o.Name == c.Name }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// load reads whole rows.
func (s *session) load(m *catalog.Model, where plan.Expr, order ...plan.Order) ([]map[string]any, error) {
	cols := columns(m)
	q := &plan.Query{Model: m.Code, Where: where, Order: append(order, plan.Order{By: idField})}
	for _, c := range cols {
		q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
	}
	var out []map[string]any
	err := s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
		r := make(map[string]any, len(cols))
		for i, c := range cols {
			if row[i] != nil {
				r[c.Name] = kept(row[i])
			}
		}
		out = append(out, r)
		return nil
	})
	return out, err
}

// kept copies what the query may use again for the next row.
func kept(v any) any {
	if set, ok := v.([]string); ok {
		return slices.Clone(set)
	}
	return v
}

func (s *session) one(m *catalog.Model, id string, where plan.Expr) (map[string]any, error) {
	if _, err := uuid.Parse(id); err != nil || plan.IsFalse(where) {
		return nil, nil
	}
	rows, err := s.load(m, plan.AllOf(idIs(id), where))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// holds reports whether a record satisfies a condition, as the database sees it.
func (s *session) holds(m *catalog.Model, id string, cond plan.Expr) (bool, error) {
	if cond == nil || plan.IsTrue(cond) || plan.IsFalse(cond) {
		return !plan.IsFalse(cond), nil
	}
	n, err := s.tx.Count(s.ctx, s.view.Catalog, &plan.Query{Model: m.Code, Where: plan.AllOf(idIs(id), cond)})
	return n > 0, err
}

var idField = &plan.Field{Column: catalog.ID, K: plan.ID}

func idIs(id string) plan.Expr {
	return &plan.Compare{Op: plan.EQ, A: idField, B: &plan.Const{K: plan.ID, Value: id}}
}

func idIn(ids []string) plan.Expr {
	return &plan.InSet{Op: plan.SetWithin, F: idField, G: &plan.Const{K: plan.Set, Value: ids}}
}

// put writes a property's value into columns.
func put(row map[string]any, f *catalog.Field, v any) {
	stored := f.Property.Store(v)
	for i, c := range f.Columns() {
		if stored[i] == nil {
			delete(row, c.Name)
		} else {
			row[c.Name] = stored[i]
		}
	}
}

// get is a property's value of columns; nil for sub-tables.
func get(row map[string]any, f *catalog.Field) any {
	cols := f.Property.Columns()
	if len(cols) == 0 {
		return nil
	}
	in := make([]any, len(cols))
	empty := true
	for i, c := range cols {
		in[i] = row[c.Name]
		empty = empty && in[i] == nil
	}
	if empty {
		return nil
	}
	return f.Property.Load(in)
}

// values gives the values by property code, for hooks.
func (c *change) values(row map[string]any) map[string]any {
	if row == nil {
		return nil
	}
	if !slices.ContainsFunc(c.m.Fields, func(f *catalog.Field) bool { return f.Live }) {
		return valuesOf(c.m, row)
	}
	scope := c.scope()
	scope.Columns = row
	return valuesOf(c.m, lived(c.m, row, scope))
}

func valuesOf(m *catalog.Model, row map[string]any) map[string]any {
	out := map[string]any{}
	for _, f := range m.Fields {
		if v := get(row, f); v != nil {
			out[f.Code] = v
		}
	}
	return out
}

func clone(row map[string]any) map[string]any { return maps.Clone(row) }

// changed returns the columns of row that differ from old; those that became empty are nil.
func changed(old, row map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range row {
		if !equal(old[name], v) {
			out[name] = v
		}
	}
	for name, v := range old {
		if _, ok := row[name]; !ok && v != nil {
			out[name] = nil
		}
	}
	return out
}

func equal(a, b any) bool {
	switch x := a.(type) {
	case decimal.Decimal:
		y, ok := b.(decimal.Decimal)
		return ok && x.Equal(y)
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y)
	case []string:
		y, ok := b.([]string)
		return ok && slices.Equal(x, y)
	}
	if _, ok := b.([]string); ok {
		return false
	}
	return a == b
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func fieldOfColumn(m *catalog.Model, column string) *catalog.Field {
	for _, f := range m.Fields {
		if slices.ContainsFunc(f.Property.Columns(), func(c plan.Column) bool { return c.Name == column }) {
			return f
		}
	}
	return nil
}
