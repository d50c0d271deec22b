package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// DesignedWorkflow is a workflow in the list of an application's administrators (api.yaml DesignedWorkflow).
type DesignedWorkflow struct {
	Code       string     `json:"workflowCode"`
	Label      plan.Label `json:"label"`
	Model      string     `json:"schemaCode"`
	ModelLabel plan.Label `json:"modelLabel"`
	Published  bool       `json:"published"` // it can be started
	Steps      int        `json:"steps"`     // nodes where people have something to do
	Running    int64      `json:"running"`   // instances that have not ended
}

// Design is what the editor of a workflow needs: its document and what it chooses from (api.yaml WorkflowDesign).
type Design struct {
	App       string         `json:"appCode"`
	AppLabel  plan.Label     `json:"appLabel"`
	Code      string         `json:"workflowCode"` // "" = of a new one
	Text      string         `json:"text"`         // the document in its canonical form
	Seen      string         `json:"seen"`         // digest that its publication has to name
	Version   int64          `json:"version"`      // that published it; 0 = it is the pack's own
	Running   int64          `json:"running"`
	Whole     bool           `json:"whole"` // what reaches other applications may be changed too
	Models    []DesignChoice `json:"models"`
	Roles     []DesignChoice `json:"roles"`
	Workflows []DesignChoice `json:"workflows"`
	Services  []string       `json:"services"`
	Rules     []string       `json:"rules"`
}

// DesignChoice is something that a document of a workflow may name.
type DesignChoice struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	Own   bool       `json:"own"`             // it belongs to the application
	Model string     `json:"model,omitempty"` // of a workflow
}

// DesignModel are the properties and forms of a model (api.yaml DesignModel).
type DesignModel struct {
	Code       string           `json:"schemaCode"`
	Label      plan.Label       `json:"label"`
	Forms      []DesignChoice   `json:"forms"`
	Properties []DesignProperty `json:"properties"` // columns of sub-tables behind theirs, as sheet.column
}

// DesignProperty is a property of a model as an editor offers it.
type DesignProperty struct {
	Code       string     `json:"code"`
	Label      plan.Label `json:"label"`
	Type       string     `json:"propertyType"`
	Required   bool       `json:"required"`
	System     bool       `json:"system"`
	Computed   bool       `json:"computed"`
	Sheet      bool       `json:"sheet"`    // a sub-table
	Opinions   bool       `json:"opinions"` // it keeps what people say in workflows
	Target     string     `json:"target"`   // model of a relation
	Multiple   bool       `json:"multiple"` // a relation with several values
	Parties    string     `json:"parties"`  // who it may hold: "", "people", "departments", "both"
	Expression bool       `json:"expression"`
}

// DesignPerson is a person or a department that a document names by its id.
type DesignPerson struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Detail string `json:"detail"`
}

// DesignDraft is a document on its way to publication.
type DesignDraft struct {
	App  string `json:"appCode"`
	Code string `json:"workflowCode"`
	New  bool   `json:"new"` // no workflow has the code yet
	Text string `json:"text"`
	Seen string `json:"seen"`
}

// DesignCheck is what the compiler says to a draft.
type DesignCheck struct {
	Diagnostics diag.List `json:"diagnostics"` // of the draft, and errors of what refers to it
	Seen        string    `json:"seen"`        // digest of the document that is served now
	ChangedBy   string    `json:"changedBy"`   // who published that last, where it is not what the author began with
}

// DesignPublished is a workflow that was published.
type DesignPublished struct {
	Version int64  `json:"version"`
	Seen    string `json:"seen"`
	Text    string `json:"text"`
	Running int64  `json:"running"` // instances that stay on the version before
}

