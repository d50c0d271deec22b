package portal

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/runtime/store"
)

// LockKept is how long an edit lock is kept without being renewed: the constant of the platform's specification.
const LockKept = 600 * time.Second

// Lock is who edits a page.
type Lock struct {
	Owner string // id of a person; "" = nobody
	Until time.Time
}

// TakeLock gives the edit lock of a page to a person when it is free or theirs, or else when over is set, and tells who has it now.
func (s *Service) TakeLock(ctx context.Context, code, person string, over bool, now time.Time) (out Lock, err error) {
	now = now.UTC().Truncate(time.Millisecond)
	row := editLock{Portal: strings.ToLower(code), Owner: person, Until: now.Add(LockKept)}
	err = s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		conflict := clause.OnConflict{Columns: []clause.Column{{Name: "portal"}}, DoUpdates: clause.AssignmentColumns([]string{"owner", "until"})}
		if !over {
			conflict.Where = clause.Where{Exprs: []clause.Expression{clause.Or(
				clause.Eq{Column: clause.Column{Table: "sl_edit_lock", Name: "owner"}, Value: person}, clause.Lte{Column: clause.Column{Table: "sl_edit_lock", Name: "until"}, Value: now})}}
		}
		if err := tx.System().Clauses(conflict).Create(&row).Error; err != nil {
			return err
		}
		out, err = lockIn(tx, code, now)
		return err
	})
	return out, err
}

// DropLock gives the edit lock of a page back, when the person has it.
func (s *Service) DropLock(ctx context.Context, code, person string) error {
	return s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("portal = ? AND owner = ?", strings.ToLower(code), person).Delete(&editLock{}).Error
	})
}

// LockOf tells who edits a page.
func (s *Service) LockOf(ctx context.Context, code string, now time.Time) (out Lock, err error) {
	err = s.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = lockIn(tx, code, now)
		return err
	})
	return out, err
}

func lockIn(tx *store.Tx, code string, now time.Time) (Lock, error) {
	var rows []editLock
	err := tx.System().Where("portal = ? AND until > ?", strings.ToLower(code), now.UTC()).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return Lock{}, err
	}
	return Lock{rows[0].Owner, rows[0].Until.UTC()}, nil
}
