package quality_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// rounds: a failed round stays what the node is until its corrective action was carried out and all that failed was inspected again.
func rounds(t *testing.T, s *site) {
	builder, builders := s.firm("rounds-builder", "R_CQC")
	supervisor, supervisors := s.firm("rounds-supervisor", "R_SUP")
	contract := s.contract("rounds", builders, supervisors)
	var above, unit, item, other string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		above = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "rounds", "name": "船闸", "nodeType": "SINGLE"})
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": above, "name": "闸首", "nodeType": "UNIT", "contractId": contract})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
		other = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "边墩", "nodeType": "ITEM"})
	})
	record := func(node string, rows ...in) (id string, err error) {
		err = s.Do(builder, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_record", in{"qbsId": node, "items": rows})
			return err
		})
		return id, err
	}
	row := func(item, readings string) in { return in{"itemId": s.items[item], "values": readings} }
	act := func(who principal.Principal, node, status string) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			found, err := w.Find(ctx, "q_ncr", in{"qbsId": node}, 9)
			require.NoError(t, err)
			require.Len(t, found, 1)
			return edit(ctx, w, "q_ncr", found[0], in{"status": status})
		})
	}
	is := func(node, eval string, round int, rate string) {
		t.Helper()
		n := s.get(s.owner, "q_qbs", node)
		require.Equal(t, []string{eval, fmt.Sprint(round), rate}, []string{fmt.Sprint(n["evalStatus"]), fmt.Sprint(n["round"]), fmt.Sprint(n["passRate"])})
	}

	_, err := record(item, row("MAIN", "20;1"), row("GEN", "1;1"))
	require.NoError(t, err, told(err))
	is(item, "UNQUALIFIED", 1, "0.75")
	_, err = record(item, row("MAIN", "1;1"), row("GEN", "1;1"))
	refused(t, err, quality.RepairFirst)
	// What is hidden from the contractor is not 0, and the sums are of what they see.
	for name, who := range map[string]principal.Principal{"builder": builder, "owner": s.owner} {
		var sums struct {
			NcrOpen *int64
			Nodes   map[string]map[string]int
		}
		s.must(who, "GET", v2+"/analyse/project", in{"projectKey": s.key}, &sums)
		require.Equal(t, []any{int64(1), map[string]int{"UNQUALIFIED": 1, "NONE": 1}}, []any{*sums.NcrOpen, sums.Nodes["ITEM"]}, name)
		require.Equal(t, name == "owner", sums.Nodes["SINGLE"] != nil, name)
		var tree []struct{ Status *struct{ NcrOpen int64 } }
		s.must(who, "GET", v2+"/qbs/complete/tree", in{"projectKey": s.key}, &tree)
		require.Equal(t, name == "owner", tree[0].Status != nil, name)
	}
	stranger, _ := s.firm("rounds-stranger", "R_CQC")
	require.Contains(t, s.must(stranger, "GET", v2+"/analyse/project", in{"projectKey": s.key}, nil), `"ncrOpen":null`)
	require.NoError(t, act(builder, item, "FIXED"))
	is(item, "REWORK", 1, "0.75")
	_, err = record(item, row("GEN", "1;1;1;1")) // what passed before
	require.NoError(t, err, told(err))
	is(item, "REWORK", 1, "0.75")
	again, err := record(item, row("MAIN", "1;1;1;1"))
	require.NoError(t, err, told(err))
	require.Equal(t, "2", fmt.Sprint(s.get(s.owner, "q_record", again)["round"]), "the round that was begun")
	is(item, "PENDING", 2, "1")
	require.NoError(t, act(supervisor, item, "REVIEWED"))
	is(item, "QUALIFIED", 2, "1")

	// What is begun beside records that count holds the verdict up, and brings no earlier round back.
	var sheet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_biz", in{"qbsId": item, "schemaCode": "q_record", "workflowCode": "q_recordFlow", "required": false})
	})
	draft := func(node string) (id string) {
		s.do(builder, func(ctx context.Context, w world.World) {
			id = s.make(ctx, w, "q_record", in{"qbsId": node, "bizId": sheet, "items": []in{row("MAIN", "1;1")}})
		})
		return id
	}
	begun := draft(item)
	is(item, "PENDING", 2, "1")
	s.do(builder, func(ctx context.Context, w world.World) { require.NoError(t, w.Delete(ctx, "q_record", begun)) })
	is(item, "QUALIFIED", 2, "1")
	s.do(supervisor, func(ctx context.Context, w world.World) { require.NoError(t, w.Delete(ctx, "q_record", again)) })
	is(item, "PENDING", 1, "0.75")
	draft(item) // of what failed
	is(item, "PENDING", 1, "0.75")
	_, err = s.call(builder, "PUT", v2+"/qbs/log", fmt.Sprintf(`{"qbsId": %q, "action": "seen"}`, above))
	refused(t, err, fault.Forbidden) // they see the name of it alone

	// Who is inspected does not make what failed cease to apply.
	_, err = record(other, row("GEN", "20;20"))
	require.NoError(t, err, told(err))
	require.NoError(t, act(builder, other, "FIXED"))
	void := row("GEN", "")
	void["conclusion"], void["remark"] = "NA", "不需要"
	second, err := record(other, void, row("MAIN", "1;1"))
	require.NoError(t, err, told(err))
	is(other, "REWORK", 1, "0")
	rows := s.get(s.owner, "q_record", second)["items"].([]any)
	s.do(supervisor, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_record", second, in{"items": []in{{"id": rows[0].(map[string]any)["id"], "remark": "设计取消"}, {"id": rows[1].(map[string]any)["id"]}}}))
	})
	is(other, "PENDING", 2, "1")
	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}
