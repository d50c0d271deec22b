package record

import (
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// maxTree bounds the way up a tree.
const maxTree = 1000

// tree refuses a row under itself. Moves in one tree come one after the other: two that are each right alone (a under b, b under
// a) would close a ring together.
func (c *change) tree() error {
	if c.m.Tree == nil || c.create {
		return nil
	}
	column := c.m.Tree.Column().Column
	above, _ := c.row[column].(string)
	if was, _ := c.old[column].(string); above == was {
		return nil
	}
	ring, err := c.rings(c.m, c.id, above)
	if err == nil && ring {
		c.refuse(c.m.Tree.Code, fault.FieldCycle, c.m.Tree.Label)
	}
	return err
}

// rings reports whether a record would be below itself if it were put under another. Moves in its tree wait until the transaction
// ends.
func (s *session) rings(m *catalog.Model, id, above string) (bool, error) {
	if err := s.tx.Lock(s.ctx, m.Table); err != nil {
		return false, err
	}
	column := m.Tree.Column().Column
	for i := 0; above != "" && i < maxTree; i++ {
		if above == id {
			return true, nil
		}
		row, err := s.one(m, above, plan.True)
		if err != nil {
			return false, err
		}
		above, _ = row[column].(string)
	}
	return false, nil
}

// deepest divides records of a tree into those that stand deepest and the others. Sums over children are computed in this order, from
// the leaves up: each record once.
func (s *session) deepest(m *catalog.Model, ids []string) (deepest, others []string, err error) {
	if len(ids) < 2 {
		return ids, nil, nil
	}
	at := make(map[string]string, len(ids)) // each record's ancestor at the level that is looked at
	for _, id := range ids {
		at[id] = id
	}
	for level := 0; ; level++ {
		if level > maxTree {
			return nil, nil, fmt.Errorf("%s: a record stands below itself, or more than %d levels deep", m.Code, maxTree)
		}
		above, err := s.parents(m, at)
		if err != nil {
			return nil, nil, err
		}
		if len(above) == 0 {
			break
		}
		at = above
	}
	for _, id := range ids {
		if _, ok := at[id]; ok {
			deepest = append(deepest, id)
		} else {
			others = append(others, id)
		}
	}
	return deepest, others, nil
}

// parents takes records one level up; those that stand at the top are left out.
func (s *session) parents(m *catalog.Model, at map[string]string) (map[string]string, error) {
	above := map[string]string{}
	var ids []string
	for _, id := range at {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	up := m.Tree.Column()
	for chunk := range slices.Chunk(slices.Compact(ids), many) {
		q := &plan.Query{Model: m.Code, Where: idIn(chunk), Select: []plan.Expr{idField, up}, Order: []plan.Order{{By: idField}}}
		err := s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			if parent, _ := row[1].(string); parent != "" {
				above[id] = parent
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	out := make(map[string]string, len(at))
	for id, a := range at {
		if parent, ok := above[a]; ok {
			out[id] = parent
		}
	}
	return out, nil
}
