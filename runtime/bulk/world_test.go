package bulk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is the product with the pack of testdata.
type world struct {
	testing.TB
	app          *app.App
	boss, clerk  string // user ids: administrator, clerk
	other, third string // clerk, reader
	narrow       string // sees own items only
}

// open starts the product on a database.
func open(o store.Options, workers int) (*app.App, error) {
	set := &pack.Set{}
	if err := plugintest.Register(set); err != nil {
		return nil, err
	}
	set.Freeze()
	return app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
		Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: time.Now, Workers: workers,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
}

// demo is a database on which the documents of the tests have been opened.
var demo = apptest.Of(plugintest.Register, "testdata/demo")

// each runs a test on both databases.
func each(t *testing.T, workers int, f func(t *testing.T, w *world, o store.Options)) {
	demo.Each(t, func(t *testing.T, o store.Options) {
		a, err := open(o, workers)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		f(t, people(t, a), o)
	})
}

// people adds those who act in the tests.
func people(t testing.TB, a *app.App) *world {
	t.Helper()
	w := &world{TB: t, app: a}
	for name, to := range map[string]*string{"boss": &w.boss, "clerk": &w.clerk, "other": &w.other, "third": &w.third, "narrow": &w.narrow} {
		role := map[string]string{"boss": "administrator", "third": "reader", "narrow": "narrow"}[name]
		if role == "" {
			role = "clerk"
		}
		var err error
		*to, err = a.AddUser(t.Context(), name, name, []string{role})
		require.NoError(t, err)
	}
	return w
}

func (w *world) rights(user string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), user)
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = "en"
	return w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
}

// add saves an item of a person and returns its id.
func (w *world) add(user, data string) string {
	w.Helper()
	var set map[string]json.RawMessage
	require.NoError(w, json.Unmarshal([]byte(data), &set))
	saved, err := w.app.Writer().Save(w.Context(), w.rights(user), record.Change{Model: "item", Set: set})
	require.NoError(w, err)
	return saved.ID
}

// edit saves a field of an item.
func (w *world) edit(user, id, data string) {
	w.Helper()
	var set map[string]json.RawMessage
	require.NoError(w, json.Unmarshal([]byte(data), &set))
	loaded, err := w.load(id)
	require.NoError(w, err)
	_, err = w.app.Writer().Save(w.Context(), w.rights(user), record.Change{Model: "item", ID: id, Version: loaded.Version, Set: set})
	require.NoError(w, err)
}

func (w *world) load(id string) (*query.FormLoad, error) {
	return w.app.Reader().FormLoad(w.Context(), w.rights(w.boss), query.FormRequest{SchemaCode: "item", ObjectID: id})
}

// value is a field of an item as its form shows it.
func (w *world) value(id, code string) string {
	w.Helper()
	loaded, err := w.load(id)
	require.NoError(w, err)
	var data map[string]json.RawMessage
	require.NoError(w, json.Unmarshal(loaded.Data, &data))
	return string(data[code])
}

func (w *world) run(user string, req bulk.Request) (bulk.Outcome, error) {
	if req.Selection.SchemaCode == "" {
		req.Selection.SchemaCode = "item"
	}
	return w.app.Bulk().Run(w.Context(), w.rights(user), req)
}

// update runs a batch update over ids.
func (w *world) update(user, property, value string, ids ...string) (bulk.Outcome, error) {
	return w.run(user, bulk.Request{Kind: bulk.BatchUpdate, Property: property, Value: json.RawMessage(value), Selection: query.SelectionRequest{ObjectIDs: ids}})
}

// done checks an outcome: the codes of the results, 0 where the record was changed.
func done(t *testing.T, out bulk.Outcome, err error, codes ...fault.Code) {
	t.Helper()
	require.NoError(t, err)
	var got []fault.Code
	failed := int64(0)
	for _, r := range out.Results {
		got = append(got, r.Code)
		require.Equal(t, r.Code == 0, r.OK)
		if !r.OK {
			failed++
		}
	}
	require.Equal(t, codes, got)
	require.Equal(t, failed, out.Failed)
	require.Equal(t, int64(len(codes)), out.Total)
	require.Equal(t, out.Total-failed, out.Success)
}

func refused(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Equal(t, code, fault.Of(err), "%v", err)
}

// fieldCode is the reason of the first refused field.
func fieldCode(err error) fault.Code {
	var f *fault.Error
	if errors.As(err, &f) {
		if in, ok := f.Data.(fault.Invalid); ok {
			return in.Errors[0].Code
		}
	}
	return fault.Of(err)
}

func (w *world) await(id, user string) job.Job {
	w.Helper()
	for range 3000 {
		j, err := w.app.Jobs().Get(w.Context(), user, id)
		require.NoError(w, err)
		switch j.State {
		case job.Done, job.Failed, job.Cancelled:
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.Fatal("the job does not end")
	return job.Job{}
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

func many(s string, n int) string { return quoted(strings.Repeat(s, n)) }

var planTrue = plan.True
