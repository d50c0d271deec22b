package bulk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// The environment that makes the test binary a worker process instead.
const (
	envURL  = "SLUICE_TEST_URL"
	envDir  = "SLUICE_TEST_DIR"
	envRows = "SLUICE_BULK_ROWS" // how many records TestKill changes; 50000 takes minutes
	envOn   = "SLUICE_TEST_WORKER"
)

func TestMain(m *testing.M) {
	if os.Getenv(envOn) == "" {
		os.Exit(m.Run())
	}
	if _, err := open(store.Options{URL: os.Getenv(envURL), Dir: os.Getenv(envDir)}, 2); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("started")
	select {} // until it is killed
}

// process starts a worker process and returns how to kill it.
func process(t *testing.T, o store.Options) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), envOn+"=1", envURL+"="+o.URL, envDir+"="+o.Dir)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	kill = func() { _, _ = c.Process.Kill(), c.Wait() }
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started\n", line)
	return kill
}

// TestKill changes many records by one job whose process is killed at random moments: in the end each record was
// changed exactly once, and the result list and the log are complete.
func TestKill(t *testing.T) {
	each(t, 0, func(t *testing.T, w *world, o store.Options) {
		rows := storetest.Full(1_000, 4_000)
		if n, err := strconv.Atoi(os.Getenv(envRows)); err == nil {
			rows = n
		}
		w.fill(rows)
		out, err := w.run(w.boss, bulk.Request{Kind: bulk.BatchUpdate, Property: "note", Value: json.RawMessage(`"after"`), Selection: query.SelectionRequest{All: true}})
		require.NoError(t, err)
		require.EqualValues(t, rows, out.Total)
		moments := make([]int, storetest.Full(1, 5))
		for i := range moments {
			moments[i] = 1 + rand.IntN(rows-rows/20)
		}
		slices.Sort(moments)
		start := time.Now()
		for _, moment := range moments {
			kill := process(t, o)
			for w.reached(*out.JobID) < int64(moment) {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			}
			kill()
			t.Logf("killed at %d of %d", w.reached(*out.JobID), rows)
		}
		kill := process(t, o)
		w.finish(*out.JobID, 10*time.Minute)
		kill()
		t.Logf("%d records in %v", rows, time.Since(start).Round(time.Second))
		j, err := w.app.Jobs().Get(t.Context(), w.boss, *out.JobID)
		require.NoError(t, err)
		require.Equal(t, job.Done, j.State)
		require.EqualValues(t, rows, j.Results)
		require.EqualValues(t, rows, w.count("SELECT count(DISTINCT record_id) FROM sl_job_result WHERE job_id = ? AND ok", j.ID))
		require.EqualValues(t, rows, w.count("SELECT count(DISTINCT record) FROM sl_batch_change WHERE batch = ?", *out.LogID))
		require.EqualValues(t, rows, w.count("SELECT success FROM sl_batch WHERE id = ?", *out.LogID))
		require.EqualValues(t, rows, w.count("SELECT count(*) FROM sl_history WHERE model = ? AND version = 2", "item"))
		require.Zero(t, w.count("SELECT count(*) FROM sl_history WHERE model = ? AND version > 2", "item"))
		require.EqualValues(t, rows, w.matching("note", "after", 2))
	})
}

func (w *world) reached(id string) int64 { return w.count("SELECT done FROM sl_job WHERE id = ?", id) }

func (w *world) finish(id string, within time.Duration) {
	w.Helper()
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if j, err := w.app.Jobs().Get(w.Context(), w.boss, id); err == nil && j.Finished != nil {
			return
		}
	}
	w.Fatal("the job does not end")
}

func (w *world) count(text string, args ...any) (n int64) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Raw(text, args...).Scan(&n).Error }))
	return n
}

// matching counts the items with a value in a version.
func (w *world) matching(column, value string, version int64) (n int64) {
	w.Helper()
	where := plan.AllOf(&plan.Compare{Op: plan.EQ, A: &plan.Field{Column: column, K: plan.Text}, B: &plan.Const{K: plan.Text, Value: value}},
		&plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "version", K: plan.Int}, B: &plan.Const{K: plan.Int, Value: version}})
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		n, err = tx.Count(w.Context(), w.app.State().Catalog, &plan.Query{Model: "item", Where: where})
		return err
	}))
	return n
}

// fill inserts items below the write path.
func (w *world) fill(n int) {
	w.Helper()
	m := w.app.State().Catalog.Model("item")
	columns := []string{"id", "title", "note", "state", "version", "createdTime", "owner", "name", "sequenceStatus"}
	for from := 0; from < n; from += 1000 {
		var rows [][]any
		for i := from; i < min(n, from+1000); i++ {
			rows = append(rows, []any{uuid.Must(uuid.NewV7()).String(), fmt.Sprintf("item %d", i), "before", "OPEN", int64(1), time.Now().UTC().Add(-time.Minute).Truncate(time.Millisecond), w.boss, fmt.Sprintf("item %d", i), "COMPLETED"})
		}
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.InsertRows(w.Context(), m, columns, rows) }))
	}
}
