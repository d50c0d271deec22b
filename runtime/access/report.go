// Package access says who gains or loses which rights by a change of the definitions, before it is made (docs/adr/0052).
//
// People with the same roles have the same rights but for the variables of their conditions, so combinations of roles are compared
// (authz.Compare) and the records of a few people of each are counted.
package access

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Report is what a change does to rights.
type Report struct {
	Groups []Group `json:"groups"`
	People int     `json:"people"` // whose rights change
	Ways   []Way   `json:"ways"`   // to records and rights besides roles
	Roles  []Name  `json:"roles"`  // that the groups name by their codes
}

// Group are the people for whom the same changes.
type Group struct {
	Roles       [][]string     `json:"roles"`  // their combinations of roles
	People      int            `json:"people"` // 0: nobody has the role yet
	Names       []string       `json:"names"`  // of the first of them
	Permissions []authz.Gain   `json:"permissions"`
	Apps        []authz.Gain   `json:"apps"`
	Actions     []authz.Gain   `json:"actions"`
	Models      []ModelChanges `json:"models"`
}

// ModelChanges are the changes of the rights to one model.
type ModelChanges struct {
	Code    string        `json:"code"`
	Label   plan.Label    `json:"label"`
	Actions []authz.Gain  `json:"actions"`
	Rows    []RowChange   `json:"rows"`
	Fields  []FieldChange `json:"fields"`
}

// RowChange is a change of the records on which actions are allowed, in the words of conditions.
type RowChange struct {
	Actions []string `json:"actions"`
	Before  string   `json:"before"` // "" = none, "all" = every record
	After   string   `json:"after"`
	Counts  []Count  `json:"counts"` // empty where the records cannot be counted, as when the tables change
}

// Count is how many records somebody gains and loses.
type Count struct {
	Name   string `json:"name"` // "" = everybody of the group
	Gained int64  `json:"gained"`
	Lost   int64  `json:"lost"`
}

// FieldChange is a change of the right to a field: "-" hidden, "r" or "rw". Where that holds on some of the records only, the condition is
// given.
type FieldChange struct {
	Code        string     `json:"code"`
	Label       plan.Label `json:"label"`
	Before      string     `json:"before"`
	After       string     `json:"after"`
	WhereBefore string     `json:"whereBefore"` // it shows; "" = on every visible record
	WhereAfter  string     `json:"whereAfter"`

	WritesBefore string `json:"writesBefore"` // an edit may set it; "" = on every record that may be edited
	WritesAfter  string `json:"writesAfter"`
}

// Limits of a report: people that are named of a group, people whose records are counted, and the time for it all.
const (
	named        = 5
	counted      = 3
	mostCounts   = 60
	countingTime = 5 * time.Second
)

// Change is what a report is made of. Where DB is nil nothing is counted.
type Change struct {
	Before, After *authz.Policy
	DB            *store.DB
	People        []principal.Person
	Below         func(departments []string) []string
	Now           time.Time
	Zone          *time.Location
}

// combination is the people with the same roles.
type combination struct {
	roles  []string
	people []principal.Person
}

// Report compares the rights of all people, and of the roles that nobody has.
func (c *Change) Report(ctx context.Context) (*Report, error) {
	out := &Report{Groups: []Group{}}
	limited, cancel := context.WithTimeout(ctx, countingTime)
	defer cancel()
	called := authz.RenamesBetween(c.Before.Catalog(), c.After.Catalog())
	out.Ways = Ways(c.Before.Catalog(), c.After.Catalog())
	counter := &counter{change: c, left: mostCounts}
	seen := map[string]int{}
	for _, of := range c.combinations(called) {
		changes := authz.Compare(c.Before, c.After, of.roles, called)
		if changes.None() {
			continue
		}
		g := group(&changes)
		key, err := json.Marshal(g)
		if err != nil {
			return nil, err
		}
		out.People += len(of.people)
		i, merged := seen[string(key)]
		if !merged {
			i = len(out.Groups)
			seen[string(key)] = i
			counter.count(limited, of, &changes, &g)
			out.Groups = append(out.Groups, g)
		}
		to := &out.Groups[i]
		to.Roles, to.People = append(to.Roles, of.roles), to.People+len(of.people)
		for _, p := range of.people[:min(len(of.people), max(0, named-len(to.Names)))] {
			to.Names = append(to.Names, p.Name)
		}
	}
	out.Roles = c.named(out.Groups)
	slices.SortStableFunc(out.Groups, func(a, b Group) int { return cmp.Compare(b.People, a.People) })
	return out, ctx.Err()
}

