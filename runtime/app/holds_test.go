package app_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// holding are documents in which tasks hold codes of models and forms.
func holding(model, former string) map[string]string {
	return map[string]string{
		"models/" + model + ".json": `{"name": "纸", "name_i18n": {"en": "Paper"}, "name_plural_i18n": {"en": "Papers"}` + former + `, "properties": [{"code": "title", "propertyType": "ShortText", "name": "题", "name_i18n": {"en": "Title"}}]}`,
		"models/duty.json": `{"name": "事", "name_i18n": {"en": "Duty"}, "name_plural_i18n": {"en": "Duties"}, "properties": [
			{"code": "of", "propertyType": "Dropdown", "holds": "model", "name": "对象", "name_i18n": {"en": "Of"}},
			{"code": "lines", "propertyType": "Sheet", "name": "行", "name_i18n": {"en": "Lines"}, "properties": [
				{"code": "forms", "propertyType": "DropdownMulti", "holds": "form", "name": "表单", "name_i18n": {"en": "Forms"}}]}]}`,
		"data/duty.json": `{"key": ["of"], "rows": [{"of": "` + model + `"}]}`,
	}
}

// TestHeldCodes: what records hold of the code of a document follows when that is renamed, and a code that no document has is refused.
func TestHeldCodes(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		dir := filepath.Join(t.TempDir(), "firm")
		version(t, dir, holding("paper", ""))
		cfg := config(t, o, dir)
		boss := principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}
		var id string
		during(t, cfg, func(a *app.App) {
			ctx := t.Context()
			require.NoError(t, a.Act(ctx, boss, func(w world.World) (err error) {
				id, err = w.Create(ctx, "duty", map[string]any{"of": "paper", "lines": []map[string]any{{"forms": []string{"duty", "paper"}}}})
				return err
			}))
			require.Error(t, a.Act(ctx, boss, func(w world.World) error {
				_, err := w.Create(ctx, "duty", map[string]any{"of": "nothing"})
				return err
			}))
		})
		version(t, dir, holding("sheet", `, "renamedFrom": "paper"`))
		require.NoError(t, applyTo(t, cfg, nil))
		during(t, cfg, func(a *app.App) {
			require.NoError(t, a.Act(t.Context(), boss, func(w world.World) error { return holdsSheet(t.Context(), t, w, id) }))
		})
	})
}

func holdsSheet(ctx context.Context, t *testing.T, w world.World, id string) error {
	found, err := w.Get(ctx, "duty", id)
	require.NoError(t, err)
	require.Equal(t, "sheet", found.Values["of"])
	var lines []struct{ Forms []string }
	require.NoError(t, found.Decode("lines", &lines))
	require.Equal(t, []string{"duty", "sheet"}, lines[0].Forms)
	all, err := w.Find(ctx, "duty", map[string]any{"of": "sheet"}, world.All)
	require.Len(t, all, 2, "the row of the data file is the one that it was")
	return err
}

// parts are documents in which tasks hold codes of properties, options and nodes: of a fixed owner, and of one that another property holds.
func parts(model, property, option, node string, renamed bool) map[string]string {
	was := func(code string) string {
		if !renamed {
			return ""
		}
		return `, "renamedFrom": "` + code + `"`
	}
	held := func(code, more string) string {
		return `{"code": "` + code + `", "propertyType": "Dropdown", ` + more + `, "name": "名", "name_i18n": {"en": "Held"}}`
	}
	return map[string]string{
		"models/" + model + ".json": `{"name": "纸", "name_i18n": {"en": "Paper"}, "name_plural_i18n": {"en": "Papers"}` + was("paper") + `, "properties": [
			{"code": "` + property + `", "propertyType": "ShortText", "name": "题", "name_i18n": {"en": "Title"}` + was("title") + `},
			{"code": "state", "propertyType": "Radio", "name": "态", "name_i18n": {"en": "State"}, "options": [
				{"code": "` + option + `", "name": "开", "name_i18n": {"en": "Open"}` + was("OPEN") + `}, {"code": "DONE", "name": "毕", "name_i18n": {"en": "Done"}}]}]}`,
		"models/duty.json": `{"name": "事", "name_i18n": {"en": "Duty"}, "name_plural_i18n": {"en": "Duties"}, "properties": [` + strings.Join([]string{
			held("field", `"holds": "property", "of": "`+model+`"`), held("state", `"holds": "option", "of": "`+model+`.state"`), held("step", `"holds": "node", "of": "read"`),
			held("on", `"holds": "model"`), held("path", `"holds": "property", "dependsOn": "on"`), held("choice", `"holds": "option", "dependsOn": "path"`)}, ", ") + `]}`,
		"workflows/read.json": `{"schemaCode": "` + model + `", "name": "阅", "name_i18n": {"en": "Reading"}, "nodes": [
			{"id": "` + node + `", "type": "START", "name": "发", "name_i18n": {"en": "Start"}` + was("begin") + `, "next": ["end"]}, {"id": "end", "type": "END"}]}`,
	}
}

