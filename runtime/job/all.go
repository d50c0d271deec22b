package job

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// All is the queue as those who look after the installation see it: jobs of everybody, and how they run. What a job works on
// stays its owner's: no payload, no names of records, and no values that the text of an error quotes.
type All struct{ q *Queue }

// All returns the jobs of everybody. Whether the caller may see them is checked before.
func (q *Queue) All() All { return All{q} }

// everybody are the jobs of all people and of the system.
func everybody(tx *store.Tx) *gorm.DB { return tx.System() }

// Filter narrows the jobs of everybody. Zero fields narrow nothing.
type Filter struct {
	States []State
	Kind   string
	Owner  *string // user id; "" = the system's own
}

func (f Filter) of(tx *store.Tx) *gorm.DB {
	db := tx.System().Model(&row{})
	if len(f.States) > 0 {
		db = db.Where("state IN ?", f.States)
	}
	if f.Kind != "" {
		db = db.Where("kind = ?", f.Kind)
	}
	if f.Owner != nil {
		db = db.Where("owner = ?", *f.Owner)
	}
	return db
}

// Watched is a job of anybody. Of its error it has the code alone; Job.Args holds the job's id where that is what the log names, else nothing.
type Watched struct {
	Job
	Owner    string // user id; "" = the system
	Node     string // of the process that took it up last; "" = none yet
	Attempt  int    // which attempt it is at, or ended with; 0 = it has not begun
	Attempts int    // how many it may have
	Stalls   int    // processes that ended while they worked on it, since it last saved progress
	RunAt    time.Time
	Counts   map[string]int64 // the figures in its result
	Failures []Failures       // only of Get
}

// Failures are the units of a job that failed for one reason.
type Failures struct {
	Code  fault.Code
	Count int64
}

// List returns a page of the jobs that a filter keeps, the newest first, and how many there are.
func (a All) List(ctx context.Context, f Filter, page, size int) (out []Watched, total int64, err error) {
	err = a.q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := f.of(tx).Count(&total).Error; err != nil {
			return err
		}
		var rows []row
		if err := f.of(tx).Omit("payload", "progress").Order("id DESC").Offset(page * size).Limit(size).Find(&rows).Error; err != nil {
			return err
		}
		places, err := ahead(tx, rows, a.q.now())
		if err != nil {
			return err
		}
		for _, r := range rows {
			w, err := r.watched()
			if err != nil {
				return err
			}
			w.Ahead = places[r.ID]
			out = append(out, w)
		}
		return nil
	})
	return out, total, err
}

// Get returns a job of anybody, with what its units failed for.
func (a All) Get(ctx context.Context, id string) (out Watched, err error) {
	err = a.q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		r, err := scope(everybody).take(tx, id)
		if err != nil {
			return err
		}
		if out, err = r.watched(); err != nil {
			return err
		}
		return tx.System().Model(&resultRow{}).Select("code, COUNT(*) AS count").Where("job_id = ? AND ok = ?", id, false).
			Group("code").Order("count DESC, code").Limit(50).Find(&out.Failures).Error
	})
	return out, err
}

// Choices returns the kinds and the owners of the jobs that there are.
func (a All) Choices(ctx context.Context) (kinds, owners []string, err error) {
	err = a.q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return errors.Join(tx.System().Model(&row{}).Distinct("kind").Order("kind").Pluck("kind", &kinds).Error,
			tx.System().Model(&row{}).Distinct("owner").Order("owner").Limit(1000).Pluck("owner", &owners).Error)
	})
	return kinds, owners, err
}

// Cancel stops a job of anybody, as its owner's Cancel does.
func (a All) Cancel(ctx context.Context, id string) error { return a.q.cancel(ctx, id, everybody) }

// Retry queues a job of anybody that failed or was cancelled once more. It works with its owner's rights, as before.
func (a All) Retry(ctx context.Context, id string) error { return a.q.retry(ctx, id, everybody) }

// watched is a row as those who look after the installation see it.
func (r *row) watched() (Watched, error) {
	j, err := r.job()
	if err != nil {
		return Watched{}, err
	}
	w := Watched{Job: j, Owner: r.Owner, Node: r.Node, Attempts: r.MaxAttempts, Stalls: r.Stalls, RunAt: r.RunAt, Counts: figures(j.Result)}
	if r.StartedAt != nil {
		w.Attempt = min(r.Failures+1, r.MaxAttempts)
	}
	if r.State == Queued && r.Failures > 0 { // why it waits for another attempt
		w.Code = fault.Code(r.ErrorCode)
	}
	w.Result, w.Args = nil, nil
	if w.Code == fault.Internal {
		w.Args = []any{r.ID}
	}
	return w, nil
}

// figures are the numbers of a result; what else it holds may be the owner's alone.
func figures(result json.RawMessage) map[string]int64 {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) != nil {
		return nil
	}
	out := map[string]int64{}
	for name, text := range members {
		var n int64
		if string(text) != "null" && json.Unmarshal(text, &n) == nil {
			out[name] = n
		}
	}
	return out
}

// Depth is how many jobs of a kind wait, run and have failed.
type Depth struct {
	Kind                    string
	Title                   Title // of one of them
	Queued, Running, Failed int64
	Oldest                  *time.Time // since when the one waits that is due for the longest time
}

// Depths are those of the kinds that there are jobs of, by kind. Jobs for later count as waiting, and not for Oldest.
func (a All) Depths(ctx context.Context) ([]Depth, error) {
	var out []Depth
	err := a.q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []struct {
			Kind    string
			State   State
			TitleZh string
			TitleEn string
			N       int64
		}
		err := tx.System().Model(&row{}).Select("kind, state, MAX(title_zh) AS title_zh, MAX(title_en) AS title_en, COUNT(*) AS n").
			Where("state IN ?", []State{Queued, Running, Failed}).Group("kind, state").Order("kind, state").Find(&rows).Error
		if err != nil {
			return err
		}
		for _, r := range rows {
			if len(out) == 0 || out[len(out)-1].Kind != r.Kind {
				out = append(out, Depth{Kind: r.Kind, Title: Title{r.TitleZh, r.TitleEn}})
			}
			d := &out[len(out)-1]
			switch r.State {
			case Queued:
				d.Queued = r.N
			case Running:
				d.Running = r.N
			default:
				d.Failed = r.N
			}
		}
		for i := range out {
			var first row
			err := tx.System().Select("id", "run_at").Where("state = ? AND kind = ? AND run_at <= ?", Queued, out[i].Kind, a.q.now()).Order("run_at").Limit(1).Find(&first).Error
			if err != nil {
				return err
			}
			if first.ID != "" {
				at := first.RunAt.UTC()
				out[i].Oldest = &at
			}
		}
		return nil
	})
	return out, err
}
