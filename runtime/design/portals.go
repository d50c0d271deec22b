package design

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

func portalKind(s *Service) *Kind {
	return &Kind{Of: catalog.KindPortal, Missing: fault.PortalNotFound, Free: true, Edits: writesPortal, Inside: portalInside,
		Gone: fault.PortalPictureGone, Draw: s.drawPortal,
		Note: plan.Label{Zh: "设计门户页", I18n: map[string]string{"en": "design portal page"}}}
}

// writesPortal reports whether a page names a role of the caller as its author.
func writesPortal(view *authz.View, of *catalog.Document) bool {
	p, ok := of.Value.(*catalog.Portal)
	return ok && slices.ContainsFunc(p.Write, view.Holds)
}

// portalInside refuses to make a page public, to change with whose rights it is read, and to change its script, which runs in the browsers
// of all its readers, to those who administer one application.
func portalInside(_ *catalog.Catalog, _ string, old, now *edit.Node) error {
	for _, key := range []string{"public", "publicRole", "script", "scriptText"} {
		before := ""
		if old != nil {
			before = old.Get(key).Text()
		}
		if now.Get(key).Text() != before {
			return fault.New(fault.Forbidden)
		}
	}
	return nil
}

// DesignedPortal is a page in the list of its editors (api.yaml DesignedPortal).
type DesignedPortal struct {
	Code      string     `json:"portalCode"`
	Label     plan.Label `json:"label"`
	Published int        `json:"published"`
	App       *string    `json:"appCode"`
	State
}

// PortalChoices is what the document of a page may name, with the page as others see it (api.yaml PortalChoices).
type PortalChoices struct {
	Published     int            `json:"published"`
	PublishedJSON *string        `json:"publishedPortalJson"`
	DraftJSON     *string        `json:"draftPortalJson"`
	Types         []PortalType   `json:"types"`
	Schema        rawJSON        `json:"schema"`
	Apps          []Choice       `json:"apps"`
	Portals       []Choice       `json:"portals"`
	Roles         []Choice       `json:"roles"`
	Workflows     []Choice       `json:"workflows"`
	Models        []Choice       `json:"models"`
	Reports       []PortalReport `json:"reports"`
	Pictures      []string       `json:"pictures"` // files beside the page
}

type rawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

// PortalType is a type of widgets.
type PortalType struct {
	Type      string     `json:"type"`
	Label     plan.Label `json:"label"`
	Group     string     `json:"group"`
	Width     int        `json:"width"`
	Height    int        `json:"height"`
	Container bool       `json:"container"`
	Holds     []string   `json:"holds"`
	Within    []string   `json:"within"`
	Public    bool       `json:"public"`
}

// PortalReport is a report with what widgets name of it.
type PortalReport struct {
	Code   string        `json:"code"`
	Label  plan.Label    `json:"label"`
	App    string        `json:"appCode"`
	Charts []PortalChart `json:"charts"`
	Sets   []PortalSet   `json:"dataSets"`
}

// PortalChart is a chart of a report.
type PortalChart struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	Type  string     `json:"chartType"`
}

// PortalSet is a data set of a report.
type PortalSet struct {
	Code     string          `json:"code"`
	Label    plan.Label      `json:"label"`
	Groups   []Choice        `json:"groups"`
	Measures []PortalMeasure `json:"measures"`
}

// PortalMeasure is a figure of a data set.
type PortalMeasure struct {
	Code    string     `json:"code"`
	Label   plan.Label `json:"label"`
	SumType string     `json:"sumType"`
}

// PortalModel is what a widget may name of a model (api.yaml PortalModel).
type PortalModel struct {
	Code       string           `json:"schemaCode"`
	Label      plan.Label       `json:"label"`
	Lists      []Choice         `json:"lists"`
	Properties []PortalProperty `json:"properties"`
}

// PortalProperty is a property of a model. Display and Sort are the rules of the platform's specification for lists of texts.
type PortalProperty struct {
	Code    string     `json:"code"`
	Label   plan.Label `json:"label"`
	Type    string     `json:"propertyType"`
	Display bool       `json:"display"`
	Sort    bool       `json:"sort"`
	Date    bool       `json:"date"`
	Number  bool       `json:"number"`
	Options bool       `json:"options"`
}

// portalName names a page.
func portalName(application, code string) Name {
	return Name{Kind: catalog.KindPortal, App: application, Code: code}
}

// DesignedPortals lists the pages that the caller may edit, also those that are begun and not published, of an application or of all.
func (s *Service) DesignedPortals(ctx context.Context, view *authz.View, application string) ([]DesignedPortal, error) {
	k, err := s.kind(catalog.KindPortal)
	if err != nil {
		return nil, err
	}
	states, begun, err := s.states(ctx, view, k, application)
	if err != nil {
		return nil, err
	}
	out := []DesignedPortal{}
	for _, p := range view.Catalog.Portals() {
		if p.Code == catalog.BuiltInPortal || application != "" && !strings.EqualFold(p.Pack, application) || !s.editsPortal(view, p) {
			continue
		}
		one := DesignedPortal{Code: p.Code, Label: p.Label, App: orNull(p.App), State: states[strings.ToLower(p.Code)]}
		if p.Published {
			one.Published = 1
		}
		out = append(out, one)
	}
	for _, b := range begun {
		out = append(out, DesignedPortal{Code: b.Code, Label: b.Label, State: b.State})
	}
	return out, nil
}

