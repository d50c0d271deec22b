package compile_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/property"
)

// TestRolesOfOneName: of two roles with one Chinese name and different English ones neither is shown as the other; with the same one both are.
func TestRolesOfOneName(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]string{"Clerk": "Clerk", "Officer": "职员"} {
		c, problems := compileArchive(t, []txtar.File{
			{Name: "pack.json", Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}, "version": "1.0.0"}`)},
			{Name: "models/role.json", Data: []byte(`{"name": "角色", "name_i18n": {"en": "Role"}, "name_plural_i18n": {"en": "Roles"}, "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}]}`)},
			{Name: "access/one.json", Data: []byte(`{"name": "职员", "name_i18n": {"en": "Clerk"}, "permissions": ["ADMIN"]}`)},
			{Name: "access/two.json", Data: []byte(`{"name": "职员", "name_i18n": {"en": "` + second + `"}, "permissions": ["ADMIN"]}`)},
		})
		if problems.HasErrors() {
			t.Fatal(problems[0].En)
		}
		if got := c.Model("role").Field("name").Property.(property.Translator).Translate("职员", "en"); got != want {
			t.Errorf("with %s: %v", second, got)
		}
	}
}
