package draft_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestDraftsOfOthers: nobody else lists, opens, changes or deletes a draft, or has less room because of it; a deletion that names some of
// each takes only one's own.
func TestDraftsOfOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, ctx := newWorld(t, db), t.Context()
		ann, bob := w.as("ann", "writer"), w.as("bob", "writer")
		var all []string
		for n := range 100 {
			id, err := w.save(ctx, ann, input("", fmt.Sprintf(`{"title": "ann %d"}`, n)))
			require.NoError(t, err)
			all = append(all, id)
		}
		mine, err := w.save(ctx, bob, input("", `{"title": "bob"}`))
		require.NoError(t, err, "the drafts of others take no room")
		require.Equal(t, []string{"bob"}, titles(t, w, bob, ""))
		require.Empty(t, titles(t, w, bob, "ann"))
		_, err = w.Open(ctx, bob, all[0])
		require.Equal(t, fault.DraftNotFound, fault.Of(err))
		_, err = w.Save(ctx, bob, draft.Input{ID: all[0], SchemaCode: "note"})
		require.Equal(t, fault.DraftNotFound, fault.Of(err))

		count := func() int64 {
			page, err := w.List(ctx, ann, "", 0, 10)
			require.NoError(t, err)
			return page.TotalElements
		}
		require.NoError(t, w.Delete(ctx, bob, all))
		require.EqualValues(t, 100, count(), "they stay")
		require.NoError(t, w.Delete(ctx, bob, []string{all[0], mine}))
		require.EqualValues(t, 100, count())
		require.Empty(t, titles(t, w, bob, ""))
		opened, err := w.Open(ctx, ann, all[0])
		require.NoError(t, err)
		require.JSONEq(t, `"ann 0"`, string(opened.Data["title"]))
	}, draft.Tables()...)
}
