package record

import (
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
	column := c.m.Tree.Property.Columns()[0].Name
	above, _ := c.row[column].(string)
	if was, _ := c.old[column].(string); above == was {
		return nil
	}
	if err := c.tx.Lock(c.ctx, c.m.Table); err != nil {
		return err
	}
	for i := 0; above != "" && i < maxTree; i++ {
		if above == c.id {
			c.refuse(c.m.Tree.Code, fault.FieldCycle, c.m.Tree.Label)
			return nil
		}
		row, err := c.one(c.m, above, plan.True)
		if err != nil {
			return err
		}
		above, _ = row[column].(string)
	}
	return nil
}
