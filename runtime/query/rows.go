package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// rowsAtOnce is how many rows of a query one statement reads.
const rowsAtOnce = 1000

// Rows reads a query of a pack inside a transaction that is open already, page after page, and calls each with every row until it
// returns false. Between two pages, and within each, the transaction may be used for other things.
func (r *Reader) Rows(ctx context.Context, tx *store.Tx, view *authz.View, q *catalog.Query, args world.Args, each func(world.Row) bool) error {
	p, err := r.rowsPlan(view, q, args)
	if err != nil || plan.IsFalse(p.q.Where) && len(q.Groups) > 0 {
		return err
	}
	if q.Folds() {
		return p.fold(ctx, tx, view.Catalog, each)
	}
	if q.Tree {
		return p.walk(ctx, tx, view, args, each)
	}
	return p.all(ctx, tx, view, func(row []any) bool { return each(p.row(row)) })
}

// all reads every row, page after page, until each returns false.
func (p *rowsPlan) all(ctx context.Context, tx *store.Tx, view *authz.View, each func(row []any) bool) error {
	for {
		var page [][]any
		err := tx.Query(ctx, view.Catalog, p.q, func(row []any) error {
			page = append(page, cloned(row))
			return nil
		})
		if err != nil {
			return err
		}
		if err := p.onlyVisible(ctx, tx, view, page); err != nil {
			return err
		}
		for _, row := range page {
			if !each(row) {
				return nil
			}
		}
		if len(page) < rowsAtOnce {
			return nil
		}
		p.q.After = page[len(page)-1][p.keysAt : p.idAt+1]
	}
}

// rowsPlan is a query of a pack for one principal.
type rowsPlan struct {
	q      *plan.Query
	of     *catalog.Query
	nodes  []node
	at     []int // of each node's columns in a row; the last is behind them
	keysAt int   // of the sort keys in a row
	idAt   int   // of the id, the last of them
	above  int   // of the parent, in a tree
	record int   // of the record, of rows of a sub-table; 0 = they are none
	sets   []setColumn
}

// setColumn is a column of a relation to several records of which the principal may not see all.
type setColumn struct {
	at     int
	target *catalog.Model
}

// onlyVisible takes the records that the principal does not see out of the sets of a page.
func (p *rowsPlan) onlyVisible(ctx context.Context, tx *store.Tx, view *authz.View, page [][]any) error {
	for _, c := range p.sets {
		known := map[string]bool{}
		for _, row := range page {
			for _, id := range members(row[c.at]) {
				known[id] = false
			}
		}
		for ids := range slices.Chunk(slices.Sorted(maps.Keys(known)), rowsAtOnce) {
			seen, err := visibleIDs(ctx, tx, view, c.target, ids)
			if err != nil {
				return err
			}
			maps.Copy(known, seen)
		}
		for _, row := range page {
			if left := slices.DeleteFunc(slices.Clone(members(row[c.at])), func(id string) bool { return !known[id] }); len(left) > 0 {
				row[c.at] = left
			} else {
				row[c.at] = nil
			}
		}
	}
	return nil
}

func members(v any) []string { set, _ := v.([]string); return set }

// visibleIDs are those of some records that the principal sees.
func visibleIDs(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string) (map[string]bool, error) {
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	out := map[string]bool{}
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{key}, Where: plan.AllOf(rule(view.Rows(m)), idsIn(ids))}
	return out, tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		out[id] = true
		return nil
	})
}

