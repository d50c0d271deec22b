package quality_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// evaluations: a sheet keeps what its node and the parts were when it was saved; nobody writes that, and a laboratory makes none.
func evaluations(t *testing.T, s *site) {
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	_, err := s.inspect(s.owner, item, "GEN", "1;2;3;4;11")
	require.NoError(t, err)
	var sheet string
	lab, _ := s.firm("evaluations-lab", "R_LAB")
	for who, values := range map[*principal.Principal]in{
		&s.owner: {"evalStatus": "EXCELLENT", "points": "999", "parts": []map[string]any{{"code": "x"}}},
		&lab:     {},
	} {
		values["qbsId"] = unit
		require.Error(t, s.Do(*who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_eval", values)
			return err
		}))
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_eval", map[string]any{"qbsId": unit})
	})
	kept := s.get(s.owner, "q_eval", sheet)
	require.Equal(t, "PENDING", kept["evalStatus"])
	require.Equal(t, "单位", kept["part"])
	require.Equal(t, "UNIT", kept["nodeType"])
	require.Equal(t, "0", fmt.Sprint(kept["ncrOpen"]), "that there are none is known")
	require.True(t, strings.HasPrefix(kept["ruleTitle"].(string), "JTS 257-2008"))
	parts := kept["parts"].([]any)
	require.Len(t, parts, 1)
	require.Subset(t, parts[0], map[string]any{"name": "分项", "evalStatus": "QUALIFIED"})

	_, err = s.inspect(s.owner, item, "MAIN", "1;99")
	require.NoError(t, err)
	require.Equal(t, "UNQUALIFIED", s.eval(item))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_eval", sheet, map[string]any{"opinionText": "自评"}))
	})
	kept = s.get(s.owner, "q_eval", sheet)
	require.Subset(t, kept["parts"].([]any)[0], map[string]any{"evalStatus": "QUALIFIED"}, "what was signed does not change")
	require.Equal(t, "PENDING", kept["evalStatus"])
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", item) })
	refused(t, err, quality.NodeReferenced)
}

// signing: the evaluation of unit works goes to the supervisor, the chief supervisor and the employer, who sign; nobody agrees to what they sent.
func signing(t *testing.T, s *site) {
	n := s.small()
	_, err := s.inspect(s.owner, n.item, "GEN", "1;2;3")
	require.NoError(t, err)
	who := map[string]principal.Principal{}
	departments := map[string]string{}
	for _, role := range []string{"R_CPM", "R_SUP", "R_CSUP", "R_OWNER"} {
		who[role], departments[role] = s.firm("sign-"+role, role)
	}
	contract := s.contract("sign", departments["R_CPM"], departments["R_SUP"])
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.unit, in{"contractId": contract}))
	})
	done := s.begun(who["R_CPM"], "q_evaluation", in{"qbsId": n.unit, "workDate": "2026-11-20", "opinionText": "自评合格"})
	kept := s.get(s.owner, "q_eval", done.Record)
	require.Equal(t, "PENDING", kept["evalStatus"])
	for _, role := range []string{"R_SUP", "R_CSUP", "R_OWNER"} {
		s.sign(who[role])
	}
	require.Equal(t, "COMPLETED", s.get(s.owner, "q_eval", done.Record)["sequenceStatus"])
	refused(t, s.Do(who["R_CPM"], func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_eval", done.Record, in{"opinionText": "优良"})
	}), fault.Forbidden)
}

// sign agrees to the only task that somebody has, with a signature.
func (s *site) sign(who principal.Principal) {
	s.t.Helper()
	open, err := s.Workflows().Items(s.t.Context(), s.View(who), "unfinished", workflow.Search{Size: 50})
	require.NoError(s.t, err)
	require.Len(s.t, open.Content, 1)
	one := workflow.Command{Item: open.Content[0].ID, Do: flow.OpClaim}
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), one)
	require.NoError(s.t, err, told(err))
	one.Do = flow.OpAgree
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), one)
	require.Equal(s.t, fault.SignatureRequired, fault.Of(err))
	one.Signature = s.signature(who)
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), one)
	require.NoError(s.t, err, told(err))
}

// signature is a picture that somebody has uploaded.
func (s *site) signature(who principal.Principal) (id string) {
	s.t.Helper()
	s.do(who, func(ctx context.Context, w world.World) {
		f, err := w.PutFile(ctx, "signature.png", bytes.NewReader(picture(s.t)))
		require.NoError(s.t, err)
		id = f.ID
	})
	return id
}

// picture is a small PNG.
func picture(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 40, 20))))
	return out.Bytes()
}
