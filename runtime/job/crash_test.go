package job_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// The environment that makes the test binary a worker process instead: its node's name, and the database.
const (
	envNode = "SLUICE_TEST_NODE"
	envURL  = "SLUICE_TEST_URL"
	envDir  = "SLUICE_TEST_DIR"
	envSlow = "SLUICE_TEST_SLOW" // the pause after a unit
)

func TestMain(m *testing.M) {
	if node := os.Getenv(envNode); node != "" {
		if err := work(node, store.Options{URL: os.Getenv(envURL), Dir: os.Getenv(envDir), System: tables()}); err != nil {
			fmt.Fprintln(os.Stderr, node, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work is a worker process: it counts until it is interrupted.
func work(node string, o store.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	q, err := job.New(ctx, job.Config{DB: db, Workers: 2, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return err
	}
	pause, err := time.ParseDuration(os.Getenv(envSlow))
	if err != nil {
		return err
	}
	if err := q.Register("count", count(node, pause)); err != nil {
		return err
	}
	if err := q.Start(ctx); err != nil {
		return err
	}
	fmt.Println("started")
	<-ctx.Done()
	if err := q.Stop(context.Background()); err != nil {
		return err
	}
	return db.Close()
}

// process starts a worker process, waits until its queue has started, and returns how to kill it.
func process(t *testing.T, node string, pause time.Duration, o store.Options) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), envNode+"="+node, envURL+"="+o.URL, envDir+"="+o.Dir, envSlow+"="+pause.String())
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	var once sync.Once
	kill = func() {
		once.Do(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started\n", line)
	return kill
}

// TestKill kills the working process at random moments of a job over thousands of units. After each start the job goes
// on within five seconds, and in the end each unit was done exactly once.
func TestKill(t *testing.T) {
	many, kills := storetest.Full(2500, 5000), storetest.Full(1, 5)
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db, func(c *job.Config) { c.Workers = 0 })
		register(t, q, "count", nothing)
		id := enqueue(t, db, q, "count", many, job.Options{MaxAttempts: 1})
		moments := make([]int, kills)
		for i := range moments {
			moments[i] = 50 + rand.IntN(many-1500)
		}
		slices.Sort(moments)
		t.Log("killed near", moments)
		written := func() int { return tally(t, db, id, "%") }
		for turn := range kills + 1 {
			before := written()
			kill := process(t, fmt.Sprint(turn), 0, o)
			start := time.Now()
			require.Eventually(t, func() bool { return tally(t, db, id, fmt.Sprint(turn)) > 0 }, 30*time.Second, 5*time.Millisecond)
			took := time.Since(start)
			t.Logf("start %d: at work again after %v, behind %d", turn, took.Round(time.Millisecond), before)
			require.Less(t, took, 5*time.Second)
			if turn == len(moments) {
				break
			}
			target := max(moments[turn], before+1)
			for end := time.Now().Add(time.Minute); written() < target && time.Now().Before(end); {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			}
			kill()
			if written() == many { // the job was quicker than the kill: nothing is left but to say that it has ended
				process(t, "last", 0, o)
				break
			}
		}
		j := await(t, q, id, job.Done)
		require.EqualValues(t, many, j.Done)
		require.EqualValues(t, many, j.Total)
		require.EqualValues(t, many, j.Results)
		all, different := units(t, db, id)
		require.Len(t, all, many)
		require.Equal(t, many, different)
		for i, u := range all {
			require.EqualValues(t, i, u.N)
		}
	})
}

// tally counts the units that a node has written for a job; both may be patterns.
func tally(t *testing.T, db *store.DB, id, node string) int {
	t.Helper()
	var c int64
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&unit{}).Where("job LIKE ? AND node LIKE ?", id, node).Count(&c).Error
	}))
	return int(c)
}

// nothing is a worker of queues that only enqueue.
func nothing(context.Context, *job.Run) (any, error) { return nil, nil }

