package httpapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestSystemJobs: an administrator sees how everybody's jobs run, stops and repeats them, and reads no values of theirs.
func TestSystemJobs(t *testing.T) {
	w := shared
	clerk := w.person(t, "jobs.clerk")
	id := w.id(t, clerk)
	done, failed, waiting := w.enqueue(t, clerk, "bulk"), w.enqueue(t, clerk, "fail"), w.enqueue(t, clerk, "wait")
	w.awaitJob(t, clerk, done, "done")
	w.awaitJob(t, clerk, failed, "failed")
	w.awaitJob(t, clerk, waiting, "running")
	ids := func(query string) (out []string) {
		var page pageOf[systemJobView]
		got := w.get(t, administrator, "/api/system/jobs?owner="+id+query)
		w.matches(t, "GET", "/api/system/jobs", got)
		got.into(t, &page)
		for _, j := range page.Content {
			require.Equal(t, jobOwner{ID: id, Name: "jobs.clerk"}, j.Owner)
			out = append(out, j.ID)
		}
		return out
	}
	require.Equal(t, []string{waiting, failed, done}, ids(""))
	require.Equal(t, []string{failed, done}, ids("&state=done,failed"))
	require.Equal(t, []string{waiting}, ids("&kind=wait"))

	one := func(id string) (j systemJobView) {
		got := w.get(t, administrator, "/api/system/jobs/"+id)
		w.matches(t, "GET", "/api/system/jobs/{id}", got)
		got.into(t, &j)
		return j
	}
	j := one(failed)
	require.Equal(t, &jobError{Code: fault.RecordReferenced, Message: "仍被“…”引用，无法删除"}, j.Error)
	require.Equal(t, []int{1, 3}, []int{j.Attempt, j.Attempts})
	require.Regexp(t, `/\d+$`, *j.Node)
	j = one(done)
	require.Equal(t, map[string]int64{"changed": 1}, j.Counts)
	require.Equal(t, []jobFailures{{Code: fault.RecordReferenced, Message: "仍被“…”引用，无法删除", Count: 1}}, j.Failures)

	require.Zero(t, w.post(t, administrator, "/api/system/jobs/"+waiting+"/cancel", "").Errcode)
	var logged auditPage
	got := w.get(t, administrator, "/api/system/audit?kind=job.cancel&person="+waiting)
	w.matches(t, "GET", "/api/system/audit", got)
	got.into(t, &logged)
	require.Len(t, logged.Content, 1)
	require.Equal(t, w.id(t, administrator), logged.Content[0].Actor.ID)
	require.NotEmpty(t, logged.Content[0].Address)
	w.awaitJob(t, clerk, waiting, "cancelled")
	require.Zero(t, w.post(t, administrator, "/api/system/jobs/"+failed+"/retry", "").Errcode)
	require.Eventually(t, func() bool { return one(failed).State == "failed" }, 20*time.Second, 20*time.Millisecond)
	w.refused(t, fault.JobNotFound, call{method: "POST", path: "/api/system/jobs/none/cancel", actor: administrator})
	for _, path := range []string{"", "/choices", "/" + done} {
		require.Equal(t, fault.Forbidden, w.get(t, clerk, "/api/system/jobs"+path).Errcode)
	}
	require.Equal(t, fault.Forbidden, w.post(t, clerk, "/api/system/jobs/"+done+"/retry", "").Errcode)

	var choices struct {
		Kinds  []string
		Owners []jobOwner
	}
	w.get(t, administrator, "/api/system/jobs/choices").into(t, &choices)
	require.Subset(t, choices.Kinds, []string{"bulk", "fail", "wait"})
	require.Contains(t, choices.Owners, jobOwner{ID: id, Name: "jobs.clerk"})
}
