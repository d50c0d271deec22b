package publish

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/runtime/store"
)

// draftRow is what a person has made of a document and not published.
type draftRow struct {
	Owner string    `gorm:"primaryKey;size:36"`
	Pack  string    `gorm:"primaryKey;size:63"`
	Path  string    `gorm:"primaryKey;size:200"`
	Text  string    `gorm:"not null"`
	Seen  string    `gorm:"not null;size:64"` // digest of the document that it began with
	At    time.Time `gorm:"not null"`
}

func (draftRow) TableName() string { return "sl_document_draft" }

// Draft is what a person has made of a document and not published.
type Draft struct {
	Owner string
	Pack  string
	Path  string
	Text  string
	Seen  string // digest of the document that it began with
	At    time.Time
}

const (
	mostDrafts = 100                 // of a person; the oldest go
	draftsKept = 90 * 24 * time.Hour // since they were last changed
)

// KeepDraft keeps a draft in place of the one that its owner had of the document.
func KeepDraft(ctx context.Context, db *store.DB, d Draft) error {
	row := draftRow(d)
	row.At = row.At.UTC().Truncate(time.Millisecond)
	return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		if err := tx.System().Where("at < ?", row.At.Add(-draftsKept)).Delete(&draftRow{}).Error; err != nil {
			return err
		}
		var old []draftRow
		err := tx.System().Select("owner", "pack", "path").Where("owner = ?", d.Owner).Order("at DESC").Offset(mostDrafts).Limit(mostDrafts).Find(&old).Error
		for _, one := range old {
			if err == nil {
				err = tx.System().Delete(&one).Error
			}
		}
		return err
	})
}

// PutDraft keeps a draft in a transaction, in place of the one that its owner had of the document.
func PutDraft(tx *store.Tx, d Draft) error {
	row := draftRow(d)
	row.At = row.At.UTC().Truncate(time.Millisecond)
	return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
}

// DropDraft forgets the draft of an owner.
func DropDraft(tx *store.Tx, owner, pack, path string) error {
	return tx.System().Delete(&draftRow{Owner: owner, Pack: pack, Path: path}).Error
}

// DropDrafts forgets the drafts that anybody has of a document.
func DropDrafts(tx *store.Tx, pack, path string) error {
	return tx.System().Where("pack = ? AND path = ?", pack, path).Delete(&draftRow{}).Error
}

// DraftOf reads the draft of an owner; nil = none.
func DraftOf(ctx context.Context, db *store.DB, owner, pack, path string) (*Draft, error) {
	found, err := drafts(ctx, db, "owner = ? AND pack = ? AND path = ?", owner, pack, path)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// DraftsOf lists the drafts that an owner has of a pack, the last changed first.
func DraftsOf(ctx context.Context, db *store.DB, owner, pack string) ([]Draft, error) {
	return drafts(ctx, db, "owner = ? AND pack = ?", owner, pack)
}

// DraftsBy lists the drafts that an owner has, the last changed first.
func DraftsBy(ctx context.Context, db *store.DB, owner string) ([]Draft, error) {
	return drafts(ctx, db, "owner = ?", owner)
}

// DraftsOfOthers lists the drafts of a document that others have, the last changed first.
func DraftsOfOthers(ctx context.Context, db *store.DB, owner, pack, path string) ([]Draft, error) {
	return drafts(ctx, db, "owner <> ? AND pack = ? AND path = ?", owner, pack, path)
}

// DraftsIn lists the drafts of documents in a folder, of all packs and owners, the last changed first.
func DraftsIn(ctx context.Context, db *store.DB, folder string) ([]Draft, error) {
	return drafts(ctx, db, "path LIKE ?", folder+"/%")
}

// AllDrafts lists the drafts of all packs and owners.
func AllDrafts(ctx context.Context, db *store.DB) (out []Draft, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []draftRow
		err := tx.System().Order("owner, pack, path").Find(&rows).Error
		for _, r := range rows {
			out = append(out, Draft(r))
		}
		return err
	})
	return out, err
}

// HasDrafts reports whether anybody has a draft.
func HasDrafts(ctx context.Context, db *store.DB) (has bool, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []draftRow
		err := tx.System().Select("owner").Limit(1).Find(&rows).Error
		has = len(rows) > 0
		return err
	})
	return has, err
}

// ChangeDraft gives a draft another path, text and seen, unless its owner has changed it meanwhile or has a draft there.
func ChangeDraft(tx *store.Tx, was, now Draft) error {
	q := tx.System().Model(&draftRow{}).Where("owner = ? AND pack = ? AND path = ? AND text = ?", was.Owner, was.Pack, was.Path, was.Text)
	if was.Path != now.Path {
		q = q.Where("NOT EXISTS (SELECT 1 FROM sl_document_draft o WHERE o.owner = ? AND o.pack = ? AND o.path = ?)", was.Owner, was.Pack, now.Path)
	}
	return q.UpdateColumns(map[string]any{"path": now.Path, "text": now.Text, "seen": now.Seen}).Error
}

// DraftsWith lists the drafts of documents in a folder that have a text in them.
func DraftsWith(tx *store.Tx, folder, text string) (out []Draft, err error) {
	var rows []draftRow
	err = tx.System().Where("path LIKE ? AND text LIKE ?", folder+"/%", "%"+text+"%").Order("at DESC, owner, path").Limit(mostDrafts).Find(&rows).Error
	for _, r := range rows {
		out = append(out, Draft(r))
	}
	return out, err
}

// VersionWith reports whether a version of a document of a folder that was ever published has a text in it.
func VersionWith(tx *store.Tx, folder, text string) (bool, error) {
	var n int64
	err := tx.System().Model(&documentRow{}).Where("path LIKE ? AND text LIKE ?", folder+"/%", "%"+text+"%").Limit(1).Count(&n).Error
	return n > 0, err
}

func drafts(ctx context.Context, db *store.DB, which string, args ...any) (out []Draft, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []draftRow
		err := tx.System().Where(which, args...).Order("at DESC, owner, path").Limit(mostDrafts).Find(&rows).Error
		for _, r := range rows {
			r.At = r.At.UTC()
			out = append(out, Draft(r))
		}
		return err
	})
	return out, err
}
