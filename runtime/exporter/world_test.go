package exporter_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is the product with the pack of testdata, on a node that enqueues; work starts another one.
type world struct {
	testing.TB
	app   *app.App
	o     store.Options
	clock *time.Time
	clerk string
	other string
}

var demo = apptest.Of(plugintest.Register, "testdata/demo")

func open(o store.Options, workers int, clock func() time.Time) (*app.App, error) {
	set := &pack.Set{}
	if err := plugintest.Register(set); err != nil {
		return nil, err
	}
	set.Freeze()
	return app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
		Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: clock, Workers: workers, Address: "https://stock.example.com",
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
}

// each runs a test on both databases, with two people who may export.
func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		w := &world{TB: t, o: o}
		a, err := open(o, 0, w.now)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w.app = a
		w.clerk, err = a.AddUser(t.Context(), "clerk", "clerk", []string{"clerk"})
		require.NoError(t, err)
		w.other, err = a.AddUser(t.Context(), "other", "other", []string{"clerk"})
		require.NoError(t, err)
		f(t, w)
	})
}

func (w *world) now() time.Time {
	if w.clock != nil {
		return *w.clock
	}
	return time.Now()
}

// work does the jobs that wait, on a second node, until one has ended.
func (w *world) work(user, id string) exporter.Task {
	w.Helper()
	node, err := open(w.o, 1, w.now)
	require.NoError(w, err)
	defer func() { require.NoError(w, node.Close()) }()
	return w.await(node, user, id)
}

func (w *world) await(node *app.App, user, id string) exporter.Task {
	w.Helper()
	for range 6000 {
		t, err := node.Exports().Progress(w.Context(), w.view(user), id)
		require.NoError(w, err)
		if t.Ended() {
			w.settled(node, user, t.JobID)
			return t
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.Fatal("the export does not end")
	return exporter.Task{}
}

// settled waits until the job has ended too: its task has a moment before.
func (w *world) settled(node *app.App, user, id string) {
	for range 3000 {
		j, err := node.Jobs().Get(w.Context(), user, id)
		require.NoError(w, err)
		if j.State != job.Running && j.State != job.Queued {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	w.Fatal("the job does not end")
}

func (w *world) view(user string) *authz.View { return w.viewIn(user, "zh") }

func (w *world) viewIn(user, locale string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), user)
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = locale
	return w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
}

// add saves an item of a person.
func (w *world) add(user, data string) string {
	w.Helper()
	var set map[string]json.RawMessage
	require.NoError(w, json.Unmarshal([]byte(data), &set))
	saved, err := w.app.Writer().Save(w.Context(), w.view(user), record.Change{Model: "item", Set: set})
	require.NoError(w, err)
	return saved.ID
}

// become gives a person other roles.
func (w *world) become(user string, roles ...string) {
	w.Helper()
	ids := []string{}
	for _, code := range roles {
		id, ok := w.app.People().RoleID(w.Context(), code)
		require.True(w, ok)
		ids = append(ids, id)
	}
	text, err := json.Marshal(ids)
	require.NoError(w, err)
	view := w.app.State().Policy.View(principal.System("test"), w.app.Now(), w.app.Zone())
	loaded, err := w.app.Reader().FormLoad(w.Context(), view, query.FormRequest{SchemaCode: "user", ObjectID: user})
	require.NoError(w, err)
	_, err = w.app.Writer().Save(w.Context(), view, record.Change{Model: "user", ID: user, Version: loaded.Version, Set: map[string]json.RawMessage{"roles": text}})
	require.NoError(w, err)
	require.NoError(w, w.app.People().Refresh(w.Context()))
}

// upload brings a file of a person.
func (w *world) upload(user, name string) string {
	f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: user, Most: 1000, Bytes: strings.NewReader("a text")})
	require.NoError(w, err)
	return f.ID
}

func columns(codes ...string) []exporter.Column {
	var out []exporter.Column
	for _, code := range codes {
		sheet, children, _ := strings.Cut(code, ":")
		c := exporter.Column{PropertyCode: sheet}
		for _, child := range strings.Fields(strings.ReplaceAll(children, ",", " ")) {
			c.ChildColumns = append(c.ChildColumns, exporter.Column{PropertyCode: child})
		}
		out = append(out, c)
	}
	return out
}

func all(codes ...string) exporter.Request {
	return exporter.Request{ListRequest: query.ListRequest{SchemaCode: "item"}, Columns: columns(codes...), All: true}
}

func (w *world) start(user string, req exporter.Request) *exporter.Started {
	w.Helper()
	s, err := w.app.Exports().Start(w.Context(), w.view(user), req)
	require.NoError(w, err)
	return s
}

// bytes are the file of an export.
func (w *world) bytes(user, id string) []byte {
	w.Helper()
	_, r, err := w.app.Exports().File(w.Context(), w.view(user), id)
	require.NoError(w, err)
	defer func() { _ = r.Close() }()
	out, err := io.ReadAll(r)
	require.NoError(w, err)
	return out
}

// lines are the rows of an xlsx file's first worksheet in a form to compare: cells joined by " | ", "=FORMULA(..)" before a value, a row
// that is hidden begins with "hidden".
func lines(t testing.TB, file []byte) []string {
	t.Helper()
	var sheet struct {
		Columns []struct {
			Min    int    `xml:"min,attr"`
			Hidden string `xml:"hidden,attr"`
		} `xml:"cols>col"`
		Rows []struct {
			Hidden string `xml:"hidden,attr"`
			Cells  []struct {
				Ref     string `xml:"r,attr"`
				Value   string `xml:"v"`
				Inline  string `xml:"is>t"`
				Formula string `xml:"f"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	require.NoError(t, xml.Unmarshal(part(t, file, "xl/worksheets/sheet1.xml"), &sheet))
	var out []string
	for _, row := range sheet.Rows {
		var cells []string
		for _, c := range row.Cells {
			at := 0
			for _, letter := range strings.TrimRight(c.Ref, "0123456789") {
				at = at*26 + int(letter-'A') + 1
			}
			for len(cells) < at {
				cells = append(cells, "")
			}
			cells[at-1] = c.Value + c.Inline
			if c.Formula != "" {
				cells[at-1] = "=" + c.Formula + " " + cells[at-1]
			}
		}
		line := strings.Join(cells, " | ")
		if row.Hidden == "1" {
			line = "hidden " + line
		}
		out = append(out, line)
	}
	return out
}

func part(t testing.TB, file []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	f, err := z.Open(name)
	require.NoError(t, err)
	out, err := io.ReadAll(f)
	require.NoError(t, err)
	return out
}

// hide replaces ids, which differ from run to run.
func hide(of []string, ids map[string]string) []string {
	out := make([]string, len(of))
	for i, line := range of {
		for id, name := range ids {
			line = strings.ReplaceAll(line, id, name)
		}
		out[i] = line
	}
	return out
}

func many(n int, f func(i int) string) string {
	var out []string
	for i := range n {
		out = append(out, f(i))
	}
	return "[" + strings.Join(out, ",") + "]"
}
