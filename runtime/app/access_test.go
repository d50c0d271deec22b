package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/manage"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestAccessChange: looking at a changeset names the people whose rights it changes, what they gain and lose, and counts the records on the
// real tables.
func TestAccessChange(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), config(t, o, deskDir))
		require.NoError(t, err)
		d := desks{a, t}
		li, err := a.AddUser(t.Context(), "li.na", "李娜", []string{"agent"})
		require.NoError(t, err)
		_, err = a.AddUser(t.Context(), "wang", "王", []string{"agent"})
		require.NoError(t, err)
		_, err = a.AddUser(t.Context(), "zhao", "赵", []string{"administrator"})
		require.NoError(t, err)
		for i, user := range []string{li, li, "01900000-0000-7000-8000-000000000009"} {
			view := a.State().Policy.View(principal.Principal{UserID: user, Roles: []string{"administrator"}}, a.Now(), a.Zone())
			_, err := a.Writer().Save(t.Context(), view, record.Change{Model: "ticket", Set: map[string]json.RawMessage{"name": json.RawMessage(`"t` + string(rune('a'+i)) + `"`)}})
			require.NoError(t, err)
		}
		look := func(files ...app.Change) *app.Publication {
			out, err := d.Look(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: files})
			require.NoError(t, err)
			return out
		}

		// The list alone changes no right.
		require.Empty(t, look(d.change("lists/ticket.json", `["name"]`, `["name", "note"]`)).Access.Groups)

		got := look(d.change("access/agent.json", `"actions": ["view", "add", "edit"], "rows": "all"`,
			`"actions": ["view", "edit", "delete"], "rows": "own", "fields": {"note": "-"}`)).Access
		require.Equal(t, 2, got.People)
		require.Len(t, got.Groups, 1)
		g := got.Groups[0]
		require.Equal(t, [][]string{{"agent"}}, g.Roles)
		require.Equal(t, []string{"李娜", "王"}, g.Names)
		require.Len(t, g.Models, 1)
		m := g.Models[0]
		require.Equal(t, "ticket", m.Code)
		gained := map[string]bool{}
		for _, x := range m.Actions {
			gained[x.Code] = x.Gained
		}
		require.Equal(t, map[string]bool{"add": false, "delete": true}, gained)
		require.Equal(t, []string{"view", "edit"}, m.Rows[0].Actions)
		require.Equal(t, "all", m.Rows[0].Before)
		require.Equal(t, "owner == user.id", m.Rows[0].After)
		require.Len(t, m.Rows[0].Counts, 2)
		require.Equal(t, "李娜", m.Rows[0].Counts[0].Name)
		require.EqualValues(t, 1, m.Rows[0].Counts[0].Lost, "one of three is somebody else's")
		require.EqualValues(t, 3, m.Rows[0].Counts[1].Lost)
		require.Equal(t, "", m.Rows[1].Before)
		require.EqualValues(t, 2, m.Rows[1].Counts[0].Gained, "records that may be deleted now")
		require.Len(t, m.Fields, 1)
		require.Equal(t, []string{"note", "rw", "-"}, []string{m.Fields[0].Code, m.Fields[0].Before, m.Fields[0].After})

		// A condition over a property that comes with the change has no column to count with, and is named all the same.
		files := []app.Change{d.change("models/ticket.json", `"name": "备注"}`, addPlace), d.change("access/agent.json", `"rows": "all"`, `"rows": "place == 'A'"`)}
		got = look(files...).Access
		require.Equal(t, `place == "A"`, got.Groups[0].Models[0].Rows[0].After)
		require.Empty(t, got.Groups[0].Models[0].Rows[0].Counts)

		// A role that nobody has yet is shown with what it gives.
		text := `{"name": "来访", "apps": ["*"], "permissions": ["APP_MNG"], "models": [{"schemaCode": "ticket", "actions": ["view"], "rows": "all", "fields": {"*": "r"}}]}`
		got = look(app.Change{Pack: "desk", Path: "access/guest.json", Text: &text}).Access
		require.Equal(t, 0, got.People)
		require.Equal(t, [][]string{{"guest"}}, got.Groups[0].Roles)
		require.Equal(t, "APP_MNG", got.Groups[0].Permissions[0].Code)
	})
}

