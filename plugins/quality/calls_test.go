package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
)

// call answers a route with the rights of a person.
func (s *site) call(who principal.Principal, method, path, body string) (string, error) {
	s.t.Helper()
	route, _, _ := s.State().Catalog.RouteOf(method, path)
	require.NotNil(s.t, route, path)
	view := s.View(who)
	if !view.Call(route) {
		return "", fault.New(fault.Forbidden)
	}
	out, err := s.Call(context.Background(), view, route, app.Input{Body: []byte(body)})
	s.described(route, out, err)
	return string(out), err
}

// described: an answer is as the document of the calls describes it. The program does not look when a Go type describes the answer.
func (s *site) described(route *catalog.Route, out []byte, err error) {
	s.t.Helper()
	if err != nil {
		return
	}
	schema, failed := action.CompileSchema(route.Output.JSON())
	require.NoError(s.t, failed)
	require.NoError(s.t, schema.Check(out), "%s %s: %s", route.Method, route.Path, out)
}

// calls builds a breakdown by calls, binds a template, and reads it back; two contractors see their own contracts only.
func calls(t *testing.T, s *site) {
	must := func(who principal.Principal, method, path, body string) string {
		t.Helper()
		out, err := s.call(who, method, path, body)
		require.NoError(t, err, told(err))
		return out
	}
	contracts, people := map[string]string{}, map[string]principal.Principal{}
	var template string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		template = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "TEMPLATE", "code": "SLAB", "title": "底板混凝土"})
		before := ""
		for i, name := range []string{"放样", "浇筑"} {
			values := map[string]any{"kind": "PROCESS", "parentId": template, "code": "SLAB-" + name, "title": name, "sortKey": strconv.Itoa(i)}
			if before != "" {
				values["prevIds"] = []string{before}
			}
			before = s.make(ctx, w, "q_jbs_base", values)
			s.make(ctx, w, "q_biz_base", map[string]any{"jbsBaseId": before, "schemaCode": "q_work", "sheetTitle": name, "bizKind": "RECORD"})
		}
	})
	admin := s.Person("chief", "administrator")
	for _, name := range []string{"a", "b"} {
		var department string
		s.do(admin, func(ctx context.Context, w world.World) {
			department = s.make(ctx, w, "department", map[string]any{"name": "施工 " + name})
			person := s.make(ctx, w, "user", map[string]any{"username": "qc" + name, "name": name, "mainDepartment": department, "departments": []string{department}})
			roles, err := w.Find(ctx, "role", map[string]any{"code": "R_CQC"}, 1)
			require.NoError(t, err)
			require.NoError(t, edit(ctx, w, "user", person, map[string]any{"roles": roles}))
			contracts[name] = s.make(ctx, w, "c_contract", map[string]any{"projectId": s.project, "code": name, "contractName": "合同 " + name, "partyADept": department, "partyBDept": department, "contractAmount": "1"})
		})
		var ok bool
		people[name], ok = s.Caller(t.Context(), "qc"+name)
		require.True(t, ok)
	}
	root := `{"projectKey": "calls", "name": "闸首", "code": "0%s", "nodeType": "UNIT", "contractId": %q}`
	must(people["a"], "POST", v2+"/qbs/add", fmt.Sprintf(root, "9", contracts["a"]))
	_, err := s.call(people["a"], "POST", v2+"/qbs/add", `{"projectKey": "calls", "name": "闸首", "code": "08", "nodeType": "UNIT"}`)
	refused(t, err, fault.NoAddPermission) // without a contract
	_, err = s.call(people["a"], "POST", v2+"/qbs/add", fmt.Sprintf(root, "8", contracts["b"]))
	require.Error(t, err, "somebody else's contract")
	lonely := s.Person("lonely", "R_CQC")
	require.Contains(t, must(lonely, "GET", v2+"/qbs/authority", `{}`), `"canAdd":false`, "somebody of no department has no contract")
	require.Contains(t, must(people["a"], "GET", v2+"/qbs/authority", `{}`), `"canAdd":true`)
	must(s.owner, "POST", v2+"/qbs/add", `{"projectKey": "calls", "name": "船闸", "code": "01", "nodeType": "UNIT"}`)
	var top []struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "GET", v2+"/qbs/treeList", `{"projectKey": "calls", "keyword": "船闸"}`)), &top))
	require.Len(t, top, 1)
	var added struct{ IDs []string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "POST", v2+"/qbs/add", fmt.Sprintf(`{"projectKey": "calls", "nodes": [
		{"parentId": %[1]q, "name": "甲段", "nodeType": "DIVISION", "contractId": %[2]q}, {"parentId": %[1]q, "name": "乙段", "nodeType": "DIVISION", "contractId": %[3]q}]}`, top[0].ID, contracts["a"], contracts["b"]))), &added))
	must(s.owner, "POST", v2+"/qbs/add", fmt.Sprintf(`{"projectKey": "calls", "parentId": %q, "name": "底板", "nodeType": "ITEM"}`, added.IDs[0]))
	var found []struct{ ID, Code string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "GET", v2+"/qbs/treeList", `{"projectKey": "calls", "keyword": "底板"}`)), &found))
	require.Equal(t, "01-01-01", found[0].Code)
	item := found[0].ID
	require.Equal(t, contracts["a"], s.get(s.owner, "q_qbs", item)["contractId"].(map[string]any)["id"], "a node has the contract of its parent")
	require.JSONEq(t, `{"created": 1, "skipped": 0}`, must(s.owner, "POST", v2+"/qbs/jbs", fmt.Sprintf(`{"qbsIds": [%q], "jbsBaseId": %q}`, item, template)))
	require.JSONEq(t, `{"created": 0, "skipped": 1}`, must(s.owner, "POST", v2+"/qbs/jbs", fmt.Sprintf(`{"qbsIds": [%q], "jbsBaseId": %q}`, item, template)))
	var processes []struct {
		Status string
		Biz    []struct{ SchemaCode string }
	}
	require.NoError(t, json.Unmarshal([]byte(must(people["a"], "GET", v2+"/jbs/node", fmt.Sprintf(`{"qbsId": %q}`, item))), &processes))
	require.Equal(t, []string{"OPEN", "LOCKED"}, []string{processes[0].Status, processes[1].Status})
	require.Equal(t, "q_work", processes[1].Biz[0].SchemaCode)

	for name, other := range map[string]string{"a": "乙段", "b": "甲段"} {
		for _, path := range []string{v2 + "/qbs/complete/tree", check + "/evaluation/tree", v2 + "/analyse/node"} {
			require.NotContains(t, must(people[name], "GET", path, `{"projectKey": "calls"}`), other, path)
		}
	}
	require.Contains(t, must(s.owner, "GET", v2+"/qbs/complete/tree", `{"projectKey": "calls"}`), `"bizCount":{"total":2,"done":0}`)
	require.NotContains(t, must(people["b"], "GET", v2+"/qbs/complete/tree", `{"projectKey": "calls"}`), `"total":2`, "nor what other contracts add up to")
	_, err = s.call(people["b"], "GET", v2+"/qbs/log", fmt.Sprintf(`{"qbsId": %q}`, item))
	refused(t, err, fault.BadParameter)
	_, err = s.call(people["b"], "PUT", v2+"/qbs/log", fmt.Sprintf(`{"qbsId": %q, "action": "seen"}`, item))
	refused(t, err, fault.BadParameter)
	require.JSONEq(t, `{"canAdd": false, "canEdit": true, "canDelete": true, "canImport": true, "canBind": true, "canReview": false, "kinds": ["SELF"]}`, must(people["a"], "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, item)))
	require.JSONEq(t, `{"canAdd": false, "canEdit": false, "canDelete": false, "canImport": false, "canBind": false, "canReview": false, "kinds": []}`, must(people["b"], "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, item)))
	for _, one := range []struct {
		who  principal.Principal
		node string
		bind bool
	}{{people["a"], top[0].ID, false}, {people["a"], added.IDs[1], false}, {s.Person("modeller", "R_BIM"), top[0].ID, true}, {s.owner, top[0].ID, true}} {
		require.Contains(t, must(one.who, "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, one.node)), fmt.Sprintf(`"canBind":%t`, one.bind), one.who.Name)
	}
}
