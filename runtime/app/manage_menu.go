package app

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/manage"
	"github.com/sluice-platform/sluice/runtime/query"
)

// ManagedMenu is the menu of an application as its administrators see it, and what it can open.
type ManagedMenu struct {
	App    ManagedApp     `json:"app"`
	Menu   []ManagedEntry `json:"menu"`
	Models []ManagedModel `json:"models"` // of all applications
}

// ManagedEntry is a menu item as its document has it. Label is what it is called where it has no name of its own.
type ManagedEntry struct {
	Code string `json:"code"`
	Type string `json:"type"`
	Names
	Label      plan.Label     `json:"label"`
	Icon       string         `json:"icon"`
	Hidden     bool           `json:"hidden"`
	Draft      bool           `json:"draft"`
	SchemaCode string         `json:"schemaCode"`
	QueryCode  string         `json:"queryCode"`
	ReportCode string         `json:"reportCode"`
	Page       string         `json:"page"`
	PcURL      string         `json:"pcUrl"`
	MobileURL  string         `json:"mobileUrl"`
	OpenMode   string         `json:"openMode"`
	Children   []ManagedEntry `json:"children"`
}

// ManagedModel is a model that a menu item can open.
type ManagedModel struct {
	Code  string        `json:"code"`
	Label plan.Label    `json:"label"`
	Own   bool          `json:"own"` // it belongs to the application
	Lists []ManagedList `json:"lists"`
}

// ManagedList is a list of a model.
type ManagedList struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
}

// ManagedMenu reads the menu of an application.
func (a *App) ManagedMenu(ctx context.Context, view *authz.View, code string) (*ManagedMenu, error) {
	if err := a.administers(view, code); err != nil {
		return nil, err
	}
	x := view.Catalog.App(code)
	if x == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, _, err := d.application(x.Pack, "")
	if err != nil {
		return nil, err
	}
	out := &ManagedMenu{Menu: managedEntries(x.Menu), Models: []ManagedModel{}}
	if out.App, err = managedApp(view.Catalog, f, x); err != nil {
		return nil, err
	}
	text, err := overlay.Text(f.FS, appFile)
	if err != nil {
		return nil, err
	}
	doc, err := edit.Parse(*text)
	if err != nil {
		return nil, err
	}
	ownNames(out.Menu, manage.Menu{App: doc})
	for _, m := range view.Catalog.Models {
		one := ManagedModel{Code: m.Code, Label: m.Label, Own: strings.EqualFold(m.Pack, x.Pack), Lists: []ManagedList{}}
		for _, l := range view.Catalog.Lists {
			if l.Model == m {
				one.Lists = append(one.Lists, ManagedList{l.Code, l.Label})
			}
		}
		out.Models = append(out.Models, one)
	}
	return out, nil
}

func managedEntries(in []*catalog.Menu) []ManagedEntry {
	out := []ManagedEntry{}
	for _, m := range in {
		out = append(out, ManagedEntry{Code: m.Code, Type: m.Type, Names: Names{NameI18n: map[string]string{}}, Label: m.Label, Icon: m.Icon, Hidden: m.Hidden, Draft: m.Draft,
			SchemaCode: m.SchemaCode, QueryCode: m.QueryCode, ReportCode: m.ReportCode, Page: m.Page, PcURL: m.PcURL, MobileURL: m.MobileURL, OpenMode: m.OpenMode,
			Children: managedEntries(m.Children)})
	}
	return out
}

// ownNames fills in the names that items have themselves.
func ownNames(in []ManagedEntry, menu manage.Menu) {
	for i := range in {
		e, _, _ := menu.Entry(in[i].Code)
		in[i].Name = e.Get("name").Text()
		if texts := e.Get("name_i18n"); texts != nil {
			for _, t := range texts.Members {
				in[i].NameI18n[t.Key] = t.Text()
			}
		}
		ownNames(in[i].Children, menu)
	}
}

// MenuChildren lists what is in a folder of a menu, whose id is appCode/code.
func (a *App) MenuChildren(view *authz.View, id string) ([]query.MenuNode, error) {
	code, _, _ := strings.Cut(id, "/")
	return a.reader.Children(view, id, a.MayAdminister(view, code))
}

// Place is where a menu item is: a folder, "" = none, and how many items are before it.
type Place struct {
	Folder string `json:"folder"`
	At     *int   `json:"at"` // nil = the end
}

func (p Place) at() int {
	if p.At == nil {
		return -1
	}
	return *p.At
}

