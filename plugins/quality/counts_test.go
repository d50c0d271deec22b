package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// written are the values of the processes and sheets of some nodes that a sync writes, by their ids. The revision goes on without a change.
func (s *site) written(nodes []string) map[string]string {
	out := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for model, columns := range map[string][]string{"q_jbs": {"title", "sortKey", "required", "qbsType", "active", "prevIds"},
			"q_biz": {"sheetCode", "workflowCode", "sheetTitle", "bizKind", "required", "multi", "fillRole", "auditRole", "sortKey", "active"}} {
			for _, n := range nodes {
				found, err := w.Find(ctx, model, in{"qbsId": n}, world.All)
				require.NoError(s.t, err)
				for _, id := range found {
					r, err := w.Get(ctx, model, id)
					require.NoError(s.t, err)
					var values []any
					for _, c := range columns {
						v := r.Values[c]
						if list, ok := v.([]any); ok && c == "prevIds" { // their names are not theirs
							names := []string{}
							for _, one := range list {
								names = append(names, one.(map[string]any)["id"].(string))
							}
							slices.Sort(names)
							v = names
						}
						values = append(values, v)
					}
					text, err := json.Marshal(values)
					require.NoError(s.t, err)
					out[id] = string(text)
				}
			}
		}
	})
	return out
}

// changed counts rows that are new or have other values.
func changed(before, after map[string]string) (n int) {
	for id, v := range after {
		if before[id] != v {
			n++
		}
	}
	return n
}

// counts are those of a sync of a template, or of projects.
type counts struct{ NodesAdded, SheetsAdded, Renamed, Deactivated, KeptBecauseUsed int }

// disturb changes something of a template, or of the processes of a node.
func (s *site) disturb(ctx context.Context, w world.World, r *rand.Rand, round int, template string, nodes []string) {
	pick := func(model string, equal in) string {
		found, err := w.Find(ctx, model, equal, world.All)
		require.NoError(s.t, err)
		if len(found) == 0 {
			return ""
		}
		return found[r.IntN(len(found))]
	}
	step, at := pick("q_jbs_base", in{"parentId": template}), nodes[r.IntN(len(nodes))]
	sheet, process := pick("q_biz_base", in{"jbsBaseId": step}), pick("q_jbs", in{"qbsId": at})
	bound := pick("q_biz", in{"qbsId": at})
	change := func(model, id string, values in) {
		if id != "" {
			require.NoError(s.t, edit(ctx, w, model, id, values))
		}
	}
	name := fmt.Sprint("第", round, "轮", r.IntN(100))
	switch r.IntN(11) {
	case 0:
		change("q_jbs_base", step, in{"title": name, "required": r.IntN(2) == 0})
	case 1:
		s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "parentId": template, "code": name, "title": name, "sortKey": "9", "prevIds": []string{step}})
	case 2:
		change("q_biz_base", sheet, in{"fillRole": []string{"R_CQC"}, "multi": r.IntN(2) == 0, "sortKey": fmt.Sprint(r.IntN(9))})
	case 3:
		if pick("q_biz_base", in{"jbsBaseId": step, "schemaCode": "q_hidden"}) == "" {
			s.make(ctx, w, "q_biz_base", in{"jbsBaseId": step, "schemaCode": "q_hidden", "sheetTitle": name, "bizKind": "RECORD"})
		}
	case 4:
		if sheet != "" {
			require.NoError(s.t, w.Delete(ctx, "q_biz_base", sheet))
		}
	case 5:
		if other := pick("q_jbs_base", in{"parentId": template}); step < other { // by age, so that they form no circle
			change("q_jbs_base", other, in{"prevIds": []string{step}})
		} else {
			change("q_jbs_base", step, in{"prevIds": []string{}})
		}
	case 6:
		change("q_jbs", process, in{"syncFlag": r.IntN(3) > 0})
	case 7:
		change("q_jbs", process, in{"active": false})
	case 8:
		change("q_biz", bound, in{"active": r.IntN(2) == 0})
	case 9:
		change("q_jbs", process, in{"title": name})
	case 10:
		change("q_biz", bound, in{"sheetTitle": name, "auditRole": []string{"R_SUP"}})
	}
}