func (r *Reader) rowsPlan(view *authz.View, q *catalog.Query, args world.Args) (*rowsPlan, error) {
	m, sheet := q.Model, ""
	if m.Parent != nil {
		sheet, m = sheetOf(m.Parent, m).Code, m.Parent
	}
	if !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	vars, err := argsOf(q, args)
	if err != nil {
		return nil, err
	}
	maps.Copy(vars, view.Vars())
	g := newGraph(view, m)
	p := &rowsPlan{of: q, q: &plan.Query{Model: q.Model.Code}}
	where := plan.True
	if q.Where != nil {
		where = g.restrictBound(expression.Bind(q.Where, vars), sheet)
	}
	rows := rebase(nil, sheet != "", rule(view.Rows(m)))
	if plan.IsFalse(rows) && !plan.IsFalse(view.Rows(m)) {
		return nil, fmt.Errorf("query %s: who sees which %s depends on rows of sub-tables, so that the rows of %s cannot be read as a whole", q.Code, m.Code, q.Model.Code)
	}
	p.q.Where = plan.AllOf(rows, where)
	if sheet != "" {
		n, err := g.resolve(sheet)
		if err != nil { // a hidden sub-table has no rows
			p.q.Where = plan.False
		} else {
			p.q.Where = plan.AllOf(p.q.Where, rebase(nil, true, rule(n.guard)))
		}
	}
	for _, path := range append(slices.Clone(q.Columns), q.Groups...) {
		p.add(g, sheet, path)
	}
	p.at = append(p.at, p.width())
	for _, f := range q.Figures {
		p.figure(g, sheet, f)
	}
	if q.Folds() {
		p.q.Group, p.q.Select = p.q.Select, nil
	} else if err := p.order(g, sheet); err != nil {
		return nil, err
	}
	if sheet != "" && !q.Folds() {
		p.record = p.width()
		p.q.Select = append(p.q.Select, &plan.Field{Column: catalog.SheetParent, K: plan.ID})
	}
	if q.Tree {
		if err := p.parent(g); err != nil {
			return nil, err
		}
	}
	p.q.Joins = g.joinsIn(sheet)
	return p, nil
}

// joinsIn are the joins as the rows of a sub-table see them: the record's relations stand behind its parent, the row's own before them.
func (g *graph) joinsIn(sheet string) map[string]plan.Expr {
	if sheet == "" {
		return g.joins
	}
	out := make(map[string]plan.Expr, len(g.joins))
	for path, rights := range g.joins {
		if own, ok := strings.CutPrefix(path, sheet+"."); ok {
			out[own] = rights
		} else {
			out["^."+path] = rights
		}
	}
	return out
}

// resolveIn resolves a path of a model, or of the rows of a sub-table; ok is false where the principal does not see it.
func (g *graph) resolveIn(sheet string, path catalog.Path) (node, bool) {
	words := make([]string, 0, len(path.Steps)+2)
	if sheet != "" {
		words = append(words, sheet)
	}
	for _, s := range path.Steps {
		words = append(words, s.Code)
	}
	n, err := g.resolve(strings.Join(append(words, path.Field.Code), "."))
	return n, err == nil
}

func (p *rowsPlan) width() int { return len(p.q.Select) }

// add appends a column; what the principal does not see is empty.
func (p *rowsPlan) add(g *graph, sheet string, path catalog.Path) {
	p.at = append(p.at, p.width())
	n, seen := g.resolveIn(sheet, path)
	n.field = path.Field
	p.nodes = append(p.nodes, n)
	if seen {
		whole := n.columns()
		for i, c := range path.Field.Property.Columns() {
			if c.Kind == plan.Set && n.limited() && !p.of.Folds() {
				p.sets = append(p.sets, setColumn{p.width(), n.field.Target})
				p.q.Select = append(p.q.Select, whole[i])
				continue
			}
			p.q.Select = append(p.q.Select, n.column(c.Name))
		}
		return
	}
	for _, c := range path.Field.Property.Columns() {
		p.q.Select = append(p.q.Select, &plan.Const{K: c.Kind})
	}
}

func (p *rowsPlan) figure(g *graph, sheet string, f catalog.Figure) {
	out := plan.AggregateOutput{Fn: f.Fn}
	if f.Path != nil {
		c := f.Path.Field.Property.Columns()[0]
		out.X = &plan.Const{K: c.Kind}
		if n, seen := g.resolveIn(sheet, *f.Path); seen {
			out.X = n.column(c.Name)
		}
	}
	p.q.Aggregate = append(p.q.Aggregate, out)
}

