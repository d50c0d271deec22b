package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Shown is the value of a property in the words of a reader.
type Shown struct {
	Field *catalog.Field
	Text  string
}

// Texts are values of some records of a model in the words of the principal, by record and in the order of the properties, inside a transaction
// that is open already. References are names and options are labels. What the principal may not read is left out, and so are empty values and
// records that they do not see.
func (r *Reader) Texts(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string, fields []*catalog.Field) (map[string][]Shown, error) {
	g := newGraph(view, m)
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, Where: plan.AllOf(oneOf(catalog.ID, ids), rule(view.Rows(m)))}
	var nodes []node
	for _, f := range fields {
		n, err := g.resolve(f.Code)
		if err != nil || len(n.columns()) == 0 || f.Links != "" || f.Gathers() != nil {
			continue // hidden from the principal, or nothing that one line could say
		}
		nodes, q.Select = append(nodes, n), append(q.Select, n.columns()...)
	}
	if len(nodes) == 0 || len(ids) == 0 {
		return nil, nil
	}
	q.Joins = g.joins
	names := r.names(ctx, view)
	values := map[string][]any{}
	err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		at := 1
		for _, n := range nodes {
			v := n.field.Property.Load(held(row[at : at+len(n.columns())]))
			at += len(n.columns())
			names.collect(n.field, v)
			values[id] = append(values[id], v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := names.resolve(ctx, tx); err != nil {
		return nil, err
	}
	out := make(map[string][]Shown, len(values))
	for id, of := range values {
		for k, n := range nodes {
			if of[k] == nil {
				continue
			}
			text := n.field.Property.Text(of[k], property.TextContext{Locale: view.Principal().Locale, Zone: r.zone, Names: names.of(n.field)})
			if text != "" {
				out[id] = append(out[id], Shown{n.field, text})
			}
		}
	}
	return out, nil
}
