package directory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestCompany: after any changes, in whatever way the directory hears of them, it says what a model says that is made from nothing.
func TestCompany(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		for n := range storetest.Full(200, 600) {
			o.write(o.step)
			if o.random.IntN(4) == 0 { // nobody asks in between
				continue
			}
			o.compare(fmt.Sprint("step ", n), o.random.IntN(3) > 0)
		}
		for way := range ways { // more than are read one by one, and more than the texts of changed people
			o.write(func(ctx context.Context, tx *store.Tx) error {
				for i := range 501 {
					id := o.id()
					if err := o.putPerson(tx, way, principal.Person{ID: id, Username: fmt.Sprintf("many%d_%d", way, i), Name: names[i%len(names)]}); err != nil {
						return err
					}
				}
				return nil
			})
			o.compare(fmt.Sprint("many ", way), true)
			o.write(func(ctx context.Context, tx *store.Tx) error {
				for id, p := range o.people {
					if strings.HasPrefix(p.Username, "many") {
						delete(o.people, id)
						if err := o.remove(tx, way, "user", id); err != nil {
							return err
						}
					}
				}
				return nil
			})
			o.compare(fmt.Sprint("none of many ", way), true)
		}
	})
}

// compare asks the directory everything; what pickers search only sometimes, so that several changes come between two searches.
func (o *company) compare(when string, pickers bool) {
	o.Helper()
	ctx := o.Context()
	departments, people := inOrder(o, o.departments), inOrder(o, o.people)
	everybody := o.People(ctx)
	require.Len(o, everybody, len(people), when)
	require.True(o, slices.IsSortedFunc(everybody, func(a, b principal.Person) int { return strings.Compare(a.Username, b.Username) }))
	for _, got := range everybody {
		require.Equal(o, o.person(got.ID), got, when)
		for _, name := range []string{got.Username, strings.ToUpper(got.Username)} {
			p, known := o.PersonByName(ctx, name)
			require.True(o, known && p.ID == got.ID, when)
		}
		p, known := o.Person(ctx, got.ID)
		require.True(o, known)
		require.Equal(o, got, p)
	}
	for _, none := range []string{"", "nobody", "User1_"} {
		_, known := o.PersonByName(ctx, none)
		_, is := o.Person(ctx, none)
		require.False(o, known || is, when)
	}
	var codes []string
	for id, code := range o.roles {
		got, known := o.RoleID(ctx, strings.ToUpper(code))
		require.True(o, known && got == id, "%s: role %s", when, code)
		codes = append(codes, code)
	}
	require.ElementsMatch(o, codes, o.RoleCodes(ctx), when)
	require.True(o, slices.IsSorted(o.RoleCodes(ctx)))
	for _, id := range departments {
		d, known := o.Department(ctx, id)
		require.True(o, known)
		require.Equal(o, o.departments[id], d, when)
	}
	for _, of := range [][]string{nil, o.some(departments, 1), o.some(departments, 4)} {
		below := o.below(of...)
		require.Equal(o, below, o.Below(ctx, of), when)
		want := map[string]bool{}
		for _, id := range below {
			want[id] = true
		}
		for id, p := range o.people {
			if slices.ContainsFunc(p.Departments, func(d string) bool { return slices.Contains(below, d) }) {
				want[id] = true
			}
		}
		require.Equal(o, want, o.Members(ctx, of), when)
	}
	for _, id := range slices.Concat(o.some(people, 3), o.some(departments, 3)) {
		for model, is := range map[string]string{"User": o.people[id].Name, "DEPARTMENT": o.departments[id].Name, "role": ""} {
			got, known := o.Name(ctx, plan.Ref{Model: model, ID: id})
			require.Equal(o, is != "", known, when)
			require.Equal(o, is, got.Name, when)
			require.Equal(o, map[bool]string{true: o.people[id].ImageURL}[model == "User"], got.ImageURL)
		}
	}
	if pickers {
		o.comparePickers(when, people, departments)
	}
}

