package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/draft"
)

// TestDraftsOfStartForms: a form that starts a workflow is put aside, found, gone on with on two devices, and used by its writer alone.
func TestDraftsOfStartForms(t *testing.T) {
	each(t, func(w *world) {
		form := draft.Input{SchemaCode: "contract", Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("Lock gate")}}
		_, err := w.app.Drafts().Save(w.Context(), w.as("kim"), form)
		require.Error(w, err, "kim starts no such workflow")
		_, err = w.app.Drafts().Save(w.Context(), w.as("root"), form)
		require.Equal(w, fault.AdminStart, fault.Of(err))
		wrong := form
		wrong.Workflow = "partApproval"
		_, err = w.app.Drafts().Save(w.Context(), w.as("ann"), wrong)
		require.Equal(w, fault.WorkflowNotFound, fault.Of(err), "of another model")
		first, err := w.app.Drafts().Save(w.Context(), w.as("ann"), form)
		require.NoError(w, err)
		require.False(w, first.Apart)
		list := func() []draft.Entry {
			page, err := w.app.Drafts().List(w.Context(), w.as("ann"), "", 0, 10)
			require.NoError(w, err)
			return page.Content
		}
		require.Equal(w, "contractApproval", *list()[0].Workflow)
		require.True(w, list()[0].Usable)
		_, err = w.app.Drafts().Open(w.Context(), w.as("bob"), first.ID)
		require.Equal(w, fault.DraftNotFound, fault.Of(err))

		form.ID, form.Seen, form.Data = first.ID, &first.ModifiedTime, map[string]json.RawMessage{"title": raw("Phone")}
		phone, err := w.app.Drafts().Save(w.Context(), w.as("ann"), form)
		require.NoError(w, err)
		require.Equal(w, first.ID, phone.ID)
		form.Data = map[string]json.RawMessage{"title": raw("Desk")} // which has not seen what the phone did
		desk, err := w.app.Drafts().Save(w.Context(), w.as("ann"), form)
		require.NoError(w, err)
		require.True(w, desk.Apart)
		require.Len(w, list(), 2)
		for id, title := range map[string]string{phone.ID: "Phone", desk.ID: "Desk"} {
			opened, err := w.app.Drafts().Open(w.Context(), w.as("ann"), id)
			require.NoError(w, err)
			require.JSONEq(w, `"`+title+`"`, string(opened.Data["title"]), "neither is lost")
		}
		require.NoError(w, w.app.Drafts().Delete(w.Context(), w.as("ann"), []string{phone.ID, desk.ID}))
		require.Empty(w, list())
	})
}
