package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestHandlersComment: who decides on a record reads and writes its comments, is mentioned in them, and goes on to do so when it is decided; nobody else
// does whose roles do not show the record.
func TestHandlersComment(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		at := query.Ref{SchemaCode: "contract", ID: done.Record}
		says := func(who, text string) error {
			_, err := w.app.Comments().Add(w.Context(), w.as(who), comment.Draft{At: at, Text: text})
			return err
		}
		hears := func(who string) (out []string) {
			w.Helper()
			page, err := w.app.Comments().List(w.Context(), w.as(who), at, "", 10)
			require.NoError(w, err)
			for _, c := range page.Content {
				out = append(out, c.Author.Name+": "+c.Text)
			}
			return out
		}
		_, err := w.app.Reader().FormLoad(w.Context(), w.as("sue"), query.FormRequest{SchemaCode: "contract", ObjectID: done.Record})
		require.Error(w, err, "the roles of sue show her no contracts")
		require.NoError(w, says("sue", "Is this the price of May?"))
		require.NoError(w, says("ann", "It is."))
		want := []string{"sue: Is this the price of May?", "ann: It is."}
		require.Equal(w, want, hears("sue"))
		require.Equal(w, want, hears("ann"))
		found, err := w.app.Comments().People(w.Context(), w.as("ann"), at, "sue", 10)
		require.NoError(w, err)
		require.Len(w, found, 1)
		for _, who := range []string{"bob", "otto"} {
			require.Contains(w, []fault.Code{fault.ModelNotFound, fault.RecordNotFound}, fault.Of(says(who, "x")), who)
			_, err := w.app.Comments().List(w.Context(), w.as(who), at, "", 10)
			require.Contains(w, []fault.Code{fault.ModelNotFound, fault.RecordNotFound}, fault.Of(err), who)
		}
		w.agree("sue", done.Record)
		require.NoError(w, says("sue", "Thanks."))
		own, err := w.app.Comments().List(w.Context(), w.as("sue"), at, "", 10)
		require.NoError(w, err)
		require.NoError(w, w.app.Comments().Delete(w.Context(), w.as("sue"), own.Content[2].ID))
	})
}
