package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// clinic is an application in which all sorts of documents use a model, and office another one that uses it too.
func clinic(t *testing.T, o store.Options) app.Config {
	t.Helper()
	keeper := func(code string) string {
		return `{"name": "管理", "name_i18n": {"en": "Keeper"}, "permissions": ["APP_MNG"], "apps": ["` + code + `"]}`
	}
	return config(t, o, packOf(t, "clinic", map[string]string{
		"app.json": `{"name": "门诊", "name_i18n": {"en": "Clinic"}, "menu": [{"code": "visit", "type": "BizModel", "name": "就诊", "schemaCode": "visit"}]}`,
		"models/visit.json": `{
  "name": "就诊",
  "name_i18n": {"en": "Visit"},
  "properties": [
    {"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}},
    {"code": "fee", "propertyType": "Number", "name": "费用", "name_i18n": {"en": "Fee"}},
    {"code": "paid", "propertyType": "Number", "name": "已付", "name_i18n": {"en": "Paid"}, "computeFormula": "fee * 2"}
  ]
}`,
		"models/room.json":         `{"name": "房间", "name_i18n": {"en": "Room"}, "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}]}`,
		"lists/visit.json":         `{"name": "就诊", "name_i18n": {"en": "Visits"}, "schemaCode": "visit", "queryColumns": ["name", "fee"], "queryPresentation": {"script": "visit.js"}}`,
		"lists/visit.js":           "export default {\n  options: { version: '1.1' }, hooks: { onLoad: () => '😀' + fee },\n}\n",
		"access/clinicKeeper.json": keeper("clinic"),
	}), packOf(t, "office", map[string]string{
		"app.json":                 `{"name": "办公", "name_i18n": {"en": "Office"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "bill"}]}`,
		"models/bill.json":         `{"name": "账单", "name_i18n": {"en": "Bill"}, "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}, {"code": "visit", "propertyType": "RelevanceForm", "name": "就诊", "name_i18n": {"en": "Visit"}, "relativeCode": "visit"}]}`,
		"access/officeKeeper.json": keeper("office"),
	}))
}

// TestUses: who administers an application sees what names a thing of it; places elsewhere are counted, and those in a draft are the caller's alone.
func TestUses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(ctx, clinic(t, o))
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		s := shop{a, t}
		admin, keeper, other := rightsOf(a, "administrator"), rightsOf(a, "clinicKeeper"), rightsOf(a, "officeKeeper")

		all, err := a.Names(ctx, keeper, "clinic")
		require.NoError(t, err)
		var listed []string
		for _, one := range all {
			listed = append(listed, one.Kind+" "+one.Name)
		}
		require.Equal(t, []string{"model room", "model visit", "property room.name", "property visit.fee", "property visit.name", "property visit.paid", "list visit", "role clinicKeeper", "app clinic"}, listed)
		require.Equal(t, "Fee", all[3].Label.I18n["en"])
		require.Equal(t, "models/visit.json", all[3].Path)

		// Nobody else, and nothing of another application.
		_, err = a.Names(ctx, rightsOf(a), "clinic")
		s.refused(fault.Forbidden, err)
		_, err = a.Names(ctx, keeper, "")
		s.refused(fault.Forbidden, err)
		_, err = a.Uses(ctx, other, "clinic", "model", "visit")
		s.refused(fault.Forbidden, err)
		_, err = a.Uses(ctx, other, "office", "model", "visit")
		s.refused(fault.NameNotFound, err)
		_, err = a.Uses(ctx, admin, "nothing", "model", "visit")
		s.refused(fault.AppNotFound, err)
		_, err = a.Uses(ctx, admin, "", "thing", "visit")
		s.refused(fault.BadParameter, err)
		_, err = a.Uses(ctx, admin, "", "property", "visit.nothing")
		s.refused(fault.NameNotFound, err)

		fee, err := a.Uses(ctx, keeper, "clinic", "property", "Visit.Fee")
		require.NoError(t, err)
		require.Equal(t, []string{
			`models/visit.json model "" 6:15 definition fee`,
			`models/visit.json model "" 7:110 reference fee`,
			`lists/visit.json list text 1:96 reference fee`,
			`lists/visit.js  "" 2:61 possible fee`,
		}, places(fee))
		require.Equal(t, "visit.fee", fee.Name)
		require.Equal(t, 3, fee.Count)
		require.Equal(t, `{"code": "fee", "propertyType": "Number", "name": "费用", "name_i18n": {"en": "Fee"}},`, fee.Documents[0].Places[0].Text)
		require.Equal(t, 10, fee.Documents[0].Places[0].From)
		require.Equal(t, "options: { version: '1.1' }, hooks: { onLoad: () => '😀' + fee },", fee.Documents[2].Places[0].Text)
		require.Equal(t, 59, fee.Documents[2].Places[0].From, "a browser counts 😀 as two")

		// The other application's places are for those who administer it.
		visit, err := a.Uses(ctx, keeper, "clinic", "model", "visit")
		require.NoError(t, err)
		require.Equal(t, 1, visit.Elsewhere)
		require.NotContains(t, strings.Join(places(visit), "\n"), "bill")
		visit, err = a.Uses(ctx, admin, "", "model", "visit")
		require.NoError(t, err)
		require.Zero(t, visit.Elsewhere)
		require.Contains(t, strings.Join(places(visit), "\n"), "models/bill.json model text")

		// A draft is read in place of its document, for the person who made it.
		text := `{"name": "就诊", "name_i18n": {"en": "Visits"}, "schemaCode": "visit", "queryColumns": ["name"]}`
		require.NoError(t, publish.KeepDraft(ctx, a.Store(), publish.Draft{Owner: keeper.User(), Pack: "clinic", Path: "lists/visit.json", Text: text, At: a.Now()}))
		fee, err = a.Uses(ctx, keeper, "clinic", "property", "visit.fee")
		require.NoError(t, err)
		require.Equal(t, []app.DraftedFile{{Pack: "clinic", Path: "lists/visit.json"}}, fee.Drafts)
		require.False(t, slices.ContainsFunc(fee.Documents, func(d app.UsingDocument) bool { return d.Path == "lists/visit.json" }))
	})
}

// places are those of an answer, one on each line.
func places(of *app.Usage) (out []string) {
	for _, d := range of.Documents {
		opens := d.Opens
		if opens == "" {
			opens = `""`
		}
		for _, p := range d.Places {
			out = append(out, strings.Join([]string{d.Path, d.Kind, opens, fmt.Sprintf("%d:%d", p.Line, p.Column), string(p.How), p.Written}, " "))
		}
	}
	return out
}
