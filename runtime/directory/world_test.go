package directory_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// compiled are the models that are read, as the packs of the product have them.
func compiled(t *testing.T) *catalog.Catalog {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	documents := map[string]string{"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`}
	for _, file := range []string{"organisation/models/user", "organisation/models/department", "organisation/models/role", "organisation/models/roleGroup", "core/models/division"} {
		text, err := os.ReadFile("../../plugins/" + file + ".json")
		require.NoError(t, err)
		documents["models/"+path.Base(file)+".json"] = string(text)
	}
	return compiletest.Pack(t, set, documents, time.UTC)
}

// each runs a test on an empty database of each kind, which has the tables of the packs.
func each(t *testing.T, f func(t *testing.T, db *store.DB, c *catalog.Catalog)) {
	t.Parallel()
	c := compiled(t)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		p, err := db.Plan(t.Context(), c.Storage, store.PlanOptions{})
		require.NoError(t, errors.Join(err, db.Apply(t.Context(), p, store.ApplyOptions{})))
		f(t, db, c)
	})
}

// how is the way in which a write is heard of.
type how int

const (
	told   how = iota // this process knows the records
	untold            // it knows the table: records that changed lately are compared
	old               // and those that changed say that it was long ago: all are compared
	ways
)

// company is the organization as the test knows it, and what the directory reads.
type company struct {
	*testing.T
	*directory.Directory
	db          *store.DB
	c           *catalog.Catalog
	random      *rand.Rand
	people      map[string]principal.Person // Roles are ids of roles, and MainDepartment is as it is kept
	departments map[string]principal.Department
	roles       map[string]string // codes by id
	shut        map[string]bool
	created     map[string]time.Time
	made        int
}

func newCompany(t *testing.T, db *store.DB, c *catalog.Catalog) *company {
	d, err := directory.New(t.Context(), db, c)
	require.NoError(t, err)
	return &company{T: t, Directory: d, db: db, c: c, random: rand.New(rand.NewPCG(2, 38)), people: map[string]principal.Person{},
		departments: map[string]principal.Department{}, roles: map[string]string{}, shut: map[string]bool{}, created: map[string]time.Time{}}
}

var first = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// id makes a new one; records are created in another order than that of their ids.
func (o *company) id() string {
	o.made++
	id := fmt.Sprintf("%08x-0000-7000-8000-%012d", o.random.Uint32(), o.made)
	o.created[id] = first.Add(time.Duration(o.random.IntN(50)) * time.Second)
	return id
}

// put writes a record, a new one too.
func (o *company) put(tx *store.Tx, way how, model, id string, fresh bool, values map[string]any) error {
	m := o.c.Model(model)
	o.made++
	if values["modifiedTime"] = first.Add(time.Duration(o.made) * time.Minute); way == old && !fresh { // what comes says when it came
		values["modifiedTime"] = first.AddDate(-6, 0, 0).Add(time.Duration(o.made) * time.Second)
	}
	if way != told {
		tx.Touch(m.Table)
	}
	if fresh {
		values["id"], values["version"], values["createdTime"], values["sequenceNo"] = id, int64(1), o.created[id], id
		values["sequenceStatus"] = "COMPLETED"
		return tx.Insert(o.Context(), m, values)
	}
	_, err := tx.Update(o.Context(), m, id, -1, plan.True, values)
	return err
}

func (o *company) write(f func(ctx context.Context, tx *store.Tx) error) {
	o.Helper()
	require.NoError(o, o.db.Write(o.Context(), f))
}

func (o *company) putPerson(tx *store.Tx, way how, p principal.Person) error {
	_, was := o.people[p.ID]
	o.people[p.ID] = p
	empty := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	return o.put(tx, way, "user", p.ID, !was, map[string]any{"username": p.Username, "name": p.Name, "mobile": empty(p.Mobile), "email": empty(p.Email), "imgUrl": empty(p.ImageURL),
		"employeeNo": empty(p.EmployeeNo), "position": empty(p.Position), "departments": p.Departments, "mainDepartment": empty(p.MainDepartment), "roles": p.Roles, "disabled": p.Disabled})
}

