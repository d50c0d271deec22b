package authz_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
)

var (
	own  = &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "owner", K: plan.ID}, B: &plan.Var{Name: "user.id", K: plan.ID}}
	dept = &plan.InSet{Op: plan.SetIntersects, F: &plan.Field{Column: "ownerDeptId", K: plan.ID}, G: &plan.Var{Name: "user.departments", K: plan.Set}}
	isOK = &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "result", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "OK"}}
	boss = &plan.InSet{Op: plan.SetHas, F: &plan.Var{Name: "user.roles", K: plan.Set}, G: &plan.Const{K: plan.Text, Value: "boss"}}
)

// words are those of the product.
func words(t testing.TB) map[string]action.Word {
	t.Helper()
	set, out := &pack.Set{}, map[string]action.Word{}
	if err := base.Register(set); err != nil {
		t.Fatal(err)
	}
	for _, code := range set.Words.Names() {
		out[code], _ = set.Words.Get(code)
	}
	return out
}

type fields = map[string]catalog.FieldRight

// lot is a model with a price, a name, an owner and a sub-table of items.
func lot() *catalog.Model {
	m := &catalog.Model{Code: "lot"}
	items := &catalog.Model{Code: "lot.items", Parent: m}
	for _, code := range []string{"part", "price", "items"} {
		m.Fields = append(m.Fields, &catalog.Field{Code: code, Model: m})
	}
	m.Fields[2].Sheet = items
	m.Fields = append(m.Fields, &catalog.Field{Code: "owner", Model: m, System: true})
	items.Fields = []*catalog.Field{{Code: "rate", Model: items}, {Code: "id", Model: items, System: true}}
	m.Sheets = []*catalog.Model{items}
	return m
}

func compile(t testing.TB, models []*catalog.Model, roles ...*catalog.Role) (*authz.Policy, *catalog.Catalog) {
	t.Helper()
	c := &catalog.Catalog{Models: models, Roles: roles, Apps: []*catalog.App{{Code: "shiplock"}, {Code: "other"}}, Words: words(t)}
	c.Freeze()
	p, err := authz.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

func rights(p *authz.Policy, roles ...string) *authz.View {
	who := principal.Principal{UserID: "u1", Name: "U", Roles: roles, Departments: []string{"d1"}}
	return p.View(who, time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC), time.FixedZone("", 8*3600))
}

func show(e plan.Expr) string {
	b, _ := json.Marshal(e)
	return string(b)
}

func TestActions(t *testing.T) {
	m := lot()
	p, c := compile(t, []*catalog.Model{m},
		&catalog.Role{Code: "Staff", Apps: []string{"shiplock"}, Grants: []catalog.Grant{{Model: m, Actions: []string{"view", "closeLot"}, Rows: own, EditRows: own}}},
		&catalog.Role{Code: "boss", Includes: []string{"staff"}, Permissions: []string{"APP_MNG"}, Grants: []catalog.Grant{{Model: m, Actions: []string{"delete"}}}},
		&catalog.Role{Code: "administrator", Apps: []string{"*"}, Permissions: []string{"SYS_MNG"}, Grants: []catalog.Grant{{Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}}})
	cases := []struct {
		name   string
		roles  []string
		action string
		want   bool
	}{
		{"granted", []string{"staff"}, "view", true},
		{"without case", []string{"STAFF"}, "CLOSELOT", true},
		{"not granted", []string{"staff"}, "delete", false},
		{"included", []string{"boss"}, "view", true},
		{"own beside the included", []string{"boss"}, "delete", true},
		{"every action of every model", []string{"administrator"}, "neverHeardOf", true},
		{"unknown action", []string{"boss"}, "neverHeardOf", false},
		{"unknown role", []string{"ghost"}, "view", false},
		{"no role", nil, "view", false},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			r := rights(p, x.roles...)
			if got := r.Can(c.Model("lot"), x.action); got != x.want {
				t.Errorf("Can = %v", got)
			}
			if got := r.Can(c.Model("lot.items"), x.action); got != x.want {
				t.Errorf("Can of the sub-table = %v", got)
			}
		})
	}
	if r := rights(p, "boss"); !r.Opens("shiplock") || r.Opens("other") || len(r.Permissions()) != 1 || !r.Holds("staff") || r.Holds("administrator") {
		t.Error("boss: apps, permissions or roles are wrong")
	}
	if r := rights(p, "administrator"); !r.Opens("other") || !r.Opens("Shiplock") || r.Opens("none") {
		t.Error("administrator: apps are wrong")
	}
	anonymous := p.View(principal.Principal{Roles: []string{"administrator"}}, time.Now(), time.UTC)
	if anonymous.Can(m, "view") || !plan.IsFalse(anonymous.Rows(m)) || len(anonymous.Permissions()) != 0 {
		t.Error("somebody who is not signed in has rights")
	}
	if r := rights(p, "administrator"); r.Can(nil, "view") || !plan.IsFalse(r.Rows(nil)) || !plan.IsFalse(r.EditRows(nil, "edit")) {
		t.Error("somebody may do something on no model")
	}
	system := p.View(principal.System("test"), time.Now(), time.UTC)
	if right, guard := system.Field(m.Field("price")); right != catalog.Writable || !plan.IsTrue(guard) || !plan.IsTrue(system.Rows(m)) || !system.Opens("x") || !system.Has("SYS_MNG") || !system.Holds("boss") || !plan.IsFalse(system.FieldRows(m.Field("owner"), "edit")) {
		t.Error("the system principal does not see everything")
	}
}

