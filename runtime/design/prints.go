package design

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
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing"
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
	Published  bool       `json:"published"` // false: it has been begun, and there is a draft only
	State
}

// PrintChoices is what the document of a print template may name (api.yaml PrintChoices).
type PrintChoices struct {
	App      string     `json:"appCode"`
	AppLabel plan.Label `json:"appLabel"`
	Models   []Choice   `json:"models"`
	Prints   []Choice   `json:"prints"`   // whose codes are taken
	Pictures []string   `json:"pictures"` // files beside the templates
	Roles    []Choice   `json:"roles"`    // that a template may be for
}

// PrintModel is what a template of a model may show (api.yaml PrintModel).
type PrintModel struct {
	Code       string          `json:"schemaCode"`
	Label      plan.Label      `json:"label"`
	Forms      []PrintForm     `json:"forms"`
	Properties []PrintProperty `json:"properties"` // columns of sub-tables behind theirs, as sheet.column; last those of related records
	Nodes      []PrintNode     `json:"nodes"`      // of its workflows, where people act
	Workflows  []Choice        `json:"workflows"`
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

// PrintDrawn is how a record looks with a draft.
type PrintDrawn struct {
	Printout *printing.Printout // nil: none was asked for, or Refused says why there is none
	Refused  *fault.Error
	// NoAddress: the draft has codes of addresses, and the installation does not know its own: what programs print lacks them.
	NoAddress bool
}

func printKind(s *Service) *Kind {
	return &Kind{Of: catalog.KindPrint, Missing: fault.PrintTemplateNotFound, Inside: modelInside, Gone: fault.PrintPictureGone,
		Draw: s.drawPrint,
		Note: plan.Label{Zh: "设计打印模板", I18n: map[string]string{"en": "design print template"}}}
}

// modelInside refuses a document of a model of another pack.
func modelInside(c *catalog.Catalog, pack string, _, now *edit.Node) error {
	if m := c.Model(now.Get("schemaCode").Text()); m != nil && !strings.EqualFold(m.Pack, pack) {
		return fault.New(fault.WorkflowReach, m.Code)
	}
	return nil
}

// DesignedPrints lists the print templates of an application, and those that have been begun.
func (s *Service) DesignedPrints(ctx context.Context, view *authz.View, application string) ([]DesignedPrint, error) {
	x, err := s.designing(view, application)
	if err != nil {
		return nil, err
	}
	k, err := s.kind(catalog.KindPrint)
	if err != nil {
		return nil, err
	}
	states, begun, err := s.states(ctx, view, k, x.Pack)
	if err != nil {
		return nil, err
	}
	out := []DesignedPrint{}
	for _, p := range view.Catalog.Prints() {
		if strings.EqualFold(p.Pack, x.Pack) {
			out = append(out, DesignedPrint{Code: p.Code, Label: p.Label, Model: p.Model.Code, ModelLabel: p.Model.Label,
				Pages: len(p.Pages), External: p.External != nil, Published: true, State: states[strings.ToLower(p.Code)]})
		}
	}
	for _, b := range begun {
		one := DesignedPrint{Code: b.Code, Label: b.Label, Model: b.Model, State: b.State}
		if m := view.Catalog.Model(b.Model); m != nil {
			one.ModelLabel = m.Label
		}
		out = append(out, one)
	}
	return out, nil
}

// PrintChoices reads what a template of an application may name.
func (s *Service) PrintChoices(ctx context.Context, view *authz.View, application string) (*PrintChoices, error) {
	x, err := s.designing(view, application)
	if err != nil {
		return nil, err
	}
	in := scope{view: view, app: x, whole: s.Host.Administers(view, "")}
	out := &PrintChoices{App: x.Code, AppLabel: x.Label, Models: in.models(), Prints: []Choice{}, Roles: []Choice{}}
	for _, p := range view.Catalog.Prints() {
		if own := in.own(p.Pack); own || in.whole {
			out.Prints = append(out.Prints, Choice{Code: p.Code, Label: p.Label, Own: own, Model: p.Model.Code})
		}
	}
	for _, r := range view.Catalog.Roles {
		out.Roles = append(out.Roles, Choice{Code: r.Code, Label: r.Label, Own: in.own(r.Pack)})
	}
	p, err := s.Host.Pack(ctx, x.Pack)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	k, err := s.kind(catalog.KindPrint)
	if err != nil {
		return nil, err
	}
	out.Pictures, err = filesBeside(p, s.folder(k), func(name string) bool {
		return slices.Contains([]string{".png", ".jpg", ".jpeg"}, path.Ext(name))
	})
	return out, err
}

// filesBeside are the names of files of a folder of a pack.
func filesBeside(p *Pack, folder string, wanted func(name string) bool) ([]string, error) {
	out := []string{}
	files, err := fs.ReadDir(p.FS, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, one := range files {
		if wanted(one.Name()) {
			out = append(out, one.Name())
		}
	}
	return out, nil
}

// PrintModel reads what a template of a model may name.
func (s *Service) PrintModel(view *authz.View, application, code string) (*PrintModel, error) {
	x, m, err := s.designedModel(view, application, code)
	if err != nil {
		return nil, err
	}
	out := &PrintModel{Code: m.Code, Label: m.Label, Forms: []PrintForm{}, Properties: propertiesOf(m),
		Nodes: []PrintNode{}, Workflows: []Choice{}, Lists: []PrintList{}}
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
		own := strings.EqualFold(w.Pack, x.Pack)
		out.Workflows = append(out.Workflows, Choice{Code: w.Template.Code, Label: w.Label, Own: own, Model: m.Code})
		for _, n := range w.Template.Nodes {
			if of := w.Nodes[n.ID]; of != nil && (n.Type == flow.Start || n.Type == flow.Fill || n.Type == flow.Approve) {
				out.Nodes = append(out.Nodes, PrintNode{Code: n.ID, Label: of.Label, Workflow: w.Template.Code})
			}
		}
	}
	for _, l := range view.Catalog.Lists {
		for _, f := range l.Model.Fields {
			if f.Target == m && !f.Multiple && !f.System && (strings.EqualFold(l.Model.Pack, x.Pack) || s.Host.Administers(view, "")) {
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
	return plan.Label{Zh: a.Zh + " · " + b.Zh, I18n: map[string]string{"en": a.In("en") + " · " + b.In("en")}}
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
	p := PrintProperty{Code: before + f.Code, Label: f.Label, Type: f.Type.Name(), System: f.System,
		Sheet: f.Sheet != nil && !keeps, Opinions: keeps, Files: files,
		Person: f.Target != nil && f.Target.Code == "user", Number: f.Sheet == nil && f.Property.Kind() == plan.Number,
		Formats: []string{}, Sums: []string{}}
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

// drawPrint lays a record out with a draft, as the caller would print it.
func (s *Service) drawPrint(ctx context.Context, d *Desk, c *catalog.Catalog, in Proof) (any, error) {
	out := &PrintDrawn{}
	if c != nil && s.Address == "" {
		t := c.Print(d.code)
		out.NoAddress = t != nil && printing.Leads(t)
	}
	if c == nil || in.Record == "" {
		return out, nil
	}
	var err error
	out.Printout, err = s.proof(ctx, d.view, c, d.code, in)
	var refused *fault.Error
	if errors.As(err, &refused) && fault.Of(err) != fault.Internal {
		out.Refused, err = refused, nil
	}
	return out, err
}

// proof lays a record out with a template of a catalog that is not served, and keeps nothing of it. Rights are those of that catalog, which
// differs in the template alone.
func (s *Service) proof(ctx context.Context, view *authz.View, c *catalog.Catalog, code string, in Proof) (*printing.Printout, error) {
	t := c.Print(code)
	if t == nil {
		return nil, fault.New(fault.PrintTemplateNotFound)
	}
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, err
	}
	drafted := policy.View(view.Principal(), s.now(), s.Zone)
	of := query.PrintRequest{SchemaCode: t.Model.Code, ObjectIDs: []string{in.Record}}
	return s.Prints.Lay(ctx, drafted, printing.Request{PrintRequest: of, Template: t.Code, Draft: true, Address: in.Address})
}
