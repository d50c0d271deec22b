package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// undo gives records back what a batch update replaced, where its value still stands.
type undo struct {
	field
	log     batch
	value   []json.RawMessage
	changes map[string]batchChange // record -> its change, of this chunk
	undone  []int64                // sequences, of this chunk
}

func (s *Service) newUndo(ctx context.Context, c *catalog.Catalog, rt *authz.Rights, req *Request) (operation, error) {
	log, err := s.find(ctx, rt, c, req.Batch)
	if err != nil {
		return nil, err
	}
	m := c.Model(log.Model)
	target, err := s.Reader.BulkTarget(rt, m, log.Property)
	if err != nil {
		return nil, err
	}
	req.Selection = query.SelectionRequest{SchemaCode: m.Code}
	u := &undo{field: field{s, c, rt, m, target}, log: log, changes: map[string]batchChange{}}
	return u, json.Unmarshal([]byte(log.Value), &u.value)
}

// find reads a log that the person may see: of a model whose batches he may make.
func (s *Service) find(ctx context.Context, rt *authz.Rights, c *catalog.Catalog, id string) (log batch, err error) {
	err = s.DB.Read(ctx, func(tx *store.Tx) error { return tx.System().Where("id = ?", id).Take(&log).Error })
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return log, fault.New(fault.LogNotFound)
	}
	if err != nil {
		return log, err
	}
	if m := c.Model(log.Model); m == nil || !rt.Can(m, "view") || !rt.Can(m, query.BatchRight) {
		return log, fault.New(fault.LogNotFound)
	}
	return log, nil
}

func (u *undo) total(_ context.Context, tx *store.Tx) (n int64, err error) {
	err = tx.System().Model(&batchChange{}).Where("batch = ? AND undone = ?", u.log.ID, false).Count(&n).Error
	return n, err
}

func (u *undo) begin(*store.Tx, *place) error { return nil }

func (u *undo) next(ctx context.Context, tx *store.Tx, p *place, limit int) ([]query.Chosen, error) {
	clear(u.changes)
	u.undone = nil
	after, _ := strconv.ParseInt(p.After, 10, 64) // "" = from the beginning
	var found []batchChange
	if err := tx.System().Where("batch = ? AND undone = ? AND sequence > ?", u.log.ID, false, after).Order("sequence").Limit(limit).Find(&found).Error; err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, nil
	}
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i], u.changes[f.Record] = f.Record, f
	}
	p.After = strconv.FormatInt(found[len(found)-1].Sequence, 10)
	lists := u.c.ListsOf(u.m.Code)
	for _, l := range lists {
		sel, err := u.s.Reader.Select(ctx, u.c, u.rt, query.SelectionRequest{SchemaCode: u.m.Code, QueryCode: l.Code, ObjectIDs: ids}, query.BatchRight)
		if fault.Of(err) == fault.Forbidden {
			continue // this list does not offer batch updates
		}
		if err != nil {
			return nil, err
		}
		return sel.Next(ctx, tx, "", limit, columnsUnlessSheet(u.target))
	}
	return nil, fault.New(fault.Forbidden)
}

func (u *undo) one(ctx context.Context, tx *store.Tx, x query.Chosen) error {
	change := u.changes[x.ID]
	var before map[string][]json.RawMessage
	if err := json.Unmarshal([]byte(change.Before), &before); err != nil {
		return err
	}
	now := rows{{id: "", columns: x.Columns}}
	if u.target.Sheet != nil {
		var err error
		if now, err = u.readRows(ctx, tx, x.ID); err != nil {
			return err
		}
	}
	want := map[string]json.RawMessage{}
	for _, r := range now {
		was, changed := before[r.id]
		if !changed || !sameSide(side(u.target.Field, r.columns), u.value) {
			continue
		}
		want[r.id] = json.RawMessage("null")
		if len(was) > 0 {
			want[r.id] = wire(u.target.Field, u.target.Field.Property.Load(record.Columns(u.target.Field.Property, was)))
		}
	}
	if len(want) == 0 {
		return fault.New(fault.ChangedSince)
	}
	if err := u.save(ctx, tx, x.ID, x.Version, now, want, true); err != nil {
		return err
	}
	u.undone = append(u.undone, change.Sequence)
	return nil
}

func (u *undo) end(tx *store.Tx, _ *place) error {
	if len(u.undone) == 0 {
		return nil
	}
	if err := tx.System().Model(&batchChange{}).Where("batch = ? AND sequence IN ?", u.log.ID, u.undone).UpdateColumn("undone", true).Error; err != nil {
		return err
	}
	at := u.s.Clock().UTC()
	set := map[string]any{"undone": gorm.Expr("undone + ?", len(u.undone)), "undone_at": &at}
	return tx.System().Model(&batch{}).Where("id = ?", u.log.ID).UpdateColumns(set).Error
}
