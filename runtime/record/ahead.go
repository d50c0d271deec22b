package record

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ahead does for a new record what needs no turn among those who make records of the model: it reads the values, and looks for the records
// that they refer to. What is not found is looked for again in the turn, which refuses it. Of what is found, keys of the database refuse
// what goes until the commit, so references without a key are left to the turn.
func (c *change) ahead(ctx context.Context, w *Writer, view *authz.View, ch Change) {
	if ch.shares() == "" || !view.Can(c.m, "add") {
		return
	}
	c.session, c.row = w.outside(ctx, view), map[string]any{}
	c.decode(ch.Set)
	wanted := slices.DeleteFunc(c.wantedRefs(), func(r wantedRef) bool {
		cols := r.field.Columns()
		return r.field.Target == nil || len(cols) == 0 || cols[0].References == ""
	})
	if len(wanted) == 0 || len(c.errs) > 0 {
		return
	}
	_ = w.db.Ahead(ctx, ch.shares(), func(_ context.Context, tx *store.Tx) error { // the turn meets the error again
		c.tx = tx
		return c.learn(wanted)
	})
	c.tx = nil
}
