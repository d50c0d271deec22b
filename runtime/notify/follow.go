package notify

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

const followEvery = 300 * time.Millisecond

// Follow tells how the unread messages of those who listen change, on whatever node, until ctx ends. The table is read when it
// changed or somebody else listens, and not otherwise.
func (s *Service) Follow(ctx context.Context, listening func() []string, tell func(user string, c Counts)) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	told, version := map[string]Counts{}, uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		people, now := listening(), s.cfg.DB.Versions(table)
		if now == version && known(told, people) {
			continue
		}
		counts, err := s.counts(ctx, people)
		if err != nil {
			if ctx.Err() == nil {
				s.cfg.Log.Warn("follow the messages", "error", err)
			}
			continue
		}
		fresh := make(map[string]Counts, len(people))
		for _, user := range people {
			fresh[user] = counts[user]
			if before, was := told[user]; !was || before != counts[user] {
				tell(user, counts[user])
			}
		}
		told, version = fresh, now
	}
}

// known reports whether the counts of all who listen have been told.
func known(told map[string]Counts, people []string) bool {
	for _, user := range people {
		if _, was := told[user]; !was {
			return false
		}
	}
	return true
}

// sweepRows is how many messages one transaction of a sweep removes.
const sweepRows = 500

// Sweep removes messages that were read long ago and returns their number.
func (s *Service) Sweep(ctx context.Context) (gone int64, err error) {
	if s.cfg.Keep <= 0 {
		return 0, nil
	}
	before := s.cfg.Clock().UTC().Add(-s.cfg.Keep)
	for {
		var n int64
		err := s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			var ids []string
			if err := tx.System().Model(&row{}).Where("read_at < ?", before).Limit(sweepRows).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
				return err
			}
			done := tx.System().Where("id IN ?", ids).Delete(&row{})
			n = done.RowsAffected
			return done.Error
		})
		if gone += n; err != nil || n < sweepRows {
			return gone, err
		}
	}
}
