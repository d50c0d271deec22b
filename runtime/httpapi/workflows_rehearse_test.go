package httpapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestRehearsalCalls plays a workflow by the calls, and holds each answer against the contract of the calls.
func TestRehearsalCalls(t *testing.T) {
	w := shared
	for name, role := range map[string]string{"try.clerk": "contractManager", "try.second": "contractManager", "try.boss": "projectManager"} {
		_, err := w.app.AddUser(t.Context(), name, name, []string{role})
		require.NoError(t, err)
	}
	const path = "/api/runtime/workflow/rehearse"
	call := func(actor, body string, want fault.Code, into any) {
		t.Helper()
		got := w.send(t, call{method: "POST", path: path, body: body, actor: actor})
		require.Equal(t, want, got.Errcode, "%.300s", got.Body)
		w.matches(t, "POST", path, got)
		if into != nil {
			got.into(t, into)
		}
	}
	contract := w.rows(t, administrator, "contract")[0]
	var out struct {
		Runs []struct {
			Outcome, Result string
			Steps           []struct {
				Kind, ActivityCode string
				Text               struct{ En string }
			}
		}
		Routes []struct {
			To    string
			Taken int
		}
	}
	call(administrator, fmt.Sprintf(`{"workflowCode":"contractApproval","runs":[
		{"initiator":"try.clerk","values":{"amount":20000000}},
		{"initiator":"try.clerk","objectId":%q,"values":{"amount":5},"decisions":[{"activityCode":"commercial","action":"reject","opinion":"why"}]},
		{"initiator":"try.clerk","objectId":%q,"decisions":[{"activityCode":"commercial","action":"timeout"}]}]}`, contract, contract), 0, &out)
	require.Equal(t, []string{"ENDED", "ENDED", "WAITS"}, []string{out.Runs[0].Outcome, out.Runs[1].Outcome, out.Runs[2].Outcome})
	require.Equal(t, 1, out.Routes[0].Taken)
	require.Equal(t, 1, out.Routes[1].Taken)
	texts := ""
	for _, s := range out.Runs[0].Steps {
		texts += s.Kind + " " + s.ActivityCode + " " + s.Text.En + "\n"
	}
	require.Contains(t, texts, "split size amount >= 10000000: amount is 20000000\n")
	for _, who := range []string{"try.clerk", "try.boss", viewer} {
		call(who, `{"workflowCode":"contractApproval","runs":[{"initiator":"try.clerk"}]}`, fault.Forbidden, nil)
	}
	call(administrator, `{"workflowCode":"contractApproval","runs":[{"initiator":"try.clerk","objectId":"none"}]}`, fault.RecordNotFound, nil)
	call(administrator, `{"workflowCode":"contractApproval","runs":[{"initiator":"try.clerk","values":{"amount":"much"}}]}`, fault.RecordInvalid, nil)
	call(administrator, `{"workflowCode":"contractApproval","runs":[{"initiator":"try.clrk"}]}`, fault.BadParameter, nil)

	var page struct{ TotalElements int }
	w.post(t, "try.second", "/api/runtime/workitem/unfinished", `{}`).into(t, &page)
	require.Zero(t, page.TotalElements, "nobody has a task of a rehearsal")
}
