package layout

import "slices"

// Spread is a document as a grid of cells, for spreadsheets: columns and rows take the place of lengths on paper.
type Spread struct {
	Columns, Rows []Length // widths and heights
	Cells         []SpreadCell
	Pictures      []SpreadPicture
}

// SpreadCell is a text that takes one or more rows and columns. No two cells have a place in common.
type SpreadCell struct {
	SpreadRange
	Text  string
	Value any // that of the Box or Row; nil = the text
	Style Style
	From  int // in a SumRow: the first of the rows that its figures count; they end before the cell's own row
}

// SpreadPicture is a *Picture or *Modules over cells.
type SpreadPicture struct {
	SpreadRange
	Content Content
}

// SpreadRange are rows and columns, counted from 0.
type SpreadRange struct{ Row, Column, Rows, Columns int }

// endless is the height of a page that all rows have room on.
const endless Length = 1 << 40

// near is how far edges lie apart that are one edge of the grid.
const near = 3 * tolerance

// SpreadOf puts a document into a grid, its template pages below each other: each edge of an element is one of a column or row. Lines and rectangles have no cells. A text that lies
// over another one goes where there is room beside it, or else into the other's cell.
func SpreadOf(d *Document, f Font) *Spread {
	s := &spreader{}
	var y Length
	for _, flow := range d.Flows {
		l := &layouter{setup: d.Setup, font: f, usable: endless}
		s.top = y
		for _, p := range l.place(flow) {
			y = max(y, s.top+p.end)
			s.element(p)
		}
	}
	return s.spread()
}

// spreader collects what has a place in the grid.
type spreader struct {
	top      Length // of the template page
	cells    []pieceOf[SpreadCell]
	pictures []pieceOf[SpreadPicture]
}

// pieceOf is a thing with its edges, and with the place from which it counts (of figures).
type pieceOf[T any] struct {
	left, top, right, bottom Length
	from                     Length
	what                     T
}

func (s *spreader) element(p *placed) {
	top := s.top + p.y
	switch c := p.Content.(type) {
	case Boxes:
		for _, b := range c {
			s.cell(p.Left+b.X, top, b.Width, s.top+p.end-top, SpreadCell{Text: b.Text, Value: b.Value, Style: b.Style})
		}
	case *Table:
		s.table(p, c)
	case *Picture, *Modules:
		s.picture(p.Left, top, p.Width, p.height, c)
	}
}

func (s *spreader) cell(left, top, width, height Length, c SpreadCell) {
	s.cells = append(s.cells, pieceOf[SpreadCell]{left: left, top: top, right: left + width, bottom: top + height, what: c})
}

func (s *spreader) picture(left, top, width, height Length, c Content) {
	s.pictures = append(s.pictures, pieceOf[SpreadPicture]{left: left, top: top, right: left + width, bottom: top + height, what: SpreadPicture{Content: c}})
}

// table adds the head and the rows of a table, which lie below each other in the strip.
func (s *spreader) table(p *placed, t *Table) {
	lines := p.table.placed
	if len(lines) > len(t.Rows) {
		s.head(p, t, lines[0])
		lines = lines[1:]
	}
	var data, group Length // where rows of data begin: of the table, and of the group
	for i, line := range lines {
		r, top, x := t.Rows[i], s.top+line.y, p.Left
		if i == 0 {
			data, group = top, top
		}
		if r.Kind == GroupRow {
			group = top + line.height
		}
		from := group
		if i == len(lines)-1 {
			from = data
		}
		for k, width := range p.table.widths {
			if k > 0 && k < line.span {
				continue
			}
			width = max(width, p.table.width(k, line.span))
			if k < len(line.images) && line.images[k] != nil {
				high := line.height
				if p.table.t.Photo > 0 {
					high = p.table.t.Photo
				}
				s.picture(x, top, width, high, line.images[k])
			}
			c := SpreadCell{Style: line.styles[k]}
			if k < len(r.Texts) {
				c.Text = r.Texts[k]
			}
			if k < len(r.Values) {
				c.Value = r.Values[k]
			}
			s.cell(x, top, width, line.height, c)
			s.cells[len(s.cells)-1].from = from
			x += width
		}
	}
}

