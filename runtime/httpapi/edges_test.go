package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// huge are numbers at and beyond the ends of what computers count with.
var huge = []string{"9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e400", "-1e400", "1e-400", "1e2147483648", strings.Repeat("9", 400)}

// TestHugeNumbers: numbers at the ends of what computers count with are taken or refused with words, in every field and operand of every
// model, and in parameters of calls.
func TestHugeNumbers(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openTickets(t, app.Config{URL: o.URL, Dir: o.Dir})
		require.NoError(t, w.addAdministrator(t.Context()))
		token := w.token(t, administrator)
		try := func(method, path, body string) reply {
			got := w.withToken(t, token, method, path, body)
			require.Less(t, got.Code, 500, "%s %s %.300s: %s", method, path, body, got.Body)
			return got
		}
		var kept struct{ ID string }
		try("POST", savePath, `{"schemaCode":"ticket","data":{"name":"a"}}`).into(t, &kept)
		models, tried := w.app.State().Catalog.Models, map[string]bool{}
		for _, n := range huge {
			for _, m := range models {
				for _, f := range m.Fields {
					if sort := fmt.Sprintf("%T %v %s", f.Property, f.System, n); tried[sort] { // one of each is enough
						continue
					} else {
						tried[sort] = true
					}
					try("POST", savePath, fmt.Sprintf(`{"schemaCode":%q,"data":{%q:%s}}`, m.Code, f.Code, n))
					operators, ok := f.Property.(interface{ Operators() []plan.Op })
					if !ok || m.Parent != nil {
						continue
					}
					for _, op := range []plan.Op{plan.Equal, plan.GreaterThan, plan.In, plan.Between} {
						if !slices.Contains(operators.Operators(), op) {
							continue
						}
						for _, v := range []string{n, "[" + n + "," + n + "]", `"` + n + `"`} {
							try("POST", listPath, fmt.Sprintf(`{"schemaCode":%q,"filters":[{"propertyCode":%q,"propertyValue":%s,"queryFilterType":%q}]}`, m.Code, f.Code, v, op))
						}
					}
				}
			}
			model := fmt.Sprintf(`{"name":"x","properties":[{"code":"name","propertyType":"ShortText","name":"x","maxLength":%s},{"code":"amount","propertyType":"Number","name":"x","max":%[1]s,"scale":%[1]s}]}`, n)
			try("POST", "/api/definition/check", fmt.Sprintf(`{"files":[{"pack":"desk","path":"models/ticket.json","text":%q}]}`, model))
			for _, body := range []string{`{"schemaCode":"ticket","page":%s}`, `{"schemaCode":"ticket","page":%s,"size":500}`, `{"schemaCode":"ticket","size":%s}`} {
				try("POST", listPath, fmt.Sprintf(body, n))
			}
			try("POST", savePath, fmt.Sprintf(`{"schemaCode":"ticket","id":%q,"version":%s,"data":{"name":"b"}}`, kept.ID, n))
			for _, at := range []string{"/api/runtime/form/load?schemaCode=ticket&objectId=" + kept.ID + "&version=", "/api/runtime/form/options?schemaCode=ticket&propertyCode=owner&size=20&page=",
				"/api/runtime/workitem/people?size=", "/api/definition/history?size=50&below=", "/api/runtime/workitem/unfinished?page="} {
				try("GET", at+n, "")
			}
			try("POST", "/api/runtime/form/options", fmt.Sprintf(`{"schemaCode":"ticket","propertyCode":"owner","page":%s,"size":20}`, n))
			try("POST", "/api/runtime/workitem/unfinished", fmt.Sprintf(`{"page":%s,"size":20}`, n))
			try("GET", "/api/jobs?size=20&page="+n, "")
			try("GET", "/api/system/audit?size=20&page="+n, "")
			try("GET", "/api/message/list?size=20&page="+n, "")
		}
	})
}

