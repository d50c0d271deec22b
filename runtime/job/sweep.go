package job

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	sweepEvery = 400 * time.Millisecond
	lateAfter  = 2 * time.Second // a job that is due for so long may have lost its carrier
	lateBatch  = 50
	maxStalls  = 5 // deaths of a process in a row, without progress between, that a job may see
	keepJobs   = 30 * 24 * time.Hour
	tidyEvery  = time.Hour
	tidyRows   = 5000
)

var errStalled = errors.New("the process ended while it worked on this job, several times")

// sweeper finds jobs whose worker died, by watching their beats: a job whose beat did not change for the time of a lease, by
// this process's own clock, is taken over. No clocks of nodes are compared.
type sweeper struct {
	q    *Queue
	seen map[string]sighting
	late time.Time // when jobs without a carrier were last looked for
}

// sighting is what was last seen of a job and since when it looks so.
type sighting struct {
	fence, beat, carrier int64
	since                time.Time
}

func newSweeper(q *Queue) *sweeper { return &sweeper{q: q, seen: map[string]sighting{}} }

func (s *sweeper) loop(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.turn(ctx, lease); err != nil && ctx.Err() == nil {
			s.q.cfg.Log.Warn("job sweep failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// turn looks once. Jobs that look the same for patience are helped on.
func (s *sweeper) turn(ctx context.Context, patience time.Duration) error {
	var running, late []row
	err := s.q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		columns := []string{"id", "fence", "beat", "carrier", "lane", "kind"}
		if err := tx.System().Select(columns).Where("state = ?", Running).Find(&running).Error; err != nil {
			return err
		}
		if patience > 0 && time.Since(s.late) < lateAfter {
			return nil
		}
		s.late = time.Now()
		return tx.System().Select(columns).Where("state = ? AND run_at <= ?", Queued, s.q.now().Add(-min(patience, lateAfter))).
			Order("run_at").Limit(lateBatch).Find(&late).Error
	})
	if err != nil {
		return err
	}
	for id, was := range s.seen {
		if time.Since(was.since) > time.Minute {
			delete(s.seen, id)
		}
	}
	for _, r := range running {
		if !s.q.runsHere(r) && s.unchangedFor(r, patience) {
			err = errors.Join(err, s.q.takeOver(ctx, r))
		}
	}
	for _, r := range late {
		err = errors.Join(err, s.redispatch(ctx, r, patience))
	}
	return err
}

// unchangedFor reports whether a job has looked like this for a time.
func (s *sweeper) unchangedFor(r row, patience time.Duration) bool {
	was, known := s.seen[r.ID]
	if !known || was.fence != r.Fence || was.beat != r.Beat || was.carrier != r.Carrier {
		s.seen[r.ID] = sighting{r.Fence, r.Beat, r.Carrier, time.Now()}
		return patience == 0
	}
	if time.Since(was.since) < patience {
		return false
	}
	delete(s.seen, r.ID)
	return true
}

// redispatch gives a due job a new carrier when its own is gone, or died on the way.
func (s *sweeper) redispatch(ctx context.Context, r row, patience time.Duration) error {
	if r.Lane != "" { // as programs before lanes left it
		will, now, err := s.q.carrying(ctx, r.Carrier)
		if err != nil || will && !now || now && !s.unchangedFor(r, patience) {
			return err
		}
	}
	return s.q.cfg.DB.Write(store.Promptly(ctx), func(ctx context.Context, tx *store.Tx) error {
		still := tx.System().Model(&row{}).Where("id = ? AND state = ? AND carrier = ?", r.ID, Queued, r.Carrier).UpdateColumn("carrier", 0)
		if still.Error != nil || still.RowsAffected == 0 {
			return still.Error
		}
		return s.q.dispatch(ctx, tx, r.ID, cmp.Or(r.Lane, Short), s.q.now())
	})
}

// heldJob reports whether this process itself works on a job as it is in the table.
func (q *Queue) runsHere(r row) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	run := q.runs[r.ID]
	return run != nil && run.fence == r.Fence
}

// takeOver takes a running job from a worker that beats no more. If that worker resumes, its writes are rejected.
func (q *Queue) takeOver(ctx context.Context, seen row) error {
	return q.cfg.DB.Write(store.Promptly(ctx), func(ctx context.Context, tx *store.Tx) error {
		set := map[string]any{"state": Queued, "fence": gorm.Expr("fence + 1"), "stalls": gorm.Expr("stalls + 1"), "run_at": q.now()}
		res := tx.System().Model(&row{}).Where("id = ? AND state = ? AND fence = ? AND beat = ?", seen.ID, Running, seen.Fence, seen.Beat).UpdateColumns(set)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		var job row
		if err := tx.System().Where("id = ?", seen.ID).Take(&job).Error; err != nil {
			return err
		}
		q.cfg.Log.Warn("a job is taken over from a worker that stopped", "job", job.ID, "kind", job.Kind, "node", job.Node, "stalls", job.Stalls)
		switch {
		case job.Cancel:
			return q.close(tx, job.ID, outcome{state: Cancelled})
		case job.Stalls >= maxStalls:
			return q.close(tx, job.ID, outcome{state: Failed, code: fault.Internal, args: []any{job.ID}, err: errStalled})
		}
		return q.dispatch(ctx, tx, job.ID, cmp.Or(job.Lane, Short), job.RunAt)
	})
}

// close ends a job that nobody works on, inside the transaction that made sure of it.
func (q *Queue) close(tx *store.Tx, id string, o outcome) error {
	set, err := q.ended(o)
	if err != nil {
		return err
	}
	return tx.System().Model(&row{}).Where("id = ?", id).UpdateColumns(set).Error
}

// tidyLoop removes what is older than keepJobs, now and every hour.
func (q *Queue) tidyLoop(ctx context.Context) {
	tick := time.NewTicker(tidyEvery)
	defer tick.Stop()
	for {
		if err := q.Tidy(ctx, q.now().Add(-keepJobs)); err != nil && ctx.Err() == nil {
			q.cfg.Log.Warn("remove old jobs", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Tidy removes jobs that ended before a time, with their result lists, in small transactions: of all kinds, or of some.
func (q *Queue) Tidy(ctx context.Context, before time.Time, kinds ...string) error {
	for {
		var old []row
		err := q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			db := tx.System().Select("id", "results").Where("finished_at < ?", before.UTC())
			if len(kinds) > 0 {
				db = db.Where("kind IN ?", kinds)
			}
			return db.Order("finished_at").Limit(100).Find(&old).Error
		})
		if err != nil || len(old) == 0 {
			return err
		}
		for _, r := range old {
			if err := q.remove(ctx, r, before); err != nil {
				return err
			}
		}
	}
}

// remove deletes an ended job, its list first and in parts.
func (q *Queue) remove(ctx context.Context, r row, before time.Time) error {
	for upTo := int64(tidyRows); ; upTo += tidyRows {
		err := q.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			if err := tx.System().Where("job_id = ? AND sequence <= ?", r.ID, upTo).Delete(&resultRow{}).Error; err != nil || upTo < r.Results {
				return err
			}
			return tx.System().Where("id = ? AND finished_at < ?", r.ID, before.UTC()).Delete(&row{}).Error
		})
		if err != nil || upTo >= r.Results {
			return err
		}
	}
}
