package app_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/store"
)

// embedded is a database on which the packs of the program have been opened.
var embedded = apptest.Of(plugintest.Register)

func config(t testing.TB, o store.Options, dirs ...string) app.Config {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	return app.Config{Documents: app.Documents{Set: set, Dirs: dirs, Zone: time.FixedZone("CST", 8*3600)}, URL: o.URL, Dir: o.Dir, Readers: 1,
		SetupSecret: "the secret", Version: apptest.Version, Clock: time.Now, Log: slog.New(slog.DiscardHandler)}
}

// during opens a system, uses it and closes it.
func during(t *testing.T, c app.Config, f func(a *app.App)) {
	t.Helper()
	a, err := app.Open(t.Context(), c)
	require.NoError(t, err)
	f(a)
	require.NoError(t, a.Close())
}

// desk writes a pack of one model and returns its folder.
func desk(t *testing.T, properties ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "desk")
	for name, text := range map[string]string{
		"pack.json":          `{"code": "desk", "name": "工单", "version": "1.0.0"}`,
		"access/agent.json":  `{"name": "坐席", "models": [{"schemaCode": "ticket", "actions": ["view", "add"], "rows": "all"}]}`,
		"models/ticket.json": `{"name": "工单", "properties": [` + strings.Join(properties, ",\n") + `]}`,
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

const (
	name   = `{"code": "name", "propertyType": "ShortText", "name": "名称"}`
	note   = `{"code": "note", "propertyType": "LongText", "name": "备注"}`
	remark = `{"code": "remark", "renamedFrom": "note", "propertyType": "LongText", "name": "备注"}`
)

// TestLife opens, closes and opens again, with other definitions and with none.
func TestLife(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		first := desk(t, name, note)
		during(t, config(t, o, first), func(a *app.App) {
			require.NoError(t, a.Ready(ctx))
			needed, err := a.Auth().SetupNeeded(ctx)
			require.NoError(t, err)
			require.True(t, needed)
			_, err = a.AddUser(ctx, "li.na", "李娜", []string{"agent"})
			require.NoError(t, err)
			_, err = a.AddUser(ctx, "LI.NA", "李娜", nil)
			require.Equal(t, fault.UserExists, fault.Of(err))
			_, err = a.AddUser(ctx, "x", "x", []string{"none"})
			require.Equal(t, fault.RoleNotFound, fault.Of(err))
		})

		// Commands that work on people need none of the definitions, and change no table.
		attached := config(t, o)
		attached.Attach = true
		during(t, attached, func(a *app.App) {
			id, err := a.AddUser(ctx, "wang", "王", []string{"agent"})
			require.NoError(t, err)
			made, err := a.SetPassword(ctx, "wang", "", true)
			require.NoError(t, err)
			require.Len(t, made, 16)
			person, ok := a.People().Person(ctx, id)
			require.True(t, ok)
			require.Equal(t, []string{"agent"}, person.Roles)
			_, err = a.SetPassword(ctx, "nobody", "", true)
			require.Equal(t, fault.UserNotFound, fault.Of(err))
			dirs, err := app.RememberedPacks(ctx, a.Store())
			require.NoError(t, err)
			require.Equal(t, []string{first}, dirs, "they are remembered as they were")
		})

		// A rename needs a person; nothing is changed until one says so.
		second := desk(t, name, remark)
		_, err := app.Open(ctx, config(t, o, second))
		var blocked *app.Blocked
		require.ErrorAs(t, err, &blocked)
		require.Contains(t, err.Error(), filepath.Join(second, "models", "ticket.json")+":2:")
		during(t, config(t, o, first), func(a *app.App) {
			require.NotNil(t, a.State().Catalog.Model("ticket").Field("note"))
			needed, err := a.Auth().SetupNeeded(ctx)
			require.NoError(t, err)
			require.False(t, needed)
		})
		dev := config(t, o, second)
		dev.Dev = true
		during(t, dev, func(a *app.App) { require.NotNil(t, a.State().Catalog.Model("ticket").Field("remark")) })
	})
}

func TestFaulty(t *testing.T) {
	t.Parallel()
	o := store.Options{Dir: t.TempDir()}
	_, err := app.Open(t.Context(), config(t, o, desk(t, strings.Replace(name, "ShortText", "NoSuchType", 1))))
	var faulty *app.Faulty
	require.ErrorAs(t, err, &faulty)
	require.True(t, faulty.List.HasErrors())
	_, err = app.Open(t.Context(), config(t, o, filepath.Join(o.Dir, "nowhere")))
	require.ErrorContains(t, err, "there is no folder")
}

