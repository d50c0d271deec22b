package compile_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/property"
)

// held compiles the shop with a model of these properties, each a line, and other files; the errors, the references and the catalog.
func held(t *testing.T, properties []string, more map[string]string) ([]string, *compile.References, *catalog.Catalog) {
	t.Helper()
	files := shop()
	files["models/task.json"] = &fstest.MapFile{Data: []byte(`{"name": "事", "name_i18n": {"en": "Task"}, "name_plural_i18n": {"en": "Tasks"}, "properties": [` +
		"\n" + strings.Join(properties, ",\n") + `]}`)}
	for name, text := range more {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	set := compiletest.Extensions(product(t))
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	p, problems := compile.Load(files, "shop", compile.Kinds(set), schemas)
	refs := &compile.References{}
	cat, list := compile.Compile(set, []*def.Pack{p}, compile.Options{References: refs})
	var out []string
	for _, d := range append(problems, list...) {
		if d.Severity == "error" {
			out = append(out, fmt.Sprintf("%s %s %s", strings.TrimPrefix(d.Position.String(), "shop/"), d.Code, d.En))
		}
	}
	return out, refs, cat
}

func ofTask(code, more string) string {
	return fmt.Sprintf(`{"code": %q, "propertyType": "Dropdown", %s, "name": "名", "name_i18n": {"en": "Held"}}`, code, more)
}

// What an owner has is held by its codes, and what another property's owner has by its path, with the codes that both had.
func TestHeldParts(t *testing.T) {
	t.Parallel()
	found, refs, cat := held(t, []string{
		ofTask("field", `"holds": "property", "of": "item", "defaultValue": "'price'"`),
		ofTask("state", `"holds": "option", "of": "item.state"`),
		ofTask("unit", `"holds": "option", "of": "item.unit"`),
		ofTask("step", `"holds": "node", "of": "sale"`),
		ofTask("model", `"holds": "model"`),
		ofTask("path", `"holds": "property", "dependsOn": "model"`),
		ofTask("choice", `"holds": "option", "dependsOn": "path"`),
		ofTask("flow", `"holds": "workflow"`),
		ofTask("at", `"holds": "node", "dependsOn": "flow"`),
	}, map[string]string{
		"data/task.json": `{"key": ["field"], "rows": [
  {"field": "lines.qty", "state": "OPEN", "unit": "kg", "step": "start", "model": "item", "path": "item.price"},
  {"field": "unit", "model": "item", "path": "item.state", "choice": "item.state:OPEN", "flow": "sale", "at": "sale.end"},
  {"field": "lines", "model": "item", "path": "item.unit", "choice": "item.unit:kg"}]}`,
		"lists/open.json": `{"name": "列", "name_i18n": {"en": "Open"}, "schemaCode": "task", "queryColumns": ["field"], "condition": "state == 'OPEN' and path == 'item.lines.qty'"}`,
	})
	require.Empty(t, found)
	choices := func(code string) (out []property.Option) {
		return cat.Model("task").Field(code).Property.(property.Chooser).Choices()
	}
	describe := func(code string) (out []string) {
		for _, o := range choices(code) {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %v", o.Code, o.Label.In("en"), []string(o.Former))))
		}
		return out
	}
	require.Equal(t, []string{"price Price [cost]", "state State []", "unit Unit []", "lines Lines []", "lines.qty Lines / Quantity []"}, describe("field"))
	require.Equal(t, []string{"OPEN Open [NEW]", "DONE DONE []"}, describe("state"))
	require.Equal(t, []string{"kg Kilogram []"}, describe("unit"))
	require.Equal(t, []string{"start Start []", "end end []"}, describe("step"))
	require.Contains(t, describe("path"), "item.price Item / Price [item.cost thing.price thing.cost good.price good.cost]")
	require.Contains(t, describe("path"), "task.at Task / Held []")
	require.Contains(t, describe("choice"), "item.state:OPEN Item / State / Open [item.state:NEW thing.state:OPEN thing.state:NEW good.state:OPEN good.state:NEW]")
	require.Contains(t, describe("choice"), "item.unit:kg Item / Unit / Kilogram [thing.unit:kg good.unit:kg]")
	require.Contains(t, describe("at"), "sale.start Sale / Start []")
	for _, o := range choices("choice") {
		require.Contains(t, []string{"item.state", "item.unit"}, o.Parent)
	}

	places := func(k names.Kind, path string) (out []string) {
		for _, r := range refs.Of(k, path) {
			if at := strings.TrimPrefix(r.At().String(), "shop/"); !r.Defines && !strings.HasPrefix(at, "access/") && !strings.HasPrefix(at, "workflows/") {
				require.Equal(t, r.Written, r.Text(), "the place is the name alone: %s", at)
				out = append(out, at)
			}
		}
		return out
	}
	require.Equal(t, []string{"data/task.json:2:105", "models/task.json:2:100"}, places(names.Property, "item.price"))
	require.Equal(t, []string{"data/task.json:2:14", "data/task.json:4:14", "lists/open.json:1:141"}, places(names.Property, "item.lines"))
	require.Equal(t, []string{"data/task.json:2:20", "lists/open.json:1:147"}, places(names.Property, "item.lines.qty"))
	require.Equal(t, []string{"data/task.json:2:36", "data/task.json:3:82", "lists/open.json:1:117"}, places(names.Option, "item.state:OPEN"))
	require.Equal(t, []string{"data/task.json:2:52", "data/task.json:4:81"}, places(names.Option, "units:kg"))
	require.Equal(t, []string{"data/task.json:2:66"}, places(names.Node, "sale.start"))
	require.Equal(t, []string{"data/task.json:3:117"}, places(names.Node, "sale.end"))
	require.Equal(t, []string{"data/task.json:3:98", "data/task.json:3:112", "models/task.json:5:70"}, places(names.Workflow, "sale"))
	require.Subset(t, places(names.Property, "item.state"), []string{"data/task.json:3:52", "data/task.json:3:76", "models/task.json:3:78"})
	require.Subset(t, places(names.Model, "item"), []string{"models/task.json:2:75", "models/task.json:3:73", "data/task.json:2:84", "data/task.json:2:100"})

	for _, table := range cat.Storage.Tables {
		for _, c := range table.Columns {
			if table.Model == "task" && c.Property == "field" {
				require.Equal(t, names.Former{"cost"}, c.ChoicesFrom["price"], "values follow a rename")
			}
		}
	}
}

// What holds parts names their owner, one that is there.
func TestHeldPartsFaults(t *testing.T) {
	t.Parallel()
	found, _, _ := held(t, []string{
		ofTask("none", `"holds": "property"`),
		ofTask("both", `"holds": "option", "of": "item.state", "dependsOn": "none"`),
		ofTask("far", `"holds": "property", "of": "itme"`),
		ofTask("odd", `"holds": "option", "of": "item.price"`),
		ofTask("gone", `"holds": "option", "of": "item.nothing"`),
		ofTask("step", `"holds": "node", "of": "sal"`),
		ofTask("vain", `"holds": "model", "of": "item"`),
		ofTask("alone", `"options": ["a"], "of": "item"`),
		ofTask("listed", `"holds": "node", "of": "sale", "options": ["a"]`),
		ofTask("chain", `"holds": "option", "of": "task.odd"`),
	}, nil)
	require.Equal(t, []string{
		`models/task.json:2:55 PROP060 "none" holds codes of kind property and needs their owner: either "of" or "dependsOn"`,
		`models/task.json:3:55 PROP060 "both" holds codes of kind option and needs their owner: either "of" or "dependsOn"`,
		`models/task.json:4:72 PROP061 "itme" has no codes of kind property, or doesn't exist (did you mean "item"?)`,
		`models/task.json:5:70 PROP061 "item.price" has no codes of kind option, or doesn't exist`,
		`models/task.json:6:71 PROP061 "item.nothing" has no codes of kind option, or doesn't exist`,
		`models/task.json:7:69 PROP061 "sal" has no codes of kind node, or doesn't exist (did you mean "sale"?)`,
		`models/task.json:8:64 PROP062 "of" of "vain" has no effect: only properties, options and nodes that a value holds have an owner`,
		`models/task.json:9:65 PROP062 "of" of "alone" has no effect: only properties, options and nodes that a value holds have an owner`,
		`models/task.json:10:48 PROP028 "listed" has holds and can't have options, dictionary or dependsOn too`,
		`models/task.json:11:72 PROP061 "task.odd" has no codes of kind option, or doesn't exist`,
	}, found)
}
