package query

import (
	"context"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// gatheredInList is how many rows make the value of a cell of a list: the newest.
const gatheredInList = 20

// gather makes the values of a property for some records with one query; most 0 = of all their rows, otherwise of so many, the newest.
func gather(ctx context.Context, tx *store.Tx, c *catalog.Catalog, f *catalog.Field, records []string, most int) (map[string]any, error) {
	out := make(map[string]any, len(records))
	if len(records) == 0 {
		return out, nil
	}
	parent, row := &plan.Field{Column: catalog.SheetParent, K: plan.ID}, &plan.Field{Column: catalog.ID, K: plan.ID}
	place := &plan.Field{Column: catalog.SheetOrder, K: plan.Int}
	q := &plan.Query{Model: f.Sheet.Code, Select: []plan.Expr{parent}, Where: oneOf(catalog.SheetParent, records), Top: most,
		Order: []plan.Order{{By: parent}, {By: place, Descending: true}, {By: row, Descending: true}}}
	for _, c := range f.Sheet.Own {
		q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
	}
	rows := map[string][][]any{}
	err := tx.Query(ctx, c, q, func(row []any) error {
		record, _ := row[0].(string)
		rows[record] = append(rows[record], slices.Clone(row[1:len(f.Sheet.Own)+1]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for record, of := range rows {
		slices.Reverse(of)
		out[record] = f.Gathers().Gather(of, time.Time{})
	}
	return out, nil
}

// counted is what a figure of the property is made of.
func (n node) counted() plan.Expr {
	if n.field.Gathers() == nil {
		return n.columns()[0]
	}
	return &plan.Guarded{Cond: plan.AllOf(rule(n.guard), &plan.AnyRow{Sheet: n.field.Code, Where: plan.True}), X: plan.True}
}

// readGathered fills in the cells of the page whose values are made of rows.
func (g *page) readGathered(tx *store.Tx, ids []string) error {
	most := gatheredInList
	if g.whole {
		most = 0
	}
	for k, column := range g.columns {
		if column.node.field.Gathers() == nil {
			continue
		}
		values, err := gather(tx.Context(), tx, g.view.Catalog, column.node.field, ids, most)
		if err != nil {
			return err
		}
		for i, row := range g.rows {
			if column.shown >= 0 && row[column.shown] != true {
				continue
			}
			v := values[ids[i]]
			g.values[i*len(g.columns)+k] = v
			g.names.collect(column.node.field, v)
		}
	}
	return nil
}
