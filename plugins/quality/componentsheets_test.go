package quality_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// ofComponents: a sheet that is bound to a component counts at the node of the component, is told with the component, and goes with it
// while nobody has begun it.
func ofComponents(t *testing.T, s *site) {
	n := s.small()
	c := s.components("O-1", "O-2", "O-3")
	bind := func(id string) in {
		return in{"ownerType": "MBS", "ownerIds": []string{id}, "sheets": []in{{"schemaCode": "q_work", "bizKind": "RECORD", "required": true}, {"schemaCode": "q_hidden", "bizKind": "HIDDEN", "required": true}}}
	}
	refused(t, s.fails(s.owner, "POST", v2+"/bizsheet/bind", bind(c["O-1"])), quality.ComponentPlace)
	refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "q_biz", in{"ownerType": "MBS", "qbsId": n.item, "schemaCode": "q_work"})
		return err
	}), fault.FieldRequired)
	s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.item, "mbsIds": []string{c["O-1"]}, "mode": "bind"}, nil)
	var made struct {
		IDs     []string
		Skipped int
	}
	s.must(s.owner, "POST", v2+"/bizsheet/bind", bind(c["O-1"]), &made)
	require.Len(t, made.IDs, 2)
	again := made
	s.must(s.owner, "POST", v2+"/bizsheet/bind", bind(c["O-1"]), &again)
	require.Equal(t, []int{0, 2}, []int{len(again.IDs), again.Skipped})
	sheets := func(owner, id string) (out []quality.Sheet) {
		s.must(s.owner, "GET", v2+"/bizsheet/bind", in{"ownerType": owner, "ownerId": id}, &out)
		return out
	}
	require.Len(t, sheets("MBS", c["O-1"]), 2)
	total := func(node string) (out [2]int64) {
		var tree []*quality.TreeNode
		s.must(s.owner, "GET", v2+"/qbs/complete/tree", in{"projectKey": s.key, "rootId": node}, &tree)
		return [2]int64{tree[0].Status.Sheets.Total, tree[0].Status.Sheets.Done}
	}
	require.Equal(t, [2]int64{2, 0}, total(n.item))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		s.make(ctx, w, "q_work", in{"bizId": made.IDs[0], "content": "浇筑"})
	})
	require.Equal(t, [2]int64{2, 1}, total(n.item))
	var info struct {
		Sheets []quality.Sheet
		Qbs    struct{ ID string }
	}
	s.must(s.owner, "GET", v2+"/mbsInfo", in{"mbsId": c["O-1"]}, &info)
	status := map[string]string{}
	for _, one := range info.Sheets {
		status[one.SchemaCode] = one.Status
	}
	require.Equal(t, map[string]string{"q_work": "COMPLETED", "q_hidden": "NONE"}, status)

	s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{c["O-1"]}, "mode": "replace"}, nil)
	require.Equal(t, [][2]int64{{1, 1}, {1, 0}}, [][2]int64{total(n.item), total(n.other)}, "what was filled in stays, and what nobody has begun goes with the component")

	for _, at := range []string{n.item, n.other} {
		s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": at, "mbsIds": []string{c["O-2"]}, "mode": "bind", "ratio": 0.5}, nil)
	}
	refused(t, s.fails(s.owner, "POST", v2+"/bizsheet/bind", bind(c["O-2"])), quality.ComponentPlace)
	of := bind(c["O-2"])
	of["qbsId"] = n.unit
	refused(t, s.fails(s.owner, "POST", v2+"/bizsheet/bind", of), quality.ComponentPlace)
	of["qbsId"] = n.other
	s.must(s.owner, "POST", v2+"/bizsheet/bind", of, nil)
	require.Equal(t, [2]int64{3, 0}, total(n.other))

	// A component that leaves a node takes along what nobody has begun: to the other node that it is in, or away until it is bound again.
	unbind := func(at, id string) {
		require.JSONEq(t, `{"count": 1}`, s.must(s.owner, "POST", v2+"/mbs/unbind", in{"qbsId": at, "mbsIds": []string{id}}, nil))
	}
	unbind(n.other, c["O-2"])
	require.Equal(t, [][2]int64{{3, 1}, {1, 0}}, [][2]int64{total(n.item), total(n.other)})
	unbind(n.item, c["O-2"])
	require.Equal(t, [][2]int64{{1, 1}, {1, 0}}, [][2]int64{total(n.item), total(n.other)})
	require.Empty(t, sheets("MBS", c["O-2"]))
	hidden := sheets("QBS", n.other)[0].ID
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_biz", hidden, in{"active": false}))
	})
	unbind(n.other, c["O-1"])
	for _, id := range []string{c["O-1"], c["O-2"]} {
		s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": n.other, "mbsIds": []string{id}, "mode": "bind"}, nil)
	}
	require.Equal(t, [][2]int64{{1, 1}, {2, 0}}, [][2]int64{total(n.item), total(n.other)}, "what somebody switched off stays off")

	// The contractor does not take a component away that has sheets which somebody else asks for.
	p := s.parties("carried", 2, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	s.must(s.owner, "PUT", v2+"/mbs/edit", in{"qbsId": p.lots[0], "mbsIds": []string{c["O-3"]}, "mode": "bind"}, nil)
	s.must(s.owner, "POST", v2+"/bizsheet/bind", bind(c["O-3"]), nil)
	refused(t, s.fails(p.builder, "POST", v2+"/mbs/unbind", in{"qbsId": p.lots[0], "mbsIds": []string{c["O-3"]}}), quality.AskedStays)
	refused(t, s.fails(p.builder, "PUT", v2+"/mbs/edit", in{"qbsId": p.lots[1], "mbsIds": []string{c["O-3"]}, "mode": "replace"}), quality.AskedStays)
	refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error {
		found, err := w.Find(ctx, "q_qbs_mbs", in{"mbsId": c["O-3"]}, 1)
		require.NoError(t, err)
		return edit(ctx, w, "q_qbs_mbs", found[0], in{"qbsId": p.lots[1]})
	}), quality.AskedStays)
}
