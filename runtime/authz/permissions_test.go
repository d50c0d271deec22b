package authz_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/schemas"
)

// platformPermissions are those that access documents can name.
func platformPermissions(t *testing.T) []string {
	t.Helper()
	text, err := schemas.FS.ReadFile("access.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		Properties struct {
			Permissions struct{ Items struct{ Enum []string } }
		}
	}
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	return in.Properties.Permissions.Items.Enum
}

// TestRootIsEverything: ADMIN has each permission that documents can name, gives every role, manages everybody, and a role that gains it gains them all.
func TestRootIsEverything(t *testing.T) {
	m := lot()
	all := platformPermissions(t)
	if len(all) < 4 {
		t.Fatalf("permissions: %v", all)
	}
	roles := func(boss ...string) []*catalog.Role {
		out := []*catalog.Role{{Code: "root", Permissions: boss}, {Code: "data", Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: plan.True}}}}
		for _, permission := range all {
			out = append(out, &catalog.Role{Code: "only" + permission, Apps: []string{"shiplock"}, Permissions: []string{permission}})
		}
		return out
	}
	p, _ := compile(t, []*catalog.Model{m}, roles("ADMIN")...)
	root := rights(p, "root")
	want := slices.Sorted(slices.Values(all))
	if got := root.Permissions(); !slices.Equal(got, want) {
		t.Errorf("ADMIN has %v, want %v", got, want)
	}
	for _, permission := range all {
		code := "only" + permission
		if !root.Has(permission) || !root.MayGrant(code) || !root.MayManage(code) || !root.MayAdminister(code) {
			t.Errorf("ADMIN lacks %s, or cannot give or manage who has it", permission)
		}
		if other := rights(p, code); permission != "ADMIN" && (other.Has("ADMIN") || other.MayGrant("root") || other.MayManage("root") || other.MayAdminister("root")) {
			t.Errorf("%s reaches ADMIN", permission)
		}
	}
	if !root.MayGrant("data") || root.MayGrant("ghost") {
		t.Error("ADMIN gives every role that a document names, and no other")
	}
	before, _ := compile(t, []*catalog.Model{m}, roles()...)
	var gained []string
	for _, g := range authz.Compare(before, p, []string{"root"}, authz.Renames{}).Permissions {
		if g.Gained {
			gained = append(gained, g.Code)
		}
	}
	if !slices.Equal(gained, want) {
		t.Errorf("who gains ADMIN gains %v, want %v", gained, want)
	}
}

// TestApplicationsAreCovered: an administrator of one application gives nobody the administration of another one, also when they may open it.
func TestApplicationsAreCovered(t *testing.T) {
	admin := func(code string, apps ...string) *catalog.Role {
		return &catalog.Role{Code: code, Apps: apps, Permissions: []string{"APP_MNG"}}
	}
	p, _ := compile(t, []*catalog.Model{lot()}, admin("one", "shiplock"), admin("two", "other"), admin("both", "*"), &catalog.Role{Code: "opens", Apps: []string{"*"}})
	for _, x := range []struct {
		have []string
		code string
		want bool
	}{{[]string{"one", "opens"}, "two", false}, {[]string{"one", "opens"}, "both", false}, {[]string{"one", "two"}, "both", true}, {[]string{"both"}, "two", true}, {[]string{"opens"}, "one", false}} {
		if got := rights(p, x.have...).MayGrant(x.code); got != x.want {
			t.Errorf("%v may grant %s: %v", x.have, x.code, got)
		}
	}
}

// TestMayAdminister: accounts are looked after whatever their people may do with records; those with a permission of the platform that the manager lacks,
// or has for fewer people, are out of reach. It gives no role and no other right.
func TestMayAdminister(t *testing.T) {
	m := lot()
	people := &catalog.Model{Code: "user"}
	accounts := func(code string, rows plan.Expr) *catalog.Role {
		return &catalog.Role{Code: code, Permissions: []string{"ACCOUNT_MNG"}, Grants: []catalog.Grant{{Model: people, Actions: []string{"view", "resetPassword"}, Rows: rows, EditRows: rows}}}
	}
	p, _ := compile(t, []*catalog.Model{m, people}, accounts("wide", plan.True), accounts("narrow", own), &catalog.Role{Code: "bare", Permissions: []string{"ACCOUNT_MNG"}},
		&catalog.Role{Code: "people", Grants: []catalog.Grant{{Model: people, Actions: []string{"view", "resetPassword"}, Rows: plan.True, EditRows: plan.True}}},
		&catalog.Role{Code: "data", Grants: []catalog.Grant{{Model: m, Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True}}},
		&catalog.Role{Code: "flows", Permissions: []string{"WORKFLOW_ADMIN"}}, &catalog.Role{Code: "apps", Apps: []string{"other"}, Permissions: []string{"APP_MNG"}},
		&catalog.Role{Code: "heir", Includes: []string{"flows"}}, &catalog.Role{Code: "root", Permissions: []string{"ADMIN"}}, &catalog.Role{Code: "system", Permissions: []string{"SYS_MNG"}})
	for _, x := range []struct {
		have, of []string
		want     bool
	}{
		{[]string{"wide"}, []string{"data"}, true}, {[]string{"narrow"}, []string{"data", "ghost"}, true}, {[]string{"people"}, []string{"data"}, false},
		{[]string{"wide"}, []string{"data", "flows"}, false}, {[]string{"wide"}, []string{"heir"}, false}, {[]string{"wide"}, []string{"root"}, false},
		{[]string{"wide"}, []string{"system"}, false}, {[]string{"wide"}, []string{"apps"}, false}, {[]string{"wide", "flows"}, []string{"data", "heir"}, true},
		{[]string{"wide"}, []string{"wide", "data"}, true}, {[]string{"wide"}, []string{"narrow", "data"}, true},
		{[]string{"narrow"}, []string{"wide", "data"}, false}, {[]string{"narrow"}, []string{"narrow", "data"}, false}, {[]string{"narrow"}, []string{"bare", "people", "data"}, false},
	} {
		v := rights(p, x.have...)
		if got := v.MayAdminister(x.of...); got != x.want {
			t.Errorf("%v may administer the account of %v: %v", x.have, x.of, got)
		}
	}
	if v := rights(p, "wide"); v.MayGrant("data") || v.MayManage("data") {
		t.Error("who looks after accounts gives roles beyond their own")
	}
}
