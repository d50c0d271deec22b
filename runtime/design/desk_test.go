package design_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
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
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/store"
)

type world struct {
	testing.TB
	*design.Service
	app *app.App
	mu  sync.Mutex
	now time.Time
}

const folder = "testdata/office"

var office = apptest.Installation{Register: plugintest.Register, Dirs: []string{folder}, Zone: time.UTC,
	People: map[string]string{"root": "administrator", "keeper": "officeKeeper", "second": "officeKeeper",
		"reader": "officeReader"}}.Template()

func each(t *testing.T, f func(w *world)) {
	t.Parallel()
	office.Each(t, func(t *testing.T, o store.Options) {
		w := &world{TB: t, now: time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)}
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		documents := app.Documents{Set: set, Dirs: []string{folder}, Zone: time.UTC}
		log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
		a, err := app.Open(context.Background(), app.Config{Documents: documents, Dir: o.Dir, URL: o.URL, Version: apptest.Version,
			Clock: w.clock, Log: log})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w.app, w.Service = a, a.Designs()
		f(w)
	})
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) later(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(by)
}

func (w *world) as(name string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), apptest.Person(w.Context(), w.app, name))
	require.True(w, ok)
	return w.app.State().Policy.View(authn.Principal(w.Context(), w.app.People(), person, ""), w.clock(), time.UTC)
}

// edited are the documents of each kind that can be changed, and what can be changed in each: the name.
var edited = []design.Name{
	{Kind: "workflow", App: "office", Code: "approval"},
	{Kind: "print", App: "office", Code: "sheet"},
	{Kind: "portal", App: "office", Code: "desk"},
}

func named(t testing.TB, text, name string) string {
	t.Helper()
	was := nameOf(t, text)
	next := strings.Replace(text, `"`+was+`"`, `"`+name+`"`, 1)
	require.Equal(t, name, nameOf(t, next))
	return next
}

func nameOf(t testing.TB, text string) string {
	t.Helper()
	var of struct{ Name string }
	require.NoError(t, json.Unmarshal([]byte(text), &of))
	return of.Name
}

