package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Visible are those of some records that the principal sees now; the value reports whether a field of the record may be read.
func (r *Reader) Visible(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string, code string) (map[string]bool, error) {
	out := map[string]bool{}
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	g := newGraph(view, m)
	guard := plan.Expr(plan.False)
	if n, err := g.resolve(code); err == nil {
		guard = plan.True
		if right, on := view.Field(n.field); right == catalog.Hidden {
			guard = plan.False
		} else if n.sheet != nil { // the field's own rule of a row speaks of the record
			_, sheet := view.Field(n.sheet)
			guard = plan.AllOf(sheet, on)
		} else {
			guard = n.guard
		}
	}
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{key, &plan.Guarded{Cond: rule(guard), X: plan.True}}, Where: plan.AllOf(rule(view.Rows(m)), idsIn(ids)), Joins: g.joins}
	return out, tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		out[id] = row[1] == true
		return nil
	})
}
