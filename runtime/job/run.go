package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	turn      = 20 * time.Second       // after which a job gives its place to others who wait
	lookEvery = time.Second            // how often it looks for them then
	beatEvery = 400 * time.Millisecond // how often a run looks whether it should beat, and whether it should stop
	beatAfter = 500 * time.Millisecond // without a commit of its own for so long, a run beats
	lease     = 2 * time.Second        // a run that has not beaten for so long is taken over
)

// Run is one take-up of a job, given to its worker. Its methods that write belong to one goroutine at a time; Report and
// Cancelled may be called by any.
type Run struct {
	ID      string
	Kind    string
	Owner   string // user id; load the person's rights again for each part of the work
	Payload json.RawMessage
	Failure int // earlier runs that ended with an error
	Lane    Lane

	q        *Queue
	fence    int64
	epoch    *int64 // of the codes in Payload; nil = not known
	asked    time.Time
	progress json.RawMessage
	cancel   context.CancelCauseFunc
	ctx      context.Context

	moves  Lane      // to which the job goes when this run gives its place; "" = Long
	begun  time.Time // by the monotonic clock
	looked time.Time // when this run last looked for others who wait

	accompanied atomic.Bool // a job of somebody else that waited for this one runs beside it

	mu          sync.Mutex
	saved       bool // progress, from which another run goes on
	whole       bool // another run would begin again all the same
	done, total int64
	reported    bool // more than what is stored
	results     int64
	committed   time.Time // when this run last wrote, by the monotonic clock
}

// Then reads the codes in the payload, which are those of the time at which the job was made, for definitions. It is asked for again with each part of
// the work, with the definitions of that moment.
func (r *Run) Then(now interface {
	Since(epoch int64, stored time.Time) names.Reading
}) names.Reading {
	if r.epoch == nil {
		return names.Reading{}
	}
	return now.Since(*r.epoch, r.asked)
}

// Decode reads the payload.
func (r *Run) Decode(into any) error {
	if err := json.Unmarshal(r.Payload, into); err != nil {
		return Permanent(fmt.Errorf("payload of the job %s: %w", r.ID, err))
	}
	return nil
}

// Progress reads what was saved when this run began; it returns false, and leaves into alone, when nothing was.
func (r *Run) Progress(into any) (bool, error) {
	if len(r.progress) == 0 {
		return false, nil
	}
	if err := json.Unmarshal(r.progress, into); err != nil {
		return false, Permanent(fmt.Errorf("progress of the job %s: %w", r.ID, err))
	}
	return true, nil
}

// Whole says that another run would begin the work again, whatever this one has saved: it is not asked to give its place.
func (r *Run) Whole() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole = true
}

// Belongs ends the run when its job is found to belong to another lane, in which it begins once more.
func (r *Run) Belongs(lane Lane) error {
	if r.Lane == lane {
		return nil
	}
	r.moves = lane
	return r.end(ErrTurn)
}

// Report says how many of how many units are done; total 0 means not known. It is stored with the next Save, or within a
// second. Inside a Step it counts only if the step does.
func (r *Run) Report(done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done, r.total, r.reported = done, total, true
}

// Cancelled reports whether the work should end: cancelled, taken over, or the process stops.
func (r *Run) Cancelled() bool { return r.ctx.Err() != nil }

// Step does a part of the work and saves the progress that do returns, in one transaction: both happen, or none. A run's
// steps come one after the other.
func (r *Run) Step(ctx context.Context, do func(ctx context.Context, tx *store.Tx) (progress any, err error)) error {
	r.mu.Lock()
	results, done, total := r.results, r.done, r.total
	r.mu.Unlock()
	err := r.q.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		progress, err := do(ctx, tx)
		if err != nil {
			return err
		}
		return r.Save(tx, progress)
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.results, r.done, r.total = results, done, total
		return err
	}
	r.committed = time.Now()
	return nil
}

// Save keeps the progress in a transaction of the worker's own. It belongs into every transaction of the work, as its last
// statement: it refuses (ErrLost, ErrCancelled, ErrOwner) when this run may not write any more, and the transaction must
// then be given up.
func (r *Run) Save(tx *store.Tx, progress any) error {
	text, err := json.Marshal(progress)
	if err != nil {
		return Permanent(fmt.Errorf("progress of the job %s: %w", r.ID, err))
	}
	if !r.q.active(tx.Context(), r.Owner) {
		return r.end(ErrOwner)
	}
	r.mu.Lock()
	set := map[string]any{"progress": string(text), "stalls": 0, "beat": gorm.Expr("beat + 1"), "done": r.done, "total": r.total, "results": r.results}
	r.mu.Unlock()
	saved := r.heldJob(tx).Where("cancel = ?", false).UpdateColumns(set)
	if saved.Error != nil {
		return fmt.Errorf("save the progress of the job %s: %w", r.ID, saved.Error)
	}
	if saved.RowsAffected == 0 {
		return r.end(r.lostReason(tx))
	}
	r.mu.Lock()
	r.saved = true
	r.mu.Unlock()
	return nil
}

