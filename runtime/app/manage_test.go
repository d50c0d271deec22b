package app_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/manage"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// shop manages applications as an administrator.
type shop struct {
	*app.App
	t *testing.T
}

func (s shop) must(m *app.Managed, err error) *app.Managed {
	s.t.Helper()
	require.NoError(s.t, err)
	return m
}

func (s shop) refused(want fault.Code, err error) *fault.Error {
	s.t.Helper()
	var f *fault.Error
	require.ErrorAs(s.t, err, &f)
	require.Equal(s.t, want, f.Code, "%v", err)
	return f
}

func (s shop) menu(code string) *app.ManagedMenu {
	s.t.Helper()
	out, err := s.ManagedMenu(s.t.Context(), rightsOf(s.App, "administrator"), code)
	require.NoError(s.t, err)
	return out
}

func (s shop) add(in app.NewEntry) (*app.Managed, error) {
	return s.AddEntry(s.t.Context(), rightsOf(s.App, "administrator"), in)
}

func (s shop) codes() (out []string) {
	s.t.Helper()
	all, err := s.ManagedApps(s.t.Context(), rightsOf(s.App, "administrator"))
	require.NoError(s.t, err)
	for _, a := range all {
		out = append(out, a.Code)
	}
	return out
}

func (s shop) keep(model, name string) {
	s.t.Helper()
	_, err := s.Writer().Save(s.t.Context(), rightsOf(s.App, "administrator"), record.Change{Model: model, Set: map[string]json.RawMessage{"name": json.RawMessage(`"` + name + `"`)}})
	require.NoError(s.t, err)
}

// stock makes an application with a folder and a model, from the browser's calls alone.
func (s shop) stock() {
	s.t.Helper()
	s.must(s.AddApp(s.t.Context(), rightsOf(s.App, "administrator"), app.NewApp{Code: "shop", Names: app.Names{Name: "商店", NameI18n: map[string]string{"en": "Shop"}},
		Group: "零售", Icon: "grid", Color: "#1677ff"}))
	s.must(s.add(app.NewEntry{App: "shop", Code: "stock", Type: "Folder", Names: app.Names{Name: "库存"}}))
	s.must(s.add(app.NewEntry{App: "shop", Code: "goods", Model: true, Place: app.Place{Folder: "stock"}, Names: app.Names{Name: "商品", NameI18n: map[string]string{"en": "Goods"}}}))
}

