package query

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// filters makes the compiler of filters on the records of a list; nil = on no list's.
func (r *Reader) filters(ctx context.Context, g *graph, l *catalog.List) *filters {
	return &filters{graph: g, list: l, at: property.FilterContext{Zone: r.zone, Now: r.clock()},
		below: func(ids []string) []string { return r.people.Below(ctx, ids) }}
}

// ListOf returns the list that the two codes name, when the principal may open it.
func (r *Reader) ListOf(view *authz.View, schemaCode, queryCode string) (*catalog.List, error) {
	return list(view, schemaCode, queryCode)
}

// CheckFilters reports whether the principal may use all these filters on a list; the refusal names those that are not right.
func (r *Reader) CheckFilters(ctx context.Context, view *authz.View, l *catalog.List, in []Filter) error {
	_, err := r.filters(ctx, newGraph(view, l.Model), l).compile(in)
	return err
}

// UsableFilters returns those of stored filters that the principal may use on a list now. What refers to records, people or
// departments is given their names as they see them: one who may not see a record does not learn its name.
func (r *Reader) UsableFilters(ctx context.Context, view *authz.View, l *catalog.List, stored [][]Filter) ([][]Filter, error) {
	out := make([][]Filter, len(stored))
	labels := &operandNames{names: r.names(ctx, view)}
	for i, filters := range stored {
		out[i] = make([]Filter, 0, len(filters))
		for _, one := range filters {
			err := r.CheckFilters(ctx, view, l, []Filter{one})
			var refused *fault.Error
			switch {
			case errors.As(err, &refused):
				continue
			case err != nil:
				return nil, err
			}
			out[i] = append(out[i], one)
		}
		for k := range out[i] {
			labels.note(newGraph(view, l.Model), &out[i][k])
		}
	}
	if len(labels.of) == 0 {
		return out, nil
	}
	return out, r.read(ctx, labels.fill)
}

// operandNames gives filters the names of what their operands refer to.
type operandNames struct {
	*names
	of []operandRefs
}

type operandRefs struct {
	filter *Filter
	field  *catalog.Field
	refs   [][]plan.Ref // of each id; a mixed field does not know whether an id is a person or a department
}

// note takes a filter's stored label away when the operand is a set of references.
func (n *operandNames) note(g *graph, f *Filter) {
	at, err := g.resolve(f.PropertyCode)
	if err != nil {
		return
	}
	referrer, ok := at.field.Property.(property.Referrer)
	operand, err := decodeOperand(f.PropertyValue)
	ids, listed := words(operand)
	if !ok || err != nil || !listed {
		return
	}
	o := operandRefs{filter: f, field: at.field}
	for _, one := range ids {
		refs := referrer.Refs(one)
		if len(refs) == 0 || refs[0].Model == "" {
			return // a file, which is looked for by its name
		}
		// Of compares with departments, whatever the field holds.
		o.refs = append(o.refs, append(refs, plan.Ref{Model: directory.Department, ID: one}))
	}
	f.PropertyValueName = nil
	n.collect(at.field, ids)
	n.of = append(n.of, o)
}

func (n *operandNames) fill(_ context.Context, tx *store.Tx) error {
	if err := n.resolve(tx.Context(), tx); err != nil {
		return err
	}
	for _, o := range n.of {
		known := n.names.of(o.field)
		var shown []string
		for _, refs := range o.refs {
			for _, ref := range refs {
				if name, ok := known.Name(ref); ok {
					shown = append(shown, name.Name)
					break
				}
			}
		}
		if len(shown) == 0 {
			continue
		}
		text, err := json.Marshal(strings.Join(shown, "、"))
		if err != nil {
			return err
		}
		o.filter.PropertyValueName = text
	}
	return nil
}
