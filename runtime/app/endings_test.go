package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// What people have of a document ends with its removal, as the check says; it does not come back with the document, and the check says that too.
// Administrators are told.
func TestEndedStaysEnded(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		defer a.Close()
		day := a.Now().In(a.Zone()).Format(time.DateOnly)
		d := desks{a, t}
		chief, err := a.AddUser(ctx, "chief", "chief", []string{"administrator"})
		require.NoError(t, err)
		texts := map[string]string{
			"access/reader.json": `{"name": "reader", "models": [{"schemaCode": "ticket", "actions": ["view"], "rows": "all"}]}`,
			"forms/intake.json":  `{"name": "intake", "schemaCode": "ticket", "items": ["name"]}`,
			"workflows/asking.json": `{"name": "asking", "schemaCode": "ticket", "settings": {"initiators": {"all": true}}, "nodes": [{"id": "start", "type": "START", "next": ["check"]},
				{"id": "check", "type": "APPROVE", "name": "check", "participants": [{"type": "role", "value": ["administrator"]}], "next": ["end"]}, {"id": "end", "type": "END"}]}`,
			"app.json": `{"name": "desk", "menu": [{"code": "ticket", "type": "BizModel"}]}`,
		}
		publish := func(files ...app.Change) (said []string) {
			p, err := d.Look(ctx, rightsOf(a, "administrator"), app.Changeset{Files: files})
			require.NoError(t, err)
			for _, one := range p.Diagnostics {
				require.NotEqual(t, diag.Error, one.Severity, one.En)
			}
			by := audit.From(ctx, audit.Origin{Actor: chief, Name: "chief"})
			_, err = a.Publish(by, rightsOf(a, "administrator"), app.Changeset{Files: files}, app.Confirmation{Steps: p.Digest})
			require.NoError(t, err)
			for _, s := range p.Steps {
				said = append(said, fmt.Sprint(s.Action, " ", s.Class, " ", s.Count, " ", s.Text.In("en")))
			}
			return said
		}
		all := func() (out []app.Change) {
			for path, text := range texts {
				out = append(out, app.Change{Pack: "desk", Path: path, Text: &text})
			}
			return out
		}
		gone := func() (out []app.Change) {
			for path := range texts {
				one := d.change(path, "", "")
				one.Text = nil
				out = append(out, one)
			}
			return out
		}
		require.Empty(t, publish(all()...))
		boss, err := a.AddUser(ctx, "boss", "boss", []string{"administrator"})
		require.NoError(t, err)
		ann, err := a.AddUser(ctx, "ann", "ann", []string{"reader"})
		require.NoError(t, err)
		bob, err := a.AddUser(ctx, "bob", "bob", []string{"reader"})
		require.NoError(t, err)
		_, err = a.Auth().MakeLink(ctx, ann, authn.LinkOf{Form: "intake", Label: "x", Life: 24 * time.Hour})
		require.NoError(t, err)
		_, err = a.Auth().MakeToken(ctx, ann, authn.TokenOf{Label: "night", Life: 24 * time.Hour, ReadOnly: true, Apps: []principal.AppScope{{App: "desk"}}})
		require.NoError(t, err)
		as := func(user string) principal.Principal {
			p, known := a.Caller(ctx, user)
			require.True(t, known)
			return p
		}
		delegations := func(user string) []workflow.Delegation {
			out, err := a.Workflows().Delegations(ctx, a.State().Policy.View(as(user), a.Now(), a.Zone()))
			require.NoError(t, err)
			return out
		}
		delegate := func(id string, codes ...string) error {
			_, err := a.Workflows().Delegate(ctx, a.State().Policy.View(as("ann"), a.Now(), a.Zone()),
				workflow.DelegationOrder{ID: id, To: bob, Codes: codes, Starts: a.Now().Add(-time.Hour), Ends: a.Now().Add(time.Hour), Enabled: true})
			return err
		}
		require.NoError(t, delegate("", "asking"))

		require.ElementsMatch(t, []string{
			"remove-role needs-confirmation 2 remove role reader; 2 people lose it: ann, bob",
			"end needs-confirmation 1 remove form intake; 1 external link ends: x",
			"end needs-confirmation 1 remove application desk; 1 token reaches it no longer: night",
			"end needs-confirmation 1 remove workflow asking; 1 delegation is no longer for it: ann → bob",
		}, publish(gone()...))
		require.NoError(t, a.CatchUp(ctx))
		require.NoError(t, a.CatchUp(ctx))
		require.Equal(t, []string{
			"Application desk was removed; 1 token reaches it no longer|night",
			"Form intake was removed; 1 external link ended|x",
			"Role reader was removed; 2 people lost it|ann, bob",
			"Workflow asking was removed; 1 delegation is no longer for it|ann → bob",
		}, toldTo(t, a, boss))
		require.Empty(t, toldTo(t, a, chief), "who published it")
		over := delegations("ann")
		require.Len(t, over, 1)
		require.False(t, over[0].Active)
		require.Equal(t, []string{"~asking", "asking（已删除）"}, []string{over[0].Codes[0], over[0].Known[0].Name})

		require.ElementsMatch(t, []string{
			"comes-again safe 2 role reader was removed on " + day + "; 2 people who lost it then stay without it",
			"comes-again safe 1 form intake was removed on " + day + "; 1 external link that ended then stays ended",
			"comes-again safe 1 application desk was removed on " + day + "; 1 token that named it then still does not reach it",
			"comes-again safe 1 workflow asking was removed on " + day + "; 1 delegation that named it then is still not for it",
		}, publish(all()...))
		require.False(t, delegations("ann")[0].Active)
		page, err := a.Audit().Page(ctx, audit.Query{Kinds: []audit.Kind{audit.Removed}, Size: 10})
		require.NoError(t, err)
		require.Len(t, page.Entries, 4)
	})
}

// toldTo are the messages of somebody: title and text.
func toldTo(t *testing.T, a *app.App, user string) (out []string) {
	t.Helper()
	page, err := a.Messages().Search(t.Context(), a.State().Policy.View(principal.Principal{UserID: user, Locale: "en"}, a.Now(), a.Zone()), notify.Search{Size: 50})
	require.NoError(t, err)
	for _, one := range page.Content {
		out = append(out, one.Title+"|"+one.Content)
	}
	slices.Sort(out)
	return out
}

// A start with a later version of a pack that lacks a role asks nobody: administrators are told whose it was.
func TestNextVersionWithoutARole(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		dir := filepath.Join(t.TempDir(), "desk")
		require.NoError(t, os.CopyFS(dir, os.DirFS(deskDir)))
		a, err := app.Open(t.Context(), config(t, o, dir))
		require.NoError(t, err)
		boss, err := a.AddUser(t.Context(), "boss", "boss", []string{"administrator"})
		require.NoError(t, err)
		_, err = a.AddUser(t.Context(), "ann", "ann", []string{"agent"})
		require.NoError(t, err)
		require.NoError(t, a.Close())
		require.NoError(t, os.Remove(filepath.Join(dir, "access", "agent.json")))
		var late string
		for i := range 2 {
			a, err = app.Open(t.Context(), config(t, o, dir))
			require.NoError(t, err)
			require.NoError(t, a.CatchUp(t.Context()))
			require.Equal(t, []string{"Role agent was removed; 1 person lost it|ann"}, toldTo(t, a, boss), "once")
			if i == 0 {
				late, err = a.AddUser(t.Context(), "late", "late", []string{"administrator"})
				require.NoError(t, err)
			}
			require.Empty(t, toldTo(t, a, late), "it was before their time")
			require.NoError(t, a.Close())
		}
	})
}