// TestAdministersApplication: a role with APP_MNG changes the menus of the applications that its own document names, and neither others nor
// models.
func TestAdministersApplication(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), config(t, o, deskDir))
		require.NoError(t, err)
		d := desks{a, t}
		text := func(s string) *string { return &s }
		_, err = d.publish(app.Confirmation{},
			app.Change{Pack: "desk", Path: "app.json", Text: text(`{"name": "工单", "menu": [{"code": "ticket", "type": "BizModel"}]}`)},
			app.Change{Pack: "desk", Path: "access/keeper.json", Text: text(`{"name": "管理", "permissions": ["APP_MNG"], "apps": ["desk"]}`)},
			app.Change{Pack: "desk", Path: "access/guest.json", Text: text(`{"name": "来访", "apps": ["organisation"]}`)},
			app.Change{Pack: "desk", Path: "access/idle.json", Text: text(`{"name": "无应用", "permissions": ["APP_MNG"]}`)})
		require.NoError(t, err)
		keeper := func() *authz.View { return rightsOf(a, "keeper", "guest") }
		require.True(t, a.MayAdminister(keeper(), "DESK"))
		require.False(t, a.MayAdminister(keeper(), "organisation"), "another role opens it, the one with APP_MNG does not name it")
		require.False(t, a.MayAdminister(keeper(), ""))
		require.False(t, a.MayAdminister(rightsOf(a, "idle", "guest"), "organisation"))
		require.False(t, a.MayAdminister(rightsOf(a, "agent"), "desk"))

		apps, err := a.ManagedApps(t.Context(), keeper())
		require.NoError(t, err)
		require.Len(t, apps, 1)
		menu, err := a.ManagedMenu(t.Context(), keeper(), "desk")
		require.NoError(t, err)
		_, err = a.AddEntry(t.Context(), keeper(), app.NewEntry{App: "desk", Seen: menu.App.Seen, Code: "more", Type: "Folder", Names: app.Names{Name: "更多"}})
		require.NoError(t, err)
		require.Len(t, a.State().Catalog.App("desk").Menu, 2)

		refused := func(err error) {
			t.Helper()
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			require.Equal(t, fault.Forbidden, f.Code)
		}
		menu, err = a.ManagedMenu(t.Context(), keeper(), "desk")
		require.NoError(t, err)
		_, err = a.AddEntry(t.Context(), keeper(), app.NewEntry{App: "desk", Seen: menu.App.Seen, Code: "extra", Model: true, Names: app.Names{Name: "模型"}})
		refused(err)
		_, err = a.DeleteEntry(t.Context(), keeper(), app.EntryDeletion{App: "desk", Seen: menu.App.Seen, Code: "ticket", Model: "ticket", Intent: app.Intent{Check: true}})
		refused(err)
		_, err = a.AddApp(t.Context(), keeper(), app.NewApp{Code: "mine"})
		refused(err)
		_, err = a.ManagedMenu(t.Context(), keeper(), "organisation")
		refused(err)
		list := app.Change{Pack: "desk", Path: "lists/keepers.json", Text: text(`{"name": "管理员的工单", "schemaCode": "ticket", "queryColumns": ["name"]}`)}
		for name, change := range map[string]app.Change{"rights": {Pack: "desk", Path: "access/keeper.json", Text: text(`{}`)}, "a model": {Pack: "desk", Path: "models/more.json", Text: text(`{}`)},
			"a script": {Pack: "desk", Path: "lists/keepers.js", Text: text("")}, "a script below": {Pack: "desk", Path: "lists/more/keepers.json", Text: text("")},
			"another pack": {Pack: "organisation", Path: "lists/keepers.json", Text: list.Text}, "no pack": {Pack: "none", Path: "lists/keepers.json", Text: list.Text},
			"a way out": {Pack: "desk", Path: "lists/../access/keeper.json", Text: text(`{}`)}} {
			_, err = a.Publish(t.Context(), keeper(), app.Changeset{Files: []app.Change{list, change}}, app.Confirmation{})
			require.Equal(t, fault.Forbidden, fault.Of(err), name)
			_, err = a.Look(t.Context(), keeper(), app.Changeset{Files: []app.Change{change}})
			require.Equal(t, fault.Forbidden, fault.Of(err), name)
			_, err = a.DocumentText(t.Context(), keeper(), change.Pack, change.Path, 0)
			require.Equal(t, fault.Forbidden, fault.Of(err), name)
		}
		for _, other := range []*authz.View{rightsOf(a, "idle", "guest"), rightsOf(a, "agent")} {
			_, err = a.Publish(t.Context(), other, app.Changeset{Files: []app.Change{list}}, app.Confirmation{})
			refused(err)
		}
		require.Nil(t, a.State().Catalog.List("keepers"))
		done, err := a.Publish(t.Context(), keeper(), app.Changeset{Note: "列表", Files: []app.Change{list}}, app.Confirmation{})
		require.NoError(t, err)
		require.Empty(t, done.Conflicts)
		require.NotNil(t, a.State().Catalog.List("keepers"))
		got, err := a.DocumentText(t.Context(), keeper(), "desk", "lists/keepers.json", 0)
		require.NoError(t, err)
		require.Equal(t, *list.Text, *got.Text)
		documents, err := a.DocumentList(t.Context(), keeper())
		require.NoError(t, err)
		require.NotEmpty(t, documents)
		for _, d := range documents {
			require.Equal(t, "desk", d.Pack)
			require.Regexp(t, `^(lists|forms)/[a-z_]+\.json$`, d.Path)
		}
	})
}

