package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// The permissions of the platform (schemas/access.schema.json, permissions).
const (
	// Root is at least everything: each of the other permissions, and every role may be given by those who have it. They publish
	// definitions, roles among them, so nothing would be out of their reach anyway.
	Root         = "ADMIN"
	System       = "SYS_MNG"
	Applications = "APP_MNG" // administers the applications that the same role names
	Workflows    = "WORKFLOW_ADMIN"
	// Accounts looks after the accounts of people, whatever these may do with records: passwords, second factors, sign-ins, disabling. On whom
	// is said by the rights on the people's model.
	Accounts = "ACCOUNT_MNG"
)

// platform are all of them, sorted.
var platform = []string{Accounts, Root, Applications, System, Workflows}

// permissionsOf are what a role gives by itself, without the roles that it includes: those that its document names, and all where Root is
// one of them.
func permissionsOf(r *catalog.Role) []string {
	if !slices.Contains(r.Permissions, Root) {
		return r.Permissions
	}
	out := slices.Clone(r.Permissions)
	for _, code := range platform {
		out = appendNew(out, code)
	}
	return out
}

// coversPermissions reports whether the principal has the permissions of the platform that a role gives, each as far as the role does: an
// administrator of some applications covers no one of others, and who looks after some accounts covers no one who looks after more.
func (r *View) coversPermissions(role *role) bool {
	if r.Has(Root) {
		return true
	}
	for _, in := range role.closure {
		for _, code := range permissionsOf(in) {
			if !r.Has(code) {
				return false
			}
		}
		if slices.Contains(in.Permissions, Applications) && slices.ContainsFunc(in.Apps, func(app string) bool { return !r.administersAll(app) }) {
			return false
		}
	}
	return true
}

// administersAll is Administers for the code of an application, or for all of them ("*").
func (r *View) administersAll(code string) bool {
	return !slices.ContainsFunc(appsOf(r.Catalog, code), func(app string) bool { return !r.Administers(app) })
}

// MayAdminister reports whether the principal may look after the account of somebody with these roles: reset, disable and enable it, end its
// sign-ins. Those are the people whom they may manage and, with the permission Accounts, everybody but those who have a permission of the platform
// that the principal lacks, or has for fewer applications or people.
func (r *View) MayAdminister(roles ...string) bool {
	if r.MayManage(roles...) {
		return true
	}
	r = r.own()
	if !r.Has(Accounts) {
		return false
	}
	var of []*role
	for _, code := range roles {
		if in := r.policy.roles[strings.ToLower(code)]; in != nil {
			of = append(of, in)
		}
	}
	return !slices.ContainsFunc(of, func(in *role) bool { return !r.coversPermissions(in) }) && (!r.policy.Permits(roles, Accounts, Root) || r.coversAccounts(of))
}

// coversAccounts reports whether the principal looks after at least the accounts that roles do. Two people with one role can have different
// accounts by it, so the principal has to have all that the roles could give to anybody.
func (r *View) coversAccounts(roles []*role) bool {
	m := r.Model("user")
	for _, role := range roles {
		for _, in := range role.closure {
			for _, g := range in.Grants {
				if g.Rows != nil && (g.Model == nil || g.Model == m) && slices.ContainsFunc(g.Actions, func(a string) bool { return !plan.IsTrue(r.EditRows(m, a)) }) {
					return false
				}
			}
		}
	}
	return true
}
