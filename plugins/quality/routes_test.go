package quality_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/httpapi"
)

// specified are the calls that docs/quality.md speaks of, and those that give a spreadsheet.
var specified = strings.Fields(`
GET v2/qbs/log  PUT v2/qbs/log  GET v2/qbs/authority  GET v2/qbs/due  POST v2/qbs/due/upgrade  POST v2/qbs/due/library  POST v2/qbs/due/bind  GET v2/qbs/treeList  GET v2/qbs/simplifiedTree  GET v2/qbs/complete/tree  POST v2/qbs/add  PUT v2/qbs/edit  DELETE v2/qbs/delete
PUT v2/mbs/edit  GET v2/mbs/tree  GET v2/mbs/list  POST v2/mbs/unbind  GET v2/mbsInfo
GET v2/bizsheet/bind  POST v2/bizsheet/bind  POST v2/bizsheet/unbind  PUT v2/bizsheet/edit
GET v2/jbs/node  GET v2/jbs/biz  GET v2/jbs/schemaCode  PUT v2/jbs/edit  GET v2/qbs/jbs  POST v2/qbs/jbs  PUT v2/qbs/jbs  DELETE v2/jbs/delete
POST v2/excel/preImport  POST v2/excel/import  GET v2/excel/template  GET v2/excel/matrix  POST v2/import/mbs  POST v2/syncJbs
POST v2/system/jbsBiz/sync  GET v2/system/baseTree  GET v2/system/tree
GET v2/analyse/node  GET v2/analyse/biz/handle  GET v2/analyse/project
POST /api/code_mbs/data_import  GET /api/code_mbs/getLeafs
POST check/project/record/list  GET check/item/group/statistic  GET check/group/list  GET check/group/add/info  POST check/group/add  POST check/group/delete
GET check/group/edit/auth  PUT check/group/edit  GET check/evaluation/tree  PUT check/refresh/record/status`)

// specification: the document of the calls has every call of the specification, and the pack has no others.
func specification(t *testing.T, s *site) {
	server, err := httpapi.New(httpapi.Options{App: s.App, Log: slog.New(slog.DiscardHandler), UI: fstest.MapFS{}})
	require.NoError(t, err)
	answer := httptest.NewRecorder()
	server.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/openapi.json", nil))
	require.Equal(t, http.StatusOK, answer.Code)
	var doc struct {
		Paths map[string]map[string]struct{ Tags []string }
	}
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &doc))
	var want, got []string
	for i := 0; i < len(specified); i += 2 {
		path := specified[i+1]
		if !strings.HasPrefix(path, "/") {
			path = "/api/quality/" + path
		}
		want = append(want, specified[i]+" "+path)
	}
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			if slices.Contains(operation.Tags, "quality") {
				got = append(got, strings.ToUpper(method)+" "+path)
			}
		}
	}
	require.ElementsMatch(t, want, got)
	var whole map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &whole))
	for _, ref := range refs(whole) {
		require.NotNil(t, within(whole, strings.Split(strings.TrimPrefix(ref, "#/"), "/")), "%s is not there", ref)
	}
	data := within(whole, []string{"paths", "/api/quality/v2/analyse/project", "get", "responses", "200", "content", "application/json", "schema", "properties", "data"})
	ref, _ := data.(map[string]any)["$ref"].(string)
	require.Contains(t, within(whole, append(strings.Split(strings.TrimPrefix(ref, "#/"), "/"), "properties")), "ncrOpen", "the shape of an answer")

	// Each screen of the specification is an entry of the menu, by whose code its address is found.
	codes := map[string]bool{}
	var walk func([]*catalog.Menu)
	walk = func(menu []*catalog.Menu) {
		for _, m := range menu {
			codes[m.Code] = true
			walk(m.Children)
		}
	}
	for _, a := range s.State().Catalog.Apps {
		if a.Code == "quality" {
			walk(a.Menu)
		}
	}
	for screen := range strings.FieldsSeq(`qualityTree CodeMbsManagement QualityRelevance JBSSetting QualityDB QualityInspection SubprojectInspection QualityModule QualityEvaluation QIEvaluation
		DigitalAcceptStatistic SecuritySystem archiveCatalogue systemConfig`) {
		require.True(t, codes[screen], screen)
	}
}

