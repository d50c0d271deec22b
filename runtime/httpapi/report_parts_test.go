package httpapi

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestReportInParts: when something unforeseen is wrong with one data set of a report, the others are answered with their rows, and the one
// names the request under which the log has the reason.
func TestReportInParts(t *testing.T) {
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	table := w.app.State().Catalog.Model("contract").Table
	require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Exec("ALTER TABLE " + store.Ident(table) + " RENAME TO away").Error
	}))
	r := w.post(t, administrator, "/api/runtime/report/data", `{"reportCode":"progress"}`)
	var told struct {
		DataSets []struct {
			Code  string
			Rows  []any
			Error *jobError
		}
	}
	r.into(t, &told)
	failed, drawn := 0, 0
	for _, set := range told.DataSets {
		if set.Error == nil {
			require.NotEmpty(t, set.Rows, set.Code)
			drawn++
			continue
		}
		failed++
		require.Equal(t, fault.Internal, set.Error.Code)
		require.Contains(t, set.Error.Message, r.Header().Get("X-Request-Id"))
		require.NotContains(t, r.Body.String(), table+" ")
	}
	require.Positive(t, failed)
	require.Positive(t, drawn)
	require.Contains(t, w.log.String(), "no such table")
	w.matches(t, "POST", "/api/runtime/report/data", r)
}
