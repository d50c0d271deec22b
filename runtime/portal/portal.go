package portal

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Service reads portal pages. It is safe for concurrent use.
type Service struct {
	DB      *store.DB
	Reader  *query.Reader
	Reports *reporting.Service
	// Edits reports whether the principal may design pages of a pack.
	Edits func(view *authz.View, pack string) bool
}

// Page is a portal page as its reader gets it (api.yaml PortalPage).
type Page struct {
	Code       string            `json:"portalCode"`
	Name       string            `json:"name"`
	NameI18n   map[string]string `json:"name_i18n"`
	Published  int               `json:"published"`
	Fallback   bool              `json:"fallback"` // the built-in page stands in
	App        *string           `json:"appCode"`
	MayEdit    bool              `json:"mayEdit"`
	MayArrange bool              `json:"mayArrange"`
	Arranged   bool              `json:"arranged"` // by its reader
	Script     *string           `json:"script"`
	Page       map[string]any    `json:"page"`
	Widgets    []Widget          `json:"widgets"`
}

// Widget is a widget of a page (api.yaml PortalWidget).
type Widget struct {
	ID      string         `json:"id"`
	Code    *string        `json:"code"`
	Type    string         `json:"type"`
	X       int            `json:"x"`
	Y       int            `json:"y"`
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Hidden  bool           `json:"hidden"` // by its reader
	Style   map[string]any `json:"style"`
	Options map[string]any `json:"options"`
	Widgets []Widget       `json:"widgets"` // null where it holds none
	Problem *string        `json:"problem"`
}

