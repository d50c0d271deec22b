package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// KnowsRole reports whether an access document is behind the code. A record of another code gives nothing today, and
// would give whatever a later document of its code says.
func (r *View) KnowsRole(code string) bool { return r.policy.roles[strings.ToLower(code)] != nil }

// MayGrant reports whether the principal may give the role to somebody: one that it has itself, or one that gives nothing
// beyond what it may do on all rows and fields. Nobody grants more than they have (docs/authoring.md, Access); Root is at least everything.
// Roles that no access document names are the system's alone to give.
func (r *View) MayGrant(code string) bool {
	r = r.own()
	role := r.policy.roles[strings.ToLower(code)]
	if r.set.system || r.Holds(code) {
		return true
	}
	return role != nil && (r.Has(Root) || r.coversRole(role))
}

// MayManage reports whether the principal may change the record of somebody with these roles: who may name, disable or move
// a person above themselves would have that person's rights.
func (r *View) MayManage(roles ...string) bool {
	return !slices.ContainsFunc(roles, func(code string) bool { return r.KnowsRole(code) && !r.MayGrant(code) })
}

// Surpasses reports whether the principal may do on all rows whatever roles give on some: another department gives such a person nothing.
func (r *View) Surpasses(roles ...string) bool {
	r = r.own()
	return r.set.system || r.Has(Root) || !slices.ContainsFunc(roles, func(code string) bool {
		role := r.policy.roles[strings.ToLower(code)]
		return role != nil && !r.coversRole(role)
	})
}

// coversRole reports whether the principal may do all that a role gives.
func (r *View) coversRole(role *role) bool {
	if !r.coversPermissions(role) {
		return false
	}
	for object := range r.policy.objects {
		for action := range r.policy.actions {
			if role.bits.has(r.policy.decision(object, action)) && !r.policy.allows(r.set.bits, object, action) {
				return false
			}
		}
	}
	for _, in := range role.closure {
		for i := range in.Grants {
			if !r.covers(newGrant(&in.Grants[i], in.Code, role.code)) {
				return false
			}
		}
	}
	return true
}

// covers reports whether the principal may do all that a grant gives, on every row.
func (r *View) covers(g grant) bool {
	if g.Rows == nil || plan.IsFalse(g.Rows) {
		return true
	}
	models := []*catalog.Model{g.Model}
	if g.Model == nil {
		models = r.Models
	}
	for _, m := range models {
		if slices.ContainsFunc(g.Actions, func(a string) bool { return !plan.IsTrue(r.EditRows(m, a)) }) {
			return false
		}
		for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range part.Fields {
				if right, guard := r.Field(f); right < g.Right(f) || !plan.IsTrue(guard) && g.Right(f) > catalog.Hidden {
					return false
				}
				if f.Sheet != nil && !r.coversRows(g, f) {
					return false
				}
			}
		}
	}
	return true
}

// coversRows reports whether the principal may do with the rows of a sub-table what a grant lets be done, on every record.
func (r *View) coversRows(g grant, sheet *catalog.Field) bool {
	if g.Right(sheet) != catalog.Writable {
		return true
	}
	rows := g.RowRights(sheet)
	return !slices.ContainsFunc(g.Actions, func(a string) bool { return !plan.IsTrue(r.SheetRows(sheet, rows, a)) })
}
