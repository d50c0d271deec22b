package app_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// TestTry: what was tried and refused leaves nothing behind, neither in the database nor in what the transaction remembers, and what was tried and
// taken stays; one within another as well.
func TestTry(t *testing.T) {
	t.Parallel()
	onBothWith(t, func(t *testing.T, s *packtest.System) {
		who := s.Person("trying", "builder")
		undo := errors.New("undo")
		make := func(ctx context.Context, w world.World, title string) string {
			id, err := w.Create(ctx, "part", map[string]any{"title": title})
			require.NoError(t, err)
			return id
		}
		titles := func(ctx context.Context, w world.World) (out []string) {
			for row, err := range w.Rows(ctx, "site.titles", nil) {
				require.NoError(t, err)
				out = append(out, row.Text("title"))
			}
			return out
		}
		var kept string
		require.NoError(t, s.Do(who, func(ctx context.Context, w world.World) error {
			kept = make(ctx, w, "before")
			w.Memo()["site.seen"] = 1
			require.ErrorIs(t, w.Try(ctx, func(w world.World) error {
				require.Empty(t, w.Memo(), "what is learnt within may be undone")
				made := make(ctx, w, "undone")
				_, err := w.Update(ctx, "part", kept, 1, map[string]any{"title": "changed"})
				require.NoError(t, err)
				require.ErrorIs(t, w.Try(ctx, func(w world.World) error { make(ctx, w, "within"); return undo }), undo)
				require.NoError(t, w.Try(ctx, func(w world.World) error { return w.Delete(ctx, "part", made) }))
				f, err := w.PutFile(ctx, "a.txt", strings.NewReader("text"))
				require.NoError(t, err)
				require.NotEmpty(t, f.ID)
				require.ElementsMatch(t, []string{"changed"}, titles(ctx, w))
				return undo
			}), undo)
			require.Equal(t, 1, w.Memo()["site.seen"])
			require.ElementsMatch(t, []string{"before"}, titles(ctx, w))

			err := w.Try(ctx, func(w world.World) error { // a refusal that is passed over undoes it too
				make(ctx, w, "beside")
				_, err := w.Create(ctx, "part", map[string]any{"title": "", "above": kept})
				require.Error(t, err)
				return nil
			})
			refusals := w.Refusals(fmt.Errorf("row 3: %w", err))
			require.Equal(t, []world.Refusal{{Property: "title", Code: fault.FieldRequired, Text: "请填写此项"}}, refusals)
			require.Equal(t, "参数不正确：x", strings.TrimSpace(w.Refusals(fault.New(fault.BadParameter, "x"))[0].Text))
			require.Equal(t, "不行", w.Refusals(fault.Refuse("不行", "no"))[0].Text)
			require.Empty(t, w.Refusals(undo))

			require.NoError(t, w.Try(ctx, func(w world.World) error { make(ctx, w, "stays"); return nil }))
			require.Empty(t, w.Memo(), "it may have been read from what is changed now")
			_, err = w.Update(ctx, "part", kept, 1, map[string]any{"title": "kept"})
			return err
		}))
		require.NoError(t, s.Do(who, func(ctx context.Context, w world.World) error {
			require.ElementsMatch(t, []string{"kept", "stays"}, titles(ctx, w))
			return nil
		}))
		require.Len(t, s.History(t, who, "part", kept), 2, "what was undone is in no history")
		require.Equal(t, 0, bytesOf(t, s), "the bytes of an undone upload are gone")
	}, yard)
}
