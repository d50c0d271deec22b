package query

import (
	"context"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// List answers the list call with the JSON of its data (api.yaml ListPage).
func (r *Reader) List(ctx context.Context, view *authz.View, req ListRequest) ([]byte, error) {
	p, err := r.compile(ctx, view, req)
	if err != nil {
		return nil, err
	}
	pg := &page{listPlan: p, reader: r, names: r.names(ctx, view), ctx: ctx}
	if !plan.IsFalse(p.query.Where) {
		read := r.db.Read
		if len(p.sheets) == 0 && !p.tree && !p.gathered {
			read = r.db.ReadCommitted // names and figures may be a moment newer than the rows: they may be a second older too
		}
		if err := r.within(ctx, read, pg.load); err != nil {
			return nil, err
		}
	}
	return pg.encode()
}

// page is a list's page while it is read and written.
type page struct {
	*listPlan
	ctx          context.Context
	reader       *Reader
	names        *names
	rows         [][]any          // one row's places each
	values       []any            // Go values of the columns, row by row
	seen         []property.Names // of each column
	sheets       []map[string]*sheetCell
	parents      map[string]bool // ids of the page's rows that have visible children
	total        int64
	figures      []any
	more, before bool             // rows behind and before the page
	whole        bool             // sub-tables with all their rows
	ancestors    *page            // the rows above those of the page
	matches      map[string]bool  // of ancestors: those that are found themselves
	sealed       map[string]*Seal // of records that a workflow has approved
}

func (g *page) load(_ context.Context, tx *store.Tx) error {
	if !g.beyond {
		if err := g.readRows(tx); err != nil {
			return err
		}
	}
	g.readValues()
	ids := g.ids()
	if err := g.readGathered(tx, ids); err != nil {
		return err
	}
	if err := g.readSeals(tx); err != nil {
		return err
	}
	for _, sheet := range g.listPlan.sheets {
		cells, err := g.readSheet(tx, sheet, ids, sheetPreview)
		if err != nil {
			return err
		}
		g.sheets = append(g.sheets, cells)
	}
	if g.above >= 0 && len(ids) > 0 {
		if err := g.readAbove(tx); err != nil {
			return err
		}
		ids = append(ids, g.ancestors.ids()...)
	}
	if g.tree && len(ids) > 0 {
		if err := g.readParents(tx, ids); err != nil {
			return err
		}
	}
	if g.ancestors != nil {
		g.ancestors.parents = g.parents
	}
	if err := g.names.resolve(tx.Context(), tx); err != nil {
		return err
	}
	var err error
	if g.total, g.figures, err = tx.Figures(tx.Context(), g.fixed); err != nil {
		return err
	}
	// The figure may be a second old; the rows of the page are there.
	least := len(g.rows)
	if least > 0 && !g.byCursor {
		least += g.offset
	}
	g.total = max(g.total, int64(least))
	return nil
}

// readValues takes the columns' values out of the rows, and notes the names that they need.
func (g *page) readValues() {
	g.values = make([]any, 0, len(g.rows)*len(g.columns))
	g.seen = make([]property.Names, len(g.columns))
	refers := make([]bool, len(g.columns))
	for i, column := range g.columns {
		g.seen[i], refers[i] = g.names.of(column.node.field), collects(column.node.field)
	}
	for _, row := range g.rows {
		for i, column := range g.columns {
			v := column.node.field.Property.Load(row[column.at : column.at+column.width])
			g.values = append(g.values, v)
			if refers[i] {
				g.names.collect(column.node.field, v)
			}
		}
	}
}

// readRows reads one row more than the page has, to know whether there is another page.
func (g *page) readRows(tx *store.Tx) error {
	g.rows = make([][]any, 0, g.query.Limit)
	cells := make([]any, 0, g.query.Limit*len(g.query.Select)) // of all rows
	err := tx.Page(tx.Context(), g.fixed, g.query, func(row []any) error {
		at := len(cells)
		cells = append(cells, row...)
		g.rows = append(g.rows, cells[at:len(cells):len(cells)])
		return nil
	})
	if err != nil {
		return err
	}
	beyond := len(g.rows) > g.size
	switch {
	case g.reverse:
		if beyond {
			g.rows = g.rows[len(g.rows)-g.size:]
		}
		g.before, g.more = beyond, len(g.rows) > 0
	default:
		if beyond {
			g.rows = g.rows[:g.size]
		}
		g.before, g.more = g.byCursor || g.page > 0 && len(g.rows) > 0, beyond
	}
	return nil
}

func (g *page) ids() []string {
	out := make([]string, len(g.rows))
	for i, row := range g.rows {
		out[i], _ = row[placeID].(string)
	}
	return out
}

// readSeals finds out which records of the page workflows hold as they were approved.
func (g *page) readSeals(tx *store.Tx) error {
	if g.reader.seals == nil || g.held < 0 {
		return nil
	}
	var ids []string
	for _, row := range g.rows {
		if id, _ := row[placeID].(string); row[g.held] != nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var err error
	g.sealed, err = g.reader.seals(tx.Context(), tx, g.view, g.list.Model.Code, ids)
	return err
}

// readParents finds which rows of the page have visible children: those are no leaves.
func (g *page) readParents(tx *store.Tx, ids []string) error {
	m := g.list.Model
	graph := newGraph(g.view, m)
	n, err := graph.resolve(m.Tree.Code)
	if err != nil {
		return err
	}
	parent := n.columns()[0]
	where := []plan.Expr{&plan.InSet{Op: plan.SetWithin, F: parent, G: &plan.Const{K: plan.Set, Value: ids}}, rule(g.view.Rows(m))}
	if g.list.Condition != nil {
		where = append(where, graph.restrict(g.list.Condition))
	}
	g.parents = map[string]bool{}
	q := &plan.Query{Model: m.Code, Joins: graph.joins, Select: []plan.Expr{parent}, Where: plan.AllOf(where...)}
	return tx.Query(tx.Context(), g.view.Catalog, q, func(row []any) error {
		if p, ok := row[0].(string); ok {
			g.parents[p] = true
		}
		return nil
	})
}

func (g *page) encode() ([]byte, error) {
	dst := make([]byte, 0, 512+len(g.rows)*(64+48*len(g.columns)))
	dst = append(dst, `{"content":[`...)
	for i, row := range g.rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = g.encodeRow(dst, i, row)
	}
	dst = append(dst, ']')
	dst = append(g.encodeAbove(dst), `,"totalElements":`...)
	dst = strconv.AppendInt(dst, g.total, 10)
	dst = g.encodeFigures(append(dst, `,"aggregates":`...))
	next, previous := "null", "null"
	var err error
	if g.more {
		if next, err = g.cursorAt(g.rows[len(g.rows)-1], false, g.page+1); err != nil {
			return nil, err
		}
	}
	if g.before && len(g.rows) > 0 {
		if previous, err = g.cursorAt(g.rows[0], true, g.page-1); err != nil {
			return nil, err
		}
	}
	dst = append(append(dst, `,"next":`...), next...)
	dst = append(append(dst, `,"previous":`...), previous...)
	return append(dst, '}'), nil
}

func (g *page) cursorAt(row []any, before bool, to int) (string, error) {
	keys := make([]any, len(g.orderAt))
	for i, at := range g.orderAt {
		keys[i] = row[at]
	}
	text, err := g.reader.encodeCursor(g.shape, g.query.Order, keys, before, to, g.sortedAt)
	return `"` + text + `"`, err
}

func (g *page) encodeRow(dst []byte, i int, row []any) []byte {
	id, _ := row[placeID].(string)
	dst = property.AppendQuoted(append(dst, `{"id":`...), id)
	dst = append(dst, `,"data":{`...)
	for k, column := range g.columns {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, column.key...)
		p := column.node.field.Property
		dst = p.AppendJSON(dst, translated(p, g.values[i*len(g.columns)+k], g.view), g.seen[k])
	}
	for k, sheet := range g.listPlan.sheets {
		if k > 0 || len(g.columns) > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, sheet.key...)
		if sheet.shown >= 0 && row[sheet.shown] != true {
			dst = append(dst, "null"...)
			continue
		}
		dst = g.sheets[k][id].encode(dst, g.names)
	}
	dst = append(dst, `},"workflowInstanceId":`...)
	dst = g.systemText(dst, row, g.instance)
	dst = g.systemText(append(dst, `,"sequenceStatus":`...), row, g.status)
	dst = append(dst, `,"version":`...)
	version, _ := row[placeVersion].(int64)
	dst = strconv.AppendInt(dst, version, 10)
	if g.tree {
		dst = strconv.AppendBool(append(dst, `,"leaf":`...), !g.parents[id])
	}
	if g.above >= 0 {
		dst = g.systemText(append(dst, `,"parentId":`...), row, g.above)
		dst = strconv.AppendBool(append(dst, `,"match":`...), g.matches == nil || g.matches[id])
	}
	dst = append(g.encodeActions(append(dst, `,"actions":[`...), row), ']')
	if seal := g.sealed[id]; seal != nil {
		dst = append(dst, `,"open":[`...)
		for i, code := range seal.Open {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = property.AppendQuoted(dst, code)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// translated is a value in the reader's language, where a definition declares it in several.
func translated(p property.Property, v any, view *authz.View) any {
	if t, ok := p.(property.Translator); ok {
		return t.Translate(v, view.Principal().Locale)
	}
	return v
}

func (g *page) systemText(dst []byte, row []any, at int) []byte {
	if at < 0 {
		return append(dst, "null"...)
	}
	s, ok := row[at].(string)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, s)
}

func (g *page) encodeActions(dst []byte, row []any) []byte {
	first := true
	for _, a := range g.actions {
		if a.at >= 0 && row[a.at] != true || a.edits && !g.sealed[row[placeID].(string)].keepsEdit(g.view, g.list.Model) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = property.AppendQuoted(dst, a.code)
	}
	return dst
}

func (g *page) encodeFigures(dst []byte) []byte {
	dst = append(dst, '{')
	for i, s := range g.sums {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, s.key...)
		var v any
		if i < len(g.figures) {
			v = g.figures[i]
		}
		dst = appendFigure(dst, s, v)
	}
	return append(dst, '}')
}

// appendFigure writes counts, sums and averages as numbers' texts, minima and maxima as the property writes its values.
func appendFigure(dst []byte, s outSum, v any) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	if s.fn == plan.SumMinimum || s.fn == plan.SumMaximum {
		columns := slices.Grow([]any{v}, s.column.width)
		for len(columns) < s.column.width {
			columns = append(columns, nil)
		}
		p := s.column.node.field.Property
		return p.AppendJSON(dst, p.Load(columns), nil)
	}
	text, err := keyText(plan.Number, v)
	if err != nil || text == nil {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, *text)
}
