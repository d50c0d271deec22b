package query

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// mostInTree bounds the rows that a tree holds in memory.
const mostInTree = 200_000

// parent appends the record above. A principal who may not see the relation sees a flat list.
func (p *rowsPlan) parent(g *graph) error {
	p.above = p.width()
	n, err := g.resolve(g.model.Tree.Code)
	if err != nil {
		p.q.Select = append(p.q.Select, &plan.Const{K: plan.ID})
		return nil //nolint:nilerr // what may not be seen is empty
	}
	p.q.Select = append(p.q.Select, n.columns()[0])
	return nil
}

// walk reads the rows and gives them depth first: all, or those of one record and below it.
func (p *rowsPlan) walk(ctx context.Context, tx *store.Tx, view *authz.View, args world.Args, each func(world.Row) bool) error {
	var rows []world.Row
	var parents []string
	err := p.all(ctx, tx, view, func(row []any) bool {
		made := p.row(row)
		parent, _ := row[p.above].(string)
		rows, parents = append(rows, made), append(parents, parent)
		return len(rows) <= mostInTree
	})
	if err != nil {
		return err
	}
	if len(rows) > mostInTree {
		return fault.New(fault.TooExpensive)
	}
	t := rowTree{rows: rows, parents: parents, at: make(map[string]int, len(rows)), below: map[string][]int{}}
	for i, r := range rows {
		t.at[r.ID] = i
	}
	for i, parent := range parents {
		if _, here := t.at[parent]; !here {
			parent = ""
		}
		t.below[parent] = append(t.below[parent], i)
	}
	tops := t.below[""]
	if top, ok := args[p.of.Below].(string); ok && p.of.Below != "" && top != "" {
		i, here := t.at[top]
		if !here {
			return nil
		}
		tops = []int{i}
	}
	t.give(tops, nil, each)
	return nil
}

type rowTree struct {
	rows    []world.Row
	parents []string
	at      map[string]int
	below   map[string][]int // rows by the id above them; "" = at the top
}

// give calls each with rows and those below them; false when each has enough. Rows in a circle have no top and do not come: the write path
// refuses circles.
func (t *rowTree) give(rows []int, path []string, each func(world.Row) bool) bool {
	for _, i := range rows {
		row := t.rows[i]
		row.Path = slices.Clone(path)
		if !each(row) || !t.give(t.below[row.ID], append(path, row.ID), each) {
			return false
		}
	}
	return true
}