// TestManageApps adds an application in the browser, works with it, orders, hides and deletes it.
func TestManageApps(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		s := shop{a, t}
		admin := func() *authz.View { return rightsOf(a, "administrator") }

		for code, want := range map[string]fault.Code{"": fault.AppCodeEmpty, "1x": fault.AppCodeInvalid, "a-b": fault.AppCodeInvalid, "ORGANISATION": fault.AppCodeTaken, "desk": fault.AppCodeTaken} {
			_, err := a.AddApp(ctx, admin(), app.NewApp{Code: code, Names: app.Names{Name: "x"}})
			s.refused(want, err)
		}
		_, err = a.AddApp(ctx, admin(), app.NewApp{Code: "x", Names: app.Names{Name: " "}})
		s.refused(fault.EmptyParameter, err)

		s.stock()
		require.Equal(t, []string{"organisation", "shop"}, s.codes())
		apps := a.Reader().Apps(admin())
		require.Equal(t, []string{"商店", "Shop", "grid", "#1677ff"}, []string{apps[1].Name, apps[1].NameI18n["en"], *apps[1].Icon, *apps[1].Color})

		// Its entry leads to a list that works, and a record can be added to it.
		nodes, err := a.Reader().Menu(admin(), "shop", false)
		require.NoError(t, err)
		require.Equal(t, "goods", *nodes[0].Children[0].QueryCode)
		s.keep("goods", "锤子")
		list, err := a.Reader().List(ctx, admin(), query.ListRequest{SchemaCode: "goods", QueryCode: "goods", Size: new(5)})
		require.NoError(t, err)
		require.Contains(t, string(list), "锤子")
		require.NotNil(t, a.State().Catalog.Form("goods"))

		_, err = s.add(app.NewEntry{App: "shop", Code: "GOODS", Type: "Folder", Names: app.Names{Name: "x"}})
		s.refused(fault.AppCodeTaken, err)
		_, err = s.add(app.NewEntry{App: "shop", Code: "ticket", Model: true, Names: app.Names{Name: "x"}})
		s.refused(fault.AppCodeTaken, err)
		_, err = s.add(app.NewEntry{App: "shop", Code: "wall", Type: "Page", EntryFields: app.EntryFields{PcURL: new("javascript:alert(1)")}})
		s.refused(fault.PublishFaulty, err)

		// Two administrators: the second one is told, and nothing of theirs is lost silently.
		seen := s.menu("shop").App.Seen
		s.must(a.UpdateEntry(ctx, admin(), app.EntryChange{App: "shop", Seen: seen, Code: "goods", EntryFields: app.EntryFields{Hidden: new(true)}}))
		_, err = a.UpdateEntry(ctx, admin(), app.EntryChange{App: "shop", Seen: seen, Code: "goods", EntryFields: app.EntryFields{Icon: new("tree")}})
		f := s.refused(fault.PublishConflict, err)
		require.EqualValues(t, a.State().Catalog.Version, f.Data.(*app.Managed).Conflicts[0].By.Version)

		// What is hidden is in no menu, and what is not published only in that of administrators.
		nodes, err = a.Reader().Menu(admin(), "shop", true)
		require.NoError(t, err)
		require.Empty(t, nodes)
		s.must(a.UpdateEntry(ctx, admin(), app.EntryChange{App: "shop", Code: "goods", EntryFields: app.EntryFields{Hidden: new(false), Draft: new(true)}}))
		nodes, err = a.Reader().Menu(admin(), "shop", true)
		require.NoError(t, err)
		require.Zero(t, nodes[0].Children[0].Published)
		nodes, err = a.Reader().Menu(admin(), "shop", false)
		require.NoError(t, err)
		require.Empty(t, nodes)

		// Order: one document changes. A group is renamed in all its applications.
		did := s.must(a.OrderApps(ctx, admin(), app.AppOrder{Codes: []string{"shop", "organisation"}}))
		require.Equal(t, []string{"shop", "organisation"}, s.codes())
		past, err := a.History(ctx, admin(), 0, 1)
		require.NoError(t, err)
		require.Equal(t, did.Version, past[0].Version)
		require.Len(t, past[0].Files, 1)
		_, err = a.OrderApps(ctx, admin(), app.AppOrder{Codes: []string{"shop"}})
		s.refused(fault.BadParameter, err)
		s.must(a.UpdateGroup(ctx, admin(), app.GroupChange{Group: "零售", Names: app.Names{Name: "销售", NameI18n: map[string]string{"en": "Sales"}}}))
		groups := a.Reader().Groups(admin())
		require.Equal(t, "销售", groups[0].Name)
		require.Equal(t, "Sales", groups[0].NameI18n["en"])

		// A disabled application is in nobody's list.
		s.must(a.UpdateApp(ctx, admin(), app.AppChange{Code: "shop", Disabled: new(true)}))
		require.Len(t, a.Reader().Apps(admin()), 1)
		_, err = a.Reader().Menu(admin(), "shop", false)
		s.refused(fault.AppNotFound, err)

		// Every change is in the log, with the person.
		log, err := a.Audit().Page(ctx, audit.Query{Size: 3, Kinds: []audit.Kind{audit.Published}})
		require.NoError(t, err)
		require.Equal(t, "shop/app.json", log.Entries[0].Detail["files"])

		// Nobody else, at any call.
		for _, roles := range [][]string{nil, {"agent"}} {
			v := rightsOf(a, roles...)
			_, err := a.ManagedApps(ctx, v)
			s.refused(fault.Forbidden, err)
			_, err = a.AddApp(ctx, v, app.NewApp{Code: "y", Names: app.Names{Name: "y"}})
			s.refused(fault.Forbidden, err)
			_, err = a.UpdateApp(ctx, v, app.AppChange{Code: "shop", Disabled: new(false)})
			s.refused(fault.Forbidden, err)
			_, err = a.DeleteEntry(ctx, v, app.EntryDeletion{App: "shop", Code: "goods"})
			s.refused(fault.Forbidden, err)
			_, _, err = a.ExportApp(ctx, v, "shop")
			s.refused(fault.Forbidden, err)
			_, err = a.ImportApp(ctx, v, nil, app.AppImport{})
			s.refused(fault.AppImportForbidden, err)
		}
		require.NoError(t, a.Close())
	})
}

