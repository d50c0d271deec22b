package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/manage"
)

// ManagedApp is an application as its administrators see it.
type ManagedApp struct {
	Code string `json:"code"`
	Names
	Group     string            `json:"group"` // "" = none
	GroupI18n map[string]string `json:"group_i18n"`
	Icon      string            `json:"icon"`
	Color     string            `json:"color"`
	Disabled  bool              `json:"disabled"`
	SortKey   int64             `json:"sortKey"`
	Version   string            `json:"version"`
	Delivered bool              `json:"delivered"` // with the program or a folder: it can be changed, not deleted
	Models    int               `json:"models"`
	Entries   int               `json:"entries"` // of its menu, without folders
	Seen      string            `json:"seen"`    // digest of its document, for changes
}

// ManagedApps lists the applications that the caller administers.
func (a *App) ManagedApps(ctx context.Context, view *authz.View) ([]ManagedApp, error) {
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	out := []ManagedApp{}
	for _, x := range view.Catalog.Apps {
		if f := d.folder(x.Pack); f != nil && a.MayAdminister(view, x.Code) {
			one, err := managedApp(view.Catalog, f, x)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	if len(out) == 0 && !a.MayAdminister(view, "") {
		return nil, fault.New(fault.Forbidden)
	}
	return out, nil
}

func managedApp(c *catalog.Catalog, f *Folder, x *catalog.App) (ManagedApp, error) {
	out := ManagedApp{Code: x.Code, Names: namesOf(x.Label), Group: x.Group.Zh, GroupI18n: namesOf(x.Group).NameI18n, Icon: x.Icon, Color: x.Color, Disabled: x.Disabled,
		SortKey: x.SortKey, Entries: count(x.Menu)}
	for _, m := range c.Models {
		if strings.EqualFold(m.Pack, x.Pack) {
			out.Models++
		}
	}
	text, err := overlay.Text(f.FS, appFile)
	if err != nil {
		return out, err
	}
	out.Seen = DigestOf(text)
	own, err := overlay.Text(f.Base, packFile)
	if err != nil {
		return out, err
	}
	out.Delivered = own != nil
	out.Version, err = versionOf(f)
	return out, err
}

func namesOf(l plan.Label) Names {
	if l.I18n == nil {
		return Names{l.Zh, map[string]string{}}
	}
	return Names{l.Zh, l.I18n}
}

// versionOf is the version of a pack; "" when it has none.
func versionOf(f *Folder) (string, error) {
	text, err := overlay.Text(f.FS, packFile)
	if err != nil || text == nil {
		return "", err
	}
	node, err := edit.Parse(*text)
	if err != nil {
		return "", nil //nolint:nilerr // the compiler reports it
	}
	return node.Get("version").Text(), nil
}

// NewApp is an application that is to be added.
type NewApp struct {
	Code string `json:"code"`
	Names
	Group     string            `json:"group"`
	GroupI18n map[string]string `json:"group_i18n"`
	Icon      string            `json:"icon"`
	Color     string            `json:"color"`
}

// AddApp adds an application without a menu: a pack of the database.
func (a *App) AddApp(ctx context.Context, view *authz.View, in NewApp) (*Managed, error) {
	if err := a.administers(view, ""); err != nil {
		return nil, err
	}
	if err := newCode(in.Code); err != nil {
		return nil, err
	}
	if err := in.valid(); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	if d.folder(in.Code) != nil || view.Catalog.App(in.Code) != nil {
		return nil, fault.New(fault.AppCodeTaken, in.Code)
	}
	f := &Folder{Base: overlay.None}
	f.Code, f.FS = in.Code, overlay.None
	pack, app := edit.Value(map[string]any{}), edit.Value(map[string]any{})
	pack.Set("code", edit.Value(in.Code))
	in.Names.put(pack, "name")
	pack.Set("version", edit.Value("1.0.0"))
	in.Names.put(app, "name")
	put(app, "icon", in.Icon)
	put(app, "color", in.Color)
	Names{in.Group, in.GroupI18n}.put(app, "group")
	last := int64(0)
	for _, x := range view.Catalog.Apps {
		last = max(last, x.SortKey)
	}
	app.Set("sortKey", edit.Value(last+compile.SortStep))
	app.List("menu")
	if err := d.put(f, packFile, pack); err != nil {
		return nil, err
	}
	if err := d.put(f, appFile, app); err != nil {
		return nil, err
	}
	return d.done(view, plan.Label{Zh: "新增应用 " + in.Code, I18n: en("add application " + in.Code)}, Intent{})
}

func en(text string) map[string]string { return map[string]string{"en": text} }

// AppChange changes what an application is called and looks like; what is nil stays.
type AppChange struct {
	Code      string            `json:"code"`
	Seen      string            `json:"seen"`
	Name      *string           `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"` // with name
	Group     *string           `json:"group"`
	GroupI18n map[string]string `json:"group_i18n"` // with group
	Icon      *string           `json:"icon"`
	Color     *string           `json:"color"`
	Disabled  *bool             `json:"disabled"`
}

// UpdateApp changes an application.
func (a *App) UpdateApp(ctx context.Context, view *authz.View, in AppChange) (*Managed, error) {
	if err := a.administers(view, in.Code); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f, app, err := d.application(in.Code, in.Seen)
	if err != nil {
		return nil, err
	}
	if in.Name != nil {
		names := Names{*in.Name, in.NameI18n}
		if err := names.valid(); err != nil {
			return nil, err
		}
		names.put(app, "name")
	}
	if in.Group != nil {
		Names{*in.Group, in.GroupI18n}.put(app, "group")
	}
	if in.Icon != nil {
		put(app, "icon", *in.Icon)
	}
	if in.Color != nil {
		put(app, "color", *in.Color)
	}
	if in.Disabled != nil {
		put(app, "disabled", *in.Disabled)
	}
	if err := d.put(f, appFile, app); err != nil {
		return nil, err
	}
	return d.done(view, plan.Label{Zh: "修改应用 " + f.Code, I18n: en("change application " + f.Code)}, Intent{})
}

// AppOrder puts all applications of the caller in an order, and one of them into another group on the way.
type AppOrder struct {
	Codes []string `json:"codes"`
	Move  *struct {
		Code      string            `json:"code"`
		Group     string            `json:"group"`
		GroupI18n map[string]string `json:"group_i18n"`
	} `json:"move"`
}

// OrderApps changes the order of applications. As few documents as can be change.
func (a *App) OrderApps(ctx context.Context, view *authz.View, in AppOrder) (*Managed, error) {
	if err := a.administers(view, ""); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]int64, len(in.Codes))
	for i, code := range in.Codes {
		x := view.Catalog.App(code)
		if x == nil || slices.ContainsFunc(in.Codes[:i], func(o string) bool { return strings.EqualFold(o, code) }) {
			return nil, fault.New(fault.BadParameter, fmt.Sprintf("codes[%d]", i))
		}
		keys[i] = x.SortKey
	}
	if len(keys) != len(view.Catalog.Apps) { // somebody added or deleted one
		return nil, fault.New(fault.BadParameter, "codes")
	}
	for i, key := range manage.Keys(keys, compile.SortStep) {
		moves := in.Move != nil && strings.EqualFold(in.Move.Code, in.Codes[i])
		if key == keys[i] && !moves {
			continue
		}
		f, app, err := d.application(in.Codes[i], "")
		if err != nil {
			return nil, err
		}
		if key != keys[i] {
			app.Set("sortKey", edit.Value(key))
		}
		if moves {
			Names{in.Move.Group, in.Move.GroupI18n}.put(app, "group")
		}
		if err := d.put(f, appFile, app); err != nil {
			return nil, err
		}
	}
	return d.done(view, plan.Label{Zh: "调整应用顺序", I18n: en("order applications")}, Intent{})
}

// GroupChange renames a group; without a name its applications are in no group.
type GroupChange struct {
	Group string `json:"group"`
	Names
}

// UpdateGroup changes the name of a group in all of its applications at once.
func (a *App) UpdateGroup(ctx context.Context, view *authz.View, in GroupChange) (*Managed, error) {
	if err := a.administers(view, ""); err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	found := false
	for _, x := range view.Catalog.Apps {
		if in.Group == "" || x.Group.Zh != in.Group {
			continue
		}
		found = true
		f, app, err := d.application(x.Code, "")
		if err != nil {
			return nil, err
		}
		in.put(app, "group")
		if err := d.put(f, appFile, app); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, fault.New(fault.BadParameter, "group")
	}
	return d.done(view, plan.Label{Zh: "修改分组 " + in.Group, I18n: en("change group " + in.Group)}, Intent{})
}