// refs are the references in a document.
func refs(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, part := range v {
			if ref, ok := part.(string); ok && key == "$ref" {
				out = append(out, ref)
			}
			out = append(out, refs(part)...)
		}
	case []any:
		for _, part := range v {
			out = append(out, refs(part)...)
		}
	}
	return out
}

func within(v any, path []string) any {
	for _, step := range path {
		object, _ := v.(map[string]any)
		v = object[step]
	}
	return v
}

// side is what belongs to one contractor.
type side struct {
	who                                     principal.Principal
	contract, node, item, process, sheet    string
	record, group, component, ncr, template string
	ids                                     []string // of the rows of the contract
}

// secret is in every text of the other contract.
const secret = "乙方机密"

// contractors is acceptance scenario 9: whatever a contractor asks, no call tells anything of the contract of another one, or changes it.
func contractors(t *testing.T, s *site) {
	var unit, template string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "船闸")
		template = s.make(ctx, w, "q_jbs_base", in{"kind": "TEMPLATE", "code": "NINE", "title": "模板"})
		step := s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "parentId": template, "code": "NINE-1", "title": "步骤"})
		s.make(ctx, w, "q_biz_base", in{"jbsBaseId": step, "schemaCode": "q_work", "sheetTitle": "记录", "bizKind": "RECORD"})
	})
	components := s.components("C1", "C2", "C3")
	var before string
	make := func(name, title, component string) (out side) {
		who, department := s.firm("nine-"+name, "R_CQC")
		_, sup := s.firm("nine-sup-"+name, "R_SUP")
		out.who, out.template, out.component = who, template, component
		out.contract = s.contract("NINE-"+name, department, sup)
		s.do(s.owner, func(ctx context.Context, w world.World) {
			out.node = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "nodeType": "DIVISION", "name": title, "contractId": out.contract})
			out.item = s.node(ctx, w, out.node, "ITEM", title+"分项")
			out.process = s.make(ctx, w, "q_jbs", in{"qbsId": out.item, "code": "1", "title": title + "工序"})
			out.sheet = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": out.item, "jbsId": out.process, "schemaCode": "q_work", "sheetTitle": title + "表"})
			work := s.make(ctx, w, "q_work", in{"bizId": out.sheet, "qbsId": out.item, "content": title})
			out.group = s.make(ctx, w, "q_group", in{"projectId": s.project, "groupName": title + "组", "leader": s.owner.UserID, "members": []string{s.owner.UserID}, "qbsIds": []string{out.item}})
			out.record = s.make(ctx, w, "q_record", in{"qbsId": out.item, "groupId": out.group, "part": title, "recordKind": "SELF", "inspector": s.owner.UserID, "checkDate": "2026-03-01",
				"items": []in{{"itemId": s.items["GEN"], "values": "1;11", "remark": title}}})
			bound := s.make(ctx, w, "q_qbs_mbs", in{"qbsId": out.item, "mbsId": component})
			found, err := w.Find(ctx, "q_ncr", in{"recordId": out.record}, 1)
			require.NoError(t, err)
			out.ncr = found[0]
			require.NoError(t, edit(ctx, w, "q_ncr", out.ncr, in{"description": title}))
			out.ids = []string{out.contract, out.node, out.item, out.process, out.sheet, work, out.group, out.record, bound, out.ncr}
		})
		s.must(s.owner, "PUT", v2+"/qbs/log", in{"qbsId": out.item, "action": "note", "remark": title}, nil)
		return out
	}
	a, b := make("a", "甲方", components["C1"]), make("b", secret, components["C2"])
	snapshot := func() string {
		var out strings.Builder
		s.do(s.Person(fmt.Sprint("nine-look-", len(before)), "administrator"), func(ctx context.Context, w world.World) {
			for _, model := range []string{"q_qbs", "q_jbs", "q_biz", "q_group", "q_record", "q_qbs_mbs", "q_ncr", "q_work"} {
				for _, id := range b.ids {
					if r, err := w.Get(ctx, model, id); err == nil {
						fmt.Fprintln(&out, model, id, r.Version)
					}
				}
			}
		})
		return out.String()
	}
	var anySet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_due_set", in{"code": "ANY"}, 1)
		require.NoError(t, err)
		anySet = found[0]
	})
	before = snapshot()

	// What each call is asked with: of the contract x.
	asked := map[string]func(x side) []in{
		"qbsLog": one("qbsId", side.aItem), "qbsRemark": func(x side) []in { return []in{{"qbsId": x.item, "action": "seen"}} }, "qbsAuthority": one("qbsId", side.aItem),
		"qbsDue": one("qbsId", side.aItem), "qbsDueBind": func(x side) []in {
			return []in{{"qbsId": x.item, "schemaCode": "q_record", "kind": "SELF"}, {"qbsId": x.node, "schemaCode": "q_doccheck"}, {"qbsId": unit, "schemaCode": "q_doccheck"}}
		},
		"qbsDueLibrary": func(side) []in { return []in{{"dueSetId": anySet}, {"dueSetId": anySet, "dryRun": true}} },
		"qbsDueUpgrade": func(x side) []in { return []in{{}, {"qbsIds": []string{x.item}}, {"dryRun": true}} },
		"qbsTreeList": func(x side) []in {
			return []in{{}, {"parentId": x.node}, {"parentId": unit}, {"keyword": secret}, {"nodeType": "ITEM", "withStatus": true}}
		},
		"qbsSimplifiedTree": func(side) []in { return []in{{}, {"maxNodeType": "LOT"}} }, "qbsCompleteTree": func(x side) []in { return []in{{}, {"rootId": x.node}, {"rootId": unit}} },
		"qbsAdd": func(x side) []in {
			return []in{{"parentId": x.node, "name": "新", "nodeType": "ITEM"}, {"parentId": unit, "name": "新", "nodeType": "DIVISION", "contractId": x.contract}}
		},
		"qbsEdit": func(x side) []in {
			return []in{{"id": x.item, "version": 1, "name": "改"}, {"id": x.node, "version": 1, "parentId": x.item}}
		},
		"qbsDelete": func(x side) []in { return []in{{"ids": []string{x.node, x.item}}, {"ids": []string{unit}}} },
		"mbsEdit": func(x side) []in {
			return []in{{"qbsId": x.item, "mbsIds": []string{components["C3"]}, "mode": "bind"}, {"qbsId": a.item, "mbsIds": []string{x.component}, "mode": "bind"}, {"qbsId": a.item, "mbsIds": []string{x.component}, "mode": "replace"}}
		},
		"mbsTree": func(x side) []in { return []in{{}, {"parentId": x.component}} }, "mbsList": func(x side) []in { return []in{{"qbsId": x.item}, {"qbsId": unit, "includeChildren": true}} },
		"mbsUnbind": func(x side) []in { return []in{{"qbsId": x.item, "mbsIds": []string{x.component}}} }, "mbsInfo": func(x side) []in { return []in{{"mbsId": x.component}, {"guid": s.project + "C2"}} },
		"importMbs":     func(side) []in { return []in{{"rule": "byCode", "dryRun": true}, {"rule": "byName"}, {"undo": "last"}} },
		"codeMbsImport": func(side) []in { return []in{{}} }, "codeMbsLeafs": func(side) []in { return []in{{}, {"parentCode": "C2"}} },
		"excelPreImport": func(x side) []in { return []in{{"kind": "QBS", "parentId": x.node}, {"kind": "QBS"}, {"kind": "REL"}} }, "excelImport": func(side) []in { return []in{{"token": b.record, "mode": "skipBad"}} },
		"excelTemplate": func(side) []in { return []in{{"kind": "QBS"}} },
		"excelMatrix":   func(x side) []in { return []in{{"qbsId": unit}, {"qbsId": x.node}, {"qbsId": x.item}} },
		"bizsheetList": func(x side) []in {
			return []in{{"ownerType": "QBS", "ownerId": x.item}, {"ownerType": "JBS", "ownerId": x.process}, {"ownerType": "MBS", "ownerId": x.component},
				{"ownerType": "QBS", "ownerId": unit, "includeChildren": true}, {"ownerType": "QBS", "ownerId": x.node, "includeChildren": true}}
		},
		"bizsheetBind": func(x side) []in {
			return []in{{"ownerType": "QBS", "ownerIds": []string{x.item}, "sheets": []in{{"schemaCode": "q_hidden"}}}, {"ownerType": "JBS", "ownerIds": []string{x.process}, "sheets": []in{{"schemaCode": "q_hidden"}}}}
		},
		"bizsheetUnbind": func(x side) []in { return []in{{"ids": []string{x.sheet}}} }, "bizsheetEdit": func(x side) []in { return []in{{"id": x.sheet, "required": false}} },
		"jbsNode": one("qbsId", side.aItem), "jbsBiz": one("jbsId", side.aProcess), "jbsSchemaCode": one("jbsId", side.aProcess),
		"jbsEdit": func(x side) []in { return []in{{"id": x.process, "name": "改"}} }, "jbsDelete": func(x side) []in { return []in{{"ids": []string{x.process}}} },
		"qbsJbs": one("qbsId", side.aItem), "qbsJbsApply": func(x side) []in { return []in{{"qbsIds": []string{x.item}, "jbsBaseId": template}} },
		"qbsJbsReplace": func(x side) []in { return []in{{"qbsId": x.item, "nodes": []in{{"code": "9", "name": "九"}}}} },
		"syncJbs": func(x side) []in {
			return []in{{"jbsBaseId": template, "dryRun": true}, {"jbsBaseId": template, "qbsIds": []string{x.item}}}
		}, "systemJbsBizSync": func(side) []in { return []in{{}} },
		"systemBaseTree": func(side) []in { return []in{{}} }, "systemTree": func(side) []in { return []in{{}} },
		"analyseNode": func(x side) []in { return []in{{}, {"qbsId": x.node}, {"qbsId": unit}} }, "analyseProject": func(side) []in { return []in{{}} },
		"analyseBizHandle": func(side) []in { return []in{{"groupBy": "dept"}, {"groupBy": "sheet"}, {"groupBy": "month"}} },
		"recordList":       func(x side) []in { return []in{{}, {"qbsId": x.item}, {"groupId": x.group}, {"qbsId": unit}} }, "itemGroupStatistic": func(x side) []in { return []in{{}, {"qbsId": x.item}} },
		"groupList": func(side) []in { return []in{{}, {"keyword": secret}} }, "groupAddInfo": func(side) []in { return []in{{}} },
		"groupAdd": func(x side) []in {
			return []in{{"name": "组", "leader": a.who.UserID, "members": []string{a.who.UserID}, "qbsIds": []string{x.item}}}
		},
		"groupEdit":   func(x side) []in { return []in{{"id": x.group, "version": 1, "name": "改"}} },
		"groupDelete": func(x side) []in { return []in{{"ids": []string{x.group}}} }, "groupEditAuth": one("groupId", side.aGroup),
		"evaluationTree": func(x side) []in { return []in{{}, {"rootId": x.node}, {"rootId": unit}} }, "refreshRecordStatus": func(x side) []in { return []in{{"qbsId": x.item}} },
	}
	r := rand.New(rand.NewPCG(9, 9))
	pool := append(append(append([]string{unit, template, "2026-03-01", "QBS"}, a.ids...), b.ids...), components["C1"], components["C2"], components["C3"])
	for _, route := range s.State().Catalog.Routes {
		if route.Pack != "quality" {
			continue
		}
		cases := asked[route.Action.Name()]
		require.NotNil(t, cases, "%s %s has no case here: say what it is asked with", route.Method, route.Path)
		inputs := slices.Concat(cases(a), cases(b))
		for range 12 {
			inputs = append(inputs, random(r, route.Input.JSON(), pool))
		}
		for _, input := range inputs {
			input["projectKey"] = s.key
			if route.Action.Name() == "systemJbsBizSync" {
				input["targets"] = []string{s.key}
			}
			delete(input, "clientToken")
			delete(input, "appCode")
			body, err := json.Marshal(input)
			require.NoError(t, err)
			out := s.anyCall(a.who, route, body)
			where := fmt.Sprintf("%s %s %s: %s", route.Method, route.Path, body, out)
			require.NotContains(t, strings.ReplaceAll(out, string(body), ""), secret, where)
			for _, id := range b.ids {
				if !bytes.Contains(body, []byte(id)) {
					require.NotContains(t, out, id, where)
				}
			}
		}
	}
	require.Equal(t, before, snapshot(), "what belongs to the other contract")
}

