package httpapi

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// midway holds calls where they have taken their definitions and done nothing yet.
type midway struct {
	arrived chan struct{} // one word for each
	on      chan struct{} // closed when they go on
}

// stop is called by the clock, which a call asks at that place.
func (m *midway) stop() {
	var at [8]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(3, at[:])])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "(*Server).look") {
			m.arrived <- struct{}{}
			<-m.on
			return
		}
		if !more {
			return
		}
	}
}

// between sends calls and does something in the middle of all of them.
func (w *world) between(t *testing.T, actor string, rows []actorRow, do func()) []reply {
	t.Helper()
	out := make([]reply, len(rows))
	m := &midway{arrived: make(chan struct{}, len(rows)), on: make(chan struct{})}
	w.midway.Store(m)
	ended := make(chan struct{}, len(rows))
	var all sync.WaitGroup
	for i, r := range rows {
		all.Go(func() {
			out[i] = w.send(t, call{method: r.method, path: r.path, body: r.body, actor: actor})
			ended <- struct{}{}
		})
	}
	stopped := 0
	for range rows {
		select {
		case <-m.arrived:
			stopped++
		case <-ended: // refused before
		}
	}
	w.midway.Store(nil)
	if stopped > 0 {
		do()
	}
	close(m.on)
	all.Wait()
	return out
}

// republishes returns what publishes a document again, in another layout.
func (w *world) republishes(t *testing.T, pack, path string) func() {
	return func() {
		t.Helper()
		w.rewrites(t, pack, path, func(text string) string {
			if bare := strings.TrimSuffix(text, " "); bare != text {
				return bare
			}
			return text + " "
		})
	}
}

// rewrites publishes a document with another text, and confirms what that needs.
func (w *world) rewrites(t *testing.T, pack, path string, change func(text string) string) {
	t.Helper()
	view := w.app.State().Policy.View(principal.Principal{UserID: w.id(t, administrator), Roles: []string{"administrator"}}, time.Now(), time.UTC)
	doc, err := w.app.DocumentText(t.Context(), view, pack, path, 0)
	require.NoError(t, err)
	text := change(*doc.Text)
	set := app.Changeset{Files: []app.Change{{Pack: pack, Path: path, Text: &text, Seen: doc.Seen}}}
	plan, err := w.app.Look(t.Context(), view, set)
	require.NoError(t, err)
	_, err = w.app.Publish(t.Context(), view, set, app.Confirmation{Steps: plan.Digest, AllowDestructive: true})
	require.NoError(t, err)
}

// TestUploadsOutlivePublications: somebody publishes while a file arrives. It is kept, unless what is published or stored meanwhile takes the
// right, the field or the account away: then nothing of it is.
func TestUploadsOutlivePublications(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openYards(t, o)
		files := func() (n int64) {
			require.NoError(t, w.app.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Model(&blob.File{}).Count(&n).Error }))
			return n
		}
		sends := func(path, name string, content []byte, midway func()) reply {
			c := uploading(t, "hand", "", name, content)
			c.path, c.midway = path, midway
			return w.send(t, c)
		}
		publish := w.republishes(t, "yard", "models/boat.json")
		const toBoat = "/api/aliyun/upload?schemaCode=boat&propertyCode=papers"
		paper := bytes.Repeat([]byte("a long text\n"), 1000)

		require.Zero(t, sends(toBoat, "a.txt", paper, publish).Errcode)
		require.Zero(t, sends("/api/runtime/import/upload", "a.csv", []byte("名称\n"+strings.Repeat("S-1\n", 1000)), publish).Errcode)
		require.Equal(t, int64(2), files())

		without := func() {
			w.rewrites(t, "yard", "models/boat.json", func(text string) string { return strings.Replace(text, `"papers"`, `"letters"`, 1) })
		}
		require.Equal(t, fault.FieldUnknown, sends(toBoat, "a.txt", paper, without).Errcode)
		smaller := func() {
			w.rewrites(t, "yard", "models/boat.json", func(text string) string {
				return strings.Replace(text, `"Attachment"`, `"Attachment", "accept": [".pdf"]`, 1)
			})
		}
		require.Equal(t, fault.FileNotAccepted, sends(strings.Replace(toBoat, "papers", "letters", 1), "a.txt", paper, smaller).Errcode)
		person := func(version, set string) func() {
			return func() {
				w.post(t, administrator, savePath, `{"schemaCode":"user","id":"`+w.id(t, "hand")+`","version":`+version+`,"data":`+set+`}`).into(t, &struct{}{})
			}
		}
		require.Equal(t, fault.ModelNotFound, sends(strings.Replace(toBoat, "papers", "letters", 1), "a.pdf", []byte(aPDF+string(paper)), person("1", `{"roles":[]}`)).Errcode)
		require.Equal(t, fault.TokenExpired, sends("/api/aliyun/upload", "a.txt", paper, person("2", `{"disabled":true}`)).Errcode)
		require.Equal(t, int64(2), files())
	})
}

// TestPackagesOutlivePublications: somebody publishes while the package of an application arrives. It is imported, answered as imported, and
// in the audit log.
func TestPackagesOutlivePublications(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openYards(t, o)
		archive := w.get(t, administrator, packagePath+"export?code=harbor").Body.Bytes()
		w.rewrites(t, "harbor", "models/berth.json", func(text string) string { return strings.Replace(text, "泊位", "码头", 1) })
		c := uploading(t, administrator, "", "harbor.zip", archive)
		c.path, c.midway = packagePath+"import?update=true", w.republishes(t, "yard", "models/boat.json")
		var out app.Imported
		w.send(t, c).into(t, &out)
		require.Equal(t, []string{"models/berth.json"}, out.Changed)
		log, err := w.app.Audit().Page(t.Context(), audit.Query{Kinds: []audit.Kind{audit.Imported}, Size: 2})
		require.NoError(t, err)
		require.Len(t, log.Entries, 1)
	})
}

// openLocks opens a world of its own with the example ship-lock.
func openLocks(t *testing.T) *world {
	t.Helper()
	w, err := openWorld(t.TempDir(), shipLock)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	require.NoError(t, w.addAdministrator(t.Context()))
	return w
}

// TestSignInsOutlivePublications: a sign-in writes several times, and others publish between two of these.
func TestSignInsOutlivePublications(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openYards(t, o)
		const password = "Somebody-Else-9"
		_, err := w.app.SetPassword(t.Context(), administrator, password, false)
		require.NoError(t, err)
		b := newBrowserOf(t, w)
		var published atomic.Int64
		ctx, stop := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer stop()
		others.Go(func() {
			for publish := w.republishes(t, "yard", "models/boat.json"); ctx.Err() == nil; published.Add(1) {
				publish()
			}
		})
		for n := range int64(8) {
			require.Eventually(t, func() bool { return published.Load() >= n/2 }, 30*time.Second, time.Millisecond, "a publication")
			require.Zero(t, b.signIn(administrator, password).Errcode)
			require.Zero(t, b.call("GET", "/api/login/Authentication/get_refresh_token", nil).Errcode)
		}
	})
}
