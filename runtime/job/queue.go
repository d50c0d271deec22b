package job

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	defaultAttempts = 3
	stopTime        = 10 * time.Second // for runs to return once they are told
	maxPayload      = 1 << 20          // larger things are files
)

// Config of a Queue.
type Config struct {
	DB      *store.DB
	Workers int                                          // jobs that this process runs at once beside deliveries, half of them short ones; 0 = it only enqueues
	Turn    time.Duration                                // after which a job gives its place to others who wait; 0 = 20 s
	Node    string                                       // name of this process for operators; "" = the host's name and the process id
	Active  func(ctx context.Context, owner string) bool // whether a person may still have work done
	Backoff func(failures int) time.Duration             // nil: 2 s, 4 s, 8 s ... at most ten minutes, with some chance
	Clock   func() time.Time                             // nil is time.Now
	Log     *slog.Logger                                 // nil discards
}

// Queue holds the jobs of an installation. It is safe for concurrent use.
type Queue struct {
	cfg      Config
	client   string // River's name of this process, another one for each queue
	river    *river.Client[*sql.Tx]
	riverLog *slog.Logger
	workers  map[string]Worker

	mu       sync.Mutex
	started  bool
	stopping bool
	runs     map[string]*Run // under way in this process
	extra    map[Lane]int    // runs beside those that cannot give their place
	stop     context.CancelFunc
	loops    sync.WaitGroup
	extras   sync.WaitGroup
}

// New makes a queue and, where they are missing, River's tables. Register the workers, then Start.
func New(ctx context.Context, c Config) (*Queue, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Backoff == nil {
		c.Backoff = backoff
	}
	c.Turn = cmp.Or(c.Turn, turn)
	if c.Node == "" {
		c.Node = HostNode()
	}
	q := &Queue{cfg: c, client: uuid.NewString(), workers: map[string]Worker{}, runs: map[string]*Run{}, extra: map[Lane]int{}}
	q.riverLog = slog.New(atLeast{c.Log.Handler(), slog.LevelWarn})
	d := driverOf(c.DB)
	if err := migrate(ctx, c.DB, d, q.riverLog); err != nil {
		return nil, err
	}
	var err error
	if q.river, err = newClient(q, d, c.Workers); err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return q, nil
}

// HostNode names this process by its host, without the domain, and its number there.
func HostNode() string {
	host, err := os.Hostname()
	if host, _, _ = strings.Cut(host, "."); err != nil || host == "" {
		host = "node"
	}
	return fmt.Sprintf("%.28s/%d", strings.ToValidUTF8(host, ""), os.Getpid())
}

func backoff(failures int) time.Duration {
	d := min(time.Second<<min(failures, 10), 10*time.Minute)
	return d + rand.N(d/4+1)
}

// Register says who does the jobs of a kind. It is called before Start.
func (q *Queue) Register(kind string, w Worker) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.started:
		return fmt.Errorf("register the job kind %s: the queue has started", kind)
	case q.workers[kind] != nil:
		return fmt.Errorf("the job kind %s is registered twice", kind)
	}
	q.workers[kind] = w
	return nil
}

// Enqueue makes a job inside a transaction: it exists when that commits, and only then. It returns the job's id, or the id
// of the one that holds the unique key.
func (q *Queue) Enqueue(ctx context.Context, tx *store.Tx, kind string, payload any, o Options) (string, error) {
	if q.worker(kind) == nil {
		return "", fmt.Errorf("no worker is registered for the job kind %q", kind)
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return "", fmt.Errorf("payload of a job %s: %w", kind, err)
	}
	if len(text) > maxPayload {
		return "", fmt.Errorf("the payload of a job %s has %d bytes, more than %d", kind, len(text), maxPayload)
	}
	now, epoch := q.now(), tx.Epoch()
	r := row{Epoch: &epoch, ID: uuid.Must(uuid.NewV7()).String(), Kind: kind, Lane: cmp.Or(o.Lane, Short), State: Queued, Owner: o.Owner, TitleZh: o.Title.Zh, TitleEn: o.Title.En, Subject: o.Subject,
		Payload: string(text), UniqueKey: o.UniqueKey, LiveKey: liveKey(kind, o.UniqueKey), MaxAttempts: o.MaxAttempts, RunAt: o.RunAt.UTC(), CreatedAt: now}
	if r.MaxAttempts <= 0 {
		r.MaxAttempts = defaultAttempts
	}
	if r.RunAt.Before(now) {
		r.RunAt = now
	}
	made := tx.System().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "live_key"}}, DoNothing: true}).Create(&r)
	if made.Error != nil {
		return "", fmt.Errorf("enqueue a job %s: %w", kind, made.Error)
	}
	if made.RowsAffected == 0 {
		return q.holder(tx, *r.LiveKey)
	}
	return r.ID, q.dispatch(ctx, tx, r.ID, r.Lane, r.RunAt)
}

