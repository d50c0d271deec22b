package authz

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// DemandsFactor reports whether one of the roles, or a role that it includes, asks its people for a second factor.
func (p *Policy) DemandsFactor(roles []string) bool {
	return slices.ContainsFunc(roles, func(code string) bool {
		r := p.roles[strings.ToLower(code)]
		return r != nil && slices.ContainsFunc(r.closure, func(in *catalog.Role) bool { return in.SecondFactor })
	})
}
