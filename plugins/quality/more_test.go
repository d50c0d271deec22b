package quality_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
)

const (
	v2    = "/api/quality/v2"
	check = "/api/quality/check"
)

// must calls a route and reads the answer.
func (s *site) must(who principal.Principal, method, path string, in any, out any) string {
	s.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	text, err := s.call(who, method, path, string(body))
	require.NoError(s.t, err, told(err))
	if out != nil {
		require.NoError(s.t, json.Unmarshal([]byte(text), out), text)
	}
	return text
}

type in = map[string]any

// fails calls a route that refuses.
func (s *site) fails(who principal.Principal, method, path string, in any) error {
	s.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	_, err = s.call(who, method, path, string(body))
	require.Error(s.t, err)
	return err
}

// upload sends a file to a route.
func (s *site) upload(who principal.Principal, path, name, content string, in any) (string, error) {
	s.t.Helper()
	f, err := s.Files().Put(s.t.Context(), blob.Upload{By: who.UserID, Name: name, Most: 1 << 20, Bytes: strings.NewReader(content)})
	require.NoError(s.t, err)
	route, _, _ := s.State().Catalog.RouteOf("POST", path)
	require.NotNil(s.t, route, path)
	view := s.View(who)
	if !view.Call(route) {
		return "", fault.New(fault.Forbidden)
	}
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	out, err := s.Call(s.t.Context(), view, route, app.Input{Body: body, File: &f})
	return string(out), err
}

// download reads the file of a route.
func (s *site) download(who principal.Principal, path string, in any) (string, []byte) {
	s.t.Helper()
	route, _, _ := s.State().Catalog.RouteOf("GET", path)
	require.NotNil(s.t, route, path)
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	var to bytes.Buffer
	name, err := s.Download(s.t.Context(), s.View(who), route, app.Input{Body: body}, &to)
	require.NoError(s.t, err, told(err))
	return name, to.Bytes()
}

// newProject adds a project.
func (s *site) newProject(key string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "pm_project", in{"projectKey": key, "projectName": key, "evalRule": "JTS257_2008"})
	})
	return id
}

// small is a breakdown with two items below a division.
type small struct{ unit, division, item, other string }

func (s *site) small() (out small) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		out.unit = s.node(ctx, w, "", "UNIT", "单位")
		out.division = s.node(ctx, w, out.unit, "DIVISION", "分部")
		out.item, out.other = s.node(ctx, w, out.division, "ITEM", "底板"), s.node(ctx, w, out.division, "ITEM", "闸墙")
	})
	return out
}

// components of the site's project, by code.
func (s *site) components(codes ...string) map[string]string {
	out := map[string]string{}
	s.do(s.Person("bim-"+s.key, "R_BIM"), func(ctx context.Context, w world.World) {
		for _, code := range codes {
			values := map[string]any{"projectId": s.project, "code": code, "guid": s.project + code, "componentName": "构件 " + code}
			if up, ok := out[code[:max(0, strings.LastIndexByte(code, '-'))]]; ok {
				values["parentId"] = up
			}
			out[code] = s.make(ctx, w, "b_mbs", values)
		}
	})
	return out
}

