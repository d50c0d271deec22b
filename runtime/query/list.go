package query

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// listPlan is a list request compiled for one principal: the query, and what each place of its rows means.
type listPlan struct {
	view             *authz.View
	starts           starter
	list             *catalog.List
	graph            *graph
	query            *plan.Query
	fixed            *store.Fixed     // the query without its page
	shown            []catalog.Column // asked for: the list's, or those that the request names
	columns          []outColumn
	gathered         bool // of the columns some are made of rows of their own
	sheets           []outSheet
	actions          []outAction
	sums             []outSum
	instance, status int   // places of the two system values, -1 when they may not be read
	held             int   // place of the instance that may hold a row, also where it may not be read; -1 = nobody edits rows
	conditions       []int // places of the conditions of a print template; -1 = it always holds
	page             int
	size             int
	offset           int  // place of the page's first row, when it was reached by counting
	reverse          bool // the cursor leads to the rows before a place
	byCursor         bool
	shape            []byte // what a cursor is bound to
	tree             bool
	orderAt          []int      // places of the sort keys in a row
	above            int        // place of the parent in a row, -1 when it is not asked for
	scope            plan.Expr  // with above: what the list shows of the tree
	beyond           bool       // the page is farther than any row: only the figures are read
	sortedAt         *time.Time // by which the order was computed, where it depends on it
}

// The places that every row has.
const (
	placeID = iota
	placeVersion
	placeFirst
)

// outColumn is a column of the answer whose value comes from row[at:at+width], or is gathered; then shown is the place of a flag, or -1 when
// every row shows it.
type outColumn struct {
	key       []byte // "code": quoted, with the colon
	of        catalog.Column
	node      node
	at, width int
	shown     int
}

// outSheet is a sub-table cell; shown is the place of a flag, or -1 when every row shows it.
type outSheet struct {
	key     []byte
	label   plan.Label
	field   *catalog.Field
	columns []sheetColumn
	shown   int
}

// outAction is a row action whose flag is at a place, or -1 when every row has it.
type outAction struct {
	code  string
	edits bool // the record, through its form
	at    int
}

// outSum is a footer figure.
type outSum struct {
	key    []byte
	column outColumn
	fn     plan.Sum
}

