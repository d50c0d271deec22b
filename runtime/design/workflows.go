package design

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
	Begun      bool       `json:"begun"`     // it was never published: there is a draft of it only
	State
}

// WorkflowChoices is what the document of a workflow may name (api.yaml WorkflowChoices).
type WorkflowChoices struct {
	App       string     `json:"appCode"`
	AppLabel  plan.Label `json:"appLabel"`
	Running   int64      `json:"running"` // instances of it
	Models    []Choice   `json:"models"`
	Roles     []Choice   `json:"roles"`
	Workflows []Choice   `json:"workflows"`
	Services  []string   `json:"services"`
	Rules     []string   `json:"rules"`
}

// WorkflowModel are the properties and forms of a model (api.yaml WorkflowDesignModel).
type WorkflowModel struct {
	Code       string             `json:"schemaCode"`
	Label      plan.Label         `json:"label"`
	Forms      []Choice           `json:"forms"`
	Properties []WorkflowProperty `json:"properties"` // columns of sub-tables behind theirs, as sheet.column
}

// WorkflowProperty is a property of a model as an editor offers it.
type WorkflowProperty struct {
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

// Party is a person or a department that a document names by its id.
type Party struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Detail string `json:"detail"`
	Named  string `json:"named,omitempty"` // how the search names it (query.Entry)
}

func workflowKind() *Kind {
	return &Kind{Of: catalog.KindWorkflow, Missing: fault.WorkflowNotFound, Inside: workflowInside,
		Note: plan.Label{Zh: "设计流程", I18n: map[string]string{"en": "design workflow"}}}
}

// DesignedWorkflows lists the workflows of an application, and those that have been begun.
func (s *Service) DesignedWorkflows(ctx context.Context, view *authz.View, application string) ([]DesignedWorkflow, error) {
	x, err := s.designing(view, application)
	if err != nil {
		return nil, err
	}
	running, err := s.Flows.Running(ctx)
	if err != nil {
		return nil, err
	}
	k, err := s.kind(catalog.KindWorkflow)
	if err != nil {
		return nil, err
	}
	states, begun, err := s.states(ctx, view, k, x.Pack)
	if err != nil {
		return nil, err
	}
	out := []DesignedWorkflow{}
	for _, w := range view.Catalog.Workflows() {
		if !strings.EqualFold(w.Pack, x.Pack) {
			continue
		}
		one := DesignedWorkflow{Code: w.Template.Code, Label: w.Label, Model: w.Model.Code, ModelLabel: w.Model.Label,
			Published: w.Published, Running: running[w.Template.Code], State: states[strings.ToLower(w.Template.Code)]}
		for _, n := range w.Template.Nodes {
			if n.Type == flow.Fill || n.Type == flow.Approve || n.Type == flow.Circulate {
				one.Steps++
			}
		}
		out = append(out, one)
	}
	for _, b := range begun {
		one := DesignedWorkflow{Code: b.Code, Label: b.Label, Model: b.Model, Begun: true, State: b.State}
		if m := view.Catalog.Model(b.Model); m != nil {
			one.ModelLabel = m.Label
		}
		out = append(out, one)
	}
	return out, nil
}

// WorkflowChoices reads what a workflow of an application may name; with a code, how many instances of it run, too.
func (s *Service) WorkflowChoices(ctx context.Context, view *authz.View, application, code string) (*WorkflowChoices, error) {
	x, err := s.designing(view, application)
	if err != nil {
		return nil, err
	}
	in := scope{view: view, app: x, whole: s.Host.Administers(view, "")}
	out := &WorkflowChoices{App: x.Code, AppLabel: x.Label, Models: in.models(), Roles: []Choice{}, Workflows: []Choice{},
		Services: append([]string{}, s.Set.Services.Names()...), Rules: append([]string{}, s.Set.Rules.Names()...)}
	slices.Sort(out.Services)
	slices.Sort(out.Rules)
	if w := view.Catalog.Workflow(code); w != nil && in.own(w.Pack) {
		running, err := s.Flows.Running(ctx, w.Template.Code)
		if err != nil {
			return nil, err
		}
		out.Running = running[w.Template.Code]
	}
	for _, r := range view.Catalog.Roles {
		out.Roles = append(out.Roles, Choice{Code: r.Code, Label: r.Label})
	}
	for _, w := range view.Catalog.Workflows() {
		if own := in.own(w.Pack); own || in.whole {
			out.Workflows = append(out.Workflows, Choice{Code: w.Template.Code, Label: w.Label, Own: own, Model: w.Model.Code})
		}
	}
	return out, nil
}

// WorkflowModel reads what a workflow of a model, or one that starts a workflow of it, may name.
func (s *Service) WorkflowModel(view *authz.View, application, code string) (*WorkflowModel, error) {
	_, m, err := s.designedModel(view, application, code)
	if err != nil {
		return nil, err
	}
	out := &WorkflowModel{Code: m.Code, Label: m.Label, Forms: []Choice{}, Properties: []WorkflowProperty{}}
	for _, f := range view.Catalog.FormsOf(m.Code) {
		out.Forms = append(out.Forms, Choice{Code: f.Code, Label: f.Label, Own: !f.Generated})
	}
	for _, f := range m.Fields {
		out.Properties = append(out.Properties, workflowProperty("", f))
		if f.Sheet == nil {
			continue
		}
		for _, column := range f.Sheet.Fields {
			if !column.System {
				out.Properties = append(out.Properties, workflowProperty(f.Code+".", column))
			}
		}
	}
	return out, nil
}

func workflowProperty(before string, f *catalog.Field) WorkflowProperty {
	_, keeps := f.Property.(property.OpinionKeeper)
	p := WorkflowProperty{Code: before + f.Code, Label: f.Label, Type: f.Type.Name(), Required: f.Required, System: f.System,
		Computed: f.Compute != nil, Sheet: f.Sheet != nil && !keeps, Opinions: keeps,
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

// mostParties bounds the people or departments of one answer.
const mostParties = 50

// Parties searches people or departments that a workflow may name; with ids it answers those.
func (s *Service) Parties(ctx context.Context, view *authz.View, application, kind, search string, ids []string) ([]Party, error) {
	if _, err := s.designing(view, application); err != nil {
		return nil, err
	}
	if kind != directory.User && kind != directory.Department {
		return nil, fault.New(fault.BadParameter, "kind")
	}
	if len(ids) > 4*mostParties {
		return nil, fault.New(fault.BadParameter, "ids")
	}
	found, _ := s.People.Search(ctx, directory.Wanted{Kind: kind, Text: search, Keys: query.PeopleKeys(view), Limit: mostParties})
	if len(ids) > 0 {
		found = s.People.Some(ctx, kind, ids)
	}
	out := []Party{}
	for _, f := range found {
		out = append(out, Party{f.ID, f.Name, f.Detail, string(f.Named)})
	}
	return out, nil
}

// workflowInside refuses models of other packs, and new or changed services, hooks and sub-workflows of other packs. What is in the
// document already stays.
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
