package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// undo gives records back what a batch update replaced, where its value is unchanged.
type undo struct {
	field
	log     batch
	value   []json.RawMessage
	changes map[string]batchChange // record -> its change, of this chunk
	undone  []int64                // sequences, of this chunk
}

func (s *Service) newUndo(ctx context.Context, view *authz.View, req *Request) (operation, error) {
	log, err := s.find(ctx, view, req.Batch)
	if err != nil {
		return nil, err
	}
	m := view.Model(log.Model)
	if _, ok := s.Reader.Shown(view, m, log.Property); !ok {
		return nil, fault.New(fault.LogNotFound)
	}
	target, err := s.Reader.BulkTarget(view, m, log.Property)
	if err != nil {
		return nil, err
	}
	req.Selection = query.SelectionRequest{SchemaCode: m.Code}
	u := &undo{field: field{s, view, m, target}, log: log, changes: map[string]batchChange{}}
	if err := json.Unmarshal([]byte(log.Value), &u.value); err != nil {
		return nil, err
	}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		u.value, err = log.now(tx, target.Field, u.value)
		return err
	})
	return u, err
}

// find reads a log that the person may see: of a model whose batches they may make, and of records that they see.
func (s *Service) find(ctx context.Context, view *authz.View, id string) (log batch, err error) {
	var since time.Time
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		err := tx.System().Where("id = ?", id).Take(&log).Error
		since = tx.NameLog().Began(log.Model, log.Property)
		return err
	})
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return log, fault.New(fault.LogNotFound)
	}
	if err != nil {
		return log, err
	}
	if m := view.Model(log.Model); m == nil || !log.At.After(since) || !view.Can(m, "view") || !view.Can(m, query.BatchRight) {
		return log, fault.New(fault.LogNotFound)
	}
	if all, _ := query.SeesAll(view, log.Model); all {
		return log, nil
	}
	seen := false
	counted := log
	err = s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		seen, err = s.sees(ctx, tx, view, view.Model(log.Model), &counted)
		return err
	})
	if err == nil && !seen {
		err = fault.New(fault.LogNotFound)
	}
	return log, err
}

// total counts the changes that stand and that the person sees.
func (u *undo) total(ctx context.Context, tx *store.Tx) (n int64, err error) {
	standing := func() *gorm.DB {
		return tx.System().Model(&batchChange{}).Where("batch = ? AND undone = ?", u.log.ID, false)
	}
	if all, _ := query.SeesAll(u.view, u.m.Code); all {
		err = standing().Count(&n).Error
		return n, err
	}
	for after := int64(0); ; {
		found, err := u.behind(tx, after, query.MaxObjects)
		if err != nil || len(found) == 0 {
			return n, err
		}
		after = found[len(found)-1].Sequence
		seen, err := u.s.Reader.Visible(ctx, tx, u.view, u.m, recordsOf(found), u.log.Property)
		if err != nil {
			return n, err
		}
		n += int64(len(seen))
	}
}

// behind reads the next changes that stand.
func (u *undo) behind(tx *store.Tx, after int64, limit int) (out []batchChange, err error) {
	err = tx.System().Where("batch = ? AND undone = ? AND sequence > ?", u.log.ID, false, after).Order("sequence").Limit(limit).Find(&out).Error
	return out, err
}

func recordsOf(changes []batchChange) []string {
	ids := make([]string, len(changes))
	for i, ch := range changes {
		ids[i] = ch.Record
	}
	return ids
}

func (u *undo) begin(*store.Tx, *progress) error { return nil }

// next reads the changes behind a place. Records that the person does not see are passed over: what became of them is not told.
func (u *undo) next(ctx context.Context, tx *store.Tx, p *progress, limit int) ([]query.Chosen, error) {
	clear(u.changes)
	u.undone = nil
	after, _ := strconv.ParseInt(p.After, 10, 64) // "" = from the beginning
	for {
		found, err := u.behind(tx, after, limit)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		for _, f := range found {
			u.changes[f.Record] = f
		}
		after = found[len(found)-1].Sequence
		p.After = strconv.FormatInt(after, 10)
		units, err := u.choose(ctx, tx, recordsOf(found), limit)
		if err != nil {
			return nil, err
		}
		if all, _ := query.SeesAll(u.view, u.m.Code); !all { // who sees all is told that a record is gone
			units = slices.DeleteFunc(units, func(x query.Chosen) bool { return x.Missing })
		}
		if len(units) > 0 {
			return units, nil
		}
	}
}

// choose reads records through a list that offers batch updates.
func (u *undo) choose(ctx context.Context, tx *store.Tx, ids []string, limit int) ([]query.Chosen, error) {
	for _, l := range u.view.ListsOf(u.m.Code) {
		sel, err := u.s.Reader.Select(ctx, u.view, query.SelectionRequest{SchemaCode: u.m.Code, QueryCode: l.Code, ObjectIDs: ids}, query.BatchRight)
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

func (u *undo) one(ctx context.Context, tx *store.Tx, x query.Chosen) ([]fault.FieldError, error) {
	change := u.changes[x.ID]
	var before map[string][]json.RawMessage
	if err := json.Unmarshal([]byte(change.Before), &before); err != nil {
		return nil, err
	}
	now := rows{{id: "", columns: x.Columns}}
	if u.target.Sheet != nil {
		var err error
		if now, err = u.readRows(ctx, tx, x.ID); err != nil {
			return nil, err
		}
	}
	want := map[string]json.RawMessage{}
	for _, r := range now {
		was, changed := before[r.id]
		if !changed || !sameSide(side(u.target.Field, r.columns), u.value) {
			continue
		}
		want[r.id] = json.RawMessage("null")
		was, err := u.log.now(tx, u.target.Field, was)
		if err != nil {
			return nil, err
		}
		if len(was) > 0 {
			want[r.id] = wire(u.target.Field, u.target.Field.Property.Load(record.Columns(u.target.Field.Property, was)))
		}
	}
	if len(want) == 0 {
		return nil, fault.New(fault.ChangedSince)
	}
	warnings, err := u.save(ctx, tx, x.ID, x.Version, now, want, true)
	if err != nil {
		return nil, err
	}
	u.undone = append(u.undone, change.Sequence)
	return warnings, nil
}

func (u *undo) end(tx *store.Tx, _ *progress) error {
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
