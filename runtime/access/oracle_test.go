package access_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/store"
)

// oracle says what people may do by the grants of their roles, one record at a time. It shares nothing with the engine.
type oracle map[string][]grant

func (o oracle) grants(p principal.Person) (out []grant) {
	for code, of := range o {
		if slices.ContainsFunc(p.Roles, func(r string) bool { return strings.EqualFold(r, code) }) {
			out = append(out, of...)
		}
	}
	return out
}

func holds(condition string, p principal.Person, l lot) bool {
	switch condition {
	case "all":
		return true
	case "own":
		return l.owner == p.ID
	case "department":
		return slices.Contains(p.Departments, l.dept)
	case "departmentTree":
		return slices.Contains(below(p.Departments), l.dept)
	case "place == 'A'":
		return l.place == "A"
	case "price > 5":
		return l.price > 5
	}
	return false
}

func (g grant) edit() string {
	if g.Edit == "" {
		return g.Rows
	}
	return g.Edit
}

// right is what a grant gives to the secret of a lot: 0, 1 to read, 2 to write.
func (g grant) right() int {
	return map[string]int{"-": 0, "r": 1}[g.Fields["secret"]] + 2*one(g.Fields["secret"] == "")
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (g grant) names(action string) bool { return slices.Contains(g.Actions, action) }

func (o oracle) sees(p principal.Person, l lot) bool { return o.may(p, "view", l, 0) }

// may reports whether somebody may do an action on a lot, with the right to its secret.
func (o oracle) may(p principal.Person, action string, l lot, secret int) bool {
	if action != "view" && !o.may(p, "view", l, 0) {
		return false
	}
	return slices.ContainsFunc(o.grants(p), func(g grant) bool {
		bound := action == "edit" || action == "delete"
		return g.names(action) && g.right() >= secret && holds(g.Rows, p, l) && (!bound || holds(g.edit(), p, l))
	})
}

// secret is what somebody may do with the secret of a lot.
func (o oracle) secret(p principal.Person, l lot) string {
	switch {
	case !o.may(p, "view", l, 1):
		return "-"
	case o.may(p, "edit", l, 2):
		return "rw"
	}
	return "r"
}

var conditions = []string{"all", "own", "department", "departmentTree", "place == 'A'", "price > 5"}

func randomRoles(r *rand.Rand) oracle {
	out := oracle{}
	for _, code := range []string{"a", "b", "c"} {
		out[code] = []grant{}
		for range r.IntN(3) {
			g := grant{Model: "lot", Actions: []string{"view"}, Rows: conditions[r.IntN(len(conditions))]}
			for _, action := range []string{"edit", "delete", "export"} {
				if r.IntN(2) == 0 {
					g.Actions = append(g.Actions, action)
				}
			}
			if r.IntN(2) == 0 {
				g.Edit = conditions[r.IntN(len(conditions))]
			}
			if right := r.IntN(3); right < 2 {
				g.Fields = map[string]string{"secret": []string{"-", "r"}[right]}
			}
			out[code] = append(out[code], g)
		}
	}
	return out
}

func randomPeople(r *rand.Rand) (out []principal.Person) {
	for n := range 7 {
		p := principal.Person{ID: id(isPerson, n), Name: fmt.Sprint("p", n), Disabled: r.IntN(6) == 0}
		for range r.IntN(3) {
			p.Roles = append(p.Roles, []string{"a", "b", "A", "B"}[r.IntN(4)])
		}
		for range r.IntN(2) {
			p.Departments = append(p.Departments, id(isDepartment, r.IntN(3)))
		}
		out = append(out, p)
	}
	return out
}

// TestRandomChanges: everybody who can do something else than before is in the group of those for whom the same
// changes, and the records that are counted are those of the model.
func TestRandomChanges(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		lots := put(t, db, compiled(t, nil).Catalog(), 12)
		counts := 0
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 41))
			was, is := randomRoles(r), randomRoles(r)
			people := randomPeople(r)
			before, after := compiled(t, documents(t, was)), compiled(t, documents(t, is))
			change := access.Change{Before: before, After: after, DB: db, People: people, Below: below, Now: now, Zone: now.Location()}
			report, err := change.Report(t.Context())
			require.NoError(t, err)
			sum := 0
			for i, g := range report.Groups {
				sum += g.People
				require.True(t, i == 0 || report.Groups[i-1].People >= g.People, "the largest first")
			}
			require.Equal(t, sum, report.People)
			for _, p := range people {
				g := groupOf(report, p)
				differs := ""
				for _, l := range lots {
					for _, action := range []string{"view", "edit", "delete", "export"} {
						if was.may(p, action, l, 0) != is.may(p, action, l, 0) {
							differs = action
						}
					}
					if was.secret(p, l) != is.secret(p, l) {
						differs = "secret"
					}
				}
				switch {
				case p.Disabled:
					require.True(t, g == nil || !slices.Contains(g.Names, p.Name))
					continue
				case differs != "":
					require.NotNil(t, g, "seed %d: %s of %s changes", seed, differs, p.Name)
				}
				if g == nil {
					continue
				}
				for _, row := range g.Models[0].Rows {
					counts += compareCounts(t, row, p, lots, was, is)
				}
			}
		}
		require.Greater(t, counts, 50)
	})
}