// DesignedWorkflows lists the workflows of an application.
func (a *App) DesignedWorkflows(ctx context.Context, view *authz.View, code string) ([]DesignedWorkflow, error) {
	x, err := a.designing(view, code)
	if err != nil {
		return nil, err
	}
	running, err := a.flows.Running(ctx)
	if err != nil {
		return nil, err
	}
	out := []DesignedWorkflow{}
	for _, w := range view.Catalog.Workflows() {
		if !strings.EqualFold(w.Pack, x.Pack) {
			continue
		}
		one := DesignedWorkflow{Code: w.Template.Code, Label: w.Label, Model: w.Model.Code, ModelLabel: w.Model.Label, Published: w.Published, Running: running[w.Template.Code]}
		for _, n := range w.Template.Nodes {
			if n.Type == flow.Fill || n.Type == flow.Approve || n.Type == flow.Circulate {
				one.Steps++
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// designing is the application whose workflows the caller may design.
func (a *App) designing(view *authz.View, code string) (*catalog.App, error) {
	x := view.Catalog.App(code)
	if err := a.administers(view, code); err != nil || code == "" {
		return nil, fault.New(fault.Forbidden)
	}
	if x == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	return x, nil
}

// WorkflowDesign reads a workflow for its editor; without a code what a new one chooses from.
func (a *App) WorkflowDesign(ctx context.Context, view *authz.View, application, code string) (*Design, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	out := &Design{App: x.Code, AppLabel: x.Label, Code: code, Whole: a.MayAdminister(view, ""), Models: []DesignChoice{}, Roles: []DesignChoice{}, Workflows: []DesignChoice{},
		Services: append([]string{}, a.cfg.Set.Services.Names()...), Rules: append([]string{}, a.cfg.Set.Rules.Names()...)}
	slices.Sort(out.Services)
	slices.Sort(out.Rules)
	if code != "" {
		w := view.Catalog.Workflow(code)
		if w == nil || !strings.EqualFold(w.Pack, x.Pack) {
			return nil, fault.New(fault.WorkflowNotFound)
		}
		out.Code = w.Template.Code
		if err := out.read(d, x.Pack); err != nil {
			return nil, err
		}
		running, err := a.flows.Running(ctx, out.Code)
		if err != nil {
			return nil, err
		}
		out.Running = running[out.Code]
	}
	for _, m := range view.Catalog.Models {
		if own := strings.EqualFold(m.Pack, x.Pack); m.Parent == nil && (own || out.Whole) {
			out.Models = append(out.Models, DesignChoice{Code: m.Code, Label: m.Label, Own: own})
		}
	}
	for _, r := range view.Catalog.Roles {
		out.Roles = append(out.Roles, DesignChoice{Code: r.Code, Label: r.Label})
	}
	for _, w := range view.Catalog.Workflows() {
		if own := strings.EqualFold(w.Pack, x.Pack); own || out.Whole {
			out.Workflows = append(out.Workflows, DesignChoice{Code: w.Template.Code, Label: w.Label, Own: own, Model: w.Model.Code})
		}
	}
	return out, nil
}

// workflowFile is where the document of a workflow is.
func workflowFile(code string) string { return "workflows/" + code + ".json" }

// read fills in the document.
func (out *Design) read(d *desk, pack string) error {
	f := d.folder(pack)
	if f == nil {
		return fault.New(fault.WorkflowNotFound)
	}
	file := workflowFile(out.Code)
	text, err := overlay.Text(f.FS, file)
	if err != nil {
		return err
	}
	if text == nil {
		return fault.New(fault.WorkflowNotFound)
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

// canonical is a text in the form of its kind.
func (d *desk) canonical(file, text string) (string, error) {
	node, err := edit.Parse(text)
	if err != nil {
		return "", err
	}
	kind, _ := d.app.kindOf(file)
	return node.JSON(d.layout.Layout(kind))
}

// DesignModel reads what a workflow of a model, or one that starts a workflow of it, may name.
func (a *App) DesignModel(view *authz.View, application, code string) (*DesignModel, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	m := view.Catalog.Model(code)
	if m == nil || !strings.EqualFold(m.Pack, x.Pack) && !a.MayAdminister(view, "") {
		return nil, fault.New(fault.ModelNotFound, code)
	}
	out := &DesignModel{Code: m.Code, Label: m.Label, Forms: []DesignChoice{}, Properties: []DesignProperty{}}
	for _, f := range view.Catalog.FormsOf(m.Code) {
		out.Forms = append(out.Forms, DesignChoice{Code: f.Code, Label: f.Label, Own: !f.Generated})
	}
	for _, f := range m.Fields {
		out.Properties = append(out.Properties, designProperty("", f))
		if f.Sheet == nil {
			continue
		}
		for _, column := range f.Sheet.Fields {
			if !column.System {
				out.Properties = append(out.Properties, designProperty(f.Code+".", column))
			}
		}
	}
	return out, nil
}

func designProperty(before string, f *catalog.Field) DesignProperty {
	_, keeps := f.Property.(property.OpinionKeeper)
	p := DesignProperty{Code: before + f.Code, Label: f.Label, Type: f.Type.Name(), Required: f.Required, System: f.System, Computed: f.Compute != nil, Sheet: f.Sheet != nil && !keeps, Opinions: keeps,
		Multiple: f.Multiple, Expression: f.Sheet == nil && f.Property.Kind() != plan.None}
	if f.Target != nil {
		p.Target = f.Target.Code
	}
	switch {
	case p.Type == "StaffDeptMix":
		p.Parties = "both"
	case strings.HasPrefix(p.Type, "Staff") || p.Target == "user":
		p.Parties = "people"
	case strings.HasPrefix(p.Type, "Dept") || p.Target == "department":
		p.Parties = "departments"
	}
	return p
}

// mostDesignPeople bounds the people or departments of one answer.
const mostDesignPeople = 50

// DesignPeople searches people or departments that a workflow may name; with ids it answers those.
func (a *App) DesignPeople(ctx context.Context, view *authz.View, application, kind, search string, ids []string) ([]DesignPerson, error) {
	if _, err := a.designing(view, application); err != nil {
		return nil, err
	}
	if kind != directory.User && kind != directory.Department {
		return nil, fault.New(fault.BadParameter, "kind")
	}
	if len(ids) > 4*mostDesignPeople {
		return nil, fault.New(fault.BadParameter, "ids")
	}
	found, _ := a.people.Search(ctx, kind, search, nil, nil, 0, mostDesignPeople)
	if len(ids) > 0 {
		found = a.people.Some(ctx, kind, ids)
	}
	out := []DesignPerson{}
	for _, f := range found {
		out = append(out, DesignPerson{f.ID, f.Name, f.Detail})
	}
	return out, nil
}

// CheckDesign compiles a draft with the other documents as they are now, and changes nothing.
func (a *App) CheckDesign(ctx context.Context, view *authz.View, in DesignDraft) (*DesignCheck, error) {
	x, err := a.designing(view, in.App)
	if err != nil {
		return nil, err
	}
	d, f, err := a.designDesk(ctx, view, x, &in)
	if err != nil {
		return nil, err
	}
	file := workflowFile(in.Code)
	now, err := overlay.Text(f.FS, file)
	if err != nil {
		return nil, err
	}
	out := &DesignCheck{Diagnostics: diag.List{}, Seen: DigestOf(now)}
	if out.Seen != in.Seen {
		if out.ChangedBy, err = d.lastAuthor(f.Code, file); err != nil {
			return nil, err
		}
	}
	_, list, err := d.compiledWith(f, file, in.Text)
	if err != nil {
		return nil, err
	}
	out.Diagnostics = d.told(list, f, file, a.MayAdminister(view, ""))
	return out, nil
}

// compiledWith compiles all documents with a text in place of a file; the catalog is nil when there are errors.
func (d *desk) compiledWith(f *Folder, file, text string) (*catalog.Catalog, diag.List, error) {
	with, err := d.app.cfg.WithPublished(d.ctx, d.app.db)
	if err != nil {
		return nil, nil, err
	}
	with.Held = maps.Clone(with.Held)
	if with.Held == nil {
		with.Held = map[string]map[string]*string{}
	}
	held := maps.Clone(with.Held[f.Code])
	if held == nil {
		held = map[string]*string{}
	}
	held[file], with.Held[f.Code] = &text, held
	return d.app.compiled(with)
}

// told are the diagnostics that the author of a file gets: those of the file, and errors of what refers to it. Files are named as packs name them.
func (d *desk) told(list diag.List, f *Folder, file string, whole bool) diag.List {
	out := diag.List{}
	for _, one := range list {
		at := one.File
		inside, own := strings.CutPrefix(at, path.Clean(f.Dir)+"/")
		switch {
		case own && inside == file:
			one.File = file
		case one.Severity != diag.Error:
			continue
		case own:
			one.File = f.Code + "/" + inside
		default:
			one.File = ""
			for _, other := range d.folders {
				if inside, ok := strings.CutPrefix(at, path.Clean(other.Dir)+"/"); whole && ok {
					one.File = other.Code + "/" + inside
				}
			}
		}
		out = append(out, one)
	}
	return out
}

// lastAuthor names who published a file last; "" = nobody, or the command line.
func (d *desk) lastAuthor(pack, file string) (string, error) {
	by, err := publish.Last(d.ctx, d.app.db, pack, file)
	if err != nil || by == nil {
		return "", err
	}
	p, _ := d.app.people.Person(d.ctx, by.Author)
	return p.Name, nil
}

// designDesk opens a desk for a draft and refuses what the caller may not write. A new workflow needs a code that none has.
func (a *App) designDesk(ctx context.Context, view *authz.View, x *catalog.App, in *DesignDraft) (*desk, *Folder, error) {
	if len(in.Text) > overlay.MaxText {
		return nil, nil, fault.New(fault.BadParameter, "text")
	}
	served := view.Catalog.Workflow(in.Code)
	switch {
	case in.New && served != nil:
		return nil, nil, fault.New(fault.AppCodeTaken, in.Code)
	case in.New:
		if err := newCode(in.Code); err != nil {
			return nil, nil, err
		}
	case served == nil || !strings.EqualFold(served.Pack, x.Pack):
		return nil, nil, fault.New(fault.WorkflowNotFound)
	default:
		in.Code = served.Template.Code
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

// PublishDesign publishes a draft. Data of a refusal for a conflict names who changed the document.
func (a *App) PublishDesign(ctx context.Context, view *authz.View, in DesignDraft) (*DesignPublished, error) {
	x, err := a.designing(view, in.App)
	if err != nil {
		return nil, err
	}
	d, f, err := a.designDesk(ctx, view, x, &in)
	if err != nil {
		return nil, err
	}
	file := workflowFile(in.Code)
	node, err := edit.Parse(in.Text)
	if err != nil {
		return nil, fault.New(fault.BadParameter, "text")
	}
	now, err := overlay.Text(f.FS, file)
	if err != nil {
		return nil, err
	}
	if !a.MayAdminister(view, "") {
		var old *edit.Node
		if now != nil {
			if old, err = edit.Parse(*now); err != nil {
				return nil, err
			}
		}
		if err := d.staysInside(view.Catalog, x.Pack, old, node); err != nil {
			return nil, err
		}
	}
	kind, _ := a.kindOf(file)
	text, err := node.JSON(d.layout.Layout(kind))
	if err != nil {
		return nil, err
	}
	out := &DesignPublished{Version: a.State().Catalog.Version, Text: text, Seen: DigestOf(&text)}
	running, err := a.flows.Running(ctx, in.Code)
	if err != nil {
		return nil, err
	}
	out.Running = running[in.Code]
	if in.Seen == out.Seen && DigestOf(now) == out.Seen {
		return out, nil // as it is
	}
	d.set.Files = []Change{{Pack: f.Code, Path: file, Text: &text, Seen: in.Seen}}
	what := f.Code + "/" + in.Code
	d.set.Note = plan.Label{Zh: "设计流程 " + what, I18n: en("design workflow " + what)}.In(view.Principal().Locale)
	p, err := a.publish(ctx, view, d.set, Confirmation{})
	if err != nil {
		return nil, d.refusal(err, f, file, a.MayAdminister(view, ""))
	}
	out.Version = p.Version
	return out, nil
}

// refusal gives a refused publication the data that its author may see.
func (d *desk) refusal(err error, f *Folder, file string, whole bool) error {
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return err
	}
	p, ok := refused.Data.(Publication)
	if !ok {
		return err
	}
	out := DesignCheck{Diagnostics: d.told(p.Diagnostics, f, file, whole)}
	if len(p.Conflicts) > 0 {
		out.Seen = p.Conflicts[0].Seen
		if out.ChangedBy, err = d.lastAuthor(f.Code, file); err != nil {
			return err
		}
	}
	return &fault.Error{Code: refused.Code, Args: refused.Args, Data: out, Err: refused.Err}
}

// staysInside refuses what reaches beyond an application, from those who administer only that: models of other packs, and new or changed
// services, hooks and sub-workflows of other packs. What is in the document already may stay.
func (d *desk) staysInside(c *catalog.Catalog, pack string, old, now *edit.Node) error {
	refuse := func(what string) error { return fault.New(fault.WorkflowReach, what) }
	if m := c.Model(now.Get("schemaCode").Text()); m != nil && !strings.EqualFold(m.Pack, pack) {
		return refuse(m.Code)
	}
	for _, hook := range now.Get("hooks").Items() {
		if !among(old.Get("hooks").Items(), hook) {
			return refuse("hooks")
		}
	}
	for _, n := range now.Get("nodes").Items() {
		if among(old.Get("nodes").Items(), n) {
			continue
		}
		id := cmp.Or(n.Get("id").Text(), "nodes")
		switch flow.NodeType(n.Get("type").Text()) {
		case flow.Service:
			return refuse(id)
		case flow.Sub:
			if w := c.Workflow(n.Get("workflowCode").Text()); w != nil && !strings.EqualFold(w.Pack, pack) {
				return refuse(id)
			}
		}
	}
	return nil
}

// among reports whether a list has an entry with the same content, wherever it leads.
func among(list []*edit.Node, one *edit.Node) bool {
	content := func(n *edit.Node) string {
		kept := &edit.Node{Kind: n.Kind}
		for _, m := range n.Members {
			if !slices.Contains([]string{"next", "name", "name_i18n", "description"}, m.Key) {
				kept.Members = append(kept.Members, m)
			}
		}
		text, _ := kept.JSON(bare{})
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return ""
		}
		sorted, _ := json.Marshal(v) // of what was just read it does not fail
		return string(sorted)
	}
	return slices.ContainsFunc(list, func(o *edit.Node) bool { return content(o) == content(one) })
}

// bare is the layout of documents whose form does not matter.
type bare struct{}

func (bare) Keys(*source.Node) []string { return nil }
func (bare) Short(*source.Node) string  { return "" }