func TestRows(t *testing.T) {
	m := lot()
	grant := func(rows, edit plan.Expr, actions ...string) *catalog.Role {
		return &catalog.Role{Grants: []catalog.Grant{{Model: m, Actions: actions, Rows: rows, EditRows: edit, Rest: catalog.Writable}}}
	}
	roles := map[string]*catalog.Role{
		"own": grant(own, plan.AllOf(own, &plan.Not{X: isOK}), "view", "edit"), "dept": grant(dept, dept, "view"), "all": grant(plan.True, own, "view", "delete"),
		"norows": grant(nil, nil, "view", "edit"), "editOnly": grant(dept, dept, "edit"), "bossOnly": grant(boss, boss, "view"),
		"boss": grant(nil, nil, "add"),
	}
	var list []*catalog.Role
	for code, r := range roles {
		r.Code = code
		list = append(list, r)
	}
	p, _ := compile(t, []*catalog.Model{m}, list...)
	ownText := `{"Op":"==","A":{"column":"owner","kind":7},"B":{"kind":7,"value":"u1"}}`
	deptText := `{"Op":"intersects","F":{"column":"ownerDeptId","kind":7},"G":{"kind":8,"value":["d1"]}}`
	notOK := `{"X":{"Op":"==","A":{"column":"result","kind":1},"B":{"kind":1,"value":"OK"}}}`
	yes, no := show(plan.True), show(plan.False)
	cases := []struct {
		name, rows, edit, del string
		roles                 []string
	}{
		{"own", ownText, `{"Of":[` + ownText + `,` + ownText + `,` + notOK + `]}`, no, []string{"own"}},
		{"two roles join", `{"Of":[` + deptText + `,` + ownText + `]}`, `{"Of":[` + ownText + `,` + ownText + `,` + notOK + `]}`, no, []string{"own", "dept"}},
		{"all wins", yes, no, ownText, []string{"dept", "all"}},
		{"no rows written", no, no, no, []string{"norows"}},
		{"edit without view edits nothing", no, no, no, []string{"editOnly"}},
		{"edit without view, seen through another role", ownText, "", no, []string{"editOnly", "own"}},
		{"a condition on roles folds to nobody", no, no, no, []string{"bossOnly"}},
		{"and to everybody", yes, no, no, []string{"bossOnly", "boss"}},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			r := rights(p, x.roles...)
			if got := show(r.Rows(m)); got != x.rows {
				t.Errorf("rows %s\nwant %s", got, x.rows)
			}
			if got := show(r.EditRows(m, "edit")); x.edit != "" && got != x.edit {
				t.Errorf("edit rows %s\nwant %s", got, x.edit)
			}
			if got := show(r.EditRows(m, "delete")); got != x.del {
				t.Errorf("delete rows %s\nwant %s", got, x.del)
			}
		})
	}
}