// TestHeldParts: what records hold of codes of properties, options and nodes follows when these, or what they are in, are renamed; a history reads
// them as of its time, and a part of another owner is refused.
func TestHeldParts(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		dir := filepath.Join(t.TempDir(), "firm")
		version(t, dir, parts("paper", "title", "OPEN", "begin", false))
		cfg := config(t, o, dir)
		boss := principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}
		whole := map[string]any{"field": "title", "state": "OPEN", "step": "begin", "on": "paper", "path": "paper.state", "choice": "paper.state:OPEN"}
		first := map[string]any{"field": "state", "state": "DONE", "on": "paper", "path": "paper.title"}
		var id, changed string
		during(t, cfg, func(a *app.App) {
			ctx := t.Context()
			require.NoError(t, a.Act(ctx, boss, func(w world.World) (err error) {
				if id, err = w.Create(ctx, "duty", whole); err == nil {
					changed, err = w.Create(ctx, "duty", first)
				}
				return err
			}))
			require.NoError(t, a.Act(ctx, boss, func(w world.World) error {
				_, err := w.Update(ctx, "duty", changed, 1, whole)
				return err
			}))
			for _, wrong := range []map[string]any{
				{"field": "nothing"}, {"field": "paper.title"}, {"state": "SHUT"}, {"step": "read.begin"}, {"on": "duty", "path": "paper.title"}, {"path": "paper.title"},
				{"on": "paper", "path": "paper.title", "choice": "paper.state:OPEN"},
			} {
				require.Error(t, a.Act(ctx, boss, func(w world.World) error {
					_, err := w.Create(ctx, "duty", wrong)
					return err
				}), "%v", wrong)
			}
		})
		version(t, dir, parts("sheet", "heading", "NEW", "start", true))
		require.NoError(t, applyTo(t, cfg, nil))
		now := map[string]any{"field": "heading", "state": "NEW", "step": "start", "on": "sheet", "path": "sheet.state", "choice": "sheet.state:NEW"}
		during(t, cfg, func(a *app.App) {
			require.NoError(t, a.Act(t.Context(), boss, func(w world.World) error {
				for _, one := range []string{id, changed} {
					found, err := w.Get(t.Context(), "duty", one)
					require.NoError(t, err)
					for code, want := range now {
						require.Equal(t, want, found.Values[code], code)
					}
				}
				return nil
			}))
			past, err := a.Reader().History(t.Context(), rightsOf(a, "administrator"), query.HistoryRequest{SchemaCode: "duty", BizObjectID: changed})
			require.NoError(t, err)
			var became []string
			for _, c := range past.Content[0].Changes {
				became = append(became, fmt.Sprintf("%s %s -> %s", c.PropertyCode, c.Before, c.After))
			}
			require.Subset(t, became, []string{`field "state" -> "heading"`, `state "DONE" -> "NEW"`, `step  -> "start"`, `path "sheet.heading" -> "sheet.state"`, `choice  -> "sheet.state:NEW"`})
		})
	})
}
