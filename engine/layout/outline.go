package layout

// Point is a corner of an outline, counted in modules from the top left corner of its code.
type Point struct{ X, Y int }

// Outlines are the borders of the dark parts of a code: closed lines with the dark on their right, so that one filled path of all of
// them, by the nonzero rule, is the code. Modules beside each other have no edge between them, where printers and screens would
// leave a light line.
func Outlines(rows [][]bool) (out [][]Point) {
	dark := func(x, y int) bool { return y >= 0 && y < len(rows) && x >= 0 && x < len(rows[y]) && rows[y][x] }
	edges := map[Point][]Point{} // where lines of one module go from a corner: two where dark modules touch at it alone
	var starts []Point
	add := func(from, to Point) {
		edges[from] = append(edges[from], to)
		starts = append(starts, from)
	}
	for y, row := range rows {
		for x, is := range row {
			if !is {
				continue
			}
			if !dark(x, y-1) {
				add(Point{x, y}, Point{x + 1, y})
			}
			if !dark(x+1, y) {
				add(Point{x + 1, y}, Point{x + 1, y + 1})
			}
			if !dark(x, y+1) {
				add(Point{x + 1, y + 1}, Point{x, y + 1})
			}
			if !dark(x-1, y) {
				add(Point{x, y + 1}, Point{x, y})
			}
		}
	}
	for _, start := range starts {
		for len(edges[start]) > 0 {
			out = append(out, corners(walk(edges, start)))
		}
	}
	return out
}

// walk takes the lines from a corner back to it.
func walk(edges map[Point][]Point, start Point) (line []Point) {
	for at := start; ; {
		next := edges[at][0]
		edges[at] = edges[at][1:]
		line = append(line, at)
		if at = next; at == start {
			return line
		}
	}
}

// corners leaves out the points of a closed line at which it goes straight on.
func corners(line []Point) (out []Point) {
	for i, p := range line {
		before, after := line[(i+len(line)-1)%len(line)], line[(i+1)%len(line)]
		if before.X == after.X || before.Y == after.Y {
			continue
		}
		out = append(out, p)
	}
	return out
}
