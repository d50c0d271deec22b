package notify_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is the product with the pack of testdata, and a service of its own with a clock that the tests move. Ann sees all tasks, guest the
// open ones, stranger none, and root is an administrator.
type world struct {
	*testing.T
	*notify.Service
	app  *app.App
	ids  map[string]string
	at   atomic.Int64 // nanoseconds since 1970
	sent []notify.Written
}

// keep is how long the service keeps messages that were read.
const keep = 10 * 24 * time.Hour

var demo = apptest.Installation{Register: plugintest.Register, Dirs: []string{"testdata/demo"},
	People: map[string]string{"ann": "member", "bob": "member", "guest": "guest", "stranger": "staff", "root": "administrator"}}.Template()

// each runs tests on both databases, all of them in one world.
func each(t *testing.T, tests map[string]func(w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
			Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w := &world{app: a, ids: map[string]string{}}
		w.at.Store(time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC).UnixNano())
		w.Service = w.service(keep)
		for name := range map[string]bool{"ann": true, "bob": true, "guest": true, "stranger": true, "root": true} {
			w.ids[name] = apptest.Person(t.Context(), a, name)
			require.NotEmpty(t, w.ids[name])
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				w.T, w.sent = t, nil
				test(w)
				require.NoError(t, a.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec("DELETE FROM sl_message").Error }))
			})
		}
	})
}

// service makes one that keeps what was read so long.
func (w *world) service(keep time.Duration) *notify.Service {
	return notify.New(notify.Config{DB: w.app.Store(), Reader: w.app.Reader(), People: w.app.People(), Keep: keep, Log: slog.New(slog.DiscardHandler),
		Clock:  func() time.Time { return time.Unix(0, w.at.Load()) },
		Outbox: func(_ *store.Tx, written []notify.Written) error { w.sent = append(w.sent, written...); return nil }})
}

// pass lets time go by.
func (w *world) pass(d time.Duration) { w.at.Add(int64(d)) }

// as is somebody who reads English.
func (w *world) as(user string) *authz.View { return w.in(user, "en") }

func (w *world) in(user, locale string) *authz.View {
	w.Helper()
	person, ok := w.app.People().Person(w.Context(), w.ids[user])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = locale
	return w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
}

// task saves a task and returns its address.
func (w *world) task(title, state string) query.Ref {
	w.Helper()
	saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "task",
		Set: map[string]json.RawMessage{"title": json.RawMessage(`"` + title + `"`), "state": json.RawMessage(`"` + state + `"`)}})
	require.NoError(w, err)
	return query.Ref{SchemaCode: "task", ID: saved.ID}
}

func (w *world) write(f func(ctx context.Context, tx *store.Tx) error) {
	w.Helper()
	require.NoError(w, w.app.Store().Write(w.Context(), f))
}

// send sends messages a second apart; To is a name.
func (w *world) send(messages ...notify.Message) {
	w.Helper()
	for _, m := range messages {
		w.pass(time.Second)
		m.To = w.ids[m.To]
		w.write(func(ctx context.Context, tx *store.Tx) error { return w.Send(tx, m) })
	}
}

// list are somebody's messages, newest first.
func (w *world) list(user string, in notify.Search) []notify.Item {
	w.Helper()
	if in.Size == 0 {
		in.Size = notify.MaxPage
	}
	page, err := w.Search(w.Context(), w.as(user), in)
	require.NoError(w, err)
	return page.Content
}

// last is the newest message of somebody.
func (w *world) last(user string) notify.Item {
	w.Helper()
	all := w.list(user, notify.Search{Size: 1})
	require.Len(w, all, 1)
	return all[0]
}

// texts are the texts of somebody's messages, newest first.
func (w *world) texts(user string, in notify.Search) string {
	w.Helper()
	var out []string
	for _, it := range w.list(user, in) {
		out = append(out, it.Content)
	}
	return strings.Join(out, " ")
}

func (w *world) unread(user string) [2]int64 {
	w.Helper()
	c, err := w.Unread(w.Context(), w.as(user))
	require.NoError(w, err)
	return [2]int64{c.Station, c.Comment}
}

func (w *world) refused(want fault.Code, err error) {
	w.Helper()
	require.Equal(w, want, fault.Of(err), "%v", err)
}
