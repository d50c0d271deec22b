package httpapi

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// parsed is schemas/api.yaml.
var parsed = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := platformCalls()
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
})

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := parsed()
	require.NoError(t, err)
	return doc
}

// TestRoutesAreTheContract: every call of schemas/api.yaml is registered, and nothing else is. Who may call without signing
// in and which calls are rated strictly stand in both.
func TestRoutesAreTheContract(t *testing.T) {
	registered := map[string]route{}
	for _, r := range shared.routes {
		registered[r.method+" "+r.path] = r
	}
	for path, item := range document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			r, ok := registered[name]
			if !ok {
				t.Errorf("%s is in the contract only", name)
				continue
			}
			delete(registered, name)
			open := operation.Security != nil && len(*operation.Security) == 0
			require.Equal(t, open, r.access == public, "who may call %s", name)
			require.Equal(t, operation.Extensions["x-limit"] == "login", r.login, "rate of %s", name)
			require.Equal(t, operation.Extensions["x-limit"] == "open", r.open, "rate of %s", name)
			require.Equal(t, operation.Extensions["x-for-app-tokens"] == true, r.scoped, "%s by a token for chosen applications", name)
			require.Equal(t, operation.Extensions["x-while-password-due"] == true, r.due, "%s while the password is due", name)
		}
	}
	for name := range registered {
		t.Errorf("%s is registered only", name)
	}
}

func TestIncompleteRoutesAreRefused(t *testing.T) {
	whole := route{method: "GET", path: "/x", access: public, body: small, deadline: quick, handle: func(*request) (any, error) { return nil, nil }}
	for name, spoil := range map[string]func(*route){
		"access": func(r *route) { r.access = closed }, "body": func(r *route) { r.body = 0 },
		"deadline": func(r *route) { r.deadline = 0 }, "handler": func(r *route) { r.handle = nil },
	} {
		r := whole
		spoil(&r)
		require.Panics(t, func() { (&Server{}).register(r) }, name)
	}
}

// matches checks an answer against what the contract says of its call.
func (w *world) matches(t *testing.T, method, path string, got reply) {
	t.Helper()
	operation := document(t).Paths.Find(w.template(t, method, path)).GetOperation(method)
	status := "200"
	if got.Errcode != 0 {
		require.NotNil(t, document(t).Components.Responses["Failure"])
		status = "default"
	}
	response := operation.Responses.Value(status)
	if response == nil || response.Ref == "" {
		return // an answer without errors of its own, or none of JSON
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.Body.Bytes()))
	require.NoError(t, err)
	if err := responseSchema(t, response.Ref).Validate(value); err != nil {
		t.Errorf("%s %s: %.900v\n%.300s", method, path, err, got.Body)
	}
}

// template is the contract's path of a call.
func (w *world) template(t *testing.T, method, path string) string {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	i := slices.IndexFunc(w.routes, func(r route) bool { return r.method == method && r.covers(path) })
	require.GreaterOrEqual(t, i, 0, "%s %s is no call", method, path)
	return w.routes[i].path
}

var responseSchemas = map[string]*jsonschema.Schema{}

// responseSchema compiles a response of the contract as the JSON Schema (2020-12) that OpenAPI 3.1 says it is.
func responseSchema(t *testing.T, ref string) *jsonschema.Schema {
	t.Helper()
	if s := responseSchemas[ref]; s != nil {
		return s
	}
	text, err := platformCalls()
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource("api.json", document))
	s, err := c.Compile("api.json" + ref + "/content/application~1json/schema")
	require.NoError(t, err)
	responseSchemas[ref] = s
	return s
}

