// Package font holds the font of paper: WenQuanYi Micro Hei (Apache-2.0, see NOTICE) with the characters that it lacks and fonts of the Noto
// family have (OFL-1.1), its measures for engine/layout, and subsets of it for the painters. The whole font is parsed once in the life of the
// program; a PDF library that was given the whole of it would take ten times as long for a page (docs/adr/0055-paper.md,
// 0065-rare-characters-and-pdf-a.md, 0083-what-paper-says.md).
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

// Missing has the glyph that is drawn in place of characters without one: a question mark in a black square on its corner. It is none of the
// signs that forms use, so nobody takes it for something that the record says.
const Missing = '\ufffd'

// missing is that glyph: the first one of the rare characters.
const missing = ofRare

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
	if g := f.listed(r); g != 0 {
		return g
	}
	if unicode.Is(unicode.Zs, r) {
		return f.own(' ')
	}
	if same := []rune(norm.NFC.String(string(r))); len(same) == 1 && same[0] != r { // two places of one character, such as 侮 and U+FA30
		return f.listed(same[0])
	}
	return 0
}

// listed is the glyph that the font, or that of the rare characters, has for a character; 0 = none.
func (f *Font) listed(r rune) glyph {
	if f.rare != nil { // first: it has what this font lacks, and what it draws wrongly
		if g := f.rare.own(r); g != 0 {
			return ofRare | g
		}
	}
	return f.own(r)
}

func (f *Font) own(r rune) glyph {
	switch {
	case r == Missing:
		return 0
	case r < 0 || r >= 1<<16:
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

// Advance implements layout.Font. Invisible characters have no width.
func (f *Font) Advance(r rune) int {
	g := f.glyph(r)
	if g == 0 {
		if Invisible(r) {
			return 0
		}
		g = f.missing()
	}
	return f.advance(g)
}

// missing is the glyph of Missing; that of no character where the font has no rare ones.
func (f *Font) missing() glyph {
	if f.rare == nil {
		return 0
	}
	return missing
}

func (f *Font) advance(g glyph) int {
	if g >= ofRare {
		return f.rare.advance(g - ofRare)
	}
	return int(f.advances[min(int(g), len(f.advances)-1)])
}

// Invisible reports whether a character has no look of its own and only changes how its neighbors are drawn: joiners, marks of direction,
// selectors of variants, skin tones, and a hyphen for the ends of lines.
func Invisible(r rune) bool {
	switch {
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r), r >= 0xfff9 && r <= 0xfffb:
		return false
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) && !unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// Drawn is a text as it is drawn: without controls and invisible characters, and else as it is. No character is written in others that look
// alike or mean nearly the same: who made 105 of 10⁵ would change a figure. Those without a glyph stay in the text, so that who copies or
// searches it finds them; the glyph of Missing is drawn for them.
func (f *Font) Drawn(text string) string { return f.DrawnOr(text, nil) }

// DrawnOr is Drawn that tells which characters have no glyph.
func (f *Font) DrawnOr(text string, missing func(r rune)) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return r
		case unicode.IsControl(r) || Invisible(r):
			return -1
		case f.glyph(r) != 0:
			return r
		}
		if missing != nil {
			missing(r)
		}
		if unicode.Is(unicode.Noncharacter_Code_Point, r) { // which files cannot hold
			return Missing
		}
		return r
	}, text)
}
