package design

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/runtime/store"
)

// LockKept is how long an edit lock is kept without being renewed: the constant of the platform's specification.
const LockKept = 600 * time.Second

// editLock lets one person at a time change a document.
type editLock struct {
	Kind  string    `gorm:"primaryKey;size:40"` // of the catalog
	Code  string    `gorm:"primaryKey;size:63"` // of the document, in small letters
	Owner string    `gorm:"size:36;not null"`
	Until time.Time `gorm:"not null"`
}

// TableName is the system table.
func (editLock) TableName() string { return "sl_design_lock" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&editLock{}} }

// Retire drops the table in which earlier versions kept the edit locks of portal pages: none of its locks is older than ten minutes.
func Retire(ctx context.Context, db *store.DB) error {
	there := false
	err := db.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		there = tx.System().Migrator().HasTable("sl_edit_lock")
		return nil
	})
	if err != nil || !there {
		return err
	}
	return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Exec("DROP TABLE IF EXISTS sl_edit_lock").Error
	})
}

// Holder is who edits a document.
type Holder struct {
	Owner string // id of a person; "" = nobody
	Until time.Time
}

// TakeLock gives the edit lock of a document to a person when it is free or theirs, or else when over is set, and returns who has it now.
func TakeLock(ctx context.Context, db *store.DB, k def.Kind, code, person string, over bool, now time.Time) (out Holder, err error) {
	now = now.UTC().Truncate(time.Millisecond)
	row := editLock{Kind: string(k), Code: strings.ToLower(code), Owner: person, Until: now.Add(LockKept)}
	column := func(name string) clause.Column { return clause.Column{Table: row.TableName(), Name: name} }
	conflict := clause.OnConflict{
		Columns:   []clause.Column{{Name: "kind"}, {Name: "code"}},
		DoUpdates: clause.AssignmentColumns([]string{"owner", "until"}),
	}
	if !over {
		free := clause.Or(clause.Eq{Column: column("owner"), Value: person}, clause.Lte{Column: column("until"), Value: now})
		conflict.Where = clause.Where{Exprs: []clause.Expression{free}}
	}
	err = db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Clauses(conflict).Create(&row).Error; err != nil {
			return err
		}
		out, err = lockIn(tx, k, code, now)
		return err
	})
	return out, err
}

// DropLock gives the edit lock of a document back, when the person has it.
func DropLock(ctx context.Context, db *store.DB, k def.Kind, code, person string) error {
	return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		of := tx.System().Where("kind = ? AND code = ? AND owner = ?", string(k), strings.ToLower(code), person)
		return of.Delete(&editLock{}).Error
	})
}

// LockOf returns who edits a document.
func LockOf(ctx context.Context, db *store.DB, k def.Kind, code string, now time.Time) (out Holder, err error) {
	err = db.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = lockIn(tx, k, code, now)
		return err
	})
	return out, err
}

func lockIn(tx *store.Tx, k def.Kind, code string, now time.Time) (Holder, error) {
	var rows []editLock
	of := tx.System().Where("kind = ? AND code = ? AND until > ?", string(k), strings.ToLower(code), now.UTC())
	if err := of.Find(&rows).Error; err != nil || len(rows) == 0 {
		return Holder{}, err
	}
	return Holder{rows[0].Owner, rows[0].Until.UTC()}, nil
}

// locksOf are the edit locks of all documents of a kind, by their codes in small letters.
func locksOf(ctx context.Context, db *store.DB, k def.Kind, now time.Time) (out map[string]Holder, err error) {
	out = map[string]Holder{}
	err = db.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []editLock
		err := tx.System().Where("kind = ? AND until > ?", string(k), now.UTC()).Find(&rows).Error
		for _, r := range rows {
			out[r.Code] = Holder{r.Owner, r.Until.UTC()}
		}
		return err
	})
	return out, err
}
