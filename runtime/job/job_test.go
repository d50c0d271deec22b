package job_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestTransaction: a job exists exactly when the transaction that asked for it does.
func TestTransaction(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		var ran atomic.Int64
		register(t, q, "note", func(context.Context, *job.Run) (any, error) { ran.Add(1); return nil, nil })
		require.ErrorContains(t, q.Register("note", job.WorkerFunc(nil)), "twice")
		require.NoError(t, q.Start(t.Context()))
		refused := errors.New("refused")
		var lost string
		err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
			if lost, err = q.Enqueue(t.Context(), tx, "note", nil, job.Options{Owner: owner}); err != nil {
				return err
			}
			return refused
		})
		require.ErrorIs(t, err, refused)
		err = db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := q.Enqueue(t.Context(), tx, "unknown", nil, job.Options{})
			return err
		})
		require.ErrorContains(t, err, "no worker is registered")

		var wait sync.WaitGroup // several writers share a commit on SQLite: one that is undone takes nobody's job along
		for i := range 40 {
			wait.Go(func() {
				_ = db.Write(context.Background(), func(_ context.Context, tx *store.Tx) error {
					if _, err := q.Enqueue(context.Background(), tx, "note", i, job.Options{Owner: owner}); err != nil {
						return err
					}
					if i%2 == 1 {
						return refused
					}
					return nil
				})
			})
		}
		wait.Wait()
		require.Eventually(t, func() bool { return ran.Load() == 20 }, 20*time.Second, 10*time.Millisecond)
		time.Sleep(600 * time.Millisecond)
		require.EqualValues(t, 20, ran.Load())
		jobs, total, err := q.List(t.Context(), owner, 0, 50)
		require.NoError(t, err)
		require.EqualValues(t, 20, total)
		for _, j := range jobs {
			require.NotEqual(t, lost, j.ID)
			require.Equal(t, job.Done, j.State)
		}
	})
}

// TestLife: a job's title, progress, result and list of results reach its owner and nobody else.
func TestLife(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		step := make(chan bool)
		register(t, q, "bulk", func(ctx context.Context, r *job.Run) (any, error) {
			r.Report(3, 10)
			<-step
			err := r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				r.Report(10, 10)
				return "end", r.Results(tx, job.Result{Record: "a", OK: true}, job.Result{Record: "b", Code: fault.FieldTooLong, Args: []any{"名称", 20}}, job.Result{Record: "c", OK: true})
			})
			return map[string]int{"changed": 2}, err
		})
		require.NoError(t, q.Start(t.Context()))
		id := enqueue(t, db, q, "bulk", nil, job.Options{Title: job.Title{Zh: "批量修改", En: "Bulk change"}, UniqueKey: "k"})
		require.Equal(t, id, enqueue(t, db, q, "bulk", nil, job.Options{UniqueKey: "k"}), "one at a time")
		require.Eventually(t, func() bool { j := get(t, q, id); return j.Done == 3 && j.Total == 10 }, 10*time.Second, 20*time.Millisecond,
			"progress shows while it runs")
		require.Equal(t, job.Running, get(t, q, id).State)
		counts, err := q.Counts(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[job.State]int64{job.Queued: 0, job.Running: 1, job.Failed: 0}, counts)
		close(step)
		j := await(t, q, id, job.Done)
		require.Equal(t, job.Title{Zh: "批量修改", En: "Bulk change"}, j.Title)
		require.EqualValues(t, 10, j.Done)
		require.JSONEq(t, `{"changed":2}`, string(j.Result))
		require.NotNil(t, j.Started)
		require.NotNil(t, j.Finished)
		list, total, err := q.Results(t.Context(), owner, id, false, 0, 2)
		require.NoError(t, err)
		require.EqualValues(t, 3, total)
		require.Equal(t, []job.Result{{Sequence: 1, Record: "a", OK: true}, {Sequence: 2, Record: "b", Code: fault.FieldTooLong, Args: []any{"名称", 20.}}}, list)
		list, _, err = q.Results(t.Context(), owner, id, false, 1, 2)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.NotEqual(t, id, enqueue(t, db, q, "bulk", nil, job.Options{UniqueKey: "k"}), "the key is free again")

		for _, stranger := range []string{"somebody", ""} {
			_, err = q.Get(t.Context(), stranger, id)
			require.Equal(t, fault.JobNotFound, fault.Of(err))
			_, _, err = q.Results(t.Context(), stranger, id, false, 0, 10)
			require.Equal(t, fault.JobNotFound, fault.Of(err))
			require.Equal(t, fault.JobNotFound, fault.Of(q.Cancel(t.Context(), stranger, id)))
			require.Equal(t, fault.JobNotFound, fault.Of(q.Retry(t.Context(), stranger, id)))
		}
		jobs, total, err := q.List(t.Context(), "somebody", 0, 10)
		require.NoError(t, err)
		require.Empty(t, jobs)
		require.Zero(t, total)
		require.Equal(t, fault.JobState, fault.Of(q.Cancel(t.Context(), owner, id)), "it has ended")
		require.Equal(t, fault.JobState, fault.Of(q.Retry(t.Context(), owner, id)), "it has not failed")
	})
}

