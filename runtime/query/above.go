package query

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// maxAbove bounds the levels of a tree above a page's rows.
const maxAbove = 100

// upward adds the parent of each row to a plan of a tree's list, so that what a search finds can be drawn below what it belongs to.
func (p *listPlan) upward(req ListRequest) error {
	p.above = -1
	if !req.Ancestors {
		return nil
	}
	if p.list.Model.Tree == nil || req.ParentID != nil {
		return fault.New(fault.BadParameter, "ancestors")
	}
	n, err := p.graph.resolve(p.list.Model.Tree.Code)
	if err != nil {
		return err
	}
	p.tree, p.above, p.scope = true, p.add(n.columns()[0]), rule(p.view.Rows(p.list.Model))
	if p.list.Condition != nil {
		p.scope = plan.AllOf(p.scope, p.graph.restrict(p.list.Condition))
	}
	return nil
}

// readAbove reads the ancestors of the page's rows, as far as the list shows them: a hidden one ends the way up.
func (g *page) readAbove(tx *store.Tx) error {
	above := &page{listPlan: g.listPlan, ctx: g.ctx, reader: g.reader, names: g.names}
	have := map[string]bool{}
	for _, id := range g.ids() {
		have[id] = true
	}
	for rows, level := g.rows, 0; len(rows) > 0 && level < maxAbove; level++ {
		var wanted []string
		for _, row := range rows {
			if parent, ok := row[g.above].(string); ok && !have[parent] {
				have[parent] = true
				wanted = append(wanted, parent)
			}
		}
		from := len(above.rows)
		for len(wanted) > 0 {
			part := wanted[:min(len(wanted), MaxObjects)]
			wanted = wanted[len(part):]
			q := &plan.Query{Model: g.list.Model.Code, Joins: g.graph.joins, Select: g.query.Select, Where: plan.AllOf(g.scope, idsIn(part))}
			if err := tx.Query(tx.Context(), g.view.Catalog, q, func(row []any) error {
				above.rows = append(above.rows, cloned(row))
				return nil
			}); err != nil {
				return err
			}
		}
		rows = above.rows[from:]
	}
	g.ancestors = above
	if len(above.rows) == 0 {
		return nil
	}
	above.readValues()
	ids := above.ids()
	if err := above.readGathered(tx, ids); err != nil {
		return err
	}
	if err := above.readSeals(tx); err != nil {
		return err
	}
	for _, sheet := range g.listPlan.sheets {
		cells, err := above.readSheet(tx, sheet, ids, sheetPreview)
		if err != nil {
			return err
		}
		above.sheets = append(above.sheets, cells)
	}
	return above.match(tx, ids)
}

// match notes which of the ancestors are found themselves, on other pages.
func (g *page) match(tx *store.Tx, ids []string) error {
	g.matches = map[string]bool{}
	for len(ids) > 0 {
		part := ids[:min(len(ids), MaxObjects)]
		ids = ids[len(part):]
		q := &plan.Query{Model: g.list.Model.Code, Joins: g.graph.joins, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, Where: plan.AllOf(g.query.Where, idsIn(part))}
		if err := tx.Query(tx.Context(), g.view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			g.matches[id] = true
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func cloned(row []any) []any {
	out := make([]any, len(row))
	for i, v := range row {
		if set, ok := v.([]string); ok {
			v = append([]string(nil), set...)
		}
		out[i] = v
	}
	return out
}

// encodeAbove writes the ancestors as rows of their own kind.
func (g *page) encodeAbove(dst []byte) []byte {
	if g.above < 0 {
		return dst
	}
	dst = append(dst, `,"ancestors":[`...)
	if g.ancestors != nil {
		for i, row := range g.ancestors.rows {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = g.ancestors.encodeRow(dst, i, row)
		}
	}
	return append(dst, ']')
}