func TestFields(t *testing.T) {
	m := lot()
	role := func(code string, rows plan.Expr, f fields, rest catalog.FieldRight) *catalog.Role {
		return &catalog.Role{Code: code, Grants: []catalog.Grant{{Model: m, Actions: []string{"view", "edit"}, Rows: rows, EditRows: rows, Fields: f, Rest: rest}}}
	}
	p, _ := compile(t, []*catalog.Model{m},
		role("full", own, nil, catalog.Writable),
		role("blind", dept, fields{"Price": catalog.Hidden, "items.rate": catalog.Hidden}, catalog.Readable),
		role("blindOwn", own, fields{"price": catalog.Hidden}, catalog.Readable),
		role("everyone", plan.True, nil, catalog.Readable),
		role("secret", plan.True, fields{"owner": catalog.Hidden, "items": catalog.Readable}, catalog.Writable),
		role("noSheet", plan.True, fields{"items": catalog.Hidden}, catalog.Writable),
		role("nobody", boss, nil, catalog.Writable))
	ownText := `{"Op":"==","A":{"column":"owner","kind":7},"B":{"kind":7,"value":"u1"}}`
	yes, no := show(plan.True), show(plan.False)
	h, rd, w := catalog.Hidden, catalog.Readable, catalog.Writable
	cases := []struct {
		name, field, guard string
		right              catalog.FieldRight
		roles              []string
	}{
		{"one role", "price", yes, w, []string{"full"}},
		{"hidden", "price", no, h, []string{"blind"}},
		{"shown on the rows of the role that shows it", "price", ownText, w, []string{"blind", "full"}},
		{"same rows: no guard", "price", yes, w, []string{"blindOwn", "full"}},
		{"everything shown by a wider role", "price", yes, rd, []string{"blind", "everyone"}},
		{"role without rows for this person shows nothing", "price", no, h, []string{"blind", "nobody"}},
		{"role without rows does not guard others", "part", yes, rd, []string{"blind", "everyone", "nobody"}},
		{"column of a sub-table", "items.rate", ownText, w, []string{"blind", "full"}},
		{"column of a readable sub-table", "items.rate", yes, rd, []string{"secret"}},
		{"column of a hidden sub-table", "items.rate", no, h, []string{"noSheet"}},
		{"row id of a hidden sub-table", "items.id", no, h, []string{"noSheet"}},
		{"system field", "owner", yes, rd, []string{"full"}},
		{"system field hidden by name", "owner", no, h, []string{"secret"}},
		{"system field of a role that hides the rest", "owner", yes, rd, []string{"noSheet"}},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			f := m.Field(x.field)
			if f == nil {
				f = m.Sheets[0].Field(x.field[len("items."):])
			}
			right, guard := rights(p, x.roles...).Field(f)
			// nobody's rows fold to False, which must not widen another role's guard
			if right != x.right || show(guard) != x.guard {
				t.Errorf("right %d guard %s\nwant %d %s", right, show(guard), x.right, x.guard)
			}
		})
	}
	r := rights(p, "blind", "full")
	if got := show(r.FieldRows(m.Field("part"), "edit")); got != ownText {
		t.Errorf("part may be written on %s", got)
	}
	if got := r.FieldRows(m.Field("owner"), "edit"); !plan.IsFalse(got) {
		t.Errorf("a system field may be written on %s", show(got))
	}
}

func TestWhy(t *testing.T) {
	m := lot()
	p, _ := compile(t, []*catalog.Model{m},
		&catalog.Role{Code: "staff", Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: own, EditRows: own, RowsText: "own", At: "access/staff.json:3:5"}}},
		&catalog.Role{Code: "inspector", Includes: []string{"staff"}})
	why := rights(p, "inspector").Why(m)
	if len(why) != 1 || why[0].Role != "staff" || why[0].Via != "inspector" || why[0].At != "access/staff.json:3:5" || why[0].RowsText != "own" {
		t.Errorf("why = %+v", why)
	}
}

// TestWhyOnce: what two roles include counts once, in reasons and in conditions.
func TestWhyOnce(t *testing.T) {
	m := lot()
	grants := []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: own, EditRows: own}}
	p, _ := compile(t, []*catalog.Model{m}, &catalog.Role{Code: "staff", Grants: grants}, &catalog.Role{Code: "twin", Grants: grants},
		&catalog.Role{Code: "left", Includes: []string{"staff"}}, &catalog.Role{Code: "right", Includes: []string{"staff"}})
	if why := rights(p, "left", "right").Why(m); len(why) != 1 {
		t.Errorf("reasons: %+v", why)
	}
	if got, want := show(rights(p, "staff", "twin").Rows(m)), show(rights(p, "staff").Rows(m)); got != want {
		t.Errorf("rows of two equal grants: %s", got)
	}
	if why := p.View(principal.System("test"), time.Now(), time.UTC).Why(m); why != nil {
		t.Errorf("the system principal has reasons: %+v", why)
	}
}