// TestFailures: errors are tried again up to the limit, refusals are not, a panic ends the job and not the process.
func TestFailures(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		var mu sync.Mutex
		runs := map[string]int{}
		register(t, q, "fails", func(_ context.Context, r *job.Run) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			runs[r.ID]++
			var how string
			if err := r.Decode(&how); err != nil {
				return nil, err
			}
			switch how {
			case "twice":
				if r.Failure == 2 {
					return "well", nil
				}
				return nil, errors.New("the mail server is away")
			case "refused":
				return nil, fault.New(fault.FieldTooLong, "名称", 20)
			case "permanent":
				return nil, job.Permanent(errors.New("no such template"))
			case "panic":
				panic("oh")
			case "result":
				return make(chan int), nil
			}
			return nil, errors.New("always: secret detail")
		})
		require.NoError(t, q.Start(t.Context()))
		ids := map[string]string{}
		for _, how := range []string{"twice", "refused", "permanent", "panic", "result", "always"} {
			ids[how] = enqueue(t, db, q, "fails", how, job.Options{})
		}
		require.JSONEq(t, `"well"`, string(await(t, q, ids["twice"], job.Done).Result))
		j := await(t, q, ids["refused"], job.Failed)
		require.Equal(t, fault.FieldTooLong, j.Code)
		require.Equal(t, []any{"名称", 20.}, j.Args)
		for how, want := range map[string]int{"refused": 1, "permanent": 1, "result": 1, "panic": 3, "always": 3, "twice": 3} {
			if how != "twice" {
				j = await(t, q, ids[how], job.Failed)
				if how != "refused" {
					require.Equal(t, fault.Internal, j.Code, how)
					require.Equal(t, []any{ids[how]}, j.Args, "the owner reads no details")
				}
			}
			mu.Lock()
			require.Equal(t, want, runs[ids[how]], how)
			mu.Unlock()
		}
		var kept string
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Table("sl_job").Select("error").Where("id = ?", ids["always"]).Scan(&kept).Error
		}))
		require.Equal(t, "always: secret detail", kept, "operators do")
		require.NoError(t, q.Retry(t.Context(), owner, ids["refused"]))
		require.Eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return runs[ids["refused"]] == 2 }, 10*time.Second, 10*time.Millisecond)
		await(t, q, ids["refused"], job.Failed)
	})
}

// TestCancel: a waiting job never starts, a running one stops and keeps what it did; tried again it goes on behind that.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		register(t, q, "count", count("one", 2*time.Millisecond))
		var ran atomic.Bool
		register(t, q, "later", func(context.Context, *job.Run) (any, error) { ran.Store(true); return nil, nil })
		later := enqueue(t, db, q, "later", nil, job.Options{})
		require.NoError(t, q.Cancel(t.Context(), owner, later))
		require.Equal(t, job.Cancelled, get(t, q, later).State)
		require.NoError(t, q.Start(t.Context()))
		id := enqueue(t, db, q, "count", 400, job.Options{})
		require.Eventually(t, func() bool { return get(t, q, id).Done > 20 }, 20*time.Second, time.Millisecond)

		elsewhere := queue(t, db, func(c *job.Config) { c.Workers = 0 }) // asked on a node that does not run it
		require.NoError(t, elsewhere.Cancel(t.Context(), owner, id))
		stopped := await(t, q, id, job.Cancelled)
		all, different := units(t, db, id)
		require.EqualValues(t, stopped.Done, len(all))
		require.Less(t, len(all), 400)
		time.Sleep(300 * time.Millisecond)
		again, _ := units(t, db, id)
		require.Len(t, again, len(all), "nothing is written after it")
		require.Equal(t, len(all), different)

		require.NoError(t, q.Retry(t.Context(), owner, id))
		await(t, q, id, job.Done)
		all, different = units(t, db, id)
		require.Len(t, all, 400)
		require.Equal(t, 400, different)
		require.False(t, ran.Load())
	})
}