// TestDeleteModel: what is deleted with a model is told before, what refers to it keeps it, and it is deleted with its rows.
func TestDeleteModel(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		s := shop{a, t}
		s.stock()
		s.keep("goods", "锤子")
		s.keep("goods", "锯子")
		admin := func() *authz.View { return rightsOf(a, "administrator") }

		// A model of another pack refers to it.
		ticket := desks{a, t}.document("models/ticket.json").Text
		_, err = desks{a, t}.publish(app.Confirmation{}, desks{a, t}.change("models/ticket.json", `"name": "备注"}`,
			`"name": "备注"}, {"code": "goods", "propertyType": "RelevanceForm", "name": "商品", "relativeCode": "goods"}`))
		require.NoError(t, err)
		doomed := app.EntryDeletion{App: "shop", Code: "goods", Model: "goods", Intent: app.Intent{Check: true}}
		look := s.must(a.DeleteEntry(ctx, admin(), doomed))
		require.Len(t, look.References, 1)
		require.Equal(t, []string{"desk", "models/ticket.json", "工单", "模型"}, []string{look.References[0].Pack, look.References[0].Path, look.References[0].Name.Zh, look.References[0].Kind.Zh})
		doomed.Check = false
		f := s.refused(fault.AppReferenced, func() error { _, err := a.DeleteEntry(ctx, admin(), doomed); return err }())
		require.Len(t, f.Data.(*app.Managed).References, 1)
		now := desks{a, t}.document("models/ticket.json")
		p, err := desks{a, t}.Look(ctx, admin(), app.Changeset{Files: []app.Change{{Pack: "desk", Path: "models/ticket.json", Text: ticket, Seen: now.Seen}}})
		require.NoError(t, err)
		_, err = desks{a, t}.publish(app.Confirmation{Steps: p.Digest, AllowDestructive: true}, app.Change{Pack: "desk", Path: "models/ticket.json", Text: ticket, Seen: now.Seen})
		require.NoError(t, err)

		// A role of its own pack does not keep it: what it may do with the model goes along.
		_, err = desks{a, t}.publish(app.Confirmation{}, app.Change{Pack: "shop", Path: "access/clerk.json", Text: new(`{"name": "店员", "apps": ["shop"],
			"models": [{"schemaCode": "goods", "actions": ["view"], "rows": "all"}]}`)})
		require.NoError(t, err)

		// Now it is only the records.
		doomed.Check = true
		look = s.must(a.DeleteEntry(ctx, admin(), doomed))
		require.Empty(t, look.References)
		require.EqualValues(t, 2, look.Records)
		require.NotNil(t, a.State().Catalog.Model("goods"), "looking changes nothing")
		doomed.Check = false
		s.refused(fault.PublishDestructive, func() error { _, err := a.DeleteEntry(ctx, admin(), doomed); return err }())
		doomed.Confirm, doomed.AllowDestructive = look.Digest, true
		s.must(a.DeleteEntry(ctx, admin(), doomed))
		require.Nil(t, a.State().Catalog.Model("goods"))
		require.Empty(t, s.menu("shop").Menu[0].Children)

		// A folder goes when it is empty, an application when it is the database's own.
		s.must(s.add(app.NewEntry{App: "shop", Code: "home", Type: "HomePage", Place: app.Place{Folder: "stock"}}))
		_, err = a.DeleteEntry(ctx, admin(), app.EntryDeletion{App: "shop", Code: "stock"})
		s.refused(fault.MenuFolderFull, err)
		_, err = a.DeleteApp(ctx, admin(), app.AppDeletion{Code: "organisation"})
		s.refused(fault.AppDelivered, err)
		s.must(a.DeleteApp(ctx, admin(), app.AppDeletion{Code: "shop"}))
		require.Equal(t, []string{"organisation"}, s.codes())
		require.NoError(t, a.Close())

		// It is gone after a start as well, without a complaint, and its code is free again.
		a, err = app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		s = shop{a, t}
		for _, d := range s.must(a.UpdateApp(ctx, rightsOf(a, "administrator"), app.AppChange{Code: "organisation", Color: new("#ff0000")})).Diagnostics {
			require.NotEqual(t, "PUB003", d.Code)
		}
		s.stock()
		require.Equal(t, []string{"organisation", "shop"}, s.codes())
		require.NoError(t, a.Close())
	})
}

