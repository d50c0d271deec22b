package compile_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
)

// A property that holds codes of documents offers these, takes no others, and what names a value names the document.
func TestHeldCodes(t *testing.T) {
	t.Parallel()
	files := shop()
	files["models/task.json"] = &fstest.MapFile{Data: []byte(`{"name": "事", "name_i18n": {"en": "Task"}, "name_plural_i18n": {"en": "Tasks"}, "properties": [
  {"code": "of", "propertyType": "Dropdown", "holds": "model", "name": "对象", "name_i18n": {"en": "Of"}, "defaultValue": "'item'"},
  {"code": "who", "propertyType": "DropdownMulti", "holds": "role", "name": "谁", "name_i18n": {"en": "Who"}},
  {"code": "in", "propertyType": "Dropdown", "holds": "form", "name": "表单", "name_i18n": {"en": "Form"}}]}`)}
	files["data/task.json"] = &fstest.MapFile{Data: []byte(`{"key": ["of"], "rows": [{"of": "item", "who": ["clerk"], "in": "task"}]}`)}
	files["lists/open.json"] = &fstest.MapFile{Data: []byte(`{"name": "列", "name_i18n": {"en": "Open"}, "schemaCode": "task", "queryColumns": ["of"], "condition": "of == 'item'"}`)}
	set := compiletest.Extensions(product(t))
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	look := func() ([]string, *compile.References, *def.Pack) {
		p, problems := compile.Load(files, "shop", compile.Kinds(set), schemas)
		refs := &compile.References{}
		_, more := compile.Compile(set, []*def.Pack{p}, compile.Options{References: refs})
		var out []string
		for _, d := range append(problems, more...) {
			if d.Severity == "error" {
				out = append(out, fmt.Sprintf("%s %s", d.Position, d.Code))
			}
		}
		return out, refs, p
	}
	found, refs, p := look()
	require.Empty(t, found)
	places := func(k names.Kind, path string) (out []string) {
		for _, r := range refs.Of(k, path) {
			if !r.Defines {
				out = append(out, r.At().String())
			}
		}
		return out
	}
	require.Subset(t, places(names.Model, "item"), []string{"shop/models/task.json:2:123", "shop/data/task.json:1:34", "shop/lists/open.json:1:111"})
	require.Contains(t, places(names.Role, "clerk"), "shop/data/task.json:1:50")
	require.Contains(t, places(names.Form, "task"), "shop/data/task.json:1:66")

	cat, _ := compile.Compile(set, []*def.Pack{p}, compile.Options{})
	for _, table := range cat.Storage.Tables {
		for _, c := range table.Columns {
			if c.Property == "of" {
				require.Equal(t, names.Former{"thing", "good"}, c.ChoicesFrom["item"], "values follow a rename")
			}
		}
	}

	files["data/task.json"] = &fstest.MapFile{Data: []byte(`{"key": ["of"], "rows": [{"of": "nothing"}]}`)}
	found, _, _ = look()
	require.Len(t, found, 1)
	require.Contains(t, found[0], "shop/data/task.json:1:33 PACK025")

	files["data/task.json"] = &fstest.MapFile{Data: []byte(`{"key": ["of"], "rows": []}`)}
	files["models/task.json"] = &fstest.MapFile{Data: []byte(`{"name": "事", "name_i18n": {"en": "Task"}, "name_plural_i18n": {"en": "Tasks"}, "properties": [
  {"code": "of", "propertyType": "Dropdown", "holds": "model", "options": ["a"], "name": "对象", "name_i18n": {"en": "Of"}}]}`)}
	delete(files, "lists/open.json")
	found, _, _ = look()
	require.Contains(t, found, "shop/models/task.json:2:46 PROP028")
}
