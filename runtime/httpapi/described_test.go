package httpapi

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
)

// described writes the pack of one of two worlds: with secrets it has, besides, what the role clerk may not see, in every document that can name
// it. §...§ is in that world only.
func described(t *testing.T, secrets bool) string {
	t.Helper()
	docs := map[string]string{
		"pack.json": `{"code": "deed", "name": "案卷", "name_i18n": {"en": "Deeds"}, "version": "1.0.0"}`,
		"app.json": `{"name": "案卷", "name_i18n": {"en": "Deeds"}, "menu": [{"code": "deed", "type": "BizModel", "schemaCode": "deed"}, {"code": "partner", "type": "BizModel", "schemaCode": "partner"},
			{"code": "figures", "type": "Report", "reportCode": "figures", "name": "统计", "name_i18n": {"en": "Figures"}}§, {"code": "vault", "type": "BizModel", "schemaCode": "vault"}§]}`,
		"access/clerk.json": `{"name": "文员", "name_i18n": {"en": "Clerk"}, "includes": ["staff"], "apps": ["deed"], "models": [
			{"schemaCode": "deed", "actions": ["view", "add", "edit", "delete", "export", "import", "print", "batch_update", "change_owner", "external_link"], "rows": "all"§, "fields": {"price": "-", "note": "-", "vault": "-", "hiddenItems": "-", "items.cost": "-", "guarded": "-", "sum": "-"}§},
			{"schemaCode": "partner", "actions": ["view", "add", "edit", "export", "print"], "rows": "all"§, "fields": {"rating": "-"}§}]}`,
		"models/partner.json": `{"name": "伙伴", "name_i18n": {"en": "Partner"}, "properties": [{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}, "search": true}
			§, {"code": "rating", "propertyType": "Number", "name": "评级", "name_i18n": {"en": "Rating"}}§]}`,
		"models/deed.json": `{"name": "案卷", "name_i18n": {"en": "Deed"}, "digest": "{title}", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "题名", "name_i18n": {"en": "Title"}, "search": true},
			{"code": "amount", "propertyType": "Number", "name": "金额", "name_i18n": {"en": "Amount"}},
			{"code": "kind", "propertyType": "Radio", "name": "类别", "name_i18n": {"en": "Kind"}, "options": [{"code": "a", "name": "甲", "name_i18n": {"en": "A"}}, {"code": "b", "name": "乙", "name_i18n": {"en": "B"}}]},
			{"code": "partner", "propertyType": "RelevanceForm", "relativeCode": "partner", "name": "伙伴", "name_i18n": {"en": "Partner"}},
			{"code": "items", "propertyType": "Sheet", "name": "明细", "name_i18n": {"en": "Items"}, "properties": [{"code": "what", "propertyType": "ShortText", "name": "内容", "name_i18n": {"en": "What"}}, {"code": "count", "propertyType": "Number", "name": "数量", "name_i18n": {"en": "Count"}}
				§, {"code": "cost", "propertyType": "Number", "name": "成本", "name_i18n": {"en": "Cost"}}§]}
			§, {"code": "price", "propertyType": "Number", "name": "底价", "name_i18n": {"en": "Secret price"}},
			{"code": "note", "propertyType": "LongText", "name": "密注", "name_i18n": {"en": "Secret note"}},
			{"code": "vault", "propertyType": "RelevanceForm", "relativeCode": "vault", "name": "密室", "name_i18n": {"en": "Secret vault"}},
			{"code": "guarded", "propertyType": "Radio", "name": "密级", "name_i18n": {"en": "Secret grade"}, "options": [{"code": "x", "name": "绝密", "name_i18n": {"en": "Top secret"}}]},
			{"code": "sum", "propertyType": "Number", "name": "密和", "name_i18n": {"en": "Secret sum"}, "computeFormula": "amount + price"},
			{"code": "hiddenItems", "propertyType": "Sheet", "name": "密表", "name_i18n": {"en": "Secret rows"}, "properties": [{"code": "secretWhat", "propertyType": "ShortText", "name": "密项", "name_i18n": {"en": "Secret what"}}]}§]}`,
		"lists/deed.json": `{"schemaCode": "deed", "name": "案卷", "name_i18n": {"en": "Deeds"}, "queryConditions": ["title", "kind", "partner"§, "price", "guarded", "vault", "partner.rating", "items.cost"§],
			"queryColumns": ["title", "amount", "kind", "partner"§, "price", "vault", "partner.rating", "guarded"§]}`,
		"forms/deed.json": `{"schemaCode": "deed", "name": "案卷", "name_i18n": {"en": "Deed"}, "items": ["title", "amount", "kind", "partner", "items"§, "price", "note", "vault", "guarded", "hiddenItems"§], "actions": ["save", "submit", "print"]}`,
		"prints/deed.json": `{"schemaCode": "deed", "name": "案卷", "name_i18n": {"en": "Deed"}, "pages": [{"elements": [
			{"eleType": "text", "left": 0, "top": 0, "widthValue": 120, "text": "卷 {title}"},
			{"eleType": "column", "left": 0, "top": 10, "widthValue": 88, "propertyCode": "amount"},
			{"eleType": "sheet", "left": 0, "top": 30, "widthValue": 176, "propertyCode": "items", "columns": ["what", "count"§, "cost"§]}
			, {"eleType": "text", "left": 0, "top": 70, "widthValue": 88, "text": "附 §{note}§"}§, {"eleType": "column", "left": 0, "top": 60, "widthValue": 88, "propertyCode": "price"},
			{"eleType": "column", "left": 0, "top": 80, "widthValue": 88, "propertyCode": "partner.rating"}, {"eleType": "sheet", "left": 0, "top": 90, "widthValue": 88, "propertyCode": "hiddenItems", "columns": ["secretWhat"]}§]}]}`,
		"reports/figures.json": `{"name": "统计", "name_i18n": {"en": "Figures"}, "filters": [{"code": "kind", "schemaCode": "deed", "propertyCode": "kind"}§, {"code": "byPrice", "schemaCode": "deed", "propertyCode": "price"}§],
			"dataSets": [{"code": "kinds", "schemaCode": "deed", "filters": ["kind"§, "byPrice"§], "groups": ["kind"], "measures": [{"code": "n", "sumType": "count"}§, {"code": "secretSum", "sumType": "sum", "propertyCode": "price"}, {"code": "secretRatio", "sumType": "ratio", "numerator": "secretSum", "denominator": "n"}§, {"code": "amounts", "sumType": "sum", "propertyCode": "amount"}]}
			§, {"code": "vaults", "schemaCode": "vault", "measures": [{"code": "n", "sumType": "count"}]}, {"code": "ratings", "schemaCode": "deed", "groups": [{"code": "r", "propertyCode": "partner.rating"}], "measures": [{"code": "n", "sumType": "count"}]}§],
			"charts": [{"code": "kinds", "chartType": "pivot", "dataSet": "kinds", "rows": ["kind"], "measures": ["n"§, "secretSum", "secretRatio"§, "amounts"]}
			§, {"code": "prices", "chartType": "bar", "dataSet": "kinds", "category": "kind", "series": ["secretSum"]}, {"code": "vaults", "chartType": "figure", "dataSet": "vaults", "measure": "n"},
			{"code": "ratings", "chartType": "pivot", "dataSet": "ratings", "rows": ["r"], "measures": ["n"]}§]}`,
		"portals/deeds.json": `{"name": "案卷", "name_i18n": {"en": "Deeds"}, "appCode": "deed", "widgets": [
			{"type": "TextList", "code": "deeds", "x": 0, "y": 0, "width": 6, "height": 20, "dataSource": "bizModel", "schemaCode": "deed", "displayField": ["title", "amount"§, "price", "guarded"§]}
			§, {"type": "TextList", "code": "vaults", "x": 6, "y": 0, "width": 6, "height": 20, "dataSource": "bizModel", "schemaCode": "vault"}§]}`,
		"workflows/agree.json": `{"schemaCode": "deed", "name": "审批", "name_i18n": {"en": "Approval"}, "settings": {"instanceName": "{title}"}, "nodes": [
			{"id": "start", "type": "START", "name": "报", "name_i18n": {"en": "Request"}, "next": ["accept"]},
			{"id": "accept", "type": "APPROVE", "name": "批", "name_i18n": {"en": "Approve"}, "participants": [{"type": "role", "value": ["clerk"]}], "form": {"fields": {"amount": "rw"§, "price": "-", "note": "-", "vault": "-", "guarded": "-", "hiddenItems": "-", "sum": "-"§}}, "next": ["end"]},
			{"id": "end", "type": "END"}]}`,
	}
	if secrets {
		docs["models/vault.json"] = `{"name": "密室", "name_i18n": {"en": "Secret vault"}, "properties": [{"code": "secretCode", "propertyType": "ShortText", "name": "密码", "name_i18n": {"en": "Secret code"}}]}`
	}
	dir := filepath.Join(t.TempDir(), "deed")
	parts := regexp.MustCompile(`(?s)§(.*?)§`)
	for name, text := range docs {
		with := ""
		if secrets {
			with = "$1"
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(parts.ReplaceAllString(text, with)), 0o600))
	}
	return dir
}

