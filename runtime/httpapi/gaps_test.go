package httpapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/pagegrid"
)

// TestNoGaps: whatever somebody does not see of the example's first page and report, the rest fills its rows from side to side.
func TestNoGaps(t *testing.T) {
	full := func(boxes []pagegrid.Box, what string) {
		t.Helper()
		covered := map[int]int{}
		for i, b := range boxes {
			for j := range i {
				require.False(t, b.Meets(boxes[j]), "%s: %v and %v", what, b, boxes[j])
			}
			for y := range b.Height {
				covered[b.Y+y] += b.Width
			}
		}
		for y, width := range covered {
			require.Equal(t, pagegrid.Columns, width, "%s: row %d of %v", what, y, boxes)
		}
	}
	fewer := 0
	var every int
	for _, who := range []string{administrator, viewer, "dengxiuying", "songyuqing", "linguodong"} {
		var page struct{ Widgets []pagegrid.Box }
		shared.get(t, who, "/api/runtime/portal/get?portalCode=defaultPortalDashboard").into(t, &page)
		full(page.Widgets, "page of "+who)
		if who == administrator {
			every = len(page.Widgets)
		} else if len(page.Widgets) < every {
			fewer++
		}
		var report struct{ Charts []pagegrid.Placed }
		shared.get(t, who, "/api/runtime/report/get?reportCode=progress").into(t, &report)
		full(pagegrid.Layout(report.Charts), "report of "+who)
	}
	require.Positive(t, fewer, "somebody sees less than all")
	var charts struct{ Charts []map[string]json.RawMessage }
	shared.get(t, administrator, "/api/runtime/report/get?reportCode=progress").into(t, &charts)
	require.NotContains(t, charts.Charts[0], "x", "who sees all has the document as it is")
}
