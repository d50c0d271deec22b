package query

import (
	"context"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Pick offers records of a model that the caller sees, by their names and numbers: the best first, and the newest of those that fit alike. It is for choosing one outside of a form.
func (r *Reader) Pick(ctx context.Context, view *authz.View, schemaCode, keyword string, size int) (*Entries, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(keyword) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	name := m.Field(catalog.Name)
	g := newGraph(view, m)
	if name == nil {
		return nil, unknown()
	}
	f, err := g.finding(keyword, name, false)
	if err != nil {
		return nil, err
	}
	out := &Entries{}
	newest := []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}, Descending: true}}
	look := property.TextContext{Locale: view.Principal().Locale, Zone: r.zone, Names: r.people.Names(ctx)}
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := f.records(ctx, tx, rule(view.Rows(m)), newest, look, 0, size)
		if err != nil {
			return err
		}
		out.Content, err = r.choiceEntries(ctx, tx, view, f, found)
		out.Total = int64(len(found))
		return err
	})
}
