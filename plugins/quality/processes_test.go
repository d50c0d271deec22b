package quality_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/blob"
)

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
	require.Equal(t, []quality.What{{Code: "title", Was: "第三步", Is: "C"}, {Code: "required", Is: "true"}, {Code: "prevIds", Was: "B"}}, drift.Drift.Changed[0].What)
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
	s.do(s.owner, func(ctx context.Context, w world.World) { // the same process of another revision with another name and code, and another one of the same name
		step := s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "code": "MATRIX", "title": "验收"})
		for i, node := range []string{n.item, n.other} {
			made := s.make(ctx, w, "q_jbs", in{"qbsId": node, "code": fmt.Sprint("MATRIX", i), "title": []string{"验收", "终验"}[i], "sortKey": 9, "baseId": step, "baseVersion": fmt.Sprint(i + 1)})
			s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": node, "jbsId": made, "schemaCode": "q_work", "sheetTitle": "验收记录"})
		}
		s.make(ctx, w, "q_jbs", in{"qbsId": n.other, "code": "P9", "title": "浇筑", "sortKey": 10})
	})
	table := read(s.owner, n.unit)
	require.Equal(t, append(want[0], "终验"), table[0])
	require.Equal(t, []string{"验收记录：未填", "验收记录：已逾期"}, []string{table[1][6], table[2][6]})
	other, _ := s.firm("matrix", "R_CQC")
	require.Equal(t, [][]string{want[0][:4], want[1][:3]}, read(other, n.item), "nodes without a contract are everybody's, their sheets are not")
}
