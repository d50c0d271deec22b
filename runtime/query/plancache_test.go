package query

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestPlanKeys: no two requests whose plans may differ share a plan, whatever part of the request or of the caller is another one; a cursor
// is bound to the request and the person, and to no page.
func TestPlanKeys(t *testing.T) {
	t.Parallel()
	c := &catalog.Catalog{}
	c.Freeze()
	policy, err := authz.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 15, 30, 0, 0, time.UTC)
	zone := time.FixedZone("", 8*3600)
	people, err := directory.New(t.Context(), storetest.Open(t, store.Options{Dir: t.TempDir()}), c)
	if err != nil {
		t.Fatal(err)
	}
	r := &Reader{clock: func() time.Time { return now }, zone: zone, people: people}
	keys := func(code string, p principal.Principal, at time.Time, req ListRequest) (string, planKey) {
		shape, key := r.keys(&catalog.List{Code: code}, policy.View(p, at, zone), req)
		return string(shape), key
	}
	shape, key := keys("lot", principal.Principal{}, now, ListRequest{})
	compare := func(what, code string, p principal.Principal, at time.Time, req ListRequest, newShape, newKey bool) {
		t.Helper()
		s, k := keys(code, p, at, req)
		if (s != shape) != newShape || (k != key) != newKey {
			t.Errorf("%s: another shape %v, another key %v", what, s != shape, k != key)
		}
	}
	compare("the list", "other", principal.Principal{}, now, ListRequest{}, true, true)
	compare("the day", "lot", principal.Principal{}, now.Add(time.Hour), ListRequest{}, false, true)
	session := []string{"Session", "Script", "ReadOnly", "SeenBy", "Link", "LinkForm", "LinkRecord"} // what a list shows does not depend on how its reader came in
	of := reflect.TypeFor[principal.Principal]()
	for i := range of.NumField() {
		var p principal.Principal
		set(t, reflect.ValueOf(&p).Elem().Field(i))
		name := of.Field(i).Name
		compare(name, "lot", p, now, ListRequest{}, name == "UserID", !slices.Contains(session, name))
	}
	pages := []string{"SchemaCode", "QueryCode", "Mobile", "Page", "Size", "Cursor"} // the list stands for the first three
	of = reflect.TypeFor[ListRequest]()
	for i := range of.NumField() {
		if name := of.Field(i).Name; of.Field(i).IsExported() {
			var req ListRequest
			set(t, reflect.ValueOf(&req).Elem().Field(i))
			differs := !slices.Contains(pages, name)
			compare(name, "lot", principal.Principal{}, now, req, differs, differs)
		}
	}
	told := map[string]string{}
	filter := func(f ...Filter) ListRequest { return ListRequest{Filters: f} }
	value := func(s string) Filter { return Filter{PropertyCode: "a", PropertyValue: json.RawMessage(s)} }
	for name, req := range map[string]ListRequest{
		"a = 1": filter(value("1")), "a = 2": filter(value("2")), "b": filter(Filter{PropertyCode: "b"}), "a Equal": filter(Filter{PropertyCode: "a", QueryFilterType: json.RawMessage("1")}),
		"a and b": filter(value("1"), Filter{PropertyCode: "b"}), "and": filter(Filter{And: []Filter{value("1")}}), "or": filter(Filter{Or: []Filter{value("1")}}),
		"by a, b": {OrderByFields: []string{"a", "b"}}, "by ab": {OrderByFields: []string{"ab"}}, "these": {ObjectIDs: []string{"a", "b"}},
		"roots": {ParentID: new(string)}, "columns": {Options: &ListOptions{CustomDisplayColumns: []string{"a"}}}, "shown": {Options: &ListOptions{QueryDisplayType: 1}},
	} {
		s, _ := keys("lot", principal.Principal{}, now, req)
		if told[s] != "" {
			t.Errorf("%q and %q are one request", name, told[s])
		}
		told[s] = name
	}
	now = now.Add(time.Hour)
	compare("past midnight", "lot", principal.Principal{}, now.Add(-time.Hour), ListRequest{}, false, true)
}

// set gives a field of a struct some value.
func set(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	default:
		t.Fatalf("a field of kind %s: write what another value of it is", v.Kind())
	}
}