// named are the roles of groups with the names that their documents give them: after the change, or before where it removes them.
func (c *Change) named(groups []Group) []Name {
	codes := map[string]bool{}
	for _, g := range groups {
		for _, of := range g.Roles {
			for _, code := range of {
				codes[code] = true
			}
		}
	}
	out := []Name{}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		in := c.After.Catalog()
		if in.Role(code) == nil {
			in = c.Before.Catalog()
		}
		out = append(out, roleNames(in, code)...)
	}
	return out
}

// combinations are those that people have, and each role that nobody has.
func (c *Change) combinations(called authz.Renames) []combination {
	of, held := map[string]*combination{}, map[string]bool{}
	var keys []string
	for _, p := range c.People {
		if p.Disabled {
			continue
		}
		roles := slices.Clone(p.Roles)
		slices.SortFunc(roles, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
		roles = slices.CompactFunc(roles, strings.EqualFold)
		key := strings.ToLower(strings.Join(roles, ";"))
		if of[key] == nil {
			of[key] = &combination{roles: roles}
			keys = append(keys, key)
		}
		of[key].people = append(of[key].people, p)
		for _, r := range roles {
			held[strings.ToLower(r)] = true
		}
	}
	slices.Sort(keys)
	var out []combination
	for _, key := range keys {
		out = append(out, *of[key])
	}
	var free []string
	for _, p := range []*authz.Policy{c.Before, c.After} {
		for _, r := range p.Catalog().Roles {
			code := strings.ToLower(r.Code)
			if p == c.After {
				if was, ok := called.Was(r.Code); ok && held[strings.ToLower(was)] {
					continue
				}
			}
			if !held[code] {
				held[code] = true
				free = append(free, r.Code)
			}
		}
	}
	slices.Sort(free)
	for _, code := range free {
		out = append(out, combination{roles: []string{code}})
	}
	return out
}

func group(c *authz.Changes) Group {
	g := Group{Roles: [][]string{}, Names: []string{}, Permissions: c.Permissions, Apps: c.Apps, Actions: c.Actions, Models: []ModelChanges{}}
	for _, m := range c.Models {
		out := ModelChanges{Code: m.Code, Label: m.Label, Actions: m.Actions, Rows: []RowChange{}, Fields: []FieldChange{}}
		for _, r := range m.Rows {
			out.Rows = append(out.Rows, RowChange{Actions: r.Actions, Before: condition(r.Before), After: condition(r.After), Counts: []Count{}})
		}
		for _, f := range m.Fields {
			out.Fields = append(out.Fields, FieldChange{Code: f.Code, Label: f.Label, Before: catalog.WriteRight(f.Field, f.Before, f.RowsBefore), After: catalog.WriteRight(f.Field, f.After, f.RowsAfter),
				WhereBefore: where(f.WhereBefore), WhereAfter: where(f.WhereAfter),
				WritesBefore: where(f.WritesBefore), WritesAfter: where(f.WritesAfter)})
		}
		g.Models = append(g.Models, out)
	}
	return g
}

func condition(e plan.Expr) string {
	switch {
	case plan.IsTrue(e):
		return "all"
	case plan.IsFalse(e):
		return ""
	}
	return plan.Format(e)
}

func where(e plan.Expr) string {
	if e == nil {
		return ""
	}
	return plan.Format(e)
}

func right(r catalog.FieldRight) string {
	return map[catalog.FieldRight]string{catalog.Hidden: "-", catalog.Readable: "r", catalog.Writable: "rw"}[r]
}
