package app

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
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
	Begun      bool       `json:"begun"`     // it was never published: there are drafts of it only
	LastDraft
}

// Design is what the editor of a workflow needs: its document and what it chooses from (api.yaml WorkflowDesign).
type Design struct {
	App      string     `json:"appCode"`
	AppLabel plan.Label `json:"appLabel"`
	Code     string     `json:"workflowCode"` // "" = of a new one
	DesignDocument
	Drafts    []DesignDraftKept `json:"drafts"` // of it; without a code those of new ones
	Running   int64             `json:"running"`
	Whole     bool              `json:"whole"` // what reaches other applications may be changed too
	Models    []DesignChoice    `json:"models"`
	Roles     []DesignChoice    `json:"roles"`
	Workflows []DesignChoice    `json:"workflows"`
	Services  []string          `json:"services"`
	Rules     []string          `json:"rules"`
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
	Named  string `json:"named,omitempty"` // how the search names it (query.Entry)
}

// DesignDraft is a workflow on its way to publication.
type DesignDraft struct {
	App  string `json:"appCode"`
	Code string `json:"workflowCode"`
	New  bool   `json:"new"` // no workflow has the code yet
	Text string `json:"text"`
	Seen string `json:"seen"`
}

// DesignPublished is a workflow that was published.
type DesignPublished struct {
	DesignDocument
	Running int64 `json:"running"` // instances that stay on the version before
}

// editedWorkflow is the kind of documents that the editor of workflows changes.
var editedWorkflow = editedKind{kind: catalog.KindWorkflow, missing: fault.WorkflowNotFound, note: plan.Label{Zh: "设计流程", I18n: en("design workflow")}, inside: workflowInside}

// DesignedWorkflows lists the workflows of an application, and those that have been begun, with the last draft of each.
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
	err = a.lastDrafts(ctx, view, x.Pack, workflowFolder, func(code, text string, last LastDraft) {
		at := slices.IndexFunc(out, func(o DesignedWorkflow) bool { return strings.EqualFold(o.Code, code) })
		if at < 0 {
			if view.Catalog.Workflow(code) != nil {
				return // of another application by now
			}
			label, m := begun(view.Catalog, code, text)
			at, out = len(out), append(out, DesignedWorkflow{Code: code, Label: label, Model: m.Code, ModelLabel: m.Label, Begun: true})
		}
		out[at].LastDraft = last
	})
	return out, err
}

// workflowFolder has the workflows of a pack.
const workflowFolder = "workflows"

// WorkflowDesign reads a workflow for its editor; without a code what a new one chooses from.
func (a *App) WorkflowDesign(ctx context.Context, view *authz.View, application, code string) (*Design, error) {
	d, err := a.documentDesk(ctx, view, &editedWorkflow, application, code)
	if err != nil {
		return nil, err
	}
	out := &Design{App: d.served.Code, AppLabel: d.served.Label, Code: d.code, Whole: d.whole, Models: d.models(), Roles: []DesignChoice{}, Workflows: []DesignChoice{},
		Services: append([]string{}, a.cfg.Set.Services.Names()...), Rules: append([]string{}, a.cfg.Set.Rules.Names()...)}
	slices.Sort(out.Services)
	slices.Sort(out.Rules)
	if out.DesignDocument, err = d.read(); err != nil {
		return nil, err
	}
	if out.Drafts, err = d.drafts(); err != nil {
		return nil, err
	}
	if d.code != "" {
		running, err := a.flows.Running(ctx, d.code)
		if err != nil {
			return nil, err
		}
		out.Running = running[d.code]
	}
	for _, r := range view.Catalog.Roles {
		out.Roles = append(out.Roles, DesignChoice{Code: r.Code, Label: r.Label})
	}
	for _, w := range view.Catalog.Workflows() {
		if own := d.own(w.Pack); own || d.whole {
			out.Workflows = append(out.Workflows, DesignChoice{Code: w.Template.Code, Label: w.Label, Own: own, Model: w.Model.Code})
		}
	}
	return out, nil
}

// DesignModel reads what a workflow of a model, or one that starts a workflow of it, may name.
func (a *App) DesignModel(view *authz.View, application, code string) (*DesignModel, error) {
	_, m, err := a.designedModel(view, application, code)
	if err != nil {
		return nil, err
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
	found, _ := a.people.Search(ctx, directory.Wanted{Kind: kind, Text: search, Keys: query.PeopleKeys(view), Limit: mostDesignPeople})
	if len(ids) > 0 {
		found = a.people.Some(ctx, kind, ids)
	}
	out := []DesignPerson{}
	for _, f := range found {
		out = append(out, DesignPerson{f.ID, f.Name, f.Detail, string(f.Named)})
	}
	return out, nil
}

// CheckDesign compiles a draft with the other documents as they are now, and changes nothing.
func (a *App) CheckDesign(ctx context.Context, view *authz.View, in DesignDraft) (*DesignCheck, error) {
	d, err := a.draftDesk(ctx, view, &editedWorkflow, Draft(in))
	if err != nil {
		return nil, err
	}
	out, _, err := d.check(Draft(in))
	return out, err
}

// KeepDesign keeps what the caller has made of a workflow; an empty text forgets it.
func (a *App) KeepDesign(ctx context.Context, view *authz.View, in DesignDraft) error {
	return a.keepDesignDraft(ctx, view, &editedWorkflow, Draft(in))
}

// PublishDesign publishes a draft. Data of a refusal for a conflict names who changed the document.
func (a *App) PublishDesign(ctx context.Context, view *authz.View, in DesignDraft) (*DesignPublished, error) {
	d, err := a.draftDesk(ctx, view, &editedWorkflow, Draft(in))
	if err != nil {
		return nil, err
	}
	running, err := a.flows.Running(ctx, d.code)
	if err != nil {
		return nil, err
	}
	published, err := d.publish(Draft(in), d.forget)
	if err != nil {
		return nil, err
	}
	return &DesignPublished{DesignDocument: *published, Running: running[d.code]}, nil
}

// workflowInside refuses models of other packs, and new or changed services, hooks and sub-workflows of other packs. What is in the document already may stay.
func workflowInside(c *catalog.Catalog, pack string, old, now *edit.Node) error {
	if err := modelInside(c, pack, nil, now); err != nil {
		return err
	}
	refuse := func(what string) error { return fault.New(fault.WorkflowReach, what) }
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
