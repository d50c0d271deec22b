package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestCountsOfApplications: the counts are those of the lists, of one application where it is named.
func TestCountsOfApplications(t *testing.T) {
	each(t, func(w *world) {
		w.start("ann", 5)
		for app, want := range map[string]int64{"": 1, "other": 0} {
			counts, err := w.flows().Counts(w.Context(), w.as("sue"), app)
			require.NoError(w, err)
			require.Equal(w, workflow.Counts{Unfinished: want}, counts, app)
			page, err := w.flows().Items(w.Context(), w.as("sue"), "unfinished", workflow.Search{App: app, Size: 5})
			require.NoError(w, err)
			require.Equal(w, want, page.Total, app)
		}
	})
}
