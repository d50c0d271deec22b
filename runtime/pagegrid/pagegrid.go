// Package pagegrid lays parts of a page out on twelve columns, and closes the gaps that parts leave which a reader does not see.
//
//   - In: what a document says of the places of its parts, and which of them a reader sees.
//   - Out: a box for each part, in columns and rows.
//   - Guarantees: boxes stay within the columns; those that are seen do not cover each other; what is seen in full stays where it is.
//     Layout is the same as layoutOf of ui/src/lib/grid-layout.ts (testdata/layouts.json is the cases of both).
//   - Begin with: Layout, then Close.
package pagegrid

import (
	"cmp"
	"slices"
)

// Columns is how wide a page is.
const Columns = 12

// usual is the width and the height of what has none.
const usual = 6

// Placed is what a document says of a place; nil = nothing.
type Placed struct {
	X      *int `json:"x,omitempty"`
	Y      *int `json:"y,omitempty"`
	Width  *int `json:"width,omitempty"`
	Height *int `json:"height,omitempty"`
}

// Box is a place, from the left and from the top.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

func (b Box) right() int  { return b.X + b.Width }
func (b Box) bottom() int { return b.Y + b.Height }

// Meets reports whether boxes cover each other.
func (b Box) Meets(o Box) bool {
	return b.X < o.right() && o.X < b.right() && b.Y < o.bottom() && o.Y < b.bottom()
}

func or(v *int, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return *v
}

// freeAfter is the next place that is free, from left to right and down.
func freeAfter(at Box, taken []Box) Box {
	for slices.ContainsFunc(taken, at.Meets) {
		if at.X++; at.right() > Columns {
			at.X, at.Y = 0, at.Y+1
		}
	}
	return at
}

// Layout puts parts where their document puts them, else after the one before. Those that would cover another go where there is room.
func Layout(items []Placed) []Box {
	fixed := make([]*Box, len(items))
	for i, p := range items {
		if p.X == nil && p.Y == nil {
			continue
		}
		wide := min(or(p.Width, usual), Columns)
		fixed[i] = &Box{min(or(p.X, 0), Columns-wide), or(p.Y, 0), wide, or(p.Height, usual)}
	}
	out := make([]Box, 0, len(items))
	x, y := 0, 0
	for i, p := range items {
		var box Box
		if fixed[i] != nil {
			box = freeAfter(*fixed[i], out)
		} else {
			wide := min(or(p.Width, usual), Columns)
			others := slices.Clone(out)
			for _, one := range fixed[i+1:] {
				if one != nil {
					others = append(others, *one)
				}
			}
			start := Box{x, y, wide, or(p.Height, usual)}
			if start.right() > Columns {
				start.X = 0
			}
			box = freeAfter(start, others)
		}
		out = append(out, box)
		x, y = box.right(), box.Y
	}
	return out
}

// Close gives the room of what is not seen to its neighbors. Parts that make a row of one height share it, in the proportion that they
// have; elsewhere those at the left take the room, or else those at the right. A row of which nothing is seen stays empty: pages move up
// what is below. Boxes of what is not seen say nothing any more.
func Close(boxes []Box, seen []bool) []Box {
	out := slices.Clone(boxes)
	left := []int{} // those that leave a gap, as people read them
	for i := range out {
		if !seen[i] {
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(a, b int) int {
		return cmp.Or(cmp.Compare(out[a].Y, out[b].Y), cmp.Compare(out[a].X, out[b].X))
	})
	done := map[int]bool{}
	for _, i := range left {
		if !done[i] && !shareRow(out, seen, out[i], done) {
			widen(out, seen, out[i])
		}
		done[i] = true
	}
	return out
}

// shareRow gives a row to those of it that are seen; false where the row of the gap is not one: other parts reach into it, or it has gaps
// that its author left.
func shareRow(boxes []Box, seen []bool, gap Box, done map[int]bool) bool {
	row := []int{}
	for i, b := range boxes {
		switch {
		case done[i] && !seen[i]:
		case b.Y == gap.Y && b.Height == gap.Height:
			row = append(row, i)
		case b.Y < gap.bottom() && gap.Y < b.bottom():
			return false
		}
	}
	slices.SortFunc(row, func(a, b int) int { return cmp.Compare(boxes[a].X, boxes[b].X) })
	from, all, shown := boxes[row[0]].X, 0, 0
	for _, i := range row {
		if boxes[i].X != from+all {
			return false
		}
		all += boxes[i].Width
		if seen[i] {
			shown += boxes[i].Width
		}
	}
	x, before := from, 0
	for _, i := range row {
		if !seen[i] {
			done[i] = true
			continue
		}
		before += boxes[i].Width
		end := from + (2*before*all+shown)/(2*shown) // rounded
		boxes[i].X, boxes[i].Width = x, end-x
		x = end
	}
	return true
}

// widen gives the room of a gap to those that touch it at the left and stay within its rows, or else to such at the right.
func widen(boxes []Box, seen []bool, gap Box) {
	within := func(b Box) bool { return b.Y >= gap.Y && b.bottom() <= gap.bottom() }
	took := false
	for i, b := range boxes {
		if seen[i] && b.right() == gap.X && within(b) {
			boxes[i].Width += gap.Width
			took = true
		}
	}
	for i, b := range boxes {
		if !took && seen[i] && b.X == gap.right() && within(b) {
			boxes[i].X, boxes[i].Width = gap.X, b.Width+gap.Width
		}
	}
}
