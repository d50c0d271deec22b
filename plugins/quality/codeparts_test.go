package quality_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// inParts: codes are read by their parts, whatever is between them: what is below which, in which order, and which one comes next.
func inParts(t *testing.T, s *site) {
	pre := func(text string) (out struct {
		Token string
		Rows  []quality.ImportRow
	}) {
		got, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", "层级,编码,名称\n"+text, in{"kind": "QBS", "projectKey": s.key})
		require.NoError(t, err, told(err))
		require.NoError(t, json.Unmarshal([]byte(got), &out))
		return out
	}
	whole := pre("单位工程,80,船闸\n分部工程,80.1,一\n分项工程,80.10.1,十之一\n分部工程,80.10,十\n分部工程,80.2,二\n分项工程,80.1.1,一之一\n单位工程,9/1,引航道\n分部工程,9/1/2,护岸\n分部工程,9/1/10,护坡\n")
	for _, r := range whole.Rows {
		require.Empty(t, r.Errors, r.Data)
	}
	s.must(s.owner, "POST", v2+"/excel/import", in{"token": whole.Token, "mode": "allOrNothing"}, nil)
	var tree []*quality.TreeNode
	s.must(s.owner, "GET", v2+"/qbs/complete/tree", in{"projectKey": s.key}, &tree)
	var order []string
	above := map[string]string{}
	var walk func(nodes []*quality.TreeNode, up string)
	walk = func(nodes []*quality.TreeNode, up string) {
		for _, n := range nodes {
			order, above[n.Code] = append(order, n.Code), up
			walk(n.Children, n.Code)
		}
	}
	walk(tree, "")
	require.Equal(t, []string{"9/1", "9/1/2", "9/1/10", "80", "80.1", "80.1.1", "80.2", "80.10", "80.10.1"}, order)
	require.Equal(t, "80.10", above["80.10.1"])
	var flat []quality.TreeNode
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "nodeType": "DIVISION"}, &flat)
	require.Equal(t, "80.2", flat[3].Code)
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key}, &flat)
	require.Equal(t, "9/1", flat[0].Code)

	// What lists are ordered by is stored with each node and has the order of the tree.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		stored, err := w.Find(ctx, "q_qbs", map[string]any{"projectId": s.project}, world.All)
		require.NoError(t, err)
		keys := map[string]string{}
		for _, id := range stored {
			found, err := w.Get(ctx, "q_qbs", id)
			require.NoError(t, err)
			keys[found.Values["code"].(string)], _ = found.Values["codeOrder"].(string)
		}
		listed := slices.SortedFunc(maps.Keys(keys), func(a, b string) int { return strings.Compare(keys[a], keys[b]) })
		listed = slices.DeleteFunc(listed, func(code string) bool { return !slices.Contains(order, code) })
		require.Equal(t, order, listed)
	})

	lost := pre("单位工程,70.1,船闸\n分部工程,70.1.1,一\n分项工程,70.10.1,十之一\n")
	require.Equal(t, "parentCode", lost.Rows[2].Errors[0].Col, "a code with a part that is not there, and no guess")

	text := pre("单位工程,X,船闸\n分部工程,60.1,一\n分项工程,60.10.1,十之一\n分项工程,60.1.1,一之一\n")
	require.Equal(t, "parentCode", text.Rows[2].Errors[0].Col, "60.10.1 begins with the letters of 60.1 and not with its parts")
	require.Empty(t, text.Rows[3].Errors)

	at := func(code string) string {
		for _, n := range slices.Concat(tree, tree[1].Children) {
			if n.Code == code {
				return n.ID
			}
		}
		t.Fatal(code)
		return ""
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id := s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": at("80.1"), "nodeType": "ITEM", "name": "下一个"})
		found, err := w.Get(ctx, "q_qbs", id)
		require.NoError(t, err)
		require.Equal(t, "80.1.2", found.Values["code"])
	})
	var version int64
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Get(ctx, "q_qbs", at("80.1"))
		require.NoError(t, err)
		version = found.Version
	})
	s.must(s.owner, "PUT", v2+"/qbs/edit", in{"id": at("80.1"), "version": version, "code": "80.7", "cascadeCode": true}, nil)
	order, tree = nil, nil
	s.must(s.owner, "GET", v2+"/qbs/complete/tree", in{"projectKey": s.key}, &tree)
	walk(tree, "")
	require.Equal(t, []string{"80", "80.2", "80.7", "80.7.1", "80.7.2", "80.10", "80.10.1"}, order[3:], "80.10.1 begins with the letters of 80.1 and not with its parts")
}
