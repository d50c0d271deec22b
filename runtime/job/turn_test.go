package job_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestTurns: jobs of several people are taken up in the order of a plain model, which is also the place that each is told, whatever the order
// in which they came; jobs of other lanes, and those that are not due, make no difference.
func TestTurns(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		var now atomic.Int64
		start := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
		clock := func() time.Time { return start.Add(time.Duration(now.Load()) * time.Second) }
		o.Clock = clock
		db := storetest.Open(t, o)
		r := rand.New(rand.NewPCG(39, 2))
		one := func(c *job.Config) { c.Workers, c.Clock = 1, clock }
		asks, works := queue(t, db, func(c *job.Config) { c.Workers, c.Clock = 0, clock }), queue(t, db, one)
		var mu sync.Mutex
		var taken []string
		begun, holds, holdsLong := make(chan bool), make(chan bool), make(chan bool)
		work := job.WorkerFunc(func(_ context.Context, r *job.Run) (any, error) {
			mu.Lock()
			taken = append(taken, r.ID)
			mu.Unlock()
			return nil, nil
		})
		for _, q := range []*job.Queue{asks, works} {
			register(t, q, "work", work)
			register(t, q, "hold", func(context.Context, *job.Run) (any, error) { begun <- true; <-holds; return nil, nil })
			register(t, q, "holdLong", func(context.Context, *job.Run) (any, error) { begun <- true; <-holdsLong; return nil, nil })
		}
		// Ann has a long job under way.
		enqueue(t, db, asks, "holdLong", nil, job.Options{Owner: "ann", Lane: job.Long})
		require.NoError(t, works.Start(t.Context()))
		<-begun

		type waiting struct {
			id, owner string
			at        int64
		}
		var all []waiting
		put := func(owner string, o job.Options) string {
			now.Add(1)
			o.Owner = owner
			return enqueue(t, db, asks, "work", nil, o)
		}
		enqueue(t, db, asks, "hold", nil, job.Options{Owner: "zoe"}) // the one worker of the lane does nothing else meanwhile
		<-begun
		for range 30 {
			owner := []string{"ann", "bob", "cid", "dan"}[min(r.IntN(6), 3)]
			all = append(all, waiting{put(owner, job.Options{}), owner, now.Load()})
		}
		put("bob", job.Options{RunAt: start.Add(time.Hour)})
		mine, _, err := asks.List(t.Context(), "bob", 0, 1)
		require.NoError(t, err)
		require.Zero(t, mine[0].Ahead, "it is not due")

		running := map[string]int{"ann": 1}
		var want []string
		for left := slices.Clone(all); len(left) > 0; {
			next := slices.MinFunc(left, func(a, b waiting) int {
				return cmp.Or(cmp.Compare(running[a.owner], running[b.owner]), cmp.Compare(a.at, b.at))
			})
			want = append(want, next.id)
			running[next.owner]++ // as if none ended meanwhile, for the places that are told
			left = slices.DeleteFunc(left, func(w waiting) bool { return w.id == next.id })
		}
		for _, w := range all {
			j, err := asks.Get(t.Context(), w.owner, w.id)
			require.NoError(t, err)
			require.Equal(t, slices.Index(want, w.id), j.Ahead, "the place of a job of %s", w.owner)
		}

		// The worker takes one after the other: nobody but Ann has one that runs.
		holds <- true
		want = nil
		for _, late := range []bool{false, true} {
			for _, w := range all {
				if (w.owner == "ann") == late {
					want = append(want, w.id)
				}
			}
		}
		require.Eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return len(taken) >= len(all) }, patience, 20*time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, want, taken)
		holdsLong <- true
	})
}

// TestLanes: six long jobs of one person, each of which would take minutes, keep nobody's short job or delivery waiting, nor the long job of
// somebody else for longer than a turn; each unit of the work is done once.
func TestLanes(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db, func(c *job.Config) { c.Workers, c.Turn = 2, 300*time.Millisecond })
		stop := make(chan bool)
		var long atomic.Int32
		slow := count("", 5*time.Millisecond)
		register(t, q, "check", func(ctx context.Context, r *job.Run) (any, error) {
			long.Add(1)
			defer long.Add(-1)
			return slow(ctx, r)
		})
		register(t, q, "stuck", func(ctx context.Context, r *job.Run) (any, error) { // saves nothing, so it is not asked to begin again
			select {
			case <-stop:
				return nil, nil
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		})
		register(t, q, "quick", func(context.Context, *job.Run) (any, error) { return nil, nil })
		require.NoError(t, q.Start(t.Context()))
		var greedy []string
		for range 6 {
			greedy = append(greedy, enqueue(t, db, q, "check", 400, job.Options{Owner: "greedy", Lane: job.Long}))
		}
		require.Eventually(t, func() bool { return long.Load() == 1 }, patience, time.Millisecond)
		for n := range 5 {
			for _, lane := range []job.Lane{job.Short, job.Deliveries, job.Long} {
				id := enqueue(t, db, q, "quick", n, job.Options{Owner: owner, Lane: lane})
				await(t, q, id, job.Done)
				require.Less(t, done(t, q, "greedy", greedy), 6, "they are not waited for")
			}
		}
		// A job that cannot begin again keeps its place, and the others have one beside it; two people take both, and nobody more.
		stuck := enqueue(t, db, q, "stuck", nil, job.Options{Owner: "other"})
		for n := range 3 {
			await(t, q, enqueue(t, db, q, "quick", n, job.Options{}), job.Done)
		}
		again := enqueue(t, db, q, "stuck", nil, job.Options{Owner: "another"})
		require.Eventually(t, func() bool {
			j, err := q.Get(t.Context(), "another", again)
			return err == nil && j.State == job.Running
		}, patience, time.Millisecond)
		wait := enqueue(t, db, q, "quick", nil, job.Options{})
		time.Sleep(time.Second)
		require.Equal(t, job.Queued, get(t, q, wait).State)
		close(stop)
		await(t, q, wait, job.Done)
		j, err := q.Get(t.Context(), "other", stuck)
		require.NoError(t, err)
		require.Equal(t, job.Done, j.State)
		for _, id := range greedy {
			require.Eventually(t, func() bool { j, err := q.Get(t.Context(), "greedy", id); return err == nil && j.State == job.Done }, patience, 20*time.Millisecond)
			all, different := units(t, db, id)
			require.Len(t, all, 400)
			require.Equal(t, 400, different)
		}
	})
}

