package httpapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestWorkflowCalls sends a contract through its approval by the calls, and holds each answer against the contract of the calls.
func TestWorkflowCalls(t *testing.T) {
	w := shared
	for name, role := range map[string]string{"flow.clerk": "contractManager", "flow.second": "contractManager", "flow.boss": "projectManager"} {
		_, err := w.app.AddUser(t.Context(), name, name, []string{role})
		require.NoError(t, err)
	}
	call := func(actor, method, path, body string, want fault.Code, into any) {
		t.Helper()
		got := w.send(t, call{method: method, path: path, body: body, actor: actor})
		require.Equal(t, want, got.Errcode, "%s %s: %.300s", method, path, got.Body)
		w.matches(t, method, path, got)
		if into != nil {
			got.into(t, into)
		}
	}
	const flows, items = "/api/runtime/workflow/", "/api/runtime/workitem/"
	var startable struct {
		Groups []struct {
			AppCode   string
			Workflows []struct{ WorkflowCode string }
		}
	}
	call("flow.clerk", "GET", flows+"start_list", "", 0, &startable)
	require.Equal(t, "shiplock", startable.Groups[0].AppCode)
	require.Equal(t, "contractApproval", startable.Groups[0].Workflows[0].WorkflowCode)
	call("flow.clerk", "GET", flows+"start_form?workflowCode=contractApproval", "", 0, nil)

	contract := w.rows(t, administrator, "contract")[0]
	var done struct {
		WorkflowInstanceID string `json:"workflowInstanceId"`
		BizObjectID        string `json:"bizObjectId"`
		InstanceState      string
	}
	call("flow.clerk", "POST", "/api/runtime/form/submit", fmt.Sprintf(`{"workflowCode":"contractApproval","objectId":%q,"data":{},"opinion":"please","clientToken":"t1"}`, contract), 0, &done)
	require.Equal(t, contract, done.BizObjectID)
	require.Equal(t, "PROCESSING", done.InstanceState)
	call("flow.clerk", "POST", "/api/runtime/form/submit", fmt.Sprintf(`{"workflowCode":"contractApproval","objectId":%q,"data":{}}`, contract), fault.InstanceNotOpen, nil)

	var tasks struct {
		Content []struct{ WorkItemID, InstanceName string }
	}
	call("flow.second", "POST", items+"unfinished", `{"workflowCode":"contractApproval","sort":"dueTime"}`, 0, &tasks)
	require.Len(t, tasks.Content, 1)
	task := tasks.Content[0].WorkItemID
	call("flow.second", "POST", items+"unfinished", fmt.Sprintf(`{"searchword":%q,"appCode":"shiplock"}`, tasks.Content[0].InstanceName[:4]), 0, &tasks)
	require.Len(t, tasks.Content, 1)
	call("flow.second", "POST", items+"unfinished", `{"searchword":"_%"}`, 0, &tasks)
	require.Empty(t, tasks.Content, "wildcards are letters")
	call("flow.second", "GET", items+"counts", "", 0, nil)
	call("flow.second", "GET", items+"detail?workItemId="+task, "", 0, nil)
	call("flow.boss", "GET", items+"detail?workItemId="+task, "", fault.ItemNotYours, nil)
	call("flow.second", "POST", items+"next_nodes", fmt.Sprintf(`{"workItemId":%q,"action":"agree"}`, task), 0, nil)
	call("flow.second", "POST", items+"save", fmt.Sprintf(`{"workItemId":%q}`, task), 0, nil)
	call("flow.second", "POST", items+"circulate", fmt.Sprintf(`{"workItemId":%q,"people":[%q]}`, task, w.id(t, "flow.clerk")), 0, nil)
	call("flow.second", "POST", items+"circulate", fmt.Sprintf(`{"workItemId":%q,"people":["nobody"]}`, task), fault.BadParameter, nil)
	call("flow.clerk", "PUT", items+"mark_read_all", `{}`, 0, nil)
	call("flow.clerk", "POST", items+"read", `{}`, 0, &tasks)
	require.Len(t, tasks.Content, 1)
	call("flow.second", "POST", items+"reject", fmt.Sprintf(`{"workItemId":%q,"activityCode":"start"}`, task), fault.OpinionRequired, nil)
	call("flow.second", "POST", items+"reject", fmt.Sprintf(`{"workItemId":%q,"activityCode":"start","opinion":"why"}`, task), 0, nil)

	type opinion struct{ NodeName, User, Result, Opinion, Time string }
	var loaded struct {
		Data    struct{ Opinions []opinion }
		Version int
	}
	load := "/api/runtime/form/load?schemaCode=contract&objectId=" + contract
	call("flow.clerk", "GET", load, "", 0, &loaded)
	require.Len(t, loaded.Data.Opinions, 2)
	require.Equal(t, []string{"flow.second", "reject", "why"}, []string{loaded.Data.Opinions[1].User, loaded.Data.Opinions[1].Result, loaded.Data.Opinions[1].Opinion})
	call(administrator, "POST", "/api/runtime/form/save", fmt.Sprintf(`{"schemaCode":"contract","id":%q,"version":%d,"data":{"opinions":[]}}`, contract, loaded.Version), fault.RecordInvalid, nil)
	var page struct {
		Content []struct {
			ID   string
			Data struct{ Opinions []opinion }
		}
	}
	call("flow.clerk", "POST", "/api/runtime/query/list", fmt.Sprintf(`{"schemaCode":"contract","objectIds":[%q],"options":{"queryDisplayType":1,"customDisplayColumns":["opinions"]},"filters":[{"propertyCode":"opinions","propertyValue":"WHY"}]}`, contract), 0, &page)
	require.Equal(t, loaded.Data.Opinions, page.Content[0].Data.Opinions)
	var printed []struct {
		Texts       map[string]any
		WorkflowLog []struct{ Name, Operating, Comment string }
	}
	call(administrator, "POST", "/api/runtime/print/load_data", fmt.Sprintf(`{"schemaCode":"contract","objectIds":[%q]}`, contract), 0, &printed)
	require.Len(t, printed[0].WorkflowLog, 3, "the start, the copy, the way back")
	require.Equal(t, "why", printed[0].WorkflowLog[2].Comment)
	require.Contains(t, printed[0].Texts["opinions"], "why")
	call(viewer, "GET", load, "", fault.RecordNotFound, nil)
	call("flow.clerk", "POST", flows+"mine", `{"state":"PROCESSING"}`, 0, nil)
	call("flow.clerk", "GET", flows+"track?workflowInstanceId="+done.WorkflowInstanceID, "", 0, nil)
	call("flow.clerk", "GET", flows+"base_info?schemaCode=contract&objectId="+contract, "", 0, nil)
	call(administrator, "POST", flows+"query", `{"workflowCode":"contractApproval"}`, 0, nil)
	call("flow.clerk", "POST", flows+"urge", fmt.Sprintf(`{"workflowInstanceId":%q}`, done.WorkflowInstanceID), 0, nil)
	call("flow.clerk", "POST", flows+"urge", fmt.Sprintf(`{"workflowInstanceId":%q}`, done.WorkflowInstanceID), fault.UrgeTooSoon, nil)
	call(viewer, "POST", flows+"void", fmt.Sprintf(`{"workflowInstanceId":%q}`, done.WorkflowInstanceID), fault.WorkflowNotFound, nil)
	call(administrator, "POST", flows+"void", fmt.Sprintf(`{"workflowInstanceId":%q,"opinion":"test"}`, done.WorkflowInstanceID), 0, nil)

	var made struct{ ID string }
	call("flow.boss", "POST", "/api/runtime/delegation", fmt.Sprintf(`{"to":%q,"workflowCodes":["contractApproval"],"startTime":"2026-01-01T00:00:00Z","endTime":"2099-01-01T00:00:00Z"}`, w.id(t, "flow.second")), 0, &made)
	var told struct {
		Message struct {
			Content []struct {
				ID    string
				Opens bool
			}
		} `json:"MESSAGE"`
	}
	call("flow.second", "POST", "/api/search/paltformSearch", `{"messageType":51,"size":1}`, 0, &told)
	require.True(t, told.Message.Content[0].Opens)
	var link struct{ URL string }
	call("flow.second", "GET", "/api/message/form_url?messageId="+told.Message.Content[0].ID, "", 0, &link)
	require.Equal(t, "/workflow-center/delegation-workflow", link.URL)
	call("flow.boss", "PUT", "/api/runtime/delegation", fmt.Sprintf(`{"id":%q,"to":%q,"startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T00:00:00Z"}`, made.ID, w.id(t, "flow.second")), fault.DelegationPeriod, nil)
	call("flow.second", "GET", "/api/runtime/delegation", "", 0, nil)
	call("flow.boss", "PUT", "/api/runtime/delegation", fmt.Sprintf(`{"id":%q,"to":%q,"startTime":"2026-01-01T00:00:00Z","endTime":"2099-01-01T00:00:00Z","moveOpen":true,"returnOpen":true}`, made.ID, w.id(t, "flow.second")), 0, nil)
	call("flow.boss", "POST", items+"delegated", `{"searchword":"x"}`, 0, nil)
	call("flow.boss", "GET", items+"people?kind=department&keyword=", "", 0, nil)
	call("flow.second", "DELETE", "/api/runtime/delegation/"+made.ID, "", fault.DelegationNotFound, nil)
	call("flow.boss", "DELETE", "/api/runtime/delegation/"+made.ID, "", 0, nil)
}