// told is one of the two worlds with what its clerk has there.
type told struct {
	*world
	ids map[string]string
}

func tellingWorld(t *testing.T, secrets bool) *told {
	t.Helper()
	w, err := openWorldWith(app.Config{Dir: t.TempDir(), Documents: app.Documents{Dirs: []string{described(t, secrets)}}})
	if faulty := (*app.Faulty)(nil); errors.As(err, &faulty) {
		for _, d := range faulty.List {
			t.Error(d.Position, d.Code, d.En)
		}
		t.FailNow()
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	require.NoError(t, w.addAdministrator(t.Context()))
	_, err = w.app.AddUser(t.Context(), "clerk", "clerk", []string{"clerk"})
	require.NoError(t, err)
	out := &told{world: w, ids: map[string]string{}}
	out.add(t, "partner", `{"title": "伙"}`)
	out.add(t, "deed", `{"title": "卷", "amount": "2", "kind": "a", "partner": "`+out.ids["partner"]+`", "items": [{"what": "x", "count": "1"}]}`)
	more := `"amount":"3"`
	if secrets {
		more += `,"price":"7","note":"s","hiddenItems":[{"secretWhat":"s"}]`
	}
	var saved struct{ Version int64 }
	w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode":"deed","id":"`+out.ids["deed"]+`","version":1,"data":{`+more+`}}`).into(t, &saved)
	var started struct {
		Instance string `json:"workflowInstanceId"`
	}
	w.post(t, "clerk", "/api/runtime/form/submit", `{"workflowCode":"agree","data":{"title":"流","amount":"1"}}`).into(t, &started)
	out.ids["instance"] = started.Instance
	var tasks struct {
		Content []struct {
			ID     string `json:"id"`
			Record string `json:"objectId"`
		} `json:"content"`
	}
	w.post(t, "clerk", "/api/runtime/workitem/unfinished", `{}`).into(t, &tasks)
	require.NotEmpty(t, tasks.Content)
	out.ids["task"] = tasks.Content[0].ID
	return out
}

func (w *told) add(t *testing.T, model, data string) {
	t.Helper()
	var saved struct{ ID string }
	w.post(t, "clerk", "/api/runtime/form/save", `{"schemaCode":"`+model+`","data":`+data+`}`).into(t, &saved)
	w.ids[model] = saved.ID
}

// What differs between any two installations.
var passing = []struct {
	of   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`\b[0-9a-f]{40,64}\b`), "DIGEST"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?`), "TIME"},
	{regexp.MustCompile(`"requestId":"[^"]*"`), "REQUEST"},
	{regexp.MustCompile(`"(cursor|next|token|ticket|version)":("[^"]*"|\d+)`), "$1"},
	{regexp.MustCompile(`"size":\d+,"time`), "SIZE"},
}

