package quality_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
)

// follows: what belongs to a node belongs to the contract that the node has now, whenever the node got it: its contractor sees it, and nobody of the
// contract before.
func follows(t *testing.T, s *site) {
	before, befores := s.firm("follows-before", "R_CQC")
	after, afters := s.firm("follows-after", "R_CQC")
	supervisor, supervisors := s.firm("follows-supervisor", "R_SUP")
	first, second := s.contract("follows-1", befores, supervisors), s.contract("follows-2", afters, supervisors)
	var unit, item string
	parts := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "follows", "name": "闸首", "nodeType": "UNIT"})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
		parts["q_jbs"] = s.make(ctx, w, "q_jbs", in{"qbsId": item, "code": "1", "title": "浇筑"})
		parts["q_biz"] = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": item, "jbsId": parts["q_jbs"], "schemaCode": "q_work"})
		for model, values := range map[string]in{"q_ncr": {"description": "裂缝"}, "q_hidden": {"content": "钢筋"}, "q_work": {"content": "浇筑"}, "q_setout": {}, "q_eval": {},
			"q_doccheck": {"items": []in{{"document": "试验报告"}}}, "q_appearance": {"items": []in{{"item": "平整", "full": "20"}}}, "q_record": {"items": []in{{"itemId": s.items["GEN"], "values": "1"}}}} {
			values["qbsId"] = item
			parts[model] = s.make(ctx, w, model, values)
		}
	})
	of := func(contract string, sees ...principal.Principal) {
		t.Helper()
		for model, id := range parts {
			got := s.get(s.owner, model, id)["contractId"]
			if contract == "" {
				require.Nil(t, got, model)
			} else {
				require.Contains(t, fmt.Sprint(got), contract, model)
			}
			for _, who := range []principal.Principal{before, after, supervisor} {
				want := 0
				for _, one := range sees {
					if one.UserID == who.UserID {
						want = 1
					}
				}
				s.do(who, func(ctx context.Context, w world.World) {
					found, err := w.Find(ctx, model, in{"qbsId": item}, 9)
					require.NoError(t, err)
					require.Len(t, found, want, model+" of "+who.Name)
				})
			}
		}
	}
	give := func(node string, values in) {
		t.Helper()
		s.do(s.owner, func(ctx context.Context, w world.World) { require.NoError(t, edit(ctx, w, "q_qbs", node, values)) })
	}
	of("")
	give(unit, in{"contractId": first}) // which its parts had none of
	of(first, before, supervisor)
	give(unit, in{"contractId": second})
	of(second, after, supervisor)
	var other string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		other = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "follows-2", "name": "闸室", "nodeType": "UNIT", "contractId": first})
	})
	give(item, in{"parentId": other, "contractId": nil})
	of(first, before, supervisor)
	give(item, in{"parentId": unit}) // what it has from above it has from where it is
	of(second, after, supervisor)
}