// TestWhole: a job that would begin again is not asked to give its place, whatever it saves, and nobody waits for its end.
func TestWhole(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db, func(c *job.Config) { c.Workers, c.Turn = 2, 200*time.Millisecond })
		var begun atomic.Int32
		stop := make(chan bool)
		register(t, q, "whole", func(ctx context.Context, r *job.Run) (any, error) {
			begun.Add(1)
			r.Whole()
			for n := 0; ; n++ {
				if err := r.Step(ctx, func(context.Context, *store.Tx) (any, error) { return n, nil }); err != nil {
					return nil, err
				}
				select {
				case <-stop:
					return nil, nil
				case <-time.After(10 * time.Millisecond):
				}
			}
		})
		register(t, q, "quick", func(context.Context, *job.Run) (any, error) { return nil, nil })
		require.NoError(t, q.Start(t.Context()))
		whole := enqueue(t, db, q, "whole", nil, job.Options{Owner: "other"})
		require.Eventually(t, func() bool { return begun.Load() == 1 }, patience, time.Millisecond)
		for n := range 4 {
			await(t, q, enqueue(t, db, q, "quick", n, job.Options{}), job.Done)
		}
		close(stop)
		require.Eventually(t, func() bool { j, err := q.Get(t.Context(), "other", whole); return err == nil && j.State == job.Done }, patience, time.Millisecond)
		require.EqualValues(t, 1, begun.Load())
	})
}

func done(t *testing.T, q *job.Queue, owner string, ids []string) (n int) {
	t.Helper()
	for _, id := range ids {
		j, err := q.Get(t.Context(), owner, id)
		require.NoError(t, err)
		if j.State == job.Done {
			n++
		}
	}
	return n
}

// TestFromBeforeLanes: jobs that a program before lanes has left are done.
func TestFromBeforeLanes(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		asks, works := queue(t, db, func(c *job.Config) { c.Workers = 0 }), queue(t, db)
		for _, q := range []*job.Queue{asks, works} {
			register(t, q, "quick", func(context.Context, *job.Run) (any, error) { return nil, nil })
		}
		var ids []string
		for n := range 3 {
			ids = append(ids, enqueue(t, db, asks, "quick", n, job.Options{}))
		}
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for _, text := range []string{"UPDATE sl_job SET lane = ''", fmt.Sprintf("UPDATE river_job SET queue = '%s'", "default")} {
				if err := tx.System().Exec(text).Error; err != nil {
					return err
				}
			}
			return nil
		}))
		require.NoError(t, works.Start(t.Context()))
		for _, id := range ids {
			await(t, works, id, job.Done)
		}
	})
}

// TestWhatSomebodyOrdered: while requests come, a job of a person goes on sooner than one of the system.
func TestWhatSomebodyOrdered(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db, func(c *job.Config) { c.Workers = 1 })
		took := make(chan time.Duration, 1)
		register(t, q, "steps", func(ctx context.Context, r *job.Run) (any, error) {
			begun := time.Now()
			for range 5 {
				if err := r.Step(ctx, func(context.Context, *store.Tx) (any, error) { time.Sleep(30 * time.Millisecond); return nil, nil }); err != nil {
					return nil, err
				}
			}
			took <- time.Since(begun)
			return nil, nil
		})
		require.NoError(t, q.Start(t.Context()))
		ctx, stop := context.WithCancel(t.Context())
		var requests sync.WaitGroup
		defer func() { stop(); requests.Wait() }()
		for range 2 {
			requests.Go(func() {
				for ctx.Err() == nil {
					_ = db.Read(ctx, func(context.Context, *store.Tx) error { time.Sleep(2 * time.Millisecond); return nil })
				}
			})
		}
		run := func(owner string) time.Duration {
			require.NoError(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				_, err := q.Enqueue(ctx, tx, "steps", nil, job.Options{Owner: owner})
				return err
			}))
			return <-took
		}
		ordered, system := run("ann"), run("")
		require.Less(t, 3*ordered, 2*system, "of a person %v, of the system %v", ordered, system) // a busy machine adds the same to both
	})
}
