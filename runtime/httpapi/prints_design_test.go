package httpapi

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/design"
)

// checkedPrint is what the desk says to the draft of a template.
type checkedPrint struct {
	design.Check
	Drawn printDrawn `json:"drawn"`
}

// TestDesignPrint reads, checks, previews and publishes a template as its designer does, as an administrator of all and as one of the
// application, and goes back to the version before.
func TestDesignPrint(t *testing.T) {
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	send, publish := w.calls(t), w.publishes(t)
	// A keeper manages the application and prints contracts; payments they only see, and other models not at all.
	const keeperRole = `{"name": "应用管理员", "permissions": ["APP_MNG"], "apps": ["shiplock"], "models": [
		{"schemaCode": "contract", "actions": ["view", "print"], "rows": "all", "fields": {"amount": "-", "*": "r"}},
		{"schemaCode": "inspection", "actions": ["view"], "rows": "all", "fields": {"*": "r"}}]}`
	send(administrator, "POST", publishPath, map[string]any{"note": "", "files": []any{map[string]any{"pack": "shiplock", "path": "access/keeper.json", "text": keeperRole, "seen": ""}}}, 0, nil)
	_, err = w.app.AddUser(t.Context(), "keeper", "王守", []string{"keeper"})
	require.NoError(t, err)

	of := func(code string) design.Name { return design.Name{Kind: "print", App: "shiplock", Code: code} }
	const document = "/api/design/document?kind=print&appCode=shiplock&code="
	var begun design.Document
	send("keeper", "GET", document+"inspection", nil, 0, &begun)
	require.Contains(t, begun.Text, `"eleType": "qrCode"`)
	var choices design.PrintChoices
	send("keeper", "GET", "/api/app/print/design?appCode=shiplock", nil, 0, &choices)
	require.True(t, slices.ContainsFunc(choices.Models, func(c design.Choice) bool { return c.Code == "inspection" }))
	require.False(t, slices.ContainsFunc(choices.Models, func(c design.Choice) bool { return c.Code == "user" }), "an administrator of one application is not offered models of others")
	var model design.PrintModel
	send("keeper", "GET", "/api/app/print/model?appCode=shiplock&schemaCode=contract", nil, 0, &model)
	codes := map[string]design.PrintProperty{}
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
	require.True(t, slices.ContainsFunc(model.Forms[0].Items, func(i design.PrintFormItem) bool { return i.Code == "contractNo" }))
	require.True(t, slices.ContainsFunc(model.Nodes, func(n design.PrintNode) bool { return n.Code == "commercial" }))
	require.True(t, slices.ContainsFunc(model.Lists, func(l design.PrintList) bool { return l.Code == "inspection" && l.Relation == "contract" }))
	send("keeper", "GET", "/api/app/print/model?appCode=shiplock&schemaCode=user", nil, fault.ModelNotFound, nil)

	// What the compiler says has its place.
	draft := func(text, seen string) design.Draft {
		return design.Draft{Name: of("inspection"), Text: text, Seen: seen}
	}
	wide := strings.Replace(begun.Text, `"left": 22`, `"left": 99`, 1)
	require.NotEqual(t, begun.Text, wide)
	var check checkedPrint
	send("keeper", "POST", "/api/design/check", draft(wide, begun.Seen), 0, &check)
	require.Len(t, check.Diagnostics, 1)
	require.Equal(t, []string{"PRINT001", "prints/inspection.json"}, []string{check.Diagnostics[0].Code, check.Diagnostics[0].File})
	require.Regexp(t, `^/pages/0/elements/\d+$`, check.Diagnostics[0].Pointer)
	require.Nil(t, check.Drawn.Print)

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
		return map[string]any{"kind": "print", "appCode": "shiplock", "code": code, "new": code != "inspection", "text": text, "seen": "", "objectId": record}
	}
	begin := time.Now()
	texts := func(c checkedPrint) string {
		require.NotNil(t, c.Drawn.Print, c.Drawn.Refused)
		var out []string
		for _, m := range c.Drawn.Print.Pages[0].Marks {
			out = append(out, m.Text)
		}
		return strings.Join(out, " ")
	}
	send(administrator, "POST", "/api/design/check", proof("contractCard", fresh, id("contract")), 0, &check)
	require.Contains(t, texts(check), "合同 ")
	require.Contains(t, texts(check), "合同金额")
	send("keeper", "POST", "/api/design/check", proof("contractCard", fresh, id("contract")), 0, &check)
	require.Contains(t, texts(check), "合同 ")
	require.NotContains(t, texts(check), "合同金额", "a field that the reader may not see is not on a draft either")
	t.Logf("two previews took %v", time.Since(begin))
	var past []any
	send(administrator, "GET", "/api/runtime/print/history?schemaCode=contract&objectId="+id("contract"), nil, 0, &past)
	require.Empty(t, past, "what is tried out was not printed")
	send("keeper", "POST", "/api/design/check", proof("inspection", begun.Text, id("inspection")), 0, &check)
	require.Nil(t, check.Drawn.Print, "they may not print inspections")
	require.NotEmpty(t, check.Drawn.Refused)
	send("keeper", "POST", "/api/design/check", proof("contractCard", fresh, "no such record"), 0, &check)
	require.Nil(t, check.Drawn.Print)
	require.NotEmpty(t, check.Drawn.Refused)
	send("keeper", "POST", "/api/design/check", proof("contractCard", strings.Replace(fresh, `"amount"`, `"amout"`, 1), id("contract")), 0, &check)
	require.Equal(t, "/pages/0/elements/1/propertyCode", check.Diagnostics[0].Pointer)
	require.Nil(t, check.Drawn.Print)
	send("keeper", "GET", "/api/runtime/print/attributes?schemaCode=contract&code=contractCard", nil, fault.PrintNoTemplate, nil)

	// What is not published yet waits on the server, for all who edit it.
	card := design.Draft{Name: of("contractCard"), New: true, Text: fresh}
	send("keeper", "POST", "/api/design/lock", card.Name, 0, nil)
	send("keeper", "PUT", "/api/design/draft", card, 0, nil)
	var waits []design.Begun
	send(administrator, "GET", "/api/design/begun?kind=print&appCode=shiplock", nil, 0, &waits)
	require.Len(t, waits, 1)
	require.Equal(t, []any{"contractCard", "合同卡", "contract", "王守", false, "王守"},
		[]any{waits[0].Code, waits[0].Label.Zh, waits[0].Model, *waits[0].DraftBy, waits[0].Mine, *waits[0].LockedBy})
	send("keeper", "POST", "/api/design/lock", of("inspection"), 0, nil)
	send("keeper", "PUT", "/api/design/draft", draft("{", begun.Seen), 0, nil)
	send("keeper", "PUT", "/api/design/draft", draft(wide, begun.Seen), 0, nil)
	send("keeper", "GET", document+"inspection", nil, 0, &begun)
	require.Equal(t, wide, begun.Draft.Text)
	send("keeper", "PUT", "/api/design/draft", draft(begun.Text, begun.Seen), 0, nil)
	send("keeper", "GET", document+"inspection", nil, 0, &begun)
	require.Nil(t, begun.Draft, "what is served already is no draft")

	// Published, it is printed with at once, and listed, and its draft is forgotten.
	var published design.Published
	publish("keeper", card, 0, &published)
	publish("keeper", card, fault.AppCodeTaken, nil)
	require.Contains(t, published.Text, "\n", "it is in the form that the program writes")
	send("keeper", "GET", "/api/design/begun?kind=print", nil, 0, &waits)
	require.Empty(t, waits)
	var pages struct{ Name string }
	send("keeper", "POST", "/api/runtime/print/pages", map[string]any{"schemaCode": "contract", "code": "contractCard", "objectIds": []string{id("contract")}}, 0, &pages)
	require.Equal(t, "合同卡", pages.Name)
	var list []design.DesignedPrint
	send("keeper", "GET", "/api/app/print/list?appCode=shiplock", nil, 0, &list)
	require.True(t, slices.ContainsFunc(list, func(p design.DesignedPrint) bool { return p.Code == "contractCard" && p.Pages == 1 }))

	// Who began before somebody else published is told who was first, also while they draw.
	card.New = false
	card.Text, card.Seen = strings.Replace(published.Text, "合同卡", "合同卡片", 1), published.Seen
	var second design.Published
	publish(administrator, card, 0, &second)
	send("keeper", "POST", "/api/design/check", card, 0, &check)
	require.Equal(t, second.Seen, check.Seen)
	require.NotEmpty(t, check.ChangedBy)
	var refused design.Check
	publish("keeper", design.Draft{Name: of("contractCard"), Text: fresh, Seen: published.Seen}, fault.PublishConflict, &refused)
	require.NotEmpty(t, refused.ChangedBy)

	// The version before can be read, and becomes the next one.
	var versions []design.Version
	history := "/api/design/history?kind=print&appCode=shiplock&code=contractCard"
	send("keeper", "GET", history, nil, 0, &versions)
	require.Len(t, versions, 2)
	require.Equal(t, []int64{second.Version, published.Version}, []int64{versions[0].Version, versions[1].Version})
	require.Equal(t, "王守", versions[1].Name)
	var old struct{ Text string }
	send("keeper", "GET", "/api/design/version?kind=print&appCode=shiplock&code=contractCard&version="+json.Number(strings.TrimSpace(jsonText(t, versions[1].Version))).String(), nil, 0, &old)
	require.Equal(t, published.Text, old.Text)
	send("keeper", "GET", "/api/design/version?kind=print&appCode=shiplock&code=contractCard&version=0", nil, fault.DocumentNotFound, nil)
	publish("keeper", design.Draft{Name: of("contractCard"), Text: old.Text, Seen: second.Seen}, 0, &second)
	require.Equal(t, published.Seen, second.Seen)

	// A model of another application is not theirs.
	publish("keeper", design.Draft{Name: of("people"), New: true, Text: strings.Replace(fresh, `"schemaCode":"contract"`, `"schemaCode":"user"`, 1)}, fault.WorkflowReach, nil)
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
