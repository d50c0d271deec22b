package authz_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// TestCompareRandomRoles compares two versions of random roles with an independent model: every action, row and field that somebody gains or
// loses is listed, and permissions and actions that are listed did change.
func TestCompareRandomRoles(t *testing.T) {
	t.Parallel()
	changes := 0
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 43))
		m, other := lot(), &catalog.Model{Code: "other"}
		other.Fields = []*catalog.Field{{Code: "x", Model: other}}
		models := []*catalog.Model{m, other}
		version := func(change bool) (*authz.Policy, map[string]*catalog.Role) {
			roles := randomRoles(rand.New(rand.NewPCG(seed, 44)), models)
			if change {
				r := pick(rnd, roles...)
				switch rnd.IntN(4) {
				case 0:
					r.Includes = append(r.Includes, pick(rnd, "boss", "a", "c"))
				case 1:
					r.Permissions = append(r.Permissions, "ADMIN")
				default:
					r.Grants = append(r.Grants, randomGrant(rnd, pick(rnd, nil, m, m)))
				}
			}
			p, _ := compile(t, models, roles...)
			byCode := map[string]*catalog.Role{}
			for _, r := range roles {
				byCode[strings.ToLower(r.Code)] = r
			}
			return p, byCode
		}
		before, rolesBefore := version(false)
		after, rolesAfter := version(true)
		assigned := []string{pick(rnd, "boss", "a", "b"), pick(rnd, "A", "c", "d", "ghost")}
		b, a := &oracle{roles: rolesBefore, held: map[string]bool{}}, &oracle{roles: rolesAfter, held: map[string]bool{}}
		for _, code := range assigned {
			b.take(code)
			a.take(code)
		}
		for _, x := range []struct {
			b, a          *oracle
			before, after *authz.Policy
		}{{b, a, before, after}, {a, b, after, before}} {
			got := authz.Compare(x.before, x.after, assigned, authz.Renames{})
			if !got.None() {
				changes++
			}
			name := fmt.Sprintf("seed %d, roles %v", seed, assigned)
			compareChanges(t, name, &got, x.b, x.a, m)
		}
	}
	if changes < 100 {
		t.Errorf("only %d comparisons found something", changes)
	}
	p, _ := compile(t, []*catalog.Model{lot()}, randomRoles(rand.New(rand.NewPCG(1, 1)), []*catalog.Model{lot(), lot()})...)
	if same := authz.Compare(p, p, []string{"a", "boss"}, authz.Renames{}); !same.None() {
		t.Errorf("a policy differs from itself: %+v", same)
	}
}

func TestNone(t *testing.T) {
	if c := (authz.Changes{}); !c.None() {
		t.Error("no change is one")
	}
	for _, c := range []authz.Changes{
		{Permissions: []authz.Gain{{}}},
		{Permissions: []authz.Gain{{}}, Apps: []authz.Gain{{}}},
		{Apps: []authz.Gain{{}}, Actions: []authz.Gain{{}}},
		{Actions: []authz.Gain{{}}, Models: []authz.ModelChanges{{}}},
		{Models: []authz.ModelChanges{{}}},
	} {
		if c.None() {
			t.Errorf("%+v is no change", c)
		}
	}
}

func compareChanges(t *testing.T, name string, got *authz.Changes, b, a *oracle, m *catalog.Model) {
	t.Helper()
	of := authz.ModelChanges{}
	if i := slices.IndexFunc(got.Models, func(c authz.ModelChanges) bool { return c.Code == m.Code }); i >= 0 {
		of = got.Models[i]
	}
	gained := func(list []authz.Gain, code string) (yes, listed bool) {
		i := slices.IndexFunc(list, func(g authz.Gain) bool { return strings.EqualFold(g.Code, code) })
		return i >= 0 && list[i].Gained, i >= 0
	}
	check := func(what string, list []authz.Gain, code string, was, is bool) {
		t.Helper()
		if yes, listed := gained(list, code); listed != (was != is) || yes && !is {
			t.Errorf("%s: %s was %v, is %v: listed %v, gained %v", name, what, was, is, listed, yes)
		}
	}
	for _, code := range []string{"ADMIN", "SYS_MNG", "APP_MNG"} {
		check("permission "+code, got.Permissions, code, slices.Contains(b.permissions(), code), slices.Contains(a.permissions(), code))
	}
	can := func(o *oracle, action string) bool {
		return o.some(m, action, func(*catalog.Grant) bool { return true })
	}
	rows := func(action string) bool {
		return slices.ContainsFunc(of.Rows, func(r authz.RowChange) bool {
			return slices.ContainsFunc(r.Actions, func(s string) bool { return strings.EqualFold(s, action) })
		})
	}
	for _, action := range everyAction {
		check("action "+action, of.Actions, action, can(b, action), can(a, action))
		_, told := gained(of.Actions, action)
		for _, at := range everyRow {
			if b.changes(m, action, at, nil) != a.changes(m, action, at, nil) && !rows(action) && !told {
				t.Errorf("%s: %s on %+v changes and is not listed", name, action, at)
			}
		}
	}
	for _, f := range everyField(m) {
		code := f.Code
		if f.Model.Parent != nil {
			code = "items." + code
		}
		listed := slices.ContainsFunc(of.Fields, func(c authz.FieldChange) bool { return c.Code == code })
		if f.System || listed {
			continue
		}
		for _, at := range everyRow {
			if !b.sees(m, at) || !a.sees(m, at) {
				continue // the change of rows says it
			}
			if b.shows(m, f, at, catalog.Readable) != a.shows(m, f, at, catalog.Readable) {
				t.Errorf("%s: field %s on %+v changes and is not listed", name, code, at)
			}
			edits := func(o *oracle) bool { return o.changes(m, "edit", at, nil) }
			if edits(b) && edits(a) && b.changes(m, "edit", at, f) != a.changes(m, "edit", at, f) {
				t.Errorf("%s: setting %s on %+v changes and is not listed", name, code, at)
			}
		}
	}
}