// TestTwoNodes lets two processes on one PostgreSQL share many jobs while one of them is killed: each unit of each job is
// done exactly once, and both nodes take part.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	o := store.Options{URL: storetest.Postgres(t), System: tables()}
	db := storetest.Open(t, o)
	q := queue(t, db, func(c *job.Config) { c.Workers = 0 })
	register(t, q, "count", nothing)
	const jobs, each = 12, 300
	var ids []string
	kill := process(t, "a", 3*time.Millisecond, o)
	process(t, "b", 3*time.Millisecond, o)
	for range jobs {
		ids = append(ids, enqueue(t, db, q, "count", each, job.Options{}))
	}
	working := func(node string) bool { return tally(t, db, "%", node) > 100 }
	require.Eventually(t, func() bool { return working("a") && working("b") }, 30*time.Second, 5*time.Millisecond)
	kill()
	for _, id := range ids {
		require.EqualValues(t, each, await(t, q, id, job.Done).Done)
		all, different := units(t, db, id)
		require.Len(t, all, each)
		require.Equal(t, each, different)
	}
}

// TestFence: a worker that was away for longer than its lease can write nothing once its job was taken over.
func TestFence(t *testing.T) {
	t.Parallel()
	o := store.Options{URL: storetest.Postgres(t), System: tables()}
	first, second := storetest.Open(t, o), storetest.Open(t, o)
	q := queue(t, first)
	asleep, awake, ended := make(chan bool), make(chan bool), make(chan error, 1)
	register(t, q, "count", func(ctx context.Context, r *job.Run) (any, error) {
		if begun, err := r.Progress(new(int)); begun || err != nil {
			return count("first", 0)(ctx, r) // taken up again by the same node
		}
		err := r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
			return 1, tx.System().Create(&unit{Job: r.ID, N: 0, Node: "first"}).Error
		})
		if err != nil {
			return nil, err
		}
		close(asleep)
		<-awake
		// The context has ended; a worker that does not look at it is refused all the same.
		err = r.Step(context.WithoutCancel(ctx), func(ctx context.Context, tx *store.Tx) (any, error) {
			return 2, tx.System().Create(&unit{Job: r.ID, N: 1, Node: "first"}).Error
		})
		ended <- err
		return "mine", nil
	})
	require.NoError(t, q.Start(t.Context()))
	id := enqueue(t, first, q, "count", 3, job.Options{})
	<-asleep
	// As a network that was cut would look to the other node: the job does not beat.
	lost := func() bool {
		var rows int64
		require.NoError(t, second.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			r := tx.System().Exec("UPDATE sl_job SET fence = fence + 1, state = 'queued', carrier = 0 WHERE id = ? AND state = 'running'", id)
			rows = r.RowsAffected
			return r.Error
		}))
		return rows == 1
	}
	require.True(t, lost())
	other := queue(t, second)
	register(t, other, "count", count("second", 0))
	require.NoError(t, other.Start(t.Context()))
	j := await(t, other, id, job.Done)
	close(awake)
	require.ErrorIs(t, <-ended, job.ErrLost)
	time.Sleep(100 * time.Millisecond)
	require.JSONEq(t, `{"units":3}`, string(j.Result))
	require.JSONEq(t, `{"units":3}`, string(get(t, other, id).Result))
	all, different := units(t, first, id)
	require.Len(t, all, 3)
	require.Equal(t, 3, different)
}

// TestHardProcess: a job that takes its process down each time is given up instead of taking down every node forever.
func TestHardProcess(t *testing.T) {
	t.Parallel()
	o := store.Options{Dir: t.TempDir(), System: tables()}
	db := storetest.Open(t, o)
	q := queue(t, db)
	register(t, q, "deadly", nothing)
	id := enqueue(t, db, q, "deadly", nil, job.Options{})
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Exec("UPDATE sl_job SET state = 'running', fence = 5, stalls = 4 WHERE id = ?", id).Error
	}))
	require.NoError(t, q.Start(t.Context()))
	await(t, q, id, job.Failed)
}
