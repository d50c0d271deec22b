package query

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// rise puts rows together whose groups are the same at the level that a data set names: of addresses, and of records of a tree, the record
// above them on that level. Records above that the view may not see are not there: the first one that it sees is the top. The rows that come
// in are shared, and stay as they are.
func (r *Reader) rise(ctx context.Context, tx *store.Tx, p *groupPlan, rows [][]any) ([][]any, error) {
	raised := false
	for i, g := range p.set.Groups {
		if g.Level == 0 {
			continue
		}
		if !raised {
			raised = true
			for k, row := range rows {
				rows = cloneOnce(rows, k)
				rows[k] = append([]any(nil), row...)
			}
		}
		if err := r.riseOne(ctx, tx, p, i, rows); err != nil {
			return nil, err
		}
	}
	if !raised {
		return rows, nil
	}
	return p.merged(rows)
}

// cloneOnce copies the slice of rows before its first is replaced.
func cloneOnce(rows [][]any, k int) [][]any {
	if k == 0 {
		return append([][]any(nil), rows...)
	}
	return rows
}

// riseOne replaces the values of a group.
func (r *Reader) riseOne(ctx context.Context, tx *store.Tx, p *groupPlan, i int, rows [][]any) error {
	g := p.set.Groups[i]
	at := p.at[i]
	if of, is := g.Path.Field.Property.(property.Leveled); is {
		for _, row := range rows {
			cells := row[at:p.at[i+1]]
			if v := g.Path.Field.Property.Load(cells); v != nil {
				copy(cells, g.Path.Field.Property.Store(of.AtLevel(keep(v), g.Level)))
			}
		}
		return nil
	}
	above, err := r.parents(ctx, tx, p, g.Path.Field.Target, at, rows)
	if err != nil {
		return err
	}
	for _, row := range rows {
		id, is := row[at].(string)
		if !is {
			continue
		}
		way := []string{id}
		for len(way) < maxAbove {
			next := above[way[len(way)-1]]
			if _, seen := above[next]; !seen {
				break
			}
			way = append(way, next)
		}
		row[at] = way[max(len(way)-g.Level, 0)]
	}
	return nil
}

// parents are the records above those of a column, by their ids; a record without one has "". Those that the view does not see are not in it.
func (r *Reader) parents(ctx context.Context, tx *store.Tx, p *groupPlan, m *catalog.Model, at int, rows [][]any) (map[string]string, error) {
	out := map[string]string{}
	g := newGraph(p.view, m)
	n, err := g.resolve(m.Tree.Code)
	if err != nil { // who may not read what is above stays where they are
		return out, nil //nolint:nilerr // not a fault of the request
	}
	asked := map[string]bool{}
	var wanted []string
	want := func(id string) {
		if id != "" && !asked[id] {
			asked[id] = true
			wanted = append(wanted, id)
		}
	}
	for _, row := range rows {
		id, _ := row[at].(string)
		want(id)
	}
	for level := 0; len(wanted) > 0 && level < maxAbove; level++ {
		now := wanted
		wanted = nil
		for len(now) > 0 {
			part := now[:min(len(now), MaxObjects)]
			now = now[len(part):]
			q := &plan.Query{Model: m.Code, Joins: g.joins, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, n.columns()[0]},
				Where: plan.AllOf(idsIn(part), rule(p.view.Rows(m)))}
			err := tx.Query(ctx, p.view.Catalog, q, func(row []any) error {
				parent, _ := row[1].(string)
				out[row[0].(string)] = parent
				want(parent)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// merged puts rows with equal groups together, in the order in which they first come.
func (p *groupPlan) merged(rows [][]any) (out [][]any, err error) {
	found := map[string][]any{}
	figures := p.at[len(p.at)-1]
	for _, row := range rows {
		var key strings.Builder
		for _, v := range row[:figures] {
			fmt.Fprintf(&key, "%T:%v\x00", v, v)
		}
		there := found[key.String()]
		if there == nil {
			found[key.String()] = row
			out = append(out, row)
			continue
		}
		for k := range p.parts {
			there[figures+k] = together(p.parts[k].fn, there[figures+k], row[figures+k])
		}
		p.average(there, figures)
	}
	return out, nil
}

// together is a figure of two groups; averages are made of sums and counts afterwards.
func together(fn plan.Sum, a, b any) any {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case fn == plan.SumMinimum || fn == plan.SumMaximum:
		if less(b, a) == (fn == plan.SumMinimum) {
			return b
		}
		return a
	}
	return figureOf(a).Add(figureOf(b))
}

// averagePlaces are those of averages.
const averagePlaces = 8

func (p *groupPlan) average(row []any, figures int) {
	for k, part := range p.parts {
		if part.fn != plan.SumAverage { // its sum and its count are behind it
			continue
		}
		if n := figureOf(row[figures+k+2]); !n.IsZero() {
			row[figures+k] = figureOf(row[figures+k+1]).DivRound(n, averagePlaces)
		}
	}
}

func less(a, b any) bool {
	switch x := a.(type) {
	case decimal.Decimal, int64:
		return figureOf(a).LessThan(figureOf(b))
	case string:
		y, _ := b.(string)
		return x < y
	case time.Time:
		y, _ := b.(time.Time)
		return x.Before(y)
	}
	return false
}
