package authz

import (
	"maps"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
)

// scope is what a token for chosen applications reaches: their models, and those that their menus open. It only takes away from what the
// roles of its person give.
type scope struct {
	apps   map[string]bool // lower-case codes; the value tells whether something may be written
	packs  map[string]bool
	models map[*catalog.Model]bool
	whole  *roleSet // without the scope
}

func newScope(c *catalog.Catalog, apps []principal.AppScope, whole *roleSet) *scope {
	s := &scope{apps: map[string]bool{}, packs: map[string]bool{}, models: map[*catalog.Model]bool{}, whole: whole}
	for _, of := range apps {
		a := c.App(of.App)
		if a == nil {
			continue
		}
		add(s.apps, strings.ToLower(a.Code), of.Write)
		add(s.packs, strings.ToLower(a.Pack), of.Write)
		s.addMenu(c, a.Menu, of.Write)
		for _, m := range c.Models {
			if strings.EqualFold(m.Pack, a.Pack) {
				add(s.models, root(m), of.Write)
			}
		}
	}
	return s
}

func (s *scope) addMenu(c *catalog.Catalog, entries []*catalog.Menu, write bool) {
	for _, e := range entries {
		if m := c.Model(e.SchemaCode); m != nil {
			add(s.models, root(m), write)
		}
		s.addMenu(c, e.Children, write)
	}
}

// add notes what one of several applications gives; that of the most counts.
func add[K comparable](to map[K]bool, key K, write bool) { to[key] = to[key] || write }

// Reaches reports whether a token for applications reaches a model, if its person does.
func Reaches(c *catalog.Catalog, apps []principal.AppScope, m *catalog.Model) bool {
	_, in := newScope(c, apps, nil).models[root(m)]
	return in
}

// scoped is a role set within a scope: nothing of the platform's permissions, and of models and applications what is in the scope.
func (p *Policy) scoped(whole *roleSet, apps []principal.AppScope) *roleSet {
	in := newScope(p.catalog, apps, whole)
	out := &roleSet{bits: newBitset(len(p.objects) * len(p.actions)), codes: whole.codes, scope: in, models: map[*catalog.Model]*modelGrants{}}
	for code := range in.apps {
		if p.allows(whole.bits, kindApp+code, open) {
			out.bits.set(p.decision(kindApp+code, open))
		}
	}
	for m, write := range in.models {
		object := kindModel + strings.ToLower(m.Code)
		for action := range p.actions {
			if (write || action == "view") && p.allows(whole.bits, object, action) {
				out.bits.set(p.decision(object, action))
			}
		}
	}
	return out
}

// limit leaves of the grants of a model what the scope lets through.
func (s *scope) limit(m *catalog.Model, grants []grant) []grant {
	write, in := s.models[m]
	switch {
	case !in:
		return nil
	case write:
		return grants
	}
	var out []grant
	for _, g := range grants {
		if !g.gives("view") {
			continue
		}
		seen := *g.Grant
		seen.Actions = []string{"view"}
		g.Grant, seen.Fields = &seen, maps.Clone(seen.Fields)
		for code, right := range seen.Fields {
			seen.Fields[code] = min(right, catalog.Readable)
		}
		seen.Rest = min(seen.Rest, catalog.Readable)
		out = append(out, g)
	}
	return out
}

// calls reports whether a call of a pack is in the scope: of its pack or on records of its models, and for reading alone only GET.
func (s *scope) calls(route *catalog.Route) bool {
	write, in := s.packs[strings.ToLower(route.Pack)]
	if !in && route.Model != nil {
		write, in = s.models[root(route.Model)]
	}
	return in && (write || route.Method == "GET")
}
