package printing_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const address = "https://lock.example.com"

// world is the product with the pack of testdata, with a worker.
type world struct {
	testing.TB
	app   *app.App
	clock time.Time
	ids   map[string]string // people by name
	dir   string            // of its files
}

var demo = apptest.Of(plugintest.Register, "testdata/demo")

// each runs a test on both databases, with a person of each role.
func each(t *testing.T, f func(w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		f(openWorld(t, o))
	})
}

func openWorld(t *testing.T, o store.Options) *world {
	t.Helper()
	w := &world{TB: t, clock: time.Date(2026, 11, 26, 1, 2, 3, 0, time.UTC), ids: map[string]string{}, dir: o.Dir}
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
		Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: func() time.Time { return w.clock }, Workers: 1, Address: address,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	w.app = a
	for _, name := range []string{"clerk", "own", "reader"} {
		w.ids[name], err = a.AddUser(t.Context(), name, name, []string{name})
		require.NoError(t, err)
	}
	return w
}

func (w *world) as(name string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), w.ids[name])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = "zh"
	return w.app.State().Policy.View(p, w.clock, w.app.Zone())
}

// everything is a view of all records.
func (w *world) everything() *authz.View {
	return w.app.State().Policy.View(principal.System("test"), w.clock, w.app.Zone())
}

// save adds a record, or changes one.
func (w *world) save(name, id string, version int64, data string) record.Saved {
	w.Helper()
	var set map[string]json.RawMessage
	require.NoError(w, json.Unmarshal([]byte(data), &set))
	saved, err := w.app.Writer().Save(w.Context(), w.as(name), record.Change{Model: "sheet", ID: id, Version: &version, Set: set})
	require.NoError(w, err)
	return saved
}

func of(code string, ids ...string) printing.Request {
	return printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "sheet", ObjectIDs: ids}, Template: code}
}

// ended waits for a batch and gives its file.
func (w *world) ended(name, id string) (exporter.Task, []byte, error) {
	w.Helper()
	for range 6000 {
		t, err := w.app.Exports().Progress(w.Context(), w.as(name), id)
		require.NoError(w, err)
		if t.State == exporter.Done {
			_, r, err := w.app.Exports().File(w.Context(), w.as(name), id)
			if err != nil {
				return t, nil, err
			}
			defer func() { _ = r.Close() }()
			file, err := io.ReadAll(r)
			return t, file, err
		}
		if t.Ended() {
			return t, nil, fault.New(t.Code)
		}
		time.Sleep(5 * time.Millisecond)
	}
	w.Fatal("the batch does not end")
	return exporter.Task{}, nil, nil
}