// TestHugeWords: an integer of 2^63 is refused where it comes in, or where what is computed with it is stored, with words in both languages and the field or
// parameter.
func TestHugeWords(t *testing.T) {
	t.Parallel()
	pack := ticketPack(t)
	for name, text := range map[string]string{
		"models/ticket.json": `{"name": "工单", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}, {"code": "amount", "propertyType": "Number", "name": "数量"},
			{"code": "more", "propertyType": "Number", "name": "更多", "name_i18n": {"en": "More"}, "computeFormula": "amount + 9223372036854775808"}]}`,
		"lists/ticket.json": `{"name": "工单", "schemaCode": "ticket", "queryColumns": ["name", "amount"], "queryActions": ["add", "import"]}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(pack, name), []byte(text), 0o600))
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w, err := openWorldWith(app.Config{Dir: o.Dir, URL: o.URL, Documents: app.Documents{Dirs: []string{pack}, NoEmbedded: true}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, w.app.Close()) })
		require.NoError(t, w.addAdministrator(t.Context()))
		const within, whole = "-9999999999999999.99999999", "9999999999999999.99999999"
		between := [2]string{"须在 " + within + " 与 " + whole + " 之间", "Must be between " + within + " and " + whole}
		send := func(locale int, c call) reply {
			if c.headers == nil {
				c.headers = map[string]string{}
			}
			c.actor, c.headers["Accept-Language"] = administrator, []string{"zh-CN", "en"}[locale]
			return w.send(t, c)
		}
		for locale := range 2 {
			for _, n := range []string{"9223372036854775808", "-9223372036854775809", "18446744073709551616"} {
				var bad fault.Invalid
				one := func(c call) (string, string) {
					t.Helper()
					got := send(locale, c)
					require.Contains(t, []int{400, 422}, got.Code, "%s: %s", c.body, got.Body)
					require.NoError(t, json.Unmarshal(got.Data, &bad))
					require.Len(t, bad.Errors, 1, "%s", got.Body)
					return bad.Errors[0].PropertyCode, bad.Errors[0].Message
				}
				for _, written := range []string{n, `"` + n + `"`} {
					field, text := one(call{method: "POST", path: savePath, body: `{"schemaCode":"ticket","data":{"name":"a","amount":` + written + `}}`})
					require.Equal(t, []string{"amount", between[locale]}, []string{field, text})
					for op, v := range map[string]string{"Equal": written, "GreaterThan": written, "Between": "[" + written + "," + written + "]"} {
						field, text := one(call{method: "POST", path: listPath, body: `{"schemaCode":"ticket","filters":[{"propertyCode":"amount","propertyValue":` + v + `,"queryFilterType":"` + op + `"}]}`})
						require.Equal(t, []string{"amount", [2]string{"筛选值不正确", "The filter value isn't valid"}[locale]}, []string{field, text})
					}
				}
				for parameter, c := range map[string]call{
					"page":    {method: "POST", path: listPath, body: `{"schemaCode":"ticket","page":` + n + `}`},
					"version": {method: "POST", path: savePath, body: `{"schemaCode":"ticket","id":"x","version":` + n + `,"data":{"name":"b"}}`},
				} {
					got := send(locale, c)
					require.Equal(t, fault.BadParameter, got.Errcode, "%s", got.Body)
					require.Equal(t, [2]string{"参数不正确：", "Invalid parameter: "}[locale]+parameter, got.Errmsg)
				}

				file := uploading(t, administrator, "", "a.csv", []byte("名称,数量\nrow,"+n+"\n"))
				file.path = "/api/runtime/import/upload"
				var up struct{ FileName string }
				send(locale, file).into(t, &up)
				var begun struct{ ID string }
				send(locale, call{method: "POST", path: "/api/runtime/import/dry_run", body: `{"fileName":"` + up.FileName + `","schemaCode":"ticket","queryCode":"ticket","mode":"add","languageType":"` + []string{"zh", "en"}[locale] + `"}`}).into(t, &begun)
				var rows string
				require.Eventually(t, func() bool {
					got := send(locale, call{method: "GET", path: "/api/runtime/import/rows?id=" + begun.ID + "&kind=failed&page=0&size=20"})
					rows = got.Body.String()
					return strings.Contains(rows, n)
				}, 20*time.Second, 10*time.Millisecond)
				require.Contains(t, rows, between[locale])
			}
			got := send(locale, call{method: "POST", path: savePath, body: `{"schemaCode":"ticket","data":{"name":"a","amount":1}}`})
			require.Contains(t, got.Body.String(), [2]string{"“更多”的计算结果过大，无法保存，请检查参与计算的内容", "The result of “More” is too large. Check the values it is calculated from."}[locale])
		}

		literal := strings.Repeat("9", 25) // beyond what formulas count with
		model := `{"name":"工单","properties":[{"code":"name","propertyType":"ShortText","name":"名称"},{"code":"amount","propertyType":"Number","name":"数量"},{"code":"more","propertyType":"Logic","name":"更多","computeFormula":"amount > ` + literal + `"}]}`
		var found struct {
			Diagnostics []struct{ Pointer, Severity, Zh, En string }
		}
		send(0, call{method: "POST", path: "/api/definition/check", body: fmt.Sprintf(`{"files":[{"pack":"desk","path":"models/ticket.json","text":%q}]}`, model)}).into(t, &found)
		k := slices.IndexFunc(found.Diagnostics, func(d struct{ Pointer, Severity, Zh, En string }) bool { return d.Severity == "error" })
		require.GreaterOrEqual(t, k, 0)
		require.Equal(t, "/properties/2/computeFormula", found.Diagnostics[k].Pointer)
		require.Equal(t, `"`+literal+`" 不是合法的数字`, found.Diagnostics[k].Zh)
		require.Equal(t, `"`+literal+`" is not a number`, found.Diagnostics[k].En)
	})
}

// TestDeepXML: a workflow of 100,000 levels is refused with words.
func TestDeepXML(t *testing.T) {
	const levels = 100_000
	var got struct {
		Report []struct{ Code, Sort string }
	}
	shared.post(t, administrator, bpmnPath+"import?pack=shiplock&model=contract", strings.Repeat("<a>", levels)+strings.Repeat("</a>", levels)).into(t, &got)
	require.Equal(t, "refused", got.Report[0].Sort)
	require.Equal(t, "BPMN002", got.Report[0].Code)
}

// TestOpenCallsByGet: a public call that is a POST answers a GET with 405, and no path below /open is the application's page.
func TestOpenCallsByGet(t *testing.T) {
	w := shared
	for _, r := range w.routes {
		if strings.HasPrefix(r.path, openPath) && r.method == http.MethodPost {
			got := w.get(t, anonymous, r.path)
			require.Equal(t, fault.MethodNotAllowed, got.Errcode, "%s: %.100s", r.path, got.Body)
			require.Equal(t, http.StatusMethodNotAllowed, got.Code)
		}
	}
	require.Equal(t, fault.RouteNotFound, w.get(t, anonymous, openPath+"nothing").Errcode)
	require.Equal(t, http.StatusOK, w.get(t, anonymous, "/opening").Code, "a page of the application")
}

// TestTokenWithoutWrite: an application of a token that does not say whether records may be changed is for reading, in the contract as well.
func TestTokenWithoutWrite(t *testing.T) {
	require.Equal(t, []string{"appCode"}, document(t).Components.Schemas["TokenApp"].Value.Required)
	w := openYards(t, store.Options{})
	b := newBrowserOf(t, w)
	require.Zero(t, b.signIn("hand", "Long-Enough-123").Errcode)
	var made struct{ Token string }
	b.call("POST", "/api/organization/user/tokens", json.RawMessage(`{"label":"x","days":1,"apps":[{"appCode":"yard"}]}`)).into(t, &made)
	with := func(path, body string) fault.Code { return w.withToken(t, made.Token, "POST", path, body).Errcode }
	require.Zero(t, with(listPath, `{"schemaCode":"boat"}`))
	require.NotZero(t, with(savePath, `{"schemaCode":"boat","data":{"label":"S-9"}}`))
}

// TestDiagnosticsWithoutPaths: answers name files as packs do, and never the folders of the server.
func TestDiagnosticsWithoutPaths(t *testing.T) {
	w := openTickets(t, app.Config{})
	require.NoError(t, w.addAdministrator(t.Context()))
	require.True(t, filepath.IsAbs(w.dirs[0]))
	bad := `{"files":[{"pack":"desk","path":"lists/ticket.json","text":"{\"name\":\"x\",\"schemaCode\":\"tikket\"}"},{"pack":"desk","path":"pack.json","text":"{"}]}`
	for _, at := range []string{"check", "publish"} {
		got := w.post(t, administrator, "/api/definition/"+at, bad).Body.String()
		require.Contains(t, got, `"file":"desk/`, at)
		require.NotContains(t, got, filepath.Dir(w.dirs[0]), at)
	}
}