// TestRestoreApp brings an application back to an earlier version.
func TestRestoreApp(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		s := shop{a, t}
		s.stock()
		was := a.State().Catalog.Version
		s.must(s.add(app.NewEntry{App: "shop", Code: "orders", Model: true, Names: app.Names{Name: "订单"}}))
		s.must(a.UpdateApp(ctx, rightsOf(a, "administrator"), app.AppChange{Code: "shop", Name: new("超市")}))
		s.keep("orders", "1")
		past, err := a.AppHistory(ctx, rightsOf(a, "administrator"), "shop")
		require.NoError(t, err)
		require.Len(t, past, 5)
		_, err = a.RestoreApp(ctx, rightsOf(a, "administrator"), app.AppRestore{Code: "shop", Version: was, From: was + 1})
		s.refused(fault.PublishConflict, err)
		back := app.AppRestore{Code: "shop", Version: was, Intent: app.Intent{Check: true}}
		look := s.must(a.RestoreApp(ctx, rightsOf(a, "administrator"), back))
		require.EqualValues(t, 1, look.Records, "the model that came since goes")
		back.Check, back.Confirm, back.AllowDestructive = false, look.Digest, true
		s.must(a.RestoreApp(ctx, rightsOf(a, "administrator"), back))
		require.Nil(t, a.State().Catalog.Model("orders"))
		require.Equal(t, "商店", a.State().Catalog.App("shop").Label.Zh)
		require.NoError(t, a.Close())
	})
}

// TestPackages takes an application from one installation to another, each with the other kind of database.
func TestPackages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	open := func(o store.Options) shop {
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		t.Cleanup(func() { _ = a.Close() })
		return shop{a, t}
	}
	from, to := open(store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}), open(store.Options{Dir: publishing.SQLite(t)})
	from.stock()
	from.keep("goods", "锤子")
	name, data, err := from.ExportApp(ctx, rightsOf(from.App, "administrator"), "shop")
	require.NoError(t, err)
	require.Equal(t, "shop-1.0.0.sluice.zip", name)
	log, err := from.Audit().Page(ctx, audit.Query{Size: 1, Kinds: []audit.Kind{audit.Exported}})
	require.NoError(t, err)
	require.Equal(t, "shop", log.Entries[0].Subject)

	admin := func() *authz.View { return rightsOf(to.App, "administrator") }
	look, err := to.ImportApp(ctx, admin(), data, app.AppImport{Intent: app.Intent{Check: true}})
	require.NoError(t, err)
	require.True(t, look.New)
	require.Equal(t, []string{"app.json", "models/goods.json", "pack.json"}, look.Added)
	require.NotEmpty(t, look.Steps)
	require.Nil(t, to.State().Catalog.App("shop"))
	_, err = to.ImportApp(ctx, admin(), data, app.AppImport{})
	require.NoError(t, err)
	to.keep("goods", "锯子")
	require.Equal(t, from.State().Catalog.App("shop").Label, to.State().Catalog.App("shop").Label)

	// Once more it is a duplicate, or an update that changes nothing.
	_, err = to.ImportApp(ctx, admin(), data, app.AppImport{})
	to.refused(fault.AppCodeTaken, err)
	same, err := to.ImportApp(ctx, admin(), data, app.AppImport{Update: true})
	require.NoError(t, err)
	require.Empty(t, append(append(same.Added, same.Changed...), same.Removed...))

	// A later version replaces it; the earlier one is refused then.
	p, err := manage.Read(data)
	require.NoError(t, err)
	packed := func(change func(*manage.Package)) []byte {
		t.Helper()
		next := *p
		next.Texts = map[string]string{}
		for k, v := range p.Texts {
			next.Texts[k] = v
		}
		change(&next)
		out, err := next.Write()
		require.NoError(t, err)
		return out
	}
	newer := packed(func(n *manage.Package) {
		n.Version = "1.10.0"
		n.Texts["pack.json"] = `{"code": "shop", "version": "1.10.0"}`
		n.Texts["models/goods.json"] = `{"name": "货物", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}, {"code": "price", "propertyType": "Number", "name": "价格"}]}`
	})
	done, err := to.ImportApp(ctx, admin(), newer, app.AppImport{Update: true})
	require.NoError(t, err)
	require.Equal(t, []string{"models/goods.json", "pack.json"}, done.Changed)
	_, err = to.ImportApp(ctx, admin(), data, app.AppImport{Update: true})
	to.refused(fault.AppVersionLow, err)

	for what, c := range map[string]struct {
		change func(*manage.Package)
		want   fault.Code
	}{
		"another code":       {func(n *manage.Package) { n.Code = "other" }, fault.PackageInvalid},
		"a code of nobody":   {func(n *manage.Package) { n.Code = "../x" }, fault.AppCodeInvalid},
		"a strange file":     {func(n *manage.Package) { n.Texts["notes/x.json"] = "{}" }, fault.PackageForeign},
		"a taken model code": {func(n *manage.Package) { renamed(n); n.Texts["models/ticket.json"] = `{"properties": []}` }, fault.PublishFaulty},
		"an open link": {func(n *manage.Package) {
			renamed(n)
			n.Texts["app.json"] = `{"menu": [{"code": "x", "type": "Page", "pcUrl": "javascript:1"}]}`
		}, fault.PublishFaulty},
		"the platform": {func(n *manage.Package) {
			n.Code = "core"
			n.Texts["pack.json"] = `{"code": "core", "version": "1.0.0"}`
		}, fault.AppCodeTaken},
	} {
		_, err := to.ImportApp(ctx, admin(), packed(c.change), app.AppImport{Update: true})
		t.Log(what)
		to.refused(c.want, err)
	}
}

