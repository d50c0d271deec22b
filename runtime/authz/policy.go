package authz

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
	defaultrolemanager "github.com/casbin/casbin/v3/rbac/default-role-manager"

	"github.com/sluice-platform/sluice/engine/catalog"
)

//go:embed model.conf
var modelText string

// The kinds of objects that casbin decides about, and the actions on those that are no models.
const (
	kindModel      = "model:"
	kindApp        = "app:"
	kindPermission = "permission:"
	kindAction     = "action:"
	open           = "open"
	have           = "have"
	run            = "run"
	every          = "*"
)

// Policy is what the roles of one catalog give. It is immutable besides its cache of role sets.
type Policy struct {
	catalog  *catalog.Catalog
	enforcer *casbin.Enforcer
	objects  map[string]int
	actions  map[string]int
	roles    map[string]*role
	perms    []string

	mu   sync.Mutex
	sets map[string]*roleSet
}

// role is an access document with all that it includes.
type role struct {
	code    string
	bits    bitset
	closure []*catalog.Role // itself first
}

// maxRoleSets bounds the cache; an installation has far fewer combinations of roles in use.
const maxRoleSets = 4096

// Compile fills casbin from the roles of a catalog and compiles its decisions.
func Compile(c *catalog.Catalog) (*Policy, error) {
	m, err := model.NewModelFromString(modelText)
	if err != nil {
		return nil, fmt.Errorf("authz model: %w", err)
	}
	e, err := casbin.NewEnforcer(m)
	if err != nil {
		return nil, fmt.Errorf("authz enforcer: %w", err)
	}
	// The default manager stops after ten levels of inheritance; here the number of roles is the bound.
	e.SetRoleManager(defaultrolemanager.NewRoleManagerImpl(len(c.Roles) + 1))
	p := &Policy{catalog: c, enforcer: e, objects: map[string]int{}, actions: map[string]int{}, roles: map[string]*role{}, sets: map[string]*roleSet{}}
	rules := p.rules(c)
	if err := p.fill(c, rules); err != nil {
		return nil, err
	}
	own := map[string]bitset{}
	for _, rule := range rules {
		b := own[rule[0]]
		if b == nil {
			b = newBitset(len(p.objects) * len(p.actions))
			own[rule[0]] = b
		}
		b.set(p.decision(rule[1], rule[2]))
	}
	for _, r := range c.Roles {
		if err := p.compileRole(c, r, own); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Catalog returns the definitions that the policy is of.
func (p *Policy) Catalog() *catalog.Catalog { return p.catalog }

// rules lists (role, kind:code, action) of all access documents and numbers objects and actions. "*" in place of a model or
// an application represents each that is loaded, so that no name is ever matched by a pattern.
func (p *Policy) rules(c *catalog.Catalog) [][]string {
	var out [][]string
	seen := map[[3]string]bool{}
	add := func(role, object, action string) {
		k := [3]string{strings.ToLower(role), strings.ToLower(object), strings.ToLower(action)}
		if !seen[k] {
			seen[k] = true
			number(p.objects, k[1])
			number(p.actions, k[2])
			out = append(out, k[:])
		}
	}
	for _, action := range []string{every, "view", "add"} { // which links have, whoever else does
		number(p.actions, action)
	}
	for _, r := range c.Roles {
		for _, code := range permissionsOf(r) {
			add(r.Code, kindPermission+code, have)
			p.perms = appendNew(p.perms, code)
		}
		for _, a := range r.Apps {
			for _, code := range appsOf(c, a) {
				add(r.Code, kindApp+code, open)
			}
		}
		for _, code := range r.Actions {
			for _, a := range actionsOf(c, code) {
				add(r.Code, kindAction+a, run)
			}
		}
		for _, g := range r.Grants {
			for _, m := range modelsOf(c, g) {
				for _, a := range g.Actions {
					add(r.Code, kindModel+m.Code, a)
				}
			}
		}
	}
	slices.Sort(p.perms)
	return out
}

func number(ids map[string]int, key string) {
	if _, ok := ids[key]; !ok {
		ids[key] = len(ids)
	}
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func appsOf(c *catalog.Catalog, code string) []string {
	if code != every {
		return []string{code}
	}
	out := make([]string, len(c.Apps))
	for i, a := range c.Apps {
		out[i] = a.Code
	}
	return out
}

// actionsOf are the actions that routes of the catalog can call.
func actionsOf(c *catalog.Catalog, code string) []string {
	if code != every {
		return []string{code}
	}
	var out []string
	for _, r := range c.Routes {
		out = append(out, r.Action.Name())
	}
	return out
}

func modelsOf(c *catalog.Catalog, g catalog.Grant) []*catalog.Model {
	if g.Model != nil {
		return []*catalog.Model{g.Model}
	}
	return c.Models
}

// fill loads casbin.
func (p *Policy) fill(c *catalog.Catalog, rules [][]string) error {
	if len(rules) > 0 {
		if _, err := p.enforcer.AddPolicies(rules); err != nil {
			return fmt.Errorf("authz policies: %w", err)
		}
	}
	for _, r := range c.Roles {
		for _, i := range r.Includes {
			if _, err := p.enforcer.AddGroupingPolicy(strings.ToLower(r.Code), strings.ToLower(i)); err != nil {
				return fmt.Errorf("authz role %s includes %s: %w", r.Code, i, err)
			}
		}
	}
	return nil
}

// compileRole turns casbin's implicit roles of one role into its closure, and what they have of their own into its bit set. Casbin's implicit
// permissions are the same, found by going over all rules for each role.
func (p *Policy) compileRole(c *catalog.Catalog, r *catalog.Role, own map[string]bitset) error {
	code := strings.ToLower(r.Code)
	included, err := p.enforcer.GetImplicitRolesForUser(code)
	if err != nil {
		return fmt.Errorf("authz roles of %s: %w", r.Code, err)
	}
	out := &role{code: r.Code, bits: newBitset(len(p.objects) * len(p.actions)), closure: []*catalog.Role{r}}
	for _, i := range append([]string{code}, included...) {
		out.bits.join(own[i])
	}
	slices.Sort(included)
	for _, i := range included {
		if in := c.Role(i); in != nil && in != r {
			out.closure = append(out.closure, in)
		}
	}
	p.roles[code] = out
	return nil
}

// decision is the number of (object, action) in the bit sets, or -1 when no rule names one of them.
func (p *Policy) decision(object, action string) int {
	o, ok := p.objects[object]
	a, known := p.actions[action]
	if !ok || !known {
		return -1
	}
	return o*len(p.actions) + a
}

// allows is casbin's decision read from a bit set: the action itself or every action.
func (p *Policy) allows(b bitset, object, action string) bool {
	return b.has(p.decision(object, action)) || b.has(p.decision(object, every))
}

// set returns what the roles of a principal give together. Unknown codes give nothing.
func (p *Policy) set(codes []string) *roleSet {
	keys := make([]string, 0, len(codes))
	for _, c := range codes {
		keys = append(keys, strings.ToLower(c))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	key := strings.Join(keys, ";")
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sets[key]
	if s == nil {
		if len(p.sets) >= maxRoleSets {
			clear(p.sets)
		}
		s = p.newSet(keys)
		p.sets[key] = s
	}
	return s
}

// bitset is a set of decision numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int) {
	if i >= 0 {
		b[i/64] |= 1 << (i % 64)
	}
}

func (b bitset) has(i int) bool { return i >= 0 && i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) join(o bitset) {
	for i := range o {
		b[i] |= o[i]
	}
}