func (s *Service) editsPortal(view *authz.View, p *catalog.Portal) bool {
	return view.User() != "" && (s.Host.Administers(view, p.Pack) || slices.ContainsFunc(p.Write, view.Holds))
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// PortalChoices reads what a page may name, for its designer.
func (s *Service) PortalChoices(ctx context.Context, view *authz.View, application, code string) (*PortalChoices, error) {
	d, err := s.open(ctx, view, portalName(application, code))
	if err != nil {
		return nil, err
	}
	of, err := d.read(ctx)
	if err != nil {
		return nil, err
	}
	in := d.scope()
	out := &PortalChoices{Types: []PortalType{}, Apps: []Choice{}, Portals: []Choice{}, Roles: []Choice{}, Workflows: []Choice{},
		Models: in.models(), Reports: []PortalReport{}, Schema: d.layout.JSON(catalog.KindPortal)}
	if p := view.Catalog.Portal(d.code); d.served != nil && p.Published {
		out.Published, out.PublishedJSON = 1, &of.Text
	}
	if of.Draft != nil {
		out.DraftJSON = &of.Draft.Text
	}
	s.portalChoices(in, out)
	out.Pictures, err = filesBeside(d.pack, path.Dir(d.path), overlay.IsPicture)
	return out, err
}

// portalChoices are what a page may name: all that the caller may know of.
func (s *Service) portalChoices(in scope, out *PortalChoices) {
	c := in.view.Catalog
	for _, name := range s.Set.Widgets.Names() {
		t, _ := s.Set.Widgets.Get(name)
		out.Types = append(out.Types, PortalType{Type: t.Code, Label: t.Label, Group: t.Group, Width: t.Width, Height: t.Height,
			Container: t.Container, Holds: t.Holds, Within: t.Within, Public: t.Public})
	}
	for _, x := range c.Apps {
		if in.whole || in.own(x.Pack) || in.view.Opens(x.Code) {
			out.Apps = append(out.Apps, Choice{Code: x.Code, Label: x.Label, Own: in.own(x.Pack)})
		}
	}
	for _, p := range c.Portals() {
		if p.Code != catalog.BuiltInPortal && (in.whole || in.own(p.Pack) || s.editsPortal(in.view, p)) {
			out.Portals = append(out.Portals, Choice{Code: p.Code, Label: p.Label, Own: in.own(p.Pack)})
		}
	}
	for _, r := range c.Roles {
		out.Roles = append(out.Roles, Choice{Code: r.Code, Label: r.Label, Own: in.own(r.Pack)})
	}
	for _, w := range c.Workflows() {
		if in.whole || in.own(w.Pack) {
			out.Workflows = append(out.Workflows, Choice{Code: w.Template.Code, Label: w.Label, Own: in.own(w.Pack), Model: w.Model.Code})
		}
	}
	for _, doc := range c.Documents {
		if r, ok := doc.Value.(*catalog.Report); ok && doc.Kind == catalog.KindReport && (in.whole || in.own(r.Pack)) {
			out.Reports = append(out.Reports, portalReport(r))
		}
	}
}

func portalReport(r *catalog.Report) PortalReport {
	out := PortalReport{Code: r.Code, Label: r.Label, App: r.Pack, Charts: []PortalChart{}, Sets: []PortalSet{}}
	for _, c := range r.Charts {
		out.Charts = append(out.Charts, PortalChart{Code: c.Code, Label: c.Label, Type: c.Type})
	}
	for _, s := range r.Sets {
		set := PortalSet{Code: s.Code, Label: s.Label, Groups: []Choice{}, Measures: []PortalMeasure{}}
		for _, g := range s.Groups {
			set.Groups = append(set.Groups, Choice{Code: g.Code, Label: g.Label})
		}
		for _, m := range s.Measures {
			set.Measures = append(set.Measures, PortalMeasure{m.Code, m.Label, m.Fn})
		}
		out.Sets = append(out.Sets, set)
	}
	return out
}

// Types of properties that lists of texts can't be sorted by, and can't show: the rules of the platform's specification.
var (
	notShown  = []string{"Attachment", "Sheet", "RelevanceForm", "RelevanceFormEx", "Address", "Logic", "LongText"}
	notSorted = append([]string{"StaffSingle", "StaffMulti", "DeptSingle", "DeptMulti", "StaffDeptMix",
		"ApprovalOpinion", "Radio", "Checkbox", "DropdownMulti"}, notShown...)
)

// PortalModel reads what a widget may name of a model.
func (s *Service) PortalModel(ctx context.Context, view *authz.View, application, code, model string) (*PortalModel, error) {
	d, err := s.open(ctx, view, portalName(application, code))
	if err != nil {
		return nil, err
	}
	m := view.Catalog.Model(model)
	if m == nil || m.Parent != nil || !d.whole && !d.own(m.Pack) {
		return nil, fault.New(fault.ModelNotFound, model)
	}
	out := &PortalModel{Code: m.Code, Label: m.Label, Lists: []Choice{}, Properties: []PortalProperty{}}
	for _, l := range view.Catalog.ListsOf(m.Code) {
		out.Lists = append(out.Lists, Choice{Code: l.Code, Label: l.Label, Own: !l.Generated})
	}
	for _, f := range m.Fields {
		name := f.Type.Name()
		_, sorts := f.Property.(property.Sorter)
		_, chooses := f.Property.(property.Chooser)
		k := f.Property.Kind()
		out.Properties = append(out.Properties, PortalProperty{Code: f.Code, Label: f.Label, Type: name,
			Display: !slices.Contains(notShown, name), Sort: sorts && !slices.Contains(notSorted, name),
			Date: k == plan.Date || k == plan.Instant, Number: k == plan.Number || k == plan.Int, Options: chooses})
	}
	return out, nil
}
