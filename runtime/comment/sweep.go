package comment

import (
	"context"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// sweepRecords is how many records one turn of a sweep looks at.
const sweepRecords = 500

// Sweep removes the comments of records that are gone for good and returns the number of those records. Comments of models
// that the catalog does not have stay: their pack may come back.
func (s *Service) Sweep(ctx context.Context) (gone int, err error) {
	after := query.Ref{}
	for {
		refs, err := s.commented(ctx, after)
		if err != nil || len(refs) == 0 {
			return gone, err
		}
		n, err := s.purge(ctx, refs)
		if gone += n; err != nil {
			return gone, err
		}
		after = refs[len(refs)-1]
	}
}

// commented are the next records with comments.
func (s *Service) commented(ctx context.Context, after query.Ref) (out []query.Ref, err error) {
	err = s.cfg.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&row{}).Distinct("model AS schema_code", "record AS id").
			Where("model > ? OR (model = ? AND record > ?)", after.SchemaCode, after.SchemaCode, after.ID).
			Order("model, record").Limit(sweepRecords).Find(&out).Error
	})
	return out, err
}

func (s *Service) purge(ctx context.Context, refs []query.Ref) (gone int, err error) {

	view := s.cfg.Policy().View(principal.System("sweep of comments"), s.cfg.Clock(), s.cfg.Zone)
	var lost []query.Ref
	back := map[query.Ref]bool{}
	// One snapshot: a record that was restored between two looks would seem to be nowhere.
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		live, err := s.cfg.Reader.Titles(ctx, tx, view, refs)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if _, lives := live[ref]; !lives && view.Model(ref.SchemaCode) != nil {
				lost = append(lost, ref)
			}
		}
		if s.cfg.Restorable != nil && len(lost) > 0 {
			back, err = s.cfg.Restorable(tx, lost)
		}
		return err
	})
	if err != nil || len(lost) == 0 {
		return 0, err
	}
	return gone, s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, ref := range lost {
			if back[ref] {
				continue
			}
			if err := remove(tx, ref); err != nil {
				return err
			}
			gone++
		}
		return nil
	})
}

// remove takes away all comments of a record, with their files.
func remove(tx *store.Tx, ref query.Ref) error {
	of := tx.System().Model(&row{}).Select("id").Where("model = ? AND record = ?", ref.SchemaCode, ref.ID)
	var files []string
	if err := tx.System().Model(&fileRow{}).Where("comment_id IN (?)", of).Pluck("file_id", &files).Error; err != nil {
		return err
	}
	if err := blob.Drop(tx, files, table); err != nil {
		return err
	}
	if err := tx.System().Where("comment_id IN (?)", of).Delete(&fileRow{}).Error; err != nil {
		return err
	}
	return tx.System().Where("model = ? AND record = ?", ref.SchemaCode, ref.ID).Delete(&row{}).Error
}
