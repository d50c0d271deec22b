package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
)

// TestTellsAddress: a server with codes on paper that does not know its address says so when it starts, by template.
func TestTellsAddress(t *testing.T) {
	for address, told := range map[string]bool{"": true, "https://lock.example.com": false} {
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		var log bytes.Buffer
		a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"../printing/testdata/demo"}, Zone: time.UTC}, Dir: t.TempDir(), Version: apptest.Version,
			Clock: time.Now, Serving: true, Address: address, Log: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, err)
		require.NoError(t, a.Close())
		require.Equal(t, told, bytes.Contains(log.Bytes(), []byte("--public-url")), log.String())
		require.Equal(t, told, bytes.Contains(log.Bytes(), []byte(`templates="[sheet z_sums z_told zz_own]"`)))
	}
}
