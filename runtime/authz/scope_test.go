package authz_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// TestScope: a token for chosen applications takes away from what its person has, in decisions and in grants, and adds nothing.
func TestScope(t *testing.T) {
	var models []*catalog.Model
	for _, code := range []string{"own", "opened", "far"} { // of the application's pack; of another one, in its menu; neither
		m := lot()
		m.Code, m.Pack = code, "harbor"
		models = append(models, m)
	}

	models[0].Pack = "yard"
	all := func(actions ...string) (out []catalog.Grant) {
		for _, m := range models {
			out = append(out, catalog.Grant{Model: m, Actions: actions, Rows: plan.True, EditRows: plan.True, Fields: fields{"price": catalog.Writable}, Rest: catalog.Writable})
		}
		return out
	}
	p, c := compile(t, models,
		&catalog.Role{Code: "hand", Apps: []string{"shiplock", "other"}, Permissions: []string{"APP_MNG", "SYS_MNG"}, Actions: []string{"closeLot"}, Grants: all("view", "edit", "delete", "closeLot")},
		&catalog.Role{Code: "looker", Grants: all("view")}, &catalog.Role{Code: "blind", Grants: all("edit")})
	yard, harbor := c.App("shiplock"), c.App("other")
	yard.Pack, harbor.Pack = "yard", "port"
	yard.Menu = []*catalog.Menu{{Code: "f", Type: "Folder", Children: []*catalog.Menu{{Code: "o", SchemaCode: "opened"}}}}
	route := func(method, pack string, m *catalog.Model) *catalog.Route {
		r := catalog.NewRoute(method, "/api/x")
		r.Action, r.Pack, r.Model = endpoint{"CloseLot"}, pack, m
		return r
	}
	of := func(role string, apps ...principal.AppScope) *authz.View {
		return p.View(principal.Principal{UserID: "u1", Roles: []string{role}, Apps: apps}, time.Now(), time.UTC)
	}
	write, read := principal.AppScope{App: "SHIPLOCK", Write: true}, principal.AppScope{App: "shiplock"}
	for name, x := range map[string]struct {
		view         *authz.View
		may, fields  string // of own, opened, far: the actions, and the right to the price
		opens, calls string
	}{
		"writes":             {of("hand", write), "view edit delete closeLot/view edit delete closeLot/", "2/2/0", "shiplock", "GET POST/GET POST/"},
		"reads":              {of("hand", read), "view/view/", "1/1/0", "shiplock", "GET/GET/"},
		"both, most counts":  {of("hand", write, read), "view edit delete closeLot/view edit delete closeLot/", "2/2/0", "shiplock", "GET POST/GET POST/"},
		"who may look":       {of("looker", write), "view/view/", "2/2/0", "", "//"},
		"reads, who may not": {of("blind", read), "//", "0/0/0", "", "//"},
		"gone":               {of("hand", principal.AppScope{App: "gone", Write: true}), "//", "0/0/0", "", "//"},
		"another":            {of("hand", principal.AppScope{App: "other", Write: true}), "//", "0/0/0", "other", "//"},
		"nobody's":           {of("ghost", write), "//", "0/0/0", "", "//"},
		"one without limits": {of("hand"), strings.Repeat("view edit delete closeLot/", 2) + "view edit delete closeLot", "2/2/2", "shiplock other", "GET POST/GET POST/GET POST"},
	} {
		var may, rights, calls, opens []string
		for _, m := range models {
			var can, call []string
			for _, action := range []string{"view", "edit", "delete", "closeLot"} {
				if x.view.Can(m, action) {
					can = append(can, action)
				}
			}
			for _, method := range []string{"GET", "POST"} {
				if x.view.Call(route(method, "somewhere", m)) {
					call = append(call, method)
				}
			}
			may, calls = append(may, strings.Join(can, " ")), append(calls, strings.Join(call, " "))
			right, _ := x.view.Field(m.Fields[1])
			rest, _ := x.view.Field(m.Fields[0]) // named by no grant
			if rights = append(rights, string('0'+rune(right))); rest != right {
				t.Errorf("%s: right %d to what the grants of %s do not name", name, rest, m.Code)
			}
			if edits := x.view.EditRows(m, "edit"); plan.IsTrue(edits) != strings.Contains(may[len(may)-1], "edit") {
				t.Errorf("%s: rows of %s that may be edited: %s", name, m.Code, show(edits))
			}
		}
		for _, a := range []string{"shiplock", "other"} {
			if x.view.Opens(a) {
				opens = append(opens, a)
			}
		}
		for what, got := range map[string][2]string{"actions": {strings.Join(may, "/"), x.may}, "fields": {strings.Join(rights, "/"), x.fields},
			"opens": {strings.Join(opens, " "), x.opens}, "calls": {strings.Join(calls, "/"), x.calls}} {
			if got[0] != got[1] {
				t.Errorf("%s: %s %q, want %q", name, what, got[0], got[1])
			}
		}
		if got := len(x.view.Permissions()); (got != 0) != (name == "one without limits") {
			t.Errorf("%s: %d permissions of the platform", name, got)
		}
	}
	if v := of("hand", write); !v.Call(route("POST", "Yard", nil)) || v.Call(route("POST", "port", nil)) {
		t.Error("a call of a pack without a model belongs to the application of that pack")
	}
}
