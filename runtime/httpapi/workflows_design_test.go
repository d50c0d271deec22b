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
	"github.com/sluice-platform/sluice/runtime/design"
)

// designing are the calls of the desk, which leave the documents as they are. A page that nobody has yet is designed, too.
func designing() (rows []actorRow) {
	const nobody, forbidden = fault.Unauthenticated, fault.Forbidden
	for _, of := range []struct {
		kind, code string
		missing    fault.Code
	}{
		{"workflow", "contractApproval", fault.WorkflowNotFound},
		{"print", "inspection", fault.PrintTemplateNotFound},
	} {
		at := "?appCode=shiplock&kind=" + of.kind + "&code=" + of.code
		name := `"appCode":"shiplock","kind":"` + of.kind + `","code":"` + of.code + `"`
		draft := `{` + name + `,"text":"{}","seen":"x"}`
		rows = append(rows, []actorRow{
			{"GET", "/api/design/begun?appCode=shiplock&kind=" + of.kind, "", nobody, 0, 0},
			{"GET", "/api/design/document" + at, "", nobody, forbidden, 0},
			{"GET", "/api/design/document?appCode=none&kind=" + of.kind + "&code=x", "", nobody, forbidden, fault.AppNotFound},
			{"GET", "/api/design/history" + at, "", nobody, forbidden, 0},
			{"GET", "/api/design/history?appCode=shiplock&code=none&kind=" + of.kind, "", nobody, forbidden, of.missing},
			{"GET", "/api/design/version?version=0&" + at[1:], "", nobody, forbidden, 0},
			{"GET", "/api/design/version?version=-1&" + at[1:], "", nobody, fault.BadParameter, fault.BadParameter},
			{"POST", "/api/design/check", draft, nobody, forbidden, 0},
			{"POST", "/api/design/check", `{` + name + `,"new":true,"text":"{}"}`, nobody, forbidden, fault.AppCodeTaken},
			{"POST", "/api/design/plan", draft, nobody, forbidden, 0},
			{"PUT", "/api/design/draft", draft, nobody, forbidden, fault.EditLockLost},
			{"POST", "/api/design/publish", draft, nobody, forbidden, fault.EditLockLost},
			{"POST", "/api/design/discard", `{` + name + `}`, nobody, forbidden, fault.EditLockLost},
			{"POST", "/api/design/lock", `{"appCode":"shiplock","kind":"` + of.kind + `","code":"../x"}`, nobody, forbidden, fault.AppCodeInvalid},
		}...)
	}
	const page = `"kind":"portal","code":"defaultPortalDashboard"`
	return append(rows, []actorRow{
		{"GET", "/api/app/workflow/list?appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", "/api/app/workflow/list?appCode=none", "", nobody, forbidden, fault.AppNotFound},
		{"GET", "/api/app/workflow/design?appCode=shiplock&workflowCode=contractApproval", "", nobody, forbidden, 0},
		{"GET", "/api/app/workflow/model?appCode=shiplock&schemaCode=contract", "", nobody, forbidden, 0},
		{"GET", "/api/app/workflow/people?appCode=shiplock&kind=user&search=a", "", nobody, forbidden, 0},
		{"GET", "/api/app/workflow/people?appCode=shiplock&kind=role", "", nobody, forbidden, fault.BadParameter},
		{"GET", "/api/app/print/list?appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", "/api/app/print/list?appCode=none", "", nobody, forbidden, fault.AppNotFound},
		{"GET", "/api/app/print/design?appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", "/api/app/print/model?appCode=shiplock&schemaCode=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/design/list?kind=report&appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", "/api/design/list?kind=dictionary&appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", "/api/design/document?kind=dictionary&appCode=shiplock&code=weather", "", nobody, forbidden, 0},
		{"GET", "/api/design/begun?kind=none", "", nobody, fault.BadParameter, fault.BadParameter},
		{"GET", "/api/design/document?kind=portal&code=defaultPortalDashboard", "", nobody, forbidden, 0},
		{"GET", "/api/design/document?kind=report&code=progress", "", nobody, forbidden, 0},
		{"POST", "/api/design/lock", `{"kind":"report","code":"progress"}`, nobody, forbidden, forbidden},
		{"POST", "/api/design/check", `{` + page + `,"text":"{\"widgets\": []}"}`, nobody, forbidden, 0},
		{"PUT", "/api/design/draft", `{` + page + `,"text":"{}"}`, nobody, forbidden, fault.EditLockLost},
		{"POST", "/api/design/publish", `{` + page + `,"text":"{\"widgets\": []}"}`, nobody, forbidden, fault.EditLockLost},
		{"POST", "/api/design/discard", `{` + page + `}`, nobody, forbidden, fault.EditLockLost},
		{"POST", "/api/design/lock", `{` + page + `}`, nobody, forbidden, 0},
		{"POST", "/api/design/takeover", `{` + page + `}`, nobody, forbidden, 0},
		{"POST", "/api/design/unlock", `{` + page + `}`, nobody, 0, 0},
	}...)
}

