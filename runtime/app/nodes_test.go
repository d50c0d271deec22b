package app_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestNodes: each process that serves is listed with its version and last errors, also on another node, until it ends.
func TestNodes(t *testing.T) {
	t.Parallel()
	apptest.Of(plugintest.Register).Each(t, func(t *testing.T, o store.Options) {
		start := func(version string) (*app.App, *app.Recent) {
			set := &pack.Set{}
			require.NoError(t, plugintest.Register(set))
			set.Freeze()
			recent := app.NewRecent(slog.DiscardHandler)
			a, err := app.Open(t.Context(), app.Config{Documents: app.Documents{Set: set, Zone: time.UTC}, Dir: o.Dir, URL: o.URL, Clock: time.Now, Serving: true,
				Version: version, Workers: 1, Log: slog.New(recent), Recent: recent})
			require.NoError(t, err)
			return a, recent
		}
		until := func(a *app.App, n int) (nodes []app.Node) {
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				var err error
				nodes, err = a.Nodes(t.Context())
				require.NoError(t, err)
				if len(nodes) == n {
					return nodes
				}
			}
			t.Fatalf("there are %d nodes", len(nodes))
			return nil
		}
		one, recent := start("1.0.0")
		defer func() { require.NoError(t, one.Close()) }()
		slog.New(recent).With("x", 1).Error("it broke\nhere", "error", errors.New("boom"), "error2", "left out", "request", secret.Text("hidden"))
		slog.New(recent).Error("set aside", "code", "PUB004", "at", "models/part.json:1:1")
		slog.New(recent).Error("request", "id", "R-7", "method", "POST", "route", "/api/runtime/query/list", "status", 503, "ms", 1.5)
		slog.New(recent).Warn("no error")
		nodes := until(one, 1)
		require.True(t, nodes[0].Here)
		require.Equal(t, "1.0.0", nodes[0].Version)
		require.Len(t, nodes[0].Errors, 3)
		require.Equal(t, "id=R-7 method=POST route=/api/runtime/query/list status=503", nodes[0].Errors[0].More, "which request")
		require.Equal(t, "code=PUB004 at=models/part.json:1:1", nodes[0].Errors[1].More, "which document")
		require.Equal(t, "it broke here", nodes[0].Errors[2].Text)
		require.Equal(t, "error=boom request=***", nodes[0].Errors[2].More)
		space, err := one.Space(t.Context())
		require.NoError(t, err)
		require.Positive(t, space.Bytes)
		if o.URL == "" {
			return // one process serves SQLite
		}
		two, _ := start("1.0.1")
		for _, n := range until(one, 2) {
			require.Equal(t, n.Version == "1.0.0", n.Here)
			require.WithinDuration(t, time.Now(), n.Seen, time.Minute)
		}
		require.NoError(t, two.Close())
		until(one, 1)
	})
}
