package layout_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
)

// wound is how often outlines go around the middle of a module.
func wound(of [][]layout.Point, x, y int) (n int) {
	for _, line := range of {
		for i, p := range line {
			q := line[(i+1)%len(line)]
			if p.X != q.X || p.X > x {
				continue
			}
			if p.Y <= y && q.Y > y {
				n++
			}
			if q.Y <= y && p.Y > y {
				n--
			}
		}
	}
	return n
}

func TestOutlines(t *testing.T) {
	require.Equal(t, [][]layout.Point{{{0, 0}, {2, 0}, {2, 1}, {0, 1}}, {{3, 0}, {4, 0}, {4, 1}, {3, 1}}}, layout.Outlines([][]bool{{true, true, false, true}}), "bars")
	ring := [][]bool{{true, true, true}, {true, false, true}, {true, true, true}}
	require.Equal(t, [][]layout.Point{{{0, 0}, {3, 0}, {3, 3}, {0, 3}}, {{2, 1}, {1, 1}, {1, 2}, {2, 2}}}, layout.Outlines(ring), "one line around, and one around the hole")
	require.Empty(t, layout.Outlines(nil))

	random := rand.New(rand.NewPCG(4, 2))
	for range 50 {
		rows := make([][]bool, 1+random.IntN(12))
		wide := 1 + random.IntN(12)
		for y := range rows {
			rows[y] = make([]bool, wide)
			for x := range rows[y] {
				rows[y][x] = random.IntN(2) == 0
			}
		}
		lines := layout.Outlines(rows)
		for y, row := range rows {
			for x, dark := range row {
				require.Equal(t, dark, wound(lines, x, y) != 0, "%v: %d, %d", rows, x, y)
			}
		}
		for _, line := range lines {
			for i, p := range line {
				q, r := line[(i+1)%len(line)], line[(i+2)%len(line)]
				require.True(t, (p.X == q.X) != (p.Y == q.Y) && (q.X == r.X) != (p.X == q.X), "each corner turns: %v", line)
			}
		}
	}
}