// counted: a template and its nodes change at random; what a sync counts is what it wrote, what its dry run counted, and nothing the second time.
func counted(t *testing.T, s *site) {
	r := rand.New(rand.NewPCG(12, 24))
	template := s.template("COUNT")
	n := s.small()
	lots := []string{n.item, n.other}
	var applied quality.Applied
	s.must(s.owner, "POST", v2+"/qbs/jbs", in{"qbsIds": append(lots, n.item), "jbsBaseId": template}, &applied)
	require.Equal(t, quality.Applied{Created: 2}, applied, "a node that is named twice counts once")
	total := 0
	for round := range storetest.Full(20, 80) {
		for range 1 + r.IntN(5) {
			s.do(s.owner, func(ctx context.Context, w world.World) { s.disturb(ctx, w, r, round, template, lots) })
		}
		call, ask := "/syncJbs", in{"projectKey": s.key, "jbsBaseId": template}
		if round%3 == 2 {
			call, ask = "/system/jbsBiz/sync", in{"projectKey": s.key, "targets": []string{s.key, s.key}}
		}
		var dry, done, again counts
		before := s.written(lots)
		ask["dryRun"] = true
		s.must(s.owner, "POST", v2+call, ask, &dry)
		require.Zero(t, changed(before, s.written(lots)))
		delete(ask, "dryRun")
		s.must(s.owner, "POST", v2+call, ask, &done)
		where := fmt.Sprintf("round %d %s", round, call)
		require.Equal(t, dry, done, where)
		rows := changed(before, s.written(lots))
		require.Equal(t, rows, done.NodesAdded+done.SheetsAdded+done.Renamed+done.Deactivated, "%s %+v", where, done)
		s.must(s.owner, "POST", v2+call, ask, &again)
		require.Equal(t, counts{KeptBecauseUsed: done.KeptBecauseUsed}, again, where)
		total += rows
	}
	require.Greater(t, total, 10, "there was something to do")
	refused(t, s.fails(s.owner, "POST", v2+"/syncJbs", in{"jbsBaseId": template, "qbsIds": []string{n.unit}}), fault.BadParameter)
}

// boundTwice: what is bound already is a binding of the same owner, model, sheet, workflow and kind; of a workflow of another model there is none.
func boundTwice(t *testing.T, s *site) {
	n := s.small()
	var out quality.Bound
	bind := func(sheets ...in) quality.Bound {
		before := s.rows(s.owner)["q_biz"]
		s.must(s.owner, "POST", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerIds": []string{n.item, n.item}, "sheets": sheets}, &out)
		require.Equal(t, len(out.IDs), s.rows(s.owner)["q_biz"]-before)
		return out
	}
	hidden := in{"schemaCode": "q_hidden", "sheetTitle": "隐蔽", "workflowCode": "q_hidden"}
	require.Len(t, bind(hidden, hidden).IDs, 1, "twice in one call")
	require.Equal(t, quality.Bound{IDs: []string{}, Skipped: 1}, bind(hidden))
	require.Len(t, bind(in{"schemaCode": "q_hidden", "sheetTitle": "隐蔽"}).IDs, 1, "without the workflow it is another one")
	require.Len(t, bind(in{"schemaCode": "q_hidden", "sheetTitle": "隐蔽", "bizKind": "NOTICE"}).IDs, 1)
	err := s.fails(s.owner, "POST", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerIds": []string{n.item}, "sheets": []in{{"schemaCode": "q_hidden", "workflowCode": "q_lot"}}})
	require.Contains(t, told(err), fmt.Sprint(int(quality.WorkflowOfOther)))
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error {
		step := s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "code": "BOUND", "title": "x"})
		_, err := w.Create(ctx, "q_biz_base", in{"jbsBaseId": step, "schemaCode": "q_work", "workflowCode": "q_hidden", "bizKind": "RECORD"})
		return err
	})
	require.Contains(t, told(err), fmt.Sprint(int(quality.WorkflowOfOther)), "nor in the library")
}
