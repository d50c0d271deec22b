package layout

import (
	"strconv"
	"strings"
)

// Bands are the header and footer of a page, by its number from 0; nil = it has none.
func (s Setup) Bands(page int) (header, footer *Band) {
	of := func(usual, next *Band) *Band {
		switch {
		case page == 0:
			return usual
		case next != nil:
			return next
		case usual != nil && usual.First:
			return nil
		}
		return usual
	}
	return of(s.Header, s.NextHeader), of(s.Footer, s.NextFooter)
}

// band are the marks of a header or footer.
func (l *layouter) band(b *Band, header bool, page, total int) []Mark {
	if b == nil || len(b.Items) == 0 {
		return nil
	}
	replace := strings.NewReplacer(PageNumber, strconv.Itoa(page), PageTotal, strconv.Itoa(total))
	texts := make([]string, len(b.Items))
	for i, it := range b.Items {
		if texts[i] = it.Text; !it.Fixed {
			texts[i] = replace.Replace(it.Text)
		}
	}
	size := b.Size
	if size == 0 {
		size = Points(9)
	}
	x, width := l.setup.Left, l.setup.Width-l.setup.Left-l.setup.Right
	height := lineHeight(size)
	y := b.Edge
	if !header {
		y = l.setup.Height - b.Edge - height
	}
	draw := func(text string, align Align) []Mark {
		return l.cell(x, y, width, height, Box{Width: width, Text: text, Style: Style{Size: size}, Overflow: Cut}.fit(l.font, height),
			Style{Size: size, Horizontal: align, Vertical: AlignCenter})
	}
	if b.Align != AlignBetween || len(texts) == 1 {
		return draw(strings.Join(texts, "  "), b.Align)
	}
	out := append(draw(texts[0], AlignStart), draw(texts[len(texts)-1], AlignEnd)...)
	if len(texts) > 2 {
		out = append(out, draw(strings.Join(texts[1:len(texts)-1], "  "), AlignCenter)...)
	}
	return out
}
