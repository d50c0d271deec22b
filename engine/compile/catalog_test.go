package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

func shiplock(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, problems := compileArchive(t, archive(t, "testdata/compile/good.txtar").Files)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return c
}

func TestModel(t *testing.T) {
	m := shiplock(t).Model("Inspection")
	if m.Tree != m.Field("parent") || m.Field("contract").Display.Code != "title" || m.Field("contract").Choosable == nil {
		t.Error("the tree or a relation is not linked")
	}
	if f := m.Field("inspector"); f.Target.Code != "user" || f.Multiple {
		t.Errorf("the inspector is a person of %v", f.Target)
	}
	var digest string
	for _, p := range m.Digest {
		if digest += p.Text; p.Field != nil {
			digest += "<" + p.Field.Code + ">"
		}
	}
	if digest != "<sequenceNo> <part>" {
		t.Errorf("digest %q", digest)
	}
	if want := (catalog.Sequence{Prefix: "JY-", Date: "200601", Length: 4, Reset: "month"}); m.Sequence != want {
		t.Errorf("sequence %+v", m.Sequence)
	}
	var system []string
	for _, f := range m.Fields {
		if f.System {
			system = append(system, f.Code)
		}
	}
	want := []string{"id", "name", "sequenceNo", "creator", "createdDeptId", "owner", "ownerDeptId", "ownerDeptQueryCode", "createdTime",
		"modifier", "modifiedTime", "workflowInstanceId", "sequenceStatus", "participants_", "version"}
	if diff := cmp.Diff(want, system); diff != "" {
		t.Error(diff)
	}
}

func TestOwnNameReplacesTheDigest(t *testing.T) {
	m := shiplock(t).Model("user")
	if f := m.Field("name"); f.System || len(m.Digest) != 1 || m.Digest[0].Field != f {
		t.Errorf("name %+v, digest %+v", f, m.Digest)
	}
}

func TestComputedFieldsStandBehindWhatTheyRead(t *testing.T) {
	c, problems := compileArchive(t, []txtar.File{
		{Name: "pack.json", Data: []byte(`{"code": "demo"}`)},
		{Name: "models/a.json", Data: []byte(`{"properties": [
			{"code": "tax", "propertyType": "Number", "computeFormula": "total * 0.13"},
			{"code": "total", "propertyType": "Number", "computeFormula": "sum(items, .amount)"},
			{"code": "rate", "propertyType": "Number", "computeFormula": "1 + 1"},
			{"code": "items", "propertyType": "Sheet", "properties": [
				{"code": "amount", "propertyType": "Number", "computeFormula": "qty * record.rate"},
				{"code": "qty", "propertyType": "Number"}]}]}`)}})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var order []string
	for _, f := range c.Model("a").Computed {
		order = append(order, f.Code)
	}
	if diff := cmp.Diff([]string{"rate", "amount", "total", "tax"}, order); diff != "" {
		t.Error(diff)
	}
}

func TestGeneratedListAndForm(t *testing.T) {
	c := shiplock(t)
	l, f := c.List("contract"), c.Form("contract")
	if l == nil || f == nil || !l.Generated || !f.Generated || l.Label.In("en") != "Contracts" || f.Label.In("en") != "Contract" {
		t.Fatalf("list %+v, form %+v", l, f)
	}
	var codes []string
	for _, col := range l.Columns {
		codes = append(codes, col.Path.Code)
	}
	for _, a := range l.Actions {
		codes = append(codes, a.Code)
	}
	for _, item := range f.Fields() {
		codes = append(codes, item.Field.Code)
	}
	if diff := cmp.Diff([]string{"title", "partyB", "add", "import", "export", "edit", "batch_update", "change_owner", "copy", "print", "qr_code", "form_track", "delete",
		"title", "partyB"}, codes); diff != "" {
		t.Error(diff)
	}
	if o := l.OrderBy[0]; o.Path.Code != "createdTime" || !o.Descending {
		t.Errorf("order %+v", o)
	}
}