// compile turns a request into its plan.
func (r *Reader) compile(ctx context.Context, view *authz.View, req ListRequest) (*listPlan, error) {
	l, err := list(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	page, size := req.Page, DefaultPageSize
	if req.Size != nil {
		size = *req.Size
	}
	most := max(MaxPageSize, req.most)
	if len(req.ObjectIDs) > 0 {
		most = comparisonSize
	}
	if page < 0 || size < 1 || size > most {
		return nil, fault.New(fault.PageOutOfRange)
	}
	beyond := page > maxOffset/size // an address can say any number: the answer has no rows, and says how many there are
	if beyond {
		page = 0
	}
	named := MaxPageSize
	if req.whole {
		named = maxTicked
	}
	if len(req.ObjectIDs) > named {
		return nil, fault.New(fault.BadParameter, "objectIds")
	}
	if len(req.ObjectIDs) > 0 {
		size = min(size, len(req.ObjectIDs)) // there are no more
	}
	shape, key := r.keys(l, view, req)
	key = r.startKey(key, view, l)
	sortedAt, err := r.sortedAt(shape, req)
	if err != nil {
		return nil, err
	}
	if sortedAt != nil {
		key = sha256.Sum256(fmt.Append(key[:], sortedAt.UnixMilli()))
	}
	var known *listPlan
	// The key speaks of the principal's roles only, and nobody prints the same records twice: a batch would drive out the plans of lists.
	kept := !view.Lensed() && req.paper == nil && (req.widget == nil || !req.widget.Once)
	if kept {
		known = r.plans.find(view.Catalog, key)
	}
	if known == nil {
		if known, err = r.translate(ctx, view, l, req, sortedAt); err != nil {
			return nil, err
		}
		if kept && !view.Momentary() {
			r.plans.keep(view.Catalog, key, known)
		}
	}
	p, q := *known, *known.query
	p.view, p.shape, p.page, p.size, p.query = view, shape, page, size, &q
	q.Limit, p.beyond = size+1, beyond
	return &p, r.place(&p, req)
}

// translate makes the part of a plan that all pages share. Nothing changes it afterwards.
func (r *Reader) translate(ctx context.Context, view *authz.View, l *catalog.List, req ListRequest, sortedAt *time.Time) (*listPlan, error) {
	var err error
	p := &listPlan{view: view, starts: r.starts, list: l, graph: newGraph(view, l.Model), instance: -1, status: -1, held: -1, query: &plan.Query{Model: l.Model.Code}}
	if p.shown, err = shownColumns(l, req); err != nil {
		return nil, err
	}
	if req.Options != nil && req.Options.QueryDisplayType == 1 {
		for _, code := range req.Options.CustomDisplayColumns {
			if _, err := p.graph.resolve(code); err != nil {
				return nil, err
			}
		}
	}
	if err := p.selects(req); err != nil {
		return nil, err
	}
	if err := p.upward(req); err != nil {
		return nil, err
	}
	where, err := r.where(ctx, p, req)
	if err != nil {
		return nil, err
	}
	p.query.Where = where
	if err := p.order(req, sortedAt, r.zone); err != nil {
		return nil, err
	}
	p.aggregates()
	p.query.Joins = p.graph.joins
	p.fixed = store.Fix(view.Catalog, p.query)
	return p, nil
}

// add appends expressions to the selection and returns the place of the first. A column of the record itself that is there
// already is not read twice.
func (p *listPlan) add(of ...plan.Expr) int {
	if len(of) == 1 {
		if f, ok := of[0].(*plan.Field); ok && len(f.Path) == 0 {
			if at := slices.IndexFunc(p.query.Select, func(e plan.Expr) bool {
				have, ok := e.(*plan.Field)
				return ok && len(have.Path) == 0 && have.Column == f.Column
			}); at >= 0 {
				return at
			}
		}
	}
	at := len(p.query.Select)
	p.query.Select = append(p.query.Select, of...)
	return at
}

// flag appends a condition as a value: true or empty. A condition that always holds needs no place.
func (p *listPlan) flag(cond plan.Expr) int {
	if plan.IsTrue(cond) {
		return -1
	}
	return p.add(&plan.Guarded{Cond: cond, X: plan.True})
}

func (p *listPlan) selects(req ListRequest) error {
	p.add(&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int})
	for code, place := range map[string]*int{catalog.WorkflowInstance: &p.instance, catalog.SequenceStatus: &p.status} {
		if n, err := p.graph.resolve(code); err == nil {
			*place = p.add(n.columns()...)
		}
	}
	for _, column := range p.shown {
		n, err := p.graph.resolve(column.Path.Code)
		if err != nil && column.Path.Field == nil {
			return err // the caller asked for it
		}
		if err != nil {
			continue
		}
		if n.field.IsTable() {
			p.sheets = append(p.sheets, outSheet{key: quotedKey(column.Path.Code), label: columnLabel(column, n.field), field: n.field, columns: sheetColumnsOf(p.graph, n.field, column), shown: p.flag(rule(n.guard))})
			continue
		}
		cols := n.columns()
		out := outColumn{key: quotedKey(column.Path.Code), of: column, node: n, at: p.add(cols...), width: len(cols)}
		if n.field.Gathers() != nil {
			out.shown, p.gathered = p.flag(rule(n.guard)), true
		}
		p.columns = append(p.columns, out)
	}
	if req.paper != nil {
		for _, e := range req.paper.Conditions {
			p.conditions = append(p.conditions, p.flag(p.graph.restrict(e)))
		}
	}
	for _, a := range p.list.Actions {
		if req.action != "" || req.paper != nil || req.widget != nil {
			break // the rows are taken elsewhere: nobody presses a button there
		}
		right := actionRight(a)
		if !p.view.Catalog.Words[a.Type].PerRecord && !a.Row || !offered(p.view, p.starts, newGraph(p.view, p.list.Model), p.list.Model, &a) {
			continue
		}
		cond := plan.AllOf(rule(p.view.EditRows(p.list.Model, right)), pressable(p.view, &a))
		if a.Enabled != nil {
			cond = plan.AllOf(cond, p.graph.restrict(a.Enabled))
		}
		if !plan.IsFalse(cond) {
			p.actions = append(p.actions, outAction{code: a.Code, edits: a.Type == "edit", at: p.flag(cond)})
		}
	}
	if slices.ContainsFunc(p.actions, func(a outAction) bool { return a.edits }) {
		if p.held = p.instance; p.held < 0 {
			p.held = flowPlace(p.query)
		}
	}
	return nil
}

