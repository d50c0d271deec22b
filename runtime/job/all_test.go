package job_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestAll: those who look after the installation see everybody's jobs and how they run, and nothing that a job works on.
func TestAll(t *testing.T) {
	each(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		q := queue(t, db, func(c *job.Config) { c.Node = "node-a" })
		register(t, q, "fails", func(ctx context.Context, r *job.Run) (any, error) {
			err := r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				return 1, r.Results(tx, job.Result{Record: "a", Name: "secret name", OK: true}, job.Result{Record: "b", Code: fault.FieldTooLong, Args: []any{"secret", 20}},
					job.Result{Record: "c", Code: fault.FieldTooLong}, job.Result{Record: "d", Code: fault.RecordReferenced})
			})
			if err != nil {
				return nil, err
			}
			return nil, fault.New(fault.FieldTooLong, "secret value", 20)
		})
		register(t, q, "breaks", func(context.Context, *job.Run) (any, error) { return nil, errors.New("secret: of the database") })
		register(t, q, "works", func(context.Context, *job.Run) (any, error) {
			return map[string]any{"changed": 2, "name": "secret name", "list": []int{1}, "none": nil}, nil
		})
		register(t, q, "waits", func(ctx context.Context, _ *job.Run) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		failed := enqueue(t, db, q, "fails", "secret payload", job.Options{})
		broken := enqueue(t, db, q, "breaks", nil, job.Options{MaxAttempts: 2})
		done := enqueue(t, db, q, "works", nil, job.Options{Owner: "another"})
		waiting := enqueue(t, db, q, "waits", nil, job.Options{Owner: "another"})
		later := enqueue(t, db, q, "waits", nil, job.Options{Owner: "another", RunAt: time.Now().Add(time.Hour)})
		var system string
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
			system, err = q.Enqueue(t.Context(), tx, "works", nil, job.Options{})
			return err
		}))
		ids := func(f job.Filter) (out []string) {
			t.Helper()
			all, total, err := q.All().List(t.Context(), f, 0, 50)
			require.NoError(t, err)
			require.Len(t, all, int(total))
			for _, j := range all {
				out = append(out, j.ID)
			}
			return out
		}
		one := func(id string) job.Watched {
			t.Helper()
			j, err := q.All().Get(t.Context(), id)
			require.NoError(t, err)
			return j
		}
		require.Zero(t, one(failed).Attempt, "it has not begun")
		require.Empty(t, one(failed).Node)
		require.NoError(t, q.Start(t.Context()))
		await(t, q, failed, job.Failed)
		await(t, q, broken, job.Failed)
		for id, state := range map[string]job.State{done: job.Done, system: job.Done, waiting: job.Running} {
			require.Eventually(t, func() bool { return one(id).State == state }, 20*time.Second, 10*time.Millisecond)
		}

		require.Equal(t, []string{system, later, waiting, done, broken, failed}, ids(job.Filter{}), "the newest first")
		require.Equal(t, []string{broken, failed}, ids(job.Filter{States: []job.State{job.Failed, job.Cancelled}}))
		require.Equal(t, []string{system, done}, ids(job.Filter{Kind: "works"}))
		another, nobody := "another", ""
		require.Equal(t, []string{later, waiting, done}, ids(job.Filter{Owner: &another}))
		require.Equal(t, []string{system}, ids(job.Filter{Owner: &nobody}))
		kinds, owners, err := q.All().Choices(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"breaks", "fails", "waits", "works"}, kinds)
		require.Equal(t, []string{"", owner, "another"}, owners)

		j := one(failed)
		require.Equal(t, fault.FieldTooLong, j.Code)
		require.Empty(t, j.Args, "the text of an error quotes values")
		require.Equal(t, []job.Failures{{Code: fault.FieldTooLong, Count: 2}, {Code: fault.RecordReferenced, Count: 1}}, j.Failures)
		require.Equal(t, "node-a", j.Node)
		require.Equal(t, []int{1, 3}, []int{j.Attempt, j.Attempts})
		j = one(broken)
		require.Equal(t, []any{broken}, j.Args, "the log names it")
		require.Equal(t, []int{2, 2}, []int{j.Attempt, j.Attempts})
		j = one(done)
		require.Equal(t, map[string]int64{"changed": 2}, j.Counts)
		require.Empty(t, j.Result)

		require.NoError(t, q.All().Cancel(t.Context(), waiting))
		require.NoError(t, q.All().Cancel(t.Context(), later))
		require.Equal(t, job.Cancelled, one(later).State)
		require.Eventually(t, func() bool { return one(waiting).State == job.Cancelled }, 20*time.Second, 10*time.Millisecond)
		require.Equal(t, fault.JobState, fault.Of(q.All().Cancel(t.Context(), waiting)))
		require.NoError(t, q.All().Retry(t.Context(), broken))
		require.Equal(t, fault.JobState, fault.Of(q.All().Retry(t.Context(), done)))
		require.Equal(t, fault.JobNotFound, fault.Of(q.All().Retry(t.Context(), "none")))
		_, err = q.All().Get(t.Context(), "none")
		require.Equal(t, fault.JobNotFound, fault.Of(err))
	})
}

// TestNodeName: without a name of its own a process is called by its host and number.
func TestNodeName(t *testing.T) {
	db := storetest.Open(t, store.Options{Dir: t.TempDir(), System: tables()})
	q := queue(t, db)
	register(t, q, "note", func(context.Context, *job.Run) (any, error) { return nil, nil })
	require.NoError(t, q.Start(t.Context()))
	id := enqueue(t, db, q, "note", nil, job.Options{})
	await(t, q, id, job.Done)
	j, err := q.All().Get(t.Context(), id)
	require.NoError(t, err)
	require.Regexp(t, `^\S{1,28}/\d+$`, j.Node)
}
