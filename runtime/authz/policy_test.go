package authz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
)

// random makes a catalog whose roles grant and include at random, cycles among includes too.
func random(r *rand.Rand, roles, models int) *catalog.Catalog {
	c := &catalog.Catalog{Apps: []*catalog.App{{Code: "a"}, {Code: "b"}}}
	for i := range models {
		c.Models = append(c.Models, &catalog.Model{Code: fmt.Sprintf("m%d", i)})
	}
	actions := []string{"view", "add", "edit", "delete", "*", "close"}
	for i := range roles {
		role := &catalog.Role{Code: fmt.Sprintf("R%d", i)}
		for range r.IntN(3) {
			role.Includes = append(role.Includes, fmt.Sprintf("r%d", r.IntN(roles)))
		}
		for range r.IntN(4) {
			g := catalog.Grant{Rows: plan.True, EditRows: plan.True}
			if r.IntN(6) > 0 {
				g.Model = c.Models[r.IntN(models)]
			}
			for range 1 + r.IntN(2) {
				g.Actions = append(g.Actions, actions[r.IntN(len(actions))])
			}
			role.Grants = append(role.Grants, g)
		}
		if r.IntN(3) == 0 {
			role.Apps = append(role.Apps, []string{"a", "b", "*"}[r.IntN(3)])
		}
		if r.IntN(5) == 0 {
			role.Permissions = append(role.Permissions, "ADMIN")
		}
		c.Roles = append(c.Roles, role)
	}
	c.Freeze()
	return c
}

// TestBitsEqualCasbin compares every decision of the bit sets with Enforce.
func TestBitsEqualCasbin(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c := random(rnd, 2+rnd.IntN(30), 1+rnd.IntN(5))
		p, err := Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		objects := []string{"app:a", "app:b", "app:ghost", "permission:admin"}
		for _, m := range c.Models {
			objects = append(objects, "model:"+m.Code)
		}
		for _, role := range c.Roles {
			set := p.set([]string{role.Code})
			for _, o := range objects {
				for _, a := range []string{"view", "add", "edit", "delete", "close", "open", "have", "ghost"} {
					want, err := p.enforcer.Enforce(strings.ToLower(role.Code), o, a)
					if err != nil {
						t.Fatal(err)
					}
					if got := p.allows(set.bits, o, a); got != want {
						t.Fatalf("seed %d: %s %s %s: bits %v, casbin %v", seed, role.Code, o, a, got, want)
					}
				}
			}
		}
	}
}

// TestUnionOfRoles: several roles give exactly what some of them gives.
func TestUnionOfRoles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	c := random(rnd, 12, 4)
	p, err := Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		a, b := c.Roles[rnd.IntN(12)].Code, c.Roles[rnd.IntN(12)].Code
		both, first, second := p.set([]string{a, b}), p.set([]string{a}), p.set([]string{b})
		for i := range both.bits {
			if both.bits[i] != first.bits[i]|second.bits[i] {
				t.Fatalf("%s + %s differ from their union", a, b)
			}
		}
	}
}

func BenchmarkCan(b *testing.B) {
	c := random(rand.New(rand.NewPCG(1, 1)), 500, 100)
	p, err := Compile(c)
	if err != nil {
		b.Fatal(err)
	}
	r := p.View(principal.Principal{UserID: "u", Roles: []string{"r1", "r7", "r99"}}, time.Now(), time.UTC)
	m := c.Models[50]
	b.ReportAllocs()
	for b.Loop() {
		r.Can(m, "delete")
	}
}

func BenchmarkRights(b *testing.B) {
	c := random(rand.New(rand.NewPCG(1, 1)), 500, 100)
	p, err := Compile(c)
	if err != nil {
		b.Fatal(err)
	}
	who := principal.Principal{UserID: "u", Roles: []string{"r1", "r7", "r99"}}
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		p.View(who, now, time.UTC).Rows(c.Models[50])
	}
}
