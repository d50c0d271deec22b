package comment_test

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
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is the product with the pack of testdata and some people: ann and bob see all tasks, guest the open ones, blind all
// without their names, stranger none.
type world struct {
	*testing.T
	app    *app.App
	ids    map[string]string
	moment *atomic.Pointer[time.Time]
}

func open(t *testing.T, o store.Options, now func() time.Time) *app.App {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
		Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: now, KeepMessages: 180 * 24 * time.Hour,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	require.NoError(t, err)
	return a
}

// demo is a database on which the documents of the tests have been opened.
var demo = apptest.Of(plugintest.Register, "testdata/demo")

// each runs tests on both databases, all of them in one world.
func each(t *testing.T, tests map[string]func(w *world)) {
	demo.Each(t, func(t *testing.T, o store.Options) {
		moment := &atomic.Pointer[time.Time]{}
		a := open(t, o, func() time.Time {
			if at := moment.Load(); at != nil {
				return *at
			}
			return time.Now()
		})
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		ids := map[string]string{}
		for name, role := range map[string]string{"ann": "member", "bob": "member", "cid": "member", "dan": "member", "guest": "guest", "blind": "blind", "stranger": "staff"} {
			id, err := a.AddUser(t.Context(), name, strings.ToUpper(name[:1])+name[1:], []string{role})
			require.NoError(t, err)
			ids[name] = id
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				test(&world{T: t, app: a, ids: ids, moment: moment})
				moment.Store(nil)
			})
		}
	})
}

func (w *world) rights(user string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), w.ids[user])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = "en"
	return w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
}

func (w *world) as(user string) *authz.View {
	return w.rights(user)
}

func (w *world) reader(user string) *authz.View {
	return w.rights(user)
}

// task saves a task of ann's and returns its address.
func (w *world) task(title, state string) query.Ref {
	w.Helper()
	set := map[string]json.RawMessage{"title": json.RawMessage(`"` + title + `"`), "state": json.RawMessage(`"` + state + `"`)}
	saved, err := w.app.Writer().Save(w.Context(), w.rights("ann"), record.Change{Model: "task", Set: set})
	require.NoError(w, err)
	return query.Ref{SchemaCode: "task", ID: saved.ID}
}

// keep changes the state of a task.
func (w *world) keep(at query.Ref, state string) {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.rights("ann"), query.FormRequest{SchemaCode: "task", ObjectID: at.ID})
	require.NoError(w, err)
	_, err = w.app.Writer().Save(w.Context(), w.rights("ann"), record.Change{Model: "task", ID: at.ID, Version: loaded.Version,
		Set: map[string]json.RawMessage{"state": json.RawMessage(`"` + state + `"`)}})
	require.NoError(w, err)
}

func (w *world) add(user string, d comment.Draft) *comment.Comment {
	w.Helper()
	c, err := w.app.Comments().Add(w.Context(), w.as(user), d)
	require.NoError(w, err)
	return c
}

func (w *world) list(user string, at query.Ref) *comment.Page {
	w.Helper()
	page, err := w.app.Comments().List(w.Context(), w.as(user), at, "", 50)
	require.NoError(w, err)
	return page
}

// mentioned are ids of people.
func (w *world) mentioned(users ...string) (out []string) {
	for _, user := range users {
		out = append(out, w.ids[user])
	}
	return out
}

// messages are somebody's messages, newest first.
func (w *world) messages(user string, in notify.Search) *notify.Page {
	w.Helper()
	if in.Size == 0 {
		in.Size = 100
	}
	page, err := w.app.Messages().Search(w.Context(), w.reader(user), in)
	require.NoError(w, err)
	return page
}

// about are somebody's messages of one record.
func (w *world) about(user string, at query.Ref) (out []notify.Item) {
	w.Helper()
	for _, m := range w.messages(user, notify.Search{}).Content {
		if strings.Contains(m.Biz, at.ID) {
			out = append(out, m)
		}
	}
	return out
}

func (w *world) upload(user, name string) string {
	w.Helper()
	f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids[user], Most: 1 << 20, Bytes: strings.NewReader("some words\n")})
	require.NoError(w, err)
	return f.ID
}

func (w *world) refused(want fault.Code, err error) {
	w.Helper()
	require.Equal(w, want, fault.Of(err), "%v", err)
}
