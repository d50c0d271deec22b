package authz_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// What properties can be, of which an external link gives none.
type (
	refers struct{ property.Property }
	claims struct{ property.Property }
	files  struct{ property.Property }
)

func (refers) Refs(any) []plan.Ref       { return nil }
func (claims) Claims(any) []plan.Ref     { return nil }
func (files) Files() property.FileLimits { return property.FileLimits{} }

// TestLinkView is what an external link gives: the plain properties of its form, to be filled in a new record.
func TestLinkView(t *testing.T) {
	m := lot()
	other := &catalog.Model{Code: "other", Fields: []*catalog.Field{{Code: "secret"}}}
	other.Fields[0].Model = other
	form := &catalog.Form{Code: "lot", Model: m, ExternalLink: true}
	item := func(code string, f catalog.Field) catalog.FormItem {
		f.Code, f.Model = code, m
		m.Fields = append(m.Fields, &f)
		return catalog.FormItem{Field: m.Fields[len(m.Fields)-1]}
	}
	role := []string{"boss"}
	readers, writers := item("readers", catalog.Field{}), item("writers", catalog.Field{})
	readers.Read, writers.Write = &role, &role
	form.Items = []catalog.FormItem{
		{Field: m.Fields[0]}, readers, writers, {Field: m.Fields[2]}, {Field: m.Fields[3]},
		{Type: "Section", Items: []catalog.FormItem{
			item("inside", catalog.Field{}),
			item("target", catalog.Field{Target: other}),
			item("computed", catalog.Field{Compute: plan.True}),
			item("person", catalog.Field{Property: refers{}}),
			item("claimed", catalog.Field{Property: claims{}}),
			item("attached", catalog.Field{Property: files{}}),
		}},
	}
	p, _ := compile(t, []*catalog.Model{m, other},
		&catalog.Role{Code: "boss", Grants: []catalog.Grant{{Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}}})
	who := principal.Principal{Name: "link", LinkForm: "lot", Roles: role}
	v := p.LinkView(who, form, time.Now(), time.UTC)
	writable := map[string]bool{"part": true, "inside": true}
	for _, f := range m.Fields {
		right, guard := v.Field(f)
		if want := writable[f.Code]; (right == catalog.Writable && plan.IsTrue(guard)) != want || !want && f.Code != "owner" && right != catalog.Hidden {
			t.Errorf("%s: right %v", f.Code, right)
		}
	}
	for action, want := range map[string]bool{"view": true, "add": true, "edit": false, "delete": false, "batchUpdate": false} {
		if v.Can(m, action) != want || v.Can(other, action) {
			t.Errorf("%s: %v, of another model %v", action, v.Can(m, action), v.Can(other, action))
		}
	}
	if !plan.IsTrue(v.Rows(m)) || !plan.IsFalse(v.Rows(other)) {
		t.Error("rows: those of its model, and no others")
	}
	// To read one record: computed properties too, and who may write says nothing.
	one := who
	one.LinkRecord = "r1"
	if v := p.LinkView(one, form, time.Now(), time.UTC); v.Can(m, "view") {
		t.Error("a record through a form that only adds")
	}
	form.Actions = []string{"save", catalog.ExternalLinkAction}
	v = p.LinkView(one, form, time.Now(), time.UTC)
	readable := map[string]bool{"part": true, "inside": true, "computed": true, "writers": true}
	for _, f := range m.Fields {
		right, _ := v.Field(f)
		if want := readable[f.Code]; want && right != catalog.Readable || !want && f.Code != "owner" && right != catalog.Hidden {
			t.Errorf("%s: right %v", f.Code, right)
		}
	}
	if !v.Can(m, "view") || v.Can(m, "add") || v.Can(m, "edit") || v.Can(other, "view") {
		t.Error("it reads, and does nothing else")
	}
	if in, is := v.Rows(m).(*plan.InSet); !is || !reflect.DeepEqual(in.G.(*plan.Const).Value, []string{"r1"}) || !plan.IsFalse(v.Rows(other)) {
		t.Errorf("rows: %v", v.Rows(m))
	}
	form.Actions = nil
	form.ExternalLink = false
	for name, f := range map[string]*catalog.Form{"a form that is not opened": form, "no form": nil} {
		if v := p.LinkView(who, f, time.Now(), time.UTC); v.Can(m, "view") || v.Can(m, "add") || !plan.IsFalse(v.Rows(m)) {
			t.Errorf("%s gives something", name)
		}
	}
}