// TestDesk: what is the same for every kind, in the order in which two people meet it.
func TestDesk(t *testing.T) {
	each(t, func(w *world) {
		ctx := w.Context()
		refused := func(want fault.Code, err error, what string) {
			w.Helper()
			require.Equal(w, want, fault.Of(err), "%s: %v", what, err)
		}
		for _, n := range edited {
			open := func(name string) *design.Document {
				w.Helper()
				d, err := w.Document(ctx, w.as(name), n)
				require.NoError(w, err, n.Kind)
				return d
			}
			first := open("keeper")
			draft := func(name string) design.Draft {
				return design.Draft{Name: n, Text: named(w, first.Text, name), Seen: first.Seen}
			}
			keep := func(name string, in design.Draft) error {
				_, err := w.Keep(ctx, w.as(name), in)
				return err
			}
			lock := func(name string, over bool) design.Lock {
				w.Helper()
				l, err := w.Lock(ctx, w.as(name), n, over)
				require.NoError(w, err)
				return l
			}

			// Who may not edit it learns nothing.
			_, err := w.Document(ctx, w.as("reader"), n)
			refused(fault.Forbidden, err, "reads")
			_, err = w.Lock(ctx, w.as("reader"), n, true)
			refused(fault.Forbidden, err, "locks")
			_, err = w.Check(ctx, w.as("reader"), design.Proof{Draft: draft("x")})
			refused(fault.Forbidden, err, "checks")
			_, err = w.History(ctx, w.as("reader"), n)
			refused(fault.Forbidden, err, "looks back")

			// Nobody changes anything without the lock, and one of two gets it.
			refused(fault.EditLockLost, keep("keeper", draft("一")), "keeps")
			_, err = w.Publish(ctx, w.as("keeper"), draft("一"))
			refused(fault.EditLockLost, err, "publishes")
			refused(fault.EditLockLost, w.Discard(ctx, w.as("keeper"), n), "discards")
			mine := make([]bool, 2)
			var both sync.WaitGroup
			for i, name := range []string{"keeper", "second"} {
				view := w.as(name)
				both.Go(func() {
					if l, err := w.Lock(ctx, view, n, false); err == nil {
						mine[i] = l.Mine
					}
				})
			}
			both.Wait()
			require.NotEqual(w, mine[0], mine[1])
			require.True(w, lock("keeper", true).Mine)
			require.Equal(w, "keeper", *lock("second", false).OwnerName)
			require.NoError(w, keep("keeper", draft("一")))
			require.Equal(w, "一", nameOf(w, open("second").Draft.Text))

			// Taken over, the one before keeps nothing more, and what they had stays to look at.
			require.True(w, lock("second", true).Mine)
			refused(fault.EditLockLost, keep("keeper", draft("二")), "keeps after the lock is lost")
			w.later(time.Minute)
			require.NoError(w, keep("second", draft("三")))
			tells := open("root")
			require.Equal(w, []string{"三", "second", "一", "keeper"},
				[]string{nameOf(w, tells.Draft.Text), tells.Draft.ByName, nameOf(w, tells.Older[0].Text), tells.Older[0].ByName})

			// Who goes back to what is served does not drop what others had.
			require.NoError(w, keep("second", design.Draft{Name: n, Text: first.Text, Seen: first.Seen}))
			back := open("root")
			require.Equal(w, []any{first.Text, "second", 1}, []any{back.Draft.Text, back.Draft.ByName, len(back.Older)})
			require.NoError(w, keep("second", draft("三")))

			// A plan and a check change nothing.
			plan, err := w.Plan(ctx, w.as("second"), draft("三"))
			require.NoError(w, err)
			require.Equal(w, store.Safe, plan.Class)
			check, err := w.Check(ctx, w.as("second"), design.Proof{Draft: draft("三")})
			require.NoError(w, err)
			require.False(w, check.Diagnostics.HasErrors(), "%v", check.Diagnostics)
			require.Equal(w, first.Text, open("root").Text)

			// Published, the drafts of all are gone; over what another person published, nothing is.
			out, err := w.Publish(ctx, w.as("second"), draft("三"))
			require.NoError(w, err, n.Kind)
			after := open("keeper")
			require.Equal(w, []any{out.Text, out.Seen, out.Version}, []any{after.Text, after.Seen, after.Version})
			require.Nil(w, after.Draft)
			require.Empty(w, after.Older)
			lock("keeper", true)
			_, err = w.Publish(ctx, w.as("keeper"), draft("四"))
			refused(fault.PublishConflict, err, "publishes what is old")
			var told *fault.Error
			require.ErrorAs(w, err, &told)
			require.Equal(w, "second", told.Data.(design.Check).ChangedBy)

			// What says what is served is forgotten; what is given up is gone.
			require.NoError(w, keep("keeper", design.Draft{Name: n, Text: after.Text, Seen: after.Seen}))
			require.Nil(w, open("keeper").Draft)
			require.NoError(w, keep("keeper", design.Draft{Name: n, Text: `{"half`, Seen: after.Seen}), "a draft may be anything")
			require.NoError(w, w.Discard(ctx, w.as("keeper"), n))
			require.Nil(w, open("keeper").Draft)

			// The versions before can be read.
			past, err := w.History(ctx, w.as("keeper"), n)
			require.NoError(w, err)
			require.Len(w, past, 1)
			require.Equal(w, "second", past[0].Name)
			old, err := w.Version(ctx, w.as("keeper"), n, 0)
			require.NoError(w, err)
			require.Equal(w, first.Text, old)

			// What is not renewed ends; what is given back is free.
			w.later(design.LockKept + time.Second)
			require.True(w, lock("second", false).Mine)
			require.NoError(w, w.Unlock(ctx, w.as("keeper"), n), "it is not theirs")
			require.False(w, lock("keeper", false).Mine)
			require.NoError(w, w.Unlock(ctx, w.as("second"), n))
			require.True(w, lock("keeper", false).Mine)
			require.NoError(w, w.Unlock(ctx, w.as("keeper"), n))
		}
	})
}

// TestBegunDocuments: what is begun under a code that nobody has is in the list of its editors until it is published.
func TestBegunDocuments(t *testing.T) {
	each(t, func(w *world) {
		ctx := w.Context()
		for _, n := range edited {
			of, err := w.Document(ctx, w.as("keeper"), n)
			require.NoError(w, err)
			fresh := design.Name{Kind: n.Kind, App: "office", Code: "fresh"}
			begun := func(name string) []design.Begun {
				w.Helper()
				out, err := w.Begun(ctx, w.as(name), n.Kind, "office")
				require.NoError(w, err)
				return out
			}
			there, err := w.Document(ctx, w.as("keeper"), fresh)
			require.NoError(w, err)
			require.True(w, there.New)
			_, err = w.Lock(ctx, w.as("keeper"), fresh, false)
			require.NoError(w, err)
			in := design.Draft{Name: fresh, New: true, Text: named(w, of.Text, "新的")}
			_, err = w.Keep(ctx, w.as("keeper"), in)
			require.NoError(w, err)
			waits := begun("second")
			require.Len(w, waits, 1, n.Kind)
			require.Equal(w, []any{"fresh", "新的", "keeper", "keeper", false},
				[]any{waits[0].Code, waits[0].Label.Zh, *waits[0].DraftBy, *waits[0].LockedBy, waits[0].Mine})
			require.Empty(w, begun("reader"))
			_, err = w.Publish(ctx, w.as("keeper"), in)
			require.NoError(w, err, n.Kind)
			require.Empty(w, begun("second"))
			_, err = w.Publish(ctx, w.as("keeper"), in)
			require.Equal(w, fault.AppCodeTaken, fault.Of(err))
		}
	})
}

