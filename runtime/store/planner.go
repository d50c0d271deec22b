package store

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// fewHits is the number of rows from which a search walks the sort index and tests each row instead of collecting hits.
const fewHits = 1001

// reader prepares a query for a page: it chooses the way to searched texts.
func (tx *Tx) reader(ctx context.Context, c *catalog.Catalog, q *plan.Query) (*reader, error) {
	return tx.readerOf(ctx, c, q, false)
}

// figures prepares a query whose rows are all looked at, to be counted or summed.
func (tx *Tx) figures(ctx context.Context, c *catalog.Catalog, q *plan.Query) (*reader, error) {
	return tx.readerOf(ctx, c, q, true)
}

func (tx *Tx) readerOf(ctx context.Context, c *catalog.Catalog, q *plan.Query, whole bool) (*reader, error) {
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
	if err := tx.chooseGrams(ctx, r, whole); err != nil {
		return nil, err
	}
	return r, tx.chooseWalks(ctx, r)
}

// chooseGrams decides for each search in an indexed text: few hits are collected through the gram index and sorted, many
// are met soon enough on a walk through the sort index. Counting them stops at the border. Figures of the whole result end no
// walk early: for them hits are collected as long as they are not a large part of the table. A search under Not, which no index
// serves, is left alone.
func (tx *Tx) chooseGrams(ctx context.Context, r *reader, whole bool) error {
	var texts []*plan.Match
	s := (&builder{}).root(r.model)
	searches(r.q.Where, func(m *plan.Match) {
		if s.searchable(m) {
			texts = append(texts, m)
		}
	}, func(*plan.Field, linkTest) {})
	nothing := map[*plan.Match]bool{}
	for _, m := range texts {
		ready, err := tx.gramsReady(ctx, r, m)
		if err != nil {
			return err
		}
		if !ready {
			continue
		}
		found, err := tx.hits(ctx, r, m)
		if err != nil {
			return err
		}
		n := found.count
		collect := n < fewHits
		if !collect && whole {
			if collect, err = tx.rare(ctx, r, m); err != nil {
				return err
			}
		}
		if collect {
			if r.grams == nil {
				r.grams = map[*plan.Match]bool{}
			}
			r.grams[m] = true
			if found.rows != "" && n < fewHits {
				if r.rows == nil {
					r.rows = map[*plan.Match]string{}
				}
				r.rows[m] = found.rows
			}
		}
		if n == 0 {
			nothing[m] = true
		}
	}
	if len(nothing) > 0 {
		q := *r.q
		q.Where = pruned(q.Where, nothing)
		r.q = &q
	}
	return nil
}

// pruned is a condition without its searches that find nothing, where it asks for them positively.
func pruned(e plan.Expr, nothing map[*plan.Match]bool) plan.Expr {
	each := func(of []plan.Expr) []plan.Expr {
		out := make([]plan.Expr, len(of))
		for i, p := range of {
			out[i] = pruned(p, nothing)
		}
		return out
	}
	switch x := e.(type) {
	case *plan.And:
		return plan.AllOf(each(x.Of)...)
	case *plan.Or:
		return plan.AnyOf(each(x.Of)...)
	case *plan.Guarded:
		if in := pruned(x.X, nothing); plan.IsFalse(in) {
			return in
		}
	case *plan.Match:
		if nothing[x] {
			return plan.False
		}
	}
	return e
}

// linkTest writes the condition on the member of a set that a comparison begins with.
type linkTest func(s *scope, dst, value []byte, k plan.Kind) []byte

// searches calls text for the searches that a condition asks for positively, and set for what it wants of sets.
func searches(e plan.Expr, text func(*plan.Match), set func(*plan.Field, linkTest)) {
	switch x := e.(type) {
	case *plan.And:
		for _, p := range x.Of {
			searches(p, text, set)
		}
	case *plan.Or:
		for _, p := range x.Of {
			searches(p, text, set)
		}
	case *plan.Guarded:
		searches(x.X, text, set)
	case *plan.Match:
		text(x)
	case *plan.InSet:
		f, g, ok := setAndConstant(x.F, x.G)
		if ok && x.Op != plan.SetWithin {
			set(f, func(s *scope, dst, value []byte, k plan.Kind) []byte { return s.oneOf(dst, value, k, s.constants(g)) })
		}
	case *plan.Belongs:
		if f, g, ok := setAndConstant(x.X, x.Departments); ok {
			set(f, func(s *scope, dst, value []byte, k plan.Kind) []byte {
				return s.memberOf(f, s.constants(g))(dst, value, k)
			})
		}
	}
}

