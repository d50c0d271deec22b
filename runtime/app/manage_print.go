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
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/query"
)

// DesignedPrint is a print template in the list of an application's administrators (api.yaml DesignedPrint).
type DesignedPrint struct {
	Code       string     `json:"printCode"`
	Label      plan.Label `json:"label"`
	Model      string     `json:"schemaCode"`
	ModelLabel plan.Label `json:"modelLabel"`
	Pages      int        `json:"pages"`
	External   bool       `json:"external"`  // for another program: it has no pages
	Published  bool       `json:"published"` // false: it has been begun, and there are drafts only
	LastDraft
}

// LastDraft is the draft of a document that was changed last.
type LastDraft struct {
	DraftTime *time.Time `json:"draftTime"` // nil = there is none
	DraftBy   *string    `json:"draftBy"`   // name
	Mine      bool       `json:"mine"`      // it is the caller's
}

// PrintDesign is what the designer of a print template needs: its document and what it chooses from (api.yaml PrintDesign).
type PrintDesign struct {
	App      string     `json:"appCode"`
	AppLabel plan.Label `json:"appLabel"`
	Code     string     `json:"printCode"` // "" = of a new one
	DesignDocument
	Drafts   []DesignDraftKept `json:"drafts"` // of it; without a code those of new ones
	Models   []DesignChoice    `json:"models"`
	Prints   []DesignChoice    `json:"prints"`   // whose codes are taken
	Pictures []string          `json:"pictures"` // files beside the templates
	Roles    []DesignChoice    `json:"roles"`    // that a template may be for
}

// PrintModel is what a template of a model may show (api.yaml PrintModel).
type PrintModel struct {
	Code       string          `json:"schemaCode"`
	Label      plan.Label      `json:"label"`
	Forms      []PrintForm     `json:"forms"`
	Properties []PrintProperty `json:"properties"` // columns of sub-tables behind theirs, as sheet.column; those of related records behind all
	Nodes      []PrintNode     `json:"nodes"`      // of its workflows, where people act
	Workflows  []DesignChoice  `json:"workflows"`
	Lists      []PrintList     `json:"lists"` // whose records point to those of the model
}

// PrintForm is a form with its fields in order.
type PrintForm struct {
	Code  string          `json:"sheetCode"`
	Label plan.Label      `json:"label"`
	Items []PrintFormItem `json:"items"`
}

// PrintFormItem is a field of a form, or the title of a group of them.
type PrintFormItem struct {
	Code  string     `json:"propertyCode"` // "" = a title
	Label plan.Label `json:"label"`
}

// PrintProperty is a property as a designer of paper offers it.
type PrintProperty struct {
	Code     string     `json:"code"`
	Label    plan.Label `json:"label"`
	Type     string     `json:"propertyType"`
	System   bool       `json:"system"`
	Sheet    bool       `json:"sheet"`    // a sub-table
	Opinions bool       `json:"opinions"` // it keeps what people say in workflows
	Person   bool       `json:"person"`   // it holds people, whose signature can be drawn
	Files    bool       `json:"files"`
	Number   bool       `json:"number"`
	Formats  []string   `json:"formats"` // that displayFormat may name
	Sums     []string   `json:"sums"`    // that sumType may name
	Options  bool       `json:"options"` // it is a choice among some
	Unit     string     `json:"unit"`    // behind values of a number; "" = none
}

// PrintNode is a node of a workflow of the model.
type PrintNode struct {
	Code     string     `json:"code"`
	Label    plan.Label `json:"label"`
	Workflow string     `json:"workflowCode"`
}

// PrintList is a list whose records point to those of a model by a relation.
type PrintList struct {
	Code       string          `json:"queryCode"`
	Label      plan.Label      `json:"label"`
	Relation   string          `json:"propertyCode"`
	Properties []PrintProperty `json:"properties"`
}

// PrintDraft is a template on its way to publication.
type PrintDraft struct {
	App  string `json:"appCode"`
	Code string `json:"printCode"`
	New  bool   `json:"new"` // no template has the code yet
	Text string `json:"text"`
	Seen string `json:"seen"`
}

