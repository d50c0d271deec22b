package app_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
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
