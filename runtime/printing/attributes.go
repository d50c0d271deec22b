package printing

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// Attributes are the print templates of a form (api.yaml PrintAttributes): one whole, and the names of all.
type Attributes struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	Settings  json.RawMessage   `json:"pageSettings"`
	Draft     json.RawMessage   `json:"draftAttributesJson"`
	PrintJSON json.RawMessage   `json:"printJson"`
	Templates []TemplateName    `json:"templates"`
}

// TemplateName is a template that can be chosen.
type TemplateName struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	External bool              `json:"external"`
}

// Attributes reads the templates for those who may print. code "" = the first.
func (s *Service) Attributes(view *authz.View, schemaCode, sheetCode, code string) (*Attributes, error) {
	m, err := printable(view, schemaCode, query.PrintRight)
	if err != nil {
		return nil, err
	}
	of := Templates(view, m, sheetCode)
	if len(of) == 0 {
		return nil, fault.New(fault.PrintNoTemplate)
	}
	one := of[0]
	if code != "" {
		one = view.Catalog.Print(code)
		if one == nil || one.Model != m {
			return nil, fault.New(fault.PrintTemplateNotFound)
		}
	}
	out := &Attributes{ID: one.Code, Name: one.Label.Zh, NameI18n: one.Label.I18n, PrintJSON: one.External, Templates: []TemplateName{}}
	var document struct {
		Settings json.RawMessage `json:"pageSettings"`
		Pages    json.RawMessage `json:"pages"`
	}
	if err := json.Unmarshal(one.Document, &document); err != nil {
		return nil, err
	}
	out.Settings, out.Draft = document.Settings, document.Pages
	for _, t := range of {
		out.Templates = append(out.Templates, TemplateName{t.Code, t.Label.Zh, t.Label.I18n, t.External != nil})
	}
	return out, nil
}

// Prints reports whether records of a model can be printed: there is a template, and the caller has the right.
func (s *Service) Prints(view *authz.View, schemaCode, sheetCode string) bool {
	m, err := printable(view, schemaCode, query.PrintRight)
	return err == nil && len(Templates(view, m, sheetCode)) > 0
}
