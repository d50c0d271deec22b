package authz

import (
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// roleSet is what several roles give together, before a principal's variables are bound. It is shared by all principals
// with these roles.
type roleSet struct {
	system bool
	bits   bitset
	codes  []string // assigned roles and all that they include
	grants []grant
	below  *roleSet // that lens is laid over; nil = there is no lens
	lens   *Lens
	scope  *scope // of a token for chosen applications; nil = there is none

	mu     sync.Mutex
	models map[*catalog.Model]*modelGrants
}

// grant is one entry of an access document's models, with the assigned role that brings it.
type grant struct {
	*catalog.Grant
	role, via string
}

// modelGrants are the grants that speak of one model.
type modelGrants struct {
	all    []grant
	view   []grant // those that show rows
	fields map[*catalog.Field]fieldGrants
}

// fieldGrants are the grants of view that show a field, and what each lets do with it.
type fieldGrants struct {
	showing []grant
	rights  []catalog.FieldRight
}

// newSet joins roles; the caller holds the mutex of p.
func (p *Policy) newSet(codes []string) *roleSet {
	s := &roleSet{bits: newBitset(len(p.objects) * len(p.actions)), models: map[*catalog.Model]*modelGrants{}}
	taken := map[*catalog.Role]bool{}
	for _, code := range codes {
		r := p.roles[code]
		if r == nil {
			continue
		}
		s.bits.join(r.bits)
		for _, in := range r.closure {
			if taken[in] {
				continue
			}
			taken[in] = true
			s.codes = append(s.codes, in.Code)
			for i := range in.Grants {
				s.grants = append(s.grants, newGrant(&in.Grants[i], in.Code, r.code))
			}
		}
	}
	slices.Sort(s.codes)
	return s
}

func newGrant(g *catalog.Grant, role, via string) grant { return grant{Grant: g, role: role, via: via} }

// gives reports whether the grant names the action.
func (g grant) gives(action string) bool {
	return slices.ContainsFunc(g.Actions, func(a string) bool { return a == every || strings.EqualFold(a, action) })
}

// shows reports whether the grant can show any row.
func (g grant) shows() bool { return g.Rows != nil && !plan.IsFalse(g.Rows) && g.gives("view") }

// of returns the grants of a model, which is never a sub-table.
func (s *roleSet) of(m *catalog.Model) *modelGrants {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.models[m]
	if out == nil {
		out = &modelGrants{fields: map[*catalog.Field]fieldGrants{}}
		out.all = s.speaking(m)
		for _, g := range out.all {
			if g.shows() {
				out.view = append(out.view, g)
			}
		}
		out.addFields(m)
		for _, sheet := range m.Sheets {
			out.addFields(sheet)
		}
		s.models[m] = out
	}
	return out
}

// speaking are the grants that speak of a model, lenses applied.
func (s *roleSet) speaking(m *catalog.Model) []grant {
	if s.scope != nil {
		return s.scope.limit(m, s.spoken(m))
	}
	return s.spoken(m)
}

// spoken are the grants that speak of a model as roles and lenses give them.
func (s *roleSet) spoken(m *catalog.Model) []grant {
	switch {
	case s.lens != nil:
		return s.lens.through(m, s.below.speaking(m))
	case s.scope != nil:
		return s.scope.whole.spoken(m)
	}
	var out []grant
	for _, g := range s.grants {
		if g.Model == nil || g.Model == m {
			out = append(out, g)
		}
	}
	return out
}

func (mg *modelGrants) addFields(m *catalog.Model) {
	for _, f := range m.Fields {
		var fg fieldGrants
		for _, g := range mg.view {
			if right := g.Right(f); right > catalog.Hidden {
				fg.rights = append(fg.rights, right)
				fg.showing = append(fg.showing, g)
			}
		}
		mg.fields[f] = fg
	}
}
