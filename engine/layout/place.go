package layout

import (
	"cmp"
	"slices"
)

// tolerance is how far elements may overlap and count as one below the other: people place them by hand.
const tolerance = 100 * Length(1) // 0.1 mm

// Lay puts a document on pages.
func Lay(d *Document, f Font) []Page {
	l := &layouter{setup: d.Setup, font: f, usable: max(d.Setup.Usable(), Millimeter), noRoom: d.NoRoom}
	for _, flow := range d.Flows {
		l.flow(flow)
	}
	if len(l.sheets) == 0 {
		l.sheet(0)
	}
	pages := make([]Page, len(l.sheets))
	for i, s := range l.sheets {
		slices.SortStableFunc(s.marks, func(a, b ordered) int { return cmp.Compare(a.order, b.order) })
		p := Page{Width: d.Setup.Width, Height: d.Setup.Height, Marks: make([]Mark, 0, len(s.marks)+4)}
		p.Marks = append(p.Marks, l.background()...)
		for _, m := range s.marks {
			p.Marks = append(p.Marks, m.Mark)
		}
		header, footer := d.Setup.Bands(i)
		p.Marks = append(p.Marks, l.band(header, true, i+1, len(pages))...)
		p.Marks = append(p.Marks, l.band(footer, false, i+1, len(pages))...)
		pages[i] = p
	}
	return pages
}

// layouter places the elements of one flow after another. Within a flow heights are those of a strip of paper as wide as the margins let it
// be: page n of the flow is the strip from n*usable to (n+1)*usable.
type layouter struct {
	setup  Setup
	font   Font
	usable Length
	first  int // the sheet that the flow began on
	order  int // of the element that draws
	sheets []sheet
	noRoom func(figure string) // Document.NoRoom
}

// set breaks the text of a box, and tells what has no room.
func (l *layouter) set(b Box, height Length) typeset {
	out := b.fit(l.font, height)
	if l.noRoom != nil {
		for _, figure := range out.lost {
			l.noRoom(figure)
		}
	}
	return out
}

type sheet struct{ marks []ordered }

// ordered is a mark with the place of its element in the template: later ones are drawn over earlier ones.
type ordered struct {
	order int
	Mark
}

func (l *layouter) sheet(i int) *sheet {
	for len(l.sheets) <= i {
		l.sheets = append(l.sheets, sheet{})
	}
	return &l.sheets[i]
}

// draw adds a mark to the sheet that a place in the strip is on.
func (l *layouter) draw(sheet int, m Mark) {
	s := l.sheet(sheet)
	s.marks = append(s.marks, ordered{l.order, m})
}

// on is the sheet of a height in the strip, and the distance of that height from the top of the paper.
func (l *layouter) on(y Length) (sheet int, top Length) {
	n := int(y / l.usable)
	return l.first + n, l.setup.top() + y - Length(n)*l.usable
}

// left is how much of a page is left below a height in the strip.
func (l *layouter) left(y Length) Length { return l.usable - y%l.usable }

// fits makes room for something that stays on one page: y, or the top of the next page.
func (l *layouter) fits(y, height Length) Length {
	if height > l.left(y) && y%l.usable != 0 {
		return l.next(y)
	}
	return y
}

func (l *layouter) next(y Length) Length { return (y/l.usable + 1) * l.usable }

// placed is an element in the strip.
type placed struct {
	*Element
	order       int
	y, end      Length // where it is
	row         []typeset
	shares      []share // of boxes that are too high for a page
	table       *grid
	height      Length // that it needs
	splits      bool
	isContainer bool
}

func (p *placed) bottom() Length { return p.Top + p.Height }

// flow draws the elements of a template page.
func (l *layouter) flow(f Flow) {
	l.first = len(l.sheets)
	l.sheet(l.first)
	for _, p := range l.place(f) {
		l.order = p.order
		l.paint(p)
	}
}

// place finds the places of the elements of a template page in the strip, in the order in which they are drawn.
func (l *layouter) place(f Flow) []*placed {
	all := make([]*placed, len(f.Elements))
	for i := range f.Elements {
		e := &f.Elements[i]
		all[i] = &placed{Element: e, order: i, isContainer: e.contains()}
		l.measure(all[i])
	}
	var done, containers []*placed
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *placed) int { return cmp.Compare(a.Top, b.Top) })
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Top == sorted[0].Top {
			n++
		}
		var group []*placed
		for _, p := range sorted[:n] {
			if p.isContainer {
				p.y = p.Top + shift(done, p.Top)
				containers = append(containers, p)
			} else {
				group = append(group, p)
			}
		}
		l.group(group, done)
		done = append(done, group...)
		sorted = sorted[n:]
	}
	for _, c := range containers {
		l.stretch(c, done)
	}
	return all
}

