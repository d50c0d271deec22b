package directory

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/pinyin"
	"github.com/sluice-platform/sluice/runtime/store"
)

// snapshot is the organisation at one time. It is never changed.
type snapshot struct {
	version     uint64
	catalog     *catalog.Catalog
	source      source
	people      map[string]principal.Person
	byUsername  map[string]string
	departments map[string]principal.Department
	shut        map[string]bool     // disabled departments, which pickers do not offer
	children    map[string][]string // department -> those right below, "" = roots
	members     map[string][]string // department -> people
	roleIDs     map[string]string
	roles       []string // codes, sorted

	indexing sync.Once
	names    map[string]int // folded -> how many people of pickers are called so
	search   []entry        // people, then departments, by name
	indexed  atomic.Bool    // search is made
	order    []entry        // of an earlier snapshot

	calling sync.Once
	byText  map[string][]string // of called
}

// source is what a snapshot was made of, in the order of creation.
type source struct{ roles, departments, people []*row }

// row is a record of a reserved model. It is read again when its version or the time of its last change differs.
type row struct {
	id                string
	version, modified any
	values            []any
}

var (
	roleColumns       = []string{"code"}
	departmentColumns = []string{"name", "parent", "disabled"}
	userColumns       = []string{"username", "name", "mobile", "email", "imgUrl", "employeeNo", "position", "departments", "mainDepartment", "roles", "disabled"}
)

// read makes a snapshot. Of the records that an earlier one of the same catalog was made of, only those that changed are read.
func read(ctx context.Context, db *store.DB, c *catalog.Catalog, before *snapshot) (*snapshot, error) {
	var of source
	if before != nil && before.catalog == c {
		of = before.source
	}
	err := db.Read(ctx, func(tx *store.Tx) (err error) {
		if of.roles, err = rows(ctx, tx, c, Role, roleColumns, of.roles); err != nil {
			return err
		}
		if of.departments, err = rows(ctx, tx, c, Department, departmentColumns, of.departments); err != nil {
			return err
		}
		of.people, err = rows(ctx, tx, c, User, userColumns, of.people)
		return err
	})
	return of.snapshot(), err
}

func (of source) snapshot() *snapshot {
	s := &snapshot{source: of, people: make(map[string]principal.Person, len(of.people)), byUsername: make(map[string]string, len(of.people)),
		departments: make(map[string]principal.Department, len(of.departments)), children: map[string][]string{}, members: map[string][]string{},
		shut: map[string]bool{}, roleIDs: map[string]string{}, names: map[string]int{}}
	roleCodes := map[string]string{}
	for _, r := range of.roles {
		code := text(r.values[0])
		roleCodes[r.id] = code
		s.roleIDs[fold(code)] = r.id
		s.roles = append(s.roles, code)
	}
	for _, r := range of.departments {
		if r.values[2] == true {
			s.shut[r.id] = true
		}
		parent := text(r.values[1])
		s.departments[r.id] = principal.Department{ID: r.id, Name: text(r.values[0]), Parent: parent}
		s.children[parent] = append(s.children[parent], r.id)
	}
	for _, r := range of.people {
		v := r.values
		p := principal.Person{ID: r.id, Username: text(v[0]), Name: text(v[1]), Mobile: text(v[2]), Email: text(v[3]), ImageURL: text(v[4]),
			EmployeeNo: text(v[5]), Position: text(v[6]), Departments: set(v[7]), MainDepartment: text(v[8]), Disabled: v[10] == true}
		for _, role := range set(v[9]) {
			if code := roleCodes[role]; code != "" {
				p.Roles = append(p.Roles, code)
			}
		}
		if p.MainDepartment == "" && len(p.Departments) > 0 {
			p.MainDepartment = p.Departments[0]
		}
		s.add(p)
	}
	slices.Sort(s.roles)
	return s
}

func (s *snapshot) add(p principal.Person) {
	s.people[p.ID] = p
	if name := fold(p.Username); s.byUsername[name] == "" { // people come in the order of creation
		s.byUsername[name] = p.ID
	}
	for _, d := range p.Departments {
		s.members[d] = append(s.members[d], p.ID)
	}
}

// mostChanged is how many records are read one by one; of more, all are.
const mostChanged = 500

// rows reads columns of a reserved model, in the order of creation; a column that the model lacks is empty. Records that are in before as
// they are now are taken from there.
func rows(ctx context.Context, tx *store.Tx, c *catalog.Catalog, code string, columns []string, before []*row) ([]*row, error) {
	m := c.Model(code)
	if m == nil {
		return nil, nil
	}
	if before == nil {
		return rowsWhere(ctx, tx, c, m, columns, plan.True)
	}
	known := make(map[string]*row, len(before))
	for _, r := range before {
		known[r.id] = r
	}
	out, err := rowsWhere(ctx, tx, c, m, nil, plan.True)
	if err != nil {
		return nil, err
	}
	var changed []string
	for i, r := range out {
		if old := known[r.id]; old != nil && old.version == r.version && old.modified == r.modified {
			out[i] = old
		} else {
			changed = append(changed, r.id)
		}
	}
	switch {
	case len(changed) == 0:
		return out, nil
	case len(changed) > mostChanged:
		return rowsWhere(ctx, tx, c, m, columns, plan.True)
	}
	clear(known)
	list, err := rowsWhere(ctx, tx, c, m, columns, &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: changed}})
	for _, r := range list {
		known[r.id] = r
	}
	for i, r := range out {
		if r.values == nil {
			out[i] = known[r.id]
		}
	}
	return slices.DeleteFunc(out, func(r *row) bool { return r == nil }), err
}

func rowsWhere(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, columns []string, where plan.Expr) (out []*row, err error) {
	id, version, modified := &plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int}, &plan.Field{Column: catalog.ModifiedTime, K: plan.Instant}
	q := &plan.Query{Model: m.Code, Where: where, Select: []plan.Expr{id, version, modified},
		Order: []plan.Order{{By: &plan.Field{Column: catalog.CreatedTime, K: plan.Instant}}, {By: id}}}
	at := make([]int, len(columns))
	for i, name := range columns {
		if f := m.Field(name); f != nil && len(f.Property.Columns()) > 0 {
			at[i] = len(q.Select)
			q.Select = append(q.Select, f.Column())
		}
	}
	err = tx.Query(ctx, c, q, func(v []any) error {
		r := &row{id: text(v[0]), version: v[1], modified: v[2]}
		if columns != nil {
			r.values = make([]any, len(columns))
		}
		for i, p := range at {
			if p == 0 {
				continue
			}
			r.values[i] = v[p]
			if list, is := v[p].([]string); is { // the store uses its memory again
				r.values[i] = slices.Clone(list)
			}
		}
		out = append(out, r)
		return nil
	})
	return out, err
}

func text(v any) string { s, _ := v.(string); return s }

func set(v any) []string { s, _ := v.([]string); return append([]string(nil), s...) }

func fold(s string) string { return strings.Map(unicode.ToLower, s) }

// Pinyin is what a name sounds like: its full pinyin and its initials, separated by a space; letters and digits stay.
// "张伟" -> "zhangwei zw".
func Pinyin(name string) string {
	full, initials := pinyin.Of(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	return full + " " + initials
}
