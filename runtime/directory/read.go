package directory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/pinyin"
	"github.com/sluice-platform/sluice/runtime/store"
)

// snapshot is the organisation at one time. It is never changed.
type snapshot struct {
	catalog     *catalog.Catalog
	source      source
	people      map[string]principal.Person
	byUsername  map[string]string
	twins       bool // two people have one username but for its case
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
	earlier  atomic.Pointer[earlier]

	texts  sync.Once
	byText atomic.Pointer[peopleIndex] // of this snapshot after texts, of an earlier one before; nil = made of all people
	places *departmentIndex
}

// source is what a snapshot was made of, by id.
type source struct {
	roles, departments, people map[string]*row
	written                    map[string]uint64 // when each model was written last, as store.DB.Versions counts
}

// row is a record of a reserved model. It is read again when its version or the time of its last change differs.
type row struct {
	id                string
	version, modified any
	created           any // not of rows that are only compared
	values            []any
}

var (
	roleColumns       = []string{"code"}
	departmentColumns = []string{"name", "parent", "disabled"}
	userColumns       = []string{"username", "name", "mobile", "email", "imgUrl", "employeeNo", "position", "departments", "mainDepartment", "roles", "disabled"}
)

// read makes a snapshot. Of the records that an earlier one of the same catalog was made of, only those that changed are read.
func read(ctx context.Context, db *store.DB, tx *store.Tx, c *catalog.Catalog, before *snapshot) (*snapshot, error) {
	var was source
	if before != nil && before.catalog == c {
		was = before.source
	}
	is := source{written: written(db, c)}   // before anything is read
	var roles, departments, people []string // ids of those that changed
	var err error
	of := func(code string, columns []string, before map[string]*row) (map[string]*row, []string) {
		if err != nil || before != nil && was.written[code] == is.written[code] {
			return before, nil
		}
		now, changed, failed := rows(ctx, db, tx, c, code, columns, earlierRows{before, was.written[code]})
		err = failed
		return now, changed
	}
	is.roles, roles = of(Role, roleColumns, was.roles)
	is.departments, departments = of(Department, departmentColumns, was.departments)
	is.people, people = of(User, userColumns, was.people)
	if err != nil {
		return nil, err
	}
	if was.people != nil && len(roles)+len(departments) == 0 && len(people) <= mostChanged {
		if s := before.with(is, people); s != nil {
			return s, nil
		}
	}
	s := is.snapshot()
	if before != nil {
		s.earlier.Store(before.order(nil))
	}
	return s, nil
}

// written are the numbers of the last writes of the models that are read.
func written(db *store.DB, c *catalog.Catalog) map[string]uint64 {
	out := map[string]uint64{}
	for _, code := range []string{User, Department, Role} {
		if m := c.Model(code); m != nil {
			out[code] = db.Versions(m.Table)
		}
	}
	return out
}

// snapshot makes one from nothing.
func (of source) snapshot() *snapshot {
	s := &snapshot{source: of, people: make(map[string]principal.Person, len(of.people)), byUsername: make(map[string]string, len(of.people)),
		departments: make(map[string]principal.Department, len(of.departments)), children: map[string][]string{}, members: map[string][]string{},
		shut: map[string]bool{}, roleIDs: map[string]string{}, places: &departmentIndex{}}
	for _, r := range inOrder(of.roles) {
		code := text(r.values[0])
		s.roleIDs[fold(code)] = r.id
		s.roles = append(s.roles, code)
	}
	for _, r := range inOrder(of.departments) {
		if r.values[2] == true {
			s.shut[r.id] = true
		}
		parent := text(r.values[1])
		s.departments[r.id] = principal.Department{ID: r.id, Name: text(r.values[0]), Parent: parent}
		s.children[parent] = append(s.children[parent], r.id)
	}
	for _, r := range inOrder(of.people) {
		s.add(r)
	}
	slices.Sort(s.roles)
	return s
}

