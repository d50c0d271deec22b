package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// List returns a page of a person's jobs, the newest first, and how many there are.
func (q *Queue) List(ctx context.Context, owner string, page, size int) (out []Job, total int64, err error) {
	err = q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Model(&row{}).Where("owner = ?", owner).Count(&total).Error; err != nil {
			return err
		}
		var rows []row
		if err := tx.System().Where("owner = ?", owner).Order("id DESC").Offset(page * size).Limit(size).Find(&rows).Error; err != nil {
			return err
		}
		places, err := ahead(tx, rows, q.now())
		if err != nil {
			return err
		}
		for _, r := range rows {
			job, err := r.job()
			if err != nil {
				return err
			}
			job.Ahead = places[r.ID]
			out = append(out, job)
		}
		return nil
	})
	return out, total, err
}

// Get returns a person's job; of other people's it knows nothing.
func (q *Queue) Get(ctx context.Context, owner, id string) (out Job, err error) {
	err = q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = q.GetIn(tx, owner, id)
		return err
	})
	return out, err
}

// GetIn is Get inside a transaction.
func (q *Queue) GetIn(tx *store.Tx, owner, id string) (Job, error) {
	r, err := of(owner).take(tx, id)
	if err != nil {
		return Job{}, err
	}
	places, err := ahead(tx, []row{*r}, q.now())
	if err != nil {
		return Job{}, err
	}
	out, err := r.job()
	out.Ahead = places[id]
	return out, err
}

// Payload returns what a person's job was made for, as its kind encodes it.
func (q *Queue) Payload(ctx context.Context, owner, id string) (payload json.RawMessage, err error) {
	err = q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		r, err := of(owner).take(tx, id)
		if err == nil {
			payload = json.RawMessage(r.Payload)
		}
		return err
	})
	return payload, err
}

// Results returns a page of the result list of a person's job, or of the failures in it, and how long that is.
func (q *Queue) Results(ctx context.Context, owner, id string, failed bool, page, size int) (out []Result, total int64, err error) {
	err = q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		if _, err := of(owner).take(tx, id); err != nil {
			return err
		}
		list := func() *gorm.DB {
			if failed {
				return tx.System().Where("job_id = ? AND ok = ?", id, false)
			}
			return tx.System().Where("job_id = ?", id)
		}
		if err := list().Model(&resultRow{}).Count(&total).Error; err != nil {
			return err
		}
		var rows []resultRow
		if err := list().Order("sequence").Offset(page * size).Limit(size).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			args, err := arguments(r.Args)
			if err != nil {
				return err
			}
			out = append(out, Result{Sequence: r.Sequence, Record: r.RecordID, Name: r.Name, OK: r.OK, Field: r.Field, Code: fault.Code(r.Code), Args: args})
		}
		return nil
	})
	return out, total, err
}

// Cancel stops a person's job: at once when it waits, within a second when it runs. What it has done so far stays.
func (q *Queue) Cancel(ctx context.Context, owner, id string) error {
	return q.cancel(ctx, id, of(owner))
}

func (q *Queue) cancel(ctx context.Context, id string, whose scope) error {
	err := q.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		r, err := whose.take(tx, id)
		if err != nil {
			return err
		}
		waiting := tx.System().Model(&row{}).Where("id = ? AND state = ?", id, Queued)
		set, err := q.ended(outcome{state: Cancelled})
		if err != nil {
			return err
		}
		if res := waiting.UpdateColumns(set); res.Error != nil || res.RowsAffected > 0 {
			return res.Error
		}
		running := tx.System().Model(&row{}).Where("id = ? AND state = ?", r.ID, Running).UpdateColumn("cancel", true)
		if running.Error == nil && running.RowsAffected == 0 {
			return fault.New(fault.JobState)
		}
		return running.Error
	})
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if r := q.runs[id]; r != nil {
		r.cancel(ErrCancelled)
	}
	return nil
}

// Retry queues a person's job that failed or was cancelled once more. It goes on behind the progress that it saved.
func (q *Queue) Retry(ctx context.Context, owner, id string) error {
	return q.retry(ctx, id, of(owner))
}

func (q *Queue) retry(ctx context.Context, id string, whose scope) error {
	err := q.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := whose.take(tx, id)
		if err != nil {
			return err
		}
		now := q.now()
		set := map[string]any{"state": Queued, "fence": gorm.Expr("fence + 1"), "failures": 0, "stalls": 0, "cancel": false, "error": "", "error_code": 0,
			"error_args": "", "finished_at": nil, "run_at": now, "live_key": liveKey(r.Kind, r.UniqueKey)}
		res := tx.System().Model(&row{}).Where("id = ? AND state IN ?", id, []State{Failed, Cancelled}).UpdateColumns(set)
		switch {
		case res.Error != nil:
			return res.Error
		case res.RowsAffected == 0:
			return fault.New(fault.JobState)
		}
		return q.dispatch(ctx, tx, id, cmp.Or(r.Lane, Short), now)
	})
	var duplicate *store.Duplicate
	if errors.As(err, &duplicate) {
		return fault.Wrap(err, fault.JobState) // another of the same key is under way
	}
	return err
}

// Counts tells how many jobs of all people wait, run, and have failed.
func (q *Queue) Counts(ctx context.Context) (map[State]int64, error) {
	out := map[State]int64{}
	err := q.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, s := range []State{Queued, Running, Failed} {
			var n int64
			if err := tx.System().Model(&row{}).Where("state = ?", s).Count(&n).Error; err != nil {
				return err
			}
			out[s] = n
		}
		return nil
	})
	return out, err
}

// scope says whose jobs a call is about.
type scope func(tx *store.Tx) *gorm.DB

// of are the jobs of a person. The system's own belong to nobody.
func of(owner string) scope {
	return func(tx *store.Tx) *gorm.DB { return tx.System().Where("owner = ? AND owner <> ?", owner, "") }
}

func (s scope) take(tx *store.Tx, id string) (*row, error) {
	var r row
	err := s(tx).Where("id = ?", id).Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, fault.New(fault.JobNotFound)
	}
	return &r, err
}

// job is a row as its owner sees it.
func (r *row) job() (Job, error) {
	j := Job{ID: r.ID, Kind: r.Kind, Title: Title{Zh: r.TitleZh, En: r.TitleEn}, Subject: r.Subject, State: r.State, Done: r.Done, Total: r.Total, Results: r.Results,
		Cancelling: r.State == Running && r.Cancel, Created: r.CreatedAt, Started: r.StartedAt, Finished: r.FinishedAt}
	if r.Result != "" {
		j.Result = json.RawMessage(r.Result)
	}
	if r.State == Failed || r.State == Cancelled {
		j.Code = fault.Code(r.ErrorCode)
	}
	var err error
	j.Args, err = arguments(r.ErrorArgs)
	return j, err
}

func arguments(text string) (args []any, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return nil, fmt.Errorf("arguments of a job: %w", err)
	}
	return args, nil
}
