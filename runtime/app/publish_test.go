package app_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const deskDir = "testdata/desk"

var publishing = apptest.Of(plugintest.Register, deskDir)

// rightsOf are those of somebody with roles.
func rightsOf(a *app.App, roles ...string) *authz.View {
	return a.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: roles, Locale: "en"}, time.Now(), a.Zone())
}

// desks publishes documents of the pack desk.
type desks struct {
	*app.App
	t *testing.T
}

func (d desks) document(path string) *app.Document {
	d.t.Helper()
	out, err := d.DocumentText(d.t.Context(), rightsOf(d.App, "administrator"), "desk", path, 0)
	require.NoError(d.t, err)
	return out
}

// change is a file of the pack as an author who has just read it changes it.
func (d desks) change(path, old, new string) app.Change {
	d.t.Helper()
	now := d.document(path)
	require.Contains(d.t, *now.Text, old)
	text := strings.Replace(*now.Text, old, new, 1)
	return app.Change{Pack: "desk", Path: path, Text: &text, Seen: now.Seen}
}

func (d desks) publish(yes app.Confirmation, files ...app.Change) (*app.Publication, error) {
	return d.Publish(d.t.Context(), rightsOf(d.App, "administrator"), app.Changeset{Note: "a note", Files: files}, yes)
}

// refused requires that nothing was published and tells what the refusal says.
func (d desks) refused(want fault.Code, yes app.Confirmation, files ...app.Change) app.Publication {
	d.t.Helper()
	before, version := d.State().Catalog.Digest, d.State().Catalog.Version
	_, err := d.publish(yes, files...)
	var f *fault.Error
	require.ErrorAs(d.t, err, &f)
	require.Equal(d.t, want, f.Code, "%v", err)
	require.Equal(d.t, before, d.State().Catalog.Digest)
	require.Equal(d.t, version, d.State().Catalog.Version)
	p, _ := f.Data.(app.Publication)
	return p
}

const addPlace = `"name": "备注"},
    {"code": "place", "propertyType": "ShortText", "name": "地点"}`

