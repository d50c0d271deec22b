package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// savedTexts are documents of the desk, of which people save things.
var savedTexts = map[string]string{
	"models/parcel.json": `{"name": "parcel", "properties": [{"code": "title", "propertyType": "ShortText", "name": "title"},
		{"code": "weight", "propertyType": "Number", "name": "weight"}, {"code": "ticket", "propertyType": "RelevanceForm", "name": "ticket", "relativeCode": "ticket"},
		{"code": "state", "propertyType": "Dropdown", "name": "state", "options": [{"code": "OPEN", "name": "open"}, {"code": "SENT", "name": "sent"}]},
		{"code": "lines", "propertyType": "Sheet", "name": "lines", "properties": [{"code": "what", "propertyType": "ShortText", "name": "what"},
			{"code": "of", "propertyType": "DropdownMulti", "name": "of", "holds": "option", "of": "parcel.state"}]},
		{"code": "field", "propertyType": "Dropdown", "name": "field", "holds": "property", "of": "parcel"}]}`,
	"lists/parcels.json": `{"name": "parcels", "schemaCode": "parcel", "queryColumns": ["title", "weight", "lines"], "queryConditions": ["title", "weight", "state", "ticket.name"],
		"queryActions": ["export"]}`,
	"portals/front.json":  `{"name": "front", "personal": true, "widgets": [{"type": "TextList", "code": "door", "dataSource": "bizModel", "schemaCode": "parcel"}]}`,
	"forms/intake.json":   `{"name": "intake", "schemaCode": "parcel", "items": ["title"]}`,
	"access/counter.json": `{"name": "counter", "models": [{"schemaCode": "parcel", "actions": ["view"], "rows": "all"}]}`,
}

