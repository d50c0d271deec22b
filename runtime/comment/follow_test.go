package comment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/internal/followtest"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestFollow: a page that begins to watch a record with comments is told at once, also when nothing is written; one of a record without any
// is told when the first comes, and nobody is told of what did not change.
func TestFollow(t *testing.T) {
	each(t, map[string]func(w *world){"follow": func(w *world) {
		one, two, bare := w.task("One", "OPEN"), w.task("Two", "OPEN"), w.task("Bare", "OPEN")
		add := func(at query.Ref) *comment.Comment { return w.add("ann", comment.Draft{At: at, Text: "words"}) }
		add(one)
		said := add(two)

		f := followtest.New(w.T, w.app.Comments().Follow)
		f.Watch(one, bare)
		f.Next(one)
		f.Watch(one, bare, two)
		f.Next(two)
		add(bare)
		f.Next(bare)
		require.NoError(w, w.app.Comments().Delete(w.Context(), w.as("ann"), said.ID))
		f.Next(two)
		f.Watch(two)
		add(one)
		add(two)
		f.Next(two)
		f.Watch(two, one) // again
		f.Next(one)
		f.Quiet()
	}})
}

// TestSizesOfPages: an answer has one comment at least and a hundred at most.
func TestSizesOfPages(t *testing.T) {
	each(t, map[string]func(w *world){"sizes": func(w *world) {
		at := w.task("Sizes", "OPEN")
		for size, fits := range map[int]bool{-1: false, 0: false, 1: true, comment.MaxPage: true, comment.MaxPage + 1: false} {
			_, err := w.app.Comments().List(w.Context(), w.as("ann"), at, "", size)
			_, found := w.app.Comments().People(w.Context(), w.as("ann"), at, "", size)
			if !fits {
				w.refused(fault.PageOutOfRange, err)
				w.refused(fault.PageOutOfRange, found)
				continue
			}
			require.NoError(w, err)
			require.NoError(w, found)
		}
	}})
}
