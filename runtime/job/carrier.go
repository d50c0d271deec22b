package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	pollEvery   = 250 * time.Millisecond // how soon a due job is noticed
	keepCarrier = time.Hour              // carriers are of no interest once they ran
)

// carrier is the River job that takes up one of ours. Its row means "this lane has work", so one too many does no harm.
type carrier struct {
	Lane Lane `json:"lane"`
}

// Kind implements river.JobArgs.
func (carrier) Kind() string { return "sluice_job" }

// carrierWorker hands carriers to the queue.
type carrierWorker struct {
	river.WorkerDefaults[carrier]
	q *Queue
}

// Work implements river.Worker.
func (w *carrierWorker) Work(ctx context.Context, c *river.Job[carrier]) error {
	return w.q.execute(ctx, c.Args.Lane)
}

// driverOf is River's driver over the store's own pool, so that it writes through the same connections as everybody.
func driverOf(db *store.DB) riverdriver.Driver[*sql.Tx] {
	if db.Dialect() == "sqlite" {
		return riversqlite.New(db.Pool())
	}
	return riverdatabasesql.New(db.Pool())
}

// migrate makes River's tables. Its steps are transactions: when several processes start together, those that lose a race
// find the step taken.
func migrate(ctx context.Context, db *store.DB, d riverdriver.Driver[*sql.Tx], log *slog.Logger) error {
	m, err := rivermigrate.New(d, &rivermigrate.Config{Logger: log})
	if err != nil || migrated(ctx, db, m) {
		return err
	}
	for try := range 10 {
		if _, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try+1) * 50 * time.Millisecond):
		}
	}
	return fmt.Errorf("make River's tables: %w", err)
}

// migrated reports whether the last step was taken. River's own look goes through views of the catalog, which takes longer than all
// else that a start asks of PostgreSQL. Of a new database it cannot be told, and is false.
func migrated(ctx context.Context, db *store.DB, m *rivermigrate.Migrator[*sql.Tx]) bool {
	all, n := m.AllVersions(), 0
	err := db.Pool().QueryRowContext(ctx, "SELECT count(*) FROM river_migration WHERE line = $1 AND version = $2", riverdriver.MigrationLineMain,
		all[len(all)-1].Version).Scan(&n)
	return err == nil && n > 0
}

// newClient makes River's client; without workers it only inserts.
func newClient(q *Queue, d riverdriver.Driver[*sql.Tx], workers int) (*river.Client[*sql.Tx], error) {
	c := &river.Config{
		ID: q.client, Logger: q.riverLog, MaxAttempts: 1, JobTimeout: -1, // our own beat reports whether a run lives
		FetchPollInterval: pollEvery, FetchCooldown: 100 * time.Millisecond, PollOnly: true,
		CompletedJobRetentionPeriod: keepCarrier, CancelledJobRetentionPeriod: keepCarrier, DiscardedJobRetentionPeriod: keepCarrier,
	}
	if workers > 0 {
		c.Queues = map[string]river.QueueConfig{}
		for lane, n := range lanes(workers) {
			c.Queues[string(lane)] = river.QueueConfig{MaxWorkers: n}
		}
		c.Workers = river.NewWorkers()
		if err := river.AddWorkerSafely(c.Workers, &carrierWorker{q: q}); err != nil {
			return nil, err
		}
	}
	return river.NewClient(d, c)
}

// lanes tells how many jobs of each lane run at once.
func lanes(workers int) map[Lane]int {
	half := (workers + 1) / 2
	return map[Lane]int{Short: half, Long: half, Deliveries: 2} // mail waits for no webhook
}

// carry inserts a carrier into a lane in a transaction and returns its id.
func (q *Queue) carry(ctx context.Context, tx *store.Tx, lane Lane, at time.Time) (carrierID int64, err error) {
	err = tx.Lend(ctx, func(ctx context.Context, inner *sql.Tx) error {
		made, err := q.river.InsertTx(ctx, inner, carrier{lane}, &river.InsertOpts{Queue: string(lane), ScheduledAt: at})
		if err != nil {
			return fmt.Errorf("insert a carrier: %w", err)
		}
		carrierID = made.Job.ID
		return nil
	})
	return carrierID, err
}

// carrying reports whether a carrier can still start its job: certainly, certainly not, or it is being worked right now.
func (q *Queue) carrying(ctx context.Context, carrierID int64) (will, now bool, err error) {
	c, err := q.river.JobGet(ctx, carrierID)
	switch {
	case errors.Is(err, rivertype.ErrNotFound):
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	switch c.State {
	case rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStateRetryable, rivertype.JobStatePending:
		return true, false, nil
	case rivertype.JobStateRunning:
		return true, true, nil
	}
	return false, false, nil
}
