package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

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
	var log quality.Page[quality.LogLine]
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": n.division}, &log)
	require.Positive(t, log.TotalElements)
	require.Contains(t, s.must(s.owner, "PUT", v2+"/qbs/log", in{"qbsId": n.division, "action": "note", "remark": "看过"}, nil), "logId")
}

// groups: two of one scope, those of others, those with records.
func groups(t *testing.T, s *site) {
	n := s.small()
	lead, other := s.Person("lead", "R_SUP"), s.Person("other", "R_SUP")
	group := in{"projectKey": s.key, "name": "一组", "leader": lead.UserID, "members": []string{lead.UserID}, "qbsIds": []string{n.division}, "itemCodes": []string{s.items["GEN"]},
		"recordSchemaCodes": []string{"q_record", "none"}}
	refused(t, s.fails(s.owner, "POST", check+"/group/add", group), fault.FieldOption)
	group["recordSchemaCodes"] = []string{"q_record", "q_qbs"}
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
		Sheets  string `json:"recordSchemaCodes"`
	}
	s.must(lead, "GET", check+"/group/list", in{"keyword": "一"}, &list)
	require.Equal(t, "lead", list[0].Members[0].Name)
	refused(t, s.fails(other, "PUT", check+"/group/edit", in{"id": made.ID, "version": list[0].Version, "name": "我的组"}), fault.Forbidden)
	s.must(lead, "PUT", check+"/group/edit", in{"id": made.ID, "version": list[0].Version, "name": "一组（改）", "recordSchemaCodes": list[0].Sheets}, nil)
	require.Equal(t, "q_record,q_qbs", list[0].Sheets)
	s.must(lead, "GET", check+"/group/list", in{"keyword": "改"}, &list)
	require.Equal(t, "q_record,q_qbs", list[0].Sheets, "written as they were answered")
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
	require.Equal(t, []any{"一组（改）", "GEN", int64(1), int64(3), int64(2), int64(1)}, []any{stats[0].GroupName, stats[0].ItemCode, stats[0].Records, stats[0].Points, stats[0].OKPoints, *stats[0].NCROpen})
	s.must(s.owner, "GET", check+"/item/group/statistic", in{"qbsId": n.unit, "from": "2026-03-02"}, &stats)
	require.Empty(t, stats)
	var page quality.Page[quality.RecordLine]
	s.must(s.owner, "POST", check+"/project/record/list", in{"qbsId": n.unit, "groupId": made.ID, "recordKind": "SELF", "from": "2026-03-01", "to": "2026-03-01"}, &page)
	require.Equal(t, 1, page.TotalElements, "with what is below the node")
	s.must(s.owner, "POST", check+"/project/record/list", in{"qbsId": n.other}, &page)
	require.Zero(t, page.TotalElements)
	refused(t, s.fails(s.owner, "POST", check+"/project/record/list", in{"projectKey": s.key, "from": "yesterday"}), fault.BadParameter)
	require.Contains(t, s.must(s.owner, "GET", v2+"/analyse/project", in{"projectKey": s.key}, nil), `"trend":[`)
	require.JSONEq(t, `[]`, s.must(s.owner, "GET", v2+"/analyse/biz/handle", in{"projectKey": s.key, "groupBy": "dept"}, nil))
}