// order appends the sort keys, which the next page begins behind. What the principal does not see does not sort.
func (p *rowsPlan) order(g *graph, sheet string) error {
	for _, o := range p.of.Order {
		n, seen := g.resolveIn(sheet, o.Path)
		if !seen {
			continue
		}
		n.sheet = nil // the rows themselves are read
		keys, err := n.order(o.Descending)
		if err != nil {
			return err
		}
		p.q.Order = append(p.q.Order, keys...)
	}
	p.q.Limit, p.keysAt = rowsAtOnce, p.width()
	for _, k := range store.Keys(p.q) {
		p.q.Select = append(p.q.Select, k.By)
	}
	p.idAt = p.width() - 1
	return nil
}

func (p *rowsPlan) row(row []any) world.Row {
	out := world.Row{Values: make(map[string]any, len(p.nodes)+len(p.of.Figures))}
	for i, n := range p.nodes {
		name := ""
		if columns := p.of.Columns; i < len(columns) {
			name = columns[i].Code
		} else {
			name = p.of.Groups[i-len(columns)].Code
		}
		cells := row[p.at[i]:p.at[i+1]]
		if slices.ContainsFunc(cells, func(v any) bool { return v != nil }) {
			out.Values[name] = keep(n.field.Property.Load(cells))
		}
	}
	if !p.of.Folds() {
		out.ID, _ = row[p.idAt].(string)
		if p.record > 0 {
			out.Record, _ = row[p.record].(string)
		}
	}
	return out
}

func (p *rowsPlan) fold(ctx context.Context, tx *store.Tx, c *catalog.Catalog, each func(world.Row) bool) error {
	var out []world.Row
	read := func(row []any) {
		made := p.row(row)
		for i, f := range p.of.Figures {
			if v := row[p.at[len(p.nodes)]+i]; v != nil {
				made.Values[f.As] = v
			}
		}
		out = append(out, made)
	}
	if len(p.of.Groups) == 0 {
		row, err := tx.Aggregates(ctx, c, p.q)
		if err != nil {
			return err
		}
		read(row)
	} else if err := tx.Groups(ctx, c, p.q, func(row []any) error { read(row); return nil }); err != nil {
		return err
	}
	for _, row := range out {
		if !each(row) {
			return nil
		}
	}
	return nil
}

// keep copies what the query uses again for the next row.
func keep(v any) any {
	if set, ok := v.([]string); ok {
		return slices.Clone(set)
	}
	return v
}

// argsOf gives the variables of the arguments. One that is missing is empty; one that the query does not have, or of another kind, is
// a mistake of the program.
func argsOf(q *catalog.Query, args world.Args) (map[string]any, error) {
	vars := make(map[string]any, len(q.Args)+8)
	for name := range q.Args {
		vars[expression.VarArgs+name] = nil
	}
	for name, v := range args {
		kind, known := q.Args[name]
		if !known {
			return nil, fmt.Errorf("query %s has no argument %q", q.Code, name)
		}
		if !fits(kind, v) {
			return nil, fmt.Errorf("query %s: argument %s is a %T, which is no %s", q.Code, name, v, kind)
		}
		if set, ok := v.([]string); ok && len(set) == 0 || v == "" {
			v = nil
		}
		vars[expression.VarArgs+name] = v
	}
	return vars, nil
}

func fits(kind plan.Kind, v any) (ok bool) {
	switch v.(type) {
	case nil:
		return true
	case string:
		return kind == plan.Text || kind == plan.ID || kind == plan.Date || kind == plan.Clock
	case decimal.Decimal:
		return kind == plan.Number
	case int64:
		return kind == plan.Int
	case time.Time:
		return kind == plan.Instant
	case bool:
		return kind == plan.Bool
	case []string:
		return kind == plan.Set
	}
	return false
}
