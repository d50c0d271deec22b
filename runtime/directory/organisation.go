package directory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// organisation is one reading of the three models. It is never changed.
type organisation struct {
	of          *catalog.Catalog
	version     uint64
	people      map[string]principal.Person
	byUsername  map[string]string
	departments map[string]principal.Department
	children    map[string][]string // "" = roots
	roles       map[string]string   // lower-case code -> id
	entries     map[string][]entry  // by model, in the order of their names
}

// entry is a person or department as pickers search for one.
type entry struct{ id, name, sounds string }

// maxEntries bounds each model; an organisation that is larger needs another design, not a larger number.
const maxEntries = 1 << 20

func readOrganisation(ctx context.Context, db *store.DB, c *catalog.Catalog) (*organisation, error) {
	o := &organisation{people: map[string]principal.Person{}, byUsername: map[string]string{}, departments: map[string]principal.Department{},
		children: map[string][]string{}, roles: map[string]string{}, entries: map[string][]entry{}}
	err := db.Read(ctx, func(tx *store.Tx) error {
		codes := map[string]string{}
		err := readModel(ctx, tx, c, Role, []string{"code"}, func(id string, v values) {
			codes[id] = v.text("code")
			o.roles[strings.ToLower(v.text("code"))] = id
		})
		if err != nil {
			return err
		}
		err = readModel(ctx, tx, c, Department, []string{"name", "parent", "sortNo"}, func(id string, v values) {
			o.departments[id] = principal.Department{ID: id, Name: v.text("name"), Parent: v.text("parent")}
			o.children[v.text("parent")] = append(o.children[v.text("parent")], id)
			o.add(Department, id, v.text("name"), "")
		})
		if err != nil {
			return err
		}
		columns := []string{"username", "name", "mobile", "email", "imgUrl", "employeeNo", "position", "departments", "mainDepartment", "roles", "disabled"}
		return readModel(ctx, tx, c, User, columns, func(id string, v values) { o.addPerson(id, v, codes) })
	})
	for _, list := range o.entries {
		slices.SortFunc(list, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.sounds, b.sounds), cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
		})
	}
	return o, err
}

func (o *organisation) addPerson(id string, v values, roleCodes map[string]string) {
	p := principal.Person{ID: id, Username: v.text("username"), Name: v.text("name"), Mobile: v.text("mobile"), Email: v.text("email"),
		ImageURL: v.text("imgUrl"), EmployeeNo: v.text("employeeNo"), Position: v.text("position"), Disabled: v["disabled"] == true,
		Departments: v.set("departments"), MainDepartment: v.text("mainDepartment")}
	for _, r := range v.set("roles") {
		if code := roleCodes[r]; code != "" {
			p.Roles = append(p.Roles, code)
		}
	}
	if p.MainDepartment == "" && len(p.Departments) > 0 {
		p.MainDepartment = p.Departments[0]
	}
	o.people[id] = p
	o.byUsername[store.Fold(p.Username)] = id
	if !p.Disabled {
		o.add(User, id, p.Name, p.Username)
	}
}

func (o *organisation) add(model, id, name, also string) {
	o.entries[model] = append(o.entries[model], entry{id: id, name: store.Fold(name), sounds: Pinyin(name) + " " + store.Fold(also)})
}

// values are columns of one record by property code.
type values map[string]any

func (v values) text(code string) string { s, _ := v[code].(string); return s }

func (v values) set(code string) []string { s, _ := v[code].([]string); return slices.Clone(s) }

// readModel reads properties of a model by their codes; those that the model lacks are empty. The map is reused.
func readModel(ctx context.Context, tx *store.Tx, c *catalog.Catalog, code string, properties []string, each func(id string, v values)) error {
	m := c.Model(code)
	if m == nil {
		return nil
	}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{id}, Where: plan.True, Order: []plan.Order{{By: id}}, Limit: maxEntries}
	var known []string
	for _, p := range properties {
		if f := m.Field(p); f != nil && len(f.Property.Columns()) > 0 {
			q.Select, known = append(q.Select, f.Column()), append(known, p)
		}
	}
	v := values{}
	return tx.Query(ctx, c, q, func(row []any) error {
		for i, p := range known {
			v[p] = row[i+1]
		}
		s, _ := row[0].(string)
		each(s, v)
		return nil
	})
}
