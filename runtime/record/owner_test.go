package record_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// staff is a directory of a few people and departments.
type staff struct {
	compiletest.Nobody
	people      map[string]principal.Person
	departments map[string]principal.Department
}

func (s staff) Person(_ context.Context, id string) (principal.Person, bool) {
	p, ok := s.people[id]
	return p, ok
}

func (s staff) Department(_ context.Context, id string) (principal.Department, bool) {
	d, ok := s.departments[id]
	return d, ok
}

// staffed gives the writer a directory in which the clerk works in two departments, one below the other, and the boss in none.
func (w *world) staffed() (upper, lower, ring string) {
	upper = w.save(w.system(), "department", "", 0, `{"name": "upper"}`).ID
	lower = w.save(w.system(), "department", "", 0, `{"name": "lower", "parent": "`+upper+`"}`).ID
	ring = w.save(w.system(), "department", "", 0, `{"name": "ring"}`).ID
	w.w = record.New(w.db, w.set, staff{
		people: map[string]principal.Person{
			w.bossID:  {ID: w.bossID},
			w.clerkID: {ID: w.clerkID, MainDepartment: lower, Departments: []string{upper}},
			"left":    {ID: "left", Disabled: true},
		},
		departments: map[string]principal.Department{upper: {ID: upper}, lower: {ID: lower, Parent: upper}, ring: {ID: ring, Parent: ring}},
	}, w.zone, func() time.Time { return now })
	return upper, lower, ring
}

// TestOwnerIsChecked: an owner is somebody who is there, in a department of theirs.
func TestOwnerIsChecked(t *testing.T) {
	w := newWorldOn(t)
	upper, lower, _ := w.staffed()
	for _, try := range []struct {
		name string
		in   record.Owner
		dept string
		want fault.Code
	}{
		{"nobody", record.Owner{}, "", fault.OwnerMissing},
		{"a stranger", record.Owner{User: "stranger"}, "", fault.UserNotFound},
		{"one who left", record.Owner{User: "left"}, "", fault.UserNotFound},
		{"without a department", record.Owner{User: w.bossID}, "", 0},
		{"the main department", record.Owner{User: w.clerkID}, lower, 0},
		{"the main department by name", record.Owner{User: w.clerkID, Dept: lower}, lower, 0},
		{"another of theirs", record.Owner{User: w.clerkID, Dept: upper}, upper, 0},
		{"a department of others", record.Owner{User: w.bossID, Dept: upper}, upper, fault.BadParameter},
		{"a long remark", record.Owner{User: w.bossID, Remark: strings.Repeat("字", record.MaxRemark)}, "", 0},
		{"a longer remark", record.Owner{User: w.bossID, Remark: strings.Repeat("x", record.MaxRemark+1)}, "", fault.FieldTooLong},
	} {
		out, err := w.w.CheckOwner(t.Context(), try.in)
		if code := fault.Of(err); err != nil && code != try.want || err == nil && (try.want != 0 || out.Dept != try.dept || out.User != try.in.User) {
			t.Errorf("%s: %+v %v", try.name, out, err)
		}
	}
}

