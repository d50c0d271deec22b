package store

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Fixed is a query that is asked again and again, page by page. What is the same for all its pages is worked out once: the
// tables it reads, the statements of its figures, and that of each sort of page. It is safe for concurrent use.
type Fixed struct {
	c     *catalog.Catalog
	q     *plan.Query // without a page
	kinds []plan.Kind

	once    sync.Once
	err     error
	plain   bool // no search and no set: the statements do not depend on what the tables hold
	seeks   bool // for texts of a large table, and no index leads to them
	tables  []string
	bounds  []*plan.Compare // that a cursor may make needless
	count   totalKey
	footer  totalKey
	sought  atomic.Pointer[soughtIDs]
	mu      sync.Mutex
	written map[pageKey]*writtenPage
}

// pageKey is what the text of a page's statement depends on.
type pageKey struct {
	limit        int
	offset, deep bool
	seeks, back  bool   // the page lies behind a cursor, or before one or the end
	empty        uint64 // the cursor's values that are empty, a bit for each sort key
	kept         uint64 // the bounds that the cursor makes needless, a bit for each
}

// writtenPage is the statement of a page; the arguments of bound are other ones for other pages.
type writtenPage struct {
	text  string
	args  []any
	bound []binding
	scan  bool
	quick atomic.Bool // it was answered at once: it need not be watched, which costs as much as reading some rows
}

// quickly is the time below which a statement counts as quick.
const quickly = 10 * time.Millisecond

// Fix prepares a query; its page is left out of account.
func Fix(c *catalog.Catalog, q *plan.Query) *Fixed {
	bare := *q
	bare.Limit, bare.Offset, bare.After, bare.Before = 0, 0, nil, nil
	return &Fixed{c: c, q: &bare, kinds: kindsOf(bare.Select), written: map[pageKey]*writtenPage{}}
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
		f.tables, f.bounds = Tables(f.c, f.q), bounds(f.q.Where)
		f.plain = true
		searches(f.q.Where, func(*plan.Match) { f.plain = false }, func(*plan.Field, linkTest) { f.plain = false })
		f.seeks = r.seeks()
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

// maxWritten bounds the statements that are kept.
const maxWritten = 16

// Page is Query for a page of a fixed query: q is the query with its page.
func (tx *Tx) Page(ctx context.Context, f *Fixed, q *plan.Query, each func(row []any) error) error {
	if err := f.prepare(tx); err != nil {
		return err
	}
	if !f.plain {
		q, err := tx.narrowed(ctx, f, q)
		if err != nil {
			return err
		}
		return tx.Query(ctx, f.c, q, each)
	}
	w, err := tx.grammar()
	if err != nil {
		return err
	}
	r, err := newReader(w, f.c, q)
	if err != nil {
		return err
	}
	p, err := f.page(r)
	if err != nil {
		return err
	}
	args, err := p.with(r)
	if err != nil {
		return err
	}
	if p.scan && !tx.write {
		in, done, err := tx.db.scans.enter(ctx)
		if err != nil {
			return err
		}
		defer done()
		ctx = in
	} else if p.quick.Load() {
		ctx = context.WithoutCancel(ctx)
	}
	begun := time.Now()
	err = late(ctx, r.run(each, func(segment, left int, each func([]any) error) error {
		if segment == 0 {
			return tx.each(ctx, p.text, args, f.kinds, each)
		}
		text, args, err := r.page(segment, left)
		if err != nil {
			return err
		}
		return tx.each(ctx, text, args, f.kinds, each)
	}))
	p.quick.Store(err == nil && r.q.Offset <= deepOffset && time.Since(begun) < quickly)
	return err
}

// page is the statement of a reader's page, written once for all that differ in values only.
func (f *Fixed) page(r *reader) (*writtenPage, error) {
	key, ok := f.key(r)
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.written[key]; ok && p != nil {
		return p, nil
	}
	if err := DefaultCaps().Check(CostOf(r.q)); err != nil {
		return nil, err
	}
	p := &writtenPage{scan: volume(r.model) > smallModel && scans(f.c, r.model, r.q, false)}
	var err error
	if p.text, p.args, err = r.page(0, r.q.Limit); err != nil {
		return nil, err
	}
	p.bound = r.bound
	if ok && len(f.written) < maxWritten {
		f.written[key] = p
	}
	return p, nil
}

// key tells two pages apart whose statements differ; not ok when there is too much to tell apart.
func (f *Fixed) key(r *reader) (k pageKey, ok bool) {
	k = pageKey{limit: r.q.Limit, offset: r.q.Offset > 0, deep: r.q.Offset > deepOffset, seeks: len(r.seek) > 0, back: r.q.Before != nil}
	if !k.seeks {
		return k, true
	}
	for i, v := range r.seek {
		if v == nil {
			k.empty |= 1 << i
		}
	}
	if r.seek[0] != nil {
		for i, b := range f.bounds {
			if r.implied(b) {
				k.kept |= 1 << i
			}
		}
	}
	return k, len(r.seek) <= 64 && len(f.bounds) <= 64
}

// with are the arguments of another page.
func (p *writtenPage) with(r *reader) ([]any, error) {
	if len(p.bound) == 0 {
		return p.args, nil
	}
	args := slices.Clone(p.args)
	for _, b := range p.bound {
		v := any(int64(r.q.Offset))
		if b.from != offsetArg {
			v = r.seek[b.from]
		}
		x, err := encodeArg(r.w, b.kind, v)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		args[b.arg] = x
	}
	return args, nil
}

// Total is Count from memory where possible: exact as of at most one second ago.
func (tx *Tx) Total(ctx context.Context, f *Fixed) (int64, error) {
	out, err := tx.remembered(ctx, f, func() totalKey { return f.count }, func() ([]any, error) {
		q, err := tx.narrowed(ctx, f, f.q)
		if err != nil {
			return nil, err
		}
		n, err := tx.Count(ctx, f.c, q)
		return []any{n}, err
	})
	if err != nil {
		return 0, err
	}
	return out[0].(int64), nil
}

// Figures are Total and Footer: the rows are counted while they are summed, for to look at all of them twice costs twice.
func (tx *Tx) Figures(ctx context.Context, f *Fixed) (total int64, footer []any, err error) {
	if len(f.q.Aggregate) == 0 {
		total, err = tx.Total(ctx, f)
		return total, nil, err
	}
	out, err := tx.remembered(ctx, f, func() totalKey { return f.footer }, func() ([]any, error) {
		q, err := tx.narrowed(ctx, f, f.q)
		if err != nil {
			return nil, err
		}
		counted := *q
		counted.Aggregate = append([]plan.AggregateOutput{{Fn: plan.SumCount}}, q.Aggregate...)
		figures, err := tx.Aggregates(ctx, f.c, &counted)
		if err == nil {
			figures[0] = figures[0].(decimal.Decimal).IntPart()
		}
		return figures, err
	})
	if err != nil {
		return 0, nil, err
	}
	return out[0].(int64), out[1:], nil
}

// Footer is Aggregates from memory where possible: exact as of at most one second ago.
func (tx *Tx) Footer(ctx context.Context, f *Fixed) ([]any, error) {
	if len(f.q.Aggregate) == 0 {
		return nil, nil
	}
	_, footer, err := tx.Figures(ctx, f)
	return footer, err
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
