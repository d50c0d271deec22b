package httpapi

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestAuditExport: administrators take entries away as CSV, chosen as on the page, beyond one page of them; names that a spreadsheet would
// take for formulas are harmless there; and the log tells who took it.
func TestAuditExport(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openComplaints(t, o)
		for i := range 501 {
			require.NoError(t, w.app.Note(t.Context(), audit.Entry{Kind: audit.JobRepeated, Actor: "x", Name: "=cmd|' /C calc'!A0", About: fmt.Sprint("部门,\"", i), Detail: map[string]string{"n": fmt.Sprint(i)}}))
		}
		const at = "/api/system/audit/export?kind=job.retry"
		require.Equal(t, fault.Forbidden, w.get(t, "desk", at).Errcode)
		got := w.send(t, call{method: "GET", path: at, actor: administrator, headers: map[string]string{"Accept-Language": "en"}})
		require.Equal(t, 200, got.Code, "%.200s", got.Body)
		require.Equal(t, "text/csv; charset=utf-8", got.Header().Get("Content-Type"))
		require.Contains(t, got.Header().Get("Content-Disposition"), "attachment")
		text, marked := strings.CutPrefix(got.Body.String(), "\uFEFF")
		require.True(t, marked)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 502)
		require.Equal(t, []string{"Time", "Kind", "By"}, rows[0][:3])
		require.Equal(t, []string{"job.retry", "'=cmd|' /C calc'!A0", "x", "", "部门,\"500", "", "false", `{"n":"500"}`}, rows[1][1:])
		var log auditPage
		w.get(t, administrator, "/api/system/audit?kind=audit.export").into(t, &log)
		require.Len(t, log.Content, 1)
		require.Equal(t, map[string]string{"kind": "job.retry"}, log.Content[0].Detail)
		require.Equal(t, w.id(t, administrator), log.Content[0].Actor.ID)
	})
}