func (x side) aItem() string    { return x.item }
func (x side) aProcess() string { return x.process }
func (x side) aGroup() string   { return x.group }

func one(name string, of func(side) string) func(side) []in {
	return func(x side) []in { return []in{{name: of(x)}} }
}

// anyCall calls a route of any kind and tells its answer or why it was refused.
func (s *site) anyCall(who principal.Principal, route *catalog.Route, body []byte) string {
	s.t.Helper()
	view := s.View(who)
	var out []byte
	var err error
	switch route.Action.(type) {
	case action.Uploader:
		f, failed := s.Files().Put(s.t.Context(), blob.Upload{By: who.UserID, Name: "a.csv", Most: 1 << 20, Bytes: strings.NewReader("层级,编码,名称,划分编码,构件编码,code,name\n分项工程,01-02-01,x,01-02-01,C2,C2,x\n分项工程,,y,01-02,C3,C9,y\n")})
		require.NoError(s.t, failed)
		out, err = s.Call(s.t.Context(), view, route, app.Input{Body: body, File: &f})
	case action.Downloader:
		var to bytes.Buffer
		if _, err = s.Download(s.t.Context(), view, route, app.Input{Body: body}, &to); err == nil {
			out = []byte(unpacked(s.t, to.Bytes()))
		}
	default:
		out, err = s.Call(s.t.Context(), view, route, app.Input{Body: body})
	}
	if _, file := route.Action.(action.Downloader); !file {
		s.described(route, out, err)
	}
	if err == nil {
		return string(out)
	}
	require.NotEqual(s.t, fault.Code(0), fault.Of(err), "%s %s %s: %v", route.Method, route.Path, body, err)
	text, failed := json.Marshal(in{"told": told(err)})
	require.NoError(s.t, failed)
	return string(text)
}

