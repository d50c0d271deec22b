package command

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
)

// offering is a program that offers a pack of sites and one of lots, which needs it.
func offering() program {
	offer := func(code, requires, model string) pack.Offer {
		files := fstest.MapFS{
			"pack.json":                  {Data: []byte(`{"code": "` + code + `", "name": "包", "name_i18n": {"en": "Pack"}, "version": "1.0.0", "requires": ` + requires + `}`)},
			"models/" + model + ".json":  {Data: []byte(`{"name": "模型", "name_i18n": {"en": "Model"}, "name_plural_i18n": {"en": "Models"}, "properties": [{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}}]}`)},
			"tests/see.access.json":      {Data: []byte(`{"name": "看得到", "people": {"kai": {"roles": ["` + code + `er"]}}, "steps": [{"person": "kai", "schemaCode": "` + model + `", "can": ["view"], "cannot": ["edit"]}]}`)},
			"access/" + code + "er.json": {Data: []byte(`{"name": "角色", "name_i18n": {"en": "Role"}, "models": [{"schemaCode": "` + model + `", "actions": ["view"], "rows": "all"}]}`)},
		}
		return pack.Offer{Path: "plugins/" + code, Parts: []pack.Part{{Path: "plugins/" + code, Register: func(s *pack.Set) error { s.AddFolder("plugins/"+code, files); return nil }}}}
	}
	return program{version: "test", offers: []pack.Offer{offer("lots", `["sites"]`, "lot"), offer("sites", `[]`, "site")}}
}

// TestOfferedPacks: a pack that the program offers takes part where a pack on disk requires it or the command line names it, in every command,
// and nowhere else.
func TestOfferedPacks(t *testing.T) {
	t.Setenv("LANG", "en_US.UTF-8")
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		require.Equal(t, want, run(t.Context(), args, console{out: &out, err: &out, program: offering()}), "%v: %s", args, &out)
		return out.String()
	}
	write("needs/pack.json", `{"code": "needs", "name": "需要", "name_i18n": {"en": "Needs"}, "version": "1.0.0", "requires": ["lots"]}`)
	write("needs/models/visit.json", `{"name": "到访", "name_i18n": {"en": "Visit"}, "name_plural_i18n": {"en": "Visits"}, "properties": [
		{"code": "lot", "propertyType": "RelevanceForm", "name": "批", "name_i18n": {"en": "Lot"}, "relativeCode": "lot"},
		{"code": "site", "propertyType": "RelevanceForm", "name": "现场", "name_i18n": {"en": "Site"}, "relativeCode": "site"}]}`)
	write("needs/access/visitor.json", `{"name": "访客", "name_i18n": {"en": "Visitor"}, "models": [{"schemaCode": "visit", "actions": ["view"], "rows": "all"}]}`)
	write("alone/pack.json", `{"code": "alone", "name": "独立", "name_i18n": {"en": "Alone"}, "version": "1.0.0"}`)
	write("alone/models/note.json", `{"name": "便条", "name_i18n": {"en": "Note"}, "name_plural_i18n": {"en": "Notes"}, "properties": [
		{"code": "lot", "propertyType": "RelevanceForm", "name": "批", "name_i18n": {"en": "Lot"}, "relativeCode": "lot"}]}`)
	write("alone/access/noter.json", `{"name": "记录", "name_i18n": {"en": "Writer"}, "models": [{"schemaCode": "note", "actions": ["view"], "rows": "all"}]}`)
	needs, alone := filepath.Join(dir, "needs"), filepath.Join(dir, "alone")

	require.Empty(t, do(exitDone, "check", needs))
	require.Contains(t, do(exitFaulty, "check", alone), `unknown model "lot"`)
	require.Empty(t, do(exitDone, "check", "--with", "lots", alone))
	require.Contains(t, do(exitUsage, "check", "--with", "lost", alone), `--with: there is no pack "lost" to switch on (there are construction, lots, quality, sites)`)
	t.Run("by the environment", func(t *testing.T) {
		t.Setenv("SLUICE_WITH", "sites,lots")
		require.Empty(t, do(exitDone, "check", alone))
	})

	require.Contains(t, do(exitDone, "test", "lots"), "plugins/lots/tests/see.access.json", "the scenarios of a pack of the program")
	require.Contains(t, do(exitEnvironment, "test", "lost"), "there is no folder lost")
	require.Contains(t, do(exitDone, "plan", "--data", filepath.Join(dir, "bare"), "--no-embedded", "--packs", alone, "--with", "lots"), "lot", "what is named is not left out")
	data := filepath.Join(dir, "data")
	require.Contains(t, do(exitDone, "plan", "--data", data, "--packs", alone, "--with", "lots"), "lot")
	require.Contains(t, do(exitDone, "apply", "--data", data, "--packs", alone, "--with", "lots", "--yes"), "applied")
	require.NotContains(t, do(exitDone, "plan", "--data", data), "lot", "without --packs those of the last time take part")
	other := filepath.Join(dir, "other")
	write("other/pack.json", `{"code": "other", "name": "别的", "name_i18n": {"en": "Other"}, "version": "1.0.0"}`)
	gone := do(exitDone, "apply", "--data", data, "--packs", other)
	require.Contains(t, gone, "The pack lots is no longer in use: its tables (1) with 0 records stay in the database. To use it again, add --with lots;")
	require.Contains(t, gone, "The pack alone is no longer in use: its tables (1) with 0 records stay in the database. To use it again, add its folder to --packs;")
	require.Contains(t, do(exitDone, "plan", "--data", data), "The pack lots is not in use")
	require.NotContains(t, do(exitDone, "plan", "--data", data, "--packs", alone, "--with", "lots"), "in use")
	require.Contains(t, do(exitDone, "schema", "--with", "lots", "--out", filepath.Join(dir, "schemas")), "model.schema.json")
}
