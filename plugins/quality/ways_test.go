package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// way is what somebody does who gains from a better verdict. It is refused, or the verdict stays as it was (kept).
type way struct {
	name string
	do   func() error
	kept bool // it may be done, and the verdict stays
}

// try does each way and compares what the nodes are before and after it.
func (s *site) try(t *testing.T, nodes []string, ways []way) {
	t.Helper()
	verdict := func() (out []string) {
		for _, id := range nodes {
			n := s.get(s.owner, "q_qbs", id)
			out = append(out, fmt.Sprint(n["name"], n["evalStatus"], n["round"], n["ncrOpen"], s.lacks(s.owner, id)))
		}
		return out
	}
	for _, w := range ways {
		before := verdict()
		err := w.do()
		if !w.kept {
			if err == nil {
				t.Errorf("%s was not refused", w.name)
			}
		}
		for i, now := range verdict() {
			if now != before[i] {
				t.Errorf("%s: the verdict was %s and is %s", w.name, before[i], now)
			}
		}
		if err != nil {
			t.Logf("%s: %s", w.name, told(err))
		}
	}
}

// edits are the ways to change a record: saved, by the call of the pack, and many at once. route "" = the pack has none.
func (s *site) edits(t *testing.T, who principal.Principal, name, model, route, id string, values in) (out []way) {
	out = append(out, way{name: name + ", saved", do: func() error {
		return s.Do(who, func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) })
	}})
	if route != "" {
		call := in{"id": id}
		for code, v := range values {
			call[code] = v
		}
		s.do(s.owner, func(ctx context.Context, w world.World) {
			now, err := w.Get(ctx, model, id)
			require.NoError(s.t, err)
			call["version"] = now.Version
		})
		out = append(out, way{name: name + ", by the call", do: func() error {
			body, err := json.Marshal(call)
			require.NoError(s.t, err)
			_, err = s.call(who, "PUT", v2+route, string(body))
			return err
		}})
	}
	for code, v := range values {
		out = append(out, way{name: name + ", many at once", kept: true, do: func() error {
			value, err := json.Marshal(v)
			require.NoError(s.t, err)
			out, err := s.Bulk().Run(s.t.Context(), s.View(who), bulk.Request{Kind: bulk.BatchUpdate, Selection: query.SelectionRequest{SchemaCode: model, QueryCode: model, ObjectIDs: []string{id}}, Property: code, Value: value})
			if err == nil {
				t.Logf("%+v", out.Results)
			}
			return err
		}})
	}
	return out
}

