package quality_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// mbs binds, takes over, renames and unbinds components; a component belongs to one node.
func mbs(t *testing.T, s *site) {
	n, key := s.small(), s.key
	c := s.components("M", "M-1", "M-2", "01-01-01-7", "01-01-02")
	require.JSONEq(t, `{"bound": 2, "skipped": 0}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{c["M-1"], c["M-2"]}, "mode": "bind"}, nil))
	require.JSONEq(t, `{"bound": 0, "skipped": 1}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{c["M-1"]}, "mode": "bind"}, nil))
	refused(t, s.fails(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{c["M-1"]}, "mode": "bind"}), quality.ComponentBound)
	require.JSONEq(t, `{"bound": 1, "skipped": 0}`, s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{c["M-1"]}, "mode": "replace"}, nil))
	require.JSONEq(t, `{"bound": 0, "skipped": 0, "renamed": 1}`, s.must(s.Person("bim2", "R_BIM"), "PUT", v2+"/mbs/edit", in{"id": c["M-2"], "mode": "rename", "name": "底板二"}, nil))
	refused(t, s.fails(s.owner, "PUT", v2+"/mbs/edit", in{"mbsIds": []string{c["M-1"], c["M-2"]}, "mode": "rename", "name": "一样"}), fault.BadParameter)
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
	var log quality.Page[quality.LogLine]
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": n.other}, &log)
	require.Equal(t, []any{"delete", "q_qbs_mbs"}, []any{log.Content[0].Action, log.Content[0].ObjectType}, "the latest first")
	s.do(s.system(), func(ctx context.Context, w world.World) { // as the measurement will
		found, err := w.Find(ctx, "q_qbs_mbs", map[string]any{"mbsId": c["M-2"]}, 1)
		require.NoError(t, err)
		require.NoError(t, edit(ctx, w, "q_qbs_mbs", found[0], map[string]any{"measures": "1"}))
	})
	refused(t, s.fails(s.owner, "POST", v2+"/mbs/unbind", in{"qbsId": n.item, "mbsIds": []string{c["M-2"]}}), quality.ComponentMeasured)

	var found struct {
		Matched, Bound, Skipped int
		Unmatched               []quality.Match
		Pairs                   []quality.Pair
		Batch                   string
	}
	s.must(s.owner, "POST", v2+"/import/mbs", in{"projectKey": key, "rule": "byCode", "dryRun": true}, &found)
	require.Equal(t, []any{2, 2, ""}, []any{found.Matched, found.Bound, found.Batch})
	require.Len(t, found.Unmatched, 2)
	require.Len(t, found.Pairs, 2)
	for _, p := range found.Pairs {
		require.True(t, strings.HasPrefix(p.Code, p.QbsCode), p)
		require.NotEmpty(t, p.QbsName)
	}
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