// TestOwnerChanges: a record goes to another person with its department and the way down to it, what is computed from it follows, and
// what is refused leaves it where it was.
func TestOwnerChanges(t *testing.T) {
	const owner = `{"code": "mine", "propertyType": "Logic", "name": "本人", "computeFormula": "owner == agent"}, `
	w := newWorldOn(t, with(map[string]string{
		"models/order.json": strings.Replace(documents["models/order.json"], `"properties": [`, `"properties": [`+owner, 1),
		"access/giver.json": `{"name": "转交人", "models": [{"schemaCode": "order", "actions": ["view", "change_owner"], "rows": "title != 'hidden'", "editRows": "title != 'kept'"}]}`,
		"access/other.json": `{"name": "旁人", "models": [{"schemaCode": "customer", "actions": ["*"], "rows": "all"}]}`}))
	upper, lower, ring := w.staffed()
	giver, ctx := w.rights(w.clerkID, "giver"), t.Context()
	give := func(view *authz.View, model, id string, version int64, o record.Owner) error {
		return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.ChangeOwnerIn(ctx, tx, view, model, id, version, o)
		})
	}
	order := func(title string) string {
		return w.save(w.boss, "order", "", 0, `{"title": "`+title+`", "lines": [{"item": "a"}]}`).ID
	}
	plain, hidden, kept := order("plain"), order("hidden"), order("kept")
	row := w.read("order.lines", of(plain), "id")[0]
	to := record.Owner{User: w.clerkID, Dept: lower, Remark: "on leave"}
	for _, try := range []struct {
		name, model, id string
		view            *authz.View
		version         int64
		want            fault.Code
	}{
		{"of no model", "ghost", plain, w.boss, 1, fault.ModelNotFound},
		{"a row", "order.lines", row, w.boss, 1, fault.ModelNotFound},
		{"by somebody who sees none", "order", plain, w.rights(w.clerkID, "other"), 1, fault.ModelNotFound},
		{"that is not seen", "order", hidden, giver, 1, fault.RecordNotFound},
		{"that may not be given", "order", kept, giver, 1, fault.Forbidden},
		{"without the right", "order", plain, w.rights(w.clerkID, "clerk"), 1, fault.RecordNotFound},
		{"of another version", "order", plain, giver, 7, fault.VersionStale},
	} {
		if err := give(try.view, try.model, try.id, try.version, to); fault.Of(err) != try.want {
			t.Errorf("%s: %v", try.name, err)
		}
	}
	same(t, w.read("order", id(plain), "owner", "mine", "version"), w.bossID+" | true | 1")
	must(t, give(giver, "order", plain, 1, to))
	same(t, w.read("order", id(plain), "owner", "ownerDeptId", "ownerDeptQueryCode", "mine", "version", "total"), w.clerkID+" | "+lower+" | "+upper+"/"+lower+" | false | 2 | <nil>")
	must(t, give(giver, "order", plain, 2, to))
	same(t, w.read("order", id(plain), "version"), "2") // it is theirs already
	must(t, give(giver, "order", plain, 2, record.Owner{User: w.bossID}))
	same(t, w.read("order", id(plain), "owner", "ownerDeptId", "ownerDeptQueryCode", "version"), w.bossID+" | <nil> | <nil> | 3")
	must(t, give(w.boss, "order", plain, 3, record.Owner{User: w.bossID, Dept: ring}))
	same(t, w.read("order", id(plain), "ownerDeptQueryCode"), ring)
	var told []record.History
	must(t, w.db.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		told, err = record.HistoryBetween(tx, "order", plain, 1, 3)
		return err
	}))
	if len(told) != 2 || told[0].Version != 2 || !strings.Contains(told[0].Changes, `"remark":"on leave"`) || told[1].Version != 3 || strings.Contains(told[1].Changes, "remark") {
		t.Errorf("told %+v", told)
	}
	same(t, w.read("order.lines", plan.True, "item"), "a", "a", "a")
}

// somebody is a directory that knows one person.
type somebody struct {
	compiletest.Nobody
	id string
}

func (s somebody) PersonByName(_ context.Context, name string) (principal.Person, bool) {
	return principal.Person{ID: s.id}, strings.EqualFold(name, "boss")
}

// TestSignInNames: two people have no names that differ in the case of letters alone; one's own may be written in another case.
func TestSignInNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.w = record.New(w.db, w.set, somebody{id: w.bossID}, w.zone, func() time.Time { return now })
		for _, try := range []struct{ id, name, want string }{{"", "Boss", "username 200001; "}, {w.clerkID, "BOSS", "username 200001; "}, {w.bossID, "BOSS", "ok"}, {w.clerkID, "Clerk", "ok"}} {
			text := fmt.Sprintf(`{"username": %q, "name": "x"}`, try.name)
			if _, err := w.try(w.system(), "user", try.id, 1, text); explain(err) != try.want {
				t.Errorf("%s: %s, want %s", text, explain(err), try.want)
			}
		}
	})
}