// contains reports whether an element is a frame around others, which grows with them.
func (e *Element) contains() bool {
	switch e.Content.(type) {
	case *Rectangle:
		return true
	case *Line:
		return e.Height > 0
	}
	return false
}

// shift is how far what is above a height has moved down what is there.
func shift(done []*placed, top Length) Length {
	var most Length
	for _, p := range done {
		if p.bottom() <= top+tolerance {
			most = max(most, p.end-p.bottom())
		}
	}
	return most
}

// carried is how far boxes that an element lies within have moved: it stays within them.
func carried(done []*placed, e *placed) Length {
	var most Length
	for _, p := range done {
		if _, is := p.Content.(Boxes); is && !p.splits && p.Top <= e.Top+tolerance && p.bottom() >= e.bottom()-tolerance &&
			p.Left <= e.Left+tolerance && p.Left+p.Width >= e.Left+e.Width-tolerance {
			most = max(most, p.y-p.Top)
		}
	}
	return most
}

// group places elements that begin at one height. Boxes of one height in the template stay of one height.
func (l *layouter) group(group, done []*placed) {
	if len(group) == 0 {
		return
	}
	heights := map[Length]Length{}
	for _, p := range group {
		if _, is := p.Content.(Boxes); is {
			heights[p.Height] = max(heights[p.Height], p.height)
		}
	}
	var together Length
	for _, p := range group {
		if _, is := p.Content.(Boxes); is {
			p.height = heights[p.Height]
			p.splits = p.height > l.usable
		}
		if !p.splits && p.height <= l.usable {
			together = max(together, p.height)
		}
	}
	down := shift(done, group[0].Top)
	for _, p := range group {
		down = max(down, carried(done, p))
	}
	y := group[0].Top + down
	if together > 0 {
		y = l.fits(y, together)
	}
	for _, p := range group {
		p.y, p.end = y, y+p.height
		switch c := p.Content.(type) {
		case Boxes:
			if p.splits {
				p.end = l.split(p, c, y)
			}
		case *Table:
			p.table.place(y)
			p.y, p.end = p.table.y, p.table.end
		}
	}
}

// stretch lets a frame begin and end with the elements that are within it in the template.
func (l *layouter) stretch(c *placed, done []*placed) {
	c.end = c.y + c.Height
	var within bool
	begin, grown := c.y, Length(0)
	for _, p := range done {
		if p.Top < c.Top-tolerance || p.bottom() > c.bottom()+tolerance || p.Left < c.Left-tolerance || p.Left+p.Width > c.Left+c.Width+tolerance {
			continue
		}
		if from := p.y - (p.Top - c.Top); !within || from < begin {
			begin = from
		}
		within = true
		grown = max(grown, p.end-p.bottom())
	}
	switch {
	case within:
		c.y, c.end = max(begin, 0), max(c.bottom()+grown, c.y+c.Height)
	case c.Height <= l.usable:
		c.y = l.fits(c.y, c.Height)
		c.end = c.y + c.Height
	}
}

// measure finds out how high an element is.
func (l *layouter) measure(p *placed) {
	p.height = p.Height
	switch c := p.Content.(type) {
	case Boxes:
		p.row = make([]typeset, len(c))
		for i, b := range c {
			p.row[i] = l.set(b, p.Height)
			if b.Overflow == Grow {
				p.height = max(p.height, p.row[i].height()+b.Style.Padding)
			}
		}
	case *Table:
		p.table = newGrid(l, p.Element, c)
		p.splits = true
	}
}

// paint draws an element that has its place.
func (l *layouter) paint(p *placed) {
	x := l.setup.Left + p.Left
	switch c := p.Content.(type) {
	case Boxes:
		l.boxes(p, c, x)
	case *Table:
		p.table.paint(x)
	case *Picture:
		sheet, y := l.on(p.y)
		for _, m := range c.marks(x, y, p.Width, p.height) {
			l.draw(sheet, m)
		}
	case *Modules:
		sheet, y := l.on(p.y)
		for _, m := range c.marks(l.font, x, y, p.Width, p.height) {
			l.draw(sheet, m)
		}
	case *Rectangle:
		l.slices(p, func(sheet int, y, height Length, first, last bool) {
			l.draw(sheet, BoxMark{X: x, Y: y, Width: p.Width, Height: height, Stroke: c.Stroke, Fill: c.Fill, Radius: c.Radius, OpenTop: !first, OpenBottom: !last})
		})
	case *Line:
		if p.Height == 0 {
			sheet, y := l.on(p.y)
			l.draw(sheet, LineMark{x, y, x + p.Width, y, c.Stroke})
			return
		}
		if p.Width == 0 {
			l.slices(p, func(sheet int, y, height Length, _, _ bool) { l.draw(sheet, LineMark{x, y, x, y + height, c.Stroke}) })
			return
		}
		sheet, y := l.on(p.y)
		l.draw(sheet, LineMark{x, y, x + p.Width, y + p.Height, c.Stroke})
	}
}

