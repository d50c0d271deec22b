package compile

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Types of menu nodes.
const (
	menuFolder   = "Folder"
	menuBizModel = "BizModel"
	menuReport   = "Report"
	menuPage     = "Page"
	menuHomePage = "HomePage"
)

const defaultOpenMode = "VUE_MODE"

// SortStep is the distance between the places of applications that have no sortKey of their own, so that others fit between them.
const SortStep = 1000

func (c *compiler) compileApps() {
	for i, d := range c.apps.all {
		a := &catalog.App{Code: d.Code, Pack: d.Pack, Label: c.label(d.Node, d.Named, d.Code), Logo: c.logo(d), Icon: d.Icon, Color: d.Color, Disabled: d.Disabled,
			Group: plan.Label{Zh: d.Group, I18n: d.GroupI18n}, SortKey: int64(i+1) * SortStep}
		if d.SortKey != nil {
			a.SortKey = *d.SortKey
		}
		a.Menu = c.menu(d.Pack, d.Menu, map[string]bool{})
		c.cat.Apps = append(c.cat.Apps, a)
	}
	slices.SortStableFunc(c.cat.Apps, func(a, b *catalog.App) int { return cmp.Compare(a.SortKey, b.SortKey) })
}

func (c *compiler) menu(pack string, nodes []def.MenuNode, seen map[string]bool) (out []*catalog.Menu) {
	for _, d := range nodes {
		if seen[fold(d.Code)] {
			c.report("APP001", member(d.Node, "code"), d.Code)
		}
		seen[fold(d.Code)] = true
		n := &catalog.Menu{Code: d.Code, Type: d.Type, Icon: d.Icon, PcURL: d.PcURL, MobileURL: d.MobileURL, OpenMode: d.OpenMode, Hidden: d.Hidden, Draft: d.Draft}
		c.openable(d.Node.Get("pcUrl"), d.PcURL)
		c.openable(d.Node.Get("mobileUrl"), d.MobileURL)
		if n.OpenMode == "" {
			n.OpenMode = defaultOpenMode
		}
		switch d.Type {
		case menuFolder:
			n.Label = c.label(d.Node, d.Named, d.Code)
			if len(d.Children) == 0 {
				c.report("APP003", member(d.Node, "children"), d.Code)
			}
		case menuBizModel:
			c.menuModel(n, d)
		case menuReport:
			c.menuReport(n, d)
		case menuPage:
			n.Label = c.label(d.Node, d.Named, d.Code)
			switch {
			case d.Page != "":
				c.menuPage(n, d, pack)
			case d.PcURL == "":
				c.report("APP004", d.Node, d.Code)
			}
		case menuHomePage:
			n.Label = inherited(d.Named, plan.Label{Zh: "首页", I18n: map[string]string{"en": "Home"}})
		}
		n.Children = c.menu(pack, d.Children, seen)
		out = append(out, n)
	}
	return out
}

// openable reports an address of a menu that a browser does not open as a page: one with another scheme, however it is written,
// and one that carries a name and password.
func (c *compiler) openable(at *source.Node, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || strings.ContainsAny(address, "\\ \t\r\n"):
	case u.Scheme == "" && u.Host == "" && strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//"):
		return
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil:
		return
	}
	c.report("APP010", at, strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, address))
}

// menuModel resolves an entry to a list: its model is schemaCode or the entry's own code, its list the model's first.
func (c *compiler) menuModel(n *catalog.Menu, d def.MenuNode) {
	code, at := d.SchemaCode, d.Node.Get("schemaCode")
	if code == "" {
		code, at = d.Code, member(d.Node, "code")
	}
	n.Label = inherited(d.Named, plan.Label{Zh: d.Code})
	m, ok := lookup(c, &c.models, code, at, "APP005")
	if !ok {
		c.menuList(d)
		return
	}
	n.Label, n.SchemaCode = inherited(d.Named, m.PluralLabel()), m.Code
	if d.QueryCode == "" {
		for _, l := range c.cat.Lists {
			if l.Model == m.Model {
				n.QueryCode = l.Code
				return
			}
		}
		return // its lists are at fault
	}
	l, ok := c.menuList(d)
	switch {
	case !ok || l.List == nil:
	case l.Model != m.Model:
		var own []string
		for _, o := range c.cat.Lists {
			if o.Model == m.Model {
				own = append(own, o.Code)
			}
		}
		c.report("APP006", d.Node.Get("queryCode"), d.QueryCode, l.Model.Code, m.Code, strings.Join(own, ", "))
	default:
		n.QueryCode = l.Code
	}
}

func (c *compiler) menuList(d def.MenuNode) (*list, bool) {
	if d.QueryCode == "" {
		return nil, false
	}
	return lookup(c, &c.lists, d.QueryCode, d.Node.Get("queryCode"), "APP007")
}

// kindReport is the kind that entries of the type Report open; a pack brings it.
const kindReport def.Kind = "report"

// menuReport resolves an entry to a report, whose name it takes unless it has its own.
func (c *compiler) menuReport(n *catalog.Menu, d def.MenuNode) {
	n.Label = inherited(d.Named, plan.Label{Zh: d.Code})
	at := d.Node.Get("reportCode")
	if at == nil {
		c.report("APP008", d.Node, d.Code)
		return
	}
	reports := c.documents[kindReport]
	if reports == nil {
		reports = &index[*document]{}
	}
	if r, ok := lookup(c, reports, d.ReportCode, at, "APP009"); ok && r.Document != nil {
		n.Label, n.ReportCode = inherited(d.Named, r.Label), r.Code
	}
}
