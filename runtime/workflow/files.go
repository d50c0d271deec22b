package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// readsThroughTask reports whether somebody may read a file in a field of a record because a task of theirs shows it: with the rights of the
// task's node, and as long as the task is in one of their lists.
func (s *Service) readsThroughTask(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error) {
	var tasks int64
	if err := tx.System().Model(&item{}).Where("person = ? AND list <> ''", view.User()).Limit(1).Count(&tasks).Error; err != nil || tasks == 0 || view.User() == "" {
		return false, err
	}
	refs, err := s.cfg.Reader.Holders(ctx, tx, s.systemView(), file)
	if err != nil {
		return false, err
	}
	for _, ref := range refs {
		seen := false
		err := s.eachTask(ctx, tx, view, ref, func(at *authz.View) (done bool, err error) {
			seen, err = s.cfg.Reader.ReadsFile(ctx, tx, at, file)
			return seen, err
		})
		if err != nil || seen {
			return seen, err
		}
	}
	return false, nil
}

// AtTask is the view of somebody on a record through the newest task of theirs that shows it; nil where none does.
func (s *Service) AtTask(ctx context.Context, tx *store.Tx, view *authz.View, ref query.Ref) (out *authz.View, err error) {
	if view.User() == "" {
		return nil, nil
	}
	return out, s.eachTask(ctx, tx, view, ref, func(at *authz.View) (bool, error) {
		out = at
		return true, nil
	})
}

// eachTask goes over the views that the tasks of somebody give of a record, the newest first, until one is enough.
func (s *Service) eachTask(ctx context.Context, tx *store.Tx, view *authz.View, ref query.Ref, each func(at *authz.View) (done bool, err error)) error {
	var rows []item
	of := tx.System().Model(&instance{}).Select("id").Where("model = ? AND record = ?", ref.SchemaCode, ref.ID)
	err := tx.System().Where("person = ? AND list <> '' AND instance IN (?)", view.User(), of).Order("id DESC").Limit(maxPage).Find(&rows).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		r, err := s.read(ctx, tx, view, row.Instance)
		if fault.Of(err) == fault.WorkflowNotFound {
			continue
		}
		if err != nil {
			return err
		}
		node := r.w.Nodes[row.Node]
		if node == nil {
			continue
		}
		if done, err := each(view.Through(atItem(r.w, node, r.row.Record, false))); err != nil || done {
			return err
		}
	}
	return nil
}
