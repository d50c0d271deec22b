package record

import (
	"context"
	"slices"
	"time"

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
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&History{}).Select("id", "model", "record", "version", "kind", "user_id", "at").
			Where("at > ? AND model IN ?", since, models).Order("at DESC, version DESC").Limit(limit).Find(&out).Error
	})
	slices.Reverse(out)
	return out, err
}
