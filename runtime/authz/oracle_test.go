package authz_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// row is a lot: u1 owns it or not, its department is d1 or not, its result is OK or not.
type row struct{ mine, near, ok bool }

func (r row) Column(f *plan.Field) any {
	one := func(yes bool, is, other string) any {
		if yes {
			return is
		}
		return other
	}
	switch f.Column {
	case "owner":
		return one(r.mine, "u1", "u2")
	case "ownerDeptId":
		return one(r.near, "d1", "d2")
	}
	return one(r.ok, "OK", "bad")
}
func (row) Var(string) any                              { return nil }
func (row) Rows(string) []expression.Scope              { return nil }
func (row) Records(*plan.Records) []expression.Scope    { return nil }
func (row) Belongs(_, _ []string) bool                  { return false }
func (row) LinkTexts(string, string, []string) []string { return nil }

// oracle says what roles give, one row, one action and one field at a time. It shares nothing with the package.
type oracle struct {
	roles  map[string]*catalog.Role
	held   map[string]bool
	lenses []*authz.Lens
}

func (o *oracle) take(code string) {
	code = strings.ToLower(code)
	if r := o.roles[code]; r != nil && !o.held[code] {
		o.held[code] = true
		for _, in := range r.Includes {
			o.take(in)
		}
	}
}

func (o *oracle) match(e plan.Expr, r row) bool {
	switch e {
	case own:
		return r.mine
	case dept:
		return r.near
	case isOK:
		return r.ok
	case boss:
		return o.held["boss"]
	}
	return e == plan.True
}