// PrintCheck is what the compiler says to a draft, and how a record looks with it.
type PrintCheck struct {
	DesignCheck
	Printout *printing.Printout // nil: none was asked for, or Refused says why there is none
	Refused  *fault.Error
	// NoAddress: the draft has codes of addresses, and the installation does not know its own: what programs print lacks them.
	NoAddress bool
}

// editedPrint is the kind of documents that the designer of paper changes.
var editedPrint = editedKind{kind: catalog.KindPrint, missing: fault.PrintTemplateNotFound, note: plan.Label{Zh: "设计打印模板", I18n: en("design print template")}, inside: modelInside}

// DesignedPrints lists the print templates of an application, and those that have been begun, with the last draft of each.
func (a *App) DesignedPrints(ctx context.Context, view *authz.View, code string) ([]DesignedPrint, error) {
	x, err := a.designing(view, code)
	if err != nil {
		return nil, err
	}
	out := []DesignedPrint{}
	for _, p := range printsOf(view.Catalog) {
		if strings.EqualFold(p.Pack, x.Pack) {
			out = append(out, DesignedPrint{Code: p.Code, Label: p.Label, Model: p.Model.Code, ModelLabel: p.Model.Label, Pages: len(p.Pages), External: p.External != nil, Published: true})
		}
	}
	err = a.lastDrafts(ctx, view, x.Pack, printFolder, func(code, text string, last LastDraft) {
		at := slices.IndexFunc(out, func(o DesignedPrint) bool { return strings.EqualFold(o.Code, code) })
		if at < 0 {
			if view.Catalog.Print(code) != nil {
				return // of another application by now
			}
			label, m := begun(view.Catalog, code, text)
			at, out = len(out), append(out, DesignedPrint{Code: code, Label: label, Model: m.Code, ModelLabel: m.Label})
		}
		out[at].LastDraft = last
	})
	return out, err
}

// lastDrafts tells of each document of a folder of which there are drafts the one that was changed last.
func (a *App) lastDrafts(ctx context.Context, view *authz.View, pack, folder string, tell func(code, text string, last LastDraft)) error {
	drafts, err := publish.DraftsIn(ctx, a.db, folder)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, d := range drafts { // the last changed first
		if seen[d.Path] || !strings.EqualFold(d.Pack, pack) {
			continue
		}
		seen[d.Path] = true
		last := LastDraft{DraftTime: &d.At, Mine: d.Owner == view.User()}
		if p, ok := a.people.Person(ctx, d.Owner); ok {
			last.DraftBy = &p.Name
		}
		tell(strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path)), d.Text, last)
	}
	return nil
}

// printFolder has the print templates of a pack.
const printFolder = "prints"

// begun are the name and the model of a document of which there are drafts only, as far as this one says.
func begun(c *catalog.Catalog, code, text string) (plan.Label, *catalog.Model) {
	label, m := plan.Label{Zh: code}, &catalog.Model{}
	draft, err := edit.Parse(text)
	if err != nil {
		return label, m
	}
	if name := draft.Get("name").Text(); name != "" {
		label = plan.Label{Zh: name, I18n: en(draft.Get("name_i18n").Get("en").Text())}
	}
	if found := c.Model(draft.Get("schemaCode").Text()); found != nil {
		m = found
	}
	return label, m
}

func printsOf(c *catalog.Catalog) (out []*catalog.Print) {
	for _, d := range c.Documents {
		if p, ok := d.Value.(*catalog.Print); ok && d.Kind == catalog.KindPrint {
			out = append(out, p)
		}
	}
	return out
}

