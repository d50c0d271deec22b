package httpapi

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// designing are the calls of the editor of workflows. They leave the workflows as they are.
var designing = []actorRow{
	{"GET", designPath + "list?appCode=shiplock", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", designPath + "list?appCode=none", "", fault.Unauthenticated, fault.Forbidden, fault.AppNotFound},
	{"GET", designPath + "design?appCode=shiplock&workflowCode=contractApproval", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", designPath + "design?appCode=shiplock&workflowCode=none", "", fault.Unauthenticated, fault.Forbidden, fault.WorkflowNotFound},
	{"GET", designPath + "model?appCode=shiplock&schemaCode=contract", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", designPath + "people?appCode=shiplock&kind=user&search=a", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", designPath + "people?appCode=shiplock&kind=role", "", fault.Unauthenticated, fault.Forbidden, fault.BadParameter},
	{"POST", designPath + "check", `{"appCode":"shiplock","workflowCode":"contractApproval","text":"{}","seen":"x"}`, fault.Unauthenticated, fault.Forbidden, 0},
	{"POST", designPath + "check", `{"appCode":"shiplock","workflowCode":"contractApproval","new":true,"text":"{}","seen":""}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeTaken},
	{"PUT", designPath + "draft", `{"appCode":"shiplock","workflowCode":"contractApproval","text":"","seen":""}`, fault.Unauthenticated, fault.Forbidden, 0},
	{"PUT", designPath + "design", `{"appCode":"shiplock","workflowCode":"contractApproval","text":"{}","seen":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.PublishConflict},
	{"PUT", designPath + "design", `{"appCode":"shiplock","workflowCode":"../x","new":true,"text":"{}","seen":""}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeInvalid},
}

// TestDesignWorkflow reads, checks and publishes a workflow as its editor does, as an administrator of all and as one of the application.
func TestDesignWorkflow(t *testing.T) {
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	call := func(actor, method, path string, in any, want fault.Code, into any) {
		t.Helper()
		body := ""
		if in != nil {
			text, err := json.Marshal(in)
			require.NoError(t, err)
			body = string(text)
		}
		got := w.send(t, call{method: method, path: path, body: body, actor: actor})
		require.Equal(t, want, got.Errcode, "%s %s: %.600s", method, path, got.Body)
		w.matches(t, method, path, got)
		if into != nil {
			require.NoError(t, json.Unmarshal(got.Data, into)) // of refusals too
		}
	}
	const keeperRole = `{"name": "应用管理员", "permissions": ["APP_MNG"], "apps": ["shiplock"]}`
	call(administrator, "POST", publishPath, map[string]any{"note": "", "files": []any{map[string]any{"pack": "shiplock", "path": "access/keeper.json", "text": keeperRole, "seen": ""}}}, 0, nil)
	_, err = w.app.AddUser(t.Context(), "keeper", "王守", []string{"keeper"})
	require.NoError(t, err)

	of := url.Values{"appCode": {"shiplock"}, "workflowCode": {"contractApproval"}}.Encode()
	var begun app.Design
	call("keeper", "GET", designPath+"design?"+of, nil, 0, &begun)
	require.False(t, begun.Whole)
	require.Contains(t, begun.Text, `"id": "commercial"`)
	var all app.Design
	call(administrator, "GET", designPath+"design?appCode=shiplock", nil, 0, &all)
	require.True(t, all.Whole)
	require.Greater(t, len(all.Models), len(begun.Models), "an administrator of one application is not offered models of others")
	var model app.DesignModel
	call("keeper", "GET", designPath+"model?appCode=shiplock&schemaCode=contract", nil, 0, &model)
	codes := map[string]app.DesignProperty{}
	for _, p := range model.Properties {
		codes[p.Code] = p
	}
	require.True(t, codes["payments"].Sheet)
	require.Contains(t, codes, "payments.ratio")
	require.Equal(t, "people", codes["manager"].Parties)
	call("keeper", "GET", designPath+"model?appCode=shiplock&schemaCode=user", nil, fault.ModelNotFound, nil)
	call("keeper", "GET", designPath+"list?appCode=organisation", nil, fault.Forbidden, nil)
	var people []app.DesignPerson
	call("keeper", "GET", designPath+"people?appCode=shiplock&kind=user&search="+url.QueryEscape("王守"), nil, 0, &people)
	require.Len(t, people, 1)
	call("keeper", "GET", designPath+"people?appCode=shiplock&kind=user&ids="+people[0].ID, nil, 0, &people)
	require.Equal(t, "王守", people[0].Name)

	// The problem of a node is told with its place.
	draft := func(text, seen string) app.DesignDraft {
		return app.DesignDraft{App: "shiplock", Code: "contractApproval", Text: text, Seen: seen}
	}
	const nobody = `{"id": "extra", "type": "APPROVE", "name": "复核", "name_i18n": {"en": "Second look"}, "participants": [], "next": ["size"]},
    {"id": "size", "type": "SPLIT"`
	faulty := strings.Replace(strings.Replace(begun.Text, `"next": ["size"]`, `"next": ["extra"]`, 1), `{"id": "size", "type": "SPLIT"`, nobody, 1)
	require.NotEqual(t, begun.Text, faulty)
	var check app.DesignCheck
	call("keeper", "POST", designPath+"check", draft(faulty, begun.Seen), 0, &check)
	require.Len(t, check.Diagnostics, 1)
	require.Equal(t, []string{"WF400010", "/nodes/2/participants", "workflows/contractApproval.json"},
		[]string{check.Diagnostics[0].Code, check.Diagnostics[0].Pointer, check.Diagnostics[0].File})
	require.Equal(t, begun.Seen, check.Seen)
	call("keeper", "PUT", designPath+"design", draft(faulty, begun.Seen), fault.PublishFaulty, &check)
	require.Equal(t, "/nodes/2/participants", check.Diagnostics[0].Pointer)

	// It is published in the form that the program writes, whatever the form was in which it came.
	good := strings.Replace(faulty, `"participants": []`, `"participants":[{"value":["projectManager"],"type":"role"}]`, 1)
	var published app.DesignPublished
	call("keeper", "PUT", designPath+"design", draft(good, begun.Seen), 0, &published)
	var now app.Design
	call("keeper", "GET", designPath+"design?"+of, nil, 0, &now)
	require.Equal(t, []any{published.Text, published.Seen, published.Version}, []any{now.Text, now.Seen, now.Version})
	require.Contains(t, now.Text, `{"type": "role", "value": ["projectManager"]}`)
	var list []app.DesignedWorkflow
	call("keeper", "GET", designPath+"list?appCode=shiplock", nil, 0, &list)
	require.Equal(t, 3, list[0].Steps)

	// Who began before that is told who was first.
	call(administrator, "PUT", designPath+"design", draft(begun.Text, begun.Seen), fault.PublishConflict, &check)
	require.Equal(t, "王守", check.ChangedBy)
	require.Equal(t, now.Seen, check.Seen)

	// What reaches beyond the application, only administrators of all may add; what is there already stays.
	service := strings.Replace(now.Text, `{"id": "end"`, `{"id": "told", "type": "SERVICE", "service": "none.such", "next": ["end"]}, {"id": "end"`, 1)
	service = strings.Replace(service, `"of": "size", "next": ["end"]`, `"of": "size", "next": ["told"]`, 1)
	call("keeper", "PUT", designPath+"design", draft(service, now.Seen), fault.WorkflowReach, nil)
	call("keeper", "PUT", designPath+"design", draft(strings.Replace(now.Text, `"schemaCode": "contract"`, `"schemaCode": "user"`, 1), now.Seen), fault.WorkflowReach, nil)
	hooked := strings.TrimSuffix(strings.TrimSpace(now.Text), "}") + `, "hooks": [{"on": "instance.completed", "service": "none.such"}]}`
	call("keeper", "PUT", designPath+"design", draft(hooked, now.Seen), fault.WorkflowReach, nil)
	call(administrator, "PUT", designPath+"design", draft(service, now.Seen), fault.PublishFaulty, &check)
	require.Equal(t, "WF400037", check.Diagnostics[0].Code, "nothing is published that calls what is not there")
	call(administrator, "PUT", designPath+"design", draft(strings.Replace(service, "{", `{"published": 0, `, 1), now.Seen), 0, &published)
	call("keeper", "PUT", designPath+"design", draft(strings.Replace(published.Text, `"复核"`, `"再复核"`, 1), published.Seen), 0, nil)

	// A new one.
	fresh := app.DesignDraft{App: "shiplock", Code: "lotNotice", New: true,
		Text: `{"schemaCode":"inspection","name":"通知","nodes":[{"id":"start","type":"START","name":"发起","next":["end"]},{"id":"end","type":"END"}]}`}
	listed := func(who string) (out app.DesignedWorkflow) {
		call(who, "GET", designPath+"list?appCode=shiplock", nil, 0, &list)
		if at := slices.IndexFunc(list, func(w app.DesignedWorkflow) bool { return w.Code == "lotNotice" }); at >= 0 {
			out = list[at]
		}
		return out
	}
	require.Empty(t, listed("keeper"))
	call("keeper", "PUT", designPath+"draft", fresh, 0, nil)
	first := listed("keeper")
	require.Equal(t, []any{"通知", "inspection", false, true, true, "王守"}, []any{first.Label.Zh, first.Model, first.Published, first.Begun, first.Mine, *first.DraftBy}, "what has been begun is in the list")
	require.NotNil(t, first.DraftTime)
	require.False(t, listed(administrator).Mine)
	call("keeper", "PUT", designPath+"design", fresh, 0, nil)
	call("keeper", "PUT", designPath+"design", fresh, fault.AppCodeTaken, nil)
	there := listed("keeper")
	require.Equal(t, []any{true, false, (*string)(nil)}, []any{there.Published, there.Begun, there.DraftBy}, fmt.Sprint(list))
}
