package pagegrid

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLayout: the cases that the interface lays out too.
func TestLayout(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/layouts.json")
	require.NoError(t, err)
	var cases []struct {
		Name  string
		Items []Placed
		Boxes []Box
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		require.Equal(t, c.Boxes, Layout(c.Items), c.Name)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		boxes []Box
		left  []int // not seen
		want  []Box // of the others
	}{
		{"a row is shared", []Box{{0, 0, 3, 9}, {3, 0, 3, 9}, {6, 0, 3, 9}, {9, 0, 3, 9}}, []int{3},
			[]Box{{0, 0, 4, 9}, {4, 0, 4, 9}, {8, 0, 4, 9}}},
		{"in proportion", []Box{{0, 0, 6, 9}, {6, 0, 3, 9}, {9, 0, 3, 9}}, []int{1}, []Box{{0, 0, 8, 9}, {8, 0, 4, 9}}},
		{"by one", []Box{{0, 0, 6, 9}, {6, 0, 6, 9}, {0, 9, 12, 9}}, []int{0}, []Box{{0, 0, 12, 9}, {0, 9, 12, 9}}},
		{"two of a row at once", []Box{{0, 0, 4, 9}, {4, 0, 4, 9}, {8, 0, 4, 9}}, []int{0, 2}, []Box{{0, 0, 12, 9}}},
		{"an empty row stays for the page to close", []Box{{0, 0, 12, 9}, {0, 9, 12, 9}}, []int{0}, []Box{{0, 9, 12, 9}}},
		{"a gap that the author left stays", []Box{{0, 0, 3, 9}, {6, 0, 3, 9}, {9, 0, 3, 9}}, []int{2}, []Box{{0, 0, 3, 9}, {6, 0, 6, 9}}},
		{"beside a high one the left takes the room", []Box{{0, 0, 4, 9}, {4, 0, 4, 9}, {8, 0, 4, 18}, {0, 9, 8, 9}}, []int{1},
			[]Box{{0, 0, 8, 9}, {8, 0, 4, 18}, {0, 9, 8, 9}}},
		{"or the right", []Box{{0, 0, 4, 9}, {4, 0, 4, 9}, {8, 0, 4, 18}, {0, 9, 8, 9}}, []int{0},
			[]Box{{0, 0, 8, 9}, {8, 0, 4, 18}, {0, 9, 8, 9}}},
		{"a high one takes no part of its side", []Box{{0, 0, 6, 18}, {6, 0, 6, 9}, {6, 9, 6, 9}}, []int{1},
			[]Box{{0, 0, 6, 18}, {6, 9, 6, 9}}},
		{"a stack at the left of a high gap", []Box{{0, 0, 6, 9}, {0, 9, 6, 9}, {6, 0, 6, 18}}, []int{2},
			[]Box{{0, 0, 12, 9}, {0, 9, 12, 9}}},
	} {
		require.Equal(t, c.want, shownOf(c.boxes, c.left), c.name)
	}
}

func shownOf(boxes []Box, left []int) (out []Box) {
	seen := make([]bool, len(boxes))
	for i := range seen {
		seen[i] = !slices.Contains(left, i)
	}
	for i, b := range Close(boxes, seen) {
		if seen[i] {
			out = append(out, b)
		}
	}
	return out
}

// TestCloseAtRandom: whatever is not seen, what is seen stays within the page and covers nothing, nobody gets less room, and with all seen
// nothing moves.
func TestCloseAtRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		items := make([]Placed, 1+r.IntN(9))
		for i := range items {
			width, height := 1+r.IntN(12), 1+r.IntN(3)*6
			items[i] = Placed{Width: &width, Height: &height}
			if r.IntN(2) == 0 {
				x, y := r.IntN(12), r.IntN(4)*6
				items[i].X, items[i].Y = &x, &y
			}
		}
		boxes, seen, all := Layout(items), make([]bool, len(items)), true
		for i := range seen {
			seen[i] = r.IntN(3) > 0
			all = all && seen[i]
		}
		out := Close(boxes, seen)
		for i, b := range out {
			if !seen[i] {
				continue
			}
			require.True(t, b.X >= 0 && b.right() <= Columns && b.Y == boxes[i].Y && b.Height == boxes[i].Height, "%v of %v", out, boxes)
			require.GreaterOrEqual(t, b.Width, boxes[i].Width)
			for j := range i {
				require.False(t, seen[j] && b.Meets(out[j]), "%v of %v, seen %v", out, boxes, seen)
			}
		}
		if all {
			require.Equal(t, boxes, out)
		}
	}
}
