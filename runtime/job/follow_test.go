package job_test

import (
	"context"
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

// TestFollow: who listens hears of their own jobs, on whatever node they run.
func TestFollow(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		working, listening := queue(t, db), queue(t, db, func(c *job.Config) { c.Workers = 0 })
		register(t, working, "count", count("one", 20*time.Millisecond))
		require.NoError(t, working.Start(t.Context()))
		ctx, stop := context.WithCancel(t.Context())
		type heard struct {
			owner string
			job.Progress
		}
		var mu sync.Mutex
		var all []heard
		var following sync.WaitGroup
		following.Go(func() {
			listening.Follow(ctx, func() []string { return []string{owner} }, func(who string, p job.Progress) {
				mu.Lock()
				defer mu.Unlock()
				all = append(all, heard{who, p})
			})
		})
		id := enqueue(t, db, working, "count", 60, job.Options{})
		enqueue(t, db, working, "count", 5, job.Options{Owner: "somebody"})
		await(t, working, id, job.Done)
		require.Eventually(t, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(all) > 0 && all[len(all)-1].State == job.Done
		}, 10*time.Second, 10*time.Millisecond)
		stop()
		following.Wait()
		require.Greater(t, len(all), 2, "on the way too")
		for i, h := range all {
			require.Equal(t, owner, h.owner)
			require.Equal(t, id, h.ID)
			if i > 0 {
				require.GreaterOrEqual(t, h.Done, all[i-1].Done)
			}
		}
		require.Equal(t, job.Progress{ID: id, Kind: "count", State: job.Done, Done: 60, Total: 60}, all[len(all)-1].Progress)
	})
}

// TestTidy: old jobs go with their lists, others stay.
func TestTidy(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		var now atomic.Int64
		q := queue(t, db, func(c *job.Config) { c.Clock = func() time.Time { return time.Now().Add(time.Duration(now.Load())) } })
		register(t, q, "bulk", func(ctx context.Context, r *job.Run) (any, error) {
			return nil, r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				return 1, r.Results(tx, make([]job.Result, 6001)...)
			})
		})
		require.NoError(t, q.Start(t.Context()))
		old := enqueue(t, db, q, "bulk", nil, job.Options{})
		await(t, q, old, job.Done)
		now.Store(int64(time.Hour))
		fresh := enqueue(t, db, q, "bulk", nil, job.Options{})
		await(t, q, fresh, job.Done)
		require.NoError(t, q.Tidy(t.Context(), time.Now().Add(30*time.Minute)))
		_, err := q.Get(t.Context(), owner, old)
		require.Equal(t, fault.JobNotFound, fault.Of(err))
		_, total, err := q.Results(t.Context(), owner, fresh, false, 0, 1)
		require.NoError(t, err)
		require.EqualValues(t, 6001, total)
		var left int64
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Table("sl_job_result").Where("job_id = ?", old).Count(&left).Error
		}))
		require.Zero(t, left)
	})
}