func TestPublish(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		cfg := config(t, o, deskDir)
		cfg.Version = "test"
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		d := desks{a, t}

		before := rightsOf(a, "administrator")

		// A new property and a column of the list, together.
		files := []app.Change{d.change("models/ticket.json", `"name": "备注"}`, addPlace), d.change("lists/ticket.json", `["name"]`, `["name", "place"]`)}
		look, err := d.Look(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: files})
		require.NoError(t, err)
		require.Len(t, look.Steps, 1)
		require.Equal(t, store.Safe, look.Class)
		require.Nil(t, a.State().Catalog.Model("ticket").Field("place"), "looking changes nothing")
		done, err := d.publish(app.Confirmation{}, files...)
		require.NoError(t, err)
		require.EqualValues(t, 1, done.Version)
		require.NotNil(t, a.State().Catalog.Model("ticket").Field("place"))
		require.Equal(t, look.Digest, done.Digest)

		// What was prepared with the definitions before writes nothing, without HTTP as well.
		_, err = a.Writer().Save(t.Context(), before, record.Change{Model: "ticket", Set: map[string]json.RawMessage{"name": json.RawMessage(`"late"`)}})
		require.ErrorIs(t, err, store.ErrSchemaMoved)
		_, err = a.Writer().Save(t.Context(), rightsOf(a, "administrator"), record.Change{Model: "ticket", Set: map[string]json.RawMessage{"name": json.RawMessage(`"one"`)}})
		require.NoError(t, err)

		// An author who began before that learns whose change conflicts.
		late := d.refused(fault.PublishConflict, app.Confirmation{}, files[0])
		require.Len(t, late.Conflicts, 1)
		require.EqualValues(t, 1, late.Conflicts[0].By.Version)
		require.Equal(t, "a note", late.Conflicts[0].By.Note)
		require.Equal(t, d.document("models/ticket.json").Seen, late.Conflicts[0].Seen)

		// What does not compile is told with file, line and column, all of it.
		faulty := d.refused(fault.PublishFaulty, app.Confirmation{}, d.change("models/ticket.json", `"ShortText", "name": "地点"`, `"ShortTxt", "name": "地点"`),
			d.change("lists/ticket.json", `"place"`, `"plaice"`))
		var at []string
		for _, p := range faulty.Diagnostics {
			if p.Severity == diag.Error {
				at = append(at, p.Position.String()+" "+p.Code)
			}
		}
		require.Len(t, at, 2, "%v", at)
		require.Regexp(t, `^desk/lists/ticket\.json:1:\d+ LIST`, at[0])
		require.Regexp(t, `^desk/models/ticket\.json:6:\d+ `, at[1])

		// What asks for care is done only as it was confirmed.
		renames := d.change("models/ticket.json", `"code": "note"`, `"code": "remark", "renamedFrom": "note"`)
		p := d.refused(fault.PublishConfirm, app.Confirmation{}, renames)
		require.Equal(t, store.Confirm, p.Class)
		d.refused(fault.PublishConfirm, app.Confirmation{Steps: "something else"}, renames)
		_, err = d.publish(app.Confirmation{Steps: p.Digest}, renames)
		require.NoError(t, err)
		require.NotNil(t, a.State().Catalog.Model("ticket").Field("remark"))
		drops := d.change("models/ticket.json", addPlace, `"name": "备注"}`)
		drops.Text = new(strings.Replace(*d.document("models/ticket.json").Text, ",\n    {\"code\": \"place\", \"propertyType\": \"ShortText\", \"name\": \"地点\"}", "", 1))
		list := d.change("lists/ticket.json", `, "place"`, ``)
		p = d.refused(fault.PublishDestructive, app.Confirmation{}, drops, list)
		require.Equal(t, store.Destructive, p.Class)
		d.refused(fault.PublishConfirm, app.Confirmation{AllowDestructive: true}, drops, list)
		_, err = d.publish(app.Confirmation{Steps: p.Digest, AllowDestructive: true}, drops, list)
		require.NoError(t, err)

		// Only those with the right, and only documents of packs.
		for _, roles := range [][]string{nil, {"agent"}} {
			_, err = a.Publish(t.Context(), rightsOf(a, roles...), app.Changeset{Files: files}, app.Confirmation{})
			requireFault(t, err, fault.Forbidden)
			_, err = a.DocumentList(t.Context(), rightsOf(a, roles...))
			requireFault(t, err, fault.Forbidden)
		}
		for _, path := range []string{"../x.json", "models/.x.json", "models/x.go", "a/b/c.json", "/x.json", ""} {
			_, err = d.publish(app.Confirmation{}, app.Change{Pack: "desk", Path: path, Text: new("{}")})
			requireFault(t, err, fault.BadParameter)
		}

		// The history holds every version, and an older text can be published again.
		history, err := a.History(t.Context(), rightsOf(a, "administrator"), 0, 10)
		require.NoError(t, err)
		require.Len(t, history, 3)
		require.EqualValues(t, 3, history[0].Version)
		require.Len(t, history[0].Files, 2)
		first, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), "desk", "models/ticket.json", 1)
		require.NoError(t, err)
		require.Equal(t, *files[0].Text, *first.Text)
		back := app.Change{Pack: "desk", Path: "lists/ticket.json", Text: d.document("lists/ticket.json").Base, Seen: d.document("lists/ticket.json").Seen}
		_, err = d.publish(app.Confirmation{}, back)
		require.NoError(t, err)
		require.Zero(t, d.document("lists/ticket.json").Published, "it is the pack's own again")

		// Another start serves the same, and so does one by the short way.
		want := a.State().Catalog.Digest
		require.NoError(t, a.Close())
		for range 2 {
			a, err = app.Open(t.Context(), cfg)
			require.NoError(t, err)
			require.Equal(t, want, a.State().Catalog.Digest)
			require.EqualValues(t, 4, a.State().Catalog.Version)
			require.NotNil(t, a.State().Catalog.Model("ticket").Field("remark"))
			require.NoError(t, a.Close())
		}
	})
}

func requireFault(t *testing.T, err error, want fault.Code) {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, want, f.Code)
}

// twoNodes are two servers on one PostgreSQL database.
func twoNodes(t *testing.T) (nodes []desks) {
	t.Helper()
	o := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
	for range 2 {
		cfg := config(t, o, deskDir)
		cfg.Key = "a key of this test, long enough to be one"
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		nodes = append(nodes, desks{a, t})
	}
	return nodes
}

// TestPublishersRace lets two nodes publish at the same time: other files of both stand, of the same file one.
func TestPublishersRace(t *testing.T) {
	t.Parallel()
	nodes := twoNodes(t)
	race := func(files ...app.Change) (errs [2]error) {
		var both sync.WaitGroup
		for n, d := range nodes {
			both.Go(func() { _, errs[n] = d.publish(app.Confirmation{}, files[n]) })
		}
		both.Wait()
		return errs
	}
	errs := race(nodes[0].change("models/ticket.json", `"name": "备注"}`, addPlace), nodes[1].change("access/agent.json", `"坐席"`, `"客服"`))
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	for _, d := range nodes {
		require.Eventually(t, func() bool { return d.State().Catalog.Version == 2 }, 10*time.Second, time.Millisecond)
		require.NotNil(t, d.State().Catalog.Model("ticket").Field("place"))
		require.Equal(t, "客服", d.State().Catalog.Role("agent").Label.Zh)
	}
	errs = race(nodes[0].change("access/agent.json", `"客服"`, `"甲"`), nodes[1].change("access/agent.json", `"客服"`, `"乙"`))
	require.True(t, (errs[0] == nil) != (errs[1] == nil), "%v", errs)
	for _, err := range errs {
		if err != nil {
			requireFault(t, err, fault.PublishConflict)
		}
	}
}

