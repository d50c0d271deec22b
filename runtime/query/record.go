package query

import (
	"context"
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Record is what the caller may see of one record, all its properties, for the actions of packs.
type Record struct {
	ID      string
	Version int64
	Data    json.RawMessage // property code -> wire value
}

// Record reads a record inside a transaction that is open already.
func (r *Reader) Record(ctx context.Context, tx *store.Tx, view *authz.View, schemaCode, id string) (*Record, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	all := &catalog.Form{Model: m}
	for _, f := range m.Fields {
		if f.Code != catalog.ID && f.Code != catalog.Version {
			all.Items = append(all.Items, catalog.FormItem{Field: f})
		}
	}
	b := &formBuilder{graph: newGraph(view, m), view: view, form: all, action: "edit"}
	b.build()
	var out FormLoad
	if err := r.loadRecord(ctx, view, b, id, func(f store.Do) error { return f(ctx, tx) }, &out); err != nil {
		return nil, err
	}
	return &Record{ID: id, Version: *out.Version, Data: out.Data}, nil
}

// foundAtOnce is how many ids one statement of Find reads.
const foundAtOnce = 1000

// Find returns the ids of the first records that the caller sees and whose properties have exactly these wire values, in the
// order of their ids, inside a transaction that is open already. null asks for empty ones.
func (r *Reader) Find(ctx context.Context, tx *store.Tx, view *authz.View, schemaCode string, equal map[string]json.RawMessage, limit int) ([]string, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	if limit < 0 || limit > world.MostFound {
		return nil, fault.New(fault.BadParameter, "limit")
	}
	g := newGraph(view, m)
	at := property.FilterContext{Zone: r.zone, Now: r.clock()}
	where := []plan.Expr{rule(view.Rows(m))}
	for code, value := range equal {
		n, err := g.resolve(code)
		if err != nil {
			return nil, err
		}
		op := plan.Equal
		operand, err := decodeOperand(value)
		if err != nil {
			return nil, err
		}
		if operand == nil {
			op = plan.OpIsNull
		}
		e, err := n.filter(op, operand, at)
		if err != nil {
			return nil, err
		}
		where = append(where, e)
	}
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Where: plan.AllOf(where...), Select: []plan.Expr{key}, Order: []plan.Order{{By: key}}, Joins: g.joins}
	out := []string{}
	most := limit
	if limit == world.All {
		most = world.MostFound + 1
	}
	for len(out) < most {
		q.Limit = min(foundAtOnce, most-len(out))
		n := 0
		if err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			out = append(out, id)
			n++
			return nil
		}); err != nil {
			return nil, err
		}
		if n < q.Limit {
			break
		}
		q.After = []any{out[len(out)-1]}
	}
	if limit == world.All && len(out) == most {
		return nil, fault.New(fault.TooExpensive)
	}
	return out, nil
}
