package record

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// fold lets the database fold the records that refer to this one, for they may be many. done is false for what only the evaluator
// can say, and for sets, whose records are few.
func (c *change) fold(x *plan.Aggregate) (v any, done bool, err error) {
	if c.create || x.Of.Own != "" || !computableInSQL(x) {
		return nil, false, nil
	}
	if v, ok := c.folds[x]; ok {
		return v, true, nil
	}
	m := c.view.Model(x.Of.Model)
	where := refersTo(m.Field(x.Of.Property), c.id)
	if x.Where != nil {
		where = &plan.And{Of: []plan.Expr{where, x.Where}}
	}
	q := &plan.Query{Model: m.Code, Where: where, Aggregate: []plan.AggregateOutput{{Fn: x.Fn, X: x.X}}}
	out, err := c.tx.Aggregates(c.ctx, c.view.Catalog, q)
	if err != nil {
		c.fail(err)
		return nil, true, nil
	}
	v = out[0]
	if n, ok := v.(int64); ok {
		v = decimal.NewFromInt(n)
	}
	if c.folds == nil {
		c.folds = map[*plan.Aggregate]any{}
	}
	c.folds[x] = v
	return v, true, nil
}

// countOf is how many records a formula folds.
func (c *change) countOf(of *plan.Records) int {
	if n, done, _ := c.fold(&plan.Aggregate{Fn: plan.SumCount, Of: of}); done {
		d, _ := n.(decimal.Decimal)
		return int(d.IntPart())
	}
	return len(c.folded(of))
}

// computableInSQL reports whether a fold is made of what SQL and the evaluator are known to agree about: columns of the records, constants,
// comparisons.
func computableInSQL(x *plan.Aggregate) bool {
	column := func(e plan.Expr, kinds ...plan.Kind) bool {
		f, ok := e.(*plan.Field)
		return ok && len(f.Path) == 0 && !f.Outer && !f.Old && (kinds == nil || slices.Contains(kinds, f.K))
	}
	switch {
	case x.Fn == plan.SumCount:
		if x.X != nil {
			return false
		}
	case !column(x.X, plan.Number):
		return false
	}
	operand := func(e plan.Expr) bool {
		_, constant := e.(*plan.Const)
		return constant || column(e)
	}
	var plain func(e plan.Expr) bool
	plain = func(e plan.Expr) bool {
		switch e := e.(type) {
		case nil:
			return true
		case *plan.And:
			return !slices.ContainsFunc(e.Of, func(e plan.Expr) bool { return !plain(e) })
		case *plan.Or:
			return !slices.ContainsFunc(e.Of, func(e plan.Expr) bool { return !plain(e) })
		case *plan.Not:
			return plain(e.X)
		case *plan.IsNull:
			return operand(e.X)
		case *plan.Compare:
			return operand(e.A) && operand(e.B)
		}
		return false
	}
	return plain(x.Where)
}

// folded reads the records that a formula folds, once for the change.
func (c *change) folded(of *plan.Records) []map[string]any {
	if rows, ok := c.records[of]; ok {
		return rows
	}
	rows, err := c.readRecords(of)
	c.fail(err)
	if c.records == nil {
		c.records = map[*plan.Records][]map[string]any{}
	}
	c.records[of] = rows
	return rows
}

func (c *change) readRecords(of *plan.Records) ([]map[string]any, error) {
	m := c.view.Model(of.Model)
	var out []map[string]any
	read := func(where plan.Expr) error {
		q := &plan.Query{Model: m.Code, Where: where, Order: []plan.Order{{By: idField}}, Select: []plan.Expr{idField}}
		for _, f := range of.Read {
			q.Select = append(q.Select, &plan.Field{Column: f.Column, K: f.K})
		}
		return c.tx.Query(c.ctx, c.view.Catalog, q, func(values []any) error {
			row := make(map[string]any, len(of.Read))
			for i, f := range of.Read {
				if v := values[i+1]; v != nil {
					row[f.Column] = kept(v)
				}
			}
			out = append(out, row)
			return nil
		})
	}
	if of.Own != "" {
		ids := targets(c.m.Field(of.Own).Column(), c.row)
		if c.saving {
			if err := c.share(m, ids, store.Shared); err != nil {
				return nil, err
			}
		}
		for chunk := range slices.Chunk(ids, many) {
			if err := read(idIn(chunk)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if c.create {
		return nil, nil // nobody refers to what is just being made
	}
	return out, read(refersTo(m.Field(of.Property), c.id))
}