// TestPeopleForPeopleWithoutRoles: people without any role find colleagues wherever the product lets everybody choose them.
func TestPeopleForPeopleWithoutRoles(t *testing.T) {
	w := shared
	const lonely = "without.roles"
	_, err := w.app.AddUser(t.Context(), lonely, "无角色", nil)
	require.NoError(t, err)
	var found query.Entries
	w.get(t, lonely, "/api/runtime/workitem/people?keyword=hexiaolan").into(t, &found)
	require.Len(t, found.Content, 1)
	require.Zero(t, w.get(t, lonely, "/api/runtime/workitem/people?kind=department").Errcode)
}

// TestVersionOfSharedAncestors: a row above several that were found is answered once, with the version that a change of it needs.
func TestVersionOfSharedAncestors(t *testing.T) {
	w := shared
	add := func(code, parent string) string {
		var out struct{ ID string }
		w.post(t, administrator, savePath, fmt.Sprintf(`{"schemaCode":"activity","data":{"code":%q,"name":%q,"level":"project"%s}}`, code, code, parent)).into(t, &out)
		return out.ID
	}
	root := add("versions-root", "")
	for _, n := range []string{"versions-leaf-1", "versions-leaf-2"} {
		add(n, fmt.Sprintf(`,"parent":%q`, root))
	}
	change := func(version int) fault.Code {
		return w.post(t, administrator, savePath, fmt.Sprintf(`{"schemaCode":"activity","id":%q,"version":%d,"data":{"remark":"v%[2]d"}}`, root, version)).Errcode
	}
	require.Zero(t, change(1))
	require.Zero(t, change(2))
	var page struct {
		Content, Ancestors []struct {
			ID      string
			Version int
		}
	}
	w.post(t, administrator, listPath, `{"schemaCode":"activity","queryCode":"activity","ancestors":true,"filters":[{"propertyCode":"code","propertyValue":"versions-leaf","queryFilterType":"Contains"}]}`).into(t, &page)
	require.Len(t, page.Content, 2)
	require.Len(t, page.Ancestors, 1)
	require.Equal(t, root, page.Ancestors[0].ID)
	require.Equal(t, 3, page.Ancestors[0].Version)
	require.Zero(t, change(page.Ancestors[0].Version))
}
