package job

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	followEvery = 500 * time.Millisecond
	followBack  = 5 * time.Second // ends that are looked for: nodes' clocks may differ by less
)

// Progress is how far a job is: what the open pages of its owner hear.
type Progress struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	State State  `json:"state"`
	Ahead int    `json:"ahead"` // of one that waits: how many are taken up before it
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
}

// Follow tells how the jobs of those who listen change, on whatever node they run, until ctx ends. Nothing is read while
// nobody listens.
func (q *Queue) Follow(ctx context.Context, listening func() []string, tell func(owner string, p Progress)) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	told := map[string]Progress{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		owners := listening()
		if len(owners) == 0 {
			clear(told)
			continue
		}
		rows, places, err := q.activeJobs(ctx, owners)
		if err != nil {
			if ctx.Err() == nil {
				q.cfg.Log.Warn("follow the jobs", "error", err)
			}
			continue
		}
		now := make(map[string]Progress, len(rows))
		for _, r := range rows {
			p := Progress{ID: r.ID, Kind: r.Kind, State: r.State, Ahead: places[r.ID], Done: r.Done, Total: r.Total}
			if now[r.ID] = p; told[r.ID] != p {
				tell(r.Owner, p)
			}
		}
		told = now
	}
}

// activeJobs are the jobs of some people that wait or run, or ended a moment ago, and the places of those that wait.
func (q *Queue) activeJobs(ctx context.Context, owners []string) (rows []row, places map[string]int, err error) {
	err = q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		columns := []string{"id", "kind", "owner", "lane", "state", "done", "total"}
		if err := tx.System().Select(columns).Where("state IN ? AND owner IN ?", []State{Queued, Running}, owners).Find(&rows).Error; err != nil {
			return err
		}
		var err error
		if places, err = ahead(tx, rows, q.now()); err != nil {
			return err
		}
		var ended []row
		err = tx.System().Select(columns).Where("finished_at > ? AND owner IN ?", q.now().Add(-followBack), owners).Find(&ended).Error
		rows = append(rows, ended...)
		return err
	})
	return rows, places, err
}
