package app

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/overlay"
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
	External   bool       `json:"external"` // for another program: it has no pages
}

// PrintDesign is what the designer of a print template needs: its document and what it chooses from (api.yaml PrintDesign).
type PrintDesign struct {
	App      string         `json:"appCode"`
	AppLabel plan.Label     `json:"appLabel"`
	Code     string         `json:"printCode"` // "" = of a new one
	Text     string         `json:"text"`      // the document in its canonical form
	Seen     string         `json:"seen"`      // digest that its publication has to name
	Version  int64          `json:"version"`   // that published it; 0 = it is the pack's own
	Models   []DesignChoice `json:"models"`
	Prints   []DesignChoice `json:"prints"`   // whose codes are taken
	Pictures []string       `json:"pictures"` // files beside the templates
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

// PrintDraft is a document on its way to publication.
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
}

// PrintPublished is a template that was published.
type PrintPublished struct {
	Version int64  `json:"version"`
	Seen    string `json:"seen"`
	Text    string `json:"text"`
}

// DesignedPrints lists the print templates of an application.
func (a *App) DesignedPrints(view *authz.View, code string) ([]DesignedPrint, error) {
	x, err := a.designing(view, code)
	if err != nil {
		return nil, err
	}
	out := []DesignedPrint{}
	for _, p := range printsOf(view.Catalog) {
		if strings.EqualFold(p.Pack, x.Pack) {
			out = append(out, DesignedPrint{Code: p.Code, Label: p.Label, Model: p.Model.Code, ModelLabel: p.Model.Label, Pages: len(p.Pages), External: p.External != nil})
		}
	}
	return out, nil
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
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	f := d.folder(x.Pack)
	if f == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	out := &PrintDesign{App: x.Code, AppLabel: x.Label, Code: code, Models: []DesignChoice{}, Prints: []DesignChoice{}, Pictures: []string{}}
	if code != "" {
		p, err := ownPrint(view, x, code)
		if err != nil {
			return nil, err
		}
		out.Code = p.Code
		if err := out.read(d, f); err != nil {
			return nil, err
		}
	}
	whole := a.MayAdminister(view, "")
	for _, m := range view.Catalog.Models {
		if own := strings.EqualFold(m.Pack, x.Pack); m.Parent == nil && (own || whole) {
			out.Models = append(out.Models, DesignChoice{Code: m.Code, Label: m.Label, Own: own})
		}
	}
	for _, p := range printsOf(view.Catalog) {
		if own := strings.EqualFold(p.Pack, x.Pack); own || whole {
			out.Prints = append(out.Prints, DesignChoice{Code: p.Code, Label: p.Label, Own: own, Model: p.Model.Code})
		}
	}
	files, err := fs.ReadDir(f.FS, "prints")
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

// ownPrint is a template of an application.
func ownPrint(view *authz.View, x *catalog.App, code string) (*catalog.Print, error) {
	p := view.Catalog.Print(code)
	if p == nil || !strings.EqualFold(p.Pack, x.Pack) {
		return nil, fault.New(fault.PrintTemplateNotFound)
	}
	return p, nil
}

// printFile is where the document of a template is.
func printFile(code string) string { return "prints/" + code + ".json" }

// read fills in the document.
func (out *PrintDesign) read(d *desk, f *Folder) error {
	file := printFile(out.Code)
	text, err := overlay.Text(f.FS, file)
	if err != nil {
		return err
	}
	if text == nil {
		return fault.New(fault.PrintTemplateNotFound)
	}
	out.Seen = DigestOf(text)
	if out.Text, err = d.canonical(file, *text); err != nil {
		return err
	}
	by, err := publish.Last(d.ctx, d.app.db, f.Code, file)
	if by != nil {
		out.Version = by.Version
	}
	return err
}

// PrintModel reads what a template of a model may name.
func (a *App) PrintModel(view *authz.View, application, code string) (*PrintModel, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	m := view.Catalog.Model(code)
	if m == nil || !strings.EqualFold(m.Pack, x.Pack) && !a.MayAdminister(view, "") {
		return nil, fault.New(fault.ModelNotFound, code)
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
	if of, ok := f.Property.(property.Aggregator); ok {
		for _, sum := range of.Aggregates() {
			p.Sums = append(p.Sums, string(sum))
		}
	}
	return p
}

// printDesk opens a desk for a draft and refuses what the caller may not write. A new template needs a code that none has.
func (a *App) printDesk(ctx context.Context, view *authz.View, in *PrintDraft) (*desk, *Folder, error) {
	x, err := a.designing(view, in.App)
	if err != nil {
		return nil, nil, err
	}
	if len(in.Text) > overlay.MaxText {
		return nil, nil, fault.New(fault.BadParameter, "text")
	}
	if in.New {
		if view.Catalog.Print(in.Code) != nil {
			return nil, nil, fault.New(fault.AppCodeTaken, in.Code)
		}
		err = newCode(in.Code)
	} else {
		var served *catalog.Print
		if served, err = ownPrint(view, x, in.Code); err == nil {
			in.Code = served.Code
		}
	}
	if err != nil {
		return nil, nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, nil, err
	}
	f := d.folder(x.Pack)
	if f == nil {
		return nil, nil, fault.New(fault.AppNotFound)
	}
	return d, f, nil
}

// CheckPrint compiles a draft with the other documents as they are now, and changes nothing. With the id of a record it lays that out, as the
// caller would print it.
func (a *App) CheckPrint(ctx context.Context, view *authz.View, in PrintDraft, record, address string) (*PrintCheck, error) {
	d, f, err := a.printDesk(ctx, view, &in)
	if err != nil {
		return nil, err
	}
	file := printFile(in.Code)
	now, err := overlay.Text(f.FS, file)
	if err != nil {
		return nil, err
	}
	out := &PrintCheck{DesignCheck: DesignCheck{Seen: DigestOf(now)}}
	if out.Seen != in.Seen {
		if out.ChangedBy, err = d.lastAuthor(f.Code, file); err != nil {
			return nil, err
		}
	}
	c, list, err := d.compiledWith(f, file, in.Text)
	if err != nil {
		return nil, err
	}
	out.Diagnostics = d.told(list, f, file, a.MayAdminister(view, ""))
	if c == nil || record == "" {
		return out, nil
	}
	out.Printout, err = a.proof(ctx, view, c, in.Code, record, address)
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

// PublishPrint publishes a draft. Data of a refusal for a conflict names who changed the document.
func (a *App) PublishPrint(ctx context.Context, view *authz.View, in PrintDraft) (*PrintPublished, error) {
	d, f, err := a.printDesk(ctx, view, &in)
	if err != nil {
		return nil, err
	}
	file := printFile(in.Code)
	node, err := edit.Parse(in.Text)
	if err != nil {
		return nil, fault.New(fault.BadParameter, "text")
	}
	whole := a.MayAdminister(view, "")
	if m := view.Catalog.Model(node.Get("schemaCode").Text()); m != nil && !strings.EqualFold(m.Pack, f.Code) && !whole {
		return nil, fault.New(fault.WorkflowReach, m.Code)
	}
	now, err := overlay.Text(f.FS, file)
	if err != nil {
		return nil, err
	}
	kind, _ := a.kindOf(file)
	text, err := node.JSON(d.layout.Layout(kind))
	if err != nil {
		return nil, err
	}
	out := &PrintPublished{Version: a.State().Catalog.Version, Text: text, Seen: DigestOf(&text)}
	if in.Seen == out.Seen && DigestOf(now) == out.Seen {
		return out, nil // as it is
	}
	d.set.Files = []Change{{Pack: f.Code, Path: file, Text: &text, Seen: in.Seen}}
	what := f.Code + "/" + in.Code
	d.set.Note = plan.Label{Zh: "设计打印模板 " + what, I18n: en("design print template " + what)}.In(view.Principal().Locale)
	p, err := a.publish(ctx, view, d.set, Confirmation{})
	if err != nil {
		return nil, d.refusal(err, f, file, whole)
	}
	out.Version = p.Version
	return out, nil
}

// PrintHistory lists the versions of a template, the newest first.
func (a *App) PrintHistory(ctx context.Context, view *authz.View, application, code string) ([]AppVersion, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	p, err := ownPrint(view, x, code)
	if err != nil {
		return nil, err
	}
	sets, err := publish.Versions(ctx, a.db, p.Pack, printFile(p.Code), historyOf)
	if err != nil {
		return nil, err
	}
	out := []AppVersion{}
	for _, s := range sets {
		one := AppVersion{Changeset: s}
		if p, ok := a.people.Person(ctx, s.Author); ok {
			one.Name = p.Name
		}
		out = append(out, one)
	}
	return out, nil
}

// PrintVersion is the document of a template as a version published it; 0 = the pack's own.
func (a *App) PrintVersion(ctx context.Context, view *authz.View, application, code string, version int64) (string, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return "", err
	}
	p, err := ownPrint(view, x, code)
	if err != nil {
		return "", err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return "", err
	}
	f, file := d.folder(x.Pack), printFile(p.Code)
	var text *string
	if version == 0 {
		text, err = overlay.Text(f.Base, file)
	} else {
		text, _, err = publish.Text(ctx, a.db, f.Code, file, version)
	}
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", fault.New(fault.DocumentNotFound)
	}
	return d.canonical(file, *text)
}