// answer is what a call answers, without what differs between any two installations. Files in a zip are read.
func (w *told) answer(t *testing.T, c call) string {
	t.Helper()
	for name, id := range w.ids {
		c.path, c.body = strings.ReplaceAll(c.path, "%7B"+name+"%7D", id), strings.ReplaceAll(c.body, "{"+name+"}", id)
	}
	got := w.send(t, c)
	text := got.Body.String()
	if files, err := zip.NewReader(bytes.NewReader(got.Body.Bytes()), int64(got.Body.Len())); err == nil {
		text = ""
		for _, f := range files.File {
			in, err := f.Open()
			require.NoError(t, err)
			data, err := io.ReadAll(in)
			require.NoError(t, err)
			text += f.Name + "\n" + string(data) + "\n"
		}
	}
	text = fmt.Sprint(got.Code, " ", text)
	for _, p := range passing {
		text = p.of.ReplaceAllString(text, p.with)
	}
	return text
}

// known are the values of parameters by their names; the other ones are left out.
var knownParameters = map[string]string{"schemaCode": "deed", "queryCode": "deed", "sheetCode": "deed", "reportCode": "figures", "portalCode": "deeds", "appCode": "deed", "workflowCode": "agree", "code": "deed",
	"propertyCode": "items", "objectId": "{deed}", "objectIds": "{deed}", "id": "{deed}", "workItemId": "{task}", "workflowInstanceId": "{instance}", "instanceId": "{instance}", "type": "view", "keyword": "", "pack": "deed", "path": "lists/deed.json"}