func (o *company) comparePickers(when string, people, departments []string) {
	o.Helper()
	ctx := o.Context()
	root := ""
	some := map[string]bool{}
	for _, id := range slices.Concat(o.some(people, 5), o.some(departments, 3)) {
		some[id] = true
	}
	below := []*string{nil, &root}
	for _, id := range o.some(departments, 2) {
		below = append(below, &id)
	}
	for _, kind := range []string{directory.User, directory.Department} {
		for _, text := range []string{"", " ZW ", "li", "部", "user1", "without"} {
			for _, at := range below {
				for _, among := range []map[string]bool{nil, some, {}} {
					want := o.search(kind, text, func(id string) bool {
						lies := at == nil || slices.Contains(o.people[id].Departments, *at)
						if d, is := o.departments[id]; is && at != nil {
							lies = d.Parent == *at
						}
						return lies && (among == nil || among[id])
					})
					got, total := o.Search(ctx, directory.Wanted{Kind: kind, Text: text, Below: at, Among: among, Limit: 2000})
					require.Equal(o, len(want), total, "%s: %s %q", when, kind, text)
					require.Equal(o, want, got, "%s: %s %q", when, kind, text)
					got, total = o.Search(ctx, directory.Wanted{Kind: kind, Text: text, Below: at, Among: among, Skip: 1, Limit: 2})
					require.Equal(o, len(want), total)
					require.Equal(o, append([]directory.Found{}, want[min(1, len(want)):min(3, len(want))]...), append([]directory.Found{}, got...), "%s: a page", when)
				}
			}
		}
		asked := append(slices.Concat(o.some(people, 3), o.some(departments, 3)), "nobody")
		want := []directory.Found{}
		for _, id := range asked {
			offered := kind == directory.User && o.people[id].ID != "" && !o.people[id].Disabled || kind == directory.Department && o.departments[id].ID != "" && !o.shut[id]
			if offered {
				want = append(want, o.found(id))
			}
		}
		require.Equal(o, want, o.Some(ctx, kind, asked), when)
	}
}

