package compile_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
)

// shop are the documents of a pack with code.
func shop() fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range map[string]string{
		"pack.json": `{"code": "shop", "name": "店", "name_i18n": {"en": "Shop"}, "version": "1.0.0"}`,
		"models/item.json": `{"name": "货", "name_i18n": {"en": "Item"}, "name_plural_i18n": {"en": "Items"}, "renamedFrom": ["thing", "good"], "properties": [
  {"code": "price", "propertyType": "Number", "renamedFrom": "cost", "name": "价", "name_i18n": {"en": "Price"}},
  {"code": "state", "propertyType": "Radio", "name": "态", "name_i18n": {"en": "State"}, "options": [{"code": "OPEN", "name": "开", "name_i18n": {"en": "Open"}, "renamedFrom": "NEW"}, "DONE"]},
  {"code": "unit", "propertyType": "Dropdown", "dictionary": "units", "name": "位", "name_i18n": {"en": "Unit"}},
  {"code": "lines", "propertyType": "Sheet", "name": "行", "name_i18n": {"en": "Lines"}, "properties": [{"code": "qty", "propertyType": "Number", "name": "量", "name_i18n": {"en": "Quantity"}}]}]}`,
		"dictionaries/units.json": `{"name": "位", "name_i18n": {"en": "Units"}, "items": [{"code": "kg", "name": "千克", "name_i18n": {"en": "Kilogram"}}]}`,
		"workflows/sale.json": `{"schemaCode": "item", "name": "卖", "name_i18n": {"en": "Sale"}, "nodes": [{"id": "start", "type": "START", "name": "发", "name_i18n": {"en": "Start"}, "next": ["end"]},
  {"id": "end", "type": "END"}]}`,
		"access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "all"}]}`,
	} {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// coded compiles the shop with what its code names; the diagnostics without those of labels, and all references.
func coded(t *testing.T, code func(*pack.Set)) ([]string, *compile.References) {
	t.Helper()
	set := product(t)
	kinds := compiletest.Extensions(set)
	kinds.AddFolder("plugins/shop", shop())
	code(kinds)
	schemas, err := compiletest.Schemas(kinds)
	require.NoError(t, err)
	p, problems := compile.Load(shop(), "plugins/shop", compile.Kinds(kinds), schemas)
	refs := &compile.References{}
	_, more := compile.Compile(kinds, []*def.Pack{p}, compile.Options{References: refs})
	var out []string
	for _, d := range append(problems, more...) {
		if d.Severity == "error" {
			out = append(out, fmt.Sprintf("%s %s %s", d.Position, d.Code, d.En))
		}
	}
	return out, refs
}

// What the interface of a pack names is looked for like what its Go code names.
func TestCodesOfInterfaces(t *testing.T) {
	t.Parallel()
	files := shop()
	files["ui/codes.json"] = &fstest.MapFile{Data: []byte("{\n  \"item\": \"model item\",\n  \"price\": [\"property item.price\", \"property item.cost\"],\n  \"none\": \"list thing\",\n  \"bad\": [\"item\", 3, \"word item\", \"role \"]\n}\n")}
	set := compiletest.Extensions(product(t))
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	cache := &compile.Cache{}
	found := func() (out []string, refs *compile.References) {
		p, problems := cache.Load(files, "shop", compile.Kinds(set), schemas)
		refs = &compile.References{}
		_, more := compile.Compile(set, []*def.Pack{p}, compile.Options{References: refs, Cache: cache})
		for _, d := range append(problems, more...) {
			if d.Severity == "error" {
				out = append(out, fmt.Sprintf("%s %s %s", d.Position, d.Code, d.En))
			}
		}
		return out, refs
	}
	list, refs := found()
	for i, want := range []string{`shop/ui/codes.json:3:36 CODE002 code of pack shop names the property "item.cost", whose code is "price"`, `shop/ui/codes.json:4:11 CODE001 code of pack shop names the list "thing"`,
		`shop/ui/codes.json:5:11 CODE004`, `shop/ui/codes.json:5:19 CODE004`, `shop/ui/codes.json:5:22 CODE004`, `shop/ui/codes.json:5:35 CODE004`} {
		require.Contains(t, list[i], want)
	}
	require.Len(t, list, 6)
	var places []string
	for _, r := range refs.Of(names.Property, "item.price") {
		if r.Program {
			places = append(places, r.At().String())
		}
	}
	require.Equal(t, []string{"shop/ui/codes.json:3:13"}, places)

	files["ui/codes.json"] = &fstest.MapFile{Data: []byte("[]")}
	list, _ = found()
	require.Len(t, list, 1)
	require.Contains(t, list[0], "shop/ui/codes.json CODE004")

	// A compilation is not taken on for other declarations.
	compiled := func() int {
		p, _ := cache.Load(files, "shop", compile.Kinds(set), schemas)
		_, list := compile.Compile(set, []*def.Pack{p}, compile.Options{Cache: cache})
		n := 0
		for _, d := range list {
			if d.Severity == "error" {
				n++
			}
		}
		return n
	}
	files["ui/codes.json"] = &fstest.MapFile{Data: []byte(`{"item": "model item"}`)}
	require.Zero(t, compiled())
	files["ui/codes.json"] = &fstest.MapFile{Data: []byte(`{"item": "model thing"}`)}
	require.Equal(t, 1, compiled())
}

func line() int { _, _, line, _ := runtime.Caller(1); return line }

// What code names is there, and its line is a place that names it.
func TestCodesOfPacks(t *testing.T) {
	t.Parallel()
	at := 0
	found, refs := coded(t, func(s *pack.Set) {
		c := pack.NewCodes("shop")
		item := c.Model("Item")
		at = line()
		sub := pack.Path(item, c.Property("lines", item))
		c.Property("qty", sub)
		c.Option("OPEN", pack.Path(item, c.Property("state", item)))
		c.Option("kg", pack.Path(item, "unit"), c.Dictionary("units"))
		c.Node("end", c.Workflow("sale"))
		c.Role("clerk")
		c.Property("creator", item)
		c.Where("bridge").Model("nothing")
		s.Declare(c)
		s.Declare(pack.NewCodes("elsewhere"))
		other := pack.NewCodes("elsewhere")
		other.Model("nothing")
		s.Declare(other)
	})
	require.Empty(t, found)
	file := "compile/codes_test.go"
	for _, want := range []struct {
		kind names.Kind
		path string
		line int
	}{
		{names.Model, "item", at - 1}, {names.Property, "item.lines", at + 1}, {names.Property, "item.lines.qty", at + 2}, {names.Option, "item.state:OPEN", at + 3}, {names.Property, "item.unit", at + 4},
		{names.Option, "units:kg", at + 4}, {names.Dictionary, "units", at + 4}, {names.Node, "sale.end", at + 5}, {names.Workflow, "sale", at + 5}, {names.Role, "clerk", at + 6}, {names.Property, "item.creator", at + 7},
	} {
		var places []string
		for _, r := range refs.Of(want.kind, want.path) {
			if r.Program {
				places = append(places, r.At().String())
			}
		}
		require.Contains(t, places, fmt.Sprintf("%s:%d:1", file, want.line), want.path)
	}
}

// A code that no document has is an error at its line, which says how the thing is called since it was renamed. Hooks and what they refuse name too.
func TestCodesThatNothingHas(t *testing.T) {
	t.Parallel()
	at := 0
	found, _ := coded(t, func(s *pack.Set) {
		c := pack.NewCodes("shop")
		c.Model("itm")
		at = line()
		c.Model("good")
		c.Property("cost", "item")
		c.Property("prise", "item")
		c.Property("qty", "item.line")
		c.Option("NEW", "item.state")
		c.Option("open", "item.state")
		c.Option("t", "units", "item.unit")
		c.Node("middle", "sale")
		c.Role("clerc")
		c.Document("thing", "x")
		c.Property("a", "nothing")
		s.Declare(c)
		hooks := s.On("thing")
		hooks.Codes = map[hook.Refusal]fault.Code{{Property: "no", Code: fault.FieldType}: fault.FieldType}
		s.On("item").Codes = map[hook.Refusal]fault.Code{{Property: "no", Code: fault.FieldType}: fault.FieldType}
		s.On("item").Holders = map[string]fault.Code{"papers": fault.FieldType}
	})
	file := func(n int) string { return fmt.Sprintf("compile/codes_test.go:%d:1 ", at+n) }
	require.ElementsMatch(t, []string{
		file(-1) + `CODE001 code of pack shop names the model "itm", which no document defines (did you mean "item"?)`,
		file(1) + `CODE002 code of pack shop names the model "good", whose code is "item" since it was renamed`,
		file(2) + `CODE002 code of pack shop names the property "item.cost", whose code is "price" since it was renamed`,
		file(3) + `CODE001 code of pack shop names the property "item.prise", which no document defines (did you mean "price"?)`,
		file(4) + `CODE001 code of pack shop names the property "item.line", which no document defines (did you mean "lines"?)`,
		file(5) + `CODE002 code of pack shop names the option "item.state:NEW", whose code is "OPEN" since it was renamed`,
		file(6) + `CODE001 code of pack shop names the option "item.state:open", which no document defines (did you mean "OPEN"?)`,
		file(7) + `CODE001 code of pack shop names the option "units:t", which no document defines`,
		file(7) + `CODE001 code of pack shop names the option "item.unit:t", which no document defines`,
		file(8) + `CODE001 code of pack shop names the node "sale.middle", which no document defines`,
		file(9) + `CODE001 code of pack shop names the role "clerc", which no document defines (did you mean "clerk"?)`,
		file(10) + `CODE003 code names a thing of the unknown kind "thing"`,
		file(11) + `CODE001 code of pack shop names the model "nothing", which no document defines`,
		file(13) + `CODE002 code of pack compile/codes_test.go names the model "thing", whose code is "item" since it was renamed`,
		file(15) + `CODE001 code of pack compile/codes_test.go names the property "item.no", which no document defines`,
		file(15) + `CODE001 code of pack compile/codes_test.go names the model "papers", which no document defines`,
	}, found)
}
