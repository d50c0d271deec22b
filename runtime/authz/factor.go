package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// DemandsFactor reports whether one of the roles, or a role that it includes, asks its people for a second factor.
func (p *Policy) DemandsFactor(roles []string) bool {
	return p.some(roles, func(r *catalog.Role) bool { return r.SecondFactor })
}

// Permits reports whether the document of one of the roles, or of a role that it includes, names one of the permissions. Root names itself alone here.
func (p *Policy) Permits(roles []string, permissions ...string) bool {
	return p.some(roles, func(r *catalog.Role) bool {
		return slices.ContainsFunc(r.Permissions, func(has string) bool { return slices.Contains(permissions, has) })
	})
}

func (p *Policy) some(roles []string, is func(*catalog.Role) bool) bool {
	return slices.ContainsFunc(roles, func(code string) bool {
		r := p.roles[strings.ToLower(code)]
		return r != nil && slices.ContainsFunc(r.closure, is)
	})
}
