// Package blob keeps files: their bytes in a bucket (a folder or S3), what is known of each in a table. Who may read a file
// follows from the row and the field that hold it, and is the matter of runtime/query; who may put it into a field is that
// of runtime/record.
package blob

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// File is what is known of a stored file. ID is the reference id on the wire. Its type follows from its content and name and
// is one of those in kinds.go; Held tells that some record has held it, which keeps it from being taken for an orphan: what
// was once part of a record is part of its history.
type File struct {
	ID        string `gorm:"primaryKey;size:36"`
	Name      string
	Mime      string
	Size      int64  // bytes
	CreatedBy string `gorm:"size:36;index:sl_file_loose,priority:2"`
	CreatedAt time.Time
	Held      bool   `gorm:"not null;default:false;index:sl_file_loose,priority:1"`
	Model     string `gorm:"not null;default:''"` // where it was held first: the model and the path of the field
	Field     string `gorm:"not null;default:''"`
}

// TableName is known to attachments' filters (plugins/core/property/attachment).
func (File) TableName() string { return catalog.FilesTable }

// IsImage reports whether it is a picture.
func (f File) IsImage() bool { return strings.HasPrefix(f.Mime, "image/") }

// Tables are the gorm models of this package.
func Tables() []any { return []any{&File{}, &pause{}} }

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

// Release gives a file to the sweep of orphans, and Keep takes it back: for callers that check in between whether the file is still referenced.
func Release(tx *store.Tx, id string) error { return setHeld(tx, id, false) }

// Disown takes a file from the one who brought it: a record had it, and is gone forever.
func Disown(tx *store.Tx, id string) error {
	return tx.System().Model(&File{}).Where("id = ? AND held = ?", id, false).Update("created_by", "").Error
}

// Keep keeps a file from being swept.
func Keep(tx *store.Tx, id string) error { return setHeld(tx, id, true) }

func setHeld(tx *store.Tx, id string, held bool) error {
	return tx.System().Model(&File{}).Where("id = ?", id).Update("held", held).Error
}

// Hold notes that a field of a model holds files now. It returns how many of them were there: one that was swept meanwhile
// cannot be held.
func Hold(tx *store.Tx, ids []string, model, field string) (int64, error) {
	done := tx.System().Model(&File{}).Where("id IN ?", ids).Update("held", true)
	if done.Error != nil {
		return 0, done.Error
	}
	first := tx.System().Model(&File{}).Where("id IN ? AND model = ''", ids).Updates(map[string]any{"model": model, "field": field})
	return done.RowsAffected, first.Error
}
