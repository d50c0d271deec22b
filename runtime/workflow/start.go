package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Startable is a workflow that somebody may start (api.yaml StartableWorkflow).
type Startable struct {
	Code     string            `json:"workflowCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	App      string            `json:"appCode"`
	Model    string            `json:"schemaCode"`
	Form     string            `json:"sheetCode"`
}

// StartGroup are the workflows of an application.
type StartGroup struct {
	App       string            `json:"appCode"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	Workflows []Startable       `json:"workflows"`
}

// StartList is what somebody may start (api.yaml StartableWorkflows).
type StartList struct {
	Groups []StartGroup `json:"groups"`
	Common []Startable  `json:"common"` // that the caller starts most often
	Recent []Startable  `json:"recent"` // that the caller started last
}

// mostCommon is how many workflows are offered as common or recent ones.
const mostCommon = 7

// StartList lists the workflows that the caller may start.
func (s *Service) StartList(ctx context.Context, view *authz.View) (*StartList, error) {
	out := &StartList{Groups: []StartGroup{}, Common: []Startable{}, Recent: []Startable{}}
	byCode := map[string]Startable{}
	place := map[string]int{}
	for _, w := range view.Catalog.Workflows() {
		if _, err := s.startable(view, w.Template.Code); err != nil || !view.Can(w.Model, "add") {
			continue
		}
		one := Startable{Code: w.Template.Code, Name: w.Label.Zh, NameI18n: i18n(w.Label), App: appOf(view.Catalog, w.Model), Model: w.Model.Code}
		if n := w.Nodes[w.Template.Start().ID]; n.Form != nil {
			one.Form = n.Form.Code
		}
		byCode[one.Code] = one
		at, known := place[one.App]
		if !known {
			group := StartGroup{App: one.App, NameI18n: map[string]string{}}
			if a := view.Catalog.App(one.App); a != nil {
				group.Name, group.NameI18n = a.Label.Zh, i18n(a.Label)
			}
			at = len(out.Groups)
			place[one.App] = at
			out.Groups = append(out.Groups, group)
		}
		out.Groups[at].Workflows = append(out.Groups[at].Workflows, one)
	}
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		for order, list := range map[string]*[]Startable{"COUNT(*) DESC, code": &out.Common, "MAX(started) DESC, code": &out.Recent} {
			var codes []string
			if err := tx.System().Model(&instance{}).Where("initiator = ?", view.User()).Group("code").Order(order).Limit(50).Pluck("code", &codes).Error; err != nil {
				return err
			}
			for _, code := range codes {
				if one, ok := byCode[code]; ok && len(*list) < mostCommon {
					*list = append(*list, one)
				}
			}
		}
		return nil
	})
	return out, err
}

// canStart reports whether a caller can start a workflow.
func (s *Service) canStart(view *authz.View, code string) bool {
	_, err := s.startable(view, code)
	return err == nil
}

// StartForm is the form that starts a workflow, empty or with a record.
func (s *Service) StartForm(ctx context.Context, view *authz.View, code, id string) (*query.FormLoad, error) {
	w, err := s.startable(view, code)
	if err != nil {
		return nil, err
	}
	start := w.Nodes[w.Template.Start().ID]
	form := ""
	if start.Form != nil {
		form = start.Form.Code
	}
	out, err := s.cfg.Reader.FormLoad(ctx, view.Through(atStart(w, start)), query.FormRequest{SchemaCode: w.Model.Code, SheetCode: form, ObjectID: id})
	if err != nil {
		return nil, err
	}
	out.Form.Buttons, out.Actions = out.Form.Buttons[:0], []string{"submit"}
	return out, nil
}