// unpacked is the text of all parts of a spreadsheet.
func unpacked(t *testing.T, xlsx []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(xlsx), int64(len(xlsx)))
	require.NoError(t, err)
	var out strings.Builder
	for _, part := range z.File {
		r, err := part.Open()
		require.NoError(t, err)
		_, err = io.Copy(&out, r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	return out.String()
}

// random is an input by a schema, with texts of a pool.
func random(r *rand.Rand, schema []byte, pool []string) in {
	var s struct {
		Required   []string
		Properties map[string]json.RawMessage
	}
	_ = json.Unmarshal(schema, &s)
	out := in{}
	for _, name := range slices.Sorted(keys(s.Properties)) {
		if slices.Contains(s.Required, name) || r.IntN(3) > 0 {
			out[name] = randomValue(r, s.Properties[name], pool)
		}
	}
	return out
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func randomValue(r *rand.Rand, schema []byte, pool []string) any {
	var s struct {
		Type  any
		Enum  []any
		Items json.RawMessage
	}
	_ = json.Unmarshal(schema, &s)
	kind, _ := s.Type.(string)
	if several, ok := s.Type.([]any); ok {
		kind, _ = several[0].(string)
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[r.IntN(len(s.Enum))]
	case kind == "integer":
		return r.IntN(3) + 1
	case kind == "boolean":
		return r.IntN(2) == 0
	case kind == "array":
		out := []any{}
		for range r.IntN(3) + 1 {
			out = append(out, randomValue(r, s.Items, pool))
		}
		return out
	case kind == "object":
		return in{"code": "R", "title": "x", "name": "x", "qbsId": pool[r.IntN(len(pool))], "parentId": pool[r.IntN(len(pool))], "schemaCode": "q_hidden"}
	}
	return pool[r.IntN(len(pool))]
}
