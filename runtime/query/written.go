package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Written answers the writes of a record that made the versions after one up to another, the oldest first, as far as the view sees the record
// and its fields. part = the caller took part in what was written, and needs no right to the history of records.
func (r *Reader) Written(ctx context.Context, view *authz.View, schemaCode, id string, after, until int64, part bool) (*HistoryPage, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	if !part && !view.Can(m, HistoryRight) {
		return nil, fault.New(fault.Forbidden)
	}
	h := newHistorian(ctx, r, view, m)
	h.own = part
	out := &HistoryPage{Content: []HistoryEntry{}}
	err = r.read(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := h.see(tx, []string{id}); err != nil {
			return err
		}
		if len(h.titles) == 0 {
			return fault.New(fault.RecordNotFound)
		}
		rows, err := record.HistoryBetween(tx, m.Code, id, after, until)
		if err != nil {
			return err
		}
		if err := h.read(tx, rows); err != nil {
			return err
		}
		for i, row := range rows {
			out.Content = append(out.Content, h.entry(row, h.changes[i]))
		}
		return nil
	})
	out.Total, out.Fields = int64(len(out.Content)), h.plans
	return out, err
}