// Results appends to the job's result list, in the transaction of the work that they tell of.
func (r *Run) Results(tx *store.Tx, results ...Result) error {
	if len(results) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := make([]resultRow, len(results))
	for i, one := range results {
		args, err := json.Marshal(one.Args)
		if err != nil {
			return fmt.Errorf("result of the job %s: %w", r.ID, err)
		}
		r.results++
		rows[i] = resultRow{JobID: r.ID, Sequence: r.results, RecordID: one.Record, Name: one.Name, OK: one.OK, Field: one.Field, Code: int(one.Code), Args: string(args)}
	}
	return tx.System().CreateInBatches(&rows, 100).Error
}

// heldJob selects the job as long as this run holds it.
func (r *Run) heldJob(tx *store.Tx) *gorm.DB {
	return tx.System().Model(&row{}).Where("id = ? AND fence = ? AND state = ?", r.ID, r.fence, Running)
}

// lostReason tells which of the conditions of a write did not hold.
func (r *Run) lostReason(tx *store.Tx) error {
	var now row
	err := tx.System().Select("fence", "state", "cancel").Where("id = ?", r.ID).Take(&now).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return ErrLost
	case err != nil:
		return err
	case now.Fence != r.fence || now.State != Running || !now.Cancel:
		return ErrLost
	}
	return ErrCancelled
}

// end ends the run's context for a reason.
func (r *Run) end(why error) error {
	r.cancel(why)
	return why
}

// beat keeps the job ours while the worker is busy, until the context ends.
func (r *Run) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !r.q.active(ctx, r.Owner) {
			r.cancel(ErrOwner)
			return
		}
		if err := r.heartbeat(ctx); err != nil && ctx.Err() == nil {
			r.q.cfg.Log.Warn("job heartbeat failed", "job", r.ID, "error", err)
		}
		if err := r.giveWay(ctx); err != nil && ctx.Err() == nil {
			r.q.cfg.Log.Warn("look for jobs that wait", "job", r.ID, "error", err)
		}
	}
}

// giveWay ends the run when it has had its turn and others wait in its lane. A run that has saved nothing, or nothing that helps, would do all of its work again:
// it goes on, and one of theirs begins beside it.
func (r *Run) giveWay(ctx context.Context) error {
	r.mu.Lock()
	goesOn := r.saved && !r.whole
	r.mu.Unlock()
	if time.Since(r.begun) < r.q.cfg.Turn || time.Since(r.looked) < min(lookEvery, r.q.cfg.Turn) || r.accompanied.Load() {
		return nil
	}
	r.looked = time.Now()
	waits := false
	err := r.q.cfg.DB.Read(store.Promptly(ctx), func(_ context.Context, tx *store.Tx) (err error) {
		waits, err = others(tx, r.Lane, r.Owner, r.q.now())
		return err
	})
	switch {
	case err != nil || !waits:
	case goesOn:
		r.cancel(ErrTurn)
	default:
		r.q.beside(r)
	}
	return err
}

// heartbeat beats if it is time to, and looks whether the job shall stop.
func (r *Run) heartbeat(ctx context.Context) error {
	r.mu.Lock()
	due, done, total := r.reported || time.Since(r.committed) > beatAfter, r.done, r.total
	r.reported = false
	r.mu.Unlock()
	if !due {
		return nil // Save has just looked
	}
	return r.q.cfg.DB.Write(store.Promptly(ctx), func(_ context.Context, tx *store.Tx) error {
		held := r.heldJob(tx).UpdateColumns(map[string]any{"beat": gorm.Expr("beat + 1"), "done": done, "total": total})
		if held.Error != nil {
			return held.Error
		}
		if held.RowsAffected == 0 {
			r.cancel(ErrLost)
			return nil
		}
		var now row
		if err := tx.System().Select("cancel").Where("id = ?", r.ID).Take(&now).Error; err != nil {
			return err
		}
		if now.Cancel {
			r.cancel(ErrCancelled)
		}
		return nil
	})
}
