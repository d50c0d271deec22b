// Package pdf paints pages of engine/layout as a PDF. The same pages and the same time give the same bytes. It is the only package that knows
// the PDF library.
package pdf

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
)

// Info is what a document says of itself.
type Info struct {
	Title, Author string
	Language      string // as in "zh-CN"
	Time          time.Time
}

// Images gives the bytes of pictures by their Ref: PNG or JPEG, as package picture makes them. nil = it is left out.
type Images func(ref string) []byte

// family is the font's name in the library, and fontName in files.
const (
	family   = "paper"
	fontName = "SluicePaper"
)

// paint has the library write pages.
func paint(w io.Writer, pages []layout.Page, images Images) (p *painter, err error) {
	defer func() {
		if r := recover(); r != nil { // of the library, on input that nobody thought of
			err = fmt.Errorf("write PDF: %v", r)
		}
	}()
	p = newPainter(images)
	p.fonts(pages)
	for _, page := range pages {
		p.page(page)
	}
	if err := p.Output(w); err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	return p, nil
}

type painter struct {
	*fpdf.Fpdf
	font   *font.Font
	images Images
	known  map[string]string            // pictures, by the names that the library has for them; "" = they can't be drawn
	names  map[[sha256.Size]byte]string // those names, by what the pictures are: one that is known under two would be twice in a dictionary
	codes  map[rune]rune                // characters by their places in the font
	aside  map[rune]rune                // places of those beyond the basic plane, which the library does not know
	at     state
}

// state is what was last written of the look of text and lines, so that it is not written again.
type state struct {
	size   layout.Length
	color  layout.Color
	bold   bool
	stroke layout.Stroke
	fill   layout.Color
	filled bool
}

func newPainter(images Images) *painter {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "mm", Size: fpdf.SizeType{Wd: 210, Ht: 297}})
	f.SetAutoPageBreak(false, 0)
	f.SetMargins(0, 0, 0)
	f.SetCellMargin(0)
	f.SetCatalogSort(true)
	f.SetCompression(false)
	f.SetCreationDate(time.Unix(0, 0)) // of the part: that of the file is its own
	f.SetModificationDate(time.Unix(0, 0))
	return &painter{Fpdf: f, font: font.Default(), images: images, known: map[string]string{}, names: map[[sha256.Size]byte]string{}, codes: map[rune]rune{}, aside: map[rune]rune{}}
}

// private is where characters beyond the basic plane are placed: the first of those that Unicode gives nobody.
const private = 0xe000

// fonts gives the library the characters of the pages.
func (p *painter) fonts(pages []layout.Page) {
	beyond := map[rune]rune{}
	for _, page := range pages {
		for _, m := range page.Marks {
			if t, is := m.(layout.TextMark); is {
				for _, r := range t.Text {
					if r > 0xffff {
						beyond[r] = r
					} else {
						p.codes[r] = r
					}
				}
			}
		}
	}
	at := rune(private)
	for _, r := range sorted(beyond) {
		for p.codes[at] != 0 {
			at++
		}
		p.codes[at], p.aside[r] = r, at
	}
	if len(p.codes) > 0 {
		p.AddUTF8FontFromBytes(family, "", p.font.SubsetAs(p.codes))
	}
}

func sorted[V any](of map[rune]V) []rune { return slices.Sorted(maps.Keys(of)) }

// placed is a text in the places of its characters.
func (p *painter) placed(text string) string {
	if len(p.aside) == 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if at, is := p.aside[r]; is {
			return at
		}
		return r
	}, text)
}

func (p *painter) page(page layout.Page) {
	p.AddPageFormat("P", fpdf.SizeType{Wd: page.Width.MM(), Ht: page.Height.MM()})
	p.at = state{}
	p.SetTextColor(0, 0, 0)
	p.SetDrawColor(0, 0, 0)
	p.SetFillColor(0, 0, 0)
	for _, m := range page.Marks {
		switch m := m.(type) {
		case layout.TextMark:
			p.text(m)
		case layout.LineMark:
			if p.stroke(m.Stroke) {
				p.Line(m.X1.MM(), m.Y1.MM(), m.X2.MM(), m.Y2.MM())
			}
		case layout.BoxMark:
			p.box(m)
		case layout.ImageMark:
			p.image(m)
		case layout.CodeMark:
			p.code(m)
		}
	}
}

func rgb(c layout.Color) (r, g, b int) { return int(c >> 16 & 255), int(c >> 8 & 255), int(c & 255) }

// slant is the lean of italic letters, in degrees.
const slant = 12

