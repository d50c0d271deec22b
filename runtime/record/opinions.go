package record

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Opinion is an entry in the log of a workflow instance that the record keeps.
type Opinion struct {
	property.Opinion
	Entry    int64  // its number in the log
	Property string // that keeps it; "" = every property of the model that keeps opinions
}

// OpinionsIn keeps what people said of a record in a workflow instance, and forgets the entries that were taken back, inside a transaction of
// the caller's. It is the only writer of these rows: they are no part of what people fill in, so neither the record's version nor its history
// changes. An entry that is kept already stays as it is. The view is the system's own.
func (w *Writer) OpinionsIn(ctx context.Context, tx *store.Tx, view *authz.View, model, id, instance string, said []Opinion, gone []int64) error {
	m := view.Model(model)
	if m == nil || len(said)+len(gone) == 0 {
		return nil
	}
	space, err := uuid.Parse(instance)
	if err != nil {
		return err
	}
	s := w.session(ctx, tx, view)
	var old map[string]any
	for _, f := range m.Fields {
		keeper, ok := f.Property.(property.OpinionKeeper)
		if !ok || f.Sheet == nil {
			continue
		}
		if old == nil {
			if old, err = s.one(m, id, view.Rows(m)); err != nil || old == nil {
				return err
			}
		}
		if err := s.keepOpinions(f, keeper, id, space, said, gone); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) keepOpinions(f *catalog.Field, keeper property.OpinionKeeper, id string, instance uuid.UUID, said []Opinion, gone []int64) error {
	stored, err := s.load(f.Sheet, parentIs(id), plan.Order{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}})
	if err != nil {
		return err
	}
	kept, last := map[string]bool{}, int64(0)
	for _, row := range stored {
		key, _ := row[catalog.ID].(string)
		place, _ := row[catalog.SheetOrder].(int64)
		kept[key], last = true, max(last, place)
	}
	for _, entry := range gone {
		if key := opinionID(instance, entry); kept[key] {
			if _, err := s.tx.Delete(s.ctx, f.Sheet, key, -1, plan.True); err != nil {
				return err
			}
		}
	}
	for _, o := range said {
		key := opinionID(instance, o.Entry)
		if kept[key] || o.Property != "" && o.Property != f.Code || slices.Contains(gone, o.Entry) {
			continue
		}
		last++
		row := map[string]any{catalog.ID: key, catalog.SheetParent: id, catalog.SheetOrder: last}
		for i, v := range keeper.Keep(o.Opinion) {
			if v != nil {
				row[f.Sheet.Own[i].Name] = v
			}
		}
		if err := s.tx.Insert(s.ctx, f.Sheet, row); err != nil {
			return err
		}
	}
	return nil
}

// Gathered is the value of a property that is made of rows of its own, of the rows in their order; then = the value of that time, zero = all.
func Gathered(f *catalog.Field, rows []map[string]any, then time.Time) any {
	g, ok := f.Property.(property.Gatherer)
	if !ok || f.Sheet == nil {
		return nil
	}
	cells := make([][]any, len(rows))
	for i, row := range rows {
		for _, c := range f.Sheet.Own {
			cells[i] = append(cells[i], row[c.Name])
		}
	}
	return g.Gather(cells, then)
}

// opinionID is the id of the row of an entry: the same however often the entry comes.
func opinionID(instance uuid.UUID, entry int64) string {
	return uuid.NewSHA1(instance, binary.BigEndian.AppendUint64(nil, uint64(entry))).String()
}