// groupOf is the group of a person's roles.
func groupOf(r *access.Report, p principal.Person) *access.Group {
	var roles []string
	for _, code := range p.Roles {
		if code = strings.ToLower(code); !slices.Contains(roles, code) {
			roles = append(roles, code)
		}
	}
	slices.Sort(roles)
	for i, g := range r.Groups {
		for _, of := range g.Roles {
			if strings.EqualFold(strings.Join(of, ";"), strings.Join(roles, ";")) && g.People > 0 {
				return &r.Groups[i]
			}
		}
	}
	return nil
}

func compareCounts(t *testing.T, row access.RowChange, p principal.Person, lots []lot, was, is oracle) (compared int) {
	for _, action := range row.Actions {
		for _, n := range row.Counts {
			if n.Name != "" && n.Name != p.Name {
				continue
			}
			want := access.Count{Name: n.Name}
			for _, l := range lots {
				before, after := was.may(p, action, l, 0), is.may(p, action, l, 0)
				want.Gained, want.Lost = want.Gained+int64(one(after && !before)), want.Lost+int64(one(before && !after))
			}
			require.Equal(t, want, n, "%s of %s: %s -> %s", action, p.Name, row.Before, row.After)
			compared++
		}
	}
	return compared
}

// TestRandomExplanations: what is explained of a record is what the model says of it, and the grants behind it are those that hold.
func TestRandomExplanations(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		lots := put(t, db, compiled(t, nil).Catalog(), 8)
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 42))
			roles, people := randomRoles(r), randomPeople(r)[:4]
			policy := compiled(t, documents(t, roles))
			for _, p := range people {
				v := view(policy, p)
				require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
					for _, l := range lots {
						got, err := access.Explain(t.Context(), tx, v, v.Model("lot"), l.id)
						require.NoError(t, err)
						compare(t, got, roles, p, l)
					}
					return nil
				}))
			}
		}
	})
}

func compare(t *testing.T, got *access.Explanation, roles oracle, p principal.Person, l lot) {
	t.Helper()
	require.Equal(t, roles.sees(p, l), got.Sees)
	for _, a := range got.Actions {
		if slices.Contains([]string{"view", "edit", "delete", "export"}, a.Code) {
			require.Equal(t, roles.may(p, a.Code, l, 0), a.Allowed, "%s of %s", a.Code, p.Name)
		}
	}
	rights := map[string]string{}
	for _, f := range got.Fields {
		rights[f.Code] = f.Right
	}
	require.Equal(t, roles.secret(p, l), rights["secret"])
	var want, is []string
	for _, g := range roles.grants(p) {
		want = append(want, fmt.Sprint(g.Actions, holds(g.Rows, p, l), holds(g.Rows, p, l) && holds(g.edit(), p, l)))
	}
	for _, g := range got.Grants {
		is = append(is, fmt.Sprint(g.Actions, *g.Holds, *g.Edits))
	}
	require.ElementsMatch(t, want, is)
}
