package app

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// editedPortal is the kind of documents that the designer of portal pages changes.
var editedPortal = editedKind{kind: catalog.KindPortal, missing: fault.PortalNotFound, note: plan.Label{Zh: "设计门户页", I18n: en("design portal page")}, inside: portalInside}

// portalInside refuses to make a page public, to change with whose rights it is read, and to change its script, which runs in the browsers of
// all its readers, to those who administer one application.
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

// DesignedPortal is a page in the list of those who may edit it (api.yaml DesignedPortal).
type DesignedPortal struct {
	Code      string     `json:"portalCode"`
	Label     plan.Label `json:"label"`
	Published int        `json:"published"`
	App       *string    `json:"appCode"`
	DraftTime *time.Time `json:"draftTime"`
	DraftBy   *string    `json:"draftBy"`
	LockedBy  *string    `json:"lockedBy"`
}

// PortalDesign is what the designer of a page needs: its document and what it chooses from (api.yaml PortalDesign).
type PortalDesign struct {
	Code     string      `json:"portalCode"`
	New      bool        `json:"new"`     // no document has the code yet
	Scripts  bool        `json:"scripts"` // the caller may change its script
	App      *string     `json:"appCode"`
	AppLabel *plan.Label `json:"appLabel"`
	DesignDocument
	Published     int            `json:"published"`
	PublishedJSON *string        `json:"publishedPortalJson"`
	DraftJSON     *string        `json:"draftPortalJson"`
	Draft         *PortalKept    `json:"draft"`
	Lock          PortalLock     `json:"lock"`
	Types         []PortalType   `json:"types"`
	Schema        rawJSON        `json:"schema"`
	Apps          []DesignChoice `json:"apps"`
	Portals       []DesignChoice `json:"portals"`
	Roles         []DesignChoice `json:"roles"`
	Workflows     []DesignChoice `json:"workflows"`
	Models        []DesignChoice `json:"models"`
	Reports       []PortalReport `json:"reports"`
	Pictures      []string       `json:"pictures"` // files beside the page
}

type rawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

// PortalKept is the draft of a page that the server keeps.
type PortalKept struct {
	Text   string    `json:"text"`
	Seen   string    `json:"seen"` // digest of the document that it began with
	At     time.Time `json:"time"`
	By     string    `json:"by"`
	ByName string    `json:"byName"`
}

// PortalLock is who edits a page.
type PortalLock struct {
	Locked    bool    `json:"locked"`
	Mine      bool    `json:"mine"`
	Owner     *string `json:"owner"`
	OwnerName *string `json:"ownerName"`
	ExpireIn  int     `json:"expireIn"` // seconds
}

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
	Groups   []DesignChoice  `json:"groups"`
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
	Lists      []DesignChoice   `json:"lists"`
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

// PortalDraft is a page on its way to publication.
type PortalDraft struct {
	App  string `json:"appCode"`
	Code string `json:"portalCode"`
	New  bool   `json:"new"`
	Text string `json:"text"`
	Seen string `json:"seen"`
}

