package printing

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
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

// Wanted are the templates that somebody asks for: of a model, or of one of its forms, for some records or for any.
type Wanted struct {
	SchemaCode, SheetCode string
	Code                  string   // of the one that is wanted whole; "" = the first
	ObjectIDs             []string // those whose condition holds for one of them; none = all
}

// Attributes reads the templates for those who may print.
func (s *Service) Attributes(ctx context.Context, view *authz.View, in Wanted) (*Attributes, error) {
	code := in.Code
	m, err := printable(view, in.SchemaCode, query.PrintRight)
	if err != nil {
		return nil, err
	}
	of, err := s.fitting(ctx, view, m, Templates(view, m, in.SheetCode), in.ObjectIDs)
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		return nil, fault.New(fault.PrintNoTemplate)
	}
	one := of[0]
	if code != "" {
		one = view.Catalog.Print(code)
		if one == nil || one.Model != m || !reads(view, one) {
			return nil, fault.New(fault.PrintTemplateNotFound)
		}
	}
	if one, err = seen(view, one); err != nil {
		return nil, err
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

// fitting leaves out templates whose condition holds for none of the records.
func (s *Service) fitting(ctx context.Context, view *authz.View, m *catalog.Model, of []*catalog.Print, ids []string) ([]*catalog.Print, error) {
	conditional := slices.ContainsFunc(of, func(t *catalog.Print) bool { return t.When != nil })
	if len(ids) == 0 || !conditional {
		return of, nil
	}
	paper := query.PaperRequest{PrintRequest: query.PrintRequest{SchemaCode: m.Code, ObjectIDs: ids}, Template: "templates of " + m.Code, Columns: []string{catalog.ID}}
	for _, t := range of {
		when := t.When
		if when == nil {
			when = plan.True
		}
		paper.Conditions = append(paper.Conditions, when)
	}
	var records []query.Paper
	err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		records, err = s.Reader.Paper(ctx, tx, view, paper)
		return err
	})
	if err != nil || len(records) == 0 { // what can't be printed is said when it is
		return of, err
	}
	var out []*catalog.Print
	for i, t := range of {
		if slices.ContainsFunc(records, func(p query.Paper) bool { return p.Holds(i) }) {
			out = append(out, t)
		}
	}
	return out, nil
}

// Prints reports whether records of a model can be printed: there is a template, and the caller has the right.
func (s *Service) Prints(view *authz.View, schemaCode, sheetCode string) bool {
	m, err := printable(view, schemaCode, query.PrintRight)
	return err == nil && len(Templates(view, m, sheetCode)) > 0
}