// slices calls draw for the part of an element on each of its pages.
func (l *layouter) slices(p *placed, draw func(sheet int, y, height Length, first, last bool)) {
	for y := p.y; y < p.end; {
		h := min(l.left(y), p.end-y)
		sheet, top := l.on(y)
		draw(sheet, top, h, y == p.y, y+h >= p.end)
		y += h
	}
}

// share is the part of boxes that are too high for one page that is on one of their pages.
type share struct {
	y, height Length
	lines     []typeset
}

// split divides boxes over pages, from a height in the strip on, and returns where they end.
func (l *layouter) split(p *placed, of Boxes, y Length) Length {
	done := make([]int, len(of))
	for {
		s := share{y: y, lines: make([]typeset, len(of))}
		room, more := l.left(y), false
		for i, t := range p.row {
			s.lines[i] = part(t, done[i], room-of[i].Style.Padding)
			done[i] += len(s.lines[i].lines)
			more = more || done[i] < len(t.lines)
			s.height = max(s.height, s.lines[i].height()+of[i].Style.Padding)
		}
		if more {
			s.height = room
		}
		p.shares = append(p.shares, s)
		if y += s.height; !more || room == l.usable && slices.Max(done) == 0 { // a page has no room for a line
			return y
		}
	}
}

// boxes draws texts side by side, over several pages where they are too high for one.
func (l *layouter) boxes(p *placed, of Boxes, x Length) {
	if !p.splits {
		sheet, y := l.on(p.y)
		for i, b := range of {
			for _, m := range l.cell(x+b.X, y, b.Width, p.height, p.row[i], b.Style) {
				l.draw(sheet, m)
			}
		}
		return
	}
	for n, share := range p.shares {
		sheet, y := l.on(share.y)
		for i, b := range of {
			s := b.Style
			s.Vertical = AlignStart
			for _, m := range l.cell(x+b.X, y, b.Width, share.height, share.lines[i], s) {
				l.draw(sheet, opened(m, n > 0, n < len(p.shares)-1))
			}
		}
	}
}

// opened is a mark of something that comes from the page before, or goes on over the next.
func opened(m Mark, above, below bool) Mark {
	if box, is := m.(BoxMark); is {
		box.OpenTop, box.OpenBottom = above, below
		return box
	}
	return m
}

// part are the lines from one on that fit in a height.
func part(t typeset, from int, height Length) typeset {
	n := min(len(t.lines)-from, max(int(height/lineHeight(t.size)), 0))
	return typeset{lines: t.lines[from : from+n], size: t.size}
}

// cell are the marks of a text in its box.
func (l *layouter) cell(x, y, width, height Length, t typeset, s Style) []Mark {
	var out []Mark
	if s.Border.Width > 0 || s.Fill != nil {
		out = append(out, BoxMark{X: x, Y: y, Width: width, Height: height, Stroke: s.Border, Fill: s.Fill})
	}
	line := lineHeight(t.size)
	top := y + s.Padding/2
	switch free := height - s.Padding - t.height(); s.Vertical {
	case AlignStart: // a little off the border where there is room
		top += min(max(free, 0), s.Padding/2)
	case AlignCenter:
		top += max(free/2, 0)
	case AlignEnd:
		top += max(free-s.Padding/2, 0)
	}
	up, down := scaled(l.font, l.font.Ascent(), t.size), scaled(l.font, l.font.Descent(), t.size)
	baseline := top + (line-up-down)/2 + up
	for _, text := range t.lines {
		if text != "" {
			w := Width(l.font, text, t.size)
			at := x + s.Padding
			switch free := width - 2*s.Padding - w; s.Horizontal {
			case AlignCenter:
				at += free / 2
			case AlignEnd:
				at += free
			}
			out = append(out, TextMark{X: at, Y: baseline, Width: w, Size: t.size, Text: text, Color: s.Color, Bold: s.Bold, Italic: s.Italic, Underline: s.Underline})
		}
		baseline += line
	}
	return out
}