// NewEntry is a menu item that is to be added, with a new model of its code where Model says so.
type NewEntry struct {
	App  string `json:"appCode"`
	Seen string `json:"seen"`
	Place
	Code  string `json:"code"`
	Type  string `json:"type"`
	Model bool   `json:"model"` // add a model of this code too
	Names
	EntryFields
}

// EntryFields are what a menu item opens, and what it looks like.
type EntryFields struct {
	Icon       *string `json:"icon"`
	Hidden     *bool   `json:"hidden"`
	Draft      *bool   `json:"draft"`
	SchemaCode *string `json:"schemaCode"`
	QueryCode  *string `json:"queryCode"`
	ReportCode *string `json:"reportCode"`
	PcURL      *string `json:"pcUrl"`
	MobileURL  *string `json:"mobileUrl"`
	OpenMode   *string `json:"openMode"`
}

func (e EntryFields) put(into *edit.Node) {
	for _, t := range []struct {
		key  string
		text *string
	}{{"icon", e.Icon}, {"schemaCode", e.SchemaCode}, {"queryCode", e.QueryCode}, {"reportCode", e.ReportCode}, {"pcUrl", e.PcURL}, {"mobileUrl", e.MobileURL},
		{"openMode", e.OpenMode}} {
		if t.text != nil {
			put(into, t.key, *t.text)
		}
	}
	if e.Hidden != nil {
		put(into, "hidden", *e.Hidden)
	}
	if e.Draft != nil {
		put(into, "draft", *e.Draft)
	}
}

// AddEntry adds a menu item.
func (a *App) AddEntry(ctx context.Context, view *authz.View, in NewEntry) (*Managed, error) {
	if err := a.administers(view, in.App); err != nil {
		return nil, err
	}
	if err := newCode(in.Code); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, app, err := d.application(in.App, in.Seen)
	if err != nil {
		return nil, err
	}
	if in.Model {
		if err := a.administers(view, ""); err != nil {
			return nil, err
		}
		if err := d.addModel(f, view.Catalog, in); err != nil {
			return nil, err
		}
		in.Type, in.Names = "BizModel", Names{} // it is called what its model is
	}
	entry := edit.Value(map[string]any{})
	entry.Set("code", edit.Value(in.Code))
	entry.Set("type", edit.Value(in.Type))
	in.Names.put(entry, "name")
	in.EntryFields.put(entry)
	if in.Type == manage.Folder {
		entry.List("children")
	}
	if err := (manage.Menu{App: app}).Add(in.Folder, in.at(), entry); err != nil {
		return nil, err
	}
	if err := d.put(f, appFile, app); err != nil {
		return nil, err
	}
	what := f.Code + "/" + in.Code
	return d.done(view, plan.Label{Zh: "新增菜单项 " + what, I18n: en("add menu item " + what)}, Intent{})
}

// addModel makes the smallest model that people can work with: records have a name. Its list and its form are those that every model
// without own ones has, so they show what is added to it later.
func (d *desk) addModel(f *Folder, c *catalog.Catalog, in NewEntry) error {
	if err := in.valid(); err != nil {
		return err
	}
	taken := c.Model(in.Code) != nil || c.List(in.Code) != nil || c.Form(in.Code) != nil
	path := "models/" + in.Code + ".json"
	if now, err := overlay.Text(f.FS, path); err != nil || now != nil || taken {
		if err != nil {
			return err
		}
		return fault.New(fault.AppCodeTaken, in.Code)
	}
	model := edit.Value(map[string]any{})
	in.Names.put(model, "name")
	model.Set("properties", edit.Value([]map[string]any{{"code": "name", "propertyType": "ShortText", "name": "名称",
		"name_i18n": map[string]string{"en": "Name"}, "required": true, "search": true}}))
	return d.put(f, path, model)
}

// EntryChange changes a menu item; what is nil stays.
type EntryChange struct {
	App      string            `json:"appCode"`
	Seen     string            `json:"seen"`
	Code     string            `json:"code"`
	Name     *string           `json:"name"`      // "" = what it opens names it
	NameI18n map[string]string `json:"name_i18n"` // with name
	EntryFields
}

// UpdateEntry changes a menu item.
func (a *App) UpdateEntry(ctx context.Context, view *authz.View, in EntryChange) (*Managed, error) {
	return a.changeMenu(ctx, view, in.App, in.Seen, func(m manage.Menu) (plan.Label, error) {
		e, _, _ := m.Entry(in.Code)
		if e == nil {
			return plan.Label{}, fault.New(fault.MenuNotFound)
		}
		if in.Name != nil {
			Names{*in.Name, in.NameI18n}.put(e, "name")
		}
		in.EntryFields.put(e)
		what := in.App + "/" + in.Code
		return plan.Label{Zh: "修改菜单项 " + what, I18n: en("change menu item " + what)}, nil
	})
}