// mbs binds, takes over, renames and unbinds components; a component belongs to one node.
func mbs(t *testing.T, s *site) {
	n, key := s.small(), s.key
	c := s.components("M", "M-1", "M-2", "01-01-01-7", "01-01-02")
	require.JSONEq(t, `{"bound": 2, "skipped": 0}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{c["M-1"], c["M-2"]}, "mode": "bind"}, nil))
	require.JSONEq(t, `{"bound": 0, "skipped": 1}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{c["M-1"]}, "mode": "bind"}, nil))
	refused(t, s.fails(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{c["M-1"]}, "mode": "bind"}), quality.ComponentBound)
	require.JSONEq(t, `{"bound": 1, "skipped": 0}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{c["M-1"]}, "mode": "replace"}, nil))
	s.must(s.Person("bim2", "R_BIM"), "PUT", v2+"/mbs/edit", in{"id": c["M-2"], "mode": "rename", "name": "底板二"}, nil)
	_, err := s.inspect(s.owner, n.other, "GEN", "1;2")
	require.NoError(t, err)
	var tree []quality.Component
	s.must(s.owner, "GET", v2+"/mbs/tree", in{"projectKey": key}, &tree)
	require.Len(t, tree, 3)
	require.Equal(t, "M", tree[2].Code)
	require.False(t, tree[2].BoundFlag)
	require.Equal(t, []any{true, "QUALIFIED", "底板二"}, []any{tree[2].Children[0].BoundFlag, tree[2].Children[0].EvalStatus, tree[2].Children[1].Title})
	elsewhere, _ := s.firm("mbs-elsewhere", "R_CQC")
	var theirs []quality.Component
	s.must(elsewhere, "GET", v2+"/mbs/tree", in{"projectKey": key}, &theirs)
	require.Equal(t, []any{true, "", ""}, []any{theirs[2].Children[0].BoundFlag, theirs[2].Children[0].QbsID, theirs[2].Children[0].EvalStatus}, "that it is bound, and no more")
	s.must(s.owner, "GET", v2+"/mbs/tree", in{"projectKey": key, "parentId": c["M"]}, &tree)
	require.Len(t, tree, 2)
	var list []quality.BoundComponent
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.unit}, &list)
	require.Empty(t, list)
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.unit, "includeChildren": true}, &list)
	require.Len(t, list, 2)
	var info struct {
		Component struct{ Name string }
		Qbs       struct{ ID string }
		Records   []struct{ Conclusion string }
		Measure   struct{ Limit, Done any }
	}
	s.must(s.owner, "GET", v2+"/mbsInfo", in{"guid": s.project + "M-1"}, &info)
	require.Equal(t, n.other, info.Qbs.ID)
	require.Equal(t, "OK", info.Records[0].Conclusion)
	require.JSONEq(t, `{"count": 1}`, s.must(s.owner, "POST", v2+"/mbs/unbind", in{"qbsId": n.other, "mbsIds": []string{c["M-1"], c["M"]}}, nil))
	var log quality.Page
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": n.other}, &log)
	require.Equal(t, []any{"delete", "q_qbs_mbs"}, []any{log.Content[0]["action"], log.Content[0]["objectType"]}, "the latest first")
	s.do(s.system(), func(ctx context.Context, w world.World) { // as the measurement will
		found, err := w.Find(ctx, "q_qbs_mbs", map[string]any{"mbsId": c["M-2"]}, 1)
		require.NoError(t, err)
		require.NoError(t, edit(ctx, w, "q_qbs_mbs", found[0], map[string]any{"measures": "1"}))
	})
	refused(t, s.fails(s.owner, "POST", v2+"/mbs/unbind", in{"qbsId": n.item, "mbsIds": []string{c["M-2"]}}), quality.ComponentMeasured)

	var found struct {
		Matched, Bound, Skipped int
		Unmatched               []quality.Match
		Batch                   string
	}
	s.must(s.owner, "POST", v2+"/import/mbs", in{"projectKey": key, "rule": "byCode", "dryRun": true}, &found)
	require.Equal(t, []any{2, 2, ""}, []any{found.Matched, found.Bound, found.Batch})
	require.Len(t, found.Unmatched, 2)
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.other}, &list)
	require.Empty(t, list, "a dry run binds nothing")
	s.must(s.owner, "POST", v2+"/import/mbs", in{"projectKey": key, "rule": "byCode"}, &found)
	require.NotEmpty(t, found.Batch)
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.other}, &list)
	require.Len(t, list, 1)
	require.Contains(t, s.must(s.owner, "POST", v2+"/import/mbs", in{"undo": "last"}, nil), `"undone":2`)
	s.must(s.owner, "GET", v2+"/mbs/list", in{"qbsId": n.other}, &list)
	require.Empty(t, list)
	require.Contains(t, s.must(s.owner, "POST", v2+"/import/mbs", in{"undo": "last"}, nil), `"undone":0`)
	require.Equal(t, 4, strings.Count(s.must(s.owner, "GET", "/api/code_mbs/getLeafs", in{"projectKey": key}, nil), `"guid"`))
	require.Equal(t, 2, strings.Count(s.must(s.owner, "GET", "/api/code_mbs/getLeafs", in{"projectKey": key, "parentCode": "M"}, nil), `"guid"`))
}

// sheets edits and removes processes and bindings, and follows changes of the library.
func sheets(t *testing.T, s *site) {
	n := s.small()
	var base string
	steps := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		base = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "TEMPLATE", "code": "T", "title": "底板", "qbsType": "混凝土"})
		for i, name := range []string{"A", "B", "C"} {
			steps[name] = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "T-" + name, "title": name, "sortKey": fmt.Sprint(i)})
			s.make(ctx, w, "q_biz_base", map[string]any{"jbsBaseId": steps[name], "schemaCode": "q_work", "sheetTitle": "表 " + name, "bizKind": "RECORD"})
		}
		require.NoError(t, edit(ctx, w, "q_jbs_base", steps["B"], map[string]any{"prevIds": []string{steps["A"]}}))
	})
	require.Equal(t, "8", fmt.Sprint(s.get(s.owner, "q_jbs_base", base)["revision"]), "each change of a template counts")
	s.must(s.owner, "POST", v2+"/qbs/jbs", in{"qbsIds": []string{n.item, n.other}, "jbsBaseId": base}, nil)
	var list []quality.Process
	s.must(s.owner, "GET", v2+"/jbs/node", in{"qbsId": n.item}, &list)
	require.Len(t, list, 3)
	require.Equal(t, []string{list[0].ID}, list[1].PrevIDs)
	var both []quality.Process // of two nodes in one call
	s.must(s.owner, "GET", v2+"/jbs/node", in{"qbsIds": []string{n.item, n.other}}, &both)
	require.Len(t, both, 6)
	for _, p := range both {
		require.Contains(t, []string{n.item, n.other}, p.QbsID)
		require.Len(t, p.Biz, 1)
	}
	refused(t, s.fails(s.owner, "GET", v2+"/jbs/node", in{}), fault.EmptyParameter)
	a, b, c := list[0], list[1], list[2]
	refused(t, s.fails(s.owner, "PUT", v2+"/jbs/edit", in{"id": a.ID, "prevIds": []string{b.ID}}), quality.ProcessCycle)
	refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "q_jbs", map[string]any{"qbsId": n.unit, "code": "X", "title": "X"})
		return err
	}), quality.NotLowest)
	s.must(s.owner, "PUT", v2+"/jbs/edit", in{"id": c.ID, "name": "第三步", "required": false, "prevIds": []string{b.ID}}, nil)
	s.must(s.owner, "PUT", v2+"/bizsheet/edit", in{"id": c.Biz[0].ID, "required": false}, nil)
	var drift struct {
		Version, Current int
		Drift            quality.Difference
	}
	s.must(s.owner, "GET", v2+"/qbs/jbs", in{"qbsId": n.item}, &drift)
	require.Equal(t, []int{8, 8, 2}, []int{drift.Version, drift.Current, len(drift.Drift.Changed)})
	require.Equal(t, "第三步", drift.Drift.Changed[0].Was)
	require.Equal(t, []quality.What{{Code: "title", Was: "第三步", Is: "C"}, {Code: "required", Is: "true"}}, drift.Drift.Changed[0].What)
	require.Equal(t, []quality.What{{Code: "required", Is: "true"}}, drift.Drift.Changed[1].What)
	var work string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		work = s.make(ctx, w, "q_work", map[string]any{"bizId": a.Biz[0].ID, "qbsId": n.item, "content": "x"})
	})
	refused(t, s.fails(s.owner, "POST", v2+"/bizsheet/unbind", in{"ids": []string{a.Biz[0].ID}}), quality.SheetUsed)
	refused(t, s.fails(s.owner, "DELETE", v2+"/jbs/delete", in{"ids": []string{a.ID}}), quality.ProcessStarted)
	var forms []quality.SheetInstances
	s.must(s.owner, "GET", v2+"/jbs/biz", in{"jbsId": a.ID}, &forms)
	require.Equal(t, work, forms[0].Records[0].BizObjectID)
	require.Equal(t, "owner", forms[0].Records[0].Creator)
	require.Contains(t, s.must(s.owner, "GET", v2+"/jbs/schemaCode", in{"jbsId": a.ID}, nil), `"schemaCode":"q_work"`)
	require.Contains(t, s.must(s.owner, "GET", v2+"/jbs/schemaCode", in{"qbsType": "混凝土"}, nil), `"schemaCode":"q_work"`)
	s.must(s.owner, "DELETE", v2+"/jbs/delete", in{"ids": []string{c.ID}}, nil)
	refused(t, s.fails(s.owner, "POST", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerIds": []string{n.item}, "sheets": []in{{"schemaCode": "pm_project"}}}), quality.SheetUnknown)
	var made struct {
		IDs     []string
		Skipped int
	}
	bind := in{"ownerType": "QBS", "ownerIds": []string{n.item}, "sheets": []in{{"schemaCode": "q_hidden", "bizKind": "HIDDEN"}}}
	s.must(s.owner, "POST", v2+"/bizsheet/bind", bind, &made)
	require.Len(t, made.IDs, 1)
	s.must(s.owner, "POST", v2+"/bizsheet/bind", bind, &made)
	require.Equal(t, 1, made.Skipped)
	var filed, own []quality.Sheet
	s.must(s.owner, "GET", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerId": n.unit, "includeChildren": true}, &filed)
	s.must(s.owner, "GET", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerId": n.unit}, &own)
	require.Empty(t, own)
	require.NotEmpty(t, filed)
	for _, f := range filed {
		require.Contains(t, []string{n.item, n.other}, f.QbsID)
		require.NotEmpty(t, f.QbsCode)
	}
	s.must(s.owner, "POST", v2+"/bizsheet/unbind", in{"ids": []string{s.bindings(n.item, "q_hidden")}}, nil)

	// The library changes: C comes back, D is new, A has a new title, B goes.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		d := s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "T-D", "title": "D", "sortKey": "4"})
		s.make(ctx, w, "q_biz_base", map[string]any{"jbsBaseId": d, "schemaCode": "q_hidden", "sheetTitle": "表 D", "bizKind": "HIDDEN"})
		require.NoError(t, edit(ctx, w, "q_jbs_base", steps["A"], map[string]any{"title": "测量放样"}))
		found, err := w.Find(ctx, "q_biz_base", map[string]any{"jbsBaseId": steps["B"]}, 1)
		require.NoError(t, err)
		require.NoError(t, w.Delete(ctx, "q_biz_base", found[0]))
		require.NoError(t, w.Delete(ctx, "q_jbs_base", steps["B"]))
	})
	var dry, run quality.Synced
	s.must(s.owner, "PUT", v2+"/bizsheet/edit", in{"id": a.Biz[0].ID, "multi": true}, nil)
	s.must(s.owner, "GET", v2+"/qbs/jbs", in{"qbsId": n.item}, &drift)
	require.Contains(t, drift.Drift.Changed[len(drift.Drift.Changed)-1].What, quality.What{Code: "multi", Was: "true"}, "what a sync writes is told")
	s.must(s.owner, "PUT", v2+"/bizsheet/edit", in{"id": a.Biz[0].ID, "multi": false}, nil)
	s.must(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": base, "dryRun": true}, &dry)
	require.Equal(t, []int{3, 3, 2, 0}, []int{dry.NodesAdded, dry.SheetsAdded, dry.Renamed, dry.KeptBecauseUsed})
	require.Len(t, dry.Nodes, 2)
	s.must(s.owner, "GET", v2+"/jbs/node", in{"qbsId": n.item}, &list)
	require.Len(t, list, 2, "a dry run changes nothing")
	s.must(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": base}, &run)
	require.Equal(t, []int{dry.NodesAdded, dry.SheetsAdded, dry.Renamed, dry.Deactivated}, []int{run.NodesAdded, run.SheetsAdded, run.Renamed, run.Deactivated})
	s.must(s.owner, "GET", v2+"/jbs/node", in{"qbsId": n.item}, &list)
	var titles []string
	for _, p := range list {
		titles = append(titles, p.Name)
	}
	require.Equal(t, []string{"测量放样", "C", "D"}, titles)
	s.must(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": base, "dryRun": true}, &dry)
	require.Empty(t, dry.Nodes, "what was brought up to date differs no more: %+v", dry.Nodes)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_biz_base", in{"schemaCode": "q_hidden", "sheetTitle": "表 D"}, 1)
		require.NoError(t, err)
		require.NoError(t, edit(ctx, w, "q_biz_base", found[0], in{"workflowCode": "q_hidden"}))
	})
	s.must(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": base, "dryRun": true}, &dry)
	require.Equal(t, []quality.What{{Code: "workflowCode", Is: "隐蔽工程验收"}}, dry.Nodes[0].Changed[0].What, "a workflow has its name")
	s.must(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": base}, &run)
	require.Contains(t, s.must(s.owner, "POST", v2+"/system/jbsBiz/sync", in{"targets": []string{s.key}}, nil), `"sheetsAdded":0`)
	require.Contains(t, s.must(s.owner, "GET", v2+"/system/tree", in{}, nil), `"kind":"SHEET"`)
	require.Contains(t, s.must(s.owner, "GET", v2+"/system/baseTree", in{}, nil), `"kind":"TYPE"`)

	var replaced map[string]int
	s.must(s.owner, "PUT", v2+"/qbs/jbs", in{"qbsId": n.item, "nodes": []in{{"code": "X", "name": "新工序", "prevIds": []string{"T-D"}}, {"code": "T-D", "name": "D"}}}, &replaced)
	require.Equal(t, map[string]int{"created": 1, "updated": 1, "deleted": 1, "kept": 1}, replaced, "a process with records stays")
}

func (s *site) bindings(node, model string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_biz", map[string]any{"qbsId": node, "schemaCode": model}, 2)
		require.NoError(s.t, err)
		require.Len(s.t, found, 1)
		id = found[0]
	})
	return id
}

// trees edits and deletes nodes: codes of what is below, cycles, what is in use.
func trees(t *testing.T, s *site) {
	n := s.small()
	version := func(id string) (v int64) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Get(ctx, "q_qbs", id)
			require.NoError(t, err)
			v = found.Version
		})
		return v
	}
	s.must(s.owner, "PUT", v2+"/qbs/edit", in{"id": n.division, "version": version(n.division), "code": "09", "cascadeCode": true}, nil)
	require.Equal(t, []any{"09-01", "09-02"}, []any{s.get(s.owner, "q_qbs", n.item)["code"], s.get(s.owner, "q_qbs", n.other)["code"]})
	refused(t, s.fails(s.owner, "PUT", v2+"/qbs/edit", in{"id": n.division, "version": int64(1), "name": "x"}), fault.VersionStale)
	require.Error(t, s.fails(s.owner, "PUT", v2+"/qbs/edit", in{"id": n.unit, "version": version(n.unit), "parentId": n.item}), "below itself")
	require.Error(t, s.fails(s.owner, "PUT", v2+"/qbs/edit", in{"id": n.unit, "version": version(n.unit), "parentId": n.unit}), "itself")
	_, err := s.inspect(s.owner, n.item, "GEN", "1")
	require.NoError(t, err)
	var out struct {
		Deleted int
		Refused []struct {
			ID      string
			Reasons []string
		}
	}
	s.must(s.owner, "DELETE", v2+"/qbs/delete", in{"ids": []string{n.division, n.other}}, &out)
	require.Equal(t, 1, out.Deleted)
	require.Len(t, out.Refused, 1)
	require.Equal(t, n.division, out.Refused[0].ID)
	require.Contains(t, strings.Join(out.Refused[0].Reasons, ";"), "底板")
	require.Contains(t, strings.Join(out.Refused[0].Reasons, ";"), "检查记录")
	var made [][2]string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for range 3 {
			item := s.node(ctx, w, n.division, "ITEM", "在用")
			made = append(made, [2]string{s.make(ctx, w, "q_work", in{"qbsId": item, "content": "x"}), item})
		}
	})
	s.must(s.owner, "DELETE", v2+"/qbs/delete", in{"ids": []string{n.division}}, &out)
	require.Equal(t, "4 个节点在用：检查记录 1 份，已完成表单 0 份，未关闭整改单 0 份", out.Refused[0].Reasons[0], "of many nodes the sum comes first")
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for _, one := range made {
			require.NoError(t, w.Delete(ctx, "q_work", one[0]))
			require.NoError(t, w.Delete(ctx, "q_qbs", one[1]))
		}
	})
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.division, in{"sortKey": "7"}))
		added, err := w.CreateAll(ctx, "q_qbs", []in{{"parentId": n.unit, "name": "末一", "nodeType": "DIVISION"}, {"parentId": n.unit, "name": "末二", "nodeType": "DIVISION"}})
		require.NoError(t, err)
		for i, id := range added {
			found, err := w.Get(ctx, "q_qbs", id)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(8+i), fmt.Sprint(found.Values["sortKey"]), "behind those beside it")
			require.NoError(t, w.Delete(ctx, "q_qbs", id))
		}
	})
	fresh := s.must(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "parentId": n.unit, "name": "新分部", "nodeType": "DIVISION"}, nil)
	var added struct{ IDs []string }
	require.NoError(t, json.Unmarshal([]byte(fresh), &added))
	s.must(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "nodes": []in{{"parentId": added.IDs[0], "name": "一", "nodeType": "ITEM"}, {"parentId": added.IDs[0], "name": "二", "nodeType": "ITEM"}}}, nil)
	s.must(s.owner, "DELETE", v2+"/qbs/delete", in{"ids": []string{added.IDs[0], "00000000-0000-4000-8000-000000000000"}}, &out)
	require.Equal(t, []int{3, 1}, []int{out.Deleted, len(out.Refused)}, "a node goes with what is below it")
	var list []quality.TreeNode
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key}, &list)
	require.Equal(t, []any{1, false}, []any{len(list), list[0].Leaf})
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"parentId": n.unit}, &list)
	require.Equal(t, []any{1, false}, []any{len(list), list[0].Leaf})
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"parentId": n.division}, &list)
	require.Equal(t, []any{1, true}, []any{len(list), list[0].Leaf})
	var log quality.Page
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": n.division}, &log)
	require.Positive(t, log.TotalElements)
	require.Contains(t, s.must(s.owner, "PUT", v2+"/qbs/log", in{"qbsId": n.division, "action": "note", "remark": "看过"}, nil), "logId")
}

// groups: two of one scope, those of others, those with records.
func groups(t *testing.T, s *site) {
	n := s.small()
	lead, other := s.Person("lead", "R_SUP"), s.Person("other", "R_SUP")
	group := in{"projectKey": s.key, "name": "一组", "leader": lead.UserID, "members": []string{lead.UserID}, "qbsIds": []string{n.division}, "itemCodes": []string{s.items["GEN"]}}
	var made struct{ ID string }
	s.must(s.owner, "POST", check+"/group/add", group, &made)
	again := in{"projectKey": s.key, "name": "二组", "leader": other.UserID, "members": []string{other.UserID}, "qbsIds": []string{n.item}}
	refused(t, s.fails(s.owner, "POST", check+"/group/add", again), quality.GroupOverlap)
	again["itemCodes"] = []string{s.items["MAIN"]}
	var second struct{ ID string }
	s.must(s.owner, "POST", check+"/group/add", again, &second)
	again["name"], again["itemCodes"], again["allowOverlap"] = "三组", nil, true
	s.must(s.owner, "POST", check+"/group/add", again, nil)
	require.JSONEq(t, `{"auth": true}`, s.must(lead, "GET", check+"/group/edit/auth", in{"groupId": made.ID}, nil))
	require.JSONEq(t, `{"auth": false}`, s.must(other, "GET", check+"/group/edit/auth", in{"groupId": made.ID}, nil))
	require.JSONEq(t, `{"auth": true}`, s.must(s.owner, "GET", check+"/group/edit/auth", in{"groupId": made.ID}, nil))
	var list []struct {
		ID      string
		Name    string
		Version int64
		Members []quality.Person
	}
	s.must(lead, "GET", check+"/group/list", in{"keyword": "一"}, &list)
	require.Equal(t, "lead", list[0].Members[0].Name)
	refused(t, s.fails(other, "PUT", check+"/group/edit", in{"id": made.ID, "version": list[0].Version, "name": "我的组"}), fault.Forbidden)
	s.must(lead, "PUT", check+"/group/edit", in{"id": made.ID, "version": list[0].Version, "name": "一组（改）"}, nil)
	info := s.must(lead, "GET", check+"/group/add/info", in{"projectKey": s.key}, nil)
	for _, part := range []string{`"users"`, `"qbsTree"`, `"items"`, `"schemas"`, "表面平整度", "施工记录", "底板"} {
		require.Contains(t, info, part)
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		s.make(ctx, w, "q_record", map[string]any{"qbsId": n.item, "groupId": made.ID, "recordKind": "SELF", "inspector": s.owner.UserID, "checkDate": "2026-03-01", "items": []map[string]any{
			{"itemId": s.items["GEN"], "values": "1;2;11"}, {"itemId": s.items["MAIN"], "values": "1"}}})
	})
	refused(t, s.fails(s.owner, "POST", check+"/group/delete", in{"ids": []string{made.ID}}), quality.GroupUsed)
	s.must(s.owner, "POST", check+"/group/delete", in{"ids": []string{second.ID}}, nil)
	var stats []quality.ItemStatistic
	s.must(s.owner, "GET", check+"/item/group/statistic", in{"qbsId": n.unit}, &stats)
	require.Len(t, stats, 2)
	require.Equal(t, []any{"一组（改）", "GEN", int64(1), int64(3), int64(2), int64(1)}, []any{stats[0].GroupName, stats[0].ItemCode, stats[0].Records, stats[0].Points, stats[0].OKPoints, stats[0].NCROpen})
	s.must(s.owner, "GET", check+"/item/group/statistic", in{"qbsId": n.unit, "from": "2026-03-02"}, &stats)
	require.Empty(t, stats)
	var page quality.Page
	s.must(s.owner, "POST", check+"/project/record/list", in{"qbsId": n.unit, "groupId": made.ID, "recordKind": "SELF", "from": "2026-03-01", "to": "2026-03-01"}, &page)
	require.Equal(t, 1, page.TotalElements, "with what is below the node")
	s.must(s.owner, "POST", check+"/project/record/list", in{"qbsId": n.other}, &page)
	require.Zero(t, page.TotalElements)
	refused(t, s.fails(s.owner, "POST", check+"/project/record/list", in{"projectKey": s.key, "from": "yesterday"}), fault.BadParameter)
	require.Contains(t, s.must(s.owner, "GET", v2+"/analyse/project", in{"projectKey": s.key}, nil), `"trend":[`)
	require.JSONEq(t, `[]`, s.must(s.owner, "GET", v2+"/analyse/biz/handle", in{"projectKey": s.key, "groupBy": "dept"}, nil))
}

// sheetsByProcess gives the states of the sheets of a node's lowest parts as a spreadsheet: a row for each part, a column for each process.
func sheetsByProcess(t *testing.T, s *site) {
	n := s.small()
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for i, title := range []string{"钢筋", "浇筑"} {
			for _, node := range []string{n.item, n.other}[:2-i] {
				process := s.make(ctx, w, "q_jbs", in{"qbsId": node, "code": fmt.Sprint("P", i), "title": title, "sortKey": i})
				sheet := s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": node, "jbsId": process, "schemaCode": "q_work", "sheetTitle": title + "记录"})
				if node == n.item && i == 0 {
					s.make(ctx, w, "q_work", in{"bizId": sheet, "qbsId": node, "content": "完成"})
				}
			}
		}
		require.NoError(t, edit(ctx, w, "q_qbs", n.other, in{"planFinish": "2020-01-01"}))
	})
	read := func(who principal.Principal, node string) (out [][]string) {
		name, file := s.download(who, v2+"/excel/matrix", in{"qbsId": node})
		kept, err := s.Files().Put(t.Context(), blob.Upload{By: who.UserID, Name: name, Most: 1 << 20, Bytes: bytes.NewReader(file)})
		require.NoError(t, err)
		s.do(who, func(ctx context.Context, w world.World) {
			for row, err := range w.SheetRows(ctx, kept.ID) {
				require.NoError(t, err)
				out = append(out, row.Cells)
			}
		})
		return out
	}
	code := func(node string) string { return s.get(s.owner, "q_qbs", node)["code"].(string) }
	want := [][]string{
		{"编码", "分项工程", "所属", "计划完成", "钢筋", "浇筑"},
		{code(n.item), "底板", "分部", "", "钢筋记录：已完成", "浇筑记录：未填"},
		{code(n.other), "闸墙", "分部", "2020-01-01", "钢筋记录：已逾期"},
	}
	require.Equal(t, want, read(s.owner, n.unit))
	require.Equal(t, want[:2], read(s.owner, n.item), "of a lowest node itself")
	english := s.owner
	english.Locale = "en"
	require.Equal(t, []string{"Code", "Work item", "Part of", "Planned finish", "钢筋", "浇筑"}, read(english, n.unit)[0])
	other, _ := s.firm("matrix", "R_CQC")
	require.Equal(t, [][]string{want[0][:4], want[1][:3]}, read(other, n.item), "nodes without a contract are everybody's, their sheets are not")
}

// excel imports a breakdown, components and bindings from files, after mistakes are told.
func excel(t *testing.T, s *site) {
	name, file := s.download(s.owner, v2+"/excel/template", in{"kind": "QBS"})
	require.Equal(t, "工程划分.xlsx", name)
	require.Equal(t, "PK", string(file[:2]))
	const head = "层级,编码,名称,上级编码,数量,桩号,合同段\n"
	pre := func(kind, text string) (out struct {
		Token   string
		OK, Bad int
		Ignored []string
		Rows    []quality.ImportRow
	}) {
		t.Helper()
		got, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", text, in{"kind": kind, "projectKey": s.key})
		require.NoError(t, err, told(err))
		require.NoError(t, json.Unmarshal([]byte(got), &out))
		return out
	}
	mixed := pre("QBS", head+"单位工程,01,船闸,,,,\n分部工程,,闸室,,,,\n分项工程,,底板,,\"1,012.5\",K0+100~K0+180,\n分项工程,,底板二,,\"12,5\",K2~K1,\n,01-09,没有层级,,,,\n分项工程,01,重复,,,,\n分项工程,X,孤儿,Y,,,\n分项工程,Z,合同,,,,NONE\n单位工程,02,,,,,\n检验批,02-1,批,,,,\n")
	require.Equal(t, []int{3, 7}, []int{mixed.OK, mixed.Bad})
	kinds := ""
	for _, r := range mixed.Rows {
		for _, e := range r.Errors {
			kinds += fmt.Sprintf("%d:%s:%s ", r.Row, e.Col, e.Kind)
		}
	}
	require.Equal(t, "5:designQty:FORBIDDEN 5:station:FORBIDDEN 6:nodeType:EMPTY 7:code:REPEAT 8:parentCode:NOEXIT 9:contract:NOEXIT 10:name:EMPTY 11:parentCode:NOEXIT ", kinds)
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": mixed.Token, "mode": "allOrNothing"}), quality.ImportBad)
	require.JSONEq(t, `{"inserted": 4, "updated": 0, "skipped": 6}`, s.must(s.owner, "POST", v2+"/excel/import",
		in{"token": mixed.Token, "mode": "skipBad", "corrections": []in{{"row": 5, "data": in{"designQty": "7", "station": ""}}}}, nil))
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": mixed.Token, "mode": "skipBad"}), quality.ImportGone)
	var found []struct{ ID, Code string }
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "keyword": "底板"}, &found)
	require.Equal(t, "01-01-01", found[0].Code)
	require.Equal(t, "01-01-02", found[1].Code)
	item := s.get(s.owner, "q_qbs", found[0].ID)
	require.Equal(t, []any{"1012.5", "K0+100", "K0+180"}, []any{strings.TrimRight(fmt.Sprint(item["designQty"]), "0"), item["stationFrom"], item["stationTo"]})
	odd := pre("QBS", "层级,编码,名称,起桩号\n单位工程,08,单位,12+3\n")
	require.Equal(t, []string{"起桩号"}, odd.Ignored, "a column that is not read is named")
	there := head + "分项工程,01-01-01,底板（改）,,,,\n"
	require.Equal(t, 1, pre("QBS", there).Bad, "it is there already")
	require.JSONEq(t, `{"inserted": 0, "updated": 1, "skipped": 0}`, s.must(s.owner, "POST", v2+"/excel/import", in{"token": pre("QBS", there).Token, "mode": "allOrNothing", "overwrite": true}, nil))
	late := pre("QBS", head+"单位工程,07,晚,,,,\n")
	s.Advance(31 * 60 * 1e9)
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": late.Token, "mode": "skipBad"}), quality.ImportGone)
	_, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", "编码\n01\n", in{"kind": "QBS", "projectKey": s.key})
	refused(t, err, fault.ImportColumnMissing)
	_, err = s.upload(s.owner, v2+"/excel/preImport", "a.csv", "层级,编码,名称\n", in{"kind": "QBS", "projectKey": s.key})
	refused(t, err, fault.ImportNoRows)
	_, err = s.upload(s.owner, v2+"/excel/preImport", "a.csv", "编码\n01\n", in{"kind": "MBS", "projectKey": s.key})
	refused(t, err, fault.Forbidden)

	library := pre("JBS", "编码,名称,类别,上级编码,紧前工序\nE,模板,工序模板,,\nE-1,一,,E,\nE-2,二,工序,E,E-1\nE-3,三,工序,E,E-9\n")
	require.Equal(t, []int{3, 1}, []int{library.OK, library.Bad})
	s.must(s.owner, "POST", v2+"/excel/import", in{"token": library.Token, "mode": "skipBad"}, nil)
	var tree []quality.LibraryNode
	text := s.must(s.owner, "GET", v2+"/system/baseTree", in{}, &tree)
	require.Contains(t, text, `"code":"E-2"`)

	bim := s.Person("bim-excel", "R_BIM")
	got, err := s.upload(bim, "/api/code_mbs/data_import", "m.csv", "code,guid,name,parentCode,type,volume,bbox\nP,g0,闸室,,,,\nP-1,g1,底板,P,IfcSlab,12.5,9 5 -1; 0 -5 0\nP-1,g1,又一,P,,,\nP-2,g2,墙,Q,,,\nP-3,g3,柱,P,,,1 2 3 4 5\n", in{"projectKey": s.key})
	require.NoError(t, err, told(err))
	var imported struct {
		Inserted, Updated int
		Errors            []struct{ Row int }
	}
	require.NoError(t, json.Unmarshal([]byte(got), &imported))
	require.Equal(t, []int{2, 0, 3}, []int{imported.Inserted, imported.Updated, len(imported.Errors)}, got)
	require.Contains(t, s.must(bim, "GET", v2+"/mbs/tree", in{"projectKey": s.key}, nil), `"bbox":[0,-5,-1,9,5,0]`, "the lower corner comes first")
	refused(t, s.Do(bim, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "b_mbs", in{"projectId": s.project, "code": "P-4", "componentName": "x", "bbox": "0 0 0 1 1 up"})
		return err
	}), fault.FieldPattern)
	bind := pre("REL", "划分编码,构件编码\n01-01-01,P-1\n01-01-09,P-1\n01-01-01,P-7\n")
	require.Equal(t, []int{1, 2}, []int{bind.OK, bind.Bad})
	require.JSONEq(t, `{"inserted": 1, "updated": 0, "skipped": 2}`, s.must(s.owner, "POST", v2+"/excel/import", in{"token": bind.Token, "mode": "skipBad"}, nil))
}

// firm is a person with a role in a department of its own.
func (s *site) firm(name, role string) (who principal.Principal, department string) {
	s.t.Helper()
	admin := s.Person("chief-"+name, "administrator")
	s.do(admin, func(ctx context.Context, w world.World) {
		department = s.make(ctx, w, "department", map[string]any{"name": "单位 " + name})
		person := s.make(ctx, w, "user", map[string]any{"username": name, "name": name, "mainDepartment": department, "departments": []string{department}})
		roles, err := w.Find(ctx, "role", map[string]any{"code": role}, 1)
		require.NoError(s.t, err)
		require.NoError(s.t, edit(ctx, w, "user", person, map[string]any{"roles": roles}))
	})
	who, ok := s.Caller(s.t.Context(), name)
	require.True(s.t, ok)
	return who, department
}

// contract of a contractor and a supervisor.
func (s *site) contract(code, contractor, supervisor string) (id string) {
	s.do(s.Person("contracts-"+code, "administrator"), func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "c_contract", map[string]any{"projectId": s.project, "code": code, "contractName": "合同 " + code, "partyADept": supervisor, "partyBDept": contractor, "supDept": supervisor, "contractAmount": "1"})
	})
	return id
}

// concession needs the signatures of three roles, each of who has it, and is for the round that failed.
func concession(t *testing.T, s *site) {
	n := s.small()
	sup, supDept := s.firm("concession-sup", "R_CSUP")
	design, _ := s.firm("concession-design", "R_DESIGN")
	builder, labDept := s.firm("concession-builder", "R_CQC")
	assistant, _ := s.firm("concession-assistant", "R_OWNER_COST")
	contract := s.contract("concession", labDept, supDept)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.unit, in{"contractId": contract}))
	})
	sign := func(who principal.Principal, values in) error {
		return s.Do(who, func(ctx context.Context, w world.World) error { return edit(ctx, w, "q_qbs", n.item, values) })
	}
	fill := func(readings string) {
		s.do(builder, func(ctx context.Context, w world.World) {
			s.make(ctx, w, "q_record", in{"qbsId": n.item, "recordKind": "SELF", "items": []in{{"itemId": s.items["MAIN"], "values": readings}}})
		})
	}
	states := func(who principal.Principal) (got struct{ Concession *quality.Concession }) {
		s.must(who, "GET", v2+"/qbs/authority", in{"qbsId": n.item}, &got)
		return got
	}
	by := []string{s.owner.UserID}
	refused(t, sign(s.owner, in{"concessionBy": by}), quality.ConcessionIdle)
	require.Nil(t, states(sup).Concession, "nothing failed")
	fill("60;6")
	require.Equal(t, []bool{true, true, false}, []bool{states(sup).Concession.CanSign, states(s.owner).Concession.CanSign, states(builder).Concession.CanSign})
	refused(t, sign(s.owner, in{"concessionBy": []string{s.owner.UserID, sup.UserID}}), quality.ConcessionOthers)
	refused(t, sign(builder, in{"concessionBy": []string{builder.UserID}}), fault.FieldUnknown)
	require.Error(t, sign(assistant, in{"concessionBy": []string{assistant.UserID}}))
	require.NoError(t, sign(s.owner, in{"concessionBy": by}))
	err := sign(s.owner, in{"concession": true})
	refused(t, err, quality.ConcessionUnsigned)
	require.Contains(t, told(err), "总监理工程师、设计代表")
	require.NotContains(t, told(err), "建设单位")
	refused(t, sign(design, in{"concessionBy": []string{design.UserID}}), quality.ConcessionOthers)
	by = append(by, design.UserID)
	require.NoError(t, sign(design, in{"concessionBy": by}))
	refused(t, sign(s.owner, in{"concession": true}), quality.ConcessionUnsigned)
	require.Equal(t, false, s.get(s.owner, "q_qbs", n.item)["concession"])
	require.Equal(t, &quality.Concession{Parties: []quality.Party{{Role: "R_CSUP", By: []string{}}, {Role: "R_DESIGN", By: []string{design.UserID}}, {Role: "R_OWNER", By: []string{s.owner.UserID}}}, Signed: true}, states(design).Concession)
	three := append(by, sup.UserID)
	require.NoError(t, sign(sup, in{"concessionBy": three}))
	require.Equal(t, true, s.get(s.owner, "q_qbs", n.item)["concession"], "the last signature accepts it")
	require.NoError(t, sign(sup, in{"concessionBy": by}))
	require.Equal(t, false, s.get(s.owner, "q_qbs", n.item)["concession"], "a signature is taken back")
	require.NoError(t, sign(sup, in{"concessionBy": three}))

	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"qbsId": n.item}, 1)
		require.NoError(t, err)
		require.NoError(t, edit(ctx, w, "q_ncr", found[0], in{"status": "FIXED"}))
		require.NoError(t, edit(ctx, w, "q_ncr", found[0], in{"status": "REVIEWED"}))
	})
	require.Equal(t, "QUALIFIED", s.eval(n.item))
	fill("70;6")
	require.Equal(t, "UNQUALIFIED", s.eval(n.item), "the signatures were for the round before")
	now := s.get(s.owner, "q_qbs", n.item)
	require.Equal(t, false, now["concession"])
	require.Empty(t, now["concessionBy"])
}

// system is the program itself.
func (s *site) system() principal.Principal { return principal.Principal{System: "test", Locale: "zh"} }
