package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// testJobs are the job kinds of the tests: one that leaves a list, one that waits until it is stopped, one that fails.
var testJobs = map[string]job.Worker{
	"bulk": job.WorkerFunc(func(ctx context.Context, r *job.Run) (any, error) {
		return map[string]int{"changed": 1}, r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
			r.Report(2, 2)
			return 2, r.Results(tx, job.Result{Record: "one", Name: "First", OK: true}, job.Result{Record: "two", Code: fault.RecordReferenced, Args: []any{"合同"}})
		})
	}),
	"wait": job.WorkerFunc(func(ctx context.Context, r *job.Run) (any, error) {
		r.Report(1, 4)
		<-ctx.Done()
		return nil, ctx.Err()
	}),
	"fail": job.WorkerFunc(func(context.Context, *job.Run) (any, error) { return nil, fault.New(fault.RecordReferenced, "合同") }),
}

func (w *world) enqueue(t *testing.T, actor, kind string) (id string) {
	t.Helper()
	o := job.Options{Owner: w.id(t, actor), Title: job.Title{Zh: "批量修改", En: "Bulk change"}}
	require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		id, err = w.app.Jobs().Enqueue(t.Context(), tx, kind, nil, o)
		return err
	}))
	return id
}

func (w *world) awaitJob(t *testing.T, actor, id, state string) (j jobView) {
	t.Helper()
	require.Eventually(t, func() bool {
		w.get(t, actor, "/api/jobs/"+id).into(t, &j)
		return string(j.State) == state
	}, 20*time.Second, 20*time.Millisecond)
	return j
}

// person makes somebody for a test's jobs.
func (w *world) person(t *testing.T, name string) string {
	t.Helper()
	_, err := w.app.AddUser(t.Context(), name, name, []string{"viewer"})
	require.NoError(t, err)
	return name
}

// TestJobs: a person sees, stops and repeats their jobs, in their language.
func TestJobs(t *testing.T) {
	w := shared
	her := w.person(t, "jobs.her")
	done, failed, waiting := w.enqueue(t, her, "bulk"), w.enqueue(t, her, "fail"), w.enqueue(t, her, "wait")
	j := w.awaitJob(t, her, done, "done")
	require.Equal(t, "批量修改", j.Title)
	require.JSONEq(t, `{"changed":1}`, string(j.Result))
	require.Nil(t, j.Error)
	english := map[string]string{"Accept-Language": "en"}
	w.send(t, call{method: "GET", path: "/api/jobs/" + done, actor: her, headers: english}).into(t, &j)
	require.Equal(t, "Bulk change", j.Title)

	var list pageOf[jobResult]
	w.get(t, her, "/api/jobs/"+done+"/results?size=1&page=1").into(t, &list)
	require.EqualValues(t, 2, list.Total)
	require.Equal(t, []jobResult{{Sequence: 2, Record: "two", Code: fault.RecordReferenced, Message: "仍被“合同”引用，无法删除"}}, list.Content)

	j = w.awaitJob(t, her, failed, "failed")
	require.Equal(t, &jobError{Code: fault.RecordReferenced, Message: "仍被“合同”引用，无法删除"}, j.Error)
	require.Zero(t, w.post(t, her, "/api/jobs/"+failed+"/retry", "").Errcode)
	w.awaitJob(t, her, failed, "failed")

	w.awaitJob(t, her, waiting, "running")
	require.Zero(t, w.post(t, her, "/api/jobs/"+waiting+"/cancel", "").Errcode)
	require.Nil(t, w.awaitJob(t, her, waiting, "cancelled").Error)
	w.refused(t, fault.JobState, call{method: "POST", path: "/api/jobs/" + waiting + "/cancel", actor: her})

	var page pageOf[jobView]
	w.get(t, her, "/api/jobs?size=2").into(t, &page)
	require.EqualValues(t, 3, page.Total)
	require.Equal(t, []string{waiting, failed}, []string{page.Content[0].ID, page.Content[1].ID}, "the newest first")
	w.get(t, viewer, "/api/jobs").into(t, &page)
	require.Empty(t, page.Content)
	w.refused(t, fault.MethodNotAllowed, call{method: "DELETE", path: "/api/jobs/" + done, actor: her})
	w.refused(t, fault.RouteNotFound, call{method: "GET", path: "/api/jobs/" + done + "/secrets", actor: her})

	metrics := w.figures(t)
	for _, line := range []string{`sluice_jobs{state="queued"} 0`, `sluice_jobs{state="running"} 0`, `sluice_jobs{state="failed"} 1`} {
		require.Contains(t, metrics, line)
	}
}

// TestJobsOfDisabled: disabling a person stops their jobs.
func TestJobsOfDisabled(t *testing.T) {
	w := shared
	him := w.person(t, "jobs.him")
	id := w.enqueue(t, him, "wait")
	w.awaitJob(t, him, id, "running")
	owner := w.id(t, him)
	var saved struct{ Version int64 }
	w.post(t, administrator, savePath, `{"schemaCode":"user","id":"`+owner+`","version":1,"data":{"disabled":true}}`).into(t, &saved)
	require.Eventually(t, func() bool {
		j, err := w.app.Jobs().Get(t.Context(), owner, id)
		require.NoError(t, err)
		return j.State == job.Cancelled && j.Code == fault.OwnerDisabled
	}, 10*time.Second, 20*time.Millisecond)
}

// TestJobEvents: an open page hears how its person's jobs get on, and of nobody else's.
func TestJobEvents(t *testing.T) {
	w := shared
	b := newBrowser(t)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	listen := func(actor string) <-chan app.Event {
		request, err := http.NewRequestWithContext(ctx, "GET", b.base+"/api/events", nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+w.token(t, actor))
		response, err := b.Do(request)
		require.NoError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		out := make(chan app.Event, 100)
		go func() {
			defer close(out)
			var e app.Event
			for lines := bufio.NewScanner(response.Body); lines.Scan(); {
				if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
					e.Name = name
				} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && e.Name == "job" {
					e.Data = data
					out <- e
				}
			}
		}()
		return out
	}
	one, two := w.person(t, "jobs.one"), w.person(t, "jobs.two")
	hers, his := listen(one), listen(two)
	next := func(from <-chan app.Event) (p job.Progress) {
		select {
		case e := <-from:
			require.NoError(t, json.Unmarshal([]byte(e.Data), &p))
		case <-ctx.Done():
			t.Fatal("no event")
		}
		return p
	}
	id := w.enqueue(t, one, "wait")
	p := next(hers)
	for p.State != job.Running || p.Done != 1 {
		p = next(hers)
	}
	require.Equal(t, job.Progress{ID: id, Kind: "wait", State: job.Running, Done: 1, Total: 4}, p)
	require.Zero(t, w.post(t, one, "/api/jobs/"+id+"/cancel", "").Errcode)
	require.Equal(t, job.Cancelled, next(hers).State)
	require.Empty(t, his)
}