// TestSavedUses: what people saved, were given or entered is told with what names a thing, and before the thing goes.
func TestSavedUses(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := t.Context()
		a, err := app.Open(ctx, config(t, o, deskDir))
		require.NoError(t, err)
		defer a.Close()
		d := desks{a, t}
		var files []app.Change
		for path, text := range savedTexts {
			files = append(files, app.Change{Pack: "desk", Path: path, Text: &text})
		}
		desk := `{"name": "desk", "menu": [{"code": "ticket", "type": "BizModel"}]}`
		files = append(files, app.Change{Pack: "desk", Path: "app.json", Text: &desk})
		look, err := d.Look(ctx, rightsOf(a, "administrator"), app.Changeset{Files: files})
		require.NoError(t, err)
		for _, one := range look.Diagnostics {
			require.NotEqual(t, diag.Error, one.Severity, one.En)
		}
		_, err = a.Publish(ctx, rightsOf(a, "administrator"), app.Changeset{Files: files}, app.Confirmation{Steps: look.Digest})
		require.NoError(t, err)
		ann, err := a.AddUser(ctx, "ann", "Ann", []string{"administrator", "counter"})
		require.NoError(t, err)
		caller, _ := a.Caller(ctx, "ann")
		require.Equal(t, ann, caller.UserID)
		view := a.State().Policy.View(caller, a.Now(), a.Zone())
		save := func(name string, filters ...query.Filter) {
			_, err := a.SavedFilters().Add(ctx, view, "parcel", "parcels", savedfilter.Change{Name: &name, Filters: &filters})
			require.NoError(t, err)
		}
		save("heavy", query.Filter{PropertyCode: "weight", PropertyValue: json.RawMessage(`"5;"`)}, query.Filter{PropertyCode: "state", PropertyValue: json.RawMessage(`["OPEN","SENT"]`)})
		save("sent", query.Filter{PropertyCode: "state", PropertyValue: json.RawMessage(`"SENT"`)})
		save("mine", query.Filter{PropertyCode: "ticket.name", PropertyValue: json.RawMessage(`"x"`)})
		require.NoError(t, a.Act(ctx, caller, func(w world.World) error {
			_, err := w.Create(ctx, "parcel", map[string]any{"title": "a", "state": "SENT", "field": "weight", "lines": []map[string]any{{"of": []string{"SENT", "OPEN"}}, {"of": []string{"OPEN"}}}})
			return err
		}))
		_, err = a.Exports().Start(ctx, view, exporter.Request{ListRequest: query.ListRequest{SchemaCode: "parcel", QueryCode: "parcels"}, All: true, Remember: true,
			Columns: []exporter.Column{{PropertyCode: "title"}, {PropertyCode: "lines", ChildColumns: []exporter.Column{{PropertyCode: "what"}}}}})
		require.NoError(t, err)
		require.NoError(t, a.Portals().Arrange(ctx, view, "front", []portal.Place{{ID: "door", X: 1, Y: 1, Width: 5, Height: 5}}, a.Now()))

		for label, app := range map[string]string{"here": "desk", "elsewhere": "organisation"} {
			_, err = a.Auth().MakeToken(ctx, ann, authn.TokenOf{Label: label, Life: time.Hour, Apps: []principal.AppScope{{App: app}}})
			require.NoError(t, err)
		}
		_, err = a.Auth().MakeToken(ctx, ann, authn.TokenOf{Label: "all", Life: time.Hour})
		require.NoError(t, err)

		uses := func(kind, name string, roles ...string) (out []string) {
			u, err := a.Uses(ctx, rightsOf(a, roles...), "", kind, name)
			require.NoError(t, err)
			for _, one := range u.Saved {
				out = append(out, fmt.Sprintf("%s%s %d %v", one.What, one.In, one.Count, one.Who))
			}
			return out
		}
		for _, one := range []struct {
			kind, name string
			want       []string
		}{
			{"list", "parcels", []string{"filter 3 [Ann]", "columns 1 [Ann]", "token 1 [Ann]"}},
			{"portal", "front", []string{"arrangement 1 [Ann]"}},
			{"role", "counter", []string{"person 1 [Ann]"}},
			{"property", "parcel.weight", []string{"filter 1 [Ann]", "recordparcel.field 1 []"}},
			{"property", "parcel.title", []string{"columns 1 [Ann]"}},
			{"property", "parcel.lines.what", []string{"columns 1 [Ann]"}},
			{"property", "parcel.ticket", []string{"filter 1 [Ann]"}},
			{"option", "parcel.state:SENT", []string{"filter 2 [Ann]", "recordparcel.state 1 []", "recordparcel.lines.of 1 []"}},
			{"option", "parcel.state:OPEN", []string{"filter 1 [Ann]", "recordparcel.lines.of 2 []"}},
			{"form", "intake", []string{"token 1 [Ann]"}},
			{"model", "parcel", []string{"token 1 [Ann]"}},
		} {
			require.Equal(t, one.want, uses(one.kind, one.name, "administrator"), one.name)
		}

		texts := func(change []app.Change) (said []string) {
			p, err := d.Look(ctx, rightsOf(a, "administrator"), app.Changeset{Files: change})
			require.NoError(t, err)
			for _, s := range p.Steps {
				said = append(said, s.Text.In("en"))
			}
			return said
		}
		weightless := []app.Change{d.change("models/parcel.json", `{"code": "weight", "propertyType": "Number", "name": "weight"}, `, ""),
			d.change("lists/parcels.json", `"queryColumns": ["title", "weight"`, `"queryColumns": ["title"`)}
		*weightless[1].Text = strings.Replace(*weightless[1].Text, `"title", "weight", "state"`, `"title", "state"`, 1)
		require.Contains(t, texts(weightless), "remove property parcel.weight; 1 saved filter loses its condition on it")

		without := `{"name": "parcel", "properties": [{"code": "title", "propertyType": "ShortText", "name": "title"}]}`
		change := []app.Change{app.Change{Pack: "desk", Path: "models/parcel.json", Text: &without, Seen: d.document("models/parcel.json").Seen}}
		for path := range savedTexts {
			if path != "models/parcel.json" && path != "access/counter.json" && path != "forms/intake.json" {
				one := d.change(path, "", "")
				one.Text = nil
				change = append(change, one)
			}
		}
		var all []app.Change
		for path := range savedTexts {
			one := d.change(path, "", "")
			one.Text = nil
			all = append(all, one)
		}
		require.Contains(t, texts(all), "remove model parcel; 1 token for chosen applications reaches it no longer: here")
		require.Subset(t, texts(change), []string{"remove list parcels; 3 saved filters go with it: Ann",
			"remove portal page front; the arrangements of 1 person go with it: Ann"})
	})
}

// TestSavedUsesOfOthers: who administers one application is told how much, and not whose.
func TestSavedUsesOfOthers(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(t.Context(), clinic(t, o))
		require.NoError(t, err)
		defer a.Close()
		_, err = a.AddUser(t.Context(), "kay", "Kay", []string{"clinicKeeper"})
		require.NoError(t, err)
		for _, one := range []struct {
			app, role string
			who       []string
		}{{"clinic", "clinicKeeper", nil}, {"", "administrator", []string{"Kay"}}} {
			u, err := a.Uses(t.Context(), rightsOf(a, one.role), one.app, "role", "clinicKeeper")
			require.NoError(t, err)
			require.Equal(t, []app.SavedUse{{What: "person", Count: 1, Who: one.who}}, u.Saved)
		}
	})
}
