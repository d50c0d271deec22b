package comment

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// filesOf are the files of some comments, in their order.
func filesOf(tx *store.Tx, comments []string) (map[string][]blob.File, error) {
	out := map[string][]blob.File{}
	if len(comments) == 0 {
		return out, nil
	}
	var rows []fileRow
	if err := tx.System().Where("comment_id IN ?", comments).Order("comment_id, position").Find(&rows).Error; err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.FileID
	}
	known, err := blob.Files(tx, ids)
	for _, r := range rows {
		if f, ok := known[r.FileID]; ok {
			out[r.CommentID] = append(out[r.CommentID], f)
		}
	}
	return out, err
}

// putFiles makes a comment hold exactly these files: those that it holds already, and others that its author has uploaded.
// From then on they are no orphans, and the person who sees the record may read them. What it holds no more is swept.
func (s *Service) putFiles(tx *store.Tx, r row, ids []string) error {
	before, err := filesOf(tx, []string{r.ID})
	if err != nil {
		return err
	}
	var fresh, left []string
	for _, id := range ids {
		if !slices.ContainsFunc(before[r.ID], func(f blob.File) bool { return f.ID == id }) {
			fresh = append(fresh, id)
		}
	}
	for _, f := range before[r.ID] {
		if !slices.Contains(ids, f.ID) {
			left = append(left, f.ID)
		}
	}
	if err := s.take(tx, r.Author, fresh); err != nil {
		return err
	}
	if err := blob.Drop(tx, left, table); err != nil {
		return err
	}
	if err := tx.System().Where("comment_id = ?", r.ID).Delete(&fileRow{}).Error; err != nil || len(ids) == 0 {
		return err
	}
	rows := make([]fileRow, len(ids))
	for i, id := range ids {
		rows[i] = fileRow{CommentID: r.ID, Position: i, FileID: id}
	}
	return tx.System().Create(&rows).Error
}

// take holds uploads of the author's own; somebody else's do not exist for them.
func (s *Service) take(tx *store.Tx, author string, ids []string) error {
	known, err := blob.Files(tx, ids)
	if err != nil {
		return err
	}
	for _, f := range known {
		if f.CreatedBy == author && f.Size > maxFileSize {
			return fault.New(fault.FileTooLarge, blob.SizeText(maxFileSize))
		}
	}
	return blob.Take(tx, ids, author, table)
}

// holders are the records whose comments hold a file: who sees one of them may read it.
func (s *Service) holders(tx *store.Tx, file string) ([]query.Ref, error) {
	var out []query.Ref
	err := tx.System().Table("sl_comment_file AS f").Joins("JOIN sl_comment AS c ON c.id = f.comment_id").
		Where("f.file_id = ?", file).Distinct("c.model AS schema_code", "c.record AS id").Limit(100).Find(&out).Error
	return out, err
}
