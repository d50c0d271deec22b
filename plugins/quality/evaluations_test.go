package quality_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// evaluations: a sheet keeps what its node and the parts were when it was saved, whatever somebody writes into it.
func evaluations(t *testing.T, s *site) {
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	_, err := s.inspect(s.owner, item, "GEN", "1;2;3;4;11")
	require.NoError(t, err)
	var sheet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_eval", map[string]any{"qbsId": unit, "evalStatus": "EXCELLENT", "points": "999", "parts": []map[string]any{{"code": "x"}}})
	})
	kept := s.get(s.owner, "q_eval", sheet)
	require.Equal(t, "PENDING", kept["evalStatus"], "what was written by hand does not count")
	require.Equal(t, "单位", kept["part"])
	require.Equal(t, "UNIT", kept["nodeType"])
	require.True(t, strings.HasPrefix(kept["ruleTitle"].(string), "JTS 257-2008"))
	parts := kept["parts"].([]any)
	require.Len(t, parts, 1)
	require.Subset(t, parts[0], map[string]any{"name": "分项", "evalStatus": "QUALIFIED"})

	_, err = s.inspect(s.owner, item, "MAIN", "1;99")
	require.NoError(t, err)
	require.Equal(t, "UNQUALIFIED", s.eval(item))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_eval", sheet, map[string]any{"opinionText": "自评", "evalStatus": "QUALIFIED"}))
	})
	kept = s.get(s.owner, "q_eval", sheet)
	require.Subset(t, kept["parts"].([]any)[0], map[string]any{"evalStatus": "QUALIFIED"}, "what was signed does not change")
	require.Equal(t, "PENDING", kept["evalStatus"])
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", item) })
	refused(t, err, quality.NodeReferenced)
}
