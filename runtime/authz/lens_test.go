package authz_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// TestRandomLenses compares what principals see and may do through one or two random lenses, row by row, with the independent model.
func TestRandomLenses(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 12))
		m, other := lot(), &catalog.Model{Code: "other"}
		m.Fields = append(m.Fields, &catalog.Field{Code: catalog.Name, Model: m, System: true})
		m.Digest = []catalog.DigestPart{{Field: m.Fields[0]}, {Text: "/"}}
		other.Fields = []*catalog.Field{{Code: "x", Model: other}}
		roles := randomRoles(rnd, []*catalog.Model{m, other})
		p, _ := compile(t, []*catalog.Model{m, other}, roles...)
		o := &oracle{roles: map[string]*catalog.Role{}, held: map[string]bool{}}
		for _, r := range roles {
			o.roles[strings.ToLower(r.Code)] = r
		}
		assigned := []string{pick(rnd, "boss", "a", "b"), pick(rnd, "A", "c", "d")}
		for _, code := range assigned {
			o.take(code)
		}
		view := rights(p, assigned...)
		plain := view
		for range 1 + rnd.IntN(2) {
			l := &authz.Lens{Name: "work item", Effect: authz.Effect(rnd.IntN(3))}
			for range 1 + rnd.IntN(2) {
				l.Grants = append(l.Grants, randomGrant(rnd, pick(rnd, m, m, other)))
			}
			o.lenses = append(o.lenses, l)
			view = view.Through(l)
		}
		compareRights(t, fmt.Sprintf("seed %d, roles %v", seed, assigned), o, view, m)
		for _, code := range []string{"boss", "a", "b", "c", "d"} {
			require.Equal(t, plain.MayGrant(code), view.MayGrant(code), "a lens does not change which roles somebody may give")
		}
	}
}

// TestLensAlone: somebody without roles, and the system, have what the lens gives and nothing else.
func TestLensAlone(t *testing.T) {
	t.Parallel()
	m, other := lot(), &catalog.Model{Code: "other"}
	p, _ := compile(t, []*catalog.Model{m, other}, &catalog.Role{Code: "boss", Permissions: []string{"SYS_MNG"}})
	link := &authz.Lens{Name: "link", Effect: authz.Narrows, Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: plan.True, Rest: catalog.Readable}}}
	for name, who := range map[string]principal.Principal{"nobody": {}, "the system": principal.System("link")} {
		view := p.View(who, time.Now(), time.UTC)
		narrowed := view.Through(link)
		require.False(t, narrowed.Can(m, "view"), "%s: there are no grants to narrow", name)
		require.True(t, plan.IsFalse(narrowed.Rows(m)), name)
		added := *link
		added.Effect = authz.Adds
		given := view.Through(&added)
		require.True(t, given.Can(m, "view"), name)
		require.False(t, given.Can(m, "edit") || given.Can(other, "view") || given.Has("SYS_MNG"), name)
		require.True(t, given.Lensed() && !view.Lensed(), name)
	}
}

// TestRowRightsThroughLenses: what may be done with the rows of a sub-table is limited by lenses that speak of its model.
func TestRowRightsThroughLenses(t *testing.T) {
	m, other := lot(), &catalog.Model{Code: "other"}
	p, _ := compile(t, []*catalog.Model{m, other}, &catalog.Role{Code: "boss", Grants: []catalog.Grant{{Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}}})
	sheet := m.Field("items")
	lens := func(effect authz.Effect, of *catalog.Model, rows catalog.RowRights) *authz.Lens {
		return &authz.Lens{Name: "task", Effect: effect, Grants: []catalog.Grant{{Model: of, Actions: []string{"view", "edit"}, Rows: plan.True, EditRows: plan.True,
			Rest: catalog.Writable, Sheets: map[string]catalog.RowRights{"items": rows}}}}
	}
	narrow := lens(authz.Narrows, m, catalog.AddRows|catalog.EditRows)
	for name, x := range map[string]struct {
		lenses []*authz.Lens
		want   catalog.RowRights
	}{
		"none":                     {nil, catalog.AllRows},
		"narrows":                  {[]*authz.Lens{narrow}, catalog.AddRows | catalog.EditRows},
		"of another model":         {[]*authz.Lens{lens(authz.Narrows, other, 0), lens(authz.Replaces, other, 0)}, catalog.AllRows},
		"narrows what is left":     {[]*authz.Lens{narrow, lens(authz.Narrows, m, catalog.EditRows|catalog.DeleteRows)}, catalog.EditRows},
		"replaces":                 {[]*authz.Lens{narrow, lens(authz.Replaces, m, catalog.DeleteRows)}, catalog.DeleteRows},
		"adds":                     {[]*authz.Lens{narrow, lens(authz.Adds, m, catalog.DeleteRows)}, catalog.AllRows},
		"another one says nothing": {[]*authz.Lens{narrow, lens(authz.Replaces, other, catalog.DeleteRows)}, catalog.AddRows | catalog.EditRows},
	} {
		v := rights(p, "boss")
		for _, l := range x.lenses {
			v = v.Through(l)
		}
		if got := v.RowRights(sheet, "edit"); got != x.want {
			t.Errorf("%s: %b, want %b", name, got, x.want)
		}
	}
}
