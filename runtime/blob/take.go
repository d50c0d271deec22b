package blob

import (
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Take makes uploads of a person's own part of something that is not a record, such as a comment, which holder names. From then
// on they are its own and not their uploader's, so that no record can come to hold them too. FileNotFound when one of them is
// not there, is somebody else's, or is held already.
func Take(tx *store.Tx, ids []string, by, holder string) error {
	if len(ids) == 0 {
		return nil
	}
	done := tx.System().Model(&File{}).Where("id IN ? AND created_by = ? AND held = ?", ids, by, false).
		Updates(map[string]any{"held": true, "created_by": "", "model": holder})
	if done.Error == nil && done.RowsAffected < int64(len(ids)) {
		return fault.New(fault.FileNotFound)
	}
	return done.Error
}

// Drop gives files that were taken so to the sweep of orphans.
func Drop(tx *store.Tx, ids []string, holder string) error {
	if len(ids) == 0 {
		return nil
	}
	return tx.System().Model(&File{}).Where("id IN ? AND model = ? AND created_by = ''", ids, holder).Update("held", false).Error
}

// Give makes uploads of one person, which nothing holds yet, those of another. Ids that are none of them are passed over.
func Give(tx *store.Tx, ids []string, from, to string) error {
	if len(ids) == 0 {
		return nil
	}
	return tx.System().Model(&File{}).Where("id IN ? AND created_by = ? AND held = ?", ids, from, false).UpdateColumn("created_by", to).Error
}
