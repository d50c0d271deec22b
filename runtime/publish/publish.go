// Package publish keeps documents in the database: every version of every file of a pack that was published, what was published
// together, and what people have not published yet. What they mean, runtime/app finds out; what lies over what, engine/overlay.
package publish

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/store"
)

// documentRow is one version of a file of a pack.
type documentRow struct {
	Pack    string  `gorm:"primaryKey;size:63"`
	Path    string  `gorm:"primaryKey;size:200"`
	Version int64   `gorm:"primaryKey;autoIncrement:false"`
	Text    *string // NULL = taken away
	Base    *string // the pack's own file that it was made from; NULL = there was none
}

func (documentRow) TableName() string { return "sl_document" }

// changesetRow is what was published together.
type changesetRow struct {
	Version int64     `gorm:"primaryKey;autoIncrement:false"`
	Author  string    `gorm:"size:36;not null"`
	At      time.Time `gorm:"not null"`
	Note    string    `gorm:"not null"`
}

func (changesetRow) TableName() string { return "sl_changeset" }

// Tables are the system tables of the package.
func Tables() []any { return []any{&documentRow{}, &changesetRow{}, &draftRow{}} }

// Changeset is what was published together.
type Changeset struct {
	Version int64     `json:"version"`
	Author  string    `json:"author"` // id of a person; "" = the command line
	At      time.Time `json:"time"`
	Note    string    `json:"note"`
	Files   []File    `json:"files,omitempty"`
}

// File names a file of a pack.
type File struct {
	Pack string `json:"pack"`
	Path string `json:"path"`
}

// Current reads the documents that lie over the packs, and the version of the database.
func Current(ctx context.Context, db *store.DB) (out overlay.Documents, version int64, err error) {
	err = db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if version, err = tx.Version(ctx); err != nil || version == 0 {
			return err
		}
		var rows []struct {
			Row   documentRow `gorm:"embedded"`
			Since int64
		}
		err = tx.System().Raw(`SELECT d.*, last.since FROM sl_document d JOIN (SELECT pack, path, max(version) AS version, min(version) AS since FROM sl_document GROUP BY pack, path) AS last
			ON d.pack = last.pack AND d.path = last.path AND d.version = last.version ORDER BY d.pack, d.path`).Scan(&rows).Error
		out = overlay.Documents{}
		for _, row := range rows {
			r := row.Row
			out[r.Pack] = append(out[r.Pack], overlay.Document{Path: r.Path, Text: plain(r.Path, r.Text), Base: plain(r.Path, r.Base), Version: r.Version, Since: row.Since})
		}
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read published documents: %w", err)
	}
	return out, version, nil
}

// Version is the version of the database.
func Version(ctx context.Context, db *store.DB) (version int64, err error) {
	err = db.ReadCommitted(ctx, func(ctx context.Context, tx *store.Tx) (err error) { version, err = tx.Version(ctx); return err })
	return version, err
}

// Keep writes a changeset inside the transaction that applies it.
func Keep(tx *store.Tx, set Changeset, documents overlay.Documents) error {
	row := changesetRow{Version: set.Version, Author: set.Author, At: set.At.UTC().Truncate(time.Millisecond), Note: set.Note}
	if err := tx.System().Create(&row).Error; err != nil {
		return err
	}
	for pack, of := range documents {
		for _, d := range of {
			row := documentRow{Pack: pack, Path: d.Path, Version: set.Version, Text: stored(d.Path, d.Text), Base: stored(d.Path, d.Base)}
			if err := tx.System().Create(&row).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// stored is a file as the table holds it: a picture is not a text, which all columns of it are.
func stored(path string, text *string) *string {
	if text == nil || !overlay.IsPicture(path) {
		return text
	}
	out := base64.StdEncoding.EncodeToString([]byte(*text))
	return &out
}

// plain is a file of the table as packs have it.
func plain(path string, text *string) *string {
	if text == nil || !overlay.IsPicture(path) {
		return text
	}
	data, err := base64.StdEncoding.DecodeString(*text)
	if err != nil { // not written by stored
		return text
	}
	out := string(data)
	return &out
}

// History lists changesets, the newest first, below a version; 0 = from the last.
func History(ctx context.Context, db *store.DB, below int64, most int) (out []Changeset, err error) {
	out = []Changeset{}
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var sets []changesetRow
		q := tx.System().Order("version DESC").Limit(most)
		if below > 0 {
			q = q.Where("version < ?", below)
		}
		if err := q.Find(&sets).Error; err != nil || len(sets) == 0 {
			return err
		}
		var files []documentRow
		if err := tx.System().Select("pack", "path", "version").Where("version BETWEEN ? AND ?", sets[len(sets)-1].Version, sets[0].Version).
			Order("pack, path").Find(&files).Error; err != nil {
			return err
		}
		for _, s := range sets {
			set := Changeset{Version: s.Version, Author: s.Author, At: s.At.UTC(), Note: s.Note, Files: []File{}}
			for _, f := range files {
				if f.Version == s.Version {
					set.Files = append(set.Files, File{f.Pack, f.Path})
				}
			}
			out = append(out, set)
		}
		return nil
	})
	return out, err
}

// Text reads a file as it was published in a version; ok is false when that did not publish it.
func Text(ctx context.Context, db *store.DB, pack, path string, version int64) (text *string, ok bool, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []documentRow
		if err := tx.System().Where("pack = ? AND path = ? AND version = ?", pack, path, version).Find(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		text, ok = plain(path, rows[0].Text), true
		return nil
	})
	return text, ok, err
}