// TestReadOnlyKinds: a kind that is only read is opened by those who administer it, and changed by nobody.
func TestReadOnlyKinds(t *testing.T) {
	each(t, func(w *world) {
		listed, err := w.List(w.Context(), w.as("keeper"), "report", "office")
		require.NoError(w, err)
		require.Equal(w, "letters", listed[0].Code)
		_, err = w.List(w.Context(), w.as("reader"), "report", "office")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		n := design.Name{Kind: "report", App: "office", Code: "letters"}
		of, err := w.Document(w.Context(), w.as("keeper"), n)
		require.NoError(w, err)
		require.True(w, of.ReadOnly)
		require.Contains(w, of.Text, `"dataSets"`)
		_, err = w.Document(w.Context(), w.as("reader"), n)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		in := design.Draft{Name: n, Text: of.Text, Seen: of.Seen}
		for what, do := range map[string]func() error{
			"lock":    func() error { _, err := w.Lock(w.Context(), w.as("root"), n, true); return err },
			"keep":    func() error { _, err := w.Keep(w.Context(), w.as("root"), in); return err },
			"publish": func() error { _, err := w.Publish(w.Context(), w.as("root"), in); return err },
			"check":   func() error { _, err := w.Check(w.Context(), w.as("root"), design.Proof{Draft: in}); return err },
		} {
			require.Equal(w, fault.Forbidden, fault.Of(do()), what)
		}
	})
}

// model is what a person may expect of a desk, without its code: one holder for ten minutes, one draft that holds, what is published.
type model struct {
	holder string
	until  time.Time
	draft  string // name of the document in the draft; "" = there is none
	served string
	seen   map[string]string // digest that each person opened the document with
	now    string            // digest of what is served
}

// TestRandomDesk: three people at one document of each kind, a hundred steps each, against the model.
func TestRandomDesk(t *testing.T) {
	each(t, func(w *world) {
		ctx := w.Context()
		r := rand.New(rand.NewPCG(45, 1))
		people := []string{"root", "keeper", "second"}
		for _, n := range edited {
			of, err := w.Document(ctx, w.as("root"), n)
			require.NoError(w, err)
			m := model{served: nameOf(w, of.Text), seen: map[string]string{}, now: of.Seen}
			var past []string
			for step := range 100 {
				who := people[r.IntN(len(people))]
				holds := m.holder == who && w.clock().Before(m.until)
				name := fmt.Sprint("名", step)
				in := design.Draft{Name: n, Text: named(w, of.Text, name), Seen: m.seen[who]}
				act := r.IntN(8)
				past = append(past, fmt.Sprint(who, " ", act))
				at := strings.Join(past[max(0, len(past)-12):], ", ")
				switch act {
				case 0, 1: // take or renew it, or take it over
					l, err := w.Lock(ctx, w.as(who), n, act == 1)
					require.NoError(w, err)
					if act == 1 || holds || m.holder == "" || !w.clock().Before(m.until) {
						m.holder, m.until = who, w.clock().Add(design.LockKept)
					}
					require.Equal(w, m.holder == who, l.Mine, at)
					require.Equal(w, m.holder, *l.OwnerName, at)
				case 2:
					require.NoError(w, w.Unlock(ctx, w.as(who), n))
					if m.holder == who {
						m.holder = ""
					}
				case 3:
					w.later(time.Duration(r.IntN(400)) * time.Second)
				case 4:
					_, err := w.Keep(ctx, w.as(who), in)
					require.Equal(w, holds, err == nil, "%s: %v", at, err)
					if holds {
						m.draft = name
					}
				case 5:
					err := w.Discard(ctx, w.as(who), n)
					require.Equal(w, holds, err == nil, "%s: %v", at, err)
					if holds {
						m.draft = ""
					}
				case 6:
					out, err := w.Publish(ctx, w.as(who), in)
					fits := m.seen[who] == m.now
					require.Equal(w, holds && fits, err == nil, "%s: %v", at, err)
					if err == nil {
						m.draft, m.served, m.now = "", name, out.Seen
						m.seen[who] = out.Seen
					}
				case 7:
					d, err := w.Document(ctx, w.as(who), n)
					require.NoError(w, err)
					m.seen[who] = d.Seen
				}
				w.later(time.Second) // the last draft is the later one
				d, err := w.Document(ctx, w.as(people[r.IntN(len(people))]), n)
				require.NoError(w, err)
				require.Equal(w, m.served, nameOf(w, d.Text), at)
				require.Equal(w, m.now, d.Seen, at)
				held := ""
				if w.clock().Before(m.until) {
					held = m.holder
				}
				got := ""
				if d.Lock.OwnerName != nil {
					got = *d.Lock.OwnerName
				}
				require.Equal(w, held, got, at)
				drafted := ""
				if d.Draft != nil {
					drafted = nameOf(w, d.Draft.Text)
				}
				require.Equal(w, m.draft, drafted, at)
			}
		}
	})
}