func (p *painter) text(t layout.TextMark) {
	if p.at.size != t.Size {
		p.SetFont(family, "", t.Size.MM()*72/25.4)
		p.at.size = t.Size
	}
	if p.at.color != t.Color {
		p.SetTextColor(rgb(t.Color))
		p.at.color = t.Color
	}
	x, y := t.X.MM(), t.Y.MM()
	if t.Bold { // the outline makes letters heavier: the font has one weight
		p.lines(layout.Stroke{Width: max(t.Size/36, 1), Color: t.Color})
		p.SetTextRenderingMode(2)
	}
	if t.Italic {
		p.TransformBegin()
		p.TransformSkewX(slant, x, y)
	}
	p.Text(x, y, p.placed(t.Text))
	if t.Italic {
		p.TransformEnd()
	}
	if t.Bold {
		p.SetTextRenderingMode(0)
	}
	if t.Underline {
		under := (t.Y + t.Size/9).MM()
		p.lines(layout.Stroke{Width: max(t.Size/18, 1), Color: t.Color})
		p.Line(x, under, (t.X + t.Width).MM(), under)
	}
}

// stroke sets the look of lines; false = none is drawn.
func (p *painter) stroke(s layout.Stroke) bool {
	if s.Width <= 0 {
		return false
	}
	p.lines(s)
	return true
}

func (p *painter) lines(s layout.Stroke) {
	if p.at.stroke == s {
		return
	}
	p.SetLineWidth(s.Width.MM())
	p.SetDrawColor(rgb(s.Color))
	w := s.Width.MM()
	switch s.Kind {
	case layout.Dashed:
		p.SetDashPattern([]float64{max(4*w, 1), max(2*w, 0.6)}, 0)
	case layout.Dotted:
		p.SetDashPattern([]float64{max(w, 0.2), max(2*w, 0.5)}, 0)
	default:
		if p.at.stroke.Kind != layout.Solid {
			p.SetDashPattern([]float64{}, 0)
		}
	}
	p.at.stroke = s
}

func (p *painter) filling(c layout.Color) {
	if !p.at.filled || p.at.fill != c {
		p.SetFillColor(rgb(c))
		p.at.fill, p.at.filled = c, true
	}
}

func (p *painter) box(b layout.BoxMark) {
	x, y, w, h := b.X.MM(), b.Y.MM(), b.Width.MM(), b.Height.MM()
	if b.Fill != nil {
		p.filling(*b.Fill)
		if b.Radius > 0 {
			p.RoundedRect(x, y, w, h, radius(b), "1234", "F")
		} else {
			p.Rect(x, y, w, h, "F")
		}
	}
	if !p.stroke(b.Stroke) {
		return
	}
	switch {
	case b.OpenTop || b.OpenBottom:
		p.Line(x, y, x, y+h)
		p.Line(x+w, y, x+w, y+h)
		if !b.OpenTop {
			p.Line(x, y, x+w, y)
		}
		if !b.OpenBottom {
			p.Line(x, y+h, x+w, y+h)
		}
	case b.Radius > 0:
		p.RoundedRect(x, y, w, h, radius(b), "1234", "D")
	default:
		p.Rect(x, y, w, h, "D")
	}
}

func radius(b layout.BoxMark) float64 { return min(b.Radius, b.Width/2, b.Height/2).MM() }

func (p *painter) image(m layout.ImageMark) {
	name, seen := p.known[m.Ref]
	if !seen {
		name = p.register(m.Ref)
		p.known[m.Ref] = name
	}
	if name == "" || m.Width <= 0 || m.Height <= 0 {
		return
	}
	if c := m.Clip; c != nil {
		p.ClipRect(c[0].MM(), c[1].MM(), c[2].MM(), c[3].MM(), false)
		defer p.ClipEnd()
	}
	p.ImageOptions(name, m.X.MM(), m.Y.MM(), m.Width.MM(), m.Height.MM(), false, fpdf.ImageOptions{}, 0, "")
}

// register gives the library a picture, and returns its name there. One that it cannot read is left out, and the page is painted.
func (p *painter) register(ref string) string {
	var data []byte
	if p.images != nil {
		data = p.images(ref)
	}
	if data == nil {
		return ""
	}
	data, kind := plain(data)
	if data == nil {
		return ""
	}
	sum := sha256.Sum256(data)
	if name, has := p.names[sum]; has {
		return name
	}
	p.RegisterImageOptionsReader(ref, fpdf.ImageOptions{ImageType: kind}, bytes.NewReader(data))
	if p.Err() {
		p.ClearError()
		ref = ""
	}
	p.names[sum] = ref
	return ref
}

// code paints the dark modules of a code as one path: between rectangles of their own, readers would see light lines.
func (p *painter) code(c layout.CodeMark) {
	if len(c.Rows) == 0 || len(c.Rows[0]) == 0 {
		return
	}
	p.filling(0)
	wide, high := c.Width.MM()/float64(len(c.Rows[0])), c.Height.MM()/float64(len(c.Rows))
	for _, line := range layout.Outlines(c.Rows) {
		for i, at := range line {
			x, y := c.X.MM()+float64(at.X)*wide, c.Y.MM()+float64(at.Y)*high
			if i == 0 {
				p.MoveTo(x, y)
			} else {
				p.LineTo(x, y)
			}
		}
		p.ClosePath()
	}
	p.DrawPath("f")
}
