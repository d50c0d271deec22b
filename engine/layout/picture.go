package layout

// marks is an image in a box.
func (p *Picture) marks(x, y, width, height Length) []Mark {
	var out []Mark
	if p.Ref != "" {
		out = append(out, p.image(x, y, width, height))
	}
	if p.Border.Width > 0 {
		out = append(out, BoxMark{X: x, Y: y, Width: width, Height: height, Stroke: p.Border})
	}
	return out
}

func (p *Picture) image(x, y, width, height Length) ImageMark {
	m := ImageMark{X: x, Y: y, Width: width, Height: height, Ref: p.Ref}
	w, h := Length(p.Pixels[0]), Length(p.Pixels[1])
	if p.Fit == Fill || w <= 0 || h <= 0 {
		return m
	}
	wide := w*height > h*width // than its box
	if wide == (p.Fit == Contain) {
		m.Height = width * h / w
	} else {
		m.Width = height * w / h
	}
	m.X += (width - m.Width) / 2
	m.Y += (height - m.Height) / 2
	if p.Fit == Cover {
		m.Clip = &[4]Length{x, y, width, height}
	}
	return m
}

// background is the image behind every page.
func (l *layouter) background() []Mark {
	if l.setup.Background == nil {
		return nil
	}
	return l.setup.Background.marks(0, 0, l.setup.Width, l.setup.Height)
}

// logoShare is how much of the width of a code its logo takes: a code of the highest correction can be read with it.
const logoShare = 22 // hundredths

// marks is a code in a box: square where it has several rows. Its text is below it.
func (c *Modules) marks(f Font, x, y, width, height Length) []Mark {
	if len(c.Rows) == 0 || len(c.Rows[0]) == 0 {
		return nil
	}
	var out []Mark
	if c.Text != "" {
		t := Box{Width: width, Text: c.Text, Style: c.Style, Overflow: Shrink}.fit(f, lineHeight(c.Style.size())+c.Style.Padding)
		h := min(t.height(), height/2)
		l := layouter{font: f}
		s := c.Style
		s.Horizontal = AlignCenter
		out = append(out, l.cell(x, y+height-h, width, h, t, s)...)
		height -= h
	}
	columns := Length(len(c.Rows[0]) + 2*c.Quiet)
	if len(c.Rows) == 1 {
		w := width * Length(len(c.Rows[0])) / columns
		return append(out, CodeMark{X: x + (width-w)/2, Y: y, Width: w, Height: height, Rows: c.Rows})
	}
	side := min(width, height)
	inner := side * Length(len(c.Rows[0])) / columns
	left, top := x+(width-inner)/2, y+(height-inner)/2
	out = append(out, CodeMark{X: left, Y: top, Width: inner, Height: inner, Rows: c.Rows})
	if c.Logo != nil && c.Logo.Ref != "" {
		size := inner * logoShare / 100
		white := Color(0xffffff)
		edge := size / 10
		lx, ly := left+(inner-size)/2, top+(inner-size)/2
		out = append(out, BoxMark{X: lx - edge, Y: ly - edge, Width: size + 2*edge, Height: size + 2*edge, Fill: &white})
		out = append(out, c.Logo.image(lx, ly, size, size))
	}
	return out
}
