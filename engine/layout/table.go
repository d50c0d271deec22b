package layout

// grid is a table being placed.
type grid struct {
	l       *layouter
	t       *Table
	widths  []Length
	head    line
	rows    []line
	y, end  Length
	placed  []placedLine
	carry   Length // the height of a carried row; 0 = none is
	counted int    // rows of data
	onPage  int    // rows on the page that is being filled
}

// line is a row in lines of text.
type line struct {
	cells  []typeset
	images []*Picture // nil = none
	styles []Style
	span   int
	height Length
	kind   RowKind
	over   []over // heads over those of several columns
	top    Length // the height of them
}

// over is a head over those of the columns from one to before another.
type over struct {
	from, to int
	text     typeset
}

// placedLine is a row, or a part of one, in the strip.
type placedLine struct {
	line
	y                   Length
	openTop, openBottom bool // it comes from the page before, or goes on over the next
}

func newGrid(l *layouter, e *Element, t *Table) *grid {
	g := &grid{l: l, t: t, widths: make([]Length, len(t.Columns))}
	left, open := e.Width, 0
	for i, c := range t.Columns {
		if g.widths[i] = c.Width; c.Width == 0 {
			open++
		}
		left -= c.Width
	}
	for i, w := range g.widths {
		if w == 0 {
			share := max(left, 0) / Length(open)
			g.widths[i] = max(share, Millimeter)
			left, open = left-share, open-1
		}
	}
	texts := make([]string, len(t.Columns))
	styles := make([]Style, len(t.Columns))
	for i, c := range t.Columns {
		texts[i], styles[i] = c.Head, c.HeadStyle
	}
	g.head = g.heading(texts, styles)
	for i, c := range t.Columns {
		styles[i] = c.Style
	}
	for _, r := range t.Rows {
		g.rows = append(g.rows, g.line(r, styles, t.BodyHeight))
		if r.Kind == DataRow {
			g.counted++
		}
	}
	if t.Carried != nil {
		for n := range g.counted + 1 { // figures grow with the rows: the highest row decides, so that places are the same on each page
			if n == g.counted || n == 0 || n == g.counted/2 {
				g.carry = max(g.carry, g.carried(n, t.Forward).height, g.carried(n, t.Brought).height)
			}
		}
	}
	return g
}

// heading is the head, of two levels where columns have groups.
func (g *grid) heading(texts []string, styles []Style) line {
	out := g.line(Row{Texts: texts}, styles, 0)
	low := Length(0) // the height of heads below others
	for i := 0; i < len(g.t.Columns); i++ {
		c, to := g.t.Columns[i], i+1
		if c.Group == "" {
			continue
		}
		wide := g.widths[i]
		for ; to < len(g.t.Columns) && g.t.Columns[to].Group == c.Group; to++ {
			wide += g.widths[to]
		}
		text := Box{Width: wide, Text: c.Group, Style: styles[i]}.fit(g.l.font, 0)
		out.over = append(out.over, over{i, to, text})
		out.top = max(out.top, text.height()+styles[i].Padding)
		for k := i; k < to; k++ {
			low = max(low, out.cells[k].height()+styles[k].Padding)
		}
		i = to - 1
	}
	out.height = max(out.height, out.top+low, g.t.HeadHeight)
	if out.over != nil { // what is left is shared by both levels
		out.top += max(out.height-out.top-low, 0) / 2
	}
	return out
}

// line breaks the texts of a row.
func (g *grid) line(r Row, styles []Style, least Length) line {
	out := line{span: max(r.Span, 1), height: least, kind: r.Kind, cells: make([]typeset, len(g.widths)), styles: append([]Style(nil), styles...)}
	for i := range g.widths {
		if i > 0 && i < out.span {
			continue
		}
		if r.Bold {
			out.styles[i].Bold = true
		}
		if i == 0 && out.span > 1 {
			out.styles[0].Horizontal = AlignStart
		}
		text := ""
		if i < len(r.Texts) {
			text = r.Texts[i]
		}
		b := Box{Width: g.width(i, out.span), Text: text, Style: out.styles[i]}
		out.cells[i] = g.l.set(b, 0)
		out.height = max(out.height, out.cells[i].height()+b.Style.Padding)
		if i < len(r.Pictures) && r.Pictures[i] != nil {
			out.images, out.height = r.Pictures, max(out.height, pictureRow, g.t.Photo)
			if g.t.Photo > 0 && text != "" {
				out.height = max(out.height, g.t.Photo+out.cells[i].height()+b.Style.Padding)
			}
		}
	}
	return out
}

