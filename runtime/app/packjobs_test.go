package app_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
)

// renumber is a job of the pack: it makes tasks in steps, and fails once in the middle.
func renumber(failed *atomic.Bool) world.Job {
	return world.Job{Code: "network.renumber", Title: plan.Label{Zh: "重新编号", I18n: map[string]string{"en": "Renumbering"}},
		Work: func(ctx context.Context, r world.Run) (any, error) {
			in := struct {
				Steps   int
				Project string
			}{}
			if err := r.Decode(&in); err != nil {
				return nil, err
			}
			done := 0
			if _, err := r.Progress(&done); err != nil {
				return nil, err
			}
			for done < in.Steps {
				if err := r.Step(ctx, func(w world.World) (any, error) {
					_, err := w.Create(ctx, "task", map[string]any{"code": fmt.Sprint("N", done)})
					if err == nil && done == 1 && failed.CompareAndSwap(false, true) {
						return nil, errors.New("the first try ends here")
					}
					return done + 1, err
				}); err != nil {
					return nil, err
				}
				done++
				r.Report(int64(done), int64(in.Steps))
			}
			return map[string]int{"made": done}, nil
		}}
}

// ended waits until a job has ended.
func ended(t *testing.T, s *packtest.System, owner principal.Principal, id string) job.Job {
	t.Helper()
	var out job.Job
	require.Eventually(t, func() bool {
		j, err := s.Jobs().Get(t.Context(), owner.UserID, id)
		require.NoError(t, err)
		out = j
		return j.Finished != nil
	}, time.Minute, 20*time.Millisecond)
	return out
}

func codesOf(t *testing.T, s *packtest.System, who principal.Principal) (out []string) {
	t.Helper()
	require.NoError(t, s.Do(who, func(ctx context.Context, w world.World) (err error) {
		out, err = rowsOf(ctx, w, "network.all", nil, "code")
		return err
	}))
	return out
}

// TestJobsOfPacks: a job does each of its steps once, goes on behind the last one after an error, works with its owner's rights and is
// made with the transaction that starts it.
func TestJobsOfPacks(t *testing.T) {
	t.Parallel()
	onBothWith(t, func(t *testing.T, s *packtest.System) {
		planner := s.Person("planner", "planner")
		var id, second string
		require.NoError(t, s.Do(planner, func(ctx context.Context, w world.World) (err error) {
			if id, err = w.Start(ctx, "network.renumber", map[string]any{"Steps": 3}, world.JobOptions{Once: "one"}); err != nil {
				return err
			}
			second, err = w.Start(ctx, "network.renumber", map[string]any{"Steps": 9}, world.JobOptions{Once: "one"})
			return err
		}))
		require.Equal(t, id, second)
		j := ended(t, s, planner, id)
		require.Equal(t, job.Done, j.State)
		require.JSONEq(t, `{"made": 3}`, string(j.Result))
		require.Equal(t, "重新编号", j.Title.Zh)
		require.Equal(t, []string{"N0", "N1", "N2"}, codesOf(t, s, planner))

		require.Error(t, s.Do(planner, func(ctx context.Context, w world.World) error {
			if _, err := w.Start(ctx, "network.renumber", map[string]any{"Steps": 5}, world.JobOptions{}); err != nil {
				return err
			}
			return errors.New("no")
		}))
		require.ErrorContains(t, s.Do(planner, func(ctx context.Context, w world.World) error {
			_, err := w.Start(ctx, "network.nothing", nil, world.JobOptions{})
			return err
		}), "no pack of this program")
	}, func(set *pack.Set) error { return set.Jobs.Add(renumber(&atomic.Bool{})) })
}

// TestSchedules: each time is due once however often and wherever is looked; the job has the role of its reason.
func TestSchedules(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		var ran, reasons atomic.Int64
		look := world.Job{Code: "network.look", Title: plan.Label{Zh: "查看", I18n: map[string]string{"en": "Look"}},
			Work: func(ctx context.Context, r world.Run) (any, error) {
				defer ran.Add(1)
				return nil, r.Step(ctx, func(w world.World) (any, error) {
					if w.Principal().Reason == "rollup" {
						reasons.Add(1)
					}
					var refused *fault.Error
					_, err := w.Create(ctx, "task", map[string]any{"code": "not the role's to make"})
					if !errors.As(err, &refused) || refused.Code != fault.NoAddPermission {
						reasons.Add(100)
					}
					return nil, nil
				})
			}}
		s := bootNetwork(t, packtest.Database{URL: o.URL, Dir: o.Dir}, func(set *pack.Set) error {
			return errors.Join(set.Jobs.Add(look), set.Jobs.Add(renumber(&atomic.Bool{})),
				set.Schedules.Add(world.Schedule{Code: "network.hourly", Job: "network.look", Every: time.Hour, Reason: "rollup"}))
		})
		require.NoError(t, s.StartDue(t.Context())) // a new schedule waits for its next time
		for i := range int64(3) {
			s.Advance(time.Hour)
			s.RunDue(t) // to its end: while a job of the schedule is live, the next hour adds none
			require.Equal(t, i+1, ran.Load())
			require.NoError(t, s.StartDue(t.Context()))
		}
		planner := s.Person("planner", "planner") // one worker: whatever was started before is done before this
		var last string
		require.NoError(t, s.Do(planner, func(ctx context.Context, w world.World) (err error) {
			last, err = w.Start(ctx, "network.renumber", map[string]any{"Steps": 0}, world.JobOptions{})
			return err
		}))
		ended(t, s, planner, last)
		require.Equal(t, int64(3), ran.Load())
		require.Equal(t, int64(3), reasons.Load())
	})
}

func TestScheduleDue(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("CST", 8*3600)
	now := time.Date(2026, 11, 22, 2, 29, 59, 0, zone)
	daily := world.Schedule{At: "02:30"}
	require.Equal(t, time.Date(2026, 11, 21, 2, 30, 0, 0, zone), daily.Due(now, zone))
	require.Equal(t, time.Date(2026, 11, 22, 2, 30, 0, 0, zone), daily.Due(now.Add(time.Second), zone))
	require.Equal(t, now.Truncate(time.Hour), world.Schedule{Every: time.Hour}.Due(now, zone))
	require.True(t, world.Schedule{Every: time.Second}.Due(now, zone).IsZero())
	require.True(t, world.Schedule{At: "25:00"}.Due(now, zone).IsZero())
}
