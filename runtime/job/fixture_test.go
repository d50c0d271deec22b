package job_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// unit is a row that a job's work writes; one with the same number twice is a unit that was done twice.
type unit struct {
	ID   string `gorm:"primaryKey;size:36"`
	Job  string
	N    int64
	Node string
}

func (unit) TableName() string { return "test_unit" }

// BeforeCreate gives the row an id behind those before.
func (u *unit) BeforeCreate(*gorm.DB) error {
	u.ID = uuid.Must(uuid.NewV7()).String()
	return nil
}

func tables() []any { return append(job.Tables(), &unit{}) }

const owner = "0192-owner"

// each runs f on both databases.
func each(t *testing.T, f func(t *testing.T, o store.Options)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = tables()
		f(t, o)
	})
}

// queue opens a queue on a database; start it when its workers are registered.
func queue(t *testing.T, db *store.DB, change ...func(*job.Config)) *job.Queue {
	t.Helper()
	c := job.Config{DB: db, Workers: 4, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Backoff: func(int) time.Duration { return time.Millisecond }}
	for _, f := range change {
		f(&c)
	}
	q, err := job.New(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, q.Stop(context.Background())) })
	return q
}

func register(t *testing.T, q *job.Queue, kind string, w job.WorkerFunc) {
	t.Helper()
	require.NoError(t, q.Register(kind, w))
}

func enqueue(t *testing.T, db *store.DB, q *job.Queue, kind string, payload any, o job.Options) (id string) {
	t.Helper()
	if o.Owner == "" {
		o.Owner = owner
	}
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		id, err = q.Enqueue(t.Context(), tx, kind, payload, o)
		return err
	}))
	return id
}

func get(t *testing.T, q *job.Queue, id string) job.Job {
	t.Helper()
	j, err := q.Get(t.Context(), owner, id)
	require.NoError(t, err)
	return j
}

// patience is for a machine that other packages' tests keep busy; a job that works is done in a second or two.
const patience = 4 * time.Minute

func await(t *testing.T, q *job.Queue, id string, want job.State) job.Job {
	t.Helper()
	var j job.Job
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if j = get(t, q, id); j.State == want {
			return j
		}
	}
	require.Failf(t, "the job does not get there", "%s is %s, not %s", id, j.State, want)
	return j
}

// count is the worker of jobs that write units one by one. Payload: how many.
func count(node string, pause time.Duration) job.WorkerFunc {
	return func(ctx context.Context, r *job.Run) (any, error) {
		var total, next int64
		if err := r.Decode(&total); err != nil {
			return nil, err
		}
		if _, err := r.Progress(&next); err != nil {
			return nil, err
		}
		for ; next < total; next++ {
			err := r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				r.Report(next+1, total)
				if err := r.Results(tx, job.Result{Record: fmt.Sprint(next), OK: true}); err != nil {
					return nil, err
				}
				return next + 1, tx.System().Create(&unit{Job: r.ID, N: next, Node: node}).Error
			})
			if err != nil {
				return nil, err
			}
			time.Sleep(pause)
		}
		return map[string]int64{"units": total}, nil
	}
}

// units reads what jobs have written, and says how many different ones there are.
func units(t *testing.T, db *store.DB, id string) (all []unit, different int) {
	t.Helper()
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("job = ?", id).Order("id").Find(&all).Error
	}))
	seen := map[int64]bool{}
	for _, u := range all {
		seen[u.N] = true
	}
	return all, len(seen)
}