func (g *grid) width(column, span int) Length {
	if column > 0 {
		return g.widths[column]
	}
	var out Length
	for _, w := range g.widths[:min(span, len(g.widths))] {
		out += w
	}
	return out
}

// carried is a row with the figures of the first n rows of data.
func (g *grid) carried(n int, label string) line {
	texts := append([]string(nil), g.t.Carried(n)...)
	span := len(g.t.Columns)
	styles := make([]Style, len(g.t.Columns))
	for i, c := range g.t.Columns {
		if styles[i] = c.Style; c.CarryFigure && i < span {
			span = max(i, 1)
		}
	}
	for len(texts) < len(g.t.Columns) {
		texts = append(texts, "")
	}
	texts[0] = label
	return g.line(Row{Kind: SumRow, Texts: texts, Span: span, Bold: true}, styles, g.t.BodyHeight)
}

// place finds the places of all rows from a height in the strip on.
func (g *grid) place(y Length) {
	blocks := g.blocks()
	head := g.head.height
	if g.t.NoHead {
		head = 0
	}
	if len(g.rows) > 0 || head > 0 {
		first := head
		if len(blocks) > 0 {
			first += g.height(blocks[0])
			if blocks[0].after > 0 {
				first += g.carry
			}
		}
		if first <= g.l.usable {
			y = g.l.fits(y, first)
		} else if head > g.l.left(y) {
			y = g.l.next(y)
		}
	}
	g.y = y
	if head > 0 {
		y = g.put(g.head, y)
	}
	data := 0
	for _, b := range blocks {
		reserve := min(g.t.Below, g.l.usable/2)
		if b.after > 0 {
			reserve = g.carry
		}
		height := g.height(b)
		if g.full(b) {
			y = g.turn(g.fill(y, reserve), data)
		}
		if height+reserve > g.l.left(y) && !(y%g.l.usable == 0) {
			if fresh := g.l.usable - g.repeated(data); height+reserve <= fresh || height > fresh && g.l.left(y) < min(fresh/3, g.rows[b.from].height) {
				y = g.turn(y, data)
			}
		}
		for i := b.from; i < b.to; i++ {
			r := g.rows[i]
			isData := r.kind == DataRow
			total := g.total(i)
			if total {
				y = g.fill(y, r.height+reserve)
			}
			keep := Length(0)
			if left := g.counted - data; left > 1 || left == 1 && !isData {
				keep = g.carry
			}
			if r.height+keep > g.l.left(y) && height+reserve > g.l.usable-g.repeated(data) && r.height+keep <= g.l.usable-g.repeated(data) {
				y = g.turn(y, data)
			}
			y = g.putLong(r, y, data, keep)
			if isData {
				data++
			}
			if !total {
				g.onPage++
			}
		}
	}
	if n := len(g.rows); n == 0 || !g.total(n-1) {
		y = g.fill(y, min(g.t.Below, g.l.usable/2))
	}
	g.end = y
}

// total reports whether a row has the figures of the whole table, which does not count as a row of a page.
func (g *grid) total(i int) bool { return i == len(g.rows)-1 && g.rows[i].kind == SumRow }

// full reports whether a page has as many rows as it may have before a block.
func (g *grid) full(b block) bool {
	n := b.to - b.from
	if g.total(b.to - 1) {
		n--
	}
	return g.t.PerPage > 0 && g.onPage > 0 && g.onPage+n > g.t.PerPage
}

// fill adds empty rows until the page has as many as it should have, as long as there is room for them and for a height below them.
func (g *grid) fill(y, below Length) Length {
	if g.t.PerPage == 0 || g.onPage >= g.t.PerPage {
		return y
	}
	styles := make([]Style, len(g.t.Columns))
	for i, c := range g.t.Columns {
		styles[i] = c.Style
	}
	empty := g.line(Row{}, styles, max(g.t.BodyHeight, Millimeter))
	for ; g.onPage < g.t.PerPage && empty.height+below <= g.l.left(y) && (y%g.l.usable != 0 || g.onPage == 0); g.onPage++ {
		y = g.put(empty, y)
	}
	return y
}

// repeated is the height of what each further page begins with, after n rows of data.
func (g *grid) repeated(n int) Length {
	var h Length
	if g.t.Every && !g.t.NoHead {
		h = g.head.height
	}
	if n > 0 {
		h += g.carry
	}
	return h
}

// turn goes to the next page: with the carried figures before and after it, and the head.
func (g *grid) turn(y Length, data int) Length {
	if g.carry > 0 && data > 0 {
		row := g.carried(data, g.t.Forward)
		row.height = g.carry
		g.put(row, y)
	}
	y, g.onPage = g.l.next(y), 0
	if g.t.Every && !g.t.NoHead {
		y = g.put(g.head, y)
	}
	if g.carry > 0 && data > 0 {
		row := g.carried(data, g.t.Brought)
		row.height = g.carry
		y = g.put(row, y)
	}
	return y
}

