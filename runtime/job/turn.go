package job

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

// nextJob picks of each person who waits in a lane the job that has waited longest, and of these that of the person with the fewest running
// jobs. The people are found one after the other in the index sl_job_turn: that takes as long for one with a thousand jobs as for one with
// a single job.
const nextJob = `WITH RECURSIVE who(owner) AS (
	SELECT MIN(owner) FROM sl_job WHERE lane = @lane AND state = @queued
	UNION ALL
	SELECT (SELECT MIN(j.owner) FROM sl_job j WHERE j.lane = @lane AND j.state = @queued AND j.owner > who.owner) FROM who WHERE who.owner IS NOT NULL
)
SELECT j.id, j.fence FROM who JOIN sl_job j ON j.lane = @lane AND j.state = @queued AND j.owner = who.owner
	AND j.run_at = (SELECT MIN(m.run_at) FROM sl_job m WHERE m.lane = @lane AND m.state = @queued AND m.owner = who.owner)
WHERE j.run_at <= @now
ORDER BY (SELECT COUNT(*) FROM sl_job r WHERE r.state = @running AND r.owner = who.owner), j.run_at, j.id
LIMIT 1`

// next returns the id and the fence of the job whose turn it is in a lane.
func next(tx *store.Tx, lane Lane, now time.Time) (r row, found bool, err error) {
	var rows []row
	err = tx.System().Raw(nextJob, map[string]any{"lane": lane, "queued": Queued, "running": Running, "now": now}).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return row{}, false, err
	}
	return rows[0], true, nil
}

// others reports whether a job of somebody else is due in a lane.
func others(tx *store.Tx, lane Lane, owner string, now time.Time) (bool, error) {
	var ids []string
	err := tx.System().Model(&row{}).Where("lane = ? AND state = ? AND owner <> ? AND run_at <= ?", lane, Queued, owner, now).Limit(1).Pluck("id", &ids).Error
	return len(ids) > 0, err
}

// beside takes up one more job of a lane in which a run cannot give its place, as long as it runs. A lane has at most as many of those as workers.
func (q *Queue) beside(r *Run) {
	lane := r.Lane
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopping || q.extra[lane] >= lanes(q.cfg.Workers)[lane] {
		return
	}
	q.extra[lane]++
	r.accompanied.Store(true)
	q.extras.Go(func() {
		defer func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.extra[lane]--
			r.accompanied.Store(false)
		}()
		if err := q.execute(context.WithoutCancel(r.ctx), lane); err != nil {
			q.cfg.Log.Warn("a job beside another one", "lane", lane, "error", err)
		}
	})
}

// mostAhead is how many jobs that wait in a lane are looked at for the place of one.
const mostAhead = 1000

// ahead tells of jobs that wait how many of their lanes are taken up before each, if nothing ended or came meanwhile.
func ahead(tx *store.Tx, jobs []row, now time.Time) (map[string]int, error) {
	out := map[string]int{}
	wanted := map[Lane]bool{}
	for _, r := range jobs {
		if r.State == Queued {
			wanted[cmp.Or(r.Lane, Short)] = true
		}
	}
	if len(wanted) == 0 {
		return out, nil
	}
	var counts []struct {
		Owner string
		N     int
	}
	if err := tx.System().Model(&row{}).Select("owner, COUNT(*) AS n").Where("state = ?", Running).Group("owner").Scan(&counts).Error; err != nil {
		return nil, err
	}
	running := map[string]int{}
	for _, c := range counts {
		running[c.Owner] = c.N
	}
	for lane := range wanted {
		var waiting []row
		err := tx.System().Select("id", "owner", "run_at").Where("lane = ? AND state = ? AND run_at <= ?", lane, Queued, now).
			Order("run_at").Order("id").Limit(mostAhead).Find(&waiting).Error
		if err != nil {
			return nil, err
		}
		for place, r := range turns(waiting, running) {
			out[r.ID] = place
		}
	}
	return out, nil
}

// turns puts jobs that wait, the longest first, into the order in which they are taken up: the k-th job of somebody comes when they have k jobs more than are running.
func turns(waiting []row, running map[string]int) []row {
	type turn struct {
		row
		rank int
	}
	nth := map[string]int{}
	list := make([]turn, len(waiting))
	for i, r := range waiting {
		list[i] = turn{r, running[r.Owner] + nth[r.Owner]}
		nth[r.Owner]++
	}
	slices.SortStableFunc(list, func(a, b turn) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]row, len(list))
	for i, t := range list {
		out[i] = t.row
	}
	return out
}
