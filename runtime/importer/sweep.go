package importer

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/store"
)

// How long what an import keeps is kept: the rows that wait for correction, and what a dry run shows. What was written stays noted.
const (
	keepRows = 30 * 24 * time.Hour
	keepDry  = 24 * time.Hour
)

// release lets go of the file of an import that has read it to its end.
func (s *Service) release(ctx context.Context, imp *importRow) error {
	if imp.FileID == "" {
		return nil
	}
	err := s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&importRow{}).Where("file_id = ?", imp.FileID).UpdateColumn("file_id", "").Error
	})
	if err == nil {
		s.Files().Discard(ctx, imp.FileID)
	}
	return err
}

// Sweep removes dry runs of yesterday, and the rows and files of imports that nobody corrects any more. It returns how many imports that was.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	now := s.Clock().UTC()
	var gone int64
	return gone, s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		gone = 0
		old := func() *gorm.DB {
			return tx.System().Model(&importRow{}).Where("at < ? OR phase = ? AND at < ?", now.Add(-keepRows), checking, now.Add(-keepDry))
		}
		var ids []string
		if err := old().Where("file_id <> '' OR failed + skipped + kept > 0 OR phase = ?", checking).Order("at").Limit(200).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
			return err
		}
		gone = int64(len(ids))
		if err := tx.System().Where("import_id IN ?", ids).Delete(&keptRow{}).Error; err != nil {
			return err
		}
		if err := tx.System().Where("id IN ? AND phase = ?", ids, checking).Delete(&importRow{}).Error; err != nil {
			return err
		}
		return tx.System().Model(&importRow{}).Where("id IN ?", ids).UpdateColumns(map[string]any{"file_id": "", "failed": 0, "skipped": 0, "kept": 0}).Error
	})
}
