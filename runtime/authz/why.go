package authz

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Reason is one grant that speaks of a model: where it is, how the principal comes by it and what it gives.
type Reason struct {
	Role     string // that holds the grant
	Via      string // the assigned role that includes Role; Role itself when it is assigned
	At       string // file:line:col
	Actions  []string
	RowsText string    // as written; "" = no rows
	Rows     plan.Expr // bound to the principal; plan.False = no rows
	EditRows plan.Expr
	Fields   map[string]catalog.FieldRight
	Rest     catalog.FieldRight
}

// Why lists the grants behind the principal's rights to a model, in the order of roles. The system principal has none.
func (r *View) Why(m *catalog.Model) []Reason {
	if r.set.system {
		return nil
	}
	var out []Reason
	for _, g := range r.set.of(root(m)).all {
		reason := Reason{Role: g.role, Via: g.via, At: g.At, Actions: g.Actions, RowsText: g.RowsText,
			Rows: plan.False, EditRows: plan.False, Fields: g.Fields, Rest: g.Rest}
		if g.Rows != nil {
			reason.Rows, reason.EditRows = r.Bind(g.Rows), r.Bind(g.Rows)
			if edit := r.Bind(g.EditRows); edit != nil && !same(edit, reason.Rows) {
				reason.EditRows = plan.AllOf(reason.Rows, edit)
			}
		}
		out = append(out, reason)
	}
	return out
}
