package query

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// App is an application that the caller may open (api.yaml App).
type App struct {
	Code      string            `json:"code"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	Group     *string           `json:"group"`
	GroupI18n map[string]string `json:"group_i18n"`
	LogoURL   *string           `json:"logoUrl"`
	Icon      *string           `json:"icon"`
	Color     *string           `json:"color"`
}

// AppGroup is a group of applications; the one without a name holds those in no group (api.yaml AppGroup).
type AppGroup struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Apps     []App             `json:"children"`
}

// MenuNode is an entry of a side menu (api.yaml MenuNode).
type MenuNode struct {
	ID         string            `json:"id"`
	Code       string            `json:"code"`
	Name       string            `json:"name"`
	NameI18n   map[string]string `json:"name_i18n"`
	Icon       *string           `json:"icon"`
	Type       string            `json:"type"`
	AppCode    string            `json:"appCode"`
	ParentID   *string           `json:"parentId"`
	OpenMode   *string           `json:"openMode"`
	PcURL      *string           `json:"pcUrl"`
	MobileURL  *string           `json:"mobileUrl"`
	QueryCode  *string           `json:"queryCode"`
	SchemaCode *string           `json:"schemaCode"`
	ReportCode *string           `json:"reportCode"`
	Page       *string           `json:"page"`
	ModelType  *string           `json:"modelType"`
	PcAble     bool              `json:"pcAble"`
	MobileAble bool              `json:"mobileAble"`
	Published  int               `json:"published"`
	Deleted    bool              `json:"deleted"`
	SortKey    int               `json:"sortKey"`
	Children   []MenuNode        `json:"children"`
}

// Apps lists the applications that the caller may open.
func (r *Reader) Apps(view *authz.View) []App {
	out := []App{}
	for _, a := range view.Apps {
		if !a.Disabled && view.Opens(a.Code) {
			out = append(out, App{Code: a.Code, Name: a.Label.Zh, NameI18n: i18n(a.Label), Group: orNull(a.Group.Zh), GroupI18n: i18n(a.Group), LogoURL: orNull(a.LogoAddress()), Icon: orNull(a.Icon), Color: orNull(a.Color)})
		}
	}
	return out
}

// Groups lists the applications that the caller may open by their groups, which are in the order of their first application; those in
// no group are last.
func (r *Reader) Groups(view *authz.View) []AppGroup {
	out := []AppGroup{}
	rest := AppGroup{NameI18n: map[string]string{}}
	for _, a := range r.Apps(view) {
		if a.Group == nil {
			rest.Apps = append(rest.Apps, a)
			continue
		}
		i := slices.IndexFunc(out, func(g AppGroup) bool { return g.ID == *a.Group })
		if i < 0 {
			i = len(out)
			out = append(out, AppGroup{ID: *a.Group, Name: *a.Group, NameI18n: map[string]string{}})
		}
		out[i].Apps = append(out[i].Apps, a)
		for locale, name := range a.GroupI18n {
			if out[i].NameI18n[locale] == "" {
				out[i].NameI18n[locale] = name
			}
		}
	}
	if len(rest.Apps) > 0 {
		out = append(out, rest)
	}
	return out
}

// Menu returns the menu of an application without what the caller may not open; folders that are left empty go too. Entries that are
// not published are in it for those who manage the application, and so is that of an application that is disabled.
func (r *Reader) Menu(view *authz.View, appCode string, manages bool) ([]MenuNode, error) {
	a := view.Catalog.App(appCode)
	if a == nil || !view.Opens(a.Code) || a.Disabled && !manages {
		return nil, fault.New(fault.AppNotFound)
	}
	return menu(view, a, a.Menu, nil, manages), nil
}

// Children returns the entries of a folder, whose id is appCode/code; "appCode" alone are those of the application.
func (r *Reader) Children(view *authz.View, id string, manages bool) ([]MenuNode, error) {
	code, folder, inside := strings.Cut(id, "/")
	nodes, err := r.Menu(view, code, manages)
	if err != nil || !inside {
		return nodes, err
	}
	var find func(in []MenuNode) *MenuNode
	find = func(in []MenuNode) *MenuNode {
		for i := range in {
			if strings.EqualFold(in[i].Code, folder) {
				return &in[i]
			}
			if n := find(in[i].Children); n != nil {
				return n
			}
		}
		return nil
	}
	if n := find(nodes); n != nil {
		return n.Children, nil
	}
	return nil, fault.New(fault.MenuNotFound)
}

func menu(view *authz.View, a *catalog.App, in []*catalog.Menu, parent *string, drafts bool) []MenuNode {
	out := []MenuNode{}
	for i, m := range in {
		if m.Hidden || m.Draft && !drafts {
			continue
		}
		n := MenuNode{ID: a.Code + "/" + m.Code, Code: m.Code, Name: m.Label.Zh, NameI18n: i18n(m.Label), Icon: orNull(m.Icon), Type: m.Type, AppCode: a.Code,
			ParentID: parent, OpenMode: orNull(m.OpenMode), PcURL: orNull(m.PcURL), MobileURL: orNull(m.MobileURL), QueryCode: orNull(m.QueryCode),
			SchemaCode: orNull(m.SchemaCode), ReportCode: orNull(m.ReportCode), Page: orNull(m.Page), PcAble: true, MobileAble: true, Published: 1, SortKey: i, Children: []MenuNode{}}
		if m.Draft {
			n.Published = 0
		}
		switch m.Type {
		case "Folder":
			if n.Children = menu(view, a, m.Children, &n.ID, drafts); len(n.Children) == 0 {
				continue
			}
		case "Page":
			if m.SchemaCode != "" && !view.Can(view.Catalog.Model(m.SchemaCode), m.Right) {
				continue
			}
		case "BizModel":
			model := view.Model(m.SchemaCode)
			if model == nil || !view.Can(model, "view") || plan.IsFalse(view.Rows(model)) && !view.Offers(model, "add") {
				continue
			}
			kind := "LIST"
			if model.Tree != nil {
				kind = "TREE"
			}
			n.ModelType = &kind
		}
		out = append(out, n)
	}
	return out
}
