package catalog

import (
	"github.com/sluice-platform/sluice/engine/plan"
)

// KindPortal is the kind of documents whose Value is a *Portal.
const KindPortal = "portal"

// Pages of the system that navigation can lead to besides documents, and the built-in page.
const (
	DefaultPortal       = "defaultPortalDashboard" // the workbench: a document, or else the built-in page
	WorkflowCenterPage  = "defaultWorkflowCenter"
	ApplicationListPage = "defaultApplicationList"
	BuiltInPortal       = "builtInPortal" // of the pack core: shown in place of a page that is not published, or empty
)

// Measures of portal pages.
const (
	PortalColumns  = 12
	PortalRowPx    = 12 // height of a row of the grid, in pixels
	TitleUnits     = 30 // width of a title; an ASCII character counts 1 and any other 2
	NavigationMost = 20 // characters of the title of a navigation entry
)

// Portal is a compiled portal page.
type Portal struct {
	Code, Pack string
	Label      plan.Label
	App        string // code of the application whose first page it is; "" = of none
	Published  bool
	Public     bool
	PublicRole string // whose rights the data of a public page is read with; "" = none is
	Write      []string
	Personal   bool // people may arrange it for themselves
	Script     *File
	Page       map[string]any      // as the document has it
	Pictures   map[string]*Picture // the files beside it, by name
	Visible    plan.Expr
	Frames     []string // origins of the pages that it embeds
	Widgets    []*Widget
}

// Picture is a picture of a pack.
type Picture struct {
	Digest, Type string
	Data         []byte
}

// Problems of a widget, which is drawn as a placeholder then.
const (
	WidgetUnknown    = "unknown"    // no pack has the type
	WidgetGone       = "gone"       // what it shows is not loaded
	WidgetUnfinished = "unfinished" // of a draft: what it says has errors
)

// Widget is a widget of a portal page.
type Widget struct {
	ID                  string // its code, or its place: "2", "2.0.1"
	Code, Type          string
	X, Y, Width, Height int
	Read                []string
	Visible             plan.Expr      // on the person; nil = always
	Style               map[string]any // as the document has it
	Options             map[string]any // as the document has it, without what all widgets have
	Pictures            []PortalPicture
	Targets             []*PortalTarget
	Rows                []*PortalRows
	Figures             []*PortalFigures
	Widgets             []*Widget
	Container           bool
	Problem             string
}

// PortalPicture is a text among the options that is a picture. At is the way to it: keys and places, the last a key.
type PortalPicture struct{ At []string }

// PortalTarget is an object among the options that leads somewhere.
type PortalTarget struct {
	At      []string
	App     string // code of an application
	Model   *Model // its list
	List    *List
	Portal  string // a page, or one of the system
	Address string // a path of this system or an address of another
	Nothing bool   // it is only shown
}

// PortalRows is an object among the options that lists records.
type PortalRows struct {
	At         []string
	Model      *Model
	List       *List
	Where      plan.Expr // nil = what the list shows
	Columns    []string  // properties that are shown
	More       []string  // and those that are read besides
	Sort       string    // property; "" = as the list
	Descending bool
	Start, End string // properties of the time that a calendar draws; "" = none
}

// PortalFigures is an object among the options that shows a report.
type PortalFigures struct {
	At     []string
	Report string
	Chart  string // code of one chart; "" = Set
	Set    string // code of a data set
}

// Portal returns the portal page of that code, without case; nil when there is none.
func (c *Catalog) Portal(code string) *Portal {
	d := c.Document(KindPortal, code)
	if d == nil {
		return nil
	}
	p, _ := d.Value.(*Portal)
	return p
}

// Portals are all portal pages in order.
func (c *Catalog) Portals() (out []*Portal) {
	for _, d := range c.Documents {
		if p, ok := d.Value.(*Portal); ok && d.Kind == KindPortal {
			out = append(out, p)
		}
	}
	return out
}

// Widget finds a widget of the page by its id; nil when there is none.
func (p *Portal) Widget(id string) *Widget {
	var find func([]*Widget) *Widget
	find = func(in []*Widget) *Widget {
		for _, w := range in {
			if w.ID == id {
				return w
			}
			if inner := find(w.Widgets); inner != nil {
				return inner
			}
		}
		return nil
	}
	return find(p.Widgets)
}