func (g *grid) put(r line, y Length) Length {
	g.placed = append(g.placed, placedLine{line: r, y: y})
	return y + r.height
}

// putLong puts a row, in parts where it is too high for a page.
func (g *grid) putLong(r line, y Length, data int, keep Length) Length {
	if r.height+keep <= g.l.left(y) {
		return g.put(r, y)
	}
	done := make([]int, len(r.cells))
	for first := true; ; first = false {
		room := g.l.left(y) - keep
		piece := r
		piece.cells = make([]typeset, len(r.cells))
		piece.height = 0
		more := false
		for i, c := range r.cells {
			piece.cells[i] = part(c, done[i], room-r.styles[i].Padding)
			done[i] += len(piece.cells[i].lines)
			more = more || done[i] < len(c.lines)
			piece.height = max(piece.height, piece.cells[i].height()+r.styles[i].Padding)
		}
		if more {
			piece.height = room
		} else {
			piece.height = min(max(piece.height, g.t.BodyHeight), max(room, piece.height))
		}
		for i := range piece.styles {
			piece.styles[i].Vertical = AlignStart
		}
		g.placed = append(g.placed, placedLine{line: piece, y: y, openTop: !first, openBottom: more})
		y += piece.height
		if !more {
			return y
		}
		before := y
		if y = g.turn(y, data); g.l.left(y) <= keep || y <= before { // a page has no room for a line: the rest is lost rather than the program
			return y
		}
	}
}

// block are rows that stay on one page.
type block struct {
	from, to int
	after    int // rows of data behind it
}

func (g *grid) height(b block) (h Length) {
	for _, r := range g.rows[b.from:b.to] {
		h += r.height
	}
	return h
}

// blocks are the rows in groups that stay together: the head of a group with the row after it, figures with the row before them, and as many
// rows as Widow says at both ends.
func (g *grid) blocks() []block {
	n := len(g.rows)
	glued := make([]bool, n) // row i stays with row i-1
	for i := 1; i < n; i++ {
		glued[i] = g.rows[i].kind == SumRow || g.rows[i-1].kind == GroupRow
	}
	if w := g.t.Widow; w > 1 {
		for i, seen := 1, 1; i < n && seen < w; i, seen = i+1, seen+1 {
			glued[i] = true
		}
		for i, seen := n-1, 1; i > 0 && seen < w; i-- {
			glued[i] = true
			if g.rows[i].kind == DataRow {
				seen++
			}
		}
	}
	var out []block
	data := g.counted
	for i := 0; i < n; {
		to := i + 1
		for to < n && glued[to] {
			to++
		}
		for _, r := range g.rows[i:to] {
			if r.kind == DataRow {
				data--
			}
		}
		out = append(out, block{i, to, data})
		i = to
	}
	return out
}

// paint draws the rows.
func (g *grid) paint(x Length) {
	for _, r := range g.placed {
		sheet, y := g.l.on(r.y)
		at := x
		over := r.over
		for i := range g.widths {
			if i > 0 && i < r.span {
				continue
			}
			w, down := g.width(i, r.span), Length(0)
			if len(over) > 0 && i >= over[0].from {
				down = r.top
				if i == over[0].from {
					wide := Length(0)
					for _, w := range g.widths[i:over[0].to] {
						wide += w
					}
					for _, m := range g.l.cell(at, y, wide, r.top, over[0].text, r.styles[i].centered()) {
						g.l.draw(sheet, m)
					}
				}
				if i+1 == over[0].to {
					over = over[1:]
				}
			}
			pictured := i < len(r.images) && r.images[i] != nil && !r.openTop
			if pictured {
				for _, m := range g.picture(r.images[i], at, y, w, r.height) {
					g.l.draw(sheet, m)
				}
				down += g.t.Photo
			}
			for _, m := range g.l.cell(at, y+down, w, r.height-down, r.cells[i], r.styles[i]) {
				g.l.draw(sheet, opened(m, r.openTop, r.openBottom))
			}
			at += w
		}
	}
}

// picture are the marks of a picture in a cell.
func (g *grid) picture(p *Picture, x, y, width, height Length) []Mark {
	edge := Millimeter / 2
	high := min(height, 2*pictureRow)
	if g.t.Photo > 0 {
		high = g.t.Photo
	}
	return p.marks(x+edge, y+edge, width-2*edge, high-2*edge)
}
