package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/comment"
	queue "github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/stacks"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// begins is what begins work of its own in the product: each function with a goroutine, a ticker or a timer, and what TestAlone does of it. What starts with
// "none" takes no connection.
var begins = map[string]string{
	"app.App.catchUp": "look catchUp", "app.App.checkStreams": "none: rings channels", "app.App.fireTimers": "look fireTimers", "app.App.firstAdministrator": "look keepStarting",
	"app.App.followChanges": "hear changes", "app.App.followTalk": "hear message", "app.App.keepNode": "look keepNode", "app.App.keepSchedules": "look keepSchedules", "app.App.keepStarting": "look keepStarting",
	"app.App.open": "look followPublished", "app.App.startJobs": "hear job", "app.App.sweepFiles": "look sweepFiles", "app.App.sweepTalk": "look sweepTalk", "app.Documents.link": "none: reads documents",
	"app.readiness.ask": "look ready", "authn.Service.KeysAhead": "none: makes keys", "authn.Service.nextKey": "none: makes keys", "blob.Service.DrawAhead": "none: draws files",
	"blob.Undisturbed": "job export", "blob.place.step": "job export",
	"channel.Service.Follow": "job message.mail", "comment.Service.Follow": "hear comments", "exporter.Service.write": "job export", "httpapi.Server.Serve": "none: serves", "httpapi.Server.events": "none: beats to a browser",
	"httpapi.Server.serveUntil": "none: serves", "httpapi.watchdog.watch": "none: looks at calls", "importer.readAhead": "job import", "job.Queue.Follow": "hear job", "job.Queue.Start": "job import",
	"job.Queue.Stop": "none: waits for runs", "job.Queue.beside": "none: takes up a job as workers do", "job.Queue.execute": "job import", "job.Queue.tidyLoop": "look tidyJobs", "job.Run.beat": "job slow",
	"job.sweeper.loop": "job slow", "notify.Service.Follow": "hear message", "printing.Service.drawLabels": "none: draws what was read", "reporting.Service.all": "none: a call's, which TestActors makes", "scenario.Run": "none: for the tests of packs",
	"seed.filler.fill": "none: for the command line", "store.DB.Work": "look catchUp", "store.DB.start": "none: looks with connections of its own", "store.Mirror.again": "look fireTimers", "store.line.enter": "none: waits for a turn",
	"store.postgresDialect.tail": "look followPublished", "store.sqliteDialect.tail": "none: looks with the writer's connection", "workflow.Service.callAll": "look fireTimers",
}

// beginning finds them in the source.
func beginning(t *testing.T) (found []string) {
	t.Helper()
	root := ".."
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(filepath.Dir(name), "test") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			begins := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.GoStmt:
					begins = true
				case *ast.SelectorExpr:
					begins = begins || slices.Contains([]string{"Go", "NewTicker", "AfterFunc", "Tick"}, x.Sel.Name)
				}
				return true
			})
			if begins {
				dir, _ := filepath.Rel(root, filepath.Dir(name))
				found = append(found, strings.Join(slices.DeleteFunc([]string{filepath.ToSlash(dir), receiver(fn), fn.Name.Name}, func(s string) bool { return s == "" }), "."))
			}
		}
		return nil
	}))
	return found
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return of.(*ast.Ident).Name
}

// slowly is a job of a pack that is longer than the time between two beats, and than that between two looks for jobs whose worker is gone.
var slowly = world.Job{Code: "office.slow", Title: plan.Label{Zh: "慢", I18n: map[string]string{"en": "Slow"}}, Work: func(ctx context.Context, r world.Run) (any, error) {
	time.Sleep(1200 * time.Millisecond)
	return nil, r.Step(ctx, func(w world.World) (any, error) {
		_, err := w.Create(ctx, "sheet", map[string]any{"title": "slowly"})
		return nil, err
	})
}}

