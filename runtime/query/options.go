package query

import (
	"context"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// OptionsRequest asks for the choices of a reference field. Kind is needed for fields that mix people and departments.
type OptionsRequest struct {
	SchemaCode, PropertyCode, Keyword, Kind string
	ParentID                                *string
	Page, Size                              int
}

// Entry is a choice (api.yaml Entry). Type is 1 for departments, 3 for people, nil for records.
type Entry struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ImageURL *string `json:"imgUrl"`
	Type     *int    `json:"type"`
	Detail   *string `json:"detail"`
	Leaf     bool    `json:"leaf"`
}

// Entries is a page of choices.
type Entries struct {
	Content []Entry `json:"content"`
	Total   int64   `json:"totalElements"`
}

// The types of entries on the wire (specification 2-data-lists section 3).
var (
	typeDepartment = 1
	typeUser       = 3
)

// FieldOptions answers pickers: people, departments or records that the caller may choose.
func (r *Reader) FieldOptions(ctx context.Context, c *catalog.Catalog, rt *authz.Rights, req OptionsRequest) (*Entries, error) {
	m := c.Model(req.SchemaCode)
	if m == nil || m.Parent != nil || !rt.Can(m, "view") && !rt.Can(m, "add") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if len([]rune(req.Keyword)) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	n, err := newGraph(rt, m).resolve(req.PropertyCode)
	if err != nil {
		// A caller who may add records but sees none still chooses values for them.
		if n, err = addable(rt, m, req.PropertyCode); err != nil {
			return nil, err
		}
	}
	switch target := n.field.Target; {
	case target == nil:
		if _, refers := n.field.Property.(property.Referrer); !refers || !directory.Knows(req.Kind) {
			return nil, unknown()
		}
		return r.organisation(ctx, req, req.Kind), nil
	case directory.Knows(target.Code):
		return r.organisation(ctx, req, target.Code), nil
	default:
		return r.records(ctx, c, rt, n, req)
	}
}

// addable resolves a field of a new record.
func addable(rt *authz.Rights, m *catalog.Model, code string) (node, error) {
	f := m.Field(code)
	if f == nil || f.System || !rt.Can(m, "add") || plan.IsFalse(rt.FieldRows(f, "add")) {
		return node{}, unknown()
	}
	return node{graph: newGraph(rt, m), field: f, guard: plan.True}, nil
}

func (r *Reader) organisation(ctx context.Context, req OptionsRequest, kind string) *Entries {
	found, total := r.people.Search(ctx, kind, req.Keyword, req.ParentID, req.Page*req.Size, req.Size)
	out := &Entries{Content: make([]Entry, len(found)), Total: int64(total)}
	for i, f := range found {
		of := &typeUser
		if kind == directory.Department {
			of = &typeDepartment
		}
		out.Content[i] = Entry{ID: f.ID, Name: f.Name, ImageURL: orNull(f.ImageURL), Type: of, Detail: orNull(f.Detail), Leaf: f.Leaf}
	}
	return out
}

// records lists the records of a relation's target that the caller may see, by what the relation shows.
func (r *Reader) records(ctx context.Context, c *catalog.Catalog, rt *authz.Rights, n node, req OptionsRequest) (*Entries, error) {
	target := n.field.Target
	g := newGraph(rt, target)
	display := n.field.Display
	if display == nil {
		display = target.Field(catalog.Name)
	}
	shown, err := g.resolve(display.Code)
	if err != nil {
		return &Entries{Content: []Entry{}}, nil //nolint:nilerr // nothing that may be shown
	}
	where := []plan.Expr{rule(rt.Rows(target)), choosable(rt, n.field)}
	if req.Keyword != "" {
		word, err := g.keyword(req.Keyword)
		if err != nil {
			return nil, err
		}
		if first := shown.columns()[0]; display.Code != catalog.Name && first.Kind() == plan.Text {
			word = plan.AnyOf(word, &plan.Match{X: first, Pattern: text(req.Keyword)})
		}
		where = append(where, word)
	}
	q := &plan.Query{Model: target.Code, Where: plan.AllOf(where...), Limit: req.Size, Offset: req.Page * req.Size,
		Select: append([]plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, shown.columns()...)}
	if keys, err := shown.order(false); err == nil {
		q.Order = keys
	}
	q.Order = append(q.Order, plan.Order{By: &plan.Field{Column: catalog.ID, K: plan.ID}})
	q.Joins = g.joins
	out := &Entries{Content: []Entry{}}
	context := property.TextContext{Locale: rt.Principal().Locale, Zone: r.zone, Names: r.people.Names(ctx)}
	err = r.read(ctx, func(tx *store.Tx) error {
		err := tx.Query(ctx, c, q, func(row []any) error {
			e := Entry{Leaf: true}
			e.ID, _ = row[0].(string)
			if v := display.Property.Load(row[1 : 1+len(display.Property.Columns())]); v != nil {
				e.Name = display.Property.Text(v, context)
			}
			out.Content = append(out.Content, e)
			return nil
		})
		if err != nil {
			return err
		}
		out.Total, err = tx.Count(ctx, c, q)
		return err
	})
	return out, err
}

// choosable is the condition of the definition on what may be chosen. One that depends on the form's other values is left to
// the form, for the call does not bring them.
func choosable(rt *authz.Rights, f *catalog.Field) plan.Expr {
	if f.Choosable == nil {
		return plan.True
	}
	needsForm := false
	plan.Walk(f.Choosable, func(e plan.Expr) {
		if v, ok := e.(*plan.Var); ok && strings.HasPrefix(v.Name, "form.") {
			needsForm = true
		}
	})
	if needsForm {
		return plan.True
	}
	return rule(rt.Bind(f.Choosable))
}

// Division is an administrative division (api.yaml).
type Division struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Leaf     bool              `json:"leaf"`
}

// Divisions returns the divisions right below a code, "" = provinces. They are no secret.
func (r *Reader) Divisions(parent string) []Division {
	out := []Division{}
	for _, d := range r.places.Below(parent) {
		names := map[string]string{}
		if d.NameEn != "" {
			names["en"] = d.NameEn
		}
		out = append(out, Division{Code: d.Code, Name: d.Name, NameI18n: names, Leaf: d.Leaf})
	}
	return out
}