// ways: what a contractor tries, alone or with an accomplice, to make a part qualified without the inspection that is due of it.
func ways(t *testing.T, s *site) {
	p := s.parties("ways", 3, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}}})
	var easy, wide, lax string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		set := s.make(ctx, w, "q_due_set", in{"code": "WIDE", "title": "宽", "items": []in{{"itemId": s.items["MAIN"], "devLow": "-99", "devHigh": "99", "itemName": "顶面高程", "itemClass": "MAIN", "evalMethod": "POINT"}},
			"kinds": []in{{"recordKind": "SELF", "judges": "ANY", "workflowCode": "q_lot"}}})
		easy = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "宽的", "nodeType": "ITEM", "dueSetId": set})
		wide = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": easy, "name": "宽批", "nodeType": "LOT"})
		lax = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "另项", "nodeType": "ITEM"})
	})
	good := func(node string) {
		id, err := s.record(p.builder, node, "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
		require.NoError(t, err, told(err))
		require.NoError(t, s.send(p.builder, "q_lot", id))
		require.NoError(t, s.approve(p.supervisor, id, nil))
	}
	good(p.lots[0])
	require.Equal(t, "QUALIFIED", s.eval(p.lots[0]))
	failed, err := s.record(p.builder, p.lots[1], "SELF", s.row("MAIN", "50"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	require.NoError(t, s.send(p.builder, "q_lot", failed))
	require.NoError(t, s.approve(p.supervisor, failed, nil))
	require.Equal(t, "UNQUALIFIED", s.eval(p.lots[1]))
	nodes := append([]string{p.unit, p.item, easy, wide}, p.lots...)
	save := func(who principal.Principal, f func(ctx context.Context, w world.World) error) func() error {
		return func() error { return s.Do(who, f) }
	}
	create := func(who principal.Principal, model string, values in) func() error {
		return save(who, func(ctx context.Context, w world.World) error { _, err := w.Create(ctx, model, values); return err })
	}
	remove := func(who principal.Principal, model, id string) func() error {
		return save(who, func(ctx context.Context, w world.World) error { return w.Delete(ctx, model, id) })
	}

	t.Run("parts", func(t *testing.T) {
		var all []way
		all = append(all, s.edits(t, p.builder, "the failed lot goes to an item that asks less", "q_qbs", "/qbs/edit", p.lots[1], in{"parentId": easy})...)
		all = append(all, s.edits(t, p.builder, "the failed lot goes to the top", "q_qbs", "/qbs/edit", p.lots[1], in{"parentId": nil})...)
		all = append(all, s.edits(t, p.builder, "the unit becomes a division, of which less is due", "q_qbs", "/qbs/edit", p.unit, in{"nodeType": "DIVISION"})...)
		all = append(all, s.edits(t, p.builder, "the item becomes a subdivision", "q_qbs", "/qbs/edit", p.item, in{"nodeType": "SUBDIVISION"})...)
		all = append(all, s.edits(t, p.builder, "the lot has an easy set", "q_qbs", "/qbs/edit", p.lots[1], in{"dueSetId": p.set})...)
		all = append(all,
			way{name: "a lot without an inspection is deleted", do: remove(p.builder, "q_qbs", p.lots[2])},
			way{name: "the failed lot is deleted", do: remove(p.builder, "q_qbs", p.lots[1])},
			way{name: "a lot is deleted by the call", do: func() error {
				out, err := s.call(p.builder, "DELETE", v2+"/qbs/delete", fmt.Sprintf(`{"ids": [%q]}`, p.lots[2]))
				t.Log(out)
				return err
			}, kept: true},
			way{name: "a lot beside the failed one", do: create(p.builder, "q_qbs", in{"projectId": s.project, "parentId": p.item, "name": "新批", "nodeType": "LOT"}), kept: true})
		s.try(t, nodes, all)
	})
	t.Run("records", func(t *testing.T) {
		draft, err := s.record(p.builder, wide, "SELF", s.row("MAIN", "50"))
		require.NoError(t, err, told(err))
		require.Equal(t, "OK", s.get(s.owner, "q_record", draft)["conclusion"])
		all := s.edits(t, p.builder, "a draft that was asked less goes to the lot", "q_record", "", draft, in{"qbsId": p.lots[2]})
		all = append(all, s.edits(t, p.builder, "readings of the failed record", "q_record", "", failed, in{"items": []in{}})...)
		for _, code := range []string{"state", "signedBy", "party", "judgedItems", "round", "conclusion"} {
			all = append(all, s.edits(t, p.builder, "computed "+code, "q_record", "", draft, in{code: "1"})...)
		}
		all = append(all,
			way{name: "the failed record is deleted", do: remove(p.builder, "q_record", failed)},
			way{name: "the next round without a repair", do: create(p.builder, "q_record", in{"qbsId": p.lots[1], "items": []in{s.row("MAIN", "1")}})},
			way{name: "the failed record is sent for approval again", do: func() error { return s.send(p.builder, "q_lot", failed) }},
			way{name: "the failed record is sent with other readings", do: func() error {
				data := map[string]json.RawMessage{"inspector": json.RawMessage(`null`)}
				_, err := s.Workflows().Start(t.Context(), s.View(p.builder), workflow.Start{Workflow: "q_lot", Record: failed, Data: data})
				return err
			}})
		s.try(t, nodes, all)
	})
	t.Run("actions", func(t *testing.T) {
		var action string
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Find(ctx, "q_ncr", in{"recordId": failed}, 2)
			require.NoError(t, err)
			require.Len(t, found, 1)
			action = found[0]
		})
		all := s.edits(t, p.builder, "the action goes to another part", "q_ncr", "", action, in{"qbsId": lax})
		all = append(all, s.edits(t, p.builder, "the action forgets its record", "q_ncr", "", action, in{"recordId": nil})...)
		all = append(all, s.edits(t, p.builder, "the action is closed", "q_ncr", "", action, in{"status": "REVIEWED"})...)
		all = append(all, way{name: "the action is deleted", do: remove(p.builder, "q_ncr", action)})
		s.try(t, nodes, all)

		// An action that somebody opens before the inspection fails does not stand for the one that is due.
		other, err := s.record(p.builder, lax, "SELF", in{"itemId": s.items["MAIN"], "values": ""})
		require.NoError(t, err, told(err))
		require.Equal(t, "DRAFT", s.get(s.owner, "q_record", other)["state"])
		s.try(t, nodes, []way{{name: "an action of a record elsewhere", do: create(p.builder, "q_ncr", in{"qbsId": easy, "recordId": other, "description": "x"})},
			{name: "an action of a record here", do: create(p.builder, "q_ncr", in{"qbsId": lax, "recordId": other, "description": "x"})}})
	})
}
