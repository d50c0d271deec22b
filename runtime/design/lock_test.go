package design_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestLocks: one person edits a document, until they give it back, ten minutes after they were heard last, or until it is taken over.
func TestLocks(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, now := t.Context(), time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)
		take := func(code, person string, over bool) design.Holder {
			t.Helper()
			lock, err := design.TakeLock(ctx, db, catalog.KindPortal, code, person, over, now)
			require.NoError(t, err)
			return lock
		}
		owner := func(code string) string {
			t.Helper()
			lock, err := design.LockOf(ctx, db, catalog.KindPortal, code, now)
			require.NoError(t, err)
			return lock.Owner
		}
		until := now.Add(600 * time.Second)
		require.Empty(t, owner("Page"))
		require.Equal(t, design.Holder{Owner: "ann", Until: until}, take("Page", "ann", false))
		require.Equal(t, design.Holder{Owner: "ann", Until: until}, take("PAGE", "bob", false), "in any case of letters")
		require.Equal(t, "bob", take("other", "bob", false).Owner, "another page")
		require.Equal(t, "ann", owner("page"))
		other, err := design.TakeLock(ctx, db, catalog.KindPrint, "page", "bob", false, now)
		require.NoError(t, err)
		require.Equal(t, "bob", other.Owner, "a document of another kind")
		now = now.Add(300 * time.Second)
		require.Equal(t, design.Holder{Owner: "ann", Until: now.Add(600 * time.Second)}, take("page", "ann", false), "renewed")
		now = now.Add(599 * time.Second)
		require.Equal(t, "ann", take("page", "bob", false).Owner, "just not over")
		now = now.Add(time.Second)
		require.Empty(t, owner("page"), "over")
		require.Equal(t, "bob", take("page", "bob", false).Owner)
		require.Equal(t, "ann", take("page", "ann", true).Owner, "taken over")
		require.NoError(t, design.DropLock(ctx, db, catalog.KindPortal, "page", "bob"))
		require.Equal(t, "ann", owner("page"), "it is not bob's to give back")
		require.NoError(t, design.DropLock(ctx, db, catalog.KindPortal, "PAGE", "ann"))
		require.Empty(t, owner("page"))
		require.Equal(t, "bob", take("page", "bob", false).Owner)
	}, design.Tables()...)
}
