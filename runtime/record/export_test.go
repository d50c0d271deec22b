package record

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// RecomputeSome is one chunk of Recompute, of at most some records of a model; it tells how many it computed.
func (w *Writer) RecomputeSome(ctx context.Context, view *authz.View, m *catalog.Model, most int) (n int, err error) {
	err = w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = w.session(ctx, tx, view).recomputeSome(m, most)
		return err
	})
	return n, err
}

// TextsOf is how versions before told formulas from others.
var TextsOf = textsOf
