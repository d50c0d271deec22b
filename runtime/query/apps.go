package query

import (
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
		if view.Opens(a.Code) {
			out = append(out, App{Code: a.Code, Name: a.Label.Zh, NameI18n: i18n(a.Label), Group: orNull(a.Group.Zh), GroupI18n: i18n(a.Group), LogoURL: orNull(a.Logo)})
		}
	}
	return out
}

// Menu returns the menu of an application without what the caller may not open; folders that are left empty go too.
func (r *Reader) Menu(view *authz.View, appCode string) ([]MenuNode, error) {
	a := view.Catalog.App(appCode)
	if a == nil || !view.Opens(a.Code) {
		return nil, fault.New(fault.AppNotFound)
	}
	return menu(view, a, a.Menu, nil), nil
}

func menu(view *authz.View, a *catalog.App, in []*catalog.Menu, parent *string) []MenuNode {
	out := []MenuNode{}
	for i, m := range in {
		n := MenuNode{ID: a.Code + "/" + m.Code, Code: m.Code, Name: m.Label.Zh, NameI18n: i18n(m.Label), Icon: orNull(m.Icon), Type: m.Type, AppCode: a.Code,
			ParentID: parent, OpenMode: orNull(m.OpenMode), PcURL: orNull(m.PcURL), MobileURL: orNull(m.MobileURL), QueryCode: orNull(m.QueryCode),
			SchemaCode: orNull(m.SchemaCode), ReportCode: orNull(m.ReportCode), PcAble: true, MobileAble: true, Published: 1, SortKey: i, Children: []MenuNode{}}
		switch m.Type {
		case "Folder":
			if n.Children = menu(view, a, m.Children, &n.ID); len(n.Children) == 0 {
				continue
			}
		case "BizModel":
			model := view.Model(m.SchemaCode)
			if model == nil || !view.Can(model, "view") || plan.IsFalse(view.Rows(model)) && !view.Can(model, "add") {
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