// TestActors sends each call of the contract as nobody, as a viewer and as an administrator.
func TestActors(t *testing.T) {
	w := openLocks(t)
	lot := w.rows(t, viewer, "inspection")[0]
	contract := w.rows(t, viewer, "contract")[0]
	site := w.addSite(t, "ACTOR-1")
	viewerID := w.id(t, viewer)
	work := w.enqueue(t, administrator, "bulk")
	w.awaitJob(t, administrator, work, "done")
	const everybody, nobody = fault.Code(0), fault.Unauthenticated
	type row = actorRow
	rows := []row{
		{"GET", "/healthz", "", everybody, 0, 0},
		{"GET", "/readyz", "", everybody, 0, 0},
		{"GET", "/api/login/rsa_key", "", everybody, 0, 0},
		{"POST", "/api/login/Authentication/get_token", `{"username":"x","password":"eA==","index":"none"}`, fault.KeyExpired, fault.KeyExpired, fault.KeyExpired},
		{"GET", "/api/login/Authentication/get_refresh_token", "", nobody, fault.Unauthenticated, fault.Unauthenticated},
		{"POST", "/login/Authentication/get_refresh_token", "", nobody, fault.Unauthenticated, fault.Unauthenticated},
		{"POST", "/api/login/logout", "", everybody, 0, 0},
		{"GET", "/api/login/setup", "", everybody, 0, 0},
		{"POST", "/api/login/setup", `{"secret":"the secret","username":"x","name":"x","password":"eA==","index":"x"}`, fault.SetupDone, fault.SetupDone, fault.SetupDone},
		{"GET", "/api/organization/user/info", "", nobody, 0, 0},
		{"PUT", "/api/organization/user/password", `{"index":"x","oldPassword":"eA==","newPassword":"eA=="}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"GET", "/api/organization/user/check_password", "", nobody, 0, 0},
		{"GET", "/api/organization/user/check_password?userId=" + viewerID, "", nobody, 0, fault.Forbidden},
		{"GET", "/api/organization/user/sessions", "", nobody, fault.TokenOnly, fault.TokenOnly}, // TestOwnSessions
		{"POST", "/api/organization/user/sessions/revoke", `{"id":"x"}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/sessions/revoke_others", "", nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/tokens", `{"label":"x","days":1}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"GET", "/api/organization/user/card?id=" + viewerID, "", nobody, 0, 0},
		{"GET", "/api/organization/user/departments?userId=" + viewerID, "", nobody, 0, 0},
		{"GET", "/api/system/config", "", everybody, 0, 0},
		{"GET", "/api/system/background", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/openapi.json", "", everybody, 0, 0},
		{"GET", "/api/app/apppackage/list", "", nobody, 0, 0},
		{"GET", "/api/app/function/tree?appCode=shiplock", "", nobody, 0, 0},
		{"GET", "/api/app/function/tree?appCode=organisation", "", nobody, fault.AppNotFound, 0},
		{"GET", "/api/app/group/list", "", nobody, 0, 0},
		{"GET", "/api/app/function/children?id=shiplock/quality", "", nobody, 0, 0},
		{"GET", "/api/app/function/children?id=shiplock/none", "", nobody, fault.MenuNotFound, fault.MenuNotFound},
		{"GET", "/api/runtime/interface/list", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/headers?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/headers?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"GET", "/api/runtime/query/config?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/config?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"GET", "/api/runtime/query/data_items?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/data_items?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"GET", "/api/runtime/query/data_items?schemaCode=inspection&sheetCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/data_items?schemaCode=inspection&formCode=contract", "", nobody, fault.FormNotFound, fault.FormNotFound},
		{"GET", "/api/runtime/query/data_rules?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/query/data_rules?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"POST", "/api/runtime/query/list", `{"schemaCode":"inspection","size":3}`, nobody, 0, 0},
		{"POST", "/api/runtime/query/list", `{"schemaCode":"inspection","queryCode":"inspection","mobile":false,"page":0,"size":20,"orderByFields":["part"],"orderType":2,"filters":[
			{"propertyCode":"part","propertyType":0,"propertyValue":"x","propertyValueName":"x"},{"propertyCode":"id","propertyType":13,"propertyValue":"` + lot + `","queryFilterType":15}]}`, nobody, 0, 0},
		{"POST", "/api/runtime/query/list", `{"schemaCode":"site"}`, nobody, fault.ModelNotFound, 0},
		{"GET", "/api/runtime/query/sheet_rows?schemaCode=contract&objectId=" + contract + "&propertyCode=payments", "", nobody, fault.FieldUnknown, 0},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection"}`, nobody, fault.NoAddPermission, 0},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection","queryCode":"inspection"}`, nobody, fault.NoAddPermission, 0},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection","queryCode":"gone"}`, nobody, fault.NoAddPermission, fault.NotPublished},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection","relativeCode":"inspection","isMobile":true,"queryActionType":"add","queryActionRelativeType":2}`, nobody, fault.NoAddPermission, 0},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection","relativeCode":"contract","queryActionRelativeType":2}`, nobody, fault.NoAddPermission, fault.NotPublished},
		{"POST", "/api/runtime/query/add_check", `{"schemaCode":"inspection","queryCode":"inspection","queryActionType":"gone"}`, nobody, fault.NoAddPermission, fault.NotPublished},
		{"POST", "/api/runtime/query/delete_check", `{"schemaCode":"inspection","queryId":"inspection","ids":["` + lot + `"]}`, nobody, 0, 0}, // the refusals stand in the answer
		{"POST", "/api/runtime/query/delete", `{"schemaCode":"inspection","ids":["` + lot + `"]}`, nobody, 0, 0},
		{"POST", "/api/runtime/query/delete", `{"schemaCode":"site","ids":["` + site + `"]}`, nobody, fault.ModelNotFound, 0},
		{"GET", "/api/runtime/form/get_form_url?schemaCode=contract&bizObjectId=" + contract, "", nobody, 0, 0},
		{"GET", "/api/runtime/form/get_form_url?schemaCode=contract&bizObjectId=none", "", nobody, fault.RecordNotFound, fault.RecordNotFound},
		{"GET", "/api/runtime/form/get_form_url?schemaCode=site&bizObjectId=" + site, "", nobody, fault.ModelNotFound, fault.RecordNotFound}, // deleted above
		{"GET", "/api/runtime/form/load?schemaCode=contract&objectId=" + contract, "", nobody, 0, 0},
		{"GET", "/api/runtime/form/load?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"POST", "/api/runtime/form/save", `{"schemaCode":"site","data":{"code":"ACTOR-2","name":"x"}}`, nobody, fault.ModelNotFound, 0},
		{"POST", "/api/runtime/form/save", `{"schemaCode":"contract","id":"` + contract + `","version":1,"data":{"scope":"x"}}`, nobody, fault.Forbidden, 0},
		{"POST", "/api/runtime/draft/save", `{"schemaCode":"site","data":{"name":"x"}}`, nobody, fault.ModelNotFound, 0},
		{"POST", "/api/runtime/draft/list", `{}`, nobody, 0, 0},
		{"GET", "/api/runtime/draft/load?id=none", "", nobody, fault.DraftNotFound, fault.DraftNotFound},
		{"POST", "/api/runtime/draft/delete", `{"ids":["none"]}`, nobody, 0, 0},
		{"POST", "/api/runtime/form/compute", `{"schemaCode":"contract","id":"` + contract + `","data":{"amount":"5"}}`, nobody, fault.Forbidden, 0},
		{"POST", "/api/runtime/form/explain", `{"schemaCode":"contract","id":"` + contract + `","propertyCode":"unpaid"}`, nobody, fault.BadParameter, 0},
		{"GET", "/api/runtime/form/options?schemaCode=inspection&propertyCode=inspector", "", nobody, 0, 0},
		{"POST", "/api/runtime/form/options", `{"schemaCode":"inspection","propertyCode":"qbs","form":{"part":"x"}}`, nobody, 0, 0},
		{"POST", "/api/runtime/form/addresses", `{"texts":["湖北省宜昌市","火星"]}`, nobody, 0, 0},
		{"POST", "/api/runtime/form/addresses", `{"texts":["` + strings.Repeat("长", 401) + `"]}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/form/options", `{"schemaCode":"site","propertyCode":"code"}`, nobody, fault.ModelNotFound, fault.FieldUnknown},
		{"GET", "/api/runtime/form/divisions?parent=", "", nobody, 0, 0},
		{"GET", "/api/runtime/form/divisions?keyword=zz&levels=2", "", nobody, 0, 0},
		{"GET", "/api/runtime/form/divisions?keyword=zz&levels=4", "", nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/aliyun/upload", `{}`, nobody, fault.MediaType, fault.MediaType},
		{"POST", "/api/aliyun/upload?schemaCode=site&propertyCode=name", `{}`, nobody, fault.ModelNotFound, fault.FieldUnknown},
		{"GET", "/api/aliyun/download?refId=none", "", nobody, fault.FileNotFound, fault.FileNotFound},
		{"POST", "/api/runtime/track/detail", `{"schemaCode":"contract","bizObjectId":"` + contract + `"}`, nobody, fault.Forbidden, 0},
		{"POST", "/api/runtime/track/list", `{"schemaCode":"contract","bizObjectIds":["` + contract + `","none"],"size":2}`, nobody, fault.Forbidden, 0},
		{"POST", "/api/runtime/query/run_action", `{"schemaCode":"contract","actionCode":"none"}`, nobody, fault.ActionNotOffered, fault.ActionNotOffered},
		{"POST", "/api/runtime/query/sheet_rows", `{"schemaCode":"contract","objectId":"` + contract + `","propertyCode":"payments","filters":[{"propertyCode":"milestone","propertyValue":"x","queryFilterType":"Contains"}]}`, nobody, fault.FieldUnknown, 0},
		{"POST", "/api/runtime/query/skip_list", `{"schemaCode":"contract","size":1000,"condition":{"propertyCode":"status","propertyValue":"ACTIVE"}}`, nobody, 0, 0},
		{"POST", "/api/runtime/query/skip_list", `{"schemaCode":"contract","size":1001}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"POST", "/api/runtime/query/list", `{"schemaCode":"contract","size":99999,"objectIds":["` + contract + `"],"options":{"queryDisplayType":1,"customDisplayColumns":["name","scope"]}}`, nobody, 0, 0},
		{"POST", "/api/runtime/query/list", `{"schemaCode":"contract","size":99999}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"POST", "/api/runtime/track/list", `{"schemaCode":"contract","bizObjectIds":[]}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/track/detail", `{"schemaCode":"site","bizObjectId":"` + site + `"}`, nobody, fault.ModelNotFound, fault.RecordNotFound},
		{"POST", "/api/runtime/track/list", `{"schemaCode":"site","bizObjectIds":["` + site + `"]}`, nobody, fault.ModelNotFound, 0},
	}
	const forbidden, model = fault.Forbidden, fault.ModelNotFound
	lots := `{"schemaCode":"inspection","objectIds":["` + lot + `"]`
	rows = append(rows, []row{
		{"GET", "/api/runtime/batch/fields?schemaCode=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/batch/log?schemaCode=inspection&page=0&size=5", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/batch/log?schemaCode=inspection&page=0&size=99999", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/batch/log?schemaCode=inspection&page=0&size=100000", "", nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"GET", "/api/runtime/batch/log?schemaCode=site", "", nobody, model, 0},
		{"POST", "/api/runtime/batch/update", lots + `,"propertyCode":"remark","modifiedValue":"x","sheetCode":""}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/batch/update", lots + `,"propertyCode":"lotNo","modifiedValue":"x"}`, nobody, forbidden, fault.FieldNotBulk},
		{"POST", "/api/runtime/batch/update", lots + `,"propertyCode":"remark","modifiedValue":" "}`, nobody, forbidden, fault.ValueEmpty},
		{"POST", "/api/runtime/batch/update", lots + `,"propertyCode":"remark"}`, nobody, fault.ValueEmpty, fault.ValueEmpty},
		{"POST", "/api/runtime/batch/update", lots + `,"all":true,"propertyCode":"remark","modifiedValue":"x"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/batch/undo", `{"logId":"none"}`, nobody, fault.LogNotFound, fault.LogNotFound},
		{"POST", "/api/runtime/query/no_presentation_count", lots + `}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/query/no_presentation_count", `{"schemaCode":"inspection","mobile":false,"isSheet":false,"page":0,"size":20,"filters":[{"propertyCode":"id","propertyType":13,"propertyValue":"` + lot + `","queryFilterType":"In"}]}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/query/no_presentation_count", `{"schemaCode":"inspection","filters":[{"propertyCode":"id","propertyValue":"` + lot + `","queryFilterType":"Equal"}]}`, nobody, forbidden, fault.BadParameter},
		{"POST", "/api/runtime/query/no_presentation_count", `{"schemaCode":"inspection","filters":[{"propertyCode":"id","propertyValue":"` + lot + `"}]}`, nobody, forbidden, fault.BadParameter},
		{"POST", "/api/runtime/query/modify_owner", lots + `,"ownerId":"","mobile":false,"isSheet":false,"page":0,"size":20,"remark":""}`, nobody, forbidden, fault.OwnerMissing},
		{"POST", "/api/runtime/query/modify_owner", lots + `,"ownerId":"` + viewerID + `"}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/query/bulk_check", lots + `,"action":"change_owner"}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/query/bulk_delete", lots + `}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/query/bulk_delete", `{"schemaCode":"inspection","objectIds":[]}`, nobody, forbidden, fault.EmptyParameter},
	}...)
	rows = append(rows, []row{
		{"POST", "/api/runtime/print/load_data", lots + `}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/print/load_data", lots + `,"queryCode":"inspection"}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/print/load_data", lots + `,"queryCode":"none"}`, nobody, fault.ListNotFound, fault.ListNotFound},
		{"POST", "/api/runtime/print/load_data", `{"schemaCode":"inspection","objectIds":[]}`, nobody, forbidden, fault.EmptyParameter},
		{"POST", "/api/runtime/print/load_data", `{"schemaCode":"site","objectIds":["` + site + `"]}`, nobody, model, 0},
		{"GET", "/api/runtime/print/attributes?schemaCode=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/print/attributes?schemaCode=inspection&code=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/print/attributes?schemaCode=inspection&code=payment", "", nobody, forbidden, fault.PrintTemplateNotFound},
		{"GET", "/api/runtime/print/attributes?schemaCode=site", "", nobody, model, fault.PrintNoTemplate},
		{"GET", "/api/runtime/print/confirm?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", "/api/runtime/print/confirm?schemaCode=none", "", nobody, 0, 0},
		{"POST", "/api/runtime/print/printed", lots + `,"code":"inspection","printId":"01a21590-4d48-7cf5-bc1a-b88ab93aa496"}`, nobody, forbidden, fault.PrintNothing},
		{"POST", "/api/runtime/print/printed", lots + `,"printId":"x"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/print/batch", `{"schemaCode":"inspection","code":"inspection"}`, nobody, forbidden, fault.BadParameter},
		{"POST", "/api/runtime/print/batch", lots + `,"code":"none"}`, nobody, forbidden, fault.PrintTemplateNotFound}, // a job that fails would be counted by other tests
		{"GET", "/api/runtime/print/history?schemaCode=inspection&objectId=none", "", nobody, fault.RecordNotFound, fault.RecordNotFound},
		{"GET", "/api/runtime/print/history?schemaCode=none&objectId=none", "", nobody, model, model},
		{"GET", "/api/runtime/print/verify?code=none", "", everybody, 0, 0},
		{"GET", "/api/runtime/portal/get?portalCode=defaultPortalDashboard", "", nobody, 0, 0},
		{"GET", "/api/runtime/portal/get?portalCode=none", "", nobody, fault.PortalNotFound, fault.PortalNotFound},
		{"GET", "/api/runtime/portal/get?portalCode=defaultPortalDashboard&mode=design", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/portal/list", "", nobody, 0, 0},
		{"POST", "/api/runtime/portal/rows", `{"portalCode":"defaultPortalDashboard","widget":"none"}`, nobody, fault.WidgetNotFound, fault.WidgetNotFound},
		{"POST", "/api/runtime/portal/arrange", `{"portalCode":"none","widgets":[]}`, nobody, fault.PortalNotFound, fault.PortalNotFound},
		{"POST", "/api/runtime/portal/arrange", `{"portalCode":"defaultPortalDashboard","widgets":[{"id":"tasks","x":11,"y":0,"width":2,"height":9}]}`, nobody, fault.BadParameter, fault.BadParameter},
		{"GET", "/api/runtime/portal/script?digest=none", "", nobody, fault.PortalNotFound, fault.PortalNotFound},
		{"GET", "/api/runtime/portal/picture?digest=none", "", nobody, fault.FileNotFound, fault.FileNotFound},
		{"GET", "/open/getPortalWeb", "", 0, 0, 0},
		{"GET", "/open/getPortalWeb?code=publicHome", "", 0, 0, 0},
		{"GET", "/open/getPortalWeb?code=nope", "", fault.PortalNotFound, fault.PortalNotFound, fault.PortalNotFound},
		{"GET", "/open/getPortalWeb?portalCode=publicHome&code=nope", "", fault.BadParameter, fault.BadParameter, fault.BadParameter},
		{"GET", "/open/getProjectInfo", "", 0, 0, 0},
		{"GET", "/open/getProjectInfo?code=nope", "", fault.PortalNotFound, fault.PortalNotFound, fault.PortalNotFound},
		{"GET", "/open/getEpccPortalCarousel", "", 0, 0, 0},
		{"GET", "/open/picture?digest=x", "", fault.FileNotFound, fault.FileNotFound, fault.FileNotFound},
		{"GET", "/open/file?id=x&refId=x", "", fault.RecordNotFound, fault.RecordNotFound, fault.RecordNotFound},
		{"POST", "/open/listTabDatas", `{"tabCode":"x"}`, fault.WidgetNotFound, fault.WidgetNotFound, fault.WidgetNotFound},
		{"POST", "/open/getTabDataDoc", `{"id":"x"}`, fault.RecordNotFound, fault.RecordNotFound, fault.RecordNotFound},
		{"GET", "/api/portal/page/designed", "", nobody, 0, 0},
		{"GET", "/api/portal/page/design?portalCode=defaultPortalDashboard", "", nobody, forbidden, 0},
		{"GET", "/api/portal/page/model?portalCode=defaultPortalDashboard&schemaCode=inspection", "", nobody, forbidden, 0},
		{"POST", "/api/portal/page/rows", `{"portalCode":"defaultPortalDashboard","text":"{\"widgets\": []}","widget":"a"}`, nobody, forbidden, fault.WidgetNotFound},
		{"GET", "/api/runtime/report/get?reportCode=progress", "", nobody, 0, 0},
		{"GET", "/api/runtime/report/get?reportCode=none", "", nobody, fault.ReportNotFound, fault.ReportNotFound},
		{"POST", "/api/runtime/report/data", `{"reportCode":"progress","dataSets":["lots","byMonth"]}`, nobody, 0, 0},
		{"POST", "/api/runtime/report/data", `{"reportCode":"progress","filters":[{"propertyCode":"none","propertyValue":"x","queryFilterType":"Equal"}]}`, nobody, fault.FieldUnknown, fault.FieldUnknown},
		{"POST", "/api/runtime/report/export", `{"reportCode":"progress","fileType":"xlsx"}`, nobody, 0, 0},
		{"POST", "/api/runtime/report/export", `{"reportCode":"progress","fileType":"pdf","charts":["none"]}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/report/export", `{"reportCode":"progress","fileType":"exe"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/print/pages", lots + `,"code":"inspection"}`, nobody, forbidden, fault.PrintNothing}, // they were deleted above
		{"POST", "/api/runtime/print/pages", lots + `,"code":"payment"}`, nobody, forbidden, fault.PrintTemplateNotFound},
		{"POST", "/api/runtime/print/pages", `{"schemaCode":"site","objectIds":["` + site + `"]}`, nobody, model, fault.PrintNoTemplate},
		{"POST", "/api/runtime/print/pages", `{"schemaCode":"inspection","objectIds":["none"]}`, nobody, forbidden, fault.PrintNothing},
		{"POST", "/api/runtime/print/pdf", `{"schemaCode":"inspection","objectIds":[]}`, nobody, forbidden, fault.EmptyParameter},
		{"POST", "/api/runtime/print/xlsx", `{"schemaCode":"inspection","objectIds":[]}`, nobody, forbidden, fault.EmptyParameter},
		{"GET", "/api/runtime/export/fields?schemaCode=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/export/fields?schemaCode=site", "", nobody, model, 0},
		{"GET", "/api/runtime/export/history?type=VIEW_EXPORT_QUERY&schemaCode=inspection&queryCode=inspection", "", nobody, forbidden, 0},
		{"GET", "/api/runtime/export/history?type=OTHER&schemaCode=inspection", "", nobody, fault.BadParameter, fault.BadParameter},
		{"POST", "/api/runtime/export/start", lots + `,"columns":[{"propertyCode":"part"}]}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/export/start", `{"schemaCode":"inspection","queryCode":"inspection","mobile":false,"page":0,"size":20,"filters":[],"orderByFields":["part"],"orderType":1,"allObjectId":true,"languageType":"en",
			"queryCondition":"{}","fileType":"csv","columns":[{"propertyCode":"part","name":"x","name_i18n":"{}","propertyType":0,"displayFormat":null,"childColumns":[]}],"options":{"isUpdateExportFields":false,"userCommonQueryId":"x","showParticipant":true}}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/export/start", lots + `,"columns":[]}`, nobody, forbidden, fault.EmptyParameter},
		{"POST", "/api/runtime/export/tasks", `{"name":"","page":0,"size":10}`, nobody, 0, 0},
		{"POST", "/api/runtime/export/tasks", `{"size":501}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"GET", "/api/runtime/export/progress?id=none", "", nobody, fault.ExportNotFound, fault.ExportNotFound},
		{"GET", "/api/runtime/export/file?id=none", "", nobody, fault.ExportNotFound, fault.ExportNotFound},
		{"DELETE", "/api/runtime/export/tasks?id=none", "", nobody, fault.ExportNotFound, fault.ExportNotFound},
	}...)
	rows = append(rows, []row{
		{"POST", "/api/runtime/import/upload", "{}", nobody, fault.MediaType, fault.MediaType},
		{"POST", "/api/runtime/import/delete_temporary_file", `{"fileName":"none"}`, nobody, fault.ImportFileGone, fault.ImportFileGone},
		{"GET", "/api/runtime/query/export_template?schemaCode=site&languageType=en", "", nobody, model, 0},
		{"GET", "/api/runtime/import/fields?schemaCode=site&queryCode=site", "", nobody, model, 0},
		{"GET", "/api/runtime/import/fields?schemaCode=contract", "", nobody, forbidden, forbidden},
		{"POST", "/api/runtime/import/dry_run", `{"fileName":"none","schemaCode":"site","queryCode":"site","mode":"add"}`, nobody, model, fault.ImportFileGone},
		{"POST", "/api/runtime/import/head", `{"fileName":"none","schemaCode":"site","queryCode":"site"}`, nobody, model, fault.ImportFileGone},
		{"POST", "/api/runtime/import/start", `{"fileName":"none","originalFilename":"a.xlsx","schemaCode":"site","queryCode":"site","queryField":"code","languageType":"zh","mode":"add","sheet":0,"clearEmpty":false}`, nobody, model, fault.ImportFileGone},
		{"GET", "/api/runtime/import/unresolved?id=none", "", nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"GET", "/api/runtime/import/progress?id=none", "", nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"GET", "/api/runtime/import/rows?id=none&kind=failed&page=0&size=20", "", nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"POST", "/api/runtime/import/edit", `{"id":"none","rows":[{"id":"2","data":{"name":"x"}}]}`, nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"POST", "/api/runtime/import/replace", `{"id":"none","rows":["2"],"propertyCode":"name","value":"x","conditions":[{"propertyCode":"name","queryFilterType":"Contains","propertyValue":"y"}]}`, nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"POST", "/api/runtime/import/skip", `{"id":"none","rows":["2"]}`, nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"POST", "/api/runtime/import/second", `{"id":"none","headColumns":[],"secondImportData":[],"queryField":"code","queryCode":"site"}`, nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"GET", "/api/runtime/import/error_result?fileName=none", "", nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"POST", "/api/runtime/import/undo", `{"id":"none"}`, nobody, fault.ImportNotFound, fault.ImportNotFound},
		{"GET", "/api/runtime/import/list?schemaCode=site&size=5", "", nobody, 0, 0},
		{"GET", "/api/runtime/import/source?schemaCode=site&bizObjectId=" + site, "", nobody, model, fault.RecordNotFound},
	}...)
	rows = append(rows, []row{
		{"GET", "/api/jobs?size=5", "", nobody, 0, 0},
		{"GET", "/api/jobs?size=501", "", nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"GET", "/api/jobs/none", "", nobody, fault.JobNotFound, fault.JobNotFound},
		{"GET", "/api/jobs/" + work, "", nobody, fault.JobNotFound, 0},
		{"GET", "/api/jobs/" + work + "/results?page=0&size=2&failed=true", "", nobody, fault.JobNotFound, 0},
		{"POST", "/api/jobs/" + work + "/cancel", "", nobody, fault.JobNotFound, fault.JobState},
		{"POST", "/api/jobs/" + work + "/retry", "", nobody, fault.JobNotFound, fault.JobState},
		{"GET", "/api/system/audit?kind=signIn.ok,signIn.failed&from=2020-01-01T00:00:00Z&size=2&person=" + work, "", nobody, fault.Forbidden, 0},
		{"GET", "/api/app/search?keyword=a&size=2", "", nobody, 0, 0},
		{"GET", "/api/app/home", "", nobody, 0, 0},
		{"POST", "/api/app/home/visit", `{"kind":"record","place":"inspection","code":"` + lot + `"}`, nobody, fault.RecordNotFound, fault.RecordNotFound}, // deleted above
		{"POST", "/api/app/home/visit", `{"kind":"record","place":"contract","code":"` + contract + `"}`, nobody, 0, 0},
		{"POST", "/api/app/home/visit", `{"kind":"record","place":"site","code":"` + site + `"}`, nobody, model, fault.RecordNotFound},
		{"POST", "/api/app/home/visit", `{"kind":"page","place":"organisation","code":"user"}`, nobody, fault.AppNotFound, 0},
		{"POST", "/api/app/home/visit", `{"kind":"steps","place":"x","code":""}`, nobody, fault.BadParameter, fault.BadParameter},
		{"PUT", "/api/app/home/favorite", `{"kind":"record","place":"contract","code":"` + contract + `","favorite":true}`, nobody, 0, 0},
		{"PUT", "/api/app/home/favorite", `{"kind":"page","place":"organisation","code":"none","favorite":true}`, nobody, fault.AppNotFound, fault.BadParameter},
		{"GET", "/api/app/home", "", nobody, 0, 0},
		{"GET", "/api/system/theme", "", everybody, 0, 0},
		{"PUT", "/api/system/theme", `{"theme":"green","outward":"light","name":"","name_i18n":{}}`, nobody, fault.Forbidden, 0},
		{"PUT", "/api/system/theme", `{"theme":"default","outward":"light","name":"","name_i18n":{}}`, nobody, fault.Forbidden, 0},
		{"PUT", "/api/system/theme", `{"theme":"none","outward":"light","name":"","name_i18n":{}}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/logo?v=none", "", fault.FileNotFound, fault.FileNotFound, fault.FileNotFound},
		{"GET", "/api/app/logo?digest=none", "", nobody, fault.FileNotFound, fault.FileNotFound},
		{"GET", "/api/project/tree?appCode=default", "", nobody, 0, 0},
		{"GET", "/api/sysConfig/projectConfig/default", "", nobody, 0, 0},
		{"GET", "/api/sysConfig/projectConfig/a-b", "", nobody, fault.BadParameter, fault.BadParameter},
		{"PUT", "/api/sysConfig/projectConfig/actors", `{"id":"","single":false,"simpleQualityFlag":false,"title":"x","logo":null,"bimUrl":null,"multiProjectFlag":true,"treeModel":"qbs"}`, nobody, fault.Forbidden, 0},
		{"PUT", "/api/sysConfig/projectConfig/actors", `{"id":"","single":false,"simpleQualityFlag":false,"title":"x","logo":"javascript:1","bimUrl":null,"multiProjectFlag":false,"treeModel":""}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/project/tree?appCode=actors", "", nobody, 0, 0},
		{"GET", "/api/system/audit/export?from=2020-01-01T00:00:00Z&kind=rights.publish", "", nobody, fault.Forbidden, 0}, // TestAuditExport
		{"GET", "/api/system/audit/export?to=x", "", nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/audit?cursor=x", "", nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/audit?from=yesterday", "", nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/nodes", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/queues", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/storage", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/errors", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/channels", "", nobody, fault.Forbidden, 0},
		{"PUT", "/api/system/channels", `{"types":[{"messageType":32,"mail":false,"webhook":true}]}`, nobody, fault.Forbidden, 0},
		{"PUT", "/api/system/channels", `{"types":[{"messageType":33,"mail":false,"webhook":true}]}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/deliveries?state=waiting,dead&channel=mail&page=0&size=5", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/deliveries?state=gone", "", nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/deliveries?channel=pigeon", "", nobody, fault.Forbidden, fault.BadParameter},
		{"POST", "/api/system/deliveries/none/retry", "", nobody, fault.Forbidden, fault.DeliveryNotFound},
		{"GET", "/api/message/settings", "", nobody, 0, 0},
		{"PUT", "/api/message/settings", `{"locale":"en","groups":[{"group":"comment","mail":true}]}`, nobody, 0, 0},
		{"PUT", "/api/message/settings", `{"groups":[{"group":"pigeon","mail":true}]}`, nobody, fault.BadParameter, fault.BadParameter},
		{"GET", "/api/system/jobs?state=done,failed&kind=bulk&owner=system&page=0&size=2", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/roles", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/people?search=he", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/people?userId=" + viewerID, "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/models", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/explain?schemaCode=contract&objectId=" + contract + "&userId=" + viewerID, "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/rights/explain?schemaCode=none&userId=" + viewerID, "", nobody, fault.Forbidden, fault.ModelNotFound},
		{"GET", "/api/system/rights/explain?schemaCode=inspection&userId=none", "", nobody, fault.Forbidden, fault.UserNotFound},
		{"GET", "/api/system/rights/explain?schemaCode=inspection&objectId=none&userId=" + viewerID, "", nobody, fault.Forbidden, fault.RecordNotFound},
		{"POST", "/api/system/see_as", `{"userId":"none"}`, nobody, fault.Forbidden, fault.TokenOnly},
		{"GET", "/api/system/jobs?state=gone", "", nobody, fault.Forbidden, fault.BadParameter},
		{"GET", "/api/system/jobs/choices", "", nobody, fault.Forbidden, 0},
		{"GET", "/api/system/jobs/" + work, "", nobody, fault.Forbidden, 0},
		{"POST", "/api/system/jobs/" + work + "/cancel", "", nobody, fault.Forbidden, fault.JobState},
		{"POST", "/api/system/jobs/" + work + "/retry", "", nobody, fault.Forbidden, fault.JobState},
	}...)
	rows = append(rows, []row{
		{"GET", "/api/runtime/form/load?schemaCode=contract&version=1&objectId=" + contract, "", nobody, forbidden, 0},
		{"GET", "/api/runtime/form/load?schemaCode=contract&version=x&objectId=" + contract, "", nobody, fault.BadParameter, fault.BadParameter},
		{"GET", "/api/runtime/form/load?schemaCode=contract&at=2001-01-01T00:00:00Z&objectId=" + contract, "", nobody, forbidden, fault.VersionNotFound},
		{"POST", "/api/runtime/recycle/list", `{"schemaCode":"contract","searchword":"x","size":5}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/recycle/list", `{"schemaCode":"site"}`, nobody, model, 0},
		{"POST", "/api/runtime/recycle/list", `{"schemaCode":"site","size":101}`, nobody, model, fault.PageOutOfRange},
		{"POST", "/api/runtime/recycle/detail", `{"schemaCode":"site","id":"` + site + `"}`, nobody, model, 0},
		{"POST", "/api/runtime/recycle/detail", `{"schemaCode":"contract","id":"` + contract + `"}`, nobody, forbidden, fault.RecycleGone},
		{"POST", "/api/runtime/recycle/restore", `{"schemaCode":"site","ids":["` + site + `"]}`, nobody, model, 0},
		{"POST", "/api/runtime/recycle/purge", `{"schemaCode":"site","ids":["` + site + `"]}`, nobody, model, 0}, // it is back: the refusal is in the answer
		{"POST", "/api/runtime/recycle/restore", `{"schemaCode":"contract","ids":["none"]}`, nobody, forbidden, 0},
		{"POST", "/api/runtime/recycle/purge", `{"schemaCode":"contract","ids":[]}`, nobody, fault.EmptyParameter, fault.EmptyParameter},
	}...)
	const unsent = `{"provider":"none","return":"/","index":"x","password":"eA=="}`
	rows = append(rows, []row{
		{"POST", "/api/login/oauth/leave", `{"provider":"none","return":"/"}`, fault.ProviderUnknown, fault.ProviderUnknown, fault.ProviderUnknown}, // TestProviders
		{"POST", "/api/login/oauth/return", `{"state":"x","code":"x"}`, fault.SignInStale, fault.SignInStale, fault.SignInStale},
		{"POST", "/api/login/Authentication/second_step", `{"ticket":"x","code":"123456"}`, fault.SignInStale, fault.SignInStale, fault.SignInStale}, // TestSecondFactor
		{"GET", "/api/organization/user/identities", "", nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/identities/link", unsent, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/identities/unlink", `{"id":"x"}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"GET", "/api/organization/user/factor", "", nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/factor/begin", `{"index":"","password":""}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/factor/confirm", `{"ticket":"x","code":"x"}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", "/api/organization/user/factor/codes", `{"index":"x","password":"eA=="}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"GET", linkPath + "forms", "", nobody, fault.TokenOnly, fault.TokenOnly},
		{"GET", linkPath + "links?form=contract", "", nobody, fault.TokenOnly, fault.TokenOnly}, // TestExternalLinks, with the actor of a link
		{"POST", linkPath + "links", `{"form":"contract","label":"x","days":1,"most":1}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", linkPath + "links/withdraw", `{"form":"contract","id":"x"}`, nobody, fault.TokenOnly, fault.TokenOnly},
		{"POST", linkPath + "open", `{"form":"contract","text":"x"}`, fault.LinkGone, fault.LinkGone, fault.LinkGone},
		{"GET", linkPath + "form", "", fault.LinkGone, fault.LinkGone, fault.LinkGone},
		{"POST", linkPath + "submit", `{"data":{}}`, fault.LinkGone, fault.LinkGone, fault.LinkGone},
		{"POST", "/api/organization/user/factor/off", `{"index":"x","password":"eA=="}`, nobody, fault.TokenOnly, fault.TokenOnly},
	}...)
	const models = "?pack=core&path=models%2Fx.json"
	document := `{"files":[{"pack":"nowhere","path":"models/x.json","text":null,"seen":"0"}]`
	rows = append(rows, []row{
		{"POST", "/api/dev/answer", `{"id":"ticket.note","do":"keep"}`, nobody, forbidden, forbidden}, // this system does not follow files
		{"GET", definitionPath + "documents", "", nobody, forbidden, 0},
		{"GET", definitionPath + "document?pack=core&path=pack.json", "", nobody, forbidden, 0},
		{"GET", definitionPath + "document" + models, "", nobody, forbidden, fault.DocumentNotFound},
		{"GET", definitionPath + "document?pack=core&path=pack.json&version=9", "", nobody, forbidden, fault.DocumentNotFound},
		{"GET", definitionPath + "document?pack=core&path=pack.json&version=x", "", nobody, fault.BadParameter, fault.BadParameter},
		{"GET", definitionPath + "history?size=3", "", nobody, forbidden, 0},
		{"GET", definitionPath + "history?size=201", "", nobody, fault.BadParameter, fault.BadParameter},
		{"GET", definitionPath + "names?appCode=shiplock", "", nobody, forbidden, 0},
		{"GET", definitionPath + "uses?appCode=shiplock&kind=property&name=contract.amount", "", nobody, forbidden, 0},
		{"GET", definitionPath + "uses?kind=property&name=contract.nothing", "", nobody, forbidden, fault.NameNotFound},
		{"POST", definitionPath + "rename", `{"kind":"property","name":"contract.amount","code":"total","check":true}`, nobody, forbidden, fault.NameOfPack},
		{"POST", definitionPath + "check", document + `}`, nobody, forbidden, 0},
		{"POST", definitionPath + "check", `{"files":[]}`, nobody, forbidden, fault.BadParameter},
		{"POST", definitionPath + "check", `{"files":[{"pack":"core","path":"../x.json"}]}`, nobody, forbidden, fault.BadParameter},
		{"POST", bpmnPath + "import", "{}", nobody, forbidden, fault.EmptyParameter}, // TestBPMN
		{"POST", bpmnPath + "import?pack=nowhere&model=contract&file=x.bpmn", "{}", nobody, forbidden, fault.BadParameter},
		{"POST", bpmnPath + "import?pack=core&code=a-b", "{}", nobody, forbidden, fault.BadParameter},
		{"GET", bpmnPath + "export?code=contractApproval&for=camunda", "", nobody, forbidden, 0},
		{"GET", bpmnPath + "export?code=nothing", "", nobody, forbidden, fault.DocumentNotFound},
		{"GET", bpmnPath + "export?code=contractApproval&for=visio", "", nobody, fault.BadParameter, fault.BadParameter},
		{"POST", definitionPath + "publish", document + `,"confirm":"x","allowDestructive":true}`, nobody, forbidden, fault.PublishConflict},
	}...)
	var saved struct{ ID string }
	w.post(t, viewer, savedFiltersPath, `{"schemaCode":"inspection","name":"TestActors","filters":[{"propertyCode":"checkDate","propertyValue":"thisMonth","queryFilterType":"Between"}]}`).into(t, &saved)
	rows = append(rows, []row{
		{"GET", savedFiltersPath + "?schemaCode=inspection", "", nobody, 0, 0},
		{"GET", savedFiltersPath + "?schemaCode=site", "", nobody, fault.ModelNotFound, 0},
		{"POST", savedFiltersPath, `{"schemaCode":"inspection","name":"` + saved.ID + `","filters":[]}`, nobody, 0, 0},
		{"POST", savedFiltersPath, `{"schemaCode":"inspection","name":"shared","filters":[],"shared":true}`, nobody, fault.Forbidden, 0},
		{"POST", savedFiltersPath, `{"schemaCode":"inspection","name":"x","filters":[{"propertyCode":"checkDate","propertyValue":"soon"}]}`, nobody, fault.FilterValue, fault.FilterValue},
		{"PUT", savedFiltersPath + "/" + saved.ID, `{"default":true}`, nobody, 0, fault.SavedFilterNotFound},
		{"DELETE", savedFiltersPath + "/" + saved.ID, "", nobody, 0, fault.SavedFilterNotFound},
	}...)
	rows = append(rows, managing...)
	rows = append(rows, w.talk(t, w.rows(t, viewer, "inspection")[1])...)
	rows = append(rows, flowing(contract)...)
	rows = append(rows, designing()...)
	covered := []string{"GET /api/events", "GET /api/runtime/query/script", "GET /api/runtime/query/style",
		"GET /api/runtime/interface/{pack}/{digest}/{file}"} // TestEvents, TestScripts, TestInterfaceOfPacks
	publish := w.republishes(t, "shiplock", "lists/bulletin.json")
	var reads []actorRow
	byAdministrator := func(rows ...actorRow) { // somebody publishes in the middle of the calls, which changes nothing of what they answer
		for i, got := range w.between(t, administrator, rows, publish) {
			w.answers(t, administrator, rows[i], rows[i].admin, got)
		}
	}
	for _, r := range rows {
		covered = append(covered, r.method+" "+w.template(t, r.method, r.path))
		for actor, want := range map[string]fault.Code{anonymous: r.anonymous, viewer: r.viewer} {
			w.actor(t, actor, r.method, r.path, r.body, want)
		}
		if r.method == http.MethodGet { // several share a publication
			if reads = append(reads, r); len(reads) < 8 {
				continue
			}
			byAdministrator(reads...)
		} else {
			byAdministrator(reads...)
			byAdministrator(r) // last: it may delete
		}
		reads = nil
	}
	byAdministrator(reads...)
	for _, r := range w.routes {
		require.True(t, slices.Contains(covered, r.method+" "+r.path), "%s %s has no row", r.method, r.path)
	}
}

// managing are the calls of the administration of applications. They leave the applications as they are.
var managing = []actorRow{
	{"GET", packagePath + "list_all", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", packagePath + "history?code=shiplock", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", packagePath + "export?code=none", "", fault.Unauthenticated, fault.Forbidden, fault.AppNotFound},
	{"GET", functionPath + "manage?appCode=shiplock", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"POST", packagePath + "create", `{"code":"shiplock","name":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeTaken},
	{"POST", packagePath + "create", `{"code":"","name":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeEmpty},
	{"POST", packagePath + "create", `{"code":"1","name":"x","icon":"grid","color":"#1677ff"}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeInvalid},
	{"PUT", packagePath + "update", `{"code":"shiplock","name":"船闸工程","name_i18n":{"en":"Ship lock"}}`, fault.Unauthenticated, fault.Forbidden, 0}, // as it is
	{"PUT", packagePath + "update", `{"code":"shiplock","seen":"another","disabled":true}`, fault.Unauthenticated, fault.Forbidden, fault.PublishConflict},
	{"PUT", packagePath + "order", `{"codes":["shiplock"]}`, fault.Unauthenticated, fault.Forbidden, fault.BadParameter},
	{"POST", packagePath + "delete", `{"code":"shiplock","check":true}`, fault.Unauthenticated, fault.Forbidden, fault.AppDelivered},
	{"POST", packagePath + "restore", `{"code":"shiplock","version":0,"check":true}`, fault.Unauthenticated, fault.Forbidden, 0},
	{"POST", packagePath + "import?check=true", `{}`, fault.Unauthenticated, fault.AppImportForbidden, fault.MediaType},
	{"PUT", groupPath + "update", `{"group":"none","name":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.BadParameter},
	{"POST", functionPath + "create", `{"appCode":"shiplock","code":"quality","type":"Folder","name":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeTaken},
	{"PUT", functionPath + "update", `{"appCode":"shiplock","code":"none","icon":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.MenuNotFound},
	{"PUT", functionPath + "move", `{"appCode":"shiplock","code":"quality","folder":"quality","at":0}`, fault.Unauthenticated, fault.Forbidden, fault.MenuFolderInside},
	{"POST", functionPath + "delete", `{"appCode":"shiplock","code":"quality","check":true}`, fault.Unauthenticated, fault.Forbidden, fault.MenuFolderFull},
	{"POST", functionPath + "delete", `{"appCode":"shiplock","model":"contract","check":true}`, fault.Unauthenticated, fault.Forbidden, 0}, // what refers to it is in the answer
}

// actorRow is a call and what becomes of it for each actor.
type actorRow struct {
	method, path, body       string
	anonymous, viewer, admin fault.Code
}

// flowing are the calls of workflows as those meet them who take part in none; TestWorkflowCalls has the others.
func flowing(contract string) (rows []actorRow) {
	const nobody = fault.Unauthenticated
	const flows, items = "/api/runtime/workflow/", "/api/runtime/workitem/"
	rows = []actorRow{
		{"GET", flows + "start_list", "", nobody, 0, 0},
		{"GET", flows + "known?list=unfinished", "", nobody, 0, 0},
		{"GET", flows + "start_form?workflowCode=contractApproval", "", nobody, fault.StartRefused, fault.AdminStart},
		{"GET", flows + "start_form?workflowCode=none", "", nobody, fault.WorkflowNotFound, fault.WorkflowNotFound},
		{"POST", "/api/runtime/form/submit", `{"workflowCode":"contractApproval","data":{}}`, nobody, fault.StartRefused, fault.AdminStart},
		{"POST", items + "unfinished", `{"searchword":"%","timeout":true}`, nobody, 0, 0},
		{"POST", items + "unfinished", `{"size":201}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"POST", items + "finished", `{"sort":"name; DROP TABLE x"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", items + "unread", `{}`, nobody, 0, 0},
		{"POST", items + "read", `{"appCode":"shiplock"}`, nobody, 0, 0},
		{"GET", items + "counts", "", nobody, 0, 0},
		{"GET", items + "counts?appCode=shiplock", "", nobody, 0, 0},
		{"PUT", items + "mark_read", `{"ids":["none"]}`, nobody, fault.ItemNotYours, fault.ItemNotYours},
		{"PUT", items + "mark_read_all", `{}`, nobody, 0, 0},
		{"GET", items + "detail?workItemId=none", "", nobody, fault.ItemNotYours, fault.ItemNotYours},
		{"POST", items + "next_nodes", `{"workItemId":"none","action":"void"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"GET", items + "people?keyword=a&size=5", "", nobody, 0, 0},
		{"GET", items + "preferences", "", nobody, 0, 0},
		{"GET", items + "people?workItemId=none", "", nobody, fault.ItemNotYours, fault.ItemNotYours},
		{"PUT", items + "preferences", `{"own":["fine"]}`, nobody, 0, 0},
		{"PUT", items + "preferences", `{"common":["fine"]}`, nobody, fault.Forbidden, 0},
		{"PUT", items + "preferences", `{"signature":"none"}`, nobody, fault.SignatureInvalid, fault.SignatureInvalid},
		{"POST", items + "agree_all", `{"ids":["none"]}`, nobody, 0, 0},
		{"POST", flows + "mine", `{"state":"PROCESSING"}`, nobody, 0, 0},
		{"POST", flows + "query", `{}`, nobody, fault.Forbidden, 0},
		{"GET", flows + "versions?workflowCode=contractApproval", "", nobody, fault.Forbidden, 0},
		{"GET", flows + "version_counts", "", nobody, fault.Forbidden, 0},
		{"GET", flows + "findings?size=5", "", nobody, fault.Forbidden, 0},
		{"POST", flows + "audit", `{}`, nobody, fault.Forbidden, 0},
		{"POST", flows + "migrate", `{"workflowCode":"contractApproval","ids":["none"]}`, nobody, fault.Forbidden, 0},
		{"POST", flows + "signal", `{"signal":"paid","key":"A-1"}`, nobody, fault.Forbidden, 0},
		{"POST", flows + "signal", `{"signal":"paid","key":""}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", flows + "rehearsal?workflowCode=contractApproval", "", nobody, fault.Forbidden, 0},
		{"GET", flows + "rehearsal?workflowCode=none", "", nobody, fault.Forbidden, fault.WorkflowNotFound},
		{"GET", flows + "rehearsal/records?workflowCode=contractApproval&keyword=a&size=5", "", nobody, fault.Forbidden, 0},
		{"POST", flows + "rehearse", `{"workflowCode":"contractApproval","runs":[{"initiator":"root","values":{"amount":5}}]}`, nobody, fault.Forbidden, 0},
		{"POST", flows + "rehearse", `{"workflowCode":"contractApproval","runs":[{"initiator":"root","decisions":[{"activityCode":"none"}]}]}`, nobody, fault.Forbidden, fault.BadParameter},
		{"POST", flows + "rehearse", `{"workflowCode":"contractApproval","document":{"schemaCode":"contract","nodes":[]},"runs":[{"initiator":"root"}]}`, nobody, fault.Forbidden, fault.PublishFaulty},
		{"GET", flows + "track?workflowInstanceId=none", "", nobody, fault.WorkflowNotFound, fault.WorkflowNotFound},
		{"POST", flows + "preview", `{"workflowInstanceId":"none","action":"jump"}`, nobody, fault.WorkflowNotFound, fault.WorkflowNotFound},
		{"POST", flows + "preview", `{"workflowInstanceId":"none","action":"revoke"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", flows + "delete", `{"workflowInstanceId":"none"}`, nobody, fault.Forbidden, fault.WorkflowNotFound},
		{"GET", flows + "log_compare?workflowInstanceId=none&logId=1", "", nobody, fault.WorkflowNotFound, fault.WorkflowNotFound},
		{"GET", flows + "log_compare?workflowInstanceId=none&logId=x", "", nobody, fault.BadParameter, fault.BadParameter},
		{"POST", items + "query", `{"state":"open","departed":true,"searchword":"%"}`, nobody, fault.Forbidden, 0},
		{"POST", items + "query", `{"state":"x"}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", items + "participants?search=a", "", nobody, fault.Forbidden, 0},
		{"POST", items + "hand_over", `{"from":"none","to":"none"}`, nobody, fault.Forbidden, fault.BadParameter},
		{"GET", flows + "base_info?schemaCode=contract&objectId=" + contract, "", nobody, 0, 0},
		{"GET", flows + "base_info?schemaCode=contract&objectId=none", "", nobody, fault.RecordNotFound, fault.RecordNotFound},
	}
	const delegations = "/api/runtime/delegation"
	rows = append(rows, []actorRow{
		{"GET", delegations, "", nobody, 0, 0},
		{"POST", delegations, `{"to":"none","startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-02T00:00:00Z"}`, nobody, fault.BadParameter, fault.AdminStart},
		{"POST", delegations, `{"to":"none","startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-02T00:00:00Z","initiatorDepts":["none"],"keepCopy":true,"moveOpen":true,"returnOpen":true}`, nobody, fault.BadParameter, fault.AdminStart},
		{"POST", items + "delegated", `{"searchword":"x"}`, nobody, 0, 0},
		{"POST", items + "delegated", `{"size":201}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"GET", items + "people?keyword=a&size=5&kind=department", "", nobody, 0, 0},
		{"GET", items + "people?kind=role", "", nobody, fault.BadParameter, fault.BadParameter},
		{"PUT", delegations, `{"to":"none"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"DELETE", delegations + "/none", "", nobody, fault.DelegationNotFound, fault.DelegationNotFound},
	}...)
	for _, do := range []string{"save", "submit", "agree", "disagree", "reject", "transfer", "assist", "circulate", "claim", "release", "withdraw"} {
		rows = append(rows, actorRow{"POST", items + do, `{"workItemId":"none"}`, nobody, fault.ItemNotYours, fault.ItemNotYours})
	}
	rows = append(rows, actorRow{"POST", items + "add_sign", `{"workItemId":"none","placing":"beside"}`, nobody, fault.BadParameter, fault.BadParameter})
	for _, do := range []string{"revoke", "urge", "void", "jump", "adjust", "retry", "activate", "cancelActivity"} {
		rows = append(rows, actorRow{"POST", flows + do, `{"workflowInstanceId":"none"}`, nobody, fault.WorkflowNotFound, fault.WorkflowNotFound})
	}
	return rows
}

// talk are the rows of comments and messages: a comment of the viewer's that mentions the administrator, and its message.
func (w *world) talk(t *testing.T, lot string) []actorRow {
	t.Helper()
	var said struct{ ID string }
	at := `{"schemaCode":"inspection","objectId":"` + lot + `"`
	w.post(t, viewer, "/api/runtime/comment/add", at+`,"text":"@管理员","mentions":["`+w.id(t, administrator)+`"]}`).into(t, &said)
	var page struct {
		Message struct{ Content []struct{ ID string } } `json:"MESSAGE"`
	}
	w.post(t, administrator, "/api/search/paltformSearch", `{"messageType":"COMMENT"}`).into(t, &page)
	message := page.Message.Content[0].ID
	const nobody = fault.Unauthenticated
	const path = "/api/runtime/comment/"
	return []actorRow{
		{"POST", path + "list", at + `}`, nobody, 0, 0},
		{"POST", path + "list", at + `,"size":101}`, nobody, fault.PageOutOfRange, fault.PageOutOfRange},
		{"POST", path + "list", `{"schemaCode":"site","objectId":"none"}`, nobody, fault.ModelNotFound, fault.RecordNotFound},
		{"POST", path + "add", at + `,"text":"<b>x</b>","replyTo":"` + said.ID + `"}`, nobody, 0, 0},
		{"POST", path + "add", at + `,"text":" "}`, nobody, fault.CommentEmpty, fault.CommentEmpty},
		{"POST", path + "add", `{"schemaCode":"site","objectId":"none","text":"x"}`, nobody, fault.ModelNotFound, fault.RecordNotFound},
		{"PUT", path + "update", `{"id":"` + said.ID + `","text":"y"}`, nobody, 0, fault.CommentForeign},
		{"GET", path + "people?schemaCode=inspection&objectId=" + lot + "&size=3", "", nobody, 0, 0},
		{"GET", path + "people?schemaCode=site&objectId=none", "", nobody, fault.ModelNotFound, fault.RecordNotFound},
		{"POST", "/api/search/paltformSearch", `{"searchword":"y","size":5,"page":0,"tab":"MESSAGE","messageType":41,"readState":"UNREADED"}`, nobody, 0, 0},
		{"POST", "/api/search/paltformSearch", `{"messageType":"MAIL"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"GET", "/api/message/unread_count", "", nobody, 0, 0},
		{"GET", "/api/message/form_url?messageId=" + message, "", nobody, fault.MessageNotFound, 0},
		{"GET", "/api/message/form_url?schemaCode=inspection&bizObjectId=" + lot, "", nobody, 0, 0},
		{"GET", "/api/message/form_url?schemaCode=site&bizObjectId=none", "", nobody, fault.ModelNotFound, fault.RecordNotFound},
		{"PUT", "/api/message/read", `{"messageIdList":["` + message + `"]}`, nobody, 0, 0},
		{"PUT", "/api/message/updateReadStateAll", `{"messageType":"COMMENT"}`, nobody, 0, 0},
		{"PUT", "/api/message/updateReadStateAll", `{"messageType":"MAIL"}`, nobody, fault.BadParameter, fault.BadParameter},
		{"POST", path + "delete", `{"id":"` + said.ID + `"}`, nobody, 0, fault.CommentNotFound},
	}
}

func (w *world) actor(t *testing.T, actor, method, path, body string, want fault.Code) {
	t.Helper()
	w.answers(t, actor, actorRow{method: method, path: path}, want, w.send(t, call{method: method, path: path, body: body, actor: actor}))
}

// answers checks an answer to an actor.
func (w *world) answers(t *testing.T, actor string, r actorRow, want fault.Code, got reply) {
	t.Helper()
	method, path := r.method, r.path
	if got.Errcode != want {
		t.Errorf("%q: %s %s = %d, not %d: %.300s", actor, method, path, got.Errcode, want, got.Body)
		return
	}
	if want != 0 {
		require.Equal(t, w.texts[want].Status, got.Code)
	} else {
		require.Equal(t, http.StatusOK, got.Code)
	}
	w.matches(t, method, path, got)
}