// TestCompareModels: a model that comes or goes is compared as one that nobody could see; a property that comes or goes with it changes nothing
// of rights.
func TestCompareModels(t *testing.T) {
	m, small := lot(), lot()
	small.Fields = small.Fields[1:]
	role := func(m *catalog.Model) *catalog.Role {
		return &catalog.Role{Code: "staff", Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: own, EditRows: own, Rest: catalog.Readable}}}
	}
	with, _ := compile(t, []*catalog.Model{m}, role(m))
	less, _ := compile(t, []*catalog.Model{small}, role(small))
	none, _ := compile(t, nil, &catalog.Role{Code: "staff", Permissions: []string{"APP_MNG"}})
	if c := authz.Compare(less, with, []string{"staff"}, authz.Renames{}); !c.None() {
		t.Errorf("a new property changes rights: %+v", c)
	}
	c := authz.Compare(none, with, []string{"staff"}, authz.Renames{})
	if len(c.Models) != 1 || len(c.Models[0].Actions) != 1 || !c.Models[0].Actions[0].Gained || len(c.Models[0].Fields) == 0 {
		t.Fatalf("a new model: %+v", c.Models)
	}
	if r := c.Models[0].Rows; len(r) != 1 || !plan.IsFalse(r[0].Before) || plan.Format(r[0].After) != "owner == user.id" {
		t.Errorf("rows of a new model: %+v", r)
	}
	if len(c.Permissions) != 1 || c.Permissions[0].Gained {
		t.Errorf("permissions: %+v", c.Permissions)
	}
	gained := len(c.Models[0].Fields)
	c = authz.Compare(with, none, []string{"staff"}, authz.Renames{})
	if len(c.Models) != 1 || len(c.Models[0].Actions) != 1 || c.Models[0].Actions[0].Gained || len(c.Models[0].Fields) != gained {
		t.Errorf("a model that goes: %+v", c.Models)
	}

	// The records of an action that is lost need no line of their own.
	deletes := role(m)
	deletes.Grants[0].Actions = []string{"view", "delete"}
	more, _ := compile(t, []*catalog.Model{m}, deletes)
	if c := authz.Compare(more, with, []string{"staff"}, authz.Renames{}); len(c.Models) != 1 || len(c.Models[0].Actions) != 1 || len(c.Models[0].Rows) != 0 {
		t.Errorf("an action that is lost: %+v", c.Models)
	}

	// A line of rows is of actions whose records were the same before and are the same now; a property that can be changed wherever the record
	// can be needs none.
	edits := func(rows, edit plan.Expr) *authz.Policy {
		r := role(m)
		r.Grants[0].Actions, r.Grants[0].Rows, r.Grants[0].EditRows, r.Grants[0].Rest = []string{"view", "edit"}, rows, edit, catalog.Writable
		p, _ := compile(t, []*catalog.Model{m}, r)
		return p
	}
	wider := authz.Compare(edits(own, isOK), edits(plan.True, plan.True), []string{"staff"}, authz.Renames{})
	if len(wider.Models) != 1 || len(wider.Models[0].Rows) != 2 || len(wider.Models[0].Fields) != 0 {
		t.Errorf("all rows instead of one's own: %+v", wider.Models)
	}

	// Every action is each of those that documents can name.
	every := role(m)
	every.Grants[0].Actions = []string{"*"}
	all, _ := compile(t, []*catalog.Model{m}, every)
	gains := map[string]bool{}
	for before, viewed := range map[*authz.Policy]bool{with: true, none: false} {
		clear(gains)
		for _, g := range authz.Compare(before, all, []string{"staff"}, authz.Renames{}).Models[0].Actions {
			gains[g.Code] = g.Gained
		}
		if !gains["delete"] || !gains["edit"] || !gains["export"] || gains["view"] == viewed {
			t.Errorf("who may do everything gains %v", gains)
		}
	}
	if c := authz.Compare(none, with, []string{"staff"}, authz.Renames{}); len(c.Models[0].Actions) != 1 {
		t.Errorf("who may view gains %+v", c.Models[0].Actions)
	}
}

func TestAdministers(t *testing.T) {
	role := func(code string, apps ...string) *catalog.Role {
		return &catalog.Role{Code: code, Permissions: []string{"APP_MNG"}, Apps: apps}
	}
	plain := &catalog.Role{Code: "plain", Apps: []string{"shiplock"}, Permissions: []string{"SYS_MNG"}}
	above := &catalog.Role{Code: "above", Apps: []string{"other"}, Includes: []string{"one"}}
	p, _ := compile(t, nil, role("one", "shiplock"), role("all", "*"), role("none"), plain, above)
	for role, want := range map[string][2]bool{"one": {true, false}, "all": {true, true}, "none": {}, "plain": {}, "above": {true, false}, "ghost": {}} {
		v := rights(p, role)
		if got := [2]bool{v.Administers("ShipLock"), v.Administers("other")}; got != want {
			t.Errorf("%s administers %v", role, got)
		}
	}
}
