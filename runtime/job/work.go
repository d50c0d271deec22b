package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	settleTime = 10 * time.Second       // to write down how a run ended
	elsewhere  = 30 * time.Second       // until a job that this process knows no worker for is offered again
	renewed    = 200 * time.Millisecond // until a job that met a publication goes on; by then this process has taken over the new definitions
	maxError   = 4000                   // bytes of an error text that are kept
)

// execute takes up a job of a lane and works until it ends.
func (q *Queue) execute(ctx context.Context, lane Lane) error {
	r, job, err := q.claim(ctx, lane)
	if err != nil || r == nil {
		return err
	}
	if !q.join(r) {
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.release(tx, 0) })
	}
	defer q.leave(r)
	w := q.worker(r.Kind)
	switch {
	case job.Cancel:
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.finish(tx, outcome{state: Cancelled}) })
	case !q.active(ctx, r.Owner):
		return r.settle(func(ctx context.Context, tx *store.Tx) error {
			return r.finish(tx, outcome{state: Cancelled, code: fault.OwnerDisabled, err: ErrOwner})
		})
	case w == nil:
		q.cfg.Log.Warn("no worker registered for job kind", "job", r.ID, "kind", r.Kind)
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.release(tx, elsewhere) })
	}
	stop := make(chan struct{})
	beating, quiet := context.WithCancel(r.ctx)
	go func() { defer close(stop); r.beat(beating) }()
	result, err := work(w, r)
	quiet()
	<-stop
	return r.conclude(job, result, err)
}

// claim makes the job of a lane whose turn it is this process's; nil when the lane has none that is due.
func (q *Queue) claim(ctx context.Context, lane Lane) (*Run, *row, error) {
	var job row
	for {
		found, taken := false, false
		err := q.cfg.DB.Write(store.Promptly(ctx), func(_ context.Context, tx *store.Tx) (err error) {
			now := q.now()
			if job, found, err = next(tx, lane, now); err != nil || !found {
				return err
			}
			set := map[string]any{"state": Running, "fence": gorm.Expr("fence + 1"), "beat": gorm.Expr("beat + 1"), "node": q.cfg.Node,
				"started_at": gorm.Expr("COALESCE(started_at, ?)", now)}
			res := tx.System().Model(&row{}).Where("id = ? AND state = ? AND fence = ?", job.ID, Queued, job.Fence).UpdateColumns(set)
			if taken = res.RowsAffected > 0; res.Error != nil || !taken {
				return res.Error
			}
			return tx.System().Where("id = ?", job.ID).Take(&job).Error
		})
		if err != nil && !errors.Is(err, store.ErrConflict) || !found {
			return nil, nil, err
		}
		if err == nil && taken { // else another worker was faster
			break
		}
	}
	r := &Run{Lane: job.Lane, begun: time.Now(), ID: job.ID, Kind: job.Kind, Owner: job.Owner, Payload: json.RawMessage(job.Payload), Failure: job.Failures, q: q, fence: job.Fence, epoch: job.Epoch, asked: job.CreatedAt,
		progress: json.RawMessage(job.Progress), done: job.Done, total: job.Total, results: job.Results, committed: time.Now()}
	ctx = store.Background(ctx)
	if r.Owner != "" {
		ctx = store.Awaited(ctx)
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r, &job, nil
}

// join notes a run as under way; false when the process is stopping.
func (q *Queue) join(r *Run) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopping {
		return false
	}
	q.runs[r.ID] = r
	return true
}

func (q *Queue) leave(r *Run) {
	r.cancel(nil)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.runs[r.ID] == r {
		delete(q.runs, r.ID)
	}
}

// active reports whether a job may go on for its owner.
func (q *Queue) active(ctx context.Context, owner string) bool {
	return owner == "" || q.cfg.Active == nil || q.cfg.Active(context.WithoutCancel(ctx), owner)
}

