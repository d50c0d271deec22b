package query

import (
	"context"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Pick offers records of a model that the caller sees, the newest first, by words of their properties: for choosing one outside of a form.
func (r *Reader) Pick(ctx context.Context, view *authz.View, schemaCode, keyword string, size int) (*Entries, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(keyword) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	g := newGraph(view, m)
	where := []plan.Expr{rule(view.Rows(m))}
	if keyword != "" {
		found, err := eachWord(keyword, g.keyword)
		if err != nil {
			return nil, err
		}
		where = append(where, found)
	}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Where: plan.AllOf(where...), Limit: size, Select: []plan.Expr{id}, Order: []plan.Order{{By: id, Descending: true}}, Joins: g.joins}
	out := &Entries{Content: []Entry{}}
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var refs []Ref
		if err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
			one, _ := row[0].(string)
			refs = append(refs, Ref{SchemaCode: m.Code, ID: one})
			return nil
		}); err != nil {
			return err
		}
		names, err := r.Titles(ctx, tx, view, refs)
		for _, ref := range refs {
			out.Content = append(out.Content, Entry{ID: ref.ID, Name: names[ref], Leaf: true})
		}
		out.Total = int64(len(refs))
		return err
	})
}
