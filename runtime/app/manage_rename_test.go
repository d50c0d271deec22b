package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestRecode: what the installation made gets another code in all documents, drafts follow, and what a pack brings keeps its own.
func TestRecode(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(ctx, clinic(t, o))
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		s := shop{a, t}
		s.stock()
		s.keep("goods", "锤子")
		admin := rightsOf(a, "administrator")
		recode := func(kind, name, code string, check bool) (*app.Recoded, error) {
			in := app.NewCode{Kind: kind, Name: name, Code: code}
			in.Check = true
			look, err := a.Recode(ctx, admin, in)
			if err != nil || check {
				return look, err
			}
			in.Check, in.Confirm = false, look.Digest
			return a.Recode(ctx, admin, in)
		}

		_, err = recode("property", "visit.fee", "price", true)
		s.refused(fault.NameOfPack, err)
		_, err = recode("property", "goods.nothing", "price", true)
		s.refused(fault.NameNotFound, err)
		_, err = a.Recode(ctx, rightsOf(a, "clinicKeeper"), app.NewCode{Kind: "model", Name: "goods", Code: "wares"})
		s.refused(fault.Forbidden, err)
		_, err = a.Recode(ctx, rightsOf(a, "clinicKeeper"), app.NewCode{App: "clinic", Kind: "model", Name: "goods", Code: "wares"})
		s.refused(fault.NameNotFound, err)
		all, err := a.Names(ctx, admin, "")
		require.NoError(t, err)
		own := map[string]bool{}
		for _, one := range all {
			own[one.Name] = one.Own
		}
		require.True(t, own["goods"])
		require.False(t, own["shop"])
		require.True(t, own["goods.name"])
		require.False(t, own["visit"])

		// A code that is taken, or none, is refused with the reason and changes nothing.
		for code, want := range map[string]string{"visit": "RENAME004", "a-b": "RENAME003"} {
			look, err := recode("model", "goods", code, true)
			require.NoError(t, err)
			require.Equal(t, want, look.Diagnostics[0].Code)
			require.Empty(t, look.Files)
		}

		// The draft that the caller has of the list is a draft of the same list afterwards.
		list := `{"name": "商品", "name_i18n": {"en": "Goods"}, "schemaCode": "goods", "queryColumns": ["name"]}`
		require.NoError(t, publish.KeepDraft(ctx, a.Store(), publish.Draft{Owner: admin.User(), Pack: "shop", Path: "lists/goods.json", Text: list, At: a.Now()}))
		look, err := recode("model", "goods", "wares", true)
		require.NoError(t, err)
		require.Contains(t, look.Files, app.RecodedFile{Pack: "shop", Path: "models/goods.json", To: "models/wares.json"})
		require.Equal(t, "goods", a.State().Catalog.Model("goods").Code, "looking changes nothing")
		version := a.State().Catalog.Version
		_, err = recode("model", "goods", "wares", false)
		require.NoError(t, err)
		require.Greater(t, a.State().Catalog.Version, version)
		require.Equal(t, "wares", a.State().Catalog.Model("goods").Code, "old addresses lead there")
		rows, err := a.Reader().List(ctx, rightsOf(a, "administrator"), query.ListRequest{SchemaCode: "wares", QueryCode: "wares", Size: new(5)})
		require.NoError(t, err)
		require.Contains(t, string(rows), "锤子")
		drafts, err := publish.DraftsBy(ctx, a.Store(), admin.User())
		require.NoError(t, err)
		require.Len(t, drafts, 1)
		require.True(t, strings.Contains(drafts[0].Text, `"wares"`), "%s", drafts[0].Text)

		// A node of a workflow that the installation made, and the condition that names it.
		approval := strings.ReplaceAll(agreement("check", ""), "contract", "wares")
		due := `{"name": "待审", "name_i18n": {"en": "Due"}, "schemaCode": "wares", "condition": "any(tasks_, .node == 'check')", "queryColumns": ["name"]}`
		_, err = a.Publish(ctx, admin, app.Changeset{Files: []app.Change{{Pack: "shop", Path: "workflows/approval.json", Text: &approval}, {Pack: "shop", Path: "lists/due.json", Text: &due}}}, app.Confirmation{})
		require.NoError(t, err)
		look, err = recode("node", "approval.check", "review", false)
		require.NoError(t, err)
		require.Equal(t, 3, look.Places)
		require.Equal(t, "rename node check of workflow approval to review", look.Steps[0].Text.In("en"))
		require.Equal(t, "review", a.State().Catalog.Workflow("approval").Template.Nodes[1].ID)
		require.Equal(t, "wares", a.State().Catalog.Workflow("approval").Model.Code)
		text, err := a.DocumentText(ctx, admin, "shop", "lists/due.json", 0)
		require.NoError(t, err)
		require.Contains(t, *text.Text, ".node == 'review'")
		require.Equal(t, "review", a.Store().NameLog().SinceBefore().Node("approval", "check"))

		// Files of an installation are kept by the code of their application, so that it stays.
		_, err = recode("app", "shop", "store", true)
		s.refused(fault.NameOfPack, err)
	})
}