func setAndConstant(f, g plan.Expr) (*plan.Field, *plan.Const, bool) {
	_, f = unguard(f)
	field, isField := f.(*plan.Field)
	c, isConst := g.(*plan.Const)
	return field, c, isField && isConst && field.K == plan.Set && len(field.Path) == 0 && !field.Outer && !empty(c)
}

// chooseWalks decides the same for a page of a large model where the database does not by itself: records that link to a
// common value are met soon enough on a walk through the sort index.
func (tx *Tx) chooseWalks(ctx context.Context, r *reader) error {
	if r.w.weighs() || r.q.Limit <= 0 || volume(r.model) <= smallModel {
		return nil
	}
	var err error
	searches(r.q.Where, func(*plan.Match) {}, func(f *plan.Field, test linkTest) {
		if err != nil {
			return
		}
		b := r.builder()
		s := b.root(r.model)
		out := append([]byte("SELECT count(*) FROM (SELECT 1 FROM "), link(nil, r.model, f.Column)...)
		out = test(s, append(out, " AS t WHERE "...), []byte(`t."`+linkValue+`"`), s.memberKind(r.model, f.Column))
		out = append(limits(out, fewHits), ") AS n"...)
		if err = b.err; err != nil {
			return
		}
		n := 0
		if err = tx.queryRow(ctx, string(out), b.args, &n); err == nil && n >= fewHits {
			if r.walk == nil {
				r.walk = map[*plan.Field]bool{}
			}
			r.walk[f] = true
		}
	})
	return err
}

// gramsReady reports whether the gram index of a searched column is filled: EnsureIndexes may still be at it.
func (tx *Tx) gramsReady(ctx context.Context, r *reader, m *plan.Match) (bool, error) {
	_, x := unguard(m.X)
	name := physical(GramTable(r.model.Table, x.(*plan.Field).Column))
	if tx.filled[name] {
		return true, nil
	}
	n := 0
	err := tx.queryRow(ctx, `SELECT count(*) FROM sl_pending_index WHERE name = $1`, []any{name}, &n)
	if err == nil && n == 0 && !tx.write {
		if tx.filled == nil {
			tx.filled = map[string]bool{}
		}
		tx.filled[name] = true
	}
	return n == 0, err
}

// gramSearch is a text that is looked for in a column.
type gramSearch struct{ table, column, text string }

// gramHits are the rows that have all grams of a search.
type gramHits struct {
	count int64  // up to the border
	rows  string // their numbers, where the index knows them: a JSON array
}

// hits finds, up to the border, the rows that have all grams of a search; a transaction that reads asks once.
func (tx *Tx) hits(ctx context.Context, r *reader, m *plan.Match) (n gramHits, err error) {
	_, x := unguard(m.X)
	key := gramSearch{r.model.Table, x.(*plan.Field).Column, m.Pattern.(*plan.Const).Value.(string)}
	if n, known := tx.hitting[key]; known {
		return n, nil
	}
	text, args, err := countHits(r, m)
	if err != nil {
		return n, err
	}
	if err = tx.queryRow(ctx, text, args, &n.count, &n.rows); err == nil && !tx.write {
		if tx.hitting == nil {
			tx.hitting = map[gramSearch]gramHits{}
		}
		tx.hitting[key] = n
	}
	return n, err
}

func countHits(r *reader, m *plan.Match) (sql string, args []any, err error) {
	b := r.builder()
	t := b.root(r.model)
	_, x := unguard(m.X)
	f, text := x.(*plan.Field), m.Pattern.(*plan.Const).Value.(string)
	rows := "json_group_array(rowid)"
	found := r.w.hits(b, r.model.Table, f.Column, text, fewHits)
	if found == nil {
		rows, found = "''", limits(t.statement([]byte("SELECT 1"), t.gram(nil, f, text)), fewHits)
	}
	return string(append(append([]byte("SELECT count(*), "+rows+" FROM ("), found...), ") AS n"...)), b.args, b.err
}

// rare reports whether to collect the many hits of a search is still less work than to test every row.
func (tx *Tx) rare(ctx context.Context, r *reader, m *plan.Match) (rare bool, err error) {
	b := r.builder()
	_, x := unguard(m.X)
	text := r.w.rare(b, r.model.Table, x.(*plan.Field).Column, m.Pattern.(*plan.Const).Value.(string))
	if text == nil || b.err != nil {
		return false, b.err
	}
	err = tx.queryRow(ctx, string(text), b.args, &rare)
	return rare, err
}

// admit lets queries through at once, and scans one after the other.
func (tx *Tx) admit(ctx context.Context, r *reader) (context.Context, func(), error) {
	if tx.write || volume(r.model) <= smallModel || !scans(r.c, r.model, r.q, len(r.grams) > 0) {
		return ctx, func() {}, nil
	}
	return tx.db.scans.enter(ctx)
}
