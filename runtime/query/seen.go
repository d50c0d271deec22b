package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Seen are those of some records that exist and that the caller may see, each with the id of the person who changed it last, "" where the
// caller may not know.
func (r *Reader) Seen(ctx context.Context, view *authz.View, schemaCode string, ids []string) (map[string]string, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	g := newGraph(view, m)
	q := &plan.Query{Model: m.Code, Where: plan.AllOf(rule(view.Rows(m)), &plan.InSet{Op: plan.SetWithin, F: key, G: &plan.Const{K: plan.Set, Value: ids}}), Select: []plan.Expr{key},
		Order: []plan.Order{{By: key}}, Limit: len(ids), Joins: g.joins}
	if by, err := g.resolve(catalog.Modifier); err == nil {
		q.Select = append(q.Select, by.columns()...)
	}
	out := map[string]string{}
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			out[id] = ""
			if len(row) > 1 {
				out[id], _ = row[1].(string)
			}
			return nil
		})
	})
	return out, err
}

// SeesAll reports whether the caller may see every record of a model, also those that are gone, and who changed each of them.
func SeesAll(view *authz.View, schemaCode string) (all, who bool) {
	m, err := model(view, schemaCode)
	if err != nil || !plan.IsTrue(view.Rows(m)) {
		return false, false
	}
	_, shown := view.Field(m.Field(catalog.Modifier))
	return true, plan.IsTrue(shown)
}