// publishes returns what takes the edit lock of a document and publishes it.
func (w *world) publishes(t *testing.T) func(actor string, in design.Draft, want fault.Code, into any) {
	return func(actor string, in design.Draft, want fault.Code, into any) {
		t.Helper()
		w.calls(t)(actor, "POST", "/api/design/takeover", in.Name, 0, nil)
		w.calls(t)(actor, "POST", "/api/design/publish", in, want, into)
	}
}

// calls returns what sends a body as JSON and reads the answer, which has to be as api.yaml says.
func (w *world) calls(t *testing.T) func(actor, method, path string, in any, want fault.Code, into any) {
	return func(actor, method, path string, in any, want fault.Code, into any) {
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
}

// TestDesignWorkflow reads, checks and publishes a workflow as its editor does, as an administrator of all and as one of the application.
func TestDesignWorkflow(t *testing.T) {
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	call, publish := w.calls(t), w.publishes(t)
	const keeperRole = `{"name": "应用管理员", "permissions": ["APP_MNG"], "apps": ["shiplock"]}`
	call(administrator, "POST", publishPath, map[string]any{"note": "", "files": []any{map[string]any{"pack": "shiplock", "path": "access/keeper.json", "text": keeperRole, "seen": ""}}}, 0, nil)
	_, err = w.app.AddUser(t.Context(), "keeper", "王守", []string{"keeper"})
	require.NoError(t, err)

	name := design.Name{Kind: "workflow", App: "shiplock", Code: "contractApproval"}
	const document = "/api/design/document?kind=workflow&appCode=shiplock&code=contractApproval"
	var begun design.Document
	call("keeper", "GET", document, nil, 0, &begun)
	require.False(t, begun.Whole)
	require.Contains(t, begun.Text, `"id": "commercial"`)
	var whole design.Document
	call(administrator, "GET", document, nil, 0, &whole)
	require.True(t, whole.Whole)
	var all, own design.WorkflowChoices
	call(administrator, "GET", "/api/app/workflow/design?appCode=shiplock", nil, 0, &all)
	call("keeper", "GET", "/api/app/workflow/design?appCode=shiplock&workflowCode=contractApproval", nil, 0, &own)
	require.Greater(t, len(all.Models), len(own.Models), "an administrator of one application is not offered models of others")
	var model design.WorkflowModel
	call("keeper", "GET", "/api/app/workflow/model?appCode=shiplock&schemaCode=contract", nil, 0, &model)
	codes := map[string]design.WorkflowProperty{}
	for _, p := range model.Properties {
		codes[p.Code] = p
	}
	require.True(t, codes["payments"].Sheet)
	require.Contains(t, codes, "payments.ratio")
	require.Equal(t, "people", codes["manager"].Parties)
	call("keeper", "GET", "/api/app/workflow/model?appCode=shiplock&schemaCode=user", nil, fault.ModelNotFound, nil)
	call("keeper", "GET", "/api/app/workflow/list?appCode=organisation", nil, fault.Forbidden, nil)
	var people []design.Party
	call("keeper", "GET", "/api/app/workflow/people?appCode=shiplock&kind=user&search="+url.QueryEscape("王守"), nil, 0, &people)
	require.Len(t, people, 1)
	call("keeper", "GET", "/api/app/workflow/people?appCode=shiplock&kind=user&ids="+people[0].ID, nil, 0, &people)
	require.Equal(t, "王守", people[0].Name)

	// The problem of a node is told with its place.
	draft := func(text, seen string) design.Draft { return design.Draft{Name: name, Text: text, Seen: seen} }
	const nobody = `{"id": "extra", "type": "APPROVE", "name": "复核", "name_i18n": {"en": "Second look"}, "participants": [], "next": ["size"]},
    {"id": "size", "type": "SPLIT"`
	faulty := strings.Replace(strings.Replace(begun.Text, `"next": ["size"]`, `"next": ["extra"]`, 1), `{"id": "size", "type": "SPLIT"`, nobody, 1)
	require.NotEqual(t, begun.Text, faulty)
	var check design.Check
	call("keeper", "POST", "/api/design/check", draft(faulty, begun.Seen), 0, &check)
	require.Len(t, check.Diagnostics, 1)
	require.Equal(t, []string{"WF400010", "/nodes/2/participants", "workflows/contractApproval.json"},
		[]string{check.Diagnostics[0].Code, check.Diagnostics[0].Pointer, check.Diagnostics[0].File})
	require.Equal(t, begun.Seen, check.Seen)
	publish("keeper", draft(faulty, begun.Seen), fault.PublishFaulty, &check)
	require.Equal(t, "/nodes/2/participants", check.Diagnostics[0].Pointer)

	// It is published in the form that the program writes, whatever the form was in which it came.
	good := strings.Replace(faulty, `"participants": []`, `"participants":[{"value":["projectManager"],"type":"role"}]`, 1)
	var published design.Published
	publish("keeper", draft(good, begun.Seen), 0, &published)
	var now design.Document
	call("keeper", "GET", document, nil, 0, &now)
	require.Equal(t, []any{published.Text, published.Seen, published.Version}, []any{now.Text, now.Seen, now.Version})
	require.Contains(t, now.Text, `{"type": "role", "value": ["projectManager"]}`)
	var list []design.DesignedWorkflow
	call("keeper", "GET", "/api/app/workflow/list?appCode=shiplock", nil, 0, &list)
	require.Equal(t, 3, list[0].Steps)

	// Who began before that is told who was first.
	publish(administrator, draft(begun.Text, begun.Seen), fault.PublishConflict, &check)
	require.Equal(t, "王守", check.ChangedBy)
	require.Equal(t, now.Seen, check.Seen)

	// What reaches beyond the application, only administrators of all may add; what is there already stays.
	service := strings.Replace(now.Text, `{"id": "end"`, `{"id": "told", "type": "SERVICE", "service": "none.such", "next": ["end"]}, {"id": "end"`, 1)
	service = strings.Replace(service, `"of": "size", "next": ["end"]`, `"of": "size", "next": ["told"]`, 1)
	publish("keeper", draft(service, now.Seen), fault.WorkflowReach, nil)
	publish("keeper", draft(strings.Replace(now.Text, `"schemaCode": "contract"`, `"schemaCode": "user"`, 1), now.Seen), fault.WorkflowReach, nil)
	hooked := strings.TrimSuffix(strings.TrimSpace(now.Text), "}") + `, "hooks": [{"on": "instance.completed", "service": "none.such"}]}`
	publish("keeper", draft(hooked, now.Seen), fault.WorkflowReach, nil)
	publish(administrator, draft(service, now.Seen), fault.PublishFaulty, &check)
	require.Equal(t, "WF400037", check.Diagnostics[0].Code, "nothing is published that calls what is not there")
	publish(administrator, draft(strings.Replace(service, "{", `{"published": 0, `, 1), now.Seen), 0, &published)
	publish("keeper", draft(strings.Replace(published.Text, `"复核"`, `"再复核"`, 1), published.Seen), 0, nil)

	// A new one.
	fresh := design.Draft{Name: design.Name{Kind: "workflow", App: "shiplock", Code: "lotNotice"}, New: true,
		Text: `{"schemaCode":"inspection","name":"通知","nodes":[{"id":"start","type":"START","name":"发起","next":["end"]},{"id":"end","type":"END"}]}`}
	listed := func(who string) (out design.DesignedWorkflow) {
		call(who, "GET", "/api/app/workflow/list?appCode=shiplock", nil, 0, &list)
		if at := slices.IndexFunc(list, func(w design.DesignedWorkflow) bool { return w.Code == "lotNotice" }); at >= 0 {
			out = list[at]
		}
		return out
	}
	require.Empty(t, listed("keeper"))
	call("keeper", "POST", "/api/design/lock", fresh.Name, 0, nil)
	call("keeper", "PUT", "/api/design/draft", fresh, 0, nil)
	first := listed("keeper")
	require.Equal(t, []any{"通知", "inspection", false, true, true, "王守"}, []any{first.Label.Zh, first.Model, first.Published, first.Begun, first.Mine, *first.DraftBy}, "what has been begun is in the list")
	require.NotNil(t, first.DraftTime)
	require.False(t, listed(administrator).Mine)
	publish("keeper", fresh, 0, nil)
	publish("keeper", fresh, fault.AppCodeTaken, nil)
	there := listed("keeper")
	require.Equal(t, []any{true, false, (*string)(nil)}, []any{there.Published, there.Begun, there.DraftBy}, fmt.Sprint(list))
}