// portalDesk opens the desk of a page for those who may edit it. Application is the one that a new page belongs to; "" = none.
func (a *App) portalDesk(ctx context.Context, view *authz.View, application, code string) (*documentDesk, error) {
	served := view.Catalog.Portal(code)
	pack := application
	switch {
	case served != nil:
		pack, code = served.Pack, served.Code
	case pack == "":
		pack = corePack
	}
	if !a.editsPortal(view, served, pack) {
		return nil, fault.New(fault.Forbidden)
	}
	if served == nil {
		if err := newCode(code); err != nil {
			return nil, err
		}
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	out := &documentDesk{desk: d, of: &editedPortal, view: view, whole: a.MayAdminister(view, ""), served: view.Catalog.App(pack), pack: d.folder(pack), code: code, created: served == nil}
	if out.pack == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	if out.served == nil {
		out.served = &catalog.App{Pack: out.pack.Code} // a pack without an application
	}
	out.kind, _ = compile.Kinds(a.cfg.Set).Get(catalog.KindPortal)
	out.path = out.kind.Path(code)
	return out, a.ownsCode(ctx, view, out.kind, out.pack.Code, code, out.created)
}

// corePack is the pack that is always loaded.
const corePack = "core"

// editsPortal reports whether the caller may design a page: who administers its application, and the roles that it names.
func (a *App) editsPortal(view *authz.View, p *catalog.Portal, pack string) bool {
	return view.Principal().UserID != "" && (a.MayAdminister(view, pack) || p != nil && slices.ContainsFunc(p.Write, view.Holds))
}

// DesignedPortals lists the pages that the caller may edit, also those that are begun and not published, of an application or of all.
func (a *App) DesignedPortals(ctx context.Context, view *authz.View, application string) ([]DesignedPortal, error) {
	out := []DesignedPortal{}
	for _, p := range view.Catalog.Portals() {
		if p.Code == catalog.BuiltInPortal || application != "" && !strings.EqualFold(p.Pack, application) || !a.editsPortal(view, p, p.Pack) {
			continue
		}
		one := DesignedPortal{Code: p.Code, Label: p.Label, App: orNull(p.App)}
		if p.Published {
			one.Published = 1
		}
		d, err := a.portalDraft(ctx, p.Pack, portalFile(p.Code))
		if err != nil {
			return nil, err
		}
		if d != nil {
			one.DraftTime, one.DraftBy = &d.At, &d.ByName
		}
		lock, err := a.portalLock(ctx, view, p.Code)
		if err != nil {
			return nil, err
		}
		one.LockedBy = lock.OwnerName
		out = append(out, one)
	}
	return a.begunPortals(ctx, view, application, out)
}

// begunPortals adds the pages of which there are drafts only.
func (a *App) begunPortals(ctx context.Context, view *authz.View, application string, out []DesignedPortal) ([]DesignedPortal, error) {
	drafts, err := publish.DraftsIn(ctx, a.db, portalFolder)
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		code := strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path))
		known := view.Catalog.Portal(code) != nil || slices.ContainsFunc(out, func(o DesignedPortal) bool { return strings.EqualFold(o.Code, code) })
		if known || application != "" && !strings.EqualFold(d.Pack, application) || !a.editsPortal(view, nil, d.Pack) {
			continue
		}
		one := DesignedPortal{Code: code, Label: plan.Label{Zh: code}, DraftTime: &d.At}
		if text, err := edit.Parse(d.Text); err == nil && text.Get("name").Text() != "" {
			one.Label = plan.Label{Zh: text.Get("name").Text(), I18n: map[string]string{}}
			if name := text.Get("name_i18n"); name != nil && name.Get("en").Text() != "" {
				one.Label.I18n["en"] = name.Get("en").Text()
			}
		}
		if p, ok := a.people.Person(ctx, d.Owner); ok {
			one.DraftBy = &p.Name
		}
		lock, err := a.portalLock(ctx, view, code)
		if err != nil {
			return nil, err
		}
		one.LockedBy = lock.OwnerName
		out = append(out, one)
	}
	return out, nil
}

// portalFolder has the portal pages of a pack.
const portalFolder = "portals"

func portalFile(code string) string { return portalFolder + "/" + code + ".json" }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// portalDraft is the draft of a page: who edits it has the lock, so the last one is that of all.
func (a *App) portalDraft(ctx context.Context, pack, file string) (*PortalKept, error) {
	all, err := publish.DraftsOfOthers(ctx, a.db, "", pack, file)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	out := &PortalKept{Text: all[0].Text, Seen: all[0].Seen, At: all[0].At, By: all[0].Owner}
	if p, ok := a.people.Person(ctx, out.By); ok {
		out.ByName = p.Name
	}
	return out, nil
}

func (a *App) portalLock(ctx context.Context, view *authz.View, code string) (PortalLock, error) {
	l, err := a.Portals().LockOf(ctx, code, a.Now())
	return a.toldLock(ctx, view, l), err
}

func (a *App) toldLock(ctx context.Context, view *authz.View, l portal.Lock) PortalLock {
	out := PortalLock{Locked: l.Owner != "", Mine: l.Owner != "" && l.Owner == view.Principal().UserID, Owner: orNull(l.Owner), ExpireIn: int(portal.LockKept.Seconds())}
	if l.Owner != "" {
		out.ExpireIn = max(0, int(l.Until.Sub(a.Now()).Seconds()))
		p, _ := a.people.Person(ctx, l.Owner)
		out.OwnerName = &p.Name
	}
	return out
}

// PortalDesign reads a page for its designer.
func (a *App) PortalDesign(ctx context.Context, view *authz.View, application, code string) (*PortalDesign, error) {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return nil, err
	}
	out := &PortalDesign{Code: d.code, New: d.created, Scripts: d.whole, Types: []PortalType{}, Apps: []DesignChoice{}, Portals: []DesignChoice{}, Roles: []DesignChoice{}, Workflows: []DesignChoice{},
		Models: d.models(), Reports: []PortalReport{}, Pictures: []string{}, Schema: d.layout.JSON(catalog.KindPortal)}
	if d.served.Code != "" {
		out.App, out.AppLabel = &d.served.Code, &d.served.Label
	}
	if !d.created {
		if out.DesignDocument, err = d.read(); err != nil {
			return nil, err
		}
		if p := view.Catalog.Portal(d.code); p.Published {
			out.Published, out.PublishedJSON = 1, &out.Text
		}
	}
	if out.Draft, err = a.portalDraft(ctx, d.pack.Code, d.path); err != nil {
		return nil, err
	}
	if out.Draft != nil {
		out.DraftJSON = &out.Draft.Text
	}
	if out.Lock, err = a.portalLock(ctx, view, d.code); err != nil {
		return nil, err
	}
	a.portalChoices(d, out)
	return out, pictureFiles(d, &out.Pictures)
}

