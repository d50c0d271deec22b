package httpapi

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// designingPrints are the calls of the designer of print templates. They leave the templates as they are.
var designingPrints = []actorRow{
	{"GET", printDesignPath + "list?appCode=shiplock", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", printDesignPath + "list?appCode=none", "", fault.Unauthenticated, fault.Forbidden, fault.AppNotFound},
	{"GET", printDesignPath + "design?appCode=shiplock&printCode=inspection", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", printDesignPath + "design?appCode=shiplock&printCode=none", "", fault.Unauthenticated, fault.Forbidden, fault.PrintTemplateNotFound},
	{"GET", printDesignPath + "model?appCode=shiplock&schemaCode=inspection", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", printDesignPath + "history?appCode=shiplock&printCode=inspection", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", printDesignPath + "version?appCode=shiplock&printCode=inspection&version=0", "", fault.Unauthenticated, fault.Forbidden, 0},
	{"GET", printDesignPath + "version?appCode=shiplock&printCode=inspection&version=-1", "", fault.Unauthenticated, fault.BadParameter, fault.BadParameter},
	{"POST", printDesignPath + "check", `{"appCode":"shiplock","printCode":"inspection","text":"{}","seen":"x"}`, fault.Unauthenticated, fault.Forbidden, 0},
	{"POST", printDesignPath + "check", `{"appCode":"shiplock","printCode":"inspection","new":true,"text":"{}","seen":""}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeTaken},
	{"PUT", printDesignPath + "draft", `{"appCode":"shiplock","printCode":"inspection","text":"","seen":""}`, fault.Unauthenticated, fault.Forbidden, 0},
	{"PUT", printDesignPath + "design", `{"appCode":"shiplock","printCode":"inspection","text":"{}","seen":"x"}`, fault.Unauthenticated, fault.Forbidden, fault.PublishConflict},
	{"PUT", printDesignPath + "design", `{"appCode":"shiplock","printCode":"../x","new":true,"text":"{}","seen":""}`, fault.Unauthenticated, fault.Forbidden, fault.AppCodeInvalid},
}

// TestDesignPrint reads, checks, previews and publishes a template as its designer does, as an administrator of all and as one of the
// application, and goes back to the version before.
func TestDesignPrint(t *testing.T) {
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	send := func(actor, method, path string, in any, want fault.Code, into any) {
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
	// A keeper manages the application and prints contracts; payments they only see, and other models not at all.
	const keeperRole = `{"name": "应用管理员", "permissions": ["APP_MNG"], "apps": ["shiplock"], "models": [
		{"schemaCode": "contract", "actions": ["view", "print"], "rows": "all", "fields": {"amount": "-", "*": "r"}},
		{"schemaCode": "inspection", "actions": ["view"], "rows": "all", "fields": {"*": "r"}}]}`
	send(administrator, "POST", publishPath, map[string]any{"note": "", "files": []any{map[string]any{"pack": "shiplock", "path": "access/keeper.json", "text": keeperRole, "seen": ""}}}, 0, nil)
	_, err = w.app.AddUser(t.Context(), "keeper", "王守", []string{"keeper"})
	require.NoError(t, err)

	of := url.Values{"appCode": {"shiplock"}, "printCode": {"inspection"}}.Encode()
	var begun app.PrintDesign
	send("keeper", "GET", printDesignPath+"design?"+of, nil, 0, &begun)
	require.Contains(t, begun.Text, `"eleType": "qrCode"`)
	require.True(t, slices.ContainsFunc(begun.Models, func(c app.DesignChoice) bool { return c.Code == "inspection" }))
	require.False(t, slices.ContainsFunc(begun.Models, func(c app.DesignChoice) bool { return c.Code == "user" }), "an administrator of one application is not offered models of others")
	var model app.PrintModel
	send("keeper", "GET", printDesignPath+"model?appCode=shiplock&schemaCode=contract", nil, 0, &model)
	codes := map[string]app.PrintProperty{}
	for _, p := range model.Properties {
		codes[p.Code] = p
	}
	require.True(t, codes["payments"].Sheet)
	require.True(t, codes["amount"].Number)
	require.Contains(t, codes["amount"].Formats, "capitals")
	require.Contains(t, codes["payments.payable"].Sums, "sum")
	require.True(t, codes["manager"].Person)
	require.NotEmpty(t, codes["partyB.name"].Label.I18n["en"], "of a related record")
	require.NotEmpty(t, model.Forms)
	require.True(t, slices.ContainsFunc(model.Forms[0].Items, func(i app.PrintFormItem) bool { return i.Code == "contractNo" }))
	require.True(t, slices.ContainsFunc(model.Nodes, func(n app.PrintNode) bool { return n.Code == "commercial" }))
	require.True(t, slices.ContainsFunc(model.Lists, func(l app.PrintList) bool { return l.Code == "inspection" && l.Relation == "contract" }))
	send("keeper", "GET", printDesignPath+"model?appCode=shiplock&schemaCode=user", nil, fault.ModelNotFound, nil)

	// What the compiler says has its place.
	draft := func(text, seen string) app.PrintDraft {
		return app.PrintDraft{App: "shiplock", Code: "inspection", Text: text, Seen: seen}
	}
	wide := strings.Replace(begun.Text, `"left": 22`, `"left": 99`, 1)
	require.NotEqual(t, begun.Text, wide)
	var check printCheck
	send("keeper", "POST", printDesignPath+"check", draft(wide, begun.Seen), 0, &check)
	require.Len(t, check.Diagnostics, 1)
	require.Equal(t, []string{"PRINT001", "prints/inspection.json"}, []string{check.Diagnostics[0].Code, check.Diagnostics[0].File})
	require.Regexp(t, `^/pages/0/elements/\d+$`, check.Diagnostics[0].Pointer)
	require.Nil(t, check.Print)

	// A new template of contracts, before it is published: the pages are those that its reader may print.
	id := func(model string) string {
		var page struct {
			Content []struct {
				ID string `json:"id"`
			} `json:"content"`
		}
		send(administrator, "POST", "/api/runtime/query/list", map[string]any{"schemaCode": model, "size": 1}, 0, &page)
		return page.Content[0].ID
	}
	const fresh = `{"schemaCode":"contract","name":"合同卡","name_i18n":{"en":"Contract card"},"pages":[{"elements":[
		{"eleType":"text","left":0,"top":0,"widthValue":176,"text":"合同 {contractNo}"},{"eleType":"column","left":0,"top":20,"widthValue":88,"propertyCode":"amount"}]}]}`
	proof := func(code, text, record string) map[string]any {
		return map[string]any{"appCode": "shiplock", "printCode": code, "new": code != "inspection", "text": text, "seen": "", "objectId": record}
	}
	begin := time.Now()
	texts := func(c printCheck) string {
		require.NotNil(t, c.Print, c.Refused)
		var out []string
		for _, m := range c.Print.Pages[0].Marks {
			out = append(out, m.Text)
		}
		return strings.Join(out, " ")
	}
	send(administrator, "POST", printDesignPath+"check", proof("contractCard", fresh, id("contract")), 0, &check)
	require.Contains(t, texts(check), "合同 ")
	require.Contains(t, texts(check), "合同金额")
	send("keeper", "POST", printDesignPath+"check", proof("contractCard", fresh, id("contract")), 0, &check)
	require.Contains(t, texts(check), "合同 ")
	require.NotContains(t, texts(check), "合同金额", "a field that the reader may not see is not on a draft either")
	t.Logf("two previews took %v", time.Since(begin))
	var past []any
	send(administrator, "GET", "/api/runtime/print/history?schemaCode=contract&objectId="+id("contract"), nil, 0, &past)
	require.Empty(t, past, "what is tried out was not printed")
	send("keeper", "POST", printDesignPath+"check", proof("inspection", begun.Text, id("inspection")), 0, &check)
	require.Nil(t, check.Print, "they may not print inspections")
	require.NotEmpty(t, check.Refused)
	send("keeper", "POST", printDesignPath+"check", proof("contractCard", fresh, "no such record"), 0, &check)
	require.Nil(t, check.Print)
	require.NotEmpty(t, check.Refused)
	send("keeper", "POST", printDesignPath+"check", proof("contractCard", strings.Replace(fresh, `"amount"`, `"amout"`, 1), id("contract")), 0, &check)
	require.Equal(t, "/pages/0/elements/1/propertyCode", check.Diagnostics[0].Pointer)
	require.Nil(t, check.Print)
	send("keeper", "GET", "/api/runtime/print/attributes?schemaCode=contract&code=contractCard", nil, fault.PrintNoTemplate, nil)

	// What is not published yet waits for its author, on whatever machine; others who change the same are told.
	card := app.PrintDraft{App: "shiplock", Code: "contractCard", New: true, Text: fresh}
	send("keeper", "PUT", printDesignPath+"draft", card, 0, nil)
	var empty app.PrintDesign
	send("keeper", "GET", printDesignPath+"design?appCode=shiplock", nil, 0, &empty)
	require.Len(t, empty.Drafts, 1)
	require.Equal(t, []string{"contractCard", fresh}, []string{empty.Drafts[0].Code, empty.Drafts[0].Text})
	send(administrator, "GET", printDesignPath+"design?appCode=shiplock", nil, 0, &empty)
	require.Empty(t, empty.Drafts, "it is its author's")
	send(administrator, "POST", printDesignPath+"check", proof("contractCard", fresh, ""), 0, &check)
	require.Len(t, check.Others, 1)
	require.Equal(t, "王守", check.Others[0].Name)
	send("keeper", "POST", printDesignPath+"check", proof("contractCard", fresh, ""), 0, &check)
	require.Empty(t, check.Others)
	send("keeper", "PUT", printDesignPath+"draft", draft("{", begun.Seen), fault.BadParameter, nil)
	send("keeper", "PUT", printDesignPath+"draft", draft(wide, begun.Seen), 0, nil)
	send("keeper", "GET", printDesignPath+"design?"+of, nil, 0, &begun)
	require.Len(t, begun.Drafts, 1)
	require.Equal(t, wide, begun.Drafts[0].Text)
	send("keeper", "PUT", printDesignPath+"draft", draft(begun.Text, begun.Seen), 0, nil)
	send("keeper", "GET", printDesignPath+"design?"+of, nil, 0, &begun)
	require.Empty(t, begun.Drafts, "what is served already is no draft")

	// Published, it is printed with at once, and listed, and its draft is forgotten.
	var published app.DesignDocument
	send("keeper", "PUT", printDesignPath+"design", card, 0, &published)
	send("keeper", "PUT", printDesignPath+"design", card, fault.AppCodeTaken, nil)
	require.Contains(t, published.Text, "\n", "it is in the form that the program writes")
	send("keeper", "GET", printDesignPath+"design?appCode=shiplock&printCode=contractCard", nil, 0, &empty)
	require.Empty(t, empty.Drafts)
	var pages struct{ Name string }
	send("keeper", "POST", "/api/runtime/print/pages", map[string]any{"schemaCode": "contract", "code": "contractCard", "objectIds": []string{id("contract")}}, 0, &pages)
	require.Equal(t, "合同卡", pages.Name)
	var list []app.DesignedPrint
	send("keeper", "GET", printDesignPath+"list?appCode=shiplock", nil, 0, &list)
	require.True(t, slices.ContainsFunc(list, func(p app.DesignedPrint) bool { return p.Code == "contractCard" && p.Pages == 1 }))

	// Who began before somebody else published is told who was first, also while they draw.
	card.New = false
	card.Text, card.Seen = strings.Replace(published.Text, "合同卡", "合同卡片", 1), published.Seen
	var second app.DesignDocument
	send(administrator, "PUT", printDesignPath+"design", card, 0, &second)
	send("keeper", "POST", printDesignPath+"check", card, 0, &check)
	require.Equal(t, second.Seen, check.Seen)
	require.NotEmpty(t, check.ChangedBy)
	var refused app.DesignCheck
	send("keeper", "PUT", printDesignPath+"design", app.PrintDraft{App: "shiplock", Code: "contractCard", Text: fresh, Seen: published.Seen}, fault.PublishConflict, &refused)
	require.NotEmpty(t, refused.ChangedBy)

	// The version before can be read, and becomes the next one.
	var versions []app.AppVersion
	history := printDesignPath + "history?appCode=shiplock&printCode=contractCard"
	send("keeper", "GET", history, nil, 0, &versions)
	require.Len(t, versions, 2)
	require.Equal(t, []int64{second.Version, published.Version}, []int64{versions[0].Version, versions[1].Version})
	require.Equal(t, "王守", versions[1].Name)
	var old struct{ Text string }
	send("keeper", "GET", printDesignPath+"version?appCode=shiplock&printCode=contractCard&version="+json.Number(strings.TrimSpace(jsonText(t, versions[1].Version))).String(), nil, 0, &old)
	require.Equal(t, published.Text, old.Text)
	send("keeper", "GET", printDesignPath+"version?appCode=shiplock&printCode=contractCard&version=0", nil, fault.DocumentNotFound, nil)
	send("keeper", "PUT", printDesignPath+"design", app.PrintDraft{App: "shiplock", Code: "contractCard", Text: old.Text, Seen: second.Seen}, 0, &second)
	require.Equal(t, published.Seen, second.Seen)

	// A model of another application is not theirs.
	send("keeper", "PUT", printDesignPath+"design", app.PrintDraft{App: "shiplock", Code: "people", New: true, Text: strings.Replace(fresh, `"schemaCode":"contract"`, `"schemaCode":"user"`, 1)}, fault.WorkflowReach, nil)
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