// Entry is a page in a list of pages (api.yaml PortalEntry).
type Entry struct {
	Code      string            `json:"portalCode"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	App       *string           `json:"appCode"`
	Published int               `json:"published"`
	MayEdit   bool              `json:"mayEdit"`
}

// reads reports whether the principal may open a page.
func (s *Service) reads(view *authz.View, p *catalog.Portal) bool {
	if s.writes(view, p) {
		return true
	}
	d := view.Document(catalog.KindPortal, p.Code)
	return view.Reads(d) && (len(d.Read) > 0 || p.App == "" || p.Public || view.Opens(p.App))
}

// writes reports whether the principal may design a page: the people of its write, and who administers its application.
func (s *Service) writes(view *authz.View, p *catalog.Portal) bool {
	return view.HoldsOne(p.Write) || s.Edits(view, p.Pack)
}

// Reads reports whether the principal may open a page that is published and has widgets.
func (s *Service) Reads(view *authz.View, code string) bool {
	p := view.Catalog.Portal(code)
	return p != nil && p.Published && len(p.Widgets) > 0 && s.reads(view, p)
}

// Find returns a page that the principal may open. A page that does not exist is known to nobody but as the workbench.
func (s *Service) find(view *authz.View, code string) (*catalog.Portal, error) {
	p := view.Catalog.Portal(code)
	if p == nil && strings.EqualFold(code, catalog.DefaultPortal) {
		p = view.Catalog.Portal(catalog.BuiltInPortal)
	}
	if p == nil || !s.reads(view, p) {
		return nil, fault.New(fault.PortalNotFound)
	}
	return p, nil
}

// shown is the page that is drawn for one: the page itself, or the built-in one where it is not published or empty.
func shown(view *authz.View, p *catalog.Portal) *catalog.Portal {
	if p.Published && len(p.Widgets) > 0 {
		return p
	}
	if built := view.Catalog.Portal(catalog.BuiltInPortal); built != nil {
		return built
	}
	return p
}

// Get reads a page for a person. What the person may not see is left out.
func (s *Service) Get(ctx context.Context, view *authz.View, code string) (*Page, error) {
	p, err := s.find(view, code)
	if err != nil {
		return nil, err
	}
	of := shown(view, p)
	out := s.draw(view, of)
	out.Code, out.Name, out.NameI18n, out.Published = p.Code, p.Label.Zh, texts(p.Label), published(p)
	if strings.EqualFold(p.Code, catalog.BuiltInPortal) {
		out.Code = catalog.DefaultPortal
	}
	out.Fallback = of != p || p.Code == catalog.BuiltInPortal
	out.MayEdit = s.writes(view, p)
	out.MayArrange = of.Personal && view.Principal().UserID != ""
	if out.MayArrange {
		if out.Arranged, err = s.arrange(ctx, view, of, out.Widgets); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Draft draws a page that is not served, as its author sees it.
func (s *Service) Draft(view *authz.View, p *catalog.Portal) *Page {
	out := s.draw(view, p)
	out.Code, out.Name, out.NameI18n, out.Published, out.MayEdit = p.Code, p.Label.Zh, texts(p.Label), published(p), true
	if out.Script != nil { // that of a draft is in no page that is served
		address := *out.Script + "&draft=" + url.QueryEscape(p.Code)
		out.Script = &address
	}
	return out
}

func published(p *catalog.Portal) int {
	if p.Published {
		return 1
	}
	return 0
}

func texts(l plan.Label) map[string]string {
	if l.I18n == nil {
		return map[string]string{}
	}
	return l.I18n
}

// List names the pages that the principal may open, of an application or of all.
func (s *Service) List(view *authz.View, app string) []Entry {
	out := []Entry{}
	for _, p := range view.Catalog.Portals() {
		if p.Code == catalog.BuiltInPortal || !s.reads(view, p) || app != "" && !strings.EqualFold(app, p.App) || !p.Published && !s.writes(view, p) {
			continue
		}
		out = append(out, Entry{Code: p.Code, Name: p.Label.Zh, NameI18n: texts(p.Label), App: orNull(p.App), Published: published(p), MayEdit: s.writes(view, p)})
	}
	return out
}

// draw makes a page with its widgets.
func (s *Service) draw(view *authz.View, p *catalog.Portal) *Page {
	out := &Page{App: orNull(p.App), Page: map[string]any{}, Widgets: []Widget{}}
	maps.Copy(out.Page, p.Page)
	for key, otherwise := range map[string]any{"size": "fluid", "width": 1200, "padding": 16, "fill": false, "backgroundColor": nil, "backgroundImg": nil, "overflow": "auto", "onEnter": nil, "onLeave": nil} {
		if out.Page[key] == nil {
			out.Page[key] = otherwise
		}
	}
	out.Page["backgroundImgSrc"] = source(p, out.Page["backgroundImg"])
	if p.Script != nil {
		address := scriptPath + "?digest=" + p.Script.Digest
		out.Script = &address
	}
	if s.holds(view, p.Visible) {
		out.Widgets = s.widgets(view, p, p.Widgets)
	}
	return out
}

const scriptPath = "/api/runtime/portal/script"

// Script is the script of a page that the principal may open, by its digest.
func (s *Service) Script(view *authz.View, digest string) (string, error) {
	for _, p := range view.Catalog.Portals() {
		if p.Script != nil && p.Script.Digest == digest && s.reads(view, p) {
			return p.Script.Text, nil
		}
	}
	return "", fault.New(fault.PortalNotFound)
}

const (
	picturePath = "/api/runtime/portal/picture"
	uploadPath  = "/api/aliyun/download"
)

// source is the address of a picture; nil where it is the name of an icon.
func source(p *catalog.Portal, name any) any {
	text, _ := name.(string)
	if picture := p.Pictures[text]; picture != nil {
		return picturePath + "?digest=" + picture.Digest
	}
	if uploaded(text) {
		return uploadPath + "?inline=1&refId=" + text
	}
	return nil
}

// uploaded reports whether a text is the id of a file.
func uploaded(text string) bool {
	_, err := uuid.Parse(text)
	return err == nil && len(text) == 36
}

// Picture is a picture beside a page that the principal may open, by its digest.
func (s *Service) Picture(view *authz.View, digest string) (*catalog.Picture, error) {
	for _, p := range view.Catalog.Portals() {
		for _, picture := range p.Pictures {
			if picture.Digest == digest && s.reads(view, p) {
				return picture, nil
			}
		}
	}
	return nil, fault.New(fault.PortalNotFound)
}

// holds evaluates a condition on the person; one that cannot be computed does not hold.
func (s *Service) holds(view *authz.View, e plan.Expr) bool {
	if e == nil {
		return true
	}
	ok, err := expression.Holds(view.Bind(e), person{})
	return ok && err == nil
}

// person is what a condition on nothing but its reader sees: all that it names is bound.
type person struct{ expression.Scope }

// widgets draws those that the principal may see, in their order.
func (s *Service) widgets(view *authz.View, p *catalog.Portal, in []*catalog.Widget) []Widget {
	out := []Widget{}
	for _, w := range in {
		if one, ok := s.widget(view, p, w); ok {
			out = append(out, one)
		}
	}
	return out
}

// styles are what all widgets have, with their defaults; colors are left to the theme.
var styles = map[string]any{"backgroundColor": nil, "backgroundImg": nil, "borderRadius": "medium", "borderStyle": "none", "borderThickness": 1, "borderColor": nil,
	"textColor": nil, "textThickness": "normal"}

func (s *Service) widget(view *authz.View, p *catalog.Portal, w *catalog.Widget) (Widget, bool) {
	if len(w.Read) > 0 && !view.HoldsOne(w.Read) || !s.holds(view, w.Visible) {
		return Widget{}, false
	}
	out := Widget{ID: w.ID, Code: orNull(w.Code), Type: w.Type, X: w.X, Y: w.Y, Width: w.Width, Height: w.Height, Style: maps.Clone(styles), Problem: orNull(w.Problem)}
	maps.Copy(out.Style, w.Style)
	out.Style["backgroundImgSrc"] = source(p, out.Style["backgroundImg"])
	if w.Problem != "" {
		out.Options = map[string]any{}
		return out, true
	}
	if w.Container {
		out.Widgets = s.widgets(view, p, w.Widgets)
		if len(out.Widgets) == 0 && len(w.Widgets) > 0 {
			return Widget{}, false
		}
	}
	options, ok := s.options(view, p, w)
	out.Options = options
	return out, ok
}

// Rows are records that a widget lists.
type Rows struct {
	*query.Rows
	Of   *catalog.PortalRows
	List string // code of the list that shows them
	More bool
}

// RowsRequest asks for records of a widget.
type RowsRequest struct {
	Portal, Widget string
	Tab            int // of several lists, from 0
	Page, Size     int
	Keyword        string
	Filters        []query.Filter
	From, To       string
	Draft          *catalog.Portal // a page that is not served

	ids   []string // these records only
	whole bool     // with long texts and files
}

// Rows reads the records that a widget of a page lists.
func (s *Service) Rows(ctx context.Context, view *authz.View, req RowsRequest) (*Rows, error) {
	p := req.Draft
	if p == nil {
		of, err := s.find(view, req.Portal)
		if err != nil {
			return nil, err
		}
		p = shown(view, of)
	}
	return s.rowsOf(ctx, view, p, req)
}

// rowsOf reads the records that a widget of a page lists.
func (s *Service) rowsOf(ctx context.Context, view *authz.View, p *catalog.Portal, req RowsRequest) (*Rows, error) {
	w := p.Widget(req.Widget)
	if w == nil || req.Tab < 0 || !s.sees(view, p, w) {
		return nil, fault.New(fault.WidgetNotFound)
	}
	var of *catalog.PortalRows
	for _, one := range w.Rows {
		if tabOf(one.At) == req.Tab {
			of = one
		}
	}
	if of == nil {
		return nil, fault.New(fault.WidgetNotFound)
	}
	if req.whole {
		if view.Model(of.Model.Code) == nil {
			return nil, fault.New(fault.WidgetNotFound)
		}
		of = whole(view, of)
	}
	rows, more, err := s.Reader.Widget(ctx, view, query.WidgetRequest{Rows: of, IDs: req.ids, Key: p.Code + "/" + w.ID + "/" + strings.Join(of.At, "/"), Once: req.Draft != nil,
		Page: req.Page, Size: req.Size, Keyword: req.Keyword, Filters: req.Filters, From: req.From, To: req.To})
	var refused *fault.Error
	if errors.As(err, &refused) && (fault.Of(err) == fault.ModelNotFound || fault.Of(err) == fault.ListNotFound) {
		return nil, fault.New(fault.WidgetNotFound)
	}
	if err != nil {
		return nil, err
	}
	out := &Rows{Rows: rows, Of: of, More: more}
	if of.List != nil {
		out.List = of.List.Code
	}
	return out, nil
}

// sees reports whether the page shows the widget to the principal: the widget itself and those around it.
func (s *Service) sees(view *authz.View, p *catalog.Portal, w *catalog.Widget) bool {
	if !s.holds(view, p.Visible) {
		return false
	}
	var through func([]*catalog.Widget) bool
	through = func(in []*catalog.Widget) bool {
		for _, one := range in {
			if len(one.Read) > 0 && !view.HoldsOne(one.Read) || !s.holds(view, one.Visible) {
				continue
			}
			if one == w || through(one.Widgets) {
				return true
			}
		}
		return false
	}
	return through(p.Widgets)
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
