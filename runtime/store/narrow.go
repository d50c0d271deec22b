package store

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// seeks reports whether the query looks for texts in a large table without an index that leads to them: words of one character,
// texts that are not marked for search.
func (r *reader) seeks() bool {
	if volume(r.model) <= smallModel || !scans(r.c, r.model, r.q, false) {
		return false
	}
	found := false
	s := (&builder{}).root(r.model)
	searches(r.q.Where, func(m *plan.Match) { found = found || !s.searchable(m) }, func(*plan.Field, linkTest) {})
	return found
}

// narrowed makes a query that seeks ask for the records that it found, when those are few. To find them the table is read once,
// row after row; without that the page would be sought along the sort index, which for a rare text is a walk through the whole
// table in the order that costs most, and the figures would read it again. Of a frequent text fewHits are met soon, and then
// the page is best filled on the walk. The conditions stay, and figures that were counted lately tell what is frequent.
func (tx *Tx) narrowed(ctx context.Context, f *Fixed, q *plan.Query) (*plan.Query, error) {
	if !f.seeks || tx.write {
		return q, nil
	}
	ids, known := tx.found[f]
	if !known {
		var err error
		if ids, err = tx.sought(ctx, f); err != nil {
			return nil, err
		}
		if tx.found == nil {
			tx.found = map[*Fixed][]string{}
		}
		tx.found[f] = ids
	}
	if ids == nil {
		return q, nil
	}
	out := *q
	out.Where = plan.False
	if len(ids) > 0 {
		of := &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: ids}}
		out.Where = plan.AllOf(of, q.Where)
	}
	return &out, nil
}

// sought are the ids of all records that a query is about, nil when they are many. While no table changes they are remembered.
func (tx *Tx) sought(ctx context.Context, f *Fixed) ([]string, error) {
	version := tx.db.Versions(f.tables...)
	if old := f.sought.Load(); old != nil && old.version == version {
		return old.ids, nil
	}
	if tx.frequent(f) {
		return nil, nil
	}
	ids, err := tx.seek(ctx, f)
	if err == nil && len(ids) <= keptSought && tx.Remembers(version) {
		f.sought.Store(&soughtIDs{ids, version})
	}
	return ids, err
}

// keptSought bounds the ids that are remembered for a query, for there are many queries.
const keptSought = 200

// soughtIDs are what a query had found when its tables had a version.
type soughtIDs struct {
	ids     []string
	version uint64
}

// seek reads the ids of all records that a query is about, nil when they are many.
func (tx *Tx) seek(ctx context.Context, f *Fixed) ([]string, error) {
	q := *f.q
	q.Order, q.Aggregate, q.Limit = nil, nil, fewHits
	ids, err := tx.Ids(ctx, f.c, &q)
	if err != nil || len(ids) >= fewHits {
		return nil, err
	}
	return append([]string{}, ids...), nil
}

// frequent reports whether the records were many when they were last counted.
func (tx *Tx) frequent(f *Fixed) bool {
	key := f.count
	if len(f.q.Aggregate) > 0 {
		key = f.footer
	}
	n, ok := tx.db.totals.last(key)
	return ok && n >= fewHits
}
