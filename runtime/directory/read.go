package directory

import (
	"context"
	"slices"
	"strings"
	"sync"
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

	calling sync.Once
	byText  map[string][]string // of called
}

func read(ctx context.Context, db *store.DB, c *catalog.Catalog) (*snapshot, error) {
	s := &snapshot{people: map[string]principal.Person{}, byUsername: map[string]string{}, departments: map[string]principal.Department{},
		children: map[string][]string{}, members: map[string][]string{}, shut: map[string]bool{}, roleIDs: map[string]string{}, names: map[string]int{}}
	roleCodes := map[string]string{}
	err := db.Read(ctx, func(tx *store.Tx) error {
		err := rows(ctx, tx, c, Role, []string{"code"}, func(id string, v []any) {
			roleCodes[id] = text(v[0])
			s.roleIDs[fold(text(v[0]))] = id
			s.roles = append(s.roles, text(v[0]))
		})
		if err != nil {
			return err
		}
		err = rows(ctx, tx, c, Department, []string{"name", "parent", "disabled"}, func(id string, v []any) {
			if v[2] == true {
				s.shut[id] = true
			}
			s.departments[id] = principal.Department{ID: id, Name: text(v[0]), Parent: text(v[1])}
			s.children[text(v[1])] = append(s.children[text(v[1])], id)
		})
		if err != nil {
			return err
		}
		columns := []string{"username", "name", "mobile", "email", "imgUrl", "employeeNo", "position", "departments", "mainDepartment", "roles", "disabled"}
		return rows(ctx, tx, c, User, columns, func(id string, v []any) {
			p := principal.Person{ID: id, Username: text(v[0]), Name: text(v[1]), Mobile: text(v[2]), Email: text(v[3]), ImageURL: text(v[4]),
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
		})
	})
	slices.Sort(s.roles)
	return s, err
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

// rows reads columns of a reserved model; a column that the model lacks is empty.
func rows(ctx context.Context, tx *store.Tx, c *catalog.Catalog, code string, columns []string, each func(id string, v []any)) error {
	m := c.Model(code)
	if m == nil {
		return nil
	}
	q := &plan.Query{Model: code, Where: plan.True, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}},
		Order: []plan.Order{{By: &plan.Field{Column: catalog.CreatedTime, K: plan.Instant}}, {By: &plan.Field{Column: catalog.ID, K: plan.ID}}}}
	at := make([]int, len(columns))
	for i, name := range columns {
		if f := m.Field(name); f != nil && len(f.Property.Columns()) > 0 {
			at[i] = len(q.Select)
			q.Select = append(q.Select, f.Column())
		}
	}
	return tx.Query(ctx, c, q, func(row []any) error {
		v := make([]any, len(columns))
		for i, p := range at {
			if p > 0 {
				v[i] = row[p]
			}
		}
		each(text(row[0]), v)
		return nil
	})
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
