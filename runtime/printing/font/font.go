// Package font holds the font of paper: WenQuanYi Micro Hei (Apache-2.0, see NOTICE) with the characters that it lacks and Noto Sans SC has
// (OFL-1.1), its measures for engine/layout, and subsets of it for the painters. The whole font is parsed once in the life of the program; a PDF
// library that was given the whole of it would take ten times as long for a page (docs/adr/0055-paper.md, 0065-rare-characters-and-pdf-a.md).
package font

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"

	"github.com/sluice-platform/sluice/engine/layout"
	"golang.org/x/text/unicode/norm"
)

//go:embed microhei.ttf.gz
var packed []byte

//go:embed rare.ttf.gz
var packedRare []byte

// Font is a TrueType font with outlines in glyf.
type Font struct {
	data     []byte
	tables   map[string][]byte
	em       int
	ascent   int
	descent  int
	glyphs   int
	advances []uint16 // by glyph; the last one is that of all behind it
	long     bool     // of loca
	bmp      []uint16 // glyph by character
	beyond   map[rune]uint16
	rare     *Font // with glyphs for characters that this font lacks, in the same units; nil = none
}

// glyph is one of a font, or of its rare characters; 0 = none.
type glyph uint32

// ofRare marks glyphs of the rare characters.
const ofRare = glyph(1 << 16)

var _ layout.Font = (*Font)(nil)

// Default is the font of the product.
var Default = sync.OnceValue(func() *Font {
	f, rare := *Main(), unpack(packedRare)
	if rare.em != f.em {
		panic("rare characters have other units than the font")
	}
	f.rare = rare
	return &f
})

// Main is the font of the product without the rare characters of another.
var Main = sync.OnceValue(func() *Font { return unpack(packed) })

func unpack(packed []byte) *Font {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	f, err := Parse(data)
	if err != nil {
		panic(err)
	}
	return f
}

// Missing is drawn in place of characters that the font has no glyph for: a box.
const Missing = '\u25a1'

// Parse reads a TrueType font.
func Parse(data []byte) (f *Font, err error) {
	defer func() {
		if recover() != nil { // a table ends before it says
			err = fmt.Errorf("read font: it is cut off")
		}
	}()
	be := binary.BigEndian
	f = &Font{data: data, tables: map[string][]byte{}, bmp: make([]uint16, 1<<16), beyond: map[rune]uint16{}}
	for i := range int(be.Uint16(data[4:])) {
		entry := data[12+16*i:]
		from, size := be.Uint32(entry[8:]), be.Uint32(entry[12:])
		f.tables[string(entry[:4])] = data[from : from+size]
	}
	for _, name := range []string{"head", "hhea", "hmtx", "maxp", "loca", "glyf", "cmap"} {
		if f.tables[name] == nil {
			return nil, fmt.Errorf("read font: it has no table %s", name)
		}
	}
	f.em = int(be.Uint16(f.tables["head"][18:]))
	f.long = be.Uint16(f.tables["head"][50:]) == 1
	f.ascent = int(int16(be.Uint16(f.tables["hhea"][4:])))
	f.descent = -int(int16(be.Uint16(f.tables["hhea"][6:])))
	f.glyphs = int(be.Uint16(f.tables["maxp"][4:]))
	f.advances = make([]uint16, be.Uint16(f.tables["hhea"][34:]))
	for i := range f.advances {
		f.advances[i] = be.Uint16(f.tables["hmtx"][4*i:])
	}
	if err := f.characters(); err != nil {
		return nil, err
	}
	for c, g := range f.bmp { // some characters have glyphs without an outline
		if r := rune(c); g != 0 && len(f.outline(glyph(g))) == 0 && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			f.bmp[c] = 0
		}
	}
	return f, nil
}