// holder is the job that holds a unique key.
func (q *Queue) holder(tx *store.Tx, key string) (string, error) {
	var r row
	if err := tx.System().Select("id").Where("live_key = ?", key).Take(&r).Error; err != nil {
		return "", fmt.Errorf("the job with the key %s: %w", key, err)
	}
	return r.ID, nil
}

func liveKey(kind, key string) *string {
	if key == "" {
		return nil
	}
	key = kind + ":" + key
	return &key
}

// dispatch inserts a carrier for a queued job.
func (q *Queue) dispatch(ctx context.Context, tx *store.Tx, id string, lane Lane, at time.Time) error {
	var scheduled time.Time // River keeps its own time: zero is at once
	if wait := at.Sub(q.now()); wait > 0 {
		scheduled = time.Now().Add(wait)
	}
	c, err := q.carry(ctx, tx, lane, scheduled)
	if err != nil {
		return err
	}
	return tx.System().Model(&row{}).Where("id = ?", id).UpdateColumns(map[string]any{"carrier": c, "lane": lane}).Error
}

func (q *Queue) worker(kind string) Worker {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.workers[kind]
}

// now is the time as tables keep it.
func (q *Queue) now() time.Time { return q.cfg.Clock().UTC().Truncate(time.Millisecond) }

// Start begins to work. Without workers there is nothing to start.
func (q *Queue) Start(ctx context.Context) error {
	q.mu.Lock()
	q.started = true
	q.mu.Unlock()
	if q.cfg.Workers <= 0 {
		return nil
	}
	run, stop := context.WithCancel(store.Background(context.WithoutCancel(ctx)))
	s := newSweeper(q)
	if !q.cfg.DB.Shared() { // the person who worked on this database is gone
		if err := s.turn(ctx, 0); err != nil {
			stop()
			return fmt.Errorf("take up the jobs of the last process: %w", err)
		}
	}
	if err := q.river.Start(run); err != nil {
		stop()
		return fmt.Errorf("start the job queue: %w", err)
	}
	q.stop = stop
	q.loops.Go(func() { s.loop(run) })
	q.loops.Go(func() { q.tidyLoop(run) })
	return nil
}

// Stop takes up no more jobs and tells those under way to return; they go on later, here or elsewhere.
func (q *Queue) Stop(ctx context.Context) error {
	q.mu.Lock()
	q.stopping = true
	for _, r := range q.runs {
		r.cancel(ErrStopping)
	}
	q.mu.Unlock()
	if q.stop == nil {
		return nil
	}
	grace, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	err := q.river.Stop(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		q.cfg.Log.Warn("jobs did not return in time; they will be taken over")
		hard, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err = q.river.StopAndCancel(hard); errors.Is(err, context.DeadlineExceeded) {
			err = nil // a worker that does not listen: its fence keeps it from writing once the job is taken over
		}
	}
	q.stop()
	q.loops.Wait()
	returned := make(chan struct{})
	go func() { q.extras.Wait(); close(returned) }()
	select {
	case <-returned:
	case <-grace.Done():
	}
	return err
}

// atLeast passes only what is important enough: River tells much of its own life.
type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled implements slog.Handler.
func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h atLeast) WithAttrs(a []slog.Attr) slog.Handler {
	return atLeast{h.Handler.WithAttrs(a), h.level}
}

// WithGroup implements slog.Handler.
func (h atLeast) WithGroup(name string) slog.Handler {
	return atLeast{h.Handler.WithGroup(name), h.level}
}