func (o *oracle) permissions() []string {
	var out []string
	for code := range o.held {
		out = append(out, o.roles[code].Permissions...)
	}
	if slices.Contains(out, "ADMIN") {
		out = append(out, "ACCOUNT_MNG", "APP_MNG", "SYS_MNG", "WORKFLOW_ADMIN")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// some reports whether f takes a grant of a held role that speaks of the model and names the action. Under a lens that narrows, f and the
// action are asked of the role's grant and of the lens's.
func (o *oracle) some(m *catalog.Model, action string, f func(g *catalog.Grant) bool) bool {
	return slices.ContainsFunc(o.ways(m), func(all []*catalog.Grant) bool {
		return !slices.ContainsFunc(all, func(g *catalog.Grant) bool {
			named := slices.ContainsFunc(g.Actions, func(a string) bool { return a == "*" || strings.EqualFold(a, action) })
			return !named || !f(g)
		})
	})
}

// ways are the sets of grants that give something when all of a set do.
func (o *oracle) ways(m *catalog.Model) (ways [][]*catalog.Grant) {
	for code := range o.held {
		for i := range o.roles[code].Grants {
			if g := &o.roles[code].Grants[i]; g.Model == nil || g.Model == m {
				ways = append(ways, []*catalog.Grant{g})
			}
		}
	}
	for _, l := range o.lenses {
		var own []*catalog.Grant
		for i := range l.Grants {
			if l.Grants[i].Model == m {
				own = append(own, &l.Grants[i])
			}
		}
		if len(own) == 0 {
			continue
		}
		before := ways
		if l.Effect != authz.Adds {
			ways = nil
		}
		for _, g := range own {
			if l.Effect != authz.Narrows {
				ways = append(ways, []*catalog.Grant{g})
				continue
			}
			for _, way := range before {
				ways = append(ways, append(slices.Clone(way), g))
			}
		}
	}
	return ways
}

func (o *oracle) sees(m *catalog.Model, r row) bool {
	return o.some(m, "view", func(g *catalog.Grant) bool { return o.match(g.Rows, r) })
}

// changes reports whether the action may be done on a row, and, with a field, may set it there.
func (o *oracle) changes(m *catalog.Model, action string, r row, f *catalog.Field) bool {
	return o.sees(m, r) && o.some(m, action, func(g *catalog.Grant) bool {
		bound := action != "view" && action != "add" && action != "export" && g.EditRows != nil
		return o.match(g.Rows, r) && (!bound || o.match(g.EditRows, r)) && (f == nil || granted(g, f) == catalog.Writable)
	})
}

// rowsOf reports whether the action may add, change or delete rows of the sub-table of a row.
func (o *oracle) rowsOf(m *catalog.Model, action string, r row, sheet *catalog.Field, right catalog.RowRights) bool {
	return o.sees(m, r) && o.some(m, action, func(g *catalog.Grant) bool {
		bound := action != "view" && action != "add" && action != "export" && g.EditRows != nil
		limited, named := g.Sheets["items"]
		return o.match(g.Rows, r) && (!bound || o.match(g.EditRows, r)) && granted(g, sheet) == catalog.Writable && (!named || limited&right != 0)
	})
}

func (o *oracle) shows(m *catalog.Model, f *catalog.Field, r row, right catalog.FieldRight) bool {
	return o.some(m, "view", func(g *catalog.Grant) bool { return o.match(g.Rows, r) && granted(g, f) >= right })
}

// granted is the right of a grant to a field: by its name, or else as the rest; of a column of the sub-table no more than to the sub-table.
func granted(g *catalog.Grant, f *catalog.Field) catalog.FieldRight {
	right := func(code string, otherwise catalog.FieldRight) catalog.FieldRight {
		for named, r := range g.Fields {
			if strings.EqualFold(named, code) {
				return r
			}
		}
		return otherwise
	}
	madeOf := func(otherwise catalog.FieldRight) catalog.FieldRight {
		for _, of := range f.Reads {
			if granted(g, of) == catalog.Hidden {
				return catalog.Hidden
			}
		}
		return otherwise
	}
	switch {
	case f.Model.Parent != nil && f.System:
		return min(right("items", g.Rest), right("items."+f.Code, catalog.Readable), catalog.Readable)
	case f.Model.Parent != nil:
		return min(right("items", g.Rest), right("items."+f.Code, madeOf(right("items", g.Rest))))
	case f.Code == catalog.Name:
		return min(catalog.Readable, right(f.Code, catalog.Readable), right("part", g.Rest))
	case f.System:
		return min(right(f.Code, catalog.Readable), catalog.Readable)
	}
	return right(f.Code, madeOf(g.Rest))
}

func pick[T any](rnd *rand.Rand, of ...T) T { return of[rnd.IntN(len(of))] }

func randomGrant(rnd *rand.Rand, m *catalog.Model) catalog.Grant {
	conditions := []plan.Expr{plan.True, plan.True, own, dept, isOK, boss, plan.False, nil}
	g := catalog.Grant{Model: m, Rows: pick(rnd, conditions...), EditRows: pick(rnd, conditions...), Rest: catalog.FieldRight(rnd.IntN(3)), Fields: fields{}}
	for range 1 + rnd.IntN(3) {
		g.Actions = append(g.Actions, pick(rnd, "view", "VIEW", "view", "edit", "export", "delete", "*"))
	}
	for range rnd.IntN(5) {
		g.Fields[pick(rnd, "part", "Price", "items", "items.rate", "Items.id", "owner", "name", "total", "twice", "items.Sum")] = catalog.FieldRight(rnd.IntN(3))
	}
	if rnd.IntN(2) == 0 {
		g.Sheets = map[string]catalog.RowRights{"items": catalog.RowRights(rnd.IntN(8))}
	}
	return g
}

// randomRoles are five that grant and include at random.
func randomRoles(rnd *rand.Rand, models []*catalog.Model) []*catalog.Role {
	var out []*catalog.Role
	for _, code := range []string{"boss", "A", "b", "c", "d"} {
		r := &catalog.Role{Code: code}
		for range rnd.IntN(3) {
			r.Includes = append(r.Includes, pick(rnd, "boss", "a", "B", "c", "d"))
		}
		if rnd.IntN(4) == 0 {
			r.Permissions = []string{pick(rnd, "SYS_MNG", "APP_MNG")}
		}
		for range rnd.IntN(4) {
			r.Grants = append(r.Grants, randomGrant(rnd, pick(rnd, nil, models[0], models[0], models[1])))
		}
		out = append(out, r)
	}
	return out
}

// TestRandomRoles compares what principals with random roles see and may do, row by row, with an independent model. Who may give a role to
// somebody can do all that it gives.
func TestRandomRoles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 41))
		m, other := lot(), &catalog.Model{Code: "other"}
		m.Fields = append(m.Fields, &catalog.Field{Code: catalog.Name, Model: m, System: true})
		m.Digest = []catalog.DigestPart{{Field: m.Fields[0]}, {Text: "/"}}
		items := m.Sheets[0]
		rate := items.Fields[0]
		sum := &catalog.Field{Code: "sum", Model: items, Reads: []*catalog.Field{rate}}
		total := &catalog.Field{Code: "total", Model: m, Reads: []*catalog.Field{m.Fields[1], sum}}
		items.Fields = append(items.Fields, sum)
		m.Fields = append(m.Fields, total, &catalog.Field{Code: "twice", Model: m, Reads: []*catalog.Field{total}})
		other.Fields = []*catalog.Field{{Code: "x", Model: other}}
		roles := randomRoles(rnd, []*catalog.Model{m, other})
		p, _ := compile(t, []*catalog.Model{m, other}, roles...)
		byCode := map[string]*catalog.Role{}
		for _, r := range roles {
			byCode[strings.ToLower(r.Code)] = r
		}
		of := func(codes ...string) (*oracle, *authz.View) {
			o := &oracle{roles: byCode, held: map[string]bool{}}
			for _, code := range codes {
				o.take(code)
			}
			return o, rights(p, codes...)
		}
		assigned := []string{pick(rnd, "boss", "a", "b"), pick(rnd, "A", "c", "d", "ghost")}
		o, r := of(assigned...)
		name := fmt.Sprintf("seed %d, roles %v", seed, assigned)
		compareRights(t, name, o, r, m)
		for _, code := range []string{"boss", "a", "b", "c", "d"} {
			given, _ := of(code)
			may := r.MayGrant(code)
			if r.Holds(code) != o.held[code] || o.held[code] && !may {
				t.Errorf("%s: holds %s %v, may give it %v", name, code, r.Holds(code), may)
			}
			if may && !o.held[code] {
				covers(t, name+" gives "+code, o, given, m)
			}
			if !may && givesNothing(given, r, []*catalog.Model{m, other}) {
				t.Errorf("%s: may not give %s, which gives nothing that they have not", name, code)
			}
		}
	}
}

