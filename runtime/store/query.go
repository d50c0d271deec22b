package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// rowSource is a connection that reads rows below database/sql, into a row of Go forms that it reuses.
type rowSource interface {
	each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func(row []any) error) error
}

// cell receives one column of a row in the Go form of its kind: no value passes through reflection.
type cell struct {
	w    grammar
	kind plan.Kind
	to   *any
}

// Scan implements sql.Scanner.
func (c *cell) Scan(v any) error {
	x, err := c.w.decode(c.kind, v)
	*c.to = x
	return err
}

// rowOf is a row of any and the cells that fill it.
func rowOf(w grammar, kinds []plan.Kind) (row, cells []any) {
	row = make([]any, len(kinds))
	cells = make([]any, len(kinds))
	all := make([]cell, len(kinds))
	for i, k := range kinds {
		all[i] = cell{w, k, &row[i]}
		cells[i] = &all[i]
	}
	return row, cells
}

// each runs a statement and calls f with every row; the row is reused.
func (tx *Tx) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) (err error) {
	w, err := tx.grammar()
	if err != nil {
		return err
	}
	if source, ok := tx.c.(rowSource); ok {
		return tx.below(ctx, source, text, args, kinds, f)
	}
	rows, err := tx.query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	row, cells := rowOf(w, kinds)
	if len(kinds) == 0 {
		cells = []any{new(sql.RawBytes)}
	}
	for rows.Next() {
		if err := rows.Scan(cells...); err != nil {
			return fmt.Errorf("read row: %w", err)
		}
		if err := f(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return tx.fail(err)
	}
	return nil
}

// below runs a statement on a connection that reads rows below database/sql. What f returns is not a failure of the statement.
func (tx *Tx) below(ctx context.Context, source rowSource, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	if !tx.write {
		return source.each(ctx, text, args, kinds, f)
	}
	if tx.failed != nil {
		return tx.failed
	}
	var own error
	err := source.each(ctx, text, args, kinds, func(row []any) error {
		own = f(row)
		return own
	})
	if err != nil && own == nil {
		return tx.fail(err)
	}
	return err
}

func (tx *Tx) grammar() (grammar, error) {
	if outdated(tx.db.schema.Load().storage) {
		return nil, ErrFormat
	}
	return grammarOf(tx.db.d.name())
}

func kindsOf(of []plan.Expr) []plan.Kind {
	kinds := make([]plan.Kind, len(of))
	for i, e := range of {
		kinds[i] = e.Kind()
	}
	return kinds
}

// Query reads a page and calls each with every row in order. The row is reused: keep its values, not the slice. With
// Before, the rows are those just before the cursor (an empty cursor means the end), in the query's own order still.
func (tx *Tx) Query(ctx context.Context, c *catalog.Catalog, q *plan.Query, each func(row []any) error) error {
	if plan.IsFalse(q.Where) { // the database need not be asked
		return nil
	}
	r, err := tx.reader(ctx, c, q)
	if err != nil || plan.IsFalse(r.q.Where) {
		return err
	}
	ctx, done, err := tx.admit(ctx, r)
	if err != nil {
		return err
	}
	defer done()
	kinds := kindsOf(q.Select)
	if q.Top > 0 {
		kinds = append(kinds, plan.Int)
	}
	return late(ctx, r.run(each, func(segment, left int, each func([]any) error) error {
		text, args, err := r.page(segment, left)
		if err != nil {
			return err
		}
		return tx.each(ctx, text, args, kinds, each)
	}))
}

// run reads a page segment by segment until it is full; ask reads one, up to left rows of it.
func (r *reader) run(each func([]any) error, ask func(segment, left int, each func([]any) error) error) error {
	if r.q.Before == nil && r.segments() == 1 {
		return ask(0, r.q.Limit, each)
	}
	f, left := each, r.q.Limit
	var back [][]any
	if r.q.Before != nil {
		f = func(row []any) error {
			back = append(back, slices.Clone(row))
			return nil
		}
	}
	counted := func(row []any) error {
		left--
		return f(row)
	}
	for i := range r.segments() {
		if i > 0 && r.q.Limit > 0 && left <= 0 {
			break
		}
		if err := ask(i, left, counted); err != nil {
			return err
		}
	}
	for _, row := range slices.Backward(back) {
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

// Count is the exact number of rows of the query, without its page.
func (tx *Tx) Count(ctx context.Context, c *catalog.Catalog, q *plan.Query) (int64, error) {
	if plan.IsFalse(q.Where) {
		return 0, nil
	}
	r, err := tx.figures(ctx, c, q)
	if err != nil {
		return 0, err
	}
	ctx, done, err := tx.admit(ctx, r)
	if err != nil {
		return 0, err
	}
	defer done()
	return tx.count(ctx, r, 0)
}

func (tx *Tx) count(ctx context.Context, r *reader, stop int) (n int64, err error) {
	text, args, err := r.count(stop)
	if err != nil {
		return 0, err
	}
	err = tx.each(ctx, text, args, countKinds, func(row []any) error {
		n, _ = row[0].(int64)
		return nil
	})
	return n, late(ctx, err)
}

// late makes a fault of a statement that ran into its deadline; a database may call that by a name of its own.
func late(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.Wrap(err, fault.DeadlineExceeded)
	}
	return err
}

// Aggregates are the footer figures of the whole result, in the order of q.Aggregate.
func (tx *Tx) Aggregates(ctx context.Context, c *catalog.Catalog, q *plan.Query) ([]any, error) {
	if len(q.Aggregate) == 0 {
		return nil, nil
	}
	r, err := tx.figures(ctx, c, q)
	if err != nil {
		return nil, err
	}
	ctx, done, err := tx.admit(ctx, r)
	if err != nil {
		return nil, err
	}
	defer done()
	text, args, err := r.footer()
	if err != nil {
		return nil, err
	}
	kinds := make([]plan.Kind, len(q.Aggregate))
	for i, a := range q.Aggregate {
		kinds[i] = a.Fn.Of(a.X)
	}
	var out []any
	err = tx.each(ctx, text, args, kinds, func(row []any) error {
		out = slices.Clone(row)
		return nil
	})
	return out, late(ctx, err)
}

// Groups reads one row for all rows that are equal in q.Group, with the figures of q.Aggregate behind, in the order of the groups;
// empty values come first. The row is reused.
func (tx *Tx) Groups(ctx context.Context, c *catalog.Catalog, q *plan.Query, each func(row []any) error) error {
	r, err := tx.figures(ctx, c, q)
	if err != nil {
		return err
	}
	ctx, done, err := tx.admit(ctx, r)
	if err != nil {
		return err
	}
	defer done()
	text, args, err := r.groups()
	if err != nil {
		return err
	}
	kinds := kindsOf(q.Group)
	for _, a := range q.Aggregate {
		kinds = append(kinds, a.Fn.Of(a.X))
	}
	return late(ctx, tx.each(ctx, text, args, kinds, each))
}

// Grouped are the rows of Groups, the first of them at most, from memory where possible: exact as of at most one second ago or,
// where reading them takes long, of five times as long, 10 seconds at most. They are shared and must not be changed. all is false when there are more.
func (tx *Tx) Grouped(ctx context.Context, c *catalog.Catalog, q *plan.Query, most int) (rows [][]any, all bool, err error) {
	read := func() ([]any, error) {
		g := grouped{all: true}
		if len(q.Group) == 0 {
			row, err := tx.Aggregates(ctx, c, q)
			g.rows = [][]any{row}
			return []any{g}, err
		}
		err := tx.Groups(ctx, c, q, func(row []any) error {
			if len(g.rows) == most {
				g.all = false
				return errEnough
			}
			g.rows = append(g.rows, cloneRow(row))
			return nil
		})
		if errors.Is(err, errEnough) {
			err = nil
		}
		return []any{g}, err
	}
	out, err := tx.rememberedGroups(ctx, c, q, read)
	if err != nil {
		return nil, false, err
	}
	g := out[0].(grouped)
	return g.rows, g.all, nil
}

// grouped are rows of a grouped statement.
type grouped struct {
	rows [][]any
	all  bool
}

// errEnough ends a read whose rest is not wanted.
var errEnough = errors.New("enough rows")

// cloneRow copies a row whose cells are used again.
func cloneRow(row []any) []any {
	out := make([]any, len(row))
	for i, v := range row {
		if set, is := v.([]string); is {
			v = slices.Clone(set)
		}
		out[i] = v
	}
	return out
}

func (tx *Tx) rememberedGroups(ctx context.Context, c *catalog.Catalog, q *plan.Query, read func() ([]any, error)) ([]any, error) {
	if tx.write {
		return read() // its own changes are in no version yet
	}
	w, err := tx.grammar()
	if err != nil {
		return nil, err
	}
	r, err := newReader(w, c, q)
	if err != nil {
		return nil, err
	}
	statement := r.groups
	if len(q.Group) == 0 {
		statement = r.footer
	}
	key, err := figureKey(statement())
	if err != nil {
		return nil, err
	}
	return tx.db.grouped.get(ctx, tx.since, key, Tables(c, q), read)
}

// Ids lists the ids of the query's rows in its order.
func (tx *Tx) Ids(ctx context.Context, c *catalog.Catalog, q *plan.Query) ([]string, error) {
	only := *q
	only.Select = []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}
	var out []string
	err := tx.Query(ctx, c, &only, func(row []any) error {
		out = append(out, row[0].(string))
		return nil
	})
	return out, err
}

// Names reads columns of the records of a model with these ids, in one query: a page's people, departments and related
// records. where is what of the model the caller may see; a record that is missing in the answer is not visible or gone.
func (tx *Tx) Names(ctx context.Context, c *catalog.Catalog, model string, ids []string, where plan.Expr, columns ...string) (map[string][]any, error) {
	out := make(map[string][]any, len(ids))
	m := c.Model(model)
	if m == nil {
		return nil, fmt.Errorf("store: no model %q", model)
	}
	if len(ids) == 0 {
		return out, nil
	}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: model, Select: []plan.Expr{id}, Where: plan.AllOf(
		&plan.InSet{Op: plan.SetWithin, F: id, G: &plan.Const{K: plan.Set, Value: ids}}, where)}
	all := (&builder{c: c}).stored(m)
	for _, name := range columns {
		i := slices.IndexFunc(all, func(col plan.Column) bool { return col.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("store: model %s has no column %q", m.Code, name)
		}
		q.Select = append(q.Select, &plan.Field{Column: name, K: all[i].Kind})
	}
	err := tx.Query(ctx, c, q, func(row []any) error {
		out[row[0].(string)] = slices.Clone(row[1:])
		return nil
	})
	return out, err
}