// TestMatch: whom or what a text written by hand means.
func TestMatch(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		ids := map[string]string{}
		o.write(func(ctx context.Context, tx *store.Tx) error {
			for _, d := range [][2]string{{"Project", ""}, {"Quality", "Project"}, {"Site", "Quality"}, {"Other", ""}, {"Quality Two", "Other"}} {
				ids[d[0]] = o.id()
				if err := o.putDepartment(tx, told, principal.Department{ID: ids[d[0]], Name: strings.TrimSuffix(d[0], " Two"), Parent: ids[d[1]]}, false); err != nil {
					return err
				}
			}
			for _, p := range []principal.Person{
				{Username: "lilei", Name: "Li Lei", Mobile: "13900000001", Email: "Li@Example.com", EmployeeNo: "E1", MainDepartment: ids["Quality"]},
				{Username: "lilei2", Name: "李  Lei", Departments: []string{ids["Site"], ids["Other"]}, EmployeeNo: "E2"},
				{Username: "gone", Name: "Li Lei", Disabled: true, EmployeeNo: "E3"},
				{Username: "kim", Name: "Kim (lilei)", Mobile: "13900000004"},
			} {
				p.ID = o.id()
				ids[p.Username] = p.ID
				if err := o.putPerson(tx, told, p); err != nil {
					return err
				}
			}
			return nil
		})
		all := directory.MatchKeys{Mobile: true, Email: true, EmployeeNo: true}
		for _, x := range []struct {
			kind, text string
			keys       directory.MatchKeys
			want       string
		}{
			{"user", "Li Lei", all, "gone lilei"}, {"user", " ＬＩ   lei ", all, "gone lilei"}, {"user", "LILEI", all, "gone lilei"}, {"user", "lilei", all, "lilei"}, {"user", "li", all, ""}, {"user", "", all, ""}, {"user", " ", all, ""},
			{"user", "13900000001", all, "lilei"}, {"user", "13900000001", directory.MatchKeys{Email: true, EmployeeNo: true}, ""},
			{"user", "li@example.com", directory.MatchKeys{Email: true}, "lilei"}, {"user", "li@example.com", directory.MatchKeys{Mobile: true, EmployeeNo: true}, ""},
			{"user", "+86 139 0000 0001", all, "lilei"}, {"user", "１３９-００００-０００１", all, "lilei"}, {"user", "+86 139 0000 0001", directory.MatchKeys{Email: true}, ""},
			{"user", "e2", directory.MatchKeys{EmployeeNo: true}, "lilei2"}, {"user", "e2", directory.MatchKeys{Mobile: true, Email: true}, ""},
			{"user", ids["kim"], directory.MatchKeys{}, "kim"},
			{"user", "Li Lei (lilei)", all, "lilei"}, {"user", "Li Lei（Quality）", all, "lilei"}, {"user", "Li Lei(gone)", all, "gone"}, {"user", "Li Lei (Project)", all, ""},
			{"user", "李 lei (site)", all, "lilei2"}, {"user", "李 lei (other)", all, "lilei2"}, {"user", "李 lei (Quality)", all, ""},
			{"user", "Li Lei (e3)", all, "gone"}, {"user", "Li Lei (e3)", directory.MatchKeys{Mobile: true, Email: true}, ""},
			{"user", "Li Lei (13900000001)", directory.MatchKeys{Mobile: true}, "lilei"}, {"user", "Li Lei (13900000001)", directory.MatchKeys{Email: true, EmployeeNo: true}, ""},
			{"user", "Li Lei (li@example.com)", directory.MatchKeys{Email: true}, "lilei"}, {"user", "Li Lei (li@example.com)", directory.MatchKeys{Mobile: true, EmployeeNo: true}, ""},
			{"user", "E1 (lilei)", all, ""}, {"user", "Li Lei ()", all, ""}, {"user", "(lilei)", all, ""}, {"user", "Li Lei (lilei", all, ""}, {"user", "Kim (lilei)", all, "kim"}, {"user", "Kim (lilei) (13900000004)", all, "kim"},
			{"department", "quality", all, "Quality Quality Two"}, {"department", "Project/Quality", all, "Quality"}, {"department", "other > quality", all, "Quality Two"},
			{"department", `Project\Quality\Site`, all, "Site"}, {"department", "Quality/Site", all, "Site"}, {"department", "Project/Site", all, ""}, {"department", "/Quality", all, ""}, {"department", "Root/Project/Quality", all, ""},
			{"department", ids["Other"], all, "Other"}, {"department", "Li Lei", all, ""}, {"user", "Quality", all, ""}, {"department", "", all, ""},
		} {
			var got []string
			for _, m := range o.Match(t.Context(), x.kind, x.text, x.keys) {
				for name, id := range ids {
					if id == m.ID {
						got = append(got, name)
						require.Equal(t, name == "gone", m.Disabled)
						require.Equal(t, o.found(id), m.Found)
					}
				}
			}
			slices.Sort(got)
			require.Equal(t, x.want, strings.Join(got, " "), "%s %q with %+v", x.kind, x.text, x.keys)
		}
		for name, want := range map[string]string{"lilei": "Li Lei（lilei）", "gone": "Li Lei（gone）", "lilei2": "李  Lei", "kim": "Kim (lilei)", "Quality": "Quality（Project）", "Quality Two": "Quality（Other）", "Site": "Site"} {
			kind := "user"
			if name[0] < 'a' {
				kind = "department"
			}
			require.Equal(t, want, o.Told(t.Context(), []string{"user", "department"}, plan.Ref{Model: kind, ID: ids[name]}, true), name)
			found := o.Match(t.Context(), kind, want, directory.MatchKeys{})
			require.Len(t, found, 1, name)
			require.Equal(t, ids[name], found[0].ID)
		}
		require.Equal(t, "Li Lei（Quality）", o.Told(t.Context(), []string{"user"}, plan.Ref{Model: "user", ID: ids["lilei"]}, false), "usernames are not told to everybody")
		require.Equal(t, "Li Lei（"+ids["gone"]+"）", o.Told(t.Context(), []string{"user"}, plan.Ref{Model: "user", ID: ids["gone"]}, false))
	})
}

