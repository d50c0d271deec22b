package comment

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

const followEvery = 300 * time.Millisecond

// state is what changes when a comment of a record is written, edited or deleted.
type state struct{ Count, Revisions int64 }

// Follow tells of which watched records the comments changed, on whatever node, until ctx ends. The table is read when it
// changed or another record is watched, and not otherwise.
func (s *Service) Follow(ctx context.Context, watched func() []query.Ref, tell func(query.Ref)) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	known, version := map[query.Ref]state{}, uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		refs, now := watched(), s.cfg.DB.Versions(table)
		if now == version && all(known, refs) {
			continue
		}
		states, err := s.states(ctx, refs)
		if err != nil {
			if ctx.Err() == nil {
				s.cfg.Log.Warn("follow the comments", "error", err)
			}
			continue
		}
		fresh := make(map[query.Ref]state, len(refs))
		for _, ref := range refs {
			fresh[ref] = states[ref]
			if known[ref] != states[ref] { // also at first sight: a page may have read before it was listened to
				tell(ref)
			}
		}
		known, version = fresh, now
	}
}

func all(known map[query.Ref]state, refs []query.Ref) bool {
	for _, ref := range refs {
		if _, was := known[ref]; !was {
			return false
		}
	}
	return true
}

func (s *Service) states(ctx context.Context, refs []query.Ref) (map[query.Ref]state, error) {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	var rows []struct {
		Model, Record    string
		Count, Revisions int64
	}
	err := s.cfg.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&row{}).Select("model, record, COUNT(*) AS count, SUM(revision) AS revisions").Where("record IN ?", ids).
			Group("model, record").Find(&rows).Error
	})
	out := make(map[query.Ref]state, len(rows))
	for _, r := range rows {
		out[query.Ref{SchemaCode: r.Model, ID: r.Record}] = state{r.Count, r.Revisions}
	}
	return out, err
}