// TestNodeBehind opens a node whose program does not know what another publishes: it says so, refuses writes, and comes back.
func TestNodeBehind(t *testing.T) {
	t.Parallel()
	o := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
	other := filepath.Join(t.TempDir(), "desk")
	require.NoError(t, os.CopyFS(other, os.DirFS(deskDir)))
	var nodes []desks
	for _, dir := range []string{deskDir, other} {
		cfg := config(t, o, dir)
		cfg.Key = "a key of this test, long enough to be one"
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		nodes = append(nodes, desks{a, t})
	}
	require.NoError(t, nodes[1].Ready(t.Context()))
	// Its files have been replaced by those of a version that does not know the property.
	model := filepath.Join(other, "models", "ticket.json")
	require.NoError(t, os.WriteFile(model, []byte(`{"name": "工单", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}]}`), 0o644))
	_, err := nodes[0].publish(app.Confirmation{}, nodes[0].change("lists/ticket.json", `["name"]`, `["name", "note"]`))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return nodes[1].Ready(t.Context()) != nil }, 10*time.Second, time.Millisecond)
	var behind *app.Behind
	require.ErrorAs(t, nodes[1].Ready(t.Context()), &behind)
	require.EqualValues(t, 1, behind.Version)
	_, err = nodes[1].AddUser(t.Context(), "somebody", "somebody", nil)
	require.ErrorIs(t, err, store.ErrSchemaMoved, "it writes nothing")
	require.NoError(t, os.CopyFS(filepath.Join(other, "new"), os.DirFS(deskDir)))
	require.NoError(t, os.Rename(filepath.Join(other, "new", "models", "ticket.json"), model))
	require.NoError(t, os.RemoveAll(filepath.Join(other, "new")))
	require.Eventually(t, func() bool { return nodes[1].Ready(t.Context()) == nil }, 10*time.Second, time.Millisecond)
	_, err = nodes[1].AddUser(t.Context(), "somebody", "somebody", nil)
	require.NoError(t, err)
}

// TestExportOfExamples writes examples as they are.
func TestExportOfExamples(t *testing.T) {
	t.Parallel()
	set := config(t, store.Options{Dir: t.TempDir()}).Set
	// Others only repeat the tests of this package when they change.
	for _, dir := range []string{"../../examples/clinic", "../../examples/ship-lock"} {
		out := t.TempDir()
		documents := app.Documents{Set: set, Dirs: []string{dir}}
		n, err := documents.Export(out, func(f app.Folder) bool { return !f.Embedded })
		require.NoError(t, err)
		require.Greater(t, n, 2, dir)
		written := 0
		require.NoError(t, filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			written++
			_, within, _ := strings.Cut(strings.TrimPrefix(path, out+"/"), "/")
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			want, err := os.ReadFile(filepath.Join(dir, within))
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), path)
			return nil
		}))
		require.Equal(t, n, written)
		// What compiles from the files compiles to the same from what was written.
		folders, err := os.ReadDir(out)
		require.NoError(t, err)
		before, _, err := documents.Compile()
		require.NoError(t, err)
		if before == nil { // it needs code that this program does not have
			continue
		}
		documents.Dirs = []string{filepath.Join(out, folders[0].Name())}
		after, _, err := documents.Compile()
		require.NoError(t, err)
		require.Equal(t, before.Digest, after.Digest)
		n, err = documents.Export(out, func(f app.Folder) bool { return !f.Embedded })
		require.NoError(t, err)
		require.Zero(t, n)
	}
}

// TestRightsOnEveryNode: what a published role gives and takes is in force on both nodes, and where nothing but a role has changed, only roles are
// compiled again: lists and models stay the same ones.
func TestRightsOnEveryNode(t *testing.T) {
	t.Parallel()
	nodes := twoNodes(t)
	may := func(d desks) bool { return rightsOf(d.App, "agent").Can(d.State().Catalog.Model("ticket"), "delete") }
	texts := []string{`"edit"]`, `"edit", "delete"]`}
	for n := range 5 {
		by, given := nodes[n%2], n%2 == 0
		before := [2]*catalog.Model{nodes[0].State().Catalog.Model("ticket"), nodes[1].State().Catalog.Model("ticket")}
		_, err := by.publish(app.Confirmation{}, by.change("access/agent.json", texts[n%2], texts[(n+1)%2]))
		require.NoError(t, err)
		require.Equal(t, given, may(by))
		for i, d := range nodes {
			require.Eventually(t, func() bool { return may(d) == given }, 10*time.Second, time.Millisecond)
			if n > 1 { // both have compiled since they were started
				require.Same(t, before[i], d.State().Catalog.Model("ticket"))
			}
		}
	}
}
