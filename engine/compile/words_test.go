package compile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/plugins/base"
)

// wordsOf compiles a pack whose list and form offer, and whose role grants, one word.
func wordsOf(t *testing.T, set *pack.Set, s *schema.Schemas, list, form, grant string) []string {
	t.Helper()
	files := map[string]string{
		"demo/pack.json":       `{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}, "version": "1.0.0"}`,
		"demo/models/lot.json": `{"name": "批", "name_i18n": {"en": "Lot"}, "properties": [{"code": "title", "name": "名", "name_i18n": {"en": "Title"}, "propertyType": "ShortText"}]}`,
		"demo/lists/lot.json": `{"schemaCode": "lot", "name": "批", "name_i18n": {"en": "Lots"}, "queryColumns": ["title"],
			"queryActions": ["` + list + `"]}`,
		"demo/forms/lot.json":       `{"schemaCode": "lot", "name": "批", "name_i18n": {"en": "Lot"}, "items": ["title"], "actions": ["` + form + `"]}`,
		"demo/workflows/check.json": `{"schemaCode": "lot", "name": "审", "name_i18n": {"en": "Check"}, "nodes": [{"id": "start", "type": "START", "next": ["end"]}, {"id": "end", "type": "END"}]}`,
		"demo/access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "lot", "actions": ["view", "` + grant + `"],
			"rows": "all"}]}`,
	}
	archive := []txtar.File{}
	for name, text := range files {
		archive = append(archive, txtar.File{Name: name, Data: []byte(text)})
	}
	packs, found := loadWith(t, set, s, archive)
	_, more := compile.Compile(set, packs, compile.Options{})
	var out []string
	for _, d := range append(found, more...) {
		if d.Severity == diag.Error || d.Code == "LIST082" || d.Code == "FORM031" {
			out = append(out, d.Code+" "+d.Pointer)
		}
	}
	return out
}

// Every check asks the one list of words: whatever is registered may stand where the word says, and nowhere else.
func TestWords(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	set = compiletest.Extensions(set)
	require.NoError(t, set.Words.Add(action.Word{Code: "seal", List: true, Grant: true}))
	require.NoError(t, set.Words.Add(action.Word{Code: "audit", Grant: true}))
	require.NoError(t, set.Words.Add(action.Word{Code: "stamp_form", Form: true, Later: true}))
	s, err := compile.Schemas(set)
	require.NoError(t, err)
	words := set.Words.Names()
	require.Contains(t, words, "print")
	for _, code := range words {
		w, _ := set.Words.Get(code)
		list, form, grant := "add", "save", "edit"
		found := func() string { return strings.Join(wordsOf(t, set, s, list, form, grant), " ") }
		list = code
		switch got := found(); {
		case !w.List:
			require.Contains(t, got, "SCHEMA016", code)
		case w.Later:
			require.Equal(t, "LIST082 /queryActions/0", got, code)
		default:
			require.Empty(t, got, code)
		}
		list, form = "add", code
		switch got := found(); {
		case !w.Form:
			require.Contains(t, got, "FORM002", code)
		case w.Later:
			require.Equal(t, "FORM031 /actions/0", got, code)
		default:
			require.Empty(t, got, code)
		}
		if form, grant = "save", code; code == "view" {
			continue // which the grant names already
		}
		if got := found(); w.Grant {
			require.Empty(t, got, code)
		} else {
			require.Contains(t, got, "ACCESS006", code)
		}
	}
}