// characters reads the table of format 12, or else that of format 4.
func (f *Font) characters() error {
	be, cmap := binary.BigEndian, f.tables["cmap"]
	tables := map[uint16][]byte{}
	for i := range int(be.Uint16(cmap[2:])) {
		t := cmap[be.Uint32(cmap[4+8*i+4:]):]
		tables[be.Uint16(t)] = t
	}
	switch t := tables[12]; {
	case t != nil:
		for i := range int(be.Uint32(t[12:])) {
			g := t[16+12*i:]
			for c := be.Uint32(g); c <= min(be.Uint32(g[4:]), unicode.MaxRune); c++ {
				f.set(rune(c), uint16(be.Uint32(g[8:])+c-be.Uint32(g)))
			}
		}
	case tables[4] != nil:
		f.narrow(tables[4])
	default:
		return fmt.Errorf("read font: it has no character table of format 4 or 12")
	}
	return nil
}

func (f *Font) set(r rune, g uint16) {
	if r < 1<<16 {
		f.bmp[r] = g
	} else {
		f.beyond[r] = g
	}
}

func (f *Font) narrow(t []byte) {
	be := binary.BigEndian
	n := int(be.Uint16(t[6:])) / 2
	ends, starts, deltas, offsets := t[14:], t[16+2*n:], t[16+4*n:], t[16+6*n:]
	for s := range n {
		end, start, delta, offset := be.Uint16(ends[2*s:]), be.Uint16(starts[2*s:]), be.Uint16(deltas[2*s:]), be.Uint16(offsets[2*s:])
		for c := int(start); c <= int(end) && c < 0xffff; c++ {
			g := uint16(c) + delta
			if offset != 0 {
				if g = be.Uint16(offsets[2*s+int(offset)+2*(c-int(start)):]); g != 0 {
					g += delta
				}
			}
			f.bmp[c] = g
		}
	}
}

// glyph is that of a character; 0 = none.
func (f *Font) glyph(r rune) glyph {
	g := f.own(r)
	if g == 0 && f.rare != nil {
		if own := f.rare.own(r); own != 0 {
			return ofRare | own
		}
	}
	return g
}

func (f *Font) own(r rune) glyph {
	if r < 0 || r >= 1<<16 {
		return glyph(f.beyond[r])
	}
	return glyph(f.bmp[r])
}

// Has reports whether the font has a glyph for a character.
func (f *Font) Has(r rune) bool { return f.glyph(r) != 0 }

// Em implements layout.Font.
func (f *Font) Em() int { return f.em }

// Ascent implements layout.Font.
func (f *Font) Ascent() int { return f.ascent }

// Descent implements layout.Font.
func (f *Font) Descent() int { return f.descent }

// Advance implements layout.Font. Marks that join the character before them have no width.
func (f *Font) Advance(r rune) int {
	g := f.glyph(r)
	if g == 0 {
		if joins(r) {
			return 0
		}
		g = f.glyph(Missing)
	}
	return f.advance(g)
}

func (f *Font) advance(g glyph) int {
	if g >= ofRare {
		return f.rare.advance(g - ofRare)
	}
	return int(f.advances[min(int(g), len(f.advances)-1)])
}

// joins reports whether a character only changes how others are drawn, and has nothing to be drawn itself.
func joins(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0100 && r <= 0xe01ef || unicode.Is(unicode.Cf, r)
}

// Drawn is a text as it is drawn. A character that the font has no glyph for is written in those that mean the same (℀ as a/c); one that only
// changes its neighbor is left out. Others without a glyph stay: their glyph is the box of Missing, and who copies or searches the text finds them.
func (f *Font) Drawn(text string) string { return f.DrawnOr(text, nil) }

// DrawnOr is Drawn that tells which characters are drawn as a box.
func (f *Font) DrawnOr(text string, missing func(r rune)) string {
	known := true
	for _, r := range text {
		if r != '\n' && f.glyph(r) == 0 {
			known = false
			break
		}
	}
	if known {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch alike := norm.NFKC.String(string(r)); {
		case r == '\n' || f.glyph(r) != 0:
			out.WriteRune(r)
		case joins(r):
		case strings.IndexFunc(alike, func(r rune) bool { return f.glyph(r) == 0 }) < 0:
			out.WriteString(alike)
		case unicode.IsControl(r):
			out.WriteRune(Missing)
		default:
			out.WriteRune(r)
			if missing != nil {
				missing(r)
			}
		}
	}
	return out.String()
}