// TestReload: a catalog is swapped as a whole, or not at all.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := desk(t, name)
	model := filepath.Join(dir, "models", "ticket.json")
	during(t, config(t, store.Options{Dir: embedded.SQLite(t)}, dir), func(a *app.App) {
		before := a.State()
		list, err := a.Reload(t.Context())
		require.NoError(t, err)
		require.False(t, list.HasErrors())
		require.Same(t, before, a.State(), "nothing changed")

		require.NoError(t, os.WriteFile(model, []byte(`{"name": "工单", "properties": [{}]}`), 0o644))
		list, err = a.Reload(t.Context())
		require.NoError(t, err)
		require.True(t, list.HasErrors())
		require.Same(t, before, a.State())

		require.NoError(t, os.WriteFile(model, []byte(`{"name": "工单", "properties": [`+name+`,`+note+`]}`), 0o644))
		events, leave := a.Events().Join("somebody")
		defer leave()
		next := func() app.Event {
			for {
				if e := <-events; e.Name != "message" { // the number of unread ones comes when it comes
					return e
				}
			}
		}
		require.Equal(t, "diagnostics", next().Name, "who joins late hears of faults that stand")
		_, err = a.Reload(t.Context())
		require.NoError(t, err)
		require.NotSame(t, before, a.State())
		require.Nil(t, before.Catalog.Model("ticket").Field("note"), "requests under way keep their catalog")
		require.Equal(t, app.Event{Name: "catalog", Data: `"` + a.State().Catalog.Digest + `"`}, next())
		require.Equal(t, app.Event{Name: "diagnostics", Data: "[]"}, next(), "behind the catalog: a page forgets what was wrong with the one before")

		require.NoError(t, os.WriteFile(model, []byte(`{"name": "工单", "properties": [`+name+`]}`), 0o644))
		serving := a.State()
		list, err = a.Reload(t.Context())
		require.NoError(t, err)
		require.True(t, list.HasErrors(), "what would lose data waits")
		require.Same(t, serving, a.State())
	})
}

// TestWatch: what was saved before the folder is watched is served too, and nothing is reported where nothing changed.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := desk(t, name)
	during(t, config(t, store.Options{Dir: embedded.SQLite(t)}, dir), func(a *app.App) {
		text := `{"name": "工单", "properties": [` + name + `,` + note + `]}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, "models", "ticket.json"), []byte(text), 0o644))
		for _, changes := range []bool{true, false} {
			ctx, stop := context.WithCancel(t.Context())
			reported, ended := make(chan error, 1), make(chan error, 1)
			go func() { ended <- a.Watch(ctx, func(_ diag.List, err error) { reported <- err }) }()
			if changes {
				require.NoError(t, <-reported)
				require.NotNil(t, a.State().Catalog.Model("ticket").Field("note"))
			}
			stop()
			require.NoError(t, <-ended)
			require.Empty(t, reported)
		}
	})
}

// TestFailedReload: when a pack's data is refused, everything goes on with the old catalog.
func TestFailedReload(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		dir := desk(t, name)
		during(t, config(t, o, dir), func(a *app.App) {
			before := a.State()
			require.Same(t, before.Catalog, a.People().Catalog())
			data := filepath.Join(dir, "data", "ticket.json")
			require.NoError(t, os.MkdirAll(filepath.Dir(data), 0o755))
			require.NoError(t, os.WriteFile(data, []byte(`{"key": ["name"], "rows": [{"name": "x", "parent": "nowhere"}]}`), 0o644))
			model := filepath.Join(dir, "models", "ticket.json")
			parent := `{"code": "parent", "propertyType": "RelevanceForm", "name": "上级", "relativeCode": "ticket"}`
			require.NoError(t, os.WriteFile(model, []byte(`{"name": "工单", "properties": [`+name+`,`+parent+`]}`), 0o644))
			list, err := a.Reload(t.Context())
			require.False(t, list.HasErrors(), "%v", list)
			require.ErrorContains(t, err, "write the packs' data")
			require.Same(t, before, a.State())
			require.Same(t, before.Catalog, a.People().Catalog(), "the directory reads the models that are served")

			require.NoError(t, os.Remove(data))
			_, err = a.Reload(t.Context())
			require.NoError(t, err)
			require.NotNil(t, a.State().Catalog.Model("ticket").Field("parent"))
			require.Same(t, a.State().Catalog, a.People().Catalog())
		})
	})
}

// TestServing: one process serves a SQLite folder; commands work beside it.
func TestServing(t *testing.T) {
	t.Parallel()
	c := config(t, store.Options{Dir: embedded.SQLite(t)})
	c.Serving = true
	during(t, c, func(*app.App) {
		_, err := app.Open(t.Context(), c)
		require.ErrorIs(t, err, store.ErrServed)
		beside := c
		beside.Serving = false
		during(t, beside, func(a *app.App) { require.NoError(t, a.Ready(t.Context())) })
		_, err = app.Open(t.Context(), c)
		require.ErrorIs(t, err, store.ErrServed, "a command that ends leaves the server's mark")
	})
	during(t, c, func(a *app.App) { require.NoError(t, a.Ready(t.Context())) })
}

// TestStreamsOfOne: a person's many streams end the oldest of their own, and nobody else's.
func TestStreamsOfOne(t *testing.T) {
	t.Parallel()
	during(t, config(t, store.Options{Dir: embedded.SQLite(t)}), func(a *app.App) {
		other, _ := a.Events().Join("other")
		var streams []<-chan app.Event
		for range 52 {
			c, _ := a.Events().Join("somebody")
			streams = append(streams, c)
		}
		a.Events().Send(app.Event{Name: "catalog", Data: "1"}, false)
		for i, c := range append(streams, other) {
			_, open := <-c
			require.Equal(t, i >= 2, open, "stream %d", i)
		}
	})
}

// TestEventsNeverWait: a page that does not read loses events; nobody waits for it.
func TestEventsNeverWait(t *testing.T) {
	t.Parallel()
	during(t, config(t, store.Options{Dir: embedded.SQLite(t)}), func(a *app.App) {
		events, leave := a.Events().Join("somebody")
		for range 100 {
			a.Events().Send(app.Event{Name: "catalog", Data: "1"}, false)
		}
		require.LessOrEqual(t, len(events), 16)
		leave()
		leave()
		other, _ := a.Events().Join("somebody")
		a.Events().Close()
		_, open := <-other
		require.False(t, open)
		late, leaveLate := a.Events().Join("somebody")
		leaveLate()
		_, open = <-late
		require.False(t, open)
	})
}