// notCompared are calls whose answer is of the machine or the moment, or never ends.
var notCompared = []string{"/api/events", "/healthz", "/readyz", "/api/login/rsa_key", "/api/openapi.json", "/api/organization/user/sessions", "/open/"}

// describing are the calls of the contract that describe: every GET, with all that the contract lets it name, and the others that are asked and change nothing.
func describing(t *testing.T) (out []call) {
	t.Helper()
	for path, item := range document(t).Paths.Map() {
		if item.Get == nil || slices.ContainsFunc(notCompared, func(p string) bool { return strings.HasPrefix(path, p) }) {
			continue
		}
		for _, code := range []string{"deed", "partner", "vault", "builtInPortal"} {
			for _, property := range []string{"items", "partner", "kind", "hiddenItems", "vault", "guarded"} {
				values, named := url.Values{}, false
				at := path
				for _, p := range append(slices.Clone(item.Parameters), item.Get.Parameters...) {
					v, ok := knownParameters[p.Value.Name]
					if !ok {
						continue
					}
					if v == "deed" {
						v = code
					}
					if p.Value.Name == "propertyCode" {
						v, named = property, true
					}
					if p.Value.In == "path" {
						at = strings.ReplaceAll(at, "{"+p.Value.Name+"}", url.PathEscape(v))
						continue
					}
					values.Set(p.Value.Name, v)
				}
				if strings.Contains(at, "{") {
					break
				}
				out = append(out, call{method: "GET", path: at + "?" + values.Encode(), actor: "clerk"})
				if !named {
					break
				}
			}
		}
	}
	for path, bodies := range map[string][]string{
		"/api/runtime/query/list": {`{"schemaCode":"deed"}`, `{"schemaCode":"vault"}`, `{"schemaCode":"deed","filters":[{"propertyCode":"price","propertyValue":"1"}]}`,
			`{"schemaCode":"deed","orderByFields":["price"],"orderType":1}`, `{"schemaCode":"deed","orderByFields":["partner.rating"],"orderType":1}`, `{"schemaCode":"deed","filters":[{"propertyCode":"items.cost","propertyValue":"1"}]}`, `{"schemaCode":"deed","keyword":"s"}`,
			`{"schemaCode":"deed","filters":[{"propertyCode":"vault","propertyValue":"{deed}"}]}`, `{"schemaCode":"partner","filters":[{"propertyCode":"rating","propertyValue":"1"}]}`},
		"/api/runtime/query/skip_list":     {`{"schemaCode":"deed"}`},
		"/api/runtime/query/sheet_rows":    {`{"schemaCode":"deed","objectId":"{deed}","propertyCode":"items"}`, `{"schemaCode":"deed","objectId":"{deed}","propertyCode":"hiddenItems"}`},
		"/api/runtime/query/add_check":     {`{"schemaCode":"deed","queryCode":"deed"}`},
		"/api/runtime/print/load_data":     {`{"schemaCode":"deed","objectIds":["{deed}"]}`},
		"/api/runtime/print/pages":         {`{"schemaCode":"deed","objectIds":["{deed}"]}`},
		"/api/runtime/print/xlsx":          {`{"schemaCode":"deed","objectIds":["{deed}"]}`},
		"/api/runtime/report/data":         {`{"reportCode":"figures"}`, `{"reportCode":"figures","dataSets":["vaults"]}`, `{"reportCode":"figures","dataSets":["ratings"]}`, `{"reportCode":"figures","filters":[{"propertyCode":"byPrice","propertyValue":"1;2"}]}`},
		"/api/runtime/report/export":       {`{"reportCode":"figures","fileType":"xlsx"}`, `{"reportCode":"figures","charts":["prices"],"fileType":"xlsx"}`},
		"/api/runtime/portal/rows":         {`{"portalCode":"deeds","widget":"deeds"}`, `{"portalCode":"deeds","widget":"vaults"}`},
		"/api/runtime/form/options":        {`{"schemaCode":"deed","propertyCode":"partner","data":{}}`, `{"schemaCode":"deed","propertyCode":"vault","data":{}}`, `{"schemaCode":"deed","propertyCode":"guarded","data":{}}`},
		"/api/runtime/form/compute":        {`{"schemaCode":"deed","data":{"amount":"3"}}`},
		"/api/runtime/form/explain":        {`{"schemaCode":"deed","id":"{deed}","propertyCode":"sum"}`, `{"schemaCode":"deed","id":"{deed}","propertyCode":"amount"}`},
		"/api/runtime/track/list":          {`{"schemaCode":"deed","bizObjectIds":["{deed}"],"size":20}`},
		"/api/runtime/recycle/list":        {`{"schemaCode":"deed"}`, `{"schemaCode":"vault"}`},
		"/api/runtime/comment/list":        {`{"schemaCode":"deed","objectId":"{deed}"}`},
		"/api/runtime/workitem/query":      {`{}`},
		"/api/runtime/workitem/unfinished": {`{}`},
		"/api/runtime/workflow/mine":       {`{}`},
		"/api/runtime/workflow/query":      {`{}`},
		"/api/search/paltformSearch":       {`{"searchword":"密","size":5,"page":0}`, `{"searchword":"卷","size":5,"page":0}`},
		"/api/runtime/workitem/next_nodes": {`{"workItemId":"{task}"}`},
		"/api/runtime/export/start":        {`{"schemaCode":"deed","fields":["price"]}`},
		"/api/runtime/batch/update": {`{"schemaCode":"deed","queryCode":"deed","objectIds":["{deed}"],"propertyCode":"price","modifiedValue":"1"}`, `{"schemaCode":"deed","queryCode":"deed","objectIds":["{deed}"],"propertyCode":"items.cost","modifiedValue":"1"}`,
			`{"schemaCode":"deed","queryCode":"deed","all":true,"filters":[{"propertyCode":"price","propertyValue":"1"}],"propertyCode":"kind","modifiedValue":"x"}`},
		"/api/runtime/query/saved_filters": {`{"schemaCode":"deed","queryCode":"deed","name":"f","filters":[{"propertyCode":"price","propertyValue":"1"}]}`, `{"schemaCode":"deed","queryCode":"deed","name":"g","filters":[{"propertyCode":"vault","propertyValue":"1"}]}`},
		"/api/runtime/draft/save":          {`{"schemaCode":"deed","data":{"price":"1"}}`, `{"schemaCode":"deed","sheetCode":"deed","objectId":"{deed}","version":2,"data":{"note":"1","hiddenItems":[{"secretWhat":"x"}]}}`, `{"schemaCode":"vault","data":{}}`},
		"/api/runtime/print/batch":         {`{"schemaCode":"deed","queryCode":"deed","filters":[{"propertyCode":"price","propertyValue":"1"}],"allObjectId":true}`, `{"schemaCode":"deed","queryCode":"deed","objectIds":["{deed}"],"orderByFields":["price"]}`},
		"/api/runtime/query/bulk_check":    {`{"schemaCode":"deed","queryCode":"deed","all":true,"filters":[{"propertyCode":"price","propertyValue":"1"}]}`},
		"/api/runtime/query/delete_check":  {`{"schemaCode":"deed","objectIds":["{deed}"]}`, `{"schemaCode":"vault","objectIds":["{deed}"]}`},
		"/api/runtime/query/modify_owner":  {`{"schemaCode":"vault","objectIds":["{deed}"],"owner":"{deed}"}`},
		"/api/runtime/query/run_action":    {`{"schemaCode":"deed","queryCode":"deed","actionCode":"price","objectIds":["{deed}"]}`, `{"schemaCode":"vault","actionCode":"view","objectIds":["{deed}"]}`},
		"/api/runtime/workitem/save":       {`{"workItemId":"{task}","data":{"price":"1"}}`, `{"workItemId":"{task}","data":{"hiddenItems":[]}}`},
		"/api/runtime/workflow/preview":    {`{"workflowCode":"agree","data":{"price":"1"}}`, `{"workflowCode":"agree","data":{"amount":"1"}}`},
		"/api/runtime/comment/add":         {`{"schemaCode":"vault","objectId":"{deed}","content":"x"}`},
		"/api/external/links":              {`{"form":"vault","days":1}`, `{"form":"deed","record":"{deed}","days":1}`},
		"/api/runtime/form/save": {`{"schemaCode":"deed","data":{"price":"1"}}`, `{"schemaCode":"deed","id":"{deed}","version":1,"data":{"amount":"9"}}`, `{"schemaCode":"deed","data":{"title":"z","items":[{"what":"x","cost":"1"},{"cost":"x"}]}}`, `{"schemaCode":"deed","data":{"amount":"abc","price":"1"}}`, `{"schemaCode":"deed","data":{"amount":"abc","price":"abc","title":"x"}}`,
			`{"schemaCode":"deed","data":{"kind":"nope","note":"1","items":[{"count":"abc","cost":"1"}]}}`, `{"schemaCode":"vault","data":{"secretCode":"1"}}`},
	} {
		for _, body := range bodies {
			out = append(out, call{method: "POST", path: path, body: body, actor: "clerk"})
		}
	}
	return out
}

// TestDescriptions: who may not see a property, a sub-table, a relation or a model learns of it from no description: two installations that differ only
// in these describe themselves with the same bytes.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	plain, secret := tellingWorld(t, false), tellingWorld(t, true)
	answered := 0
	for _, c := range describing(t) {
		for _, locale := range []string{"zh-CN", "en"} {
			c.headers = map[string]string{"Accept-Language": locale}
			want, got := plain.answer(t, c), secret.answer(t, c)
			if strings.HasPrefix(want, "200 ") {
				answered++
			}
			if want != got {
				t.Errorf("%s %s %s\nplain  %s\nsecret %s", c.method, c.path, c.body, around(want, got), around(got, want))
				break
			}
		}
	}
	require.Greater(t, answered, 150)
}

// around is where a text begins to differ from another one.
func around(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return "…" + strings.ToValidUTF8(a[max(0, i-120):min(len(a), i+200)], "")
}