// TestDisabledOwner: a job of somebody who was disabled stops, and one that waits does not start.
func TestDisabledOwner(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		var disabled atomic.Bool
		q := queue(t, db, func(c *job.Config) {
			c.Active = func(_ context.Context, who string) bool { return who != owner || !disabled.Load() }
		})
		register(t, q, "count", count("one", time.Millisecond))
		register(t, q, "idle", func(ctx context.Context, r *job.Run) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		require.NoError(t, q.Start(t.Context()))
		counting, idle := enqueue(t, db, q, "count", 1_000_000, job.Options{}), enqueue(t, db, q, "idle", nil, job.Options{})
		await(t, q, idle, job.Running)
		require.Eventually(t, func() bool { return get(t, q, counting).Done > 3 }, 20*time.Second, time.Millisecond)
		disabled.Store(true)
		waiting := enqueue(t, db, q, "idle", nil, job.Options{})
		for _, id := range []string{counting, idle, waiting} {
			require.Equal(t, fault.OwnerDisabled, await(t, q, id, job.Cancelled).Code)
		}
		before, _ := units(t, db, counting)
		time.Sleep(200 * time.Millisecond)
		after, _ := units(t, db, counting)
		require.Len(t, after, len(before))
	})
}

// TestGracefulStop: a job under way when its process stops goes on in the next, without an attempt being counted.
func TestGracefulStop(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		var id string
		for turn := range 4 {
			q := queue(t, db)
			register(t, q, "count", count(fmt.Sprint(turn), time.Millisecond))
			if turn == 0 {
				id = enqueue(t, db, q, "count", 600, job.Options{MaxAttempts: 1})
			}
			before, _ := units(t, db, id)
			require.NoError(t, q.Start(t.Context()))
			if turn == 3 {
				require.EqualValues(t, 600, await(t, q, id, job.Done).Done)
				break
			}
			require.Eventually(t, func() bool { all, _ := units(t, db, id); return len(all) > len(before)+20 }, 20*time.Second, time.Millisecond)
			start := time.Now()
			require.NoError(t, q.Stop(t.Context()))
			require.Less(t, time.Since(start), 5*time.Second)
			require.Equal(t, job.Queued, get(t, q, id).State)
		}
		all, different := units(t, db, id)
		require.Len(t, all, 600)
		require.Equal(t, 600, different)
	})
}

// TestDelay: a job does not run before its time.
func TestDelay(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		var at atomic.Pointer[time.Time]
		register(t, q, "note", func(context.Context, *job.Run) (any, error) { now := time.Now(); at.Store(&now); return nil, nil })
		require.NoError(t, q.Start(t.Context()))
		due := time.Now().Add(1500 * time.Millisecond)
		id := enqueue(t, db, q, "note", nil, job.Options{RunAt: due})
		await(t, q, id, job.Done)
		require.False(t, at.Load().Before(due))
	})
}

// TestPublications: definitions that are published while a job works are no failure of it, however often that happens.
func TestPublications(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db)
		register(t, q, "met", func(ctx context.Context, r *job.Run) (any, error) {
			var n int
			if _, err := r.Progress(&n); err != nil {
				return nil, err
			}
			if err := r.Step(ctx, func(context.Context, *store.Tx) (any, error) { return n + 1, nil }); err != nil {
				return nil, err
			}
			if n < 5 {
				return nil, fmt.Errorf("sequence of site: %w", store.ErrSchemaMoved)
			}
			return r.Failure, nil
		})
		require.NoError(t, q.Start(t.Context()))
		j := await(t, q, enqueue(t, db, q, "met", nil, job.Options{MaxAttempts: 1}), job.Done)
		require.JSONEq(t, "0", string(j.Result))
	})
}