// Last tells which changeset published a file last; nil when none did.
func Last(ctx context.Context, db *store.DB, pack, path string) (out *Changeset, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []changesetRow
		err := tx.System().Raw(`SELECT * FROM sl_changeset WHERE version = (SELECT max(version) FROM sl_document WHERE pack = ? AND path = ?)`, pack, path).Scan(&rows).Error
		if err == nil && len(rows) > 0 {
			out = &Changeset{Version: rows[0].Version, Author: rows[0].Author, At: rows[0].At.UTC(), Note: rows[0].Note}
		}
		return err
	})
	return out, err
}

// Owners are the packs of which a file of that path, without case, was ever published, or taken away after the pack had brought it.
func Owners(ctx context.Context, db *store.DB, path string) (packs []string, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw(`SELECT DISTINCT pack FROM sl_document WHERE lower(path) = lower(?) AND (text IS NOT NULL OR base IS NOT NULL) ORDER BY pack`, path).Scan(&packs).Error
	})
	return packs, err
}

// Of lists what was published of a pack, the newest first, with the files of that pack.
func Of(ctx context.Context, db *store.DB, pack string, most int) (out []Changeset, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var sets []changesetRow
		if err := tx.System().Raw(`SELECT * FROM sl_changeset WHERE version IN (SELECT version FROM sl_document WHERE lower(pack) = lower(?)) ORDER BY version DESC LIMIT ?`,
			pack, most).Scan(&sets).Error; err != nil || len(sets) == 0 {
			return err
		}
		var files []documentRow
		if err := tx.System().Select("pack", "path", "version").Where("lower(pack) = lower(?) AND version >= ?", pack, sets[len(sets)-1].Version).
			Order("path").Find(&files).Error; err != nil {
			return err
		}
		for _, s := range sets {
			set := Changeset{Version: s.Version, Author: s.Author, At: s.At.UTC(), Note: s.Note, Files: []File{}}
			for _, f := range files {
				if f.Version == s.Version {
					set.Files = append(set.Files, File{f.Pack, f.Path})
				}
			}
			out = append(out, set)
		}
		return nil
	})
	return out, err
}

// State of a file in a version.
type State struct {
	Published bool    // it had been published until then; otherwise it was the pack's own
	Text      *string // nil = it had been taken away
}

// At is what every file of a pack that was ever published was in a version.
func At(ctx context.Context, db *store.DB, pack string, version int64) (map[string]State, error) {
	out := map[string]State{}
	err := db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []documentRow
		err := tx.System().Where("lower(pack) = lower(?)", pack).Order("version").Find(&rows).Error
		for _, r := range rows {
			switch _, known := out[r.Path]; {
			case r.Version <= version:
				out[r.Path] = State{true, plain(r.Path, r.Text)}
			case !known:
				out[r.Path] = State{}
			}
		}
		return err
	})
	return out, err
}

// Versions are the changesets that published a file, the newest first.
func Versions(ctx context.Context, db *store.DB, pack, path string, most int) (out []Changeset, err error) {
	out = []Changeset{}
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []changesetRow
		err := tx.System().Raw(`SELECT * FROM sl_changeset WHERE version IN (SELECT version FROM sl_document WHERE pack = ? AND path = ?) ORDER BY version DESC LIMIT ?`,
			pack, path, most).Scan(&rows).Error
		for _, r := range rows {
			out = append(out, Changeset{Version: r.Version, Author: r.Author, At: r.At.UTC(), Note: r.Note})
		}
		return err
	})
	return out, err
}
