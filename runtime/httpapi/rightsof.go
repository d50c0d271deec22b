package httpapi

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	rights "github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// roleOut is a role on the page of rights.
type roleOut struct {
	Code        string     `json:"code"`
	Label       plan.Label `json:"label"`
	Pack        string     `json:"pack"`
	Path        string     `json:"path"`
	Includes    []string   `json:"includes"`
	Permissions []string   `json:"permissions"`
	Apps        []string   `json:"apps"`
	People      int        `json:"people"`
	Models      int        `json:"models"` // that its own grants speak of
}

func (s *Server) rightsRoles(r *request) (any, error) {
	if err := looksAfter(r); err != nil {
		return nil, err
	}
	held := map[string]int{}
	for _, p := range s.app.People().People(r.ctx) {
		for _, code := range p.Roles {
			if !p.Disabled {
				held[strings.ToLower(code)]++
			}
		}
	}
	out := []roleOut{}
	for _, role := range r.state.Catalog.Roles {
		out = append(out, roleOut{Code: role.Code, Label: role.Label, Pack: role.Pack, Path: "access/" + role.Code + ".json", Includes: listOf(role.Includes),
			Permissions: listOf(role.Permissions), Apps: listOf(role.Apps), People: held[strings.ToLower(role.Code)], Models: len(role.Grants)})
	}
	return out, nil
}

func listOf(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// modelOut is a model with what roles can be given of it.
type modelOut struct {
	Code    string     `json:"code"`
	Label   plan.Label `json:"label"`
	Pack    string     `json:"pack"`
	Actions []string   `json:"actions"`
	Fields  []fieldOut `json:"fields"`
}

type fieldOut struct {
	Code  string     `json:"code"` // "rate", or "items.rate"
	Label plan.Label `json:"label"`
}

func (s *Server) rightsModels(r *request) (any, error) {
	if err := looksAfter(r); err != nil {
		return nil, err
	}
	models := []modelOut{}
	for _, m := range r.state.Catalog.Models {
		out := modelOut{Code: m.Code, Label: m.Label, Pack: m.Pack, Actions: r.view.ActionsOn(m), Fields: []fieldOut{}}
		for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range part.Fields {
				if !f.System {
					out.Fields = append(out.Fields, fieldOut{strings.TrimPrefix(part.Code+"."+f.Code, m.Code+"."), f.Label})
				}
			}
		}
		models = append(models, out)
	}
	apps := []fieldOut{}
	for _, a := range r.state.Catalog.Apps {
		apps = append(apps, fieldOut{a.Code, a.Label})
	}
	words := []fieldOut{}
	for _, code := range slices.Sorted(maps.Keys(r.state.Catalog.Words)) {
		if w := r.state.Catalog.Words[code]; w.Grant && w.Label.Zh != "" {
			words = append(words, fieldOut{w.Code, w.Label})
		}
	}
	return map[string]any{"models": models, "apps": apps, "words": words}, nil
}

// explainRights says why somebody sees a record or not, and what they may do with it; without a record, with the model.
func (s *Server) explainRights(r *request) (any, error) {
	if err := looksAfter(r); err != nil {
		return nil, err
	}
	m := r.view.Model(r.QueryParam("schemaCode"))
	if m == nil || m.Parent != nil {
		return nil, fault.New(fault.ModelNotFound)
	}
	view, err := s.viewOf(r, r.QueryParam("userId"))
	if err != nil {
		return nil, err
	}
	id := r.QueryParam("objectId")
	var out *rights.Explanation
	err = s.app.Store().Read(r.ctx, func(ctx context.Context, tx *store.Tx) error {
		if id != "" { // nobody learns of records that they do not see themselves
			if _, err := s.app.Reader().Record(ctx, tx, r.view, m.Code, id); err != nil {
				return err
			}
		}
		out, err = rights.Explain(ctx, tx, view, m, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	who := view.Principal()
	roles := slices.Sorted(slices.Values(who.Roles))
	return map[string]any{"explanation": out, "roles": listOf(roles), "permissions": listOf(view.Permissions()), "maySeeAs": maySeeAs(r.view, who.UserID, who.Roles)}, nil
}

// peopleFound is how many people a search of the page of rights answers with.
const peopleFound = 20

// personOut is somebody to choose.
type personOut struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Detail string `json:"detail"`
	Named  string `json:"named,omitempty"` // how the search names them (query.Entry)
}

// rightsPeople searches people by name, its sound, username or employee number; with userId it answers that person.
func (s *Server) rightsPeople(r *request) (any, error) {
	if err := looksAfter(r); err != nil {
		return nil, err
	}
	d := s.app.People()
	found, _ := d.Search(r.ctx, directory.Wanted{Kind: directory.User, Text: r.QueryParam("search"), Keys: query.PeopleKeys(r.view), Limit: peopleFound})
	if id := r.QueryParam("userId"); id != "" {
		found = d.Some(r.ctx, directory.User, []string{id})
	}
	out := []personOut{}
	for _, f := range found {
		out = append(out, personOut{f.ID, f.Name, f.Detail, string(f.Named)})
	}
	return out, nil
}