func (o *company) putDepartment(tx *store.Tx, way how, d principal.Department, shut bool) error {
	_, was := o.departments[d.ID]
	o.departments[d.ID], o.shut[d.ID] = d, shut
	var parent any
	if d.Parent != "" {
		parent = d.Parent
	}
	return o.put(tx, way, "department", d.ID, !was, map[string]any{"name": d.Name, "parent": parent, "disabled": shut})
}

func (o *company) putRole(tx *store.Tx, way how, id, code string) error {
	_, was := o.roles[id]
	o.roles[id] = code
	return o.put(tx, way, "role", id, !was, map[string]any{"code": code, "name": code})
}

func (o *company) remove(tx *store.Tx, way how, model, id string) error {
	if way != told {
		tx.Touch(o.c.Model(model).Table)
	}
	_, err := tx.Delete(o.Context(), o.c.Model(model), id, -1, plan.True)
	return err
}

// inOrder are ids of a map in the order of creation.
func inOrder[V any](o *company, of map[string]V) (out []string) {
	for id := range of {
		out = append(out, id)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(o.created[a].Compare(o.created[b]), cmp.Compare(a, b)) })
	return out
}

// some picks up to so many of a list.
func (o *company) some(of []string, most int) (out []string) {
	for range o.random.IntN(most + 1) {
		if len(of) > 0 {
			out = append(out, of[o.random.IntN(len(of))])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	names = []string{"张伟", "王芳", "Li Na", "li na", "Zoe", "章威"}
	units = []string{"质量部", "安全部", "Works", "一队"}
)

// step changes something.
func (o *company) step(_ context.Context, tx *store.Tx) error {
	way, departments, people, roles := how(o.random.IntN(int(ways))), inOrder(o, o.departments), inOrder(o, o.people), inOrder(o, o.roles)
	switch what := o.random.IntN(12); {
	case what == 0 || len(roles) == 0:
		id := o.id()
		return o.putRole(tx, way, id, fmt.Sprint("Role_", o.made))
	case what == 1:
		return o.putRole(tx, way, roles[o.random.IntN(len(roles))], fmt.Sprint("again_", o.made))
	case what == 2 && len(roles) > 2:
		id := roles[o.random.IntN(len(roles))]
		delete(o.roles, id)
		for _, one := range people {
			p := o.people[one]
			if i := slices.Index(p.Roles, id); i >= 0 {
				p.Roles = slices.Delete(slices.Clone(p.Roles), i, i+1)
				if err := o.putPerson(tx, way, p); err != nil {
					return err
				}
			}
		}
		return o.remove(tx, way, "role", id)
	case what == 3 || len(departments) == 0:
		d := principal.Department{ID: o.id(), Name: units[o.random.IntN(len(units))]}
		if len(departments) > 0 && o.random.IntN(3) > 0 {
			d.Parent = departments[o.random.IntN(len(departments))]
		}
		return o.putDepartment(tx, way, d, false)
	case what == 4:
		d := o.departments[departments[o.random.IntN(len(departments))]]
		d.Name = units[o.random.IntN(len(units))]
		return o.putDepartment(tx, way, d, o.random.IntN(2) == 0)
	case what == 5 && len(people) > 5:
		id := people[o.random.IntN(len(people))]
		delete(o.people, id)
		return o.remove(tx, way, "user", id)
	case what == 6 && len(people) > 0: // was deleted and came back as another first version
		p := o.people[people[o.random.IntN(len(people))]]
		p.Name = names[o.random.IntN(len(names))]
		delete(o.people, p.ID)
		if err := o.remove(tx, way, "user", p.ID); err != nil {
			return err
		}
		return o.putPerson(tx, way, p)
	case what <= 8 && len(people) > 0:
		p := o.people[people[o.random.IntN(len(people))]]
		p.Name, p.Disabled, p.Departments, p.Roles = names[o.random.IntN(len(names))], o.random.IntN(3) == 0, o.some(departments, 3), o.some(roles, 2)
		if p.MainDepartment = ""; o.random.IntN(2) == 0 && len(p.Departments) > 0 {
			p.MainDepartment = p.Departments[len(p.Departments)-1]
		}
		if o.random.IntN(3) == 0 {
			p.Username = fmt.Sprint("New", o.made)
		}
		return o.putPerson(tx, way, p)
	}
	id := o.id()
	p := principal.Person{ID: id, Username: fmt.Sprint("User", o.made), Name: names[o.random.IntN(len(names))], Departments: o.some(departments, 2), Roles: o.some(roles, 2), Position: "Engineer"}
	if o.random.IntN(2) == 0 {
		p.Email, p.EmployeeNo, p.Mobile, p.ImageURL = fmt.Sprint(strings.Repeat("X", o.random.IntN(2)), "x@Example.com"), fmt.Sprint("E", o.made), fmt.Sprint("139", 10000000+o.made), "/a.png"
	}
	return o.putPerson(tx, way, p)
}

// person is what the directory says of one.
func (o *company) person(id string) principal.Person {
	p := o.people[id]
	if p.MainDepartment == "" && len(p.Departments) > 0 {
		p.MainDepartment = p.Departments[0]
	}
	var codes []string
	for _, id := range p.Roles {
		if code := o.roles[id]; code != "" {
			codes = append(codes, code)
		}
	}
	p.Roles = codes
	return p
}

// below are departments and those under them, in the order of the tree.
func (o *company) below(of ...string) (out []string) {
	for _, id := range of {
		if slices.Contains(out, id) {
			continue
		}
		out = append(out, id)
		for _, child := range inOrder(o, o.departments) {
			if o.departments[child].Parent == id {
				for _, one := range o.below(child) {
					if !slices.Contains(out, one) {
						out = append(out, one)
					}
				}
			}
		}
	}
	return out
}

// found is a person or department as pickers show one.
func (o *company) found(id string) directory.Found {
	if d, is := o.departments[id]; is {
		return directory.Found{ID: id, Name: d.Name, Detail: o.departments[d.Parent].Name, Leaf: len(o.below(id)) == 1}
	}
	p, same := o.person(id), 0
	for _, other := range o.people {
		if !other.Disabled && strings.EqualFold(other.Name, p.Name) {
			same++
		}
	}
	detail := []string{o.departments[p.MainDepartment].Name}
	if same > 1 && p.EmployeeNo != "" {
		detail = append(detail, p.EmployeeNo)
	}
	if detail[0] == "" {
		detail = detail[1:]
	}
	return directory.Found{ID: id, Name: p.Name, ImageURL: p.ImageURL, Detail: strings.Join(detail, " · "), Leaf: true}
}

// search are those whom a picker offers for a text.
func (o *company) search(kind, text string, suits func(id string) bool) (out []directory.Found) {
	type entry struct {
		id, sounds string
		finder.Subject
	}
	var all []entry
	if kind == directory.User {
		for id, p := range o.people {
			if !p.Disabled {
				all = append(all, entry{id, directory.Sounds(p.Name) + " " + strings.ToLower(p.Username), finder.Subject{Names: []string{p.Name}, Codes: []string{p.Username}, Person: true}})
			}
		}
	} else {
		for id, d := range o.departments {
			if !o.shut[id] {
				all = append(all, entry{id, directory.Sounds(d.Name), finder.Subject{Names: []string{d.Name}}})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.sounds, b.sounds), cmp.Compare(a.id, b.id)) })
	typed := finder.Typed(text)
	for fit := finder.Exact; fit < finder.None; fit++ {
		for _, e := range all {
			if suits(e.id) && typed.Fit(e.Subject) == fit {
				one := o.found(e.id)
				one.Named = typed.Named(fit)
				out = append(out, one)
			}
		}
	}
	return out
}
