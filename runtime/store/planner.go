package store

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// fewHits is the number of rows from which a search walks the sort index and tests each row instead of collecting hits.
const fewHits = 1001

// reader prepares a query: it chooses the way to searched texts.
func (tx *Tx) reader(ctx context.Context, c *catalog.Catalog, q *plan.Query) (*reader, error) {
	if err := DefaultCaps().Check(CostOf(q)); err != nil {
		return nil, err
	}
	w, err := tx.grammar()
	if err != nil {
		return nil, err
	}
	r, err := newReader(w, c, q)
	if err != nil {
		return nil, err
	}
	return r, tx.chooseGrams(ctx, r)
}

// chooseGrams decides for each search in an indexed text: few hits are collected through the gram index and sorted, many
// are met soon enough on a walk through the sort index. Counting them stops at the border. A search under Not, which no
// index serves, is left alone.
func (tx *Tx) chooseGrams(ctx context.Context, r *reader) error {
	var found []*plan.Match
	s := (&builder{}).root(r.model)
	searches(r.q.Where, func(m *plan.Match) {
		if s.searchable(m) {
			found = append(found, m)
		}
	})
	for _, m := range found {
		ready, err := tx.gramsReady(ctx, r, m)
		if err != nil {
			return err
		}
		if !ready {
			continue
		}
		n, err := tx.hits(ctx, r, m)
		if err != nil {
			return err
		}
		if n < fewHits {
			if r.grams == nil {
				r.grams = map[*plan.Match]bool{}
			}
			r.grams[m] = true
		}
	}
	return nil
}

// searches calls f for the searches that a condition asks for positively.
func searches(e plan.Expr, f func(*plan.Match)) {
	switch x := e.(type) {
	case *plan.And:
		for _, p := range x.Of {
			searches(p, f)
		}
	case *plan.Or:
		for _, p := range x.Of {
			searches(p, f)
		}
	case *plan.Guarded:
		searches(x.X, f)
	case *plan.Match:
		f(x)
	}
}

// gramsReady tells whether the gram index of a searched column is filled: EnsureIndexes may still be at it.
func (tx *Tx) gramsReady(ctx context.Context, r *reader, m *plan.Match) (bool, error) {
	_, x := unguard(m.X)
	name := physical(GramTable(r.model.Table, x.(*plan.Field).Column))
	n := 0
	err := tx.queryRow(ctx, `SELECT count(*) FROM sl_pending_index WHERE name = $1`, []any{name}, &n)
	return n == 0, err
}

// hits counts, up to the border, the rows that have all grams of a search.
func (tx *Tx) hits(ctx context.Context, r *reader, m *plan.Match) (n int64, err error) {
	b := r.builder()
	t := b.root(r.model)
	_, x := unguard(m.X)
	where := t.gram(nil, x.(*plan.Field), m.Pattern.(*plan.Const).Value.(string))
	out := append([]byte("SELECT count(*) FROM ("), t.statement([]byte("SELECT 1"), where)...)
	out = append(limits(out, fewHits), ") AS n"...)
	if b.err != nil {
		return 0, b.err
	}
	err = tx.queryRow(ctx, string(out), b.args, &n)
	return n, err
}

// admit lets queries through at once, and scans one after the other.
func (tx *Tx) admit(ctx context.Context, r *reader) (context.Context, func(), error) {
	if tx.write || volume(r.model) <= smallModel || !scans(r.c, r.model, r.q, len(r.grams) > 0) {
		return ctx, func() {}, nil
	}
	return tx.db.scans.enter(ctx)
}