// TestWaysBesidesRoles: before it is published, a workflow tells whom it shows records, and rows of packs tell whom they give roles.
func TestWaysBesidesRoles(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := store.Options{Dir: publishing.SQLite(t)}
	cfg := twoApplications(t, o)
	a, err := app.Open(ctx, cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, a.Close()) }()

	flow := func(people, fields string) string {
		return `{"schemaCode": "leftThing", "name": "审", "name_i18n": {"en": "Approval"}, "nodes": [{"id": "start", "type": "START", "name": "始", "name_i18n": {"en": "Start"}, "next": ["look"]},
			{"id": "look", "type": "APPROVE", "name": "看", "name_i18n": {"en": "Look"}, "participants": [` + people + `]` + fields + `, "next": ["end"]}, {"id": "end", "type": "END"}]}`
	}
	keepers := `{"type": "role", "value": ["rightKeeper"]}`
	first := flow(keepers, "")
	leftFlow := func(code string) design.Name { return design.Name{Kind: catalog.KindWorkflow, App: "left", Code: code} }
	publishFlow := func(in design.Draft) (*design.Published, error) {
		_, err := a.Designs().Lock(ctx, rightsOf(a, "leftKeeper"), in.Name, false)
		require.NoError(t, err)
		return a.Designs().Publish(ctx, rightsOf(a, "leftKeeper"), in)
	}
	check, err := a.Designs().Check(ctx, rightsOf(a, "leftKeeper"), design.Proof{Draft: design.Draft{Name: leftFlow("agree"), New: true, Text: first}})
	require.NoError(t, err)
	require.Empty(t, check.Diagnostics.Errors())
	require.Len(t, check.Ways, 1)
	require.Equal(t, []string{"workflow", "agree", "look", "leftThing", "role rightKeeper"}, []string{check.Ways[0].Kind, check.Ways[0].Code, check.Ways[0].Node.Code, check.Ways[0].Model.Code, check.Ways[0].People[0].String()})
	require.Equal(t, "-", check.Ways[0].Fields[0].Before)
	require.Equal(t, "r", check.Ways[0].Fields[0].After)
	done, err := publishFlow(design.Draft{Name: leftFlow("agree"), New: true, Text: first})
	require.NoError(t, err)
	opened := func() []audit.Entry {
		log, err := a.Audit().Page(ctx, audit.Query{Size: 10, Kinds: []audit.Kind{audit.WayOpened}})
		require.NoError(t, err)
		return log.Entries
	}
	log, less := opened(), flow(keepers, `, "form": {"fields": {"name": "-"}}`)
	require.Len(t, log, 1)
	require.Equal(t, "agree", log[0].Subject)
	require.Equal(t, map[string]string{"way": "workflow", "version": "1", "node": "看", "model": check.Ways[0].Model.Label.Zh, "people": "role " + check.Ways[0].People[0].Names[0].Label.Zh,
		"fields": check.Ways[0].Fields[0].Label.Zh}, log[0].Detail)
	done, err = publishFlow(design.Draft{Name: leftFlow("agree"), Seen: done.Seen, Text: less})
	require.NoError(t, err)
	require.Len(t, opened(), 1, "less than before opens nothing")
	_, err = publishFlow(design.Draft{Name: leftFlow("agree"), Seen: done.Seen, Text: first})
	require.NoError(t, err)
	require.Len(t, opened(), 2, "and back to what it was does")
	ways := func(text string) []access.Way {
		check, err := a.Designs().Check(ctx, rightsOf(a, "leftKeeper"), design.Proof{Draft: design.Draft{Name: leftFlow("agree"), Text: text}})
		require.NoError(t, err)
		require.Empty(t, check.Diagnostics.Errors())
		return check.Ways
	}
	require.Empty(t, ways(first), "as it is")
	require.Empty(t, ways(flow(keepers, `, "form": {"fields": {"name": "-"}}`)), "less than before")
	wider := ways(flow(keepers, `, "form": {"fields": {"name": "rw"}}`))
	require.Len(t, wider, 1)
	require.Equal(t, []string{"name", "r", "rw"}, []string{wider[0].Fields[0].Code, wider[0].Fields[0].Before, wider[0].Fields[0].After})
	require.Len(t, ways(flow(keepers+`, {"type": "initiator"}`, "")), 1, "others than before")
	require.Empty(t, ways(flow(strings.Replace(keepers, `}`, `, "weight": 3}`, 1), "")), "the same people")

	// Sources that reach further.
	leader := `{"type": "deptLeader", "level": 1, "walkUp": false}`
	_, err = publishFlow(design.Draft{Name: leftFlow("climb"), New: true, Text: flow(leader, "")})
	require.NoError(t, err)
	for _, wide := range []string{`{"type": "deptLeader", "level": 2, "walkUp": false}`, `{"type": "deptLeader", "level": 1}`} {
		check, err := a.Designs().Check(ctx, rightsOf(a, "leftKeeper"), design.Proof{Draft: design.Draft{Name: leftFlow("climb"), Text: flow(wide, "")}})
		require.NoError(t, err)
		require.Len(t, check.Ways, 1, wide)
	}

	// Rows that make people administrators.
	rows := `{"key": ["username"], "rows": [{"username": "mole", "name": "鼹鼠", "roles": ["administrator"]}]}`
	set := app.Changeset{Files: []app.Change{{Pack: "left", Path: "data/user.json", Text: &rows}}}
	look, err := a.Look(ctx, rightsOf(a, "administrator"), set)
	require.NoError(t, err)
	require.Empty(t, look.Diagnostics.Errors())
	require.Len(t, look.Access.Ways, 1)
	require.Equal(t, []string{"data", "user", "mole", "administrator"}, []string{look.Access.Ways[0].Kind, look.Access.Ways[0].Code, look.Access.Ways[0].People[0].String(), look.Access.Ways[0].Roles[0].Code})

	// So does a package, which may bring the role as well.
	p := manage.Package{Code: "trojan", Name: "马", Version: "1.0.0", Texts: map[string]string{"pack.json": `{"code": "trojan", "name": "马", "name_i18n": {"en": "Horse"}, "version": "1.0.0"}`,
		"app.json": `{"name": "马", "name_i18n": {"en": "Horse"}, "menu": []}`, "data/user.json": strings.Replace(rows, `"administrator"`, `"greek"`, 1),
		"access/greek.json": `{"name": "希", "name_i18n": {"en": "Greek"}, "models": [{"schemaCode": "rightThing", "actions": ["*"], "rows": "all"}]}`}}
	data, err := p.Write()
	require.NoError(t, err)
	checked, err := a.ImportApp(ctx, rightsOf(a, "administrator"), data, app.AppImport{Intent: app.Intent{Check: true}})
	require.NoError(t, err)
	require.Equal(t, "greek", checked.Access.Ways[0].Roles[0].Code)
	_, err = a.ImportApp(ctx, rightsOf(a, "administrator"), data, app.AppImport{})
	require.NoError(t, err)
	mole, ok := a.People().PersonByName(ctx, "mole")
	require.True(t, ok)

	// Everything has the name that readers know.
	named := ways(flow(`{"type": "person", "value": ["`+mole.ID+`"]}`, ""))[0]
	require.Equal(t, []string{"鼹鼠", "看", "物", "名称"}, []string{named.People[0].Names[0].Label.Zh, named.Node.Label.Zh, named.Model.Label.Zh, named.Fields[0].Label.Zh})
	require.Equal(t, "管理", ways(flow(`{"type": "role", "value": ["leftKeeper"]}`, ""))[0].People[0].Names[0].Label.Zh)
}