// with is the snapshot with people as they are in a source, where only some of them changed: a company of ten thousand is not made again for
// one. It is nil where that needs all people.
func (s *snapshot) with(of source, changed []string) *snapshot {
	if s.twins {
		return nil
	}
	out := &snapshot{source: of, people: maps.Clone(s.people), byUsername: maps.Clone(s.byUsername), departments: s.departments, shut: s.shut, children: s.children,
		members: maps.Clone(s.members), roleIDs: s.roleIDs, roles: s.roles, places: s.places}
	out.earlier.Store(s.order(changed))
	out.byText.Store(s.byText.Load().after(changed))
	for _, id := range changed {
		if old, was := out.people[id]; was {
			delete(out.people, id)
			delete(out.byUsername, fold(old.Username))
			for _, d := range old.Departments {
				out.members[d] = slices.DeleteFunc(slices.Clone(out.members[d]), func(m string) bool { return m == id })
			}
		}
	}
	for _, id := range changed {
		if r := of.people[id]; r != nil {
			for _, d := range set(r.values[7]) {
				out.members[d] = slices.Clip(out.members[d])
			}
			out.add(r)
		}
	}
	if out.twins {
		return nil
	}
	return out
}

// add takes a person. Of two with one username the one who was there first signs in with it; people come in the order of creation.
func (s *snapshot) add(r *row) {
	v := r.values
	p := principal.Person{ID: r.id, Username: text(v[0]), Name: text(v[1]), Mobile: text(v[2]), Email: text(v[3]), ImageURL: text(v[4]),
		EmployeeNo: text(v[5]), Position: text(v[6]), Departments: set(v[7]), MainDepartment: text(v[8]), Disabled: v[10] == true}
	for _, id := range set(v[9]) {
		if role := s.source.roles[id]; role != nil {
			if code := text(role.values[0]); code != "" {
				p.Roles = append(p.Roles, code)
			}
		}
	}
	if p.MainDepartment == "" && len(p.Departments) > 0 {
		p.MainDepartment = p.Departments[0]
	}
	s.people[p.ID] = p
	if name := fold(p.Username); s.byUsername[name] == "" {
		s.byUsername[name] = p.ID
	} else {
		s.twins = true
	}
	for _, d := range p.Departments {
		s.members[d] = append(s.members[d], p.ID)
	}
}

// inOrder are rows in the order of creation.
func inOrder(of map[string]*row) []*row {
	out := slices.AppendSeq(make([]*row, 0, len(of)), maps.Values(of))
	slices.SortFunc(out, func(a, b *row) int {
		one, _ := a.created.(time.Time)
		two, _ := b.created.(time.Time)
		return cmp.Or(one.Compare(two), strings.Compare(a.id, b.id))
	})
	return out
}

// mostChanged is how many records are read one by one; of more, all are.
const mostChanged = 500

// earlierRows are the records of a model as an earlier snapshot has them, which is as they were at a version of store.DB.Versions.
type earlierRows struct {
	rows    map[string]*row
	version uint64
}

// rows reads columns of a reserved model; a column that the model lacks is empty. Records that are in before as they are now are taken from
// there; changed are the ids of the others, and of those that are gone.
func rows(ctx context.Context, db *store.DB, tx *store.Tx, c *catalog.Catalog, code string, columns []string, earlier earlierRows) (now map[string]*row, changed []string, err error) {
	m, before := c.Model(code), earlier.rows
	if m == nil {
		return nil, nil, nil
	}
	if ids, known := db.Changed(m.Table, earlier.version); known && before != nil && len(ids) <= mostChanged {
		if now, changed, err = ours(ctx, tx, c, m, columns, before, ids); err != nil || now != nil {
			return now, changed, err
		}
	}
	all := func() (map[string]*row, error) {
		out := map[string]*row{}
		return out, rowsWhere(ctx, tx, c, m, columns, plan.True, func(r row) { out[r.id] = &r })
	}
	if before == nil {
		now, err = all()
		return now, slices.Collect(maps.Keys(now)), err
	}
	if now, changed, err = recent(ctx, tx, c, m, columns, before); err != nil || now != nil {
		return now, changed, err
	}
	var seen []string
	same := 0
	err = rowsWhere(ctx, tx, c, m, nil, plan.True, func(r row) {
		seen = append(seen, r.id)
		switch old := before[r.id]; {
		case old == nil || old.version != r.version || old.modified != r.modified:
			changed = append(changed, r.id)
		default:
			same++
		}
	})
	if err != nil || same == len(before) && len(changed) == 0 {
		return before, nil, err
	}
	if len(changed) > mostChanged {
		now, err = all()
		return now, changed, err
	}
	now, err = withThose(ctx, tx, c, m, columns, before, changed)
	if len(seen) < len(now) {
		if len(changed) == 0 {
			now = maps.Clone(now)
		}
		still := make(map[string]bool, len(seen))
		for _, id := range seen {
			still[id] = true
		}
		maps.DeleteFunc(now, func(id string, _ *row) bool {
			if !still[id] {
				changed = append(changed, id)
			}
			return !still[id]
		})
	}
	return now, changed, err
}