// head adds the head of a table, with the names over neighbors.
func (s *spreader) head(p *placed, t *Table, line placedLine) {
	top := s.top + line.y
	below := make([]Length, len(t.Columns)) // what a name over a column takes of its height
	x := p.Left
	edges := []Length{x}
	for _, width := range p.table.widths {
		x += width
		edges = append(edges, x)
	}
	for _, o := range line.over {
		s.cell(edges[o.from], top, edges[o.to]-edges[o.from], line.line.top, SpreadCell{Text: t.Columns[o.from].Group, Style: line.styles[o.from].centered()})
		for k := o.from; k < o.to; k++ {
			below[k] = line.line.top
		}
	}
	for k, c := range t.Columns {
		s.cell(edges[k], top+below[k], edges[k+1]-edges[k], line.height-below[k], SpreadCell{Text: c.Head, Style: line.styles[k]})
	}
}

// spread finds the rows and columns and puts each thing into them.
func (s *spreader) spread() *Spread {
	xs, ys := []Length{0}, []Length{0}
	for _, c := range s.cells {
		xs, ys = append(xs, c.left, c.right), append(ys, c.top, c.bottom)
	}
	for _, p := range s.pictures {
		xs, ys = append(xs, p.left, p.right), append(ys, p.top, p.bottom)
	}
	xs, ys = edges(xs), edges(ys)
	out := &Spread{Columns: gaps(xs), Rows: gaps(ys)}
	taken := make([][]int, len(out.Rows)) // the cell at each place, from 1
	for i := range taken {
		taken[i] = make([]int, len(out.Columns))
	}
	for _, c := range s.cells {
		r := rangeOf(xs, ys, c.left, c.top, c.right, c.bottom)
		if r.Rows == 0 || r.Columns == 0 {
			continue
		}
		free, ok := free(taken, r)
		if !ok {
			out.join(first(taken, r), c.what)
			continue
		}
		c.what.SpreadRange, c.what.From = free, at(ys, c.from)
		out.Cells = append(out.Cells, c.what)
		for y := free.Row; y < free.Row+free.Rows; y++ {
			for x := free.Column; x < free.Column+free.Columns; x++ {
				taken[y][x] = len(out.Cells)
			}
		}
	}
	for _, p := range s.pictures {
		p.what.SpreadRange = rangeOf(xs, ys, p.left, p.top, p.right, p.bottom)
		out.Pictures = append(out.Pictures, p.what)
	}
	return out
}

// join puts a text into a cell that has its place: into an empty one, such as a frame, as it is, else behind the other text.
func (s *Spread) join(i int, c SpreadCell) {
	into := &s.Cells[i]
	switch {
	case c.Text == "":
	case into.Text == "":
		border, fill := into.Style.Border, into.Style.Fill
		into.Text, into.Value, into.Style = c.Text, c.Value, c.Style
		into.Style.Border, into.Style.Fill = border, fill
	default:
		into.Text, into.Value = into.Text+"  "+c.Text, nil
	}
}

// first is the first cell in a range.
func first(taken [][]int, r SpreadRange) int {
	for y := r.Row; y < r.Row+r.Rows; y++ {
		for x := r.Column; x < r.Column+r.Columns; x++ {
			if taken[y][x] != 0 {
				return taken[y][x] - 1
			}
		}
	}
	return -1
}

// free is the part of a range that no cell has yet: as many columns from its left, or else from its right, as are free over its height.
func free(taken [][]int, r SpreadRange) (SpreadRange, bool) {
	column := func(x int) bool {
		for y := r.Row; y < r.Row+r.Rows; y++ {
			if taken[y][x] != 0 {
				return false
			}
		}
		return true
	}
	from, to := r.Column, r.Column+r.Columns
	for from < to && !column(from) {
		from++
	}
	end := from
	for end < to && column(end) {
		end++
	}
	r.Column, r.Columns = from, end-from
	return r, r.Columns > 0
}

// edges sorts edges, those that lie near each other as one.
func edges(of []Length) (out []Length) {
	slices.Sort(of)
	for i, e := range of {
		if i == 0 || e-out[len(out)-1] >= near {
			out = append(out, e)
		}
	}
	return out
}

// at is the number of an edge: that of the one nearest to it.
func at(edges []Length, of Length) int {
	i, _ := slices.BinarySearch(edges, of)
	if i == len(edges) || i > 0 && of-edges[i-1] < edges[i]-of {
		i--
	}
	return i
}

func gaps(edges []Length) []Length {
	out := make([]Length, len(edges)-1)
	for i := range out {
		out[i] = edges[i+1] - edges[i]
	}
	return out
}

func rangeOf(xs, ys []Length, left, top, right, bottom Length) SpreadRange {
	x, y := at(xs, left), at(ys, top)
	return SpreadRange{y, x, at(ys, bottom) - y, at(xs, right) - x}
}