// givesNothing reports whether roles show and change no row and name no action and permission that r has not.
func givesNothing(given *oracle, r *authz.View, models []*catalog.Model) bool {
	for _, perm := range given.permissions() {
		if !r.Has(perm) {
			return false
		}
	}
	for code := range given.held {
		for _, g := range given.roles[code].Grants {
			if g.Rows != nil && g.Rows != plan.False {
				return false
			}
			for _, m := range models {
				for _, action := range g.Actions {
					if (g.Model == nil || g.Model == m) && !r.Can(m, action) {
						return false
					}
				}
			}
		}
	}
	return true
}

// every row and action that there is.
var (
	everyRow = func() (out []row) {
		for i := range 8 {
			out = append(out, row{i&1 > 0, i&2 > 0, i&4 > 0})
		}
		return out
	}()
	everyAction = []string{"view", "edit", "export", "delete", "add"}
)

func everyField(m *catalog.Model) []*catalog.Field {
	return slices.Concat(m.Fields, m.Sheets[0].Fields)
}

func compareRights(t *testing.T, name string, o *oracle, r *authz.View, m *catalog.Model) {
	t.Helper()
	same := func(what string, e plan.Expr, at row, want bool) {
		t.Helper()
		got, err := expression.Holds(e, at)
		if err != nil || got != want {
			t.Errorf("%s: %s on %+v: %v, want %v (%v)\n%s", name, what, at, got, want, err, show(e))
		}
	}
	for _, action := range everyAction {
		want := o.some(m, action, func(*catalog.Grant) bool { return true })
		if got := r.Can(m, action); got != want {
			t.Errorf("%s: can %s: %v", name, action, got)
		}
		for _, at := range everyRow {
			same(action, r.EditRows(m, action), at, o.changes(m, action, at, nil))
			same(action+" in the sub-table", r.EditRows(m.Sheets[0], action), at, o.changes(m, action, at, nil))
			for _, f := range everyField(m) {
				same(action+" "+f.Code, r.FieldRows(f, action), at, !f.System && o.changes(m, action, at, f))
				for _, right := range []catalog.RowRights{catalog.AddRows, catalog.EditRows, catalog.DeleteRows} {
					if f.Sheet != nil {
						same(fmt.Sprint(action, " rows ", right), r.SheetRows(f, right, action), at, o.rowsOf(m, action, at, f, right))
					}
				}
			}
		}
	}
	for _, at := range everyRow {
		same("rows", r.Rows(m), at, o.sees(m, at))
	}
	if got, want := r.Permissions(), o.permissions(); !slices.Equal(got, want) {
		t.Errorf("%s: permissions %v, want %v", name, got, want)
	}
	for _, f := range everyField(m) {
		best := catalog.Hidden
		right, guard := r.Field(f)
		for _, at := range everyRow {
			for is := best + 1; is <= catalog.Writable; is++ {
				if o.shows(m, f, at, is) {
					best = is
				}
			}
			if o.sees(m, at) {
				same("guard of "+f.Code, guard, at, o.shows(m, f, at, catalog.Readable))
			}
		}
		if right != best {
			t.Errorf("%s: right to %s %d, want %d", name, f.Code, right, best)
		}
	}
}

// covers: whatever the roles of one give on a row, those of the other give too.
func covers(t *testing.T, name string, o, given *oracle, m *catalog.Model) {
	t.Helper()
	less := func(what any, has, gives bool) {
		t.Helper()
		if gives && !has {
			t.Errorf("%s: beyond the own rights: %v", name, what)
		}
	}
	for _, perm := range given.permissions() {
		less(perm, slices.Contains(o.permissions(), perm), true)
	}
	for _, at := range everyRow {
		for _, action := range everyAction {
			less(action, o.changes(m, action, at, nil), given.changes(m, action, at, nil))
			for _, right := range []catalog.RowRights{catalog.AddRows, catalog.EditRows, catalog.DeleteRows} {
				sheet := m.Field("items")
				less(fmt.Sprint(action, " rows ", right), o.rowsOf(m, action, at, sheet, right), given.rowsOf(m, action, at, sheet, right))
			}
		}
		for _, f := range everyField(m) {
			less(f.Code, o.shows(m, f, at, catalog.Readable), given.shows(m, f, at, catalog.Readable))
		}
	}
}
