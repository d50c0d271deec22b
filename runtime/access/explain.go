package access

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Explanation says what somebody may do with a model, or with one record of it, and which grants are behind it.
type Explanation struct {
	Sees    bool      `json:"sees"` // the record; without one: some records
	Rows    string    `json:"rows"` // condition of the records that are seen; "" = none, "all" = every one
	Grants  []Granted `json:"grants"`
	Actions []Allowed `json:"actions"`
	Fields  []Shown   `json:"fields"`
}

// Granted is a grant that speaks of the model.
type Granted struct {
	Role     string   `json:"role"`
	Via      string   `json:"via"` // the role that the person has and that includes Role
	At       string   `json:"at"`  // file:line:column of the document
	Actions  []string `json:"actions"`
	Rows     string   `json:"rows"`     // condition, the person's values in it
	EditRows string   `json:"editRows"` // for changes, where it differs; "" = as rows
	Holds    *bool    `json:"holds"`    // on the record; null without one
	Edits    *bool    `json:"edits"`
}

// Allowed is an action that documents name for the model.
type Allowed struct {
	Code    string `json:"code"`
	Allowed bool   `json:"allowed"` // on the record; without one: on some
	Rows    string `json:"rows"`
}

// Shown is the right to a property.
type Shown struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	Right string     `json:"right"` // as access documents write it: "-", "r", "rw", of a sub-table "rw+x" and less; on the record, or the best that there is
	Where string     `json:"where"` // condition on which it shows; "" = on every visible record
}

// explainer asks the database whether conditions hold on a record.
type explainer struct {
	view  *authz.View
	model *catalog.Model
	id    string
	ask   func(where plan.Expr) (bool, error)
	known map[string]bool
	err   error
}

// Explain explains a model's rights; with an id those on that record, read in the transaction.
func Explain(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, id string) (*Explanation, error) {
	x := &explainer{view: view, model: m, id: id, known: map[string]bool{}}
	x.ask = func(where plan.Expr) (bool, error) {
		one := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.ID, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: id}}
		n, err := tx.Count(ctx, view.Catalog, &plan.Query{Model: m.Code, Where: plan.AllOf(one, &plan.Rule{X: where})})
		return n > 0, err
	}
	rows := view.Rows(m)
	out := &Explanation{Sees: x.holds(rows), Rows: condition(rows), Grants: []Granted{}, Actions: []Allowed{}, Fields: []Shown{}}
	for _, why := range view.Why(m) {
		out.Grants = append(out.Grants, x.granted(why))
	}
	for _, code := range view.ActionsOn(m) {
		on := view.EditRows(m, code)
		if code == "add" && id == "" { // there is no record yet that a condition could be about
			out.Actions = append(out.Actions, Allowed{Code: code, Allowed: view.Can(m, code), Rows: condition(plan.True)})
			continue
		}
		out.Actions = append(out.Actions, Allowed{Code: code, Allowed: view.Can(m, code) && x.holds(on), Rows: condition(on)})
	}
	for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
		for _, f := range part.Fields {
			if !f.System {
				out.Fields = append(out.Fields, x.shown(f))
			}
		}
	}
	return out, x.err
}

func (x *explainer) granted(why authz.Reason) Granted {
	g := Granted{Role: why.Role, Via: why.Via, At: why.At, Actions: why.Actions, Rows: condition(why.Rows)}
	if edit := condition(why.EditRows); edit != g.Rows {
		g.EditRows = edit
	}
	if x.id != "" {
		holds, edits := x.holds(why.Rows), x.holds(why.EditRows)
		g.Holds, g.Edits = &holds, &edits
	}
	return g
}

func (x *explainer) shown(f *catalog.Field) Shown {
	code := f.Code
	if p := f.Model.Parent; p != nil {
		code = strings.TrimPrefix(f.Model.Code, p.Code+".") + "." + code
	}
	best, guard := x.view.Field(f)
	out := Shown{Code: code, Label: f.Label, Right: catalog.WriteRight(f, best, x.rows(f))}
	if !plan.IsTrue(guard) { // of a hidden field it is false
		out.Where = condition(guard)
	}
	if x.id == "" {
		return out
	}
	switch {
	case best == catalog.Hidden || !x.holds(x.view.Rows(x.model)) || !x.holds(guard):
		out.Right = right(catalog.Hidden)
	case x.holds(x.view.FieldRows(f, "edit")):
		out.Right = catalog.WriteRight(f, catalog.Writable, x.rows(f))
	default:
		out.Right = right(catalog.Readable)
	}
	return out
}

// rows is what may be done with the rows of a sub-table: on the record, or on some.
func (x *explainer) rows(f *catalog.Field) (out catalog.RowRights) {
	if f.Sheet == nil {
		return 0
	}
	for _, right := range []catalog.RowRights{catalog.AddRows, catalog.EditRows, catalog.DeleteRows} {
		if x.holds(x.view.SheetRows(f, right, "edit")) {
			out |= right
		}
	}
	return out
}

// holds reports whether a condition holds on the record; without one, whether it can on some.
func (x *explainer) holds(e plan.Expr) bool {
	if x.id == "" {
		return e != nil && !plan.IsFalse(e)
	}
	if e == nil || plan.IsFalse(e) || x.err != nil {
		return false
	}
	key := plan.Format(e)
	yes, asked := x.known[key]
	if !asked {
		yes, x.err = x.ask(e)
		x.known[key] = yes
	}
	return yes
}

// Giving lists the grants that name an action.
func (e *Explanation) Giving(action string) (out []Granted) {
	for _, g := range e.Grants {
		if slices.ContainsFunc(g.Actions, func(a string) bool { return a == "*" || strings.EqualFold(a, action) }) {
			out = append(out, g)
		}
	}
	return out
}