// TestNamesInFiles: a name means the person who is called so, never one who is called longer, and nobody by its sound.
func TestNamesInFiles(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		called, names := map[string]string{}, findertest.Names()
		add := func(name string) {
			for _, known := range called {
				if known == name {
					return
				}
			}
			id := o.id()
			called[id] = name
			o.write(func(ctx context.Context, tx *store.Tx) error {
				return o.putPerson(tx, told, principal.Person{ID: id, Username: fmt.Sprintf("account%d", len(called)), Name: name})
			})
		}
		for _, p := range names.Pairs {
			add(p[1])
			add(p[0])
		}
		for _, r := range names.Readings {
			add(r.Name)
		}
		for _, p := range names.Pairs {
			for _, text := range []string{p[0], " " + p[0] + "　", strings.ToLower(p[0]), width.Widen.String(p[0])} {
				found := o.Match(t.Context(), "user", text, directory.MatchKeys{})
				require.Len(t, found, 1, text)
				require.Equal(t, p[0], called[found[0].ID])
			}
		}
		for _, r := range names.Readings {
			require.Len(t, o.Match(t.Context(), "user", r.Name, directory.MatchKeys{}), 1, r.Name)
			for _, sound := range r.Sounds {
				require.Empty(t, o.Match(t.Context(), "user", sound, directory.MatchKeys{}), sound)
			}
		}
	})
}

// TestByEmail: an address is compared without the case of ASCII letters, and no look-alike of one is the same.
func TestByEmail(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		o.write(func(ctx context.Context, tx *store.Tx) error {
			for username, email := range map[string]string{"a": "Kim.AZaz@Example.com", "b": "kim.azAZ@example.COM", "c": "kim@example.com", "d": ""} {
				if err := o.putPerson(tx, told, principal.Person{ID: o.id(), Username: username, Name: username, Email: email, Disabled: username == "b"}); err != nil {
					return err
				}
			}
			return nil
		})
		for email, want := range map[string]string{"kim.azaz@example.com": "a b", " KIM.AZAZ@EXAMPLE.COM ": "a b", "kim@example.com": "c", "\u212Aim@example.com": "", "": "", "  ": "", "kim": "", "kim[azaz@example.com": ""} {
			var got []string
			for _, p := range o.ByEmail(t.Context(), email) {
				got = append(got, p.Username)
			}
			slices.Sort(got)
			require.Equal(t, want, strings.Join(got, " "), "%q", email)
		}
		for code, want := range map[string]bool{"user": true, "USER": true, "department": true, "Department": true, "role": false, "": false} {
			require.Equal(t, want, directory.Knows(code), code)
		}
	})
}

// TestRefresh: what was written without a word is read when everything is read again, and a catalog that comes is read through.
func TestRefresh(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		p := principal.Person{ID: o.id(), Username: "ann", Name: "Ann"}
		o.write(func(ctx context.Context, tx *store.Tx) error { return o.putPerson(tx, told, p) })
		o.compare("at first", true)
		version := o.Version()
		o.write(func(ctx context.Context, tx *store.Tx) error {
			p.Name = "Ann Two"
			return o.putPerson(tx, told, p)
		})
		require.NotEqual(t, version, o.Version())
		version = o.Version()
		name := func() string { return o.People(t.Context())[0].Name }
		require.Equal(t, "Ann Two", name())
		o.write(func(ctx context.Context, tx *store.Tx) error {
			return tx.System().Exec(fmt.Sprintf(`UPDATE %q SET "name" = 'Bea'`, c.Model("user").Table)).Error
		})
		require.Equal(t, version, o.Version())
		require.Equal(t, "Ann Two", name())
		require.NoError(t, o.Refresh(t.Context()))
		require.Equal(t, "Bea", name())
		o.write(func(ctx context.Context, tx *store.Tx) error {
			return tx.System().Exec(fmt.Sprintf(`UPDATE %q SET "name" = 'Cid'`, c.Model("user").Table)).Error
		})
		require.Equal(t, "Bea", name())
		next := compiled(t)
		o.Use(next)
		require.Same(t, next, o.Catalog())
		require.Equal(t, "Cid", name())
	})
}

// TestNoOrganization: definitions without people, departments and roles have none of them, and begin to when they come.
func TestNoOrganization(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		none := compiletest.Pack(t, set, map[string]string{"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`}, time.UTC)
		o := newCompany(t, db, none)
		o.compare("without models", true)
		places := directory.NewPlaces(db)
		places.Use(none)
		require.Empty(t, places.Below(""))
		require.Empty(t, places.Search("x", 3, 1))
		o.c = c
		o.Use(c)
		o.write(func(ctx context.Context, tx *store.Tx) error {
			return o.putPerson(tx, told, principal.Person{ID: o.id(), Username: "ann", Name: "Ann"})
		})
		o.compare("with models", true)
	})
}
