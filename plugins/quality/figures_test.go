package quality_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// facts are what somebody sees of a project, counted from the records themselves.
type facts struct {
	byState map[string]map[string]int
	sheets  quality.Done // of the nodes that are seen
	lots    quality.Done
	open    int64
	items   map[string][4]int64 // by check item: records, points, points passed, open corrective actions of records in which it failed
	seen    int
}

// all reads the records of a model by one property.
func (s *site) all(ctx context.Context, w world.World, model, property string, of []string) (out []world.Record) {
	for _, one := range of {
		found, err := w.Find(ctx, model, in{property: one}, world.All)
		require.NoError(s.t, err)
		for _, id := range found {
			r, err := w.Get(ctx, model, id)
			require.NoError(s.t, err)
			out = append(out, r)
		}
	}
	return out
}

func (s *site) facts(who principal.Principal) facts {
	out := facts{byState: map[string]map[string]int{}, items: map[string][4]int64{}}
	id := func(v any) string { m, _ := v.(map[string]any); id, _ := m["id"].(string); return id }
	s.do(who, func(ctx context.Context, w world.World) {
		parents, shown := map[string]bool{}, []string{}
		nodes := s.all(ctx, w, "q_qbs", "projectId", []string{s.project})
		for _, n := range nodes {
			parents[id(n.Values["parentId"])] = true
			if state, ok := n.Values["evalStatus"].(string); ok && state != "" {
				shown = append(shown, n.ID)
				level := n.Values["nodeType"].(string)
				if out.byState[level] == nil {
					out.byState[level] = map[string]int{}
				}
				out.byState[level][state]++
			}
		}
		out.seen = len(shown)
		due := map[string]*quality.Done{}
		for _, b := range s.all(ctx, w, "q_biz", "qbsId", shown) {
			at := id(b.Values["qbsId"])
			if due[at] == nil {
				due[at] = &quality.Done{}
			}
			if b.Values["active"] == true && b.Values["required"] == true {
				due[at].Total++
				out.sheets.Total++
				if b.Values["status"] == "COMPLETED" {
					due[at].Done++
					out.sheets.Done++
				}
			}
		}
		for _, n := range nodes {
			if state, _ := n.Values["evalStatus"].(string); state == "" || parents[n.ID] {
				continue
			}
			has := due[n.ID]
			if n.Values["nodeType"] == "LOT" || has != nil && has.Total > 0 {
				out.lots.Total++
				if has != nil && has.Total > 0 && has.Done == has.Total {
					out.lots.Done++
				}
			}
		}
		open := map[string]int64{}
		for _, a := range s.all(ctx, w, "q_ncr", "qbsId", shown) {
			if a.Values["status"] != "REVIEWED" {
				out.open++
				open[id(a.Values["recordId"])]++
			}
		}
		for _, r := range s.all(ctx, w, "q_record", "qbsId", shown) {
			rows, _ := r.Values["items"].([]any)
			for _, row := range rows {
				v := row.(map[string]any)
				sum := out.items[id(v["itemId"])]
				sum[0]++
				sum[1] += count(v["points"])
				sum[2] += count(v["okPoints"])
				if v["conclusion"] == "NOT_OK" {
					sum[3] += open[r.ID]
				}
				out.items[id(v["itemId"])] = sum
			}
		}
	})
	return out
}

func count(v any) (n int64) {
	_, _ = fmt.Sscan(fmt.Sprint(v), &n)
	return n
}

// figures: sums of calls are those of the records themselves, for the owner and for a contractor who sees a part; what is hidden is in none.
func figures(t *testing.T, s *site) {
	r := rand.New(rand.NewPCG(43, 4))
	firm, department := s.firm("figures", "R_CQC")
	stranger, _ := s.firm("figures-none", "R_CQC")
	contract := s.contract("FIGURES", department, department)
	template := s.template("FIGURES")
	var lots []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for i, own := range []bool{true, false, true} {
			unit := in{"projectId": s.project, "nodeType": "UNIT", "name": "单位", "code": fmt.Sprint("F", i)}
			if own {
				unit["contractId"] = contract
			}
			of := s.make(ctx, w, "q_qbs", unit)
			for range 2 {
				item := s.node(ctx, w, of, "ITEM", "分项")
				for range 1 + r.IntN(3) {
					lots = append(lots, s.node(ctx, w, item, "LOT", "批"))
				}
			}
		}
	})
	for _, lot := range lots {
		if r.IntN(2) == 0 {
			s.must(s.owner, "POST", v2+"/qbs/jbs", in{"qbsIds": []string{lot}, "jbsBaseId": template}, nil)
			if r.IntN(2) == 0 {
				s.do(s.owner, func(ctx context.Context, w world.World) {
					found, err := w.Find(ctx, "q_biz", in{"qbsId": lot, "schemaCode": "q_work"}, 1)
					require.NoError(t, err)
					s.make(ctx, w, "q_work", in{"bizId": found[0], "qbsId": lot, "content": "x"})
				})
			}
		} else if r.IntN(2) == 0 { // points of the main item that fail, and of the other one that pass
			s.do(s.owner, func(ctx context.Context, w world.World) {
				s.make(ctx, w, "q_record", in{"qbsId": lot, "recordKind": "SELF", "inspector": s.owner.UserID, "checkDate": "2026-03-01",
					"items": []in{{"itemId": s.items["GEN"], "values": "1;2;3"}, {"itemId": s.items["MAIN"], "values": []string{"1;2", "1;99"}[r.IntN(2)]}}})
			})
		}
	}
	for _, who := range []principal.Principal{s.owner, firm, stranger} {
		want := s.facts(who)
		var got quality.ProjectStatistics
		s.must(who, "GET", v2+"/analyse/project", in{"projectKey": s.key}, &got)
		require.Equal(t, want.byState, got.Nodes, who.Name)
		if want.seen == 0 {
			require.Nil(t, got.Sheets)
			require.Nil(t, got.Lots)
			require.Nil(t, got.NCROpen)
			continue
		}
		require.Equal(t, []any{want.sheets, want.lots, want.open}, []any{*got.Sheets, *got.Lots, *got.NCROpen}, who.Name)
		var items []quality.ItemStatistic
		s.must(who, "GET", check+"/item/group/statistic", in{"projectKey": s.key}, &items)
		found := map[string][4]int64{}
		for _, one := range items {
			require.NotNil(t, one.NCROpen)
			sum := found[one.ItemID]
			for i, v := range []int64{one.Records, one.Points, one.OKPoints, *one.NCROpen} {
				sum[i] += v
			}
			found[one.ItemID] = sum
		}
		require.Equal(t, want.items, found, who.Name)
		var nodes quality.NodeStatistics
		s.must(who, "GET", v2+"/analyse/node", in{"projectKey": s.key}, &nodes)
		leaves := 0
		for _, n := range want.byState["LOT"] {
			leaves += n
		}
		require.Equal(t, leaves, nodes.Self.Total)
	}
	all := s.facts(s.owner)
	require.Positive(t, all.open)
	require.Less(t, all.lots.Done, all.lots.Total)
	require.Greater(t, all.seen, s.facts(firm).seen)
}
