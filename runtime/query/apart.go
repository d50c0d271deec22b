package query

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// apart says what tells records of one name apart, as far as the caller may read it: in a tree what they are below, from the top; their number
// or a text that no two records share; of those that have none of it when they were created.
func (r *Reader) apart(ctx context.Context, tx *store.Tx, view *authz.View, f *finding, ids []string) (map[string]string, error) {
	out := map[string]string{}
	if len(ids) == 0 {
		return out, nil
	}
	slices.Sort(ids)
	look := property.TextContext{Locale: view.Principal().Locale, Zone: r.zone, Names: r.people.Names(ctx)}
	g := newGraph(view, f.g.model)
	q := &plan.Query{Model: g.model.Code, Where: oneOf(catalog.ID, ids), Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Const{K: plan.ID}}}
	if tree := g.model.Tree; tree != nil {
		if n, err := g.resolve(tree.Code); err == nil {
			q.Select[1] = n.columns()[0]
		}
	}
	codes := len(q.Select)
	for _, c := range sharedLast(f.codes) {
		if n, err := g.resolve(c.field.Code); err == nil {
			q.Select = append(q.Select, n.columns()[0])
		}
	}
	created, at := g.model.Field(catalog.CreatedTime), len(q.Select)
	if created != nil {
		if n, err := g.resolve(created.Code); err == nil {
			q.Select = append(q.Select, n.columns()[0])
		}
	}
	q.Joins = g.joins
	above := map[string]string{}
	err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		above[id], _ = row[1].(string)
		for _, v := range row[codes:at] {
			if code, _ := v.(string); code != "" && out[id] == "" {
				out[id] = code
			}
		}
		if out[id] == "" && above[id] == "" && len(row) > at {
			if v := created.Property.Load(slices.Clone(row[at:])); v != nil {
				out[id] = created.Property.Text(v, look)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	paths, err := r.paths(ctx, tx, view, f, above, look)
	for id, path := range paths {
		out[id] = strings.TrimSuffix(path+" · "+out[id], " · ")
	}
	return out, err
}

// sharedLast puts texts that no two records share before the numbers that the system gives, which say less.
func sharedLast(codes []node) []node {
	unique, shared := []node(nil), []node(nil)
	for _, c := range codes {
		if c.field.Unique {
			unique = append(unique, c)
		} else {
			shared = append(shared, c)
		}
	}
	return append(unique, shared...)
}

// mostSteps bounds the records above one that its path names.
const mostSteps = 20

// paths are the names of the records above some, from the top, joined by " / "; above gives the one right above each. One that the caller
// does not see ends the way up.
func (r *Reader) paths(ctx context.Context, tx *store.Tx, view *authz.View, f *finding, above map[string]string, look property.TextContext) (map[string]string, error) {
	tree := f.g.model.Tree
	if tree == nil {
		return nil, nil
	}
	g := newGraph(view, f.g.model)
	parent, err := g.resolve(tree.Code)
	if err != nil {
		return nil, nil //nolint:nilerr // hidden: there is no way up
	}
	shown, err := g.resolve(f.display.Code)
	if err != nil {
		return nil, err
	}
	names, parents := map[string]string{}, map[string]string{}
	wanted := distinct(above)
	for range mostSteps {
		if len(wanted) == 0 {
			break
		}
		q := &plan.Query{Model: g.model.Code, Where: plan.AllOf(oneOf(catalog.ID, wanted), rule(view.Rows(g.model))), Joins: g.joins,
			Select: append([]plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, parent.columns()[0]}, shown.columns()...)}
		next := map[string]string{}
		err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			up, _ := row[1].(string)
			if v := f.display.Property.Load(slices.Clone(row[2:])); v != nil {
				names[id] = f.display.Property.Text(v, look)
			}
			if parents[id] = up; up != "" {
				next[id] = up
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		wanted = slices.DeleteFunc(distinct(next), func(id string) bool { _, known := parents[id]; return known })
	}
	out := map[string]string{}
	for id, up := range above {
		var steps []string
		for at, n := up, 0; names[at] != "" && n < mostSteps; at, n = parents[at], n+1 {
			steps = append(steps, names[at])
		}
		if slices.Reverse(steps); len(steps) > 0 {
			out[id] = strings.Join(steps, " / ")
		}
	}
	return out, nil
}

// distinct are the values of a map that are not empty, in order.
func distinct(of map[string]string) (out []string) {
	for _, one := range of {
		if one != "" {
			out = append(out, one)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