// where joins the rights, the list's own condition, the tree's level, the filters and the keyword.
func (r *Reader) where(ctx context.Context, p *listPlan, req ListRequest) (plan.Expr, error) {
	all := []plan.Expr{rule(p.view.Rows(p.list.Model))}
	if p.list.Condition != nil && !req.unlisted {
		all = append(all, p.graph.restrict(p.list.Condition))
	}
	if req.action != "" {
		all = append(all, p.allows(req.action, req.free))
	}
	if req.ParentID != nil && p.list.Model.Tree == nil {
		return nil, fault.New(fault.BadParameter, "parentId")
	}
	if req.ParentID != nil {
		n, err := p.graph.resolve(p.list.Model.Tree.Code)
		if err != nil {
			return nil, err
		}
		p.tree = true
		parent := n.column(n.field.Property.Columns()[0].Name)
		if *req.ParentID == "" {
			all = append(all, &plan.IsNull{X: parent})
		} else {
			all = append(all, &plan.Compare{Op: plan.EQ, A: parent, B: id(*req.ParentID)})
		}
	}
	if len(req.ObjectIDs) > 0 {
		all = append(all, oneOf(catalog.ID, req.ObjectIDs))
	}
	if req.widget != nil {
		all = append(all, p.graph.restrict(req.widget.Rows.Where))
	}
	e, err := r.filters(ctx, p.graph, p.list).compile(req.Filters)
	if err != nil {
		return nil, err
	}
	all = append(all, e)
	if req.Keyword != "" {
		k, err := p.graph.look(req.Keyword)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return plan.AllOf(all...), nil
}

// order takes the caller's sort, else the list's; id comes last so that the order is total.
// Sort keys that depend on the time are those of sortedAt, or of the request: cells and filters are always of the request.
func (p *listPlan) order(req ListRequest, sortedAt *time.Time, zone *time.Location) error {
	before := p.graph.timed
	p.graph.timed = false
	if sortedAt != nil {
		p.graph.at = expression.Times(*sortedAt, zone)
	}
	defer func() {
		if p.graph.timed {
			now, _ := p.view.Vars()[expression.VarNow].(time.Time)
			if p.sortedAt = sortedAt; sortedAt == nil {
				p.sortedAt = &now
			}
		}
		p.graph.timed, p.graph.at = before || p.graph.timed, nil
	}()
	if len(req.OrderByFields) > maxSorts {
		return fault.New(fault.TooExpensive)
	}
	if req.OrderType < 0 || req.OrderType > 2 {
		return fault.New(fault.BadParameter, "orderType")
	}
	if len(req.OrderByFields) > 0 && req.OrderType != 0 {
		for _, code := range req.OrderByFields {
			n, err := p.graph.resolve(code)
			if err != nil {
				return err
			}
			keys, err := n.order(req.OrderType == 2)
			if err != nil {
				return err
			}
			p.query.Order = append(p.query.Order, keys...)
		}
	} else {
		for _, o := range p.list.OrderBy {
			n, err := p.graph.resolve(o.Path.Code)
			if err != nil {
				continue // a default sort by a hidden field sorts nothing for this caller
			}
			if keys, err := n.order(o.Descending); err == nil {
				p.query.Order = append(p.query.Order, keys...)
			}
		}
	}
	p.query.Order = append(p.query.Order, plan.Order{By: &plan.Field{Column: catalog.ID, K: plan.ID}, Descending: lastDescending(p.query.Order)})
	for _, o := range p.query.Order {
		p.orderAt = append(p.orderAt, p.add(o.By))
	}
	return nil
}

// lastDescending makes id follow the direction of the key before it, so that one index serves both.
func lastDescending(of []plan.Order) bool { return len(of) > 0 && of[len(of)-1].Descending }

func (p *listPlan) aggregates() {
	for _, column := range p.list.Columns {
		if column.Sum == "" {
			continue
		}
		n, err := p.graph.resolve(column.Path.Code)
		if err != nil || !sums(n, column.Sum) {
			continue
		}
		p.sums = append(p.sums, outSum{key: quotedKey(column.Path.Code), column: outColumn{node: n, width: len(n.field.Property.Columns())}, fn: column.Sum})
		p.query.Aggregate = append(p.query.Aggregate, plan.AggregateOutput{Fn: column.Sum, X: n.counted()})
	}
}

// sortedAt is the time by which the pages before were sorted; nil on the first page, and where it makes no difference.
func (r *Reader) sortedAt(shape []byte, req ListRequest) (*time.Time, error) {
	if req.Cursor == nil || *req.Cursor == "" {
		return nil, nil
	}
	c, err := r.openCursor(shape, *req.Cursor)
	return c.At, err
}

// place finds where the page begins: behind or before a cursor, or by counting.
func (r *Reader) place(p *listPlan, req ListRequest) error {
	p.offset = p.page * p.size
	if req.Cursor == nil || *req.Cursor == "" {
		p.query.Offset = p.offset
		return nil
	}
	c, keys, err := r.decodeCursor(p.shape, p.query.Order, *req.Cursor)
	if err != nil {
		return err
	}
	p.byCursor, p.reverse, p.page = true, c.Before, c.Page
	if c.Before {
		p.query.Before = keys
	} else {
		p.query.After = keys
	}
	return nil
}

// quotedKey is a member's key with its colon, quoted once a plan.
func quotedKey(code string) []byte {
	return append(property.AppendQuoted(nil, code), ':')
}