// TestPackagesWithPictures: what an author uploaded for a page is shown by the page where its package is imported.
func TestPackagesWithPictures(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	open := func(o store.Options) shop {
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		t.Cleanup(func() { _ = a.Close() })
		return shop{a, t}
	}
	home := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
	from, to := open(store.Options{Dir: publishing.SQLite(t)}), open(home)
	admin := func(s shop) *authz.View { return rightsOf(s.App, "administrator") }
	from.stock()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))))
	f, err := from.Files().Put(ctx, blob.Upload{Name: "门.png", By: admin(from).User(), Most: 1 << 20, Bytes: bytes.NewReader(b.Bytes())})
	require.NoError(t, err)
	front := design.Name{Kind: catalog.KindPortal, App: "shop", Code: "front"}
	_, err = from.Designs().Lock(ctx, admin(from), front, false)
	require.NoError(t, err)
	_, err = from.Designs().Publish(ctx, admin(from), design.Draft{Name: front, New: true,
		Text: `{"name": "门面", "widgets": [{"type": "Image", "code": "door", "picUrl": "` + f.ID + `", "gotoType": "none"}]}`})
	require.NoError(t, err)
	_, data, err := from.ExportApp(ctx, admin(from), "shop")
	require.NoError(t, err)

	_, err = to.ImportApp(ctx, admin(to), data, app.AppImport{})
	require.NoError(t, err)
	shown := func(s shop) []byte {
		page, err := s.Portals().Get(ctx, admin(s), "front")
		require.NoError(t, err)
		src, _ := page.Widgets[0].Options["picUrlSrc"].(string)
		_, digest, _ := strings.Cut(src, "?digest=")
		picture, err := s.Portals().Picture(admin(s), digest)
		require.NoError(t, err, src)
		require.Equal(t, "image/png", picture.Type)
		return picture.Data
	}
	require.Equal(t, b.Bytes(), shown(to))
	same, err := to.ImportApp(ctx, admin(to), data, app.AppImport{Update: true})
	require.NoError(t, err)
	require.Empty(t, append(append(same.Added, same.Changed...), same.Removed...))
	_, again, err := to.ExportApp(ctx, admin(to), "shop")
	require.NoError(t, err)
	require.Equal(t, data, again)
	out := t.TempDir()
	db, err := store.Open(ctx, home)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	d, err := config(t, home, deskDir).WithPublished(ctx, db)
	require.NoError(t, err)
	_, err = d.Export(out, func(f app.Folder) bool { return f.Code == "shop" })
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(out, "shop", "portals", "picture-*.png"))
	require.NoError(t, err)
	require.Len(t, files, 1)

	// Another node, and a later start, show it too.
	require.NoError(t, to.Close())
	to = open(home)
	require.Equal(t, b.Bytes(), shown(to))

	p, err := manage.Read(data)
	require.NoError(t, err)
	// So do the pictures beside print templates: they are on paper where the package was brought, and in the one that is made there.
	stamped := *p
	stamped.Texts = maps.Clone(p.Texts)
	stamped.Texts["prints/tag.json"] = `{"schemaCode": "goods", "name": "标签", "pages": [{"elements": [{"eleType": "picture", "left": 0, "top": 0, "widthValue": 30, "heightValue": 20, "picUrl": "stamp.png"}]}]}`
	stamped.Texts["prints/stamp.png"] = b.String()
	data, err = stamped.Write()
	require.NoError(t, err)
	_, err = to.ImportApp(ctx, admin(to), data, app.AppImport{Update: true})
	require.NoError(t, err)
	kept, err := to.Writer().Save(ctx, admin(to), record.Change{Model: "goods", Set: map[string]json.RawMessage{"name": json.RawMessage(`"锤子"`)}})
	require.NoError(t, err)
	paper, err := to.Prints().Lay(ctx, admin(to), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "goods", ObjectIDs: []string{kept.ID}}, Template: "tag"})
	require.NoError(t, err)
	onPaper := slices.Collect(maps.Values(paper.Preview("zh").Images))
	require.Equal(t, []string{"data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())}, onPaper)
	_, again, err = to.ExportApp(ctx, admin(to), "shop")
	require.NoError(t, err)
	with, err := manage.Read(again)
	require.NoError(t, err)
	require.Equal(t, b.String(), with.Texts["prints/stamp.png"])

	for name := range p.Texts {
		if strings.HasSuffix(name, ".png") {
			p.Texts[name] = "no picture"
		}
	}
	lost := *p
	lost.Texts = map[string]string{"pack.json": p.Texts["pack.json"], "app.json": p.Texts["app.json"], "models/goods.json": p.Texts["models/goods.json"],
		"portals/front.json": `{"name": "门面", "widgets": [{"type": "Image", "picUrl": "6f1f5c1e-1d1b-4c3a-9a52-000000000001", "gotoType": "none"}]}`}
	data, err = lost.Write()
	require.NoError(t, err)
	_, err = to.ImportApp(ctx, admin(to), data, app.AppImport{Update: true})
	require.NoError(t, err, "an upload that was gone there stops no import")
	forged, err := p.Write()
	require.NoError(t, err)
	_, err = to.ImportApp(ctx, admin(to), forged, app.AppImport{Update: true})
	to.refused(fault.PortalPicture, err)
}

// renamed makes a package another application.
func renamed(p *manage.Package) {
	p.Code, p.Texts["pack.json"] = "kiosk", `{"code": "kiosk", "version": "1.0.0"}`
	delete(p.Texts, "models/goods.json")
	p.Texts["app.json"] = `{"menu": []}`
}

// TestManagedOnTwoNodes: what is changed on one node is the other's menu.
func TestManagedOnTwoNodes(t *testing.T) {
	t.Parallel()
	o := store.Options{URL: publishing.Postgres(t), Dir: t.TempDir()}
	var nodes []shop
	for range 2 {
		dir := filepath.Join(t.TempDir(), "desk")
		require.NoError(t, os.CopyFS(dir, os.DirFS(deskDir)))
		cfg := config(t, o, dir)
		cfg.Key = "a key of this test, long enough to be one"
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		nodes = append(nodes, shop{a, t})
	}
	nodes[0].stock()
	require.Eventually(t, func() bool { return nodes[1].State().Catalog.Version == nodes[0].State().Catalog.Version }, 10*time.Second, time.Millisecond)
	nodes[1].keep("goods", "锤子")
	seen := nodes[1].menu("shop").App.Seen
	nodes[0].must(nodes[0].UpdateApp(t.Context(), rightsOf(nodes[0].App, "administrator"), app.AppChange{Code: "shop", Color: new("#ff0000")}))
	_, err := nodes[1].UpdateApp(t.Context(), rightsOf(nodes[1].App, "administrator"), app.AppChange{Code: "shop", Seen: seen, Color: new("#00ff00")})
	nodes[1].refused(fault.PublishConflict, err)
}
