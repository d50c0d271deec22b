package httpapi

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestBackground: administrators and the metrics are told what goes on beside requests, and how far it is.
func TestBackground(t *testing.T) {
	w := shared
	type progress struct {
		Kind, Name  string
		Done, Total int64
	}
	const path = "/api/system/background"
	require.NoError(t, w.app.Store().Work(t.Context(), "test", "a <table>", 40, func(ctx context.Context, work *store.Work) error {
		work.Done(10)
		got := w.get(t, administrator, path)
		w.matches(t, "GET", path, got)
		var told []progress
		got.into(t, &told)
		own := told[slices.IndexFunc(told, func(p progress) bool { return p.Kind == "test" })] // the server may still have work of its own
		require.Equal(t, progress{"test", "a <table>", 10, 40}, own)
		require.Equal(t, fault.Forbidden, w.get(t, viewer, path).Errcode)
		text := w.figures(t)
		require.Contains(t, text, `sluice_background_works{kind="test"} 1`)
		require.Contains(t, text, `sluice_background_done{kind="test"} 10`)
		require.Contains(t, text, `sluice_background_total{kind="test"} 40`)
		return nil
	}))
	require.NotContains(t, string(w.get(t, administrator, path).Data), "a <table>")
	require.Contains(t, w.figures(t), `sluice_background_works{kind="index"} `)
}