// TestRowsOnly: editRows bound what changes records, and say nothing of what only shows or adds them.
func TestRowsOnly(t *testing.T) {
	m := lot()
	every := []string{"view", "add", "edit", "delete", "export", "import", "form_track", "batch_update"}
	p, _ := compile(t, []*catalog.Model{m}, &catalog.Role{Code: "r", Grants: []catalog.Grant{{Model: m, Actions: every, Rows: own, EditRows: isOK, Rest: catalog.Writable}}})
	r := rights(p, "r")
	for _, action := range every {
		want := show(r.Rows(m))
		if slices.Contains([]string{"edit", "delete", "batch_update"}, action) {
			want = show(plan.AllOf(r.Rows(m), isOK))
		}
		if got := show(r.FieldRows(m.Field("part"), action)); got != want {
			t.Errorf("%s: %s\nwant %s", action, got, want)
		}
	}
}

type endpoint struct{ name string }

func (e endpoint) Name() string                                { return e.name }
func (endpoint) Run(context.Context, action.Call) (any, error) { return nil, nil }
func (endpoint) Options() []byte                               { return nil }
func (endpoint) Input() []byte                                 { return nil }
func (endpoint) Output() []byte                                { return nil }

// TestCall: a route is called by a grant of its action, or by one on records of its model, whatever the case of its name.
func TestCall(t *testing.T) {
	m := lot()
	p, _ := compile(t, []*catalog.Model{m},
		&catalog.Role{Code: "caller", Actions: []string{"closeLot"}},
		&catalog.Role{Code: "keeper", Grants: []catalog.Grant{{Model: m, Actions: []string{"closeLot"}, Rows: own}}},
		&catalog.Role{Code: "reader", Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: plan.True}}})
	bare, ofLots := catalog.NewRoute("POST", "/api/x"), catalog.NewRoute("POST", "/api/y")
	bare.Action, ofLots.Action, ofLots.Model = endpoint{"CloseLot"}, endpoint{"CloseLot"}, m
	for role, want := range map[string][2]bool{"caller": {true, true}, "keeper": {false, true}, "reader": {}, "ghost": {}} {
		r := rights(p, role)
		if got := [2]bool{r.Call(bare), r.Call(ofLots)}; got != want {
			t.Errorf("%s: %v", role, got)
		}
	}
	system := p.View(principal.System("test"), time.Now(), time.UTC)
	if !system.Call(bare) || !system.Can(m, "anything") || !plan.IsTrue(system.EditRows(m, "edit")) {
		t.Error("the system principal may not do everything")
	}
}

// TestEmptyVars: what is empty is nil in conditions, lists too, so that a condition on nobody's departments is not a condition on an empty one.
func TestEmptyVars(t *testing.T) {
	p, _ := compile(t, []*catalog.Model{lot()})
	for name, value := range p.View(principal.Principal{Departments: []string{}}, time.Now(), time.UTC).Vars() {
		if (value == nil) == (name == "now" || name == "today") {
			t.Errorf("%s = %#v", name, value)
		}
	}
}

// TestMomentary: what was bound with the time of a request holds for no later one; with the day it does.
func TestMomentary(t *testing.T) {
	m := lot()
	before := func(name string, k plan.Kind) plan.Expr {
		return &plan.Not{X: &plan.Compare{Op: plan.LT, A: &plan.Field{Column: "due", K: k}, B: &plan.Var{Name: name, K: k}}}
	}
	role := func(code string, rows plan.Expr) *catalog.Role {
		return &catalog.Role{Code: code, Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: rows, EditRows: rows}}}
	}
	p, _ := compile(t, []*catalog.Model{m}, role("own", own), role("daily", before("today", plan.Date)), role("late", before("now", plan.Instant)))
	for _, x := range []struct {
		roles []string
		want  bool
	}{{[]string{"own"}, false}, {[]string{"daily"}, false}, {[]string{"late"}, true}, {[]string{"own", "late"}, true}} {
		r := rights(p, x.roles...)
		if r.Momentary() {
			t.Errorf("%v: before anything was bound", x.roles)
		}
		r.Rows(m)
		if got := r.Momentary(); got != x.want {
			t.Errorf("%v: %v", x.roles, got)
		}
	}
}
