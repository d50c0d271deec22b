package authz_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// TestDigestHidesName: a record's name shows what it is made of, so it is hidden with any part of it.
func TestDigestHidesName(t *testing.T) {
	m := lot()
	name := &catalog.Field{Code: catalog.Name, Model: m, System: true}
	m.Fields = append(m.Fields, name)
	m.Digest = []catalog.DigestPart{{Field: m.Fields[0]}, {Text: " "}, {Field: m.Fields[1]}}
	role := func(code string, rows plan.Expr, f fields) *catalog.Role {
		return &catalog.Role{Code: code, Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: rows, Fields: f, Rest: catalog.Readable}}}
	}
	p, _ := compile(t, []*catalog.Model{m}, role("all", own, nil), role("blind", plan.True, fields{"price": catalog.Hidden}),
		role("nameless", plan.True, fields{"name": catalog.Hidden}), role("other", plan.True, fields{"items": catalog.Hidden}))
	for roles, want := range map[[2]string]catalog.FieldRight{{"all"}: catalog.Readable, {"blind"}: catalog.Hidden, {"nameless"}: catalog.Hidden,
		{"other"}: catalog.Readable, {"blind", "all"}: catalog.Readable} {
		right, guard := rights(p, roles[:]...).Field(name)
		if right != want {
			t.Errorf("%v: right %d, want %d", roles, right, want)
		}
		if roles[1] == "all" && show(guard) != show(rights(p, "all").Rows(m)) {
			t.Errorf("of two roles, the name shows on %s", show(guard))
		}
	}
}

// TestMayGrant compares what a principal has with what a role gives.
func TestMayGrant(t *testing.T) {
	m := lot()
	role := func(code string, rows plan.Expr, rest catalog.FieldRight, actions ...string) *catalog.Role {
		return &catalog.Role{Code: code, Grants: []catalog.Grant{{Model: m, Actions: actions, Rows: rows, EditRows: rows, Rest: rest}}}
	}
	every := &catalog.Role{Code: "every", Apps: []string{"*"}, Permissions: []string{"SYS_MNG"},
		Grants: []catalog.Grant{{Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}}}
	p, _ := compile(t, []*catalog.Model{m}, every, role("writer", plan.True, catalog.Writable, "view", "edit"), role("reader", plan.True, catalog.Readable, "view"),
		role("some", own, catalog.Readable, "view"), role("none", nil, catalog.Readable, "view", "delete"),
		&catalog.Role{Code: "blind", Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: plan.True, EditRows: plan.True, Fields: fields{"price": catalog.Hidden}, Rest: catalog.Readable}}},
		&catalog.Role{Code: "app", Apps: []string{"other"}}, &catalog.Role{Code: "heir", Includes: []string{"reader"}})
	for have, may := range map[string][]string{
		"every": {"every", "writer", "reader", "some", "none", "app", "heir", "blind"}, "writer": {"writer", "reader", "some", "heir", "blind"},
		"reader": {"reader", "some", "heir", "blind"}, "some": {"some"}, "heir": {"heir", "reader", "some", "blind"}, "blind": {"blind"}, "": {},
	} {
		want := map[string]bool{}
		for _, code := range may {
			want[code] = true
		}
		for _, code := range []string{"every", "WRITER", "reader", "some", "none", "app", "heir", "blind"} {
			if got := rights(p, have).MayGrant(code); got != want[strings.ToLower(code)] {
				t.Errorf("%q may grant %q: %v", have, code, got)
			}
		}
		if r := rights(p, have); r.KnowsRole("ghost") || r.MayGrant("ghost") || !r.MayManage("ghost") {
			t.Errorf("%q: a role that no document names is given by nobody, and stands above nobody", have)
		}
		if got, want := rights(p, have).MayManage("READER", "some", "ghost"), have != "" && have != "some" && have != "blind"; got != want {
			t.Errorf("%q may manage readers: %v", have, got)
		}
	}
}

// TestMayGrantOfFields: who sees all rows by one role and a field by another, on fewer rows, gives no role that shows the field on all;
// who may read and edit gives no role that writes more fields.
func TestMayGrantOfFields(t *testing.T) {
	m := lot()
	role := func(code string, rows plan.Expr, price catalog.FieldRight, actions ...string) *catalog.Role {
		return &catalog.Role{Code: code, Grants: []catalog.Grant{{Model: m, Actions: actions, Rows: rows, EditRows: rows, Fields: fields{"price": price}, Rest: catalog.Readable}}}
	}
	p, _ := compile(t, []*catalog.Model{m}, role("all", plan.True, catalog.Hidden, "view"), role("own", own, catalog.Readable, "view"),
		role("blind", plan.True, catalog.Hidden, "view"), role("reader", plan.True, catalog.Readable, "view"),
		role("editor", plan.True, catalog.Readable, "view", "edit"), role("pricer", plan.True, catalog.Writable, "view", "edit"))
	for _, x := range []struct {
		have []string
		code string
		want bool
	}{{[]string{"all", "own"}, "reader", false}, {[]string{"all", "own"}, "blind", true}, {[]string{"editor"}, "reader", true}, {[]string{"editor"}, "pricer", false},
		{[]string{"pricer"}, "editor", true}} {
		if got := rights(p, x.have...).MayGrant(x.code); got != x.want {
			t.Errorf("%v may grant %s: %v", x.have, x.code, got)
		}
	}
}

// TestLongInclusion: roles include each other over any number of levels.
func TestLongInclusion(t *testing.T) {
	m := lot()
	roles := []*catalog.Role{{Code: "r0", Permissions: []string{"SYS_MNG"}, Grants: []catalog.Grant{{Model: m, Actions: []string{"view"}, Rows: plan.True}}}}
	for i := range 15 {
		roles = append(roles, &catalog.Role{Code: fmt.Sprintf("r%d", i+1), Includes: []string{fmt.Sprintf("r%d", i)}})
	}
	p, _ := compile(t, []*catalog.Model{m}, roles...)
	if r := rights(p, "r15"); !r.Has("SYS_MNG") || !r.Can(m, "view") || !r.Holds("r0") || !plan.IsTrue(r.Rows(m)) {
		t.Error("the first of sixteen roles gives the last one nothing")
	}
}
