package app_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// removing changes documents of the clinic.
type removing struct {
	*app.App
	t *testing.T
}

// look tells what the check of a changeset says of what is removed: files are given as pairs of old and new text.
func (r removing) look(files map[string][]string) (out []string) {
	r.t.Helper()
	p, err := r.Look(r.t.Context(), rightsOf(r.App, "administrator"), r.set(files))
	require.NoError(r.t, err)
	for _, d := range p.Diagnostics {
		if strings.HasPrefix(d.Code, "REMOVE") {
			out = append(out, d.Code+" "+d.Position.String()+" "+d.En)
			if d.Severity == diag.Error {
				require.Empty(r.t, p.Steps, "nothing is planned")
			}
		}
	}
	return out
}

func (r removing) set(files map[string][]string) (set app.Changeset) {
	r.t.Helper()
	for path, of := range files {
		now, err := r.DocumentText(r.t.Context(), rightsOf(r.App, "administrator"), "clinic", path, 0)
		require.NoError(r.t, err)
		change := app.Change{Pack: "clinic", Path: path, Seen: now.Seen}
		if of != nil {
			text := strings.NewReplacer(of...).Replace(*now.Text)
			require.NotEqual(r.t, *now.Text, text)
			change.Text = &text
		}
		set.Files = append(set.Files, change)
	}
	return set
}

// TestRemovals: what something names still cannot be removed, and every place is named; words in scripts are warnings.
func TestRemovals(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		cfg := clinic(t, o)
		cfg.Set.On("room")
		_, _, line, _ := runtime.Caller(0)
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		r := removing{a, t}
		const fee = `    {"code": "fee", "propertyType": "Number", "name": "费用", "name_i18n": {"en": "Fee"}},` + "\n"
		script := `REMOVE003 clinic/lists/visit.js:2:61 "fee" here may mean the property "visit.fee", which is removed`

		require.Equal(t, []string{
			script,
			`REMOVE002 clinic/models/visit.json the property "visit.fee" can't be removed; used by clinic/lists/visit.json:1:96, clinic/models/visit.json:6:110`,
		}, r.look(map[string][]string{"models/visit.json": {fee, ""}}))

		// With its places it can go, and the script is looked at.
		free := map[string][]string{"models/visit.json": {fee, "", "fee * 2", "2"}, "lists/visit.json": {`, "fee"`, ""}}
		require.Equal(t, []string{script}, r.look(free))

		// A rename is none, and what has another name elsewhere is not told.
		require.Empty(t, r.look(map[string][]string{
			"models/visit.json": {`{"code": "fee",`, `{"code": "price", "renamedFrom": "fee",`, "fee * 2", "price * 2"},
			"lists/visit.json":  {`"fee"`, `"price"`},
		}))

		// Code of the program names it.
		require.Equal(t, []string{fmt.Sprintf(`REMOVE002 clinic/models/room.json the model "room" can't be removed; used by app/removals_test.go:%d:1`, line-1)}, r.look(map[string][]string{"models/room.json": nil}))

		// A document, with the places in other applications.
		require.Equal(t, []string{
			`REMOVE002 clinic/models/visit.json the model "visit" can't be removed; used by clinic/app.json:1:123, clinic/lists/visit.json:1:62, clinic/lists/visit.json:1:88, clinic/lists/visit.json:1:96, office/models/bill.json:1:262`,
		}, r.look(map[string][]string{"models/visit.json": nil}))
	})
}

// TestRenamesAreLogged: the log of what was done tells who renamed what from what.
func TestRenamesAreLogged(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), clinic(t, o))
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		r := removing{a, t}
		set := r.set(map[string][]string{
			"models/visit.json": {`{"code": "fee",`, `{"code": "price", "renamedFrom": "fee",`, "fee * 2", "price * 2"},
			"lists/visit.json":  {`"fee"`, `"price"`},
		})
		look, err := a.Look(t.Context(), rightsOf(a, "administrator"), set)
		require.NoError(t, err)
		ctx := audit.From(t.Context(), audit.Origin{Actor: "01900000-0000-7000-8000-000000000001", Name: "王工"})
		_, err = a.Publish(ctx, rightsOf(a, "administrator"), set, app.Confirmation{Steps: look.Digest})
		require.NoError(t, err)
		page, err := a.Audit().Page(t.Context(), audit.Query{Kinds: []audit.Kind{audit.Renamed}, Size: 10})
		require.NoError(t, err)
		require.Len(t, page.Entries, 1)
		e := page.Entries[0]
		require.Equal(t, []string{"王工", "visit.price", "property", "visit.fee", "price"}, []string{e.Name, e.Subject, e.Detail["kind"], e.Detail["old"], e.Detail["new"]})
	})
}
