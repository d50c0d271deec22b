package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Lens changes what a view shows of some models for a reason other than roles: a work item that somebody has to fill in, a link that
// was sent to somebody (docs/adr/0038). It is made of grants, as access documents are, so that rows, fields and actions of every read
// and write follow from it by the rules that hold for roles. A lens is not changed after its first use.
type Lens struct {
	Name   string // for explanations: "work item 0192…"
	Effect Effect
	Grants []catalog.Grant // each of one model; conditions may speak of the principal's variables
}

// Effect is how a lens and the roles of the principal go together. Models that the lens has no grant of are as without it.
type Effect uint8

const (
	// Adds gives what the grants give, beside what the roles give.
	Adds Effect = iota
	// Replaces gives what the grants give, and nothing of what the roles give.
	Replaces
	// Narrows leaves what both the roles and the grants give: rows of both, the actions that both name, and the lesser right to a field.
	Narrows
)

// Through is the view through a lens. Of the system's view, which has no limits, only the lens is left. Platform permissions, applications
// and the roles that the principal may give to others are those of the view itself.
func (r *View) Through(l *Lens) *View {
	out := &View{Catalog: r.Catalog, policy: r.policy, who: r.who, vars: r.vars, bound: map[plan.Expr]plan.Expr{}, roles: r.roles}
	if out.roles == nil {
		out.roles = r
	}
	out.set = &roleSet{bits: r.set.bits, codes: r.set.codes, below: r.set, lens: l, scope: r.set.scope, models: map[*catalog.Model]*modelGrants{}}
	return out
}

// Lensed reports whether the view goes through a lens.
func (r *View) Lensed() bool { return r.roles != nil }

// own is the view without lenses: what the roles alone give.
func (r *View) own() *View {
	if r.roles != nil {
		return r.roles
	}
	return r
}

// speaks reports whether a lens of the set has a grant of the model.
func (s *roleSet) speaks(m *catalog.Model) bool {
	if s.lens == nil {
		return false
	}
	return slices.ContainsFunc(s.lens.Grants, func(g catalog.Grant) bool { return g.Model == m }) || s.below.speaks(m)
}

// through applies the lens to the grants of a model.
func (l *Lens) through(m *catalog.Model, roles []grant) []grant {
	var own []grant
	for i := range l.Grants {
		if l.Grants[i].Model == m {
			own = append(own, newGrant(&l.Grants[i], l.Name, l.Name))
		}
	}
	switch {
	case len(own) == 0:
		return roles
	case l.Effect == Replaces:
		return own
	case l.Effect == Adds:
		return append(slices.Clone(roles), own...)
	}
	var out []grant
	for _, role := range roles {
		for _, g := range own {
			out = append(out, narrowed(m, role, g))
		}
	}
	return out
}

// narrowed is what two grants of a model both give.
func narrowed(m *catalog.Model, a, b grant) grant {
	both := catalog.Grant{Model: m, Rest: catalog.Hidden, RowsText: a.RowsText, At: a.At, Fields: map[string]catalog.FieldRight{}, Sheets: map[string]catalog.RowRights{}}
	both.Actions = commonActions(a.Actions, b.Actions)
	if a.Rows != nil && b.Rows != nil {
		both.Rows, both.EditRows = plan.AllOf(a.Rows, b.Rows), plan.AllOf(editRows(a), editRows(b))
	}
	for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
		for _, f := range part.Fields {
			both.Fields[nameOf(f)] = min(a.Right(f), b.Right(f))
			if rows := a.RowRights(f) & b.RowRights(f); f.Sheet != nil && rows != catalog.AllRows {
				both.Sheets[f.Code] = rows
			}
		}
	}
	return newGrant(&both, a.role, b.via)
}

// nameOf is how a grant names a field: "rate", or "items.rate" for the column of a sub-table.
func nameOf(f *catalog.Field) string {
	if p := f.Model.Parent; p != nil {
		return strings.TrimPrefix(f.Model.Code, p.Code+".") + "." + f.Code
	}
	return f.Code
}

func editRows(g grant) plan.Expr {
	if g.EditRows == nil {
		return plan.True
	}
	return g.EditRows
}

func commonActions(a, b []string) []string {
	if slices.Contains(a, every) {
		return b
	}
	if slices.Contains(b, every) {
		return a
	}
	var out []string
	for _, one := range a {
		if slices.ContainsFunc(b, func(other string) bool { return strings.EqualFold(one, other) }) {
			out = append(out, one)
		}
	}
	return out
}
