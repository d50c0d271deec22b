package store

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Caps bound what one query may ask for (docs/formats.md, Limits).
type Caps struct{ Nodes, Hops, Depth, Keys, Columns, Rows int }

// DefaultCaps are far above what a list page needs.
func DefaultCaps() Caps {
	return Caps{Nodes: 2000, Hops: 24, Depth: 6, Keys: 8, Columns: 400, Rows: 5000}
}

// Cost is what a query asks for.
type Cost struct {
	Nodes   int // of all expressions
	Hops    int // different relations that are joined
	Depth   int // of the longest path
	Keys    int // sort keys
	Columns int // selected and aggregated
	Rows    int // of the page
}

// CostOf measures a query before any SQL is written.
func CostOf(q *plan.Query) Cost {
	c := Cost{Keys: len(q.Order), Columns: len(q.Select) + len(q.Aggregate), Rows: q.Limit}
	hops := map[string]bool{}
	see := func(e plan.Expr) {
		plan.Walk(e, func(x plan.Expr) {
			c.Nodes++
			if f, ok := x.(*plan.Field); ok {
				c.Depth = max(c.Depth, len(f.Path))
				for i := range f.Path {
					hops[strings.Join(f.Path[:i+1], ".")] = true
				}
			}
		})
	}
	for _, e := range q.Select {
		see(e)
	}
	for _, o := range q.Order {
		see(o.By)
	}
	for _, a := range q.Aggregate {
		see(a.X)
	}
	see(q.Where)
	for path, e := range q.Joins {
		if hops[path] {
			see(e)
		}
	}
	c.Hops = len(hops)
	return c
}

// Check returns a fault when a query is over the caps.
func (caps Caps) Check(c Cost) error {
	switch {
	case c.Nodes > caps.Nodes, c.Hops > caps.Hops, c.Depth > caps.Depth, c.Keys > caps.Keys, c.Columns > caps.Columns,
		c.Rows > caps.Rows:
		return fault.New(fault.TooExpensive)
	}
	return nil
}

// scanDeadline is how long a statement without an index may run; it is far more than a million rows take.
const scanDeadline = 10 * time.Second

// smallModel is the declared volume up to which a scan costs nothing worth waiting for.
const smallModel = 20000

// Scans reports whether a query looks at many rows of a large model, as no index leads to what it asks for. The volume is the
// one that authors declared.
func Scans(c *catalog.Catalog, q *plan.Query) bool {
	m := c.Model(q.Model)
	return m != nil && volume(m) > smallModel && scans(c, m, q, false)
}

func volume(m *catalog.Model) int64 {
	if m.Parent != nil {
		return m.Parent.Volume
	}
	return m.Volume
}

// scans: an indexed condition bounds the rows. Without any condition the sort index is walked, and only counts look at all
// rows of it, which is what an index is fast at.
func scans(c *catalog.Catalog, m *catalog.Model, q *plan.Query, gram bool) bool {
	lead := leading(c, m)
	if q.Where == nil || plan.IsTrue(q.Where) {
		if len(q.Order) == 0 || q.Limit == 0 {
			return false
		}
		f, ok := q.Order[0].By.(*plan.Field)
		return !ok || len(f.Path) > 0 || !lead[f.Column]
	}
	return !gram && !bounded(q.Where, lead)
}

// leading are the columns that an index begins with.
func leading(c *catalog.Catalog, m *catalog.Model) map[string]bool {
	out := map[string]bool{catalog.ID: true}
	if m.Parent != nil {
		out[catalog.SheetParent] = true
	}
	for _, t := range c.Storage.Tables {
		if t.Name != m.Table {
			continue
		}
		for _, list := range [][]plan.Index{t.Unique, t.Indexes} {
			for _, i := range list {
				if len(i.Columns) > 0 {
					out[i.Columns[0]] = true
				}
			}
		}
		for _, col := range t.Columns {
			if col.References != "" {
				out[col.Name] = true
			}
		}
	}
	return out
}

// bounded reports whether an index leads to the rows of a condition.
func bounded(e plan.Expr, lead map[string]bool) bool {
	own := func(x plan.Expr) (*plan.Field, bool) {
		_, x = unguard(x)
		f, ok := x.(*plan.Field)
		return f, ok && len(f.Path) == 0 && !f.Outer
	}
	column := func(x plan.Expr) bool {
		f, ok := own(x)
		return ok && (f.K == plan.Set || lead[f.Column])
	}
	switch x := e.(type) {
	case *plan.Const:
		return !plan.IsTrue(x)
	case *plan.And:
		for _, p := range x.Of {
			if bounded(p, lead) {
				return true
			}
		}
		return false
	case *plan.Or:
		for _, p := range x.Of {
			if !bounded(p, lead) {
				return false
			}
		}
		return true
	case *plan.Guarded:
		return bounded(x.Cond, lead) || bounded(x.X, lead)
	case *plan.Rule:
		return bounded(x.X, lead)
	case *plan.Compare:
		return column(x.A) || column(x.B)
	case *plan.IsNull:
		f, ok := own(x.X)
		return ok && lead[f.Column]
	case *plan.InSet:
		return column(x.F)
	case *plan.Belongs:
		return column(x.X)
	case *plan.Match:
		return x.Prefix && column(x.X)
	case *plan.AnyRow:
		return bounded(x.Where, engineLeading(x.Sheet))
	}
	return false
}

// admission holds scans off each other, so that pages that use an index keep their speed.
type admission struct{ slots chan struct{} }

func newAdmission(n int) *admission { return &admission{make(chan struct{}, max(1, n))} }

// enter waits for a place and gives the statement a deadline.
func (a *admission) enter(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, scanDeadline)
	select {
	case a.slots <- struct{}{}:
		return ctx, func() { <-a.slots; cancel() }, nil
	case <-ctx.Done():
		err := ctx.Err()
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, nil, fault.Wrap(err, fault.DeadlineExceeded)
		}
		return nil, nil, err
	}
}
