package store

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Fixed is a query that is asked again and again, page by page. What is the same for all its pages is worked out once: the
// tables it reads, the statements of its figures, and that of each first page. It is safe for concurrent use.
type Fixed struct {
	c     *catalog.Catalog
	q     *plan.Query // without a page
	kinds []plan.Kind

	once    sync.Once
	err     error
	plain   bool // no search and no set: the statements do not depend on what the tables hold
	tables  []string
	count   totalKey
	footer  totalKey
	mu      sync.Mutex
	written map[int]*writtenPage // by limit
}

// writtenPage is the statement of a first page.
type writtenPage struct {
	text  string
	args  []any
	scan  bool
	quick atomic.Bool // it was answered at once: it need not be watched, which costs as much as reading some rows
}

// quickly is the time below which a statement counts as quick.
const quickly = 10 * time.Millisecond

// Fix prepares a query; its page is left out of account.
func Fix(c *catalog.Catalog, q *plan.Query) *Fixed {
	bare := *q
	bare.Limit, bare.Offset, bare.After, bare.Before = 0, 0, nil, nil
	return &Fixed{c: c, q: &bare, kinds: kindsOf(bare.Select), written: map[int]*writtenPage{}}
}

// prepare does what needs the database's grammar.
func (f *Fixed) prepare(tx *Tx) error {
	f.once.Do(func() {
		w, err := tx.grammar()
		if err != nil {
			f.err = err
			return
		}
		r, err := newReader(w, f.c, f.q)
		if err != nil {
			f.err = err
			return
		}
		f.tables = Tables(f.c, f.q)
		f.plain = true
		searches(f.q.Where, func(*plan.Match) { f.plain = false }, func(*plan.Field, linkTest) { f.plain = false })
		if f.count, f.err = figureKey(r.count(0)); f.err == nil && len(f.q.Aggregate) > 0 {
			f.footer, f.err = figureKey(r.footer())
		}
	})
	return f.err
}

func figureKey(text string, args []any, err error) (totalKey, error) {
	if err != nil {
		return totalKey{}, err
	}
	return keyOf(text, args), nil
}

// maxWritten bounds the page sizes whose statement is kept.
const maxWritten = 8

// Page is Query for a page of a fixed query: q is the query with its page.
func (tx *Tx) Page(ctx context.Context, f *Fixed, q *plan.Query, each func(row []any) error) error {
	if err := f.prepare(tx); err != nil {
		return err
	}
	if !f.plain || q.Offset > 0 || q.After != nil || q.Before != nil {
		return tx.Query(ctx, f.c, q, each)
	}
	p, err := tx.firstPage(f, q)
	if err != nil {
		return err
	}
	if p.scan && !tx.write {
		in, done, err := tx.db.scans.enter(ctx)
		if err != nil {
			return err
		}
		defer done()
		return late(in, tx.each(in, p.text, p.args, f.kinds, each))
	}
	if p.quick.Load() {
		ctx = context.WithoutCancel(ctx)
	}
	begun := time.Now()
	err = late(ctx, tx.each(ctx, p.text, p.args, f.kinds, each))
	p.quick.Store(err == nil && time.Since(begun) < quickly)
	return err
}

// firstPage writes the statement of a query's first page once.
func (tx *Tx) firstPage(f *Fixed, q *plan.Query) (*writtenPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p, ok := f.written[q.Limit]; ok {
		return p, nil
	}
	if err := DefaultCaps().Check(CostOf(q)); err != nil {
		return nil, err
	}
	w, err := tx.grammar()
	if err != nil {
		return nil, err
	}
	r, err := newReader(w, f.c, q)
	if err != nil {
		return nil, err
	}
	p := &writtenPage{scan: volume(r.model) > smallModel && scans(f.c, r.model, q, false)}
	if p.text, p.args, err = r.page(0, q.Limit); err == nil && len(f.written) < maxWritten {
		f.written[q.Limit] = p
	}
	return p, err
}

// Total is Count from memory where possible: exact as of at most one second ago.
func (tx *Tx) Total(ctx context.Context, f *Fixed) (int64, error) {
	out, err := tx.remembered(ctx, f, func() totalKey { return f.count }, func() ([]any, error) {
		n, err := tx.Count(ctx, f.c, f.q)
		return []any{n}, err
	})
	if err != nil {
		return 0, err
	}
	return out[0].(int64), nil
}

// Footer is Aggregates from memory where possible: exact as of at most one second ago.
func (tx *Tx) Footer(ctx context.Context, f *Fixed) ([]any, error) {
	if len(f.q.Aggregate) == 0 {
		return nil, nil
	}
	return tx.remembered(ctx, f, func() totalKey { return f.footer }, func() ([]any, error) {
		out, err := tx.Aggregates(ctx, f.c, f.q)
		return slices.Clone(out), err
	})
}

func (tx *Tx) remembered(ctx context.Context, f *Fixed, key func() totalKey, read func() ([]any, error)) ([]any, error) {
	if tx.write {
		return read() // its own changes are in no version yet
	}
	if err := f.prepare(tx); err != nil {
		return nil, err
	}
	return tx.db.totals.get(ctx, tx.since, key(), f.tables, read)
}
