package quality_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// library is a template of two processes, of which the first has two sheets.
func (s *site) template(code string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "q_jbs_base", in{"kind": "TEMPLATE", "code": code, "title": "模板" + code})
		for i, name := range []string{"放样", "浇筑"} {
			step := s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "parentId": id, "code": code + name, "title": name, "sortKey": fmt.Sprint(i)})
			for _, sheet := range []string{"q_work", "q_setout"}[i:] {
				s.make(ctx, w, "q_biz_base", in{"jbsBaseId": step, "schemaCode": sheet, "sheetTitle": name, "bizKind": "RECORD"})
			}
		}
	})
	return id
}

// rows counts the records of models that somebody sees in the project of the site.
func (s *site) rows(who principal.Principal) map[string]int {
	out := map[string]int{}
	s.do(who, func(ctx context.Context, w world.World) {
		nodes, err := w.Find(ctx, "q_qbs", in{"projectId": s.project}, world.All)
		require.NoError(s.t, err)
		out["q_qbs"] = len(nodes)
		for _, model := range []string{"q_jbs", "q_biz"} {
			for _, id := range nodes {
				found, err := w.Find(ctx, model, in{"qbsId": id}, world.All)
				require.NoError(s.t, err)
				out[model] += len(found)
			}
		}
	})
	return out
}

