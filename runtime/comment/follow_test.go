package comment_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
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

		var mu sync.Mutex
		var watched []query.Ref
		watch := func(refs ...query.Ref) {
			mu.Lock()
			defer mu.Unlock()
			watched = refs
		}
		heard := make(chan query.Ref, 100)
		ctx, end := context.WithCancel(w.Context())
		var over sync.WaitGroup
		over.Go(func() {
			w.app.Comments().Follow(ctx, func() []query.Ref {
				mu.Lock()
				defer mu.Unlock()
				return slices.Clone(watched)
			}, func(ref query.Ref) { heard <- ref })
		})
		w.Cleanup(func() { end(); over.Wait() })
		next := func(want query.Ref) {
			w.Helper()
			select {
			case got := <-heard:
				require.Equal(w, want, got)
			case <-time.After(time.Minute):
				w.Fatalf("%v was not told", want)
			}
		}
		watch(one, bare)
		next(one)
		watch(one, bare, two)
		next(two)
		add(bare)
		next(bare)
		require.NoError(w, w.app.Comments().Delete(w.Context(), w.as("ann"), said.ID))
		next(two)
		watch(two)
		add(one)
		add(two)
		next(two)
		watch(two, one) // again
		next(one)
		require.Empty(w, heard)
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