// TestAlone: each kind of job, each timer and each beat of the product runs once, alone, with one connection that reads SQLite, and store.LeastConns to
// PostgreSQL. Who asks for another while holding one waits without end, and is shown. What begins work of its own and is not in begins, a job
// without a step here and a look of app.Looks that is not taken fail the test.
func TestAlone(t *testing.T) {
	t.Parallel()
	sheets.Each(t, func(t *testing.T, o store.Options) {
		log := &bytes.Buffer{}
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		require.NoError(t, set.Jobs.Add(slowly))
		require.NoError(t, set.Schedules.Add(world.Schedule{Code: "office.often", Job: slowly.Code, Every: time.Minute, Reason: "nightly"}))
		set.Freeze()
		c := config(t, o, sheetsPack)
		c.Set, c.Log = set, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		c.Readers, c.Workers, c.Serving = 1, 1, true
		c.RecycleDays, c.KeepExports, c.KeepAudit, c.KeepMessages = 1, time.Hour, time.Hour, time.Hour
		c.URL = storetest.Pool(c.URL, store.LeastConns)
		w := openOffice(t, c, 12)
		done := map[string]bool{}
		step := func(name string, do func()) {
			t.Helper()
			require.False(t, done[name], name)
			done[name] = true
			hangs := time.AfterFunc(20*time.Second, func() { panic("the step " + name + " does not end\n" + stacks.All()) })
			defer hangs.Stop()
			do()
			within, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			require.NoError(t, w.Store().Read(within, func(context.Context, *store.Tx) error { return nil }), "somebody holds the connection after %s", name)
			require.NoError(t, w.Store().Write(within, func(context.Context, *store.Tx) error { return nil }), name)
		}
		job := func(kind string, start func() string) { step("job "+kind, func() { t.Helper(); w.ended(start()) }) }
		sends := func(kind string) { step("job "+kind, func() { t.Helper(); w.over(w.newest(kind)) }) }
		add := func(model, title string) record.Saved {
			saved, err := w.Writer().Save(t.Context(), w.ann, record.Change{Model: model, Set: map[string]json.RawMessage{"title": must(json.Marshal(title))}})
			require.NoError(t, err)
			return saved
		}
		start := func() workflow.Done {
			who, _ := w.Caller(t.Context(), "bob")
			out, err := w.Workflows().Start(t.Context(), w.State().Policy.View(who, w.Now(), w.Zone()), workflow.Start{Workflow: "asking", Data: map[string]json.RawMessage{"title": []byte(`"Paint"`)}})
			require.NoError(t, err)
			return out
		}
		kim, err := w.AddUser(t.Context(), "kim", "kim", []string{"chief"})
		require.NoError(t, err)
		bob, err := w.AddUser(t.Context(), "bob", "bob", []string{"clerk"})
		require.NoError(t, err)

		// What open pages hear.
		one := add("sheet", "Watched").ID
		events, leave := w.Events().Join(w.ann.User(), "sheet", app.CommentsOf+"sheet/"+one)
		defer leave()
		hear := func(name string, cause func()) {
			step("hear "+name, func() {
				cause()
				for {
					select {
					case e := <-events:
						if e.Name == name {
							return
						}
					case <-time.After(15 * time.Second):
						require.Fail(t, "nothing was heard", "%s\n%s", name, stacks.All())
					}
				}
			})
		}
		hear("changes", func() { add("sheet", "Heard") })
		hear("comments", func() {
			_, err := w.Comments().Add(t.Context(), w.ann, comment.Draft{At: query.Ref{SchemaCode: "sheet", ID: one}, Text: "words"})
			require.NoError(t, err)
		})
		hear("message", func() { w.tells(1) })
		sends("message.mail")
		sends("message.webhook")
		var batch string
		hear("job", func() { batch = w.exports(2) })
		w.ended(batch)

		// Jobs.
		job("export", func() string { return w.exports(0) })
		job("print", func() string { return w.prints(3) })
		var file string
		job("import", func() (id string) { file, id = w.imports(3, false); return id })
		job("import_undo", func() string {
			require.NoError(t, w.Importer().Undo(t.Context(), w.ann, file))
			return w.newest("import_undo")
		})
		job("batch_update", func() string { return w.changes(bulk.BatchUpdate, 0) })
		var logs []string
		require.NoError(t, w.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Table("sl_batch").Pluck("id", &logs).Error
		}))
		job("batch_undo", func() (id string) { // as the service does it where more records than a request can name were changed
			undo := bulk.Request{Kind: bulk.Undo, Batch: logs[0], Selection: query.SelectionRequest{SchemaCode: "sheet"}, At: w.Now(), Locale: "zh"}
			require.NoError(t, w.Store().Write(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
				id, err = w.Jobs().Enqueue(ctx, tx, bulk.Undo, undo, queue.Options{Owner: w.ann.User()})
				return err
			}))
			return id
		})
		job("change_owner", func() string { return w.changes(bulk.ChangeOwner, 3) })
		job("workflow audit", func() string {
			id, err := w.StartAudit(t.Context(), w.ann.User())
			require.NoError(t, err)
			return id
		})
		job("bulk_delete", func() string { return w.changes(bulk.Delete, 2) })
		start()
		job("pack:organisation.handoverTasks", func() string {
			person := func(id string) json.RawMessage { return must(json.Marshal(map[string]any{"id": id})) }
			_, err := w.Writer().Save(t.Context(), w.ann, record.Change{Model: "handover", Set: map[string]json.RawMessage{"source": person(kim), "target": person(bob),
				"ownership": []byte("false"), "leadership": []byte("false"), "workflows": []byte("true")}})
			require.NoError(t, err)
			return w.newest("pack:organisation.handoverTasks")
		})
		step("job slow", func() {
			who, _ := w.Caller(t.Context(), "ann")
			var id string
			require.NoError(t, w.Act(t.Context(), who, func(s world.World) (err error) {
				id, err = s.Start(t.Context(), slowly.Code, nil, world.JobOptions{})
				return err
			}))
			w.ended(id)
		})
		done["job pack:office.slow"] = true
		var wanted []string
		for _, kind := range w.JobKinds() {
			wanted = append(wanted, "job "+kind)
		}
		for _, name := range wanted {
			require.True(t, done[name], "no step does the %s", name)
		}

		// What was uploaded, deleted, exported, read and commented on long ago goes; a workflow's time is over.
		_, err = w.Files().Put(t.Context(), blob.Upload{Name: "orphan.txt", By: w.ann.User(), Most: 1 << 20, Bytes: strings.NewReader("orphan")})
		require.NoError(t, err)
		_, err = w.Writer().Delete(t.Context(), w.ann, "sheet", []string{one})
		require.NoError(t, err)
		_, check := w.imports(2, true)
		w.ended(check)
		err = w.Messages().ReadAll(t.Context(), w.ann, "")
		require.NoError(t, err)
		asked := start()
		w.ahead.Add(int64(10 * time.Minute))
		looks := w.Looks()
		look := func(name string) {
			step("look "+name, func() { require.NoError(t, looks[name](), name) })
			delete(looks, name)
		}
		step("look fireTimers", func() {
			require.Eventually(t, func() bool { // the time limit first, and what it leads to then
				require.NoError(t, looks["fireTimers"]())
				track, err := w.Workflows().Track(t.Context(), w.ann, asked.Instance)
				return err == nil && track.Instance.State == string(flow.Completed)
			}, 15*time.Second, 10*time.Millisecond)
		})
		delete(looks, "fireTimers")
		w.ahead.Add(int64(40 * 24 * time.Hour))
		for _, name := range []string{"sweepTalk", "sweepFiles", "keepStarting", "keepNode", "keepSchedules", "catchUp", "followPublished", "followBranding", "ready"} {
			look(name)
		}
		require.Empty(t, slices.Collect(maps.Keys(looks)), "looks that nobody takes")
		step("look tidyJobs", func() { require.NoError(t, w.Jobs().Tidy(t.Context(), w.Now())) })

		found := beginning(t)
		for _, name := range found {
			does, known := begins[name]
			require.True(t, known, "%s begins work of its own: say in begins what does it here, or that it takes no connection", name)
			require.True(t, strings.HasPrefix(does, "none: ") || done[does], "%s: there is no step %q", name, does)
		}
		for name := range begins {
			require.Contains(t, found, name, "it is gone")
		}
		for line := range strings.Lines(log.String()) {
			require.Contains(t, line, "definitions have warnings", "nothing else went wrong")
		}
	})
}
