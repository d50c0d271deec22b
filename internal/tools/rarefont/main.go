// Command rarefont makes runtime/printing/font/rare.ttf.gz: the characters that the main font of paper lacks and one of several TrueType fonts has,
// as outlines in the units of the main font. The first font that has a character gives it. Glyph 0 is the sign for characters that no font has.
// It is run by hand when one of the fonts changes; the fonts are in the npm packages @expo-google-fonts/noto-*:
//
//	go run ./internal/tools/rarefont runtime/printing/font/microhei.ttf.gz NotoSansSC_400Regular.ttf NotoSans_400Regular.ttf \
//		NotoSansMath_400Regular.ttf NotoSansSymbols_400Regular.ttf NotoSansSymbols2_400Regular.ttf NotoEmoji_400Regular.ttf \
//		runtime/printing/font/rare.ttf.gz
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

func main() {
	n := len(os.Args)
	if n < 4 {
		fmt.Fprintln(os.Stderr, "usage: rarefont MAIN.ttf.gz SOURCE.ttf... TARGET.ttf.gz")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:n-1], os.Args[n-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(first string, sources []string, target string) error {
	have, err := read(first)
	if err != nil {
		return err
	}
	m := maker{em: int(have.UnitsPerEm())}
	taken := map[rune]bool{}
	for i, source := range sources {
		if m.f, err = read(source); err != nil {
			return err
		}
		m.of = map[sfnt.GlyphIndex]uint16{}
		if i == 0 {
			sign, err := m.missing()
			if err != nil {
				return fmt.Errorf("%s: %w", source, err)
			}
			m.glyphs = append(m.glyphs, sign)
		}
		before := len(m.groups)
		for r := rune(0x80); r < 0x40000; r++ {
			if taken[r] || has(have, r) && !wrong(r) || i > 0 && !symbol(r) || unicode.Is(unicode.Co, r) {
				continue
			}
			known := len(m.groups)
			if err := m.add(r); err != nil {
				return fmt.Errorf("%s: %U: %w", source, r, err)
			}
			taken[r] = len(m.groups) > known
		}
		fmt.Printf("%s: %d characters\n", source, len(m.groups)-before)
	}
	slices.SortFunc(m.groups, func(a, b group) int { return cmp.Compare(a.r, b.r) })
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if _, err := w.Write(m.file()); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%d characters, %d glyphs, %d bytes\n", len(m.groups), len(m.glyphs), out.Len())
	return os.WriteFile(target, out.Bytes(), 0o644)
}

// wrong reports whether the main font has a glyph that is not to be trusted: it draws ½ as 1⁄, ⅜ as ⁄8, 媭 as 姿. Found by comparing the shapes of both
// fonts: figures other than digits all come from one font, and so do the Han characters that look least alike.
func wrong(r rune) bool {
	return unicode.Is(unicode.No, r) || r == 'ǖ' || strings.ContainsRune(unlike, r)
}

// unlike are Han characters that the main font draws wrongly, or otherwise than the others.
const unlike = "〡邎尐乀冭屫辸屇汛犭留翧乄亼惥翵譖鷀媭纞匁汸慜刯钅焪尩奒奈劰丩罒頨々凱穼鐛鰞惩誳亱鵾厺瞾翲熦泬鮙夁鏂圗夵孤画蕽羓孙笽臔夲另鬭齅麗嚻貋仨煈乚荝孢鬬曶髃絗臌氺唥揾諳曌"

// symbol reports whether a character is taken from the fonts after the first one: letters that stand alone and signs. Scripts that are joined or
// put into another order are not drawn, and beyond the basic plane only letters of formulas and framed ones are.
func symbol(r rune) bool {
	switch {
	case unicode.In(r, unicode.Devanagari, unicode.Arabic, unicode.Hebrew), r >= 0x1cd0 && r < 0x1d00:
		return false
	case r < 0x10000:
		return true
	}
	return r >= 0x1d400 && r < 0x1d800 || r >= 0x1f100 && r < 0x1f200
}

func read(name string) (*sfnt.Font, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	return sfnt.Parse(data)
}

// has reports whether a font draws a character. Some have glyphs without an outline.
func has(f *sfnt.Font, r rune) bool {
	var buf sfnt.Buffer
	g, err := f.GlyphIndex(&buf, r)
	if err != nil || g == 0 {
		return false
	}
	segments, err := f.LoadGlyph(&buf, g, fixed.I(int(f.UnitsPerEm())), nil)
	return err == nil && (len(segments) > 0 || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

type glyph struct {
	advance, left    int
	outline          []byte
	points, contours int
}

type group struct {
	r rune
	g uint16
}

type maker struct {
	f      *sfnt.Font
	em     int
	buf    sfnt.Buffer
	of     map[sfnt.GlyphIndex]uint16
	glyphs []glyph
	groups []group // in order of the characters
}

func (m *maker) add(r rune) error {
	g, err := m.f.GlyphIndex(&m.buf, r)
	if err != nil || g == 0 {
		return err
	}
	n, has := m.of[g]
	if !has {
		one, err := m.glyph(g)
		if err != nil || one.outline == nil {
			return err
		}
		n = uint16(len(m.glyphs))
		m.of[g] = n
		m.glyphs = append(m.glyphs, one)
	}
	m.groups = append(m.groups, group{r, n})
	return nil
}

type point struct {
	x, y int
	on   bool
}

// missing is the sign for characters that no font has: a question mark cut out of a black square on its corner. It is none of the signs that forms use.
func (m *maker) missing() (out glyph, err error) {
	g, err := m.f.GlyphIndex(&m.buf, '?')
	if err != nil {
		return out, err
	}
	contours, err := m.contours(g)
	if err != nil {
		return out, err
	}
	low, high := contours[0][0], contours[0][0]
	for _, c := range contours {
		for _, p := range c {
			low.x, low.y, high.x, high.y = min(low.x, p.x), min(low.y, p.y), max(high.x, p.x), max(high.y, p.y)
		}
	}
	half, x, y := m.em*46/100, m.em/2, m.em*37/100
	for _, c := range contours { // half as large, in the middle, and the other way round: a hole
		for i, p := range c {
			c[i].x, c[i].y = x+(2*p.x-low.x-high.x)*3/10, y+(2*p.y-low.y-high.y)*3/10
		}
		slices.Reverse(c)
	}
	square := []point{{x - half, y, true}, {x, y + half, true}, {x + half, y, true}, {x, y - half, true}}
	return drawn(m.em, append([][]point{square}, contours...)), nil
}

// glyph draws one of the source in units of the target.
func (m *maker) glyph(g sfnt.GlyphIndex) (out glyph, err error) {
	advance, err := m.f.GlyphAdvance(&m.buf, g, fixed.I(m.em), font.HintingNone)
	if err != nil {
		return out, err
	}
	contours, err := m.contours(g)
	if err != nil {
		return out, err
	}
	return drawn(advance.Round(), contours), nil
}

// contours are the outlines of a glyph of the source in units of the target.
func (m *maker) contours(g sfnt.GlyphIndex) ([][]point, error) {
	segments, err := m.f.LoadGlyph(&m.buf, g, fixed.I(m.em), nil)
	if err != nil {
		return nil, err
	}
	at := func(p fixed.Point26_6, on bool) point { return point{p.X.Round(), -p.Y.Round(), on} }
	var out [][]point
	for _, s := range segments {
		last := len(out) - 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			out = append(out, []point{at(s.Args[0], true)})
		case sfnt.SegmentOpLineTo:
			out[last] = append(out[last], at(s.Args[0], true))
		case sfnt.SegmentOpQuadTo:
			out[last] = append(out[last], at(s.Args[0], false), at(s.Args[1], true))
		default:
			return nil, fmt.Errorf("a cubic outline")
		}
	}
	for i, c := range out {
		out[i] = thin(c)
	}
	return out, nil
}

func drawn(advance int, contours [][]point) (out glyph) {
	out.advance = advance
	out.outline, out.left = encode(contours)
	out.contours = len(contours)
	for _, c := range contours {
		out.points += len(c)
	}
	return out
}

// thin leaves out the point that closes a contour, and points that readers add themselves: those in the middle of two that are off the curve.
func thin(c []point) []point {
	if n := len(c); n > 1 && c[0] == c[n-1] {
		c = c[:n-1]
	}
	var out []point
	for i, p := range c {
		a, b := c[(i+len(c)-1)%len(c)], c[(i+1)%len(c)]
		if i > 0 && p.on && !a.on && !b.on && 2*p.x == a.x+b.x && 2*p.y == a.y+b.y {
			continue
		}
		out = append(out, p)
	}
	return out
}

// encode writes a glyph without instructions.
func encode(contours [][]point) (out []byte, left int) {
	var all []point
	var ends []int
	for _, c := range contours {
		all = append(all, c...)
		ends = append(ends, len(all)-1)
	}
	if len(all) == 0 {
		return nil, 0
	}
	low, high := all[0], all[0]
	for _, p := range all {
		low.x, low.y, high.x, high.y = min(low.x, p.x), min(low.y, p.y), max(high.x, p.x), max(high.y, p.y)
	}
	be := binary.BigEndian
	for _, v := range []int{len(contours), low.x, low.y, high.x, high.y} {
		out = be.AppendUint16(out, uint16(int16(v)))
	}
	for _, e := range ends {
		out = be.AppendUint16(out, uint16(e))
	}
	out = be.AppendUint16(out, 0)
	var flags, xs, ys []byte
	before := point{}
	for _, p := range all {
		flag := byte(0)
		if p.on {
			flag = 1
		}
		xs, flag = delta(xs, flag, p.x-before.x, 0x02, 0x10)
		ys, flag = delta(ys, flag, p.y-before.y, 0x04, 0x20)
		flags, before = append(flags, flag), p
	}
	for i := 0; i < len(flags); {
		n := 1
		for i+n < len(flags) && flags[i+n] == flags[i] && n < 256 {
			n++
		}
		if n > 2 {
			out = append(out, flags[i]|0x08, byte(n-1))
		} else {
			n = 1
			out = append(out, flags[i])
		}
		i += n
	}
	return append(append(out, xs...), ys...), low.x
}

// delta writes a coordinate as its distance from the one before.
func delta(to []byte, flag byte, d int, short, same byte) ([]byte, byte) {
	switch {
	case d == 0:
		return to, flag | same
	case d > 0 && d < 256:
		return append(to, byte(d)), flag | short | same
	case d < 0 && d > -256:
		return append(to, byte(-d)), flag | short
	}
	return binary.BigEndian.AppendUint16(to, uint16(int16(d))), flag
}

// file is the font: just the tables that package font reads.
func (m *maker) file() []byte {
	be := binary.BigEndian
	var glyf, loca, hmtx []byte
	points, contours := 0, 0
	for _, g := range m.glyphs {
		loca = be.AppendUint32(loca, uint32(len(glyf)))
		glyf = append(glyf, g.outline...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		hmtx = be.AppendUint16(be.AppendUint16(hmtx, uint16(g.advance)), uint16(int16(g.left)))
		points, contours = max(points, g.points), max(contours, g.contours)
	}
	loca = be.AppendUint32(loca, uint32(len(glyf)))
	head := make([]byte, 54)
	be.PutUint32(head, 0x00010000)
	be.PutUint16(head[18:], uint16(m.em))
	be.PutUint16(head[50:], 1)
	hhea := make([]byte, 36)
	be.PutUint32(hhea, 0x00010000)
	be.PutUint16(hhea[34:], uint16(len(m.glyphs)))
	maxp := make([]byte, 32)
	be.PutUint32(maxp, 0x00010000)
	be.PutUint16(maxp[4:], uint16(len(m.glyphs)))
	be.PutUint16(maxp[6:], uint16(points))
	be.PutUint16(maxp[8:], uint16(contours))
	cmap := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12}
	cmap = be.AppendUint32(cmap, 12<<16)
	cmap = be.AppendUint32(cmap, uint32(16+12*len(m.groups)))
	cmap = be.AppendUint32(cmap, 0)
	cmap = be.AppendUint32(cmap, uint32(len(m.groups)))
	for _, g := range m.groups {
		cmap = be.AppendUint32(cmap, uint32(g.r))
		cmap = be.AppendUint32(cmap, uint32(g.r))
		cmap = be.AppendUint32(cmap, uint32(g.g))
	}
	return assemble([]table{{"cmap", cmap}, {"glyf", glyf}, {"head", head}, {"hhea", hhea}, {"hmtx", hmtx}, {"loca", loca}, {"maxp", maxp}})
}

type table struct {
	name string
	data []byte
}

// assemble writes tables behind their directory, without check sums: the file is read by package font alone.
func assemble(tables []table) []byte {
	be := binary.BigEndian
	out := be.AppendUint32(nil, 0x00010000)
	out = append(be.AppendUint16(out, uint16(len(tables))), make([]byte, 6)...)
	at := len(out) + 16*len(tables)
	var data []byte
	for _, t := range tables {
		out = append(out, t.name...)
		for _, v := range []int{0, at + len(data), len(t.data)} {
			out = be.AppendUint32(out, uint32(v))
		}
		data = append(data, t.data...)
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
	}
	return append(out, data...)
}