// withThose are the records of before with some read again: those that are gone are missing. It is before itself where there are none to read.
func withThose(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, columns []string, before map[string]*row, ids []string) (map[string]*row, error) {
	if len(ids) == 0 {
		return before, nil
	}
	now := maps.Clone(before)
	for _, id := range ids {
		delete(now, id)
	}
	where := &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: ids}}
	return now, rowsWhere(ctx, tx, c, m, columns, where, func(r row) { now[r.id] = &r })
}

// ours is rows where only this process wrote, which knows the ids. now is nil when one of them is of no record now or before: then all are compared.
func ours(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, columns []string, before map[string]*row, ids []string) (now map[string]*row, changed []string, err error) {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if now, err = withThose(ctx, tx, c, m, columns, before, ids); err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(ids, func(id string) bool { return now[id] == nil && before[id] == nil }) {
		return nil, nil, nil
	}
	return now, ids, nil
}

// recentFor is how long a transaction may take from its write to its end, and how much the clocks of two nodes may differ, for recent to do.
const recentFor = 10 * time.Second

// recent is rows where it is enough to read what was written of late: how many records there are of each version, which the database counts, is as in
// before with what was read. Every write raises a version, a record that comes was written of late, and one that goes is missing in the number. Otherwise
// now is nil, and all records have to be looked at, which takes tens of milliseconds where there are ten thousand.
func recent(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, columns []string, before map[string]*row) (now map[string]*row, changed []string, err error) {
	var newest time.Time
	for _, r := range before {
		if at, _ := r.modified.(time.Time); at.After(newest) {
			newest = at
		}
	}
	late := &plan.Compare{Op: plan.GE, A: &plan.Field{Column: catalog.ModifiedTime, K: plan.Instant}, B: &plan.Const{K: plan.Instant, Value: newest.Add(-recentFor)}}
	err = rowsWhere(ctx, tx, c, m, nil, late, func(r row) {
		if old := before[r.id]; old == nil || old.version != r.version || old.modified != r.modified {
			changed = append(changed, r.id)
		}
	})
	if err != nil || len(changed) > mostChanged {
		return nil, nil, err
	}
	if now, err = withThose(ctx, tx, c, m, columns, before, changed); err != nil {
		return nil, nil, err
	}
	versions := map[any]int64{}
	for _, r := range now {
		versions[r.version]++
	}
	q := &plan.Query{Model: m.Code, Where: plan.True, Group: []plan.Expr{&plan.Field{Column: catalog.Version, K: plan.Int}}, Aggregate: []plan.AggregateOutput{{Fn: plan.SumCount}}}
	err = tx.Groups(ctx, c, q, func(v []any) error {
		n, _ := v[1].(decimal.Decimal)
		versions[v[0]] -= n.IntPart()
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range versions {
		if n != 0 {
			return nil, nil, nil
		}
	}
	return now, changed, nil
}

func rowsWhere(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, columns []string, where plan.Expr, each func(row)) error {
	q := &plan.Query{Model: m.Code, Where: where, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int},
		&plan.Field{Column: catalog.ModifiedTime, K: plan.Instant}}}
	if columns != nil {
		q.Select = append(q.Select, &plan.Field{Column: catalog.CreatedTime, K: plan.Instant})
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if f := m.Field(name); f != nil && len(f.Property.Columns()) > 0 {
			at[i] = len(q.Select)
			q.Select = append(q.Select, f.Column())
		}
	}
	return tx.Query(ctx, c, q, func(v []any) error {
		r := row{id: text(v[0]), version: v[1], modified: v[2]}
		if columns != nil {
			r.created, r.values = v[3], make([]any, len(columns))
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
		each(r)
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

// Sounds is what a name sounds like in every common reading of its characters, as pinyin.Index returns it.
func Sounds(name string) string {
	return pinyin.Index(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