// PrintDesign reads a template for its designer; without a code what a new one chooses from.
func (a *App) PrintDesign(ctx context.Context, view *authz.View, application, code string) (*PrintDesign, error) {
	d, err := a.documentDesk(ctx, view, &editedPrint, application, code)
	if err != nil {
		return nil, err
	}
	out := &PrintDesign{App: d.served.Code, AppLabel: d.served.Label, Code: d.code, Models: d.models(), Prints: []DesignChoice{}, Pictures: []string{}, Roles: []DesignChoice{}}
	if out.DesignDocument, err = d.read(); err != nil {
		return nil, err
	}
	if out.Drafts, err = d.drafts(); err != nil {
		return nil, err
	}
	for _, p := range printsOf(view.Catalog) {
		if own := d.own(p.Pack); own || d.whole {
			out.Prints = append(out.Prints, DesignChoice{Code: p.Code, Label: p.Label, Own: own, Model: p.Model.Code})
		}
	}
	for _, r := range view.Catalog.Roles {
		out.Roles = append(out.Roles, DesignChoice{Code: r.Code, Label: r.Label, Own: d.own(r.Pack)})
	}
	files, err := fs.ReadDir(d.pack.FS, path.Dir(d.path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, one := range files {
		if slices.Contains([]string{".png", ".jpg", ".jpeg"}, path.Ext(one.Name())) {
			out.Pictures = append(out.Pictures, one.Name())
		}
	}
	return out, nil
}

// PrintModel reads what a template of a model may name.
func (a *App) PrintModel(view *authz.View, application, code string) (*PrintModel, error) {
	x, m, err := a.designedModel(view, application, code)
	if err != nil {
		return nil, err
	}
	out := &PrintModel{Code: m.Code, Label: m.Label, Forms: []PrintForm{}, Properties: propertiesOf(m), Nodes: []PrintNode{}, Workflows: []DesignChoice{}, Lists: []PrintList{}}
	for _, f := range view.Catalog.FormsOf(m.Code) {
		out.Forms = append(out.Forms, PrintForm{Code: f.Code, Label: f.Label, Items: itemsOf(f.Items, []PrintFormItem{})})
	}
	for _, f := range m.Fields {
		if f.Target == nil || f.Multiple || f.System {
			continue
		}
		for _, far := range f.Target.Fields {
			if !far.System && far.Sheet == nil {
				p := printProperty(f.Code+".", far)
				p.Label = joinLabels(f.Label, p.Label)
				out.Properties = append(out.Properties, p)
			}
		}
	}
	for _, w := range view.Catalog.Workflows() {
		if w.Model != m {
			continue
		}
		out.Workflows = append(out.Workflows, DesignChoice{Code: w.Template.Code, Label: w.Label, Own: strings.EqualFold(w.Pack, x.Pack), Model: m.Code})
		for _, n := range w.Template.Nodes {
			if of := w.Nodes[n.ID]; of != nil && (n.Type == flow.Start || n.Type == flow.Fill || n.Type == flow.Approve) {
				out.Nodes = append(out.Nodes, PrintNode{Code: n.ID, Label: of.Label, Workflow: w.Template.Code})
			}
		}
	}
	for _, l := range view.Catalog.Lists {
		for _, f := range l.Model.Fields {
			if f.Target == m && !f.Multiple && !f.System && (strings.EqualFold(l.Model.Pack, x.Pack) || a.MayAdminister(view, "")) {
				out.Lists = append(out.Lists, PrintList{Code: l.Code, Label: l.Label, Relation: f.Code, Properties: propertiesOf(l.Model)})
			}
		}
	}
	return out, nil
}

// propertiesOf are the properties of a model with the columns of its sub-tables.
func propertiesOf(m *catalog.Model) []PrintProperty {
	out := []PrintProperty{}
	for _, f := range m.Fields {
		one := printProperty("", f)
		out = append(out, one)
		if !one.Sheet {
			continue
		}
		for _, column := range f.Sheet.Fields {
			if !column.System {
				out = append(out, printProperty(f.Code+".", column))
			}
		}
	}
	return out
}

func joinLabels(a, b plan.Label) plan.Label {
	return plan.Label{Zh: a.Zh + " · " + b.Zh, I18n: en(a.In("en") + " · " + b.In("en"))}
}

// itemsOf are the fields of a form behind the titles of their groups.
func itemsOf(items []catalog.FormItem, out []PrintFormItem) []PrintFormItem {
	for _, it := range items {
		switch {
		case it.Type == "" && it.Field != nil:
			out = append(out, PrintFormItem{Code: it.Field.Code, Label: it.Label})
		case len(it.Items) > 0:
			if it.Label.Zh != "" {
				out = append(out, PrintFormItem{Label: it.Label})
			}
			out = itemsOf(it.Items, out)
		}
	}
	return out
}

func printProperty(before string, f *catalog.Field) PrintProperty {
	_, keeps := f.Property.(property.OpinionKeeper)
	_, files := f.Property.(property.FileTaker)
	p := PrintProperty{Code: before + f.Code, Label: f.Label, Type: f.Type.Name(), System: f.System, Sheet: f.Sheet != nil && !keeps, Opinions: keeps, Files: files,
		Person: f.Target != nil && f.Target.Code == "user", Number: f.Sheet == nil && f.Property.Kind() == plan.Number, Formats: []string{}, Sums: []string{}}
	if of, ok := f.Property.(property.Formatter); ok {
		p.Formats = append(p.Formats, of.Formats()...)
	}
	if of, ok := f.Property.(property.Chooser); ok {
		p.Options = len(of.Choices()) > 0
	}
	if of, ok := f.Property.(property.Measured); ok {
		p.Unit = of.Unit()
	}
	if of, ok := f.Property.(property.Aggregator); ok {
		for _, sum := range of.Aggregates() {
			p.Sums = append(p.Sums, string(sum))
		}
	}
	return p
}

// CheckPrint compiles a draft with the other documents as they are now, and changes nothing. With the id of a record it lays that out, as the
// caller would print it.
func (a *App) CheckPrint(ctx context.Context, view *authz.View, in PrintDraft, record, address string) (*PrintCheck, error) {
	d, err := a.draftDesk(ctx, view, &editedPrint, Draft(in))
	if err != nil {
		return nil, err
	}
	found, c, err := d.check(Draft(in))
	if err != nil {
		return nil, err
	}
	out := &PrintCheck{DesignCheck: *found}
	if c != nil && a.cfg.Address == "" {
		t := c.Print(d.code)
		out.NoAddress = t != nil && leads(t)
	}
	if c == nil || record == "" {
		return out, nil
	}
	out.Printout, err = a.proof(ctx, view, c, d.code, record, address)
	var refused *fault.Error
	if errors.As(err, &refused) && fault.Of(err) != fault.Internal {
		out.Refused, err = refused, nil
	}
	return out, err
}

// proof lays a record out with a template of a catalog that is not served, and keeps nothing of it. Rights are those of that catalog, which
// differs in the template alone.
func (a *App) proof(ctx context.Context, view *authz.View, c *catalog.Catalog, code, record, address string) (*printing.Printout, error) {
	t := c.Print(code)
	if t == nil {
		return nil, fault.New(fault.PrintTemplateNotFound)
	}
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, err
	}
	drafted := policy.View(view.Principal(), a.Now(), a.cfg.Zone)
	return a.Prints().Lay(ctx, drafted, printing.Request{PrintRequest: query.PrintRequest{SchemaCode: t.Model.Code, ObjectIDs: []string{record}}, Template: t.Code, Draft: true, Address: address})
}

// KeepPrint keeps what the caller has made of a template; an empty text forgets it.
func (a *App) KeepPrint(ctx context.Context, view *authz.View, in PrintDraft) error {
	d, err := a.draftDesk(ctx, view, &editedPrint, Draft(in))
	if err != nil {
		return err
	}
	if in.Text == "" {
		return d.dropDraft()
	}
	if err := a.mayShow(d, in.Text); err != nil {
		return err
	}
	return d.keepDraft(Draft(in))
}

// PublishPrint publishes a draft. Data of a refusal for a conflict names who changed the document.
func (a *App) PublishPrint(ctx context.Context, view *authz.View, in PrintDraft) (*DesignDocument, error) {
	d, err := a.draftDesk(ctx, view, &editedPrint, Draft(in))
	if err != nil {
		return nil, err
	}
	return d.publish(Draft(in), d.forget)
}

// PrintHistory lists the versions of a template, the newest first.
func (a *App) PrintHistory(ctx context.Context, view *authz.View, application, code string) ([]AppVersion, error) {
	d, err := a.savedDesk(ctx, view, &editedPrint, application, code)
	if err != nil {
		return nil, err
	}
	return d.history()
}

// PrintVersion is the document of a template as a version published it; 0 = the pack's own.
func (a *App) PrintVersion(ctx context.Context, view *authz.View, application, code string, version int64) (string, error) {
	d, err := a.savedDesk(ctx, view, &editedPrint, application, code)
	if err != nil {
		return "", err
	}
	return d.version(version)
}
