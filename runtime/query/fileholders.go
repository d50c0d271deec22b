package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// mostHolders bounds the records of a model that are looked at for one file.
const mostHolders = 50

// Holders are records that the principal sees and that hold a file in a field.
func (r *Reader) Holders(ctx context.Context, tx *store.Tx, view *authz.View, file string) ([]Ref, error) {
	found, err := blob.Files(tx, []string{file})
	f, known := found[file]
	if err != nil || !known || !f.Held {
		return nil, err
	}
	var out []Ref
	for _, at := range holders(view.Catalog, f) {
		q, ok := holding(view, at, file)
		if !ok {
			continue
		}
		q.Select, q.Limit = []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, mostHolders
		err := tx.Query(ctx, view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			out = append(out, Ref{SchemaCode: at.model.Code, ID: id})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
