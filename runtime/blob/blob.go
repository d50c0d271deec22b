// Package blob keeps files. Its table holds what is known of each; who may read a file follows from the row and the field
// that hold it, and is the matter of runtime/query.
package blob

import (
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

// File is what is known of a stored file. ID is the reference id on the wire.
type File struct {
	ID        string `gorm:"primaryKey;size:36"`
	Name      string
	Mime      string
	Size      int64  // bytes
	CreatedBy string `gorm:"size:36"`
	CreatedAt time.Time
}

// TableName is known to attachments' filters (plugins/core/property/attachment).
func (File) TableName() string { return "sl_file" }

// Tables are the gorm models of this package.
func Tables() []any { return []any{&File{}} }

// Files returns what is known of files, by id.
func Files(tx *store.Tx, ids []string) (map[string]File, error) {
	out := make(map[string]File, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var rows []File
	if err := tx.System().Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, f := range rows {
		out[f.ID] = f
	}
	return out, nil
}