// pictureFiles are the names of the pictures beside a page.
func pictureFiles(d *documentDesk, out *[]string) error {
	files, err := fs.ReadDir(d.pack.FS, path.Dir(d.path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, one := range files {
		if overlay.IsPicture(one.Name()) {
			*out = append(*out, one.Name())
		}
	}
	return nil
}

// portalChoices are what a page may name: all that the caller may know of.
func (a *App) portalChoices(d *documentDesk, out *PortalDesign) {
	c := d.view.Catalog
	for _, name := range a.cfg.Set.Widgets.Names() {
		t, _ := a.cfg.Set.Widgets.Get(name)
		out.Types = append(out.Types, PortalType{Type: t.Code, Label: t.Label, Group: t.Group, Width: t.Width, Height: t.Height, Container: t.Container, Holds: t.Holds, Within: t.Within, Public: t.Public})
	}
	for _, x := range c.Apps {
		if d.whole || d.own(x.Pack) || d.view.Opens(x.Code) {
			out.Apps = append(out.Apps, DesignChoice{Code: x.Code, Label: x.Label, Own: d.own(x.Pack)})
		}
	}
	for _, p := range c.Portals() {
		if p.Code != catalog.BuiltInPortal && (d.whole || d.own(p.Pack) || a.editsPortal(d.view, p, p.Pack)) {
			out.Portals = append(out.Portals, DesignChoice{Code: p.Code, Label: p.Label, Own: d.own(p.Pack)})
		}
	}
	for _, r := range c.Roles {
		out.Roles = append(out.Roles, DesignChoice{Code: r.Code, Label: r.Label, Own: d.own(r.Pack)})
	}
	for _, w := range c.Workflows() {
		if d.whole || d.own(w.Pack) {
			out.Workflows = append(out.Workflows, DesignChoice{Code: w.Template.Code, Label: w.Label, Own: d.own(w.Pack), Model: w.Model.Code})
		}
	}
	for _, doc := range c.Documents {
		if r, ok := doc.Value.(*catalog.Report); ok && doc.Kind == catalog.KindReport && (d.whole || d.own(r.Pack)) {
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
		set := PortalSet{Code: s.Code, Label: s.Label, Groups: []DesignChoice{}, Measures: []PortalMeasure{}}
		for _, g := range s.Groups {
			set.Groups = append(set.Groups, DesignChoice{Code: g.Code, Label: g.Label})
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
	notSorted = append([]string{"StaffSingle", "StaffMulti", "DeptSingle", "DeptMulti", "StaffDeptMix", "ApprovalOpinion", "Radio", "Checkbox", "DropdownMulti"}, notShown...)
)

// PortalModel reads what a widget may name of a model.
func (a *App) PortalModel(ctx context.Context, view *authz.View, application, code, model string) (*PortalModel, error) {
	d, err := a.portalDesk(ctx, view, application, code)
	if err != nil {
		return nil, err
	}
	m := view.Catalog.Model(model)
	if m == nil || m.Parent != nil || !d.whole && !d.own(m.Pack) {
		return nil, fault.New(fault.ModelNotFound, model)
	}
	out := &PortalModel{Code: m.Code, Label: m.Label, Lists: []DesignChoice{}, Properties: []PortalProperty{}}
	for _, l := range view.Catalog.ListsOf(m.Code) {
		out.Lists = append(out.Lists, DesignChoice{Code: l.Code, Label: l.Label, Own: !l.Generated})
	}
	for _, f := range m.Fields {
		name := f.Type.Name()
		_, sorts := f.Property.(property.Sorter)
		_, chooses := f.Property.(property.Chooser)
		k := f.Property.Kind()
		out.Properties = append(out.Properties, PortalProperty{Code: f.Code, Label: f.Label, Type: name, Display: !slices.Contains(notShown, name),
			Sort: sorts && !slices.Contains(notSorted, name), Date: k == plan.Date || k == plan.Instant, Number: k == plan.Number || k == plan.Int, Options: chooses})
	}
	return out, nil
}