func TestGeneratedFiltersAndTables(t *testing.T) {
	c, problems := compileArchive(t, []txtar.File{
		{Name: "pack.json", Data: []byte(`{"code": "demo"}`)},
		{Name: "models/a.json", Data: []byte(`{"properties": [
			{"code": "name", "propertyType": "ShortText"},
			{"code": "kind", "propertyType": "Dropdown", "options": ["x"]},
			{"code": "day", "propertyType": "Date"},
			{"code": "who", "propertyType": "StaffSingle"},
			{"code": "of", "propertyType": "RelevanceForm", "relativeCode": "a"},
			{"code": "files", "propertyType": "Attachment"},
			{"code": "items", "propertyType": "Sheet", "properties": [{"code": "n", "propertyType": "Number"}]}]}`)}})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var filters []string
	for _, one := range c.List("a").Conditions {
		filters = append(filters, one.Path.Code)
	}
	if diff := cmp.Diff([]string{"kind", "day", "who", "of"}, filters); diff != "" {
		t.Error(diff)
	}
	for _, item := range c.Form("a").Fields() {
		if want := map[string]int{"items": 2}[item.Field.Code]; item.Span != want {
			t.Errorf("%s takes %d columns, want %d", item.Field.Code, item.Span, want)
		}
	}
}

func TestListPaths(t *testing.T) {
	l := shiplock(t).List("inspection")
	byCode := map[string]catalog.Path{}
	for _, col := range l.Columns {
		byCode[col.Path.Code] = col.Path
	}
	if p := byCode["contract.partyB"]; len(p.Steps) != 1 || p.Steps[0].Code != "contract" || p.Field.Model.Code != "contract" || p.Sheet {
		t.Errorf("contract.partyB is %+v", p)
	}
	var operators []plan.Op
	for _, x := range l.Conditions {
		operators = append(operators, x.Operator)
		if x.Path.Code == "items.value" && !x.Path.Sheet {
			t.Error("items.value does not lead into the sub-table")
		}
	}
	if diff := cmp.Diff([]plan.Op{plan.Contains, plan.Contains, plan.Between, plan.Between, plan.Of, plan.Between}, operators); diff != "" {
		t.Error(diff)
	}
}

func TestRole(t *testing.T) {
	c := shiplock(t)
	r := c.Role("inspectorRole")
	lots, contracts := r.Grants[0], r.Grants[1]
	wantRows := &plan.InSet{Op: plan.SetIntersects, F: &plan.Field{Column: "ownerDeptId", K: plan.ID}, G: &plan.Var{Name: "user.departmentTree", K: plan.Set}}
	if diff := cmp.Diff(plan.Expr(wantRows), lots.Rows); diff != "" {
		t.Error(diff)
	}
	if lots.Rest != catalog.Writable || lots.Fields["price"] != catalog.Hidden || lots.Fields["items.value"] != catalog.Readable {
		t.Errorf("field rights %+v, rest %v", lots.Fields, lots.Rest)
	}
	if contracts.Rest != catalog.Readable || contracts.EditRows != contracts.Rows {
		t.Errorf("a role that only views: %+v", contracts)
	}
	if all := c.Role("administrator").Grants[0]; all.Model != nil || !plan.IsTrue(all.Rows) || all.Rest != catalog.Writable {
		t.Errorf("the administrator's grant is %+v", all)
	}
}

func TestMenuKnowsItsLists(t *testing.T) {
	menu := shiplock(t).App("shiplock").Menu[1].Children
	if menu[0].SchemaCode != "inspection" || menu[0].QueryCode != "inspection" || menu[0].Label.In("en") != "Inspection lots" ||
		menu[1].QueryCode != "inspection_rejected" || menu[0].OpenMode != "VUE_MODE" {
		t.Errorf("menu %+v, %+v", menu[0], menu[1])
	}
}

// An entry of the menu takes the code and the name of the report that it opens.
func TestReportEntry(t *testing.T) {
	c, _ := compileArchive(t, archive(t, "testdata/compile/menu.txtar").Files)
	menu := c.App("demo").Menu
	known, unknown := menu[len(menu)-1], menu[len(menu)-2]
	if known.ReportCode != "progress" || known.Label.Zh != "进度" || unknown.ReportCode != "" {
		t.Errorf("known %+v, unknown %+v", known, unknown)
	}
}
