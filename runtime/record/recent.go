package record

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Written tells that a record was written, and by whom.
type Written struct {
	ID      string // of the write
	Model   string
	Record  string
	Version int64
	Kind    Kind
	UserID  string // "" = the system
	At      time.Time
}

// Recent are the last writes of some models' records since a time, the oldest first, at most limit of them.
func Recent(ctx context.Context, db *store.DB, models []string, since time.Time, limit int) (out []Written, err error) {
	if len(models) == 0 {
		return nil, nil
	}
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		of := make([]clause.Expression, len(models))
		for i, m := range models {
			of[i] = tx.Called("model", names.Model, m)
		}
		var rows []History
		err := tx.System().Model(&History{}).Select("id", "model", "record", "version", "kind", "user_id", "at", "epoch").
			Where("at > ?", since).Where(clause.Or(of...)).Order("at DESC, version DESC").Limit(limit).Find(&rows).Error
		for _, h := range rows {
			model, _ := tx.NameLog().Since(h.Epoch, h.At).Model(h.Model)
			out = append(out, Written{h.ID, model, h.Record, h.Version, h.Kind, h.UserID, h.At})
		}
		return err
	})
	slices.Reverse(out)
	return out, err
}
