package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
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
		var rows []item
		of := tx.System().Model(&instance{}).Select("id").Where("model = ? AND record = ?", ref.SchemaCode, ref.ID)
		err := tx.System().Where("person = ? AND list <> '' AND instance IN (?)", view.User(), of).Order("id DESC").Limit(maxPage).Find(&rows).Error
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			r, err := s.read(ctx, tx, view, row.Instance)
			if fault.Of(err) == fault.WorkflowNotFound {
				continue
			}
			if err != nil {
				return false, err
			}
			node := r.w.Nodes[row.Node]
			if node == nil {
				continue
			}
			if seen, err := s.cfg.Reader.ReadsFile(ctx, tx, view.Through(atItem(r.w, node, r.row.Record, false)), file); err != nil || seen {
				return seen, err
			}
		}
	}
	return false, nil
}