// generated: one call adds works with their parts, lots and processes below the node that is chosen, whole or not at all; it can be tried before and
// taken back after. A contractor does so in its own contract.
func generated(t *testing.T, s *site) {
	template := s.template("GEN-1")
	var top, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		top = s.node(ctx, w, "", "PROJECT", "枢纽")
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "nodeType": "ITEM", "name": "分项", "code": "I", "parentId": top})
	})
	lot := func(n int) in {
		return in{"nodeType": "LOT", "name": fmt.Sprintf("检验批%d", n), "jbsBaseId": template}
	}
	unit := in{"nodeType": "UNIT", "name": "导航墙", "nodes": []in{{"nodeType": "DIVISION", "name": "墙体", "nodes": []in{
		{"nodeType": "ITEM", "name": "底板", "nodes": []in{lot(1), lot(2)}}, {"nodeType": "ITEM", "name": "墙身", "jbsBaseId": template}}}}}
	ask := in{"projectKey": s.key, "parentId": top, "nodes": []in{unit}}
	with := func(of in, more in) in {
		out := in{}
		for _, one := range []in{of, more} {
			for k, v := range one {
				out[k] = v
			}
		}
		return out
	}
	before := s.rows(s.owner)
	difference := func(now map[string]int) []int {
		return []int{now["q_qbs"] - before["q_qbs"], now["q_jbs"] - before["q_jbs"], now["q_biz"] - before["q_biz"]}
	}
	var tried, made, undone quality.Added
	s.must(s.owner, "POST", v2+"/qbs/add", with(ask, in{"dryRun": true}), &tried)
	require.Equal(t, []int{0, 0, 0}, difference(s.rows(s.owner)), "a dry run stores nothing")
	require.Equal(t, []any{6, 6, 9, true, []string{}}, []any{tried.Nodes, tried.Processes, tried.Sheets, tried.DryRun, tried.IDs})
	s.must(s.owner, "POST", v2+"/qbs/add", ask, &made)
	require.Equal(t, []int{tried.Nodes, tried.Processes, tried.Sheets}, []int{made.Nodes, made.Processes, made.Sheets})
	require.Equal(t, []int{made.Nodes, made.Processes, made.Sheets}, difference(s.rows(s.owner)), "what is counted was written")
	require.Len(t, made.IDs, 1)
	require.Equal(t, top, s.get(s.owner, "q_qbs", made.IDs[0])["parentId"].(map[string]any)["id"], "below the node that was chosen")
	var lots []quality.TreeNode
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"parentId": made.IDs[0], "nodeType": "LOT"}, &lots)
	require.Equal(t, []string{"01-02-01-01-01", "01-02-01-01-02"}, []string{lots[0].Code, lots[1].Code})

	// What is refused in the middle leaves nothing behind, and a dry run says so too.
	before = s.rows(s.owner)
	bad := with(ask, in{"nodes": []in{unit, {"nodeType": "UNIT", "name": "坏", "nodes": []in{{"nodeType": "PROJECT", "name": "x"}}}}})
	for _, dry := range []bool{true, false} {
		require.Error(t, s.fails(s.owner, "POST", v2+"/qbs/add", with(bad, in{"dryRun": dry})))
		refused(t, s.fails(s.owner, "POST", v2+"/qbs/add", with(ask, in{"dryRun": dry, "nodes": []in{{"nodeType": "UNIT", "name": "x", "jbsBaseId": item}}})), fault.BadParameter)
		refused(t, s.fails(s.owner, "POST", v2+"/qbs/add", with(ask, in{"dryRun": dry, "nodes": []in{{"nodeType": "UNIT", "name": "x", "nodes": "y"}}})), fault.BadParameter)
		refused(t, s.fails(s.owner, "POST", v2+"/qbs/add", with(ask, in{"dryRun": dry, "nodes": []in{{"nodeType": "UNIT", "name": "x", "nodes": slices.Repeat([]in{{"nodeType": "DIVISION", "name": "y"}}, 2001)}}})), fault.BadParameter)
	}
	require.Equal(t, []int{0, 0, 0}, difference(s.rows(s.owner)))

	// The last batch, or one by name: whole, by whom it was made, and only while nothing was begun.
	other := s.Person("generated-other", "R_OWNER")
	refused(t, s.fails(other, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": made.Batch}), fault.BadParameter)
	refused(t, s.fails(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": "no-such-batch"}), fault.BadParameter)
	var nothing quality.Added
	s.must(other, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": "last"}, &nothing)
	require.Zero(t, nothing.Undone)
	var work string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		work = s.make(ctx, w, "q_work", in{"qbsId": lots[0].ID, "content": "x"})
	})
	require.Error(t, s.fails(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": made.Batch}), "a lot has been begun")
	require.Equal(t, []int{0, 0, 0}, difference(s.rows(s.owner)))
	s.do(s.owner, func(ctx context.Context, w world.World) { require.NoError(t, w.Delete(ctx, "q_work", work)) })
	s.must(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": "last", "dryRun": true}, &undone)
	require.Equal(t, []any{6, 6, true}, []any{undone.Undone, undone.Processes, undone.DryRun})
	require.Equal(t, []int{0, 0, 0}, difference(s.rows(s.owner)))
	s.must(s.owner, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": "last"}, &undone)
	require.Equal(t, []any{6, 6, made.Batch}, []any{undone.Undone, undone.Processes, undone.Batch})
	require.Equal(t, []int{-6, -6, -9}, difference(s.rows(s.owner)))

	// A contractor: below nothing of its own it is not offered, and in its contract it may.
	firm, department := s.firm("generated-firm", "R_CQC")
	contract := s.contract("GENERATED", department, department)
	may := func(id string) (out quality.Authority) {
		s.must(firm, "GET", v2+"/qbs/authority", in{"qbsId": id}, &out)
		return out
	}
	require.False(t, may(top).CanAdd)
	var own quality.Added
	s.must(firm, "POST", v2+"/qbs/add", in{"projectKey": s.key, "nodes": []in{with(unit, in{"contractId": contract})}}, &own)
	require.Equal(t, []int{6, 6, 9}, []int{own.Nodes, own.Processes, own.Sheets}, "parts have the contract of what they are parts of")
	require.True(t, may(own.IDs[0]).CanAdd)
	s.must(firm, "GET", v2+"/qbs/treeList", in{"parentId": own.IDs[0], "nodeType": "LOT"}, &lots)
	require.False(t, may(lots[0].ID).CanAdd, "nothing is part of a lot")
	var items []quality.TreeNode
	s.must(firm, "GET", v2+"/qbs/treeList", in{"parentId": own.IDs[0], "nodeType": "ITEM"}, &items)
	i := slices.IndexFunc(items, func(n quality.TreeNode) bool { return strings.HasSuffix(n.Title, "墙身") })
	require.Equal(t, []bool{false, true}, []bool{may(items[i].ID).CanAdd, may(items[1-i].ID).CanAdd}, "what has processes takes no parts")
	s.must(firm, "PUT", v2+"/qbs/edit", in{"id": items[i].ID, "values": in{"batch": "mine"}, "version": s.version(items[i].ID)}, nil)
	require.Equal(t, own.Batch, s.get(s.owner, "q_qbs", items[i].ID)["batch"], "nobody says of what batch a node is")
	s.must(firm, "POST", v2+"/qbs/add", in{"projectKey": s.key, "undo": "last"}, &undone)
	require.Equal(t, 6, undone.Undone)
}

func (s *site) version(id string) (v int64) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Get(ctx, "q_qbs", id)
		require.NoError(s.t, err)
		v = found.Version
	})
	return v
}
