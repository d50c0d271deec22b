package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Placed is a record with its name and the id of the one above it; Parent is "" at the top, where the model is not a tree, and
// where the caller may not read it.
type Placed struct{ ID, Name, Parent string }

// Forest returns the names and places of the first records of a model that the caller may see, in the order of their ids.
func (r *Reader) Forest(ctx context.Context, view *authz.View, schemaCode string, most int) (out []Placed, err error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	g := newGraph(view, m)
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Where: rule(view.Rows(m)), Select: []plan.Expr{key}, Order: []plan.Order{{By: key}}, Limit: most}
	name, parent := 0, 0
	if n, err := g.resolve(catalog.Name); err == nil {
		name = len(q.Select)
		q.Select = append(q.Select, n.columns()...)
	}
	if m.Tree != nil {
		if n, err := g.resolve(m.Tree.Code); err == nil {
			parent = len(q.Select)
			q.Select = append(q.Select, n.columns()...)
		}
	}
	q.Joins = g.joins
	text := func(row []any, at int) string {
		s, _ := row[at].(string)
		return s
	}
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, view.Catalog, q, func(row []any) error {
			p := Placed{ID: text(row, 0)}
			if name > 0 {
				p.Name = text(row, name)
			}
			if parent > 0 {
				p.Parent = text(row, parent)
			}
			out = append(out, p)
			return nil
		})
	})
	return out, err
}
