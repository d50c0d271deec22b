package compile_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
)

// variants are texts that the documents of a pack change between; "" takes the document away.
var variants = map[string][]string{
	"models/item.json": {
		`{"name": "货物", "name_i18n": {"en": "Item"}, "name_plural_i18n": {"en": "Items"}, "digest": "{code}", "properties": [
			{"code": "code", "propertyType": "ShortText", "name": "编号", "name_i18n": {"en": "Code"}, "unique": true},
			{"code": "price", "propertyType": "Number", "name": "价格", "name_i18n": {"en": "Price"}}]}`,
		`{"name": "货物", "name_i18n": {"en": "Item"}, "name_plural_i18n": {"en": "Items"}, "digest": "{code}", "properties": [

			{"code": "code", "propertyType": "ShortText", "name": "编号", "unique": true},
			{"code": "price", "propertyType": "Date", "name": "价格", "name_i18n": {"en": "Price"}}]}`,
	},
	"lists/item.json": {
		`{"schemaCode": "item", "name": "货物", "name_i18n": {"en": "Items"}, "queryColumns": ["code", "price"], "queryPresentation": {"style": "item.css"}}`,
		`{"schemaCode": "item", "name": "货物", "queryColumns": ["nothing"]}`, "",
		`{"schemaCode": "item", "name": "货物", "name_i18n": {"en": "Items"}, "queryColumns": ["code"], "queryPresentation": {"style": "item.css"}}`,
	},
	"lists/item.css": {".a { color: red }", ".b { color: blue }"},
	"data/item.json": {
		`{"key": ["code"], "rows": [{"code": "1"}]}`, `{"key": ["code"], "rows": [{"code": "1", "price": "much"}]}`, "",
	},
	"access/clerk.json": {
		`{"name": "职员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "all"}]}`,
		`{"name": "职员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view", "edit"], "rows": "price > 3"}]}`,
		`{"name": "职员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "own"}], "includes": ["chief"]}`,
		`{"name": "职员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "all", "fields": {"code": "-"}}]}`,
		`{"name": "职员", "models": [{"schemaCode": "item", "actions": ["view"], "rows": "prize > 3"}]}`,
		`{"name": "办事员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "all"}]}`,
		`{"name": "职员", "name_i18n": {"en": "Officer"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "all"}]}`,
		`{"name": "职员", "name_i18n": {"en": "Clerk"}, "apps": ["none"]}`, `{"name": "职员"`, "",
	},
	"access/chief.json": {
		`{"name": "主管", "name_i18n": {"en": "Chief"}, "includes": ["clerk"], "models": [{"schemaCode": "item", "actions": ["*"], "rows": "department"}]}`,
		`{"name": "主管", "name_i18n": {"en": "Chief"}, "includedBy": ["clerk"], "models": [{"schemaCode": "*", "actions": ["view"], "rows": "all"}]}`,
		`{"name": "主管", "name_i18n": {"en": "Chief"}, "permissions": ["ADMIN"]}`, `{"name": "主管", "name_i18n": {"en": "Chief"}, "secondFactor": true}`,
		`{"name": "主管", "permissions": ["APP_MNG"]}`,
	},
}

// TestRolesAgain: after 800 random changes of documents a compilation that keeps what it did before gives the catalog and the problems of one
// that does not; and where only what roles give has changed, it compiles nothing else again.
func TestRolesAgain(t *testing.T) {
	t.Parallel()
	schemas, err := composed()
	if err != nil {
		t.Fatal(err)
	}
	set, kept := product(t), &compile.Cache{}
	organisation, err := txtar.ParseFile("testdata/organisation.txtar")
	if err != nil {
		t.Fatal(err)
	}
	organisation.Files = append(organisation.Files, txtar.File{Name: "organisation/models/role.json", Data: []byte(`{"name": "角色", "name_i18n": {"en": "Role"}, "name_plural_i18n": {"en": "Roles"}, "properties": [
		{"code": "code", "propertyType": "ShortText", "name": "编码", "name_i18n": {"en": "Code"}}, {"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}]}`)})
	people, own := fstest.MapFS{}, fstest.MapFS{"pack.json": {Data: []byte(`{"code": "shop", "name": "店", "name_i18n": {"en": "Shop"}, "version": "1.0.0", "requires": ["organisation"]}`)}}
	for _, f := range organisation.Files {
		people[f.Name[len("organisation/"):]] = &fstest.MapFile{Data: f.Data}
	}
	compiled := func(c *compile.Cache) (*catalog.Catalog, diag.List) {
		var packs []*def.Pack
		var out diag.List
		for _, f := range []compile.Folder{{Dir: "organisation", FS: people}, {Dir: "shop", FS: own}} {
			p, list := c.Load(f.FS, f.Dir, compile.Kinds(set), schemas)
			packs, out = append(packs, p), append(out, list...)
		}
		cat, list := compile.Compile(set, packs, compile.Options{Zone: time.UTC, Cache: c})
		return cat, out.With(list).Sorted()
	}
	names := slices.Sorted(keys(variants))
	for _, name := range names {
		own[name] = &fstest.MapFile{Data: []byte(variants[name][0])}
	}
	if _, problems := compiled(nil); problems.HasErrors() {
		t.Fatal(problems[0].En, problems[0].Position)
	}
	random := rand.New(rand.NewPCG(14, 14))
	var before *catalog.Catalog
	alone := 0
	for step := range 800 {
		name := names[random.IntN(len(names))]
		if step%5 > 0 {
			name = names[random.IntN(2)] // the roles
		}
		text := variants[name][random.IntN(len(variants[name]))]
		if delete(own, name); text != "" {
			own[name] = &fstest.MapFile{Data: []byte(text)}
		}
		want, problems := compiled(nil)
		got, found := compiled(kept)
		at := fmt.Sprintf("step %d, %s: %s", step, name, text)
		if diff := cmp.Diff(problems, found); diff != "" {
			t.Fatal(at, diff)
		}
		if problems.HasErrors() {
			continue
		}
		none := &catalog.Catalog{}
		none.Freeze()
		if diff := cmp.Diff(string(printed(want, none)), string(printed(got, none))); diff != "" {
			t.Fatal(at, diff)
		}
		if l := got.List("item"); l != nil && !reflect.DeepEqual(l, want.List("item")) {
			t.Fatal(at, l)
		}
		if m := got.Model("role"); !reflect.DeepEqual(m.Field("name").Property, want.Model("role").Field("name").Property) {
			t.Fatal(at)
		}
		if want.Digest != got.Digest || !reflect.DeepEqual(want.Storage, got.Storage) || !slices.Contains(got.Roles, got.Role("chief")) {
			t.Fatal(at)
		}
		if before != nil && before.Models[0] == got.Models[0] && before.Digest != got.Digest {
			alone++
		}
		before = got
	}
	if alone < 20 {
		t.Errorf("roles were compiled alone %d times", alone)
	}
}