// EntryMove takes a menu item to another place.
type EntryMove struct {
	App  string `json:"appCode"`
	Seen string `json:"seen"`
	Code string `json:"code"`
	Place
}

// MoveEntry takes a menu item to another place of the same application.
func (a *App) MoveEntry(ctx context.Context, view *authz.View, in EntryMove) (*Managed, error) {
	return a.changeMenu(ctx, view, in.App, in.Seen, func(m manage.Menu) (plan.Label, error) {
		what := in.App + "/" + in.Code
		return plan.Label{Zh: "移动菜单项 " + what, I18n: en("move menu item " + what)}, m.Move(in.Code, in.Folder, in.at())
	})
}

// changeMenu publishes what change makes of the menu of an application.
func (a *App) changeMenu(ctx context.Context, view *authz.View, code, seen string, change func(manage.Menu) (plan.Label, error)) (*Managed, error) {
	if err := a.administers(view, code); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, app, err := d.application(code, seen)
	if err != nil {
		return nil, err
	}
	note, err := change(manage.Menu{App: app})
	if err != nil {
		return nil, err
	}
	if err := d.put(f, appFile, app); err != nil {
		return nil, err
	}
	return d.done(view, note, Intent{})
}

// EntryDeletion says what is to be deleted: a menu item, a model, or an item with its model.
type EntryDeletion struct {
	App   string `json:"appCode"`
	Seen  string `json:"seen"`
	Code  string `json:"code"`  // of the menu item; "" = only a model
	Model string `json:"model"` // of the application that goes too, with its records; "" = none
	Intent
}

// DeleteEntry deletes a menu item and, where that is asked for, its model with its lists, forms, rights and records. What refers to the
// model keeps it.
func (a *App) DeleteEntry(ctx context.Context, view *authz.View, in EntryDeletion) (*Managed, error) {
	if err := a.administers(view, in.App); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, app, err := d.application(in.App, in.Seen)
	if err != nil {
		return nil, err
	}
	menu := manage.Menu{App: app}
	what := f.Code + "/" + in.Code
	if in.Code != "" {
		if _, err := menu.Delete(in.Code); err != nil {
			return nil, err
		}
	}
	if in.Model != "" {
		if err := a.administers(view, ""); err != nil {
			return nil, err
		}
		m := view.Catalog.Model(in.Model)
		if m == nil || !strings.EqualFold(m.Pack, f.Code) {
			return nil, fault.New(fault.ModelNotFound)
		}
		menu.DeleteModel(m.Code)
		if err := d.deleteModel(f, m.Code); err != nil {
			return nil, err
		}
		what = strings.TrimSuffix(what, "/") + "/" + m.Code
	}
	if in.Code == "" && in.Model == "" {
		return nil, fault.New(fault.EmptyParameter, "code")
	}
	if err := d.put(f, appFile, app); err != nil {
		return nil, err
	}
	return d.deleted(view, plan.Label{Zh: "删除 " + what, I18n: en("delete " + what)}, in.Intent)
}

// deleteModel takes away the documents of a model: itself, its lists, forms and rows, and what the roles of its own pack may do with it.
func (d *desk) deleteModel(f *Folder, model string) error {
	files, err := documentsOf(f)
	if err != nil {
		return err
	}
	of := func(n *edit.Node) bool { return strings.EqualFold(n.Get("schemaCode").Text(), model) }
	for _, path := range files {
		folder, name, _ := strings.Cut(path, "/")
		name, json := strings.CutSuffix(name, ".json")
		same := strings.EqualFold(strings.TrimSuffix(name, ".csv"), model)
		switch {
		case slices.Contains([]string{"models", "data"}, folder) && same:
			err = d.put(f, path, nil)
		case slices.Contains([]string{"lists", "forms", "access"}, folder) && json:
			var text *string
			var node *edit.Node
			if text, err = overlay.Text(f.FS, path); err != nil {
				return err
			}
			if node, err = edit.Parse(*text); err != nil {
				return err
			}
			switch {
			case folder != "access" && of(node):
				err = d.put(f, path, nil)
			case node.Get("models").Remove(of) > 0:
				err = d.put(f, path, node)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
