package quality_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// concession needs the signatures of three roles, each of who has it, and is for the round that failed.
func concession(t *testing.T, s *site) {
	n := s.small()
	sup, supDept := s.firm("concession-sup", "R_CSUP")
	design, _ := s.firm("concession-design", "R_DESIGN")
	builder, labDept := s.firm("concession-builder", "R_CQC")
	assistant, _ := s.firm("concession-assistant", "R_OWNER_COST")
	contract := s.contract("concession", labDept, supDept)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.unit, in{"contractId": contract}))
	})
	sign := func(who principal.Principal, values in) error {
		return s.Do(who, func(ctx context.Context, w world.World) error { return edit(ctx, w, "q_qbs", n.item, values) })
	}
	fill := func(readings string) {
		s.do(builder, func(ctx context.Context, w world.World) {
			s.make(ctx, w, "q_record", in{"qbsId": n.item, "recordKind": "SELF", "items": []in{{"itemId": s.items["MAIN"], "values": readings}}})
		})
	}
	states := func(who principal.Principal) (got struct{ Concession *quality.Concession }) {
		s.must(who, "GET", v2+"/qbs/authority", in{"qbsId": n.item}, &got)
		return got
	}
	by := []string{s.owner.UserID}
	refused(t, sign(s.owner, in{"concessionBy": by}), quality.ConcessionIdle)
	require.Nil(t, states(sup).Concession, "nothing failed")
	fill("60;6")
	require.Equal(t, []bool{true, true, false}, []bool{states(sup).Concession.CanSign, states(s.owner).Concession.CanSign, states(builder).Concession.CanSign})
	refused(t, sign(s.owner, in{"concessionBy": []string{s.owner.UserID, sup.UserID}}), quality.ConcessionOthers)
	refused(t, sign(builder, in{"concessionBy": []string{builder.UserID}}), fault.FieldUnknown)
	require.Error(t, sign(assistant, in{"concessionBy": []string{assistant.UserID}}))
	require.NoError(t, sign(s.owner, in{"concessionBy": by}))
	err := sign(s.owner, in{"concession": true})
	refused(t, err, quality.ConcessionUnsigned)
	require.Contains(t, told(err), "总监理工程师、设计代表")
	require.NotContains(t, told(err), "建设单位")
	refused(t, sign(design, in{"concessionBy": []string{design.UserID}}), quality.ConcessionOthers)
	by = append(by, design.UserID)
	require.NoError(t, sign(design, in{"concessionBy": by}))
	refused(t, sign(s.owner, in{"concession": true}), quality.ConcessionUnsigned)
	require.Equal(t, false, s.get(s.owner, "q_qbs", n.item)["concession"])
	require.Equal(t, &quality.Concession{Parties: []quality.Party{{Role: "R_CSUP", By: []string{}}, {Role: "R_DESIGN", By: []string{design.UserID}}, {Role: "R_OWNER", By: []string{s.owner.UserID}}}, Signed: true}, states(design).Concession)
	three := append(by, sup.UserID)
	require.NoError(t, sign(sup, in{"concessionBy": three}))
	require.Equal(t, true, s.get(s.owner, "q_qbs", n.item)["concession"], "the last signature accepts it")
	require.NoError(t, sign(sup, in{"concessionBy": by}))
	require.Equal(t, false, s.get(s.owner, "q_qbs", n.item)["concession"], "a signature is taken back")
	require.NoError(t, sign(sup, in{"concessionBy": three}))

	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"qbsId": n.item}, 1)
		require.NoError(t, err)
		require.NoError(t, edit(ctx, w, "q_ncr", found[0], in{"status": "FIXED"}))
		require.NoError(t, edit(ctx, w, "q_ncr", found[0], in{"status": "REVIEWED"}))
	})
	require.Equal(t, "QUALIFIED", s.eval(n.item))
	fill("70;6")
	require.Equal(t, "UNQUALIFIED", s.eval(n.item), "the signatures were for the round before")
	now := s.get(s.owner, "q_qbs", n.item)
	require.Equal(t, false, now["concession"])
	require.Empty(t, now["concessionBy"])
}
