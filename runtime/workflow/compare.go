package workflow

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Compared is what a step of a log changed in the record (api.yaml WorkflowCompared).
type Compared struct {
	Instance Instance             `json:"instance"`
	Entry    Opinion              `json:"entry"`
	Writes   []query.HistoryEntry `json:"writes"`
}

// Compare answers what somebody changed in the record with a step of an instance's log. Of the record there is what the caller may read now: by
// their own task of the instance, or by their own rights, to which the right to the history of records belongs.
func (s *Service) Compare(ctx context.Context, view *authz.View, id, task string, number int64) (*Compared, error) {
	var out *Compared
	var r *running
	var e flow.Event
	var mine item
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if r, err = s.read(ctx, tx, view, id); err != nil {
			return err
		}
		own := func() *gorm.DB {
			return tx.System().Where("instance = ? AND person = ? AND list <> ''", id, view.User())
		}
		if task != "" {
			err = own().Where("id = ?", task).Limit(1).Find(&mine).Error
		}
		if err == nil && mine.ID == "" {
			if _, _, seen := s.cfg.Reader.Title(ctx, tx, view, queryRef(r.row.Model, r.row.Record)); seen != nil || !view.Can(view.Model(r.row.Model), query.HistoryRight) {
				err = own().Order("number DESC").Limit(1).Find(&mine).Error
				if err == nil && mine.ID == "" {
					return fault.New(fault.WorkflowNotFound)
				}
			}
		}
		if err != nil {
			return err
		}
		var row event
		if err := tx.System().Where("instance = ? AND number = ?", id, number).Take(&row).Error; err != nil {
			if errors.Is(err, gorm.ErrRecordNotFound) {
				err = fault.New(fault.WorkflowNotFound)
			}
			return err
		}
		if e, err = row.read(tx.NameLog(), r.row.Code); err != nil {
			return err
		}
		if e.Kind != flow.Logged || e.Version == 0 {
			return fault.New(fault.WorkflowNotFound)
		}
		one, err := s.instance(ctx, tx, view, r.row)
		if err != nil {
			return err
		}
		entries, err := r.said([]flow.Event{e}, []int64{number}, true)
		if err != nil {
			return err
		}
		out = &Compared{Instance: *one, Entry: entries[0], Writes: []query.HistoryEntry{}}
		return nil
	})
	if err != nil {
		return nil, err
	}
	through := view
	if mine.ID != "" {
		node := r.w.Nodes[mine.Node]
		if node == nil {
			return nil, fault.New(fault.WorkflowStepGone)
		}
		through = view.Through(atItem(r.w, node, r.row.Record, false))
	}
	page, err := s.cfg.Reader.Written(ctx, through, r.row.Model, r.row.Record, e.Was, e.Version, mine.ID != "")
	if err != nil {
		return nil, err
	}
	out.Writes = page.Content
	return out, nil
}
