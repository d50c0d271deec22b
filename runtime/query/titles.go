package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Ref names a record.
type Ref struct{ SchemaCode, ID string }

// Titles are the names of those of some records that the principal sees, inside a transaction that is open already; a name
// that may not be read is empty. Models that may not be viewed have no records here.
func (r *Reader) Titles(ctx context.Context, tx *store.Tx, view *authz.View, refs []Ref) (map[Ref]string, error) {
	wanted := map[string][]string{}
	for _, ref := range refs {
		wanted[ref.SchemaCode] = append(wanted[ref.SchemaCode], ref.ID)
	}
	out := make(map[Ref]string, len(refs))
	for code, ids := range wanted {
		m, err := model(view, code)
		if err != nil {
			continue
		}
		if err := titles(ctx, tx, view, m, ids, func(id, name string) { out[Ref{code, id}] = name }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Title is the model and the name of a record that the principal sees: ModelNotFound or RecordNotFound when they do not.
func (r *Reader) Title(ctx context.Context, tx *store.Tx, view *authz.View, ref Ref) (*catalog.Model, string, error) {
	m, err := model(view, ref.SchemaCode)
	if err != nil {
		return nil, "", err
	}
	seen, title := false, ""
	err = titles(ctx, tx, view, m, []string{ref.ID}, func(_, name string) { seen, title = true, name })
	if err == nil && !seen {
		err = fault.New(fault.RecordNotFound)
	}
	return m, title, err
}

func titles(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string, each func(id, name string)) error {
	g := newGraph(view, m)
	name, err := g.resolve(catalog.Name)
	named := err == nil
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{key}, Where: plan.AllOf(oneOf(catalog.ID, ids), rule(view.Rows(m)))}
	if named {
		q.Select = append(q.Select, name.columns()...)
	}
	q.Joins = g.joins
	return tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		title := ""
		if named {
			title, _ = row[1].(string)
		}
		each(id, title)
		return nil
	})
}