// work calls a worker; a panic is a failure of the job only.
func work(w Worker, r *Run) (result any, err error) {
	defer func() {
		if v := recover(); v != nil {
			r.q.cfg.Log.Error("panic in a job", "job", r.ID, "kind", r.Kind, "value", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return w.Work(r.ctx, r)
}

// outcome is how a run ended.
type outcome struct {
	state  State
	result string // JSON
	code   fault.Code
	args   []any
	err    error
}

// conclude writes down how the run ended.
func (r *Run) conclude(job *row, result any, err error) error {
	cause := context.Cause(r.ctx)
	o := outcome{state: Done}
	if err == nil && result != nil {
		var text []byte
		if text, err = json.Marshal(result); err != nil {
			err = Permanent(fmt.Errorf("result of a job %s: %w", r.Kind, err))
		}
		o.result = string(text)
	}
	switch {
	case err == nil:
	case is(ErrLost, err, cause):
		r.q.cfg.Log.Warn("a job was taken over", "job", r.ID, "kind", r.Kind)
		return nil
	case is(ErrCancelled, err, cause):
		o = outcome{state: Cancelled}
	case is(ErrOwner, err, cause):
		o = outcome{state: Cancelled, code: fault.OwnerDisabled, err: ErrOwner}
	case is(ErrTurn, err, cause):
		r.Lane = cmp.Or(r.moves, Long)
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.release(tx, 0) })
	case cause != nil: // the process stops
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.release(tx, 0) })
	case errors.Is(err, store.ErrSchemaMoved): // what the run has saved is kept; another one goes on with the new definitions
		r.q.cfg.Log.Info("a job met a publication and begins again", "job", r.ID, "kind", r.Kind)
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.release(tx, renewed) })
	case !isPermanent(err) && job.Failures+1 < job.MaxAttempts:
		r.q.cfg.Log.Warn("a job failed and will be tried again", "job", r.ID, "kind", r.Kind, "failures", job.Failures+1, "error", err)
		return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.again(tx, job, err) })
	default:
		r.q.cfg.Log.Error("a job failed", "job", r.ID, "kind", r.Kind, "error", err)
		o = failure(r.ID, err)
	}
	return r.settle(func(ctx context.Context, tx *store.Tx) error { return r.finish(tx, o) })
}

func is(target error, errs ...error) bool {
	for _, err := range errs {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// failure is the outcome of an error: what the user may read of it, and what operators need.
func failure(id string, err error) outcome {
	o := outcome{state: Failed, code: fault.Internal, args: []any{id}, err: err}
	var f *fault.Error
	if errors.As(err, &f) {
		if o.code = f.Code; f.Code != fault.RecordUnseen { // whose id, for the log, is the job's
			o.args = f.Args
		}
	}
	return o
}

// settle writes the end of a run, also when the process is stopping. When it cannot, the job is taken over after a while.
func (r *Run) settle(f func(ctx context.Context, tx *store.Tx) error) error {
	ctx, cancel := context.WithTimeout(store.Promptly(context.WithoutCancel(r.ctx)), settleTime)
	defer cancel()
	err := r.q.cfg.DB.Write(ctx, f)
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// put writes the job's columns if it is still ours.
func (r *Run) put(tx *store.Tx, set map[string]any) error {
	r.mu.Lock()
	set["done"], set["total"] = r.done, r.total
	r.mu.Unlock()
	res := r.heldJob(tx).UpdateColumns(set)
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrLost
	}
	return res.Error
}

// finish ends the job.
func (r *Run) finish(tx *store.Tx, o outcome) error {
	set, err := r.q.ended(o)
	if err != nil {
		return err
	}
	return r.put(tx, set)
}

// ended are the columns of a job that ends.
func (q *Queue) ended(o outcome) (map[string]any, error) {
	set := map[string]any{"state": o.state, "live_key": nil, "finished_at": q.now(), "error_code": int(o.code), "error": "", "error_args": ""}
	if o.err != nil {
		set["error"] = clip(o.err.Error())
	}
	if len(o.args) > 0 {
		text, err := json.Marshal(o.args)
		if err != nil {
			return nil, fmt.Errorf("arguments of a job's error: %w", err)
		}
		set["error_args"] = string(text)
	}
	if o.result != "" {
		set["result"] = o.result
	}
	return set, nil
}

func clip(text string) string {
	if len(text) > maxError {
		text = text[:maxError]
	}
	return string([]rune(text)) // what the cut left of a character becomes the replacement character
}

// release puts the job back as it is.
func (r *Run) release(tx *store.Tx, after time.Duration) error {
	at := r.q.now().Add(after)
	if err := r.put(tx, map[string]any{"state": Queued, "run_at": at}); err != nil {
		return err
	}
	return r.q.dispatch(r.endless(), tx, r.ID, r.Lane, at)
}

// again puts the job back after a failure.
func (r *Run) again(tx *store.Tx, job *row, err error) error {
	at := r.q.now().Add(r.q.cfg.Backoff(job.Failures + 1))
	o := failure(r.ID, err)
	if e := r.put(tx, map[string]any{"state": Queued, "run_at": at, "failures": job.Failures + 1, "error": clip(o.err.Error()), "error_code": int(o.code)}); e != nil {
		return e
	}
	return r.q.dispatch(r.endless(), tx, r.ID, r.Lane, at)
}

// endless is the run's context without its end.
func (r *Run) endless() context.Context { return context.WithoutCancel(r.ctx) }
