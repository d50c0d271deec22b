package font

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Subset is a TrueType font with the glyphs of some characters only, at their own places in the character table. Hinting is left out: paper
// has more dots than it helps with. Characters without a glyph have that of Missing. The same characters give the same bytes.
func (f *Font) Subset(characters map[rune]bool) []byte {
	codes := make(map[rune]rune, len(characters))
	for r := range characters {
		codes[r] = r
	}
	return f.SubsetAs(codes)
}

// SubsetAs is Subset with characters at places that are given: by place, the character.
func (f *Font) SubsetAs(codes map[rune]rune) []byte {
	s := subset{f: f, of: map[glyph]uint16{0: 0}, old: []glyph{0}}
	var places []place
	for _, at := range slices.Sorted(maps.Keys(codes)) {
		g := f.glyph(codes[at])
		if g == 0 {
			if g = f.missing(); Invisible(codes[at]) || codes[at] == '\n' {
				continue
			}
		}
		places = append(places, place{at, s.add(g)})
	}
	glyf, loca := s.outlines()
	be := binary.BigEndian
	head := slices.Clone(f.tables["head"])
	be.PutUint32(head[8:], 0) // the check sum, which readers pass over
	be.PutUint16(head[50:], 1)
	hhea := slices.Clone(f.tables["hhea"])
	be.PutUint16(hhea[34:], uint16(len(s.old)))
	maxp := slices.Clone(f.tables["maxp"])
	be.PutUint16(maxp[4:], uint16(len(s.old)))
	if f.rare != nil {
		for _, at := range []int{6, 8} { // points and contours of a glyph
			be.PutUint16(maxp[at:], max(be.Uint16(maxp[at:]), be.Uint16(f.rare.tables["maxp"][at:])))
		}
	}
	post := make([]byte, 32)
	be.PutUint32(post, 0x00030000) // without names
	tables := []table{{"OS/2", f.tables["OS/2"]}, {"cmap", cmap(places)}, {"glyf", glyf}, {"head", head}, {"hhea", hhea}, {"hmtx", s.hmtx()}, {"loca", loca}, {"maxp", maxp},
		{"name", f.tables["name"]}, {"post", post}}
	return assemble(slices.DeleteFunc(tables, func(t table) bool { return t.data == nil }))
}

type subset struct {
	f   *Font
	of  map[glyph]uint16 // new glyph by old
	old []glyph
}

// place is a character of a subset with its glyph there.
type place struct {
	r rune
	g uint16
}

func (s *subset) add(g glyph) uint16 {
	n, has := s.of[g]
	if !has {
		n = uint16(len(s.old))
		s.of[g] = n
		s.old = append(s.old, g)
	}
	return n
}

func (f *Font) outline(g glyph) []byte {
	if g >= ofRare {
		return f.rare.outline(g - ofRare)
	}
	loca, glyf := f.tables["loca"], f.tables["glyf"]
	be := binary.BigEndian
	if f.long {
		return glyf[be.Uint32(loca[4*int(g):]):be.Uint32(loca[4*int(g)+4:])]
	}
	return glyf[2*int(be.Uint16(loca[2*int(g):])) : 2*int(be.Uint16(loca[2*int(g)+2:]))]
}

// Flags of the parts of a composite glyph.
const (
	wordArguments   = 0x0001
	hasScale        = 0x0008
	moreParts       = 0x0020
	hasTwoScales    = 0x0040
	hasMatrix       = 0x0080
	hasInstructions = 0x0100
)

// outlines are the glyphs, with those that they are composed of, and their places.
func (s *subset) outlines() (glyf, loca []byte) {
	be := binary.BigEndian
	for i := 0; i < len(s.old); i++ { // grows while it runs
		loca = be.AppendUint32(loca, uint32(len(glyf)))
		data := s.f.outline(s.old[i])
		if len(data) >= 10 && int16(be.Uint16(data)) < 0 {
			data = s.composite(slices.Clone(data), s.old[i]&ofRare)
		}
		glyf = append(glyf, data...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	return glyf, be.AppendUint32(loca, uint32(len(glyf)))
}

// composite renumbers the parts of a glyph, which are of the same font.
func (s *subset) composite(data []byte, of glyph) []byte {
	be := binary.BigEndian
	for at := 10; ; {
		flags := be.Uint16(data[at:])
		be.PutUint16(data[at:], flags&^hasInstructions)
		be.PutUint16(data[at+2:], s.add(of|glyph(be.Uint16(data[at+2:]))))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&hasScale != 0:
			at += 2
		case flags&hasTwoScales != 0:
			at += 4
		case flags&hasMatrix != 0:
			at += 8
		}
		if flags&moreParts == 0 {
			return data[:at]
		}
	}
}

func (s *subset) hmtx() (out []byte) {
	be := binary.BigEndian
	for _, g := range s.old {
		f, own := s.f, g
		if g >= ofRare {
			f, own = s.f.rare, g-ofRare
		}
		hmtx, n := f.tables["hmtx"], len(f.advances)
		out = be.AppendUint16(out, uint16(f.advance(own)))
		at := 4*int(own) + 2
		if int(own) >= n {
			at = 4*n + 2*(int(own)-n)
		}
		out = append(out, hmtx[at:at+2]...)
	}
	return out
}

// segment is a run of characters whose glyphs follow each other.
type segment struct {
	from, to rune
	g        uint16 // of the first
}

func segments(places []place) (out []segment) {
	for _, p := range places {
		if n := len(out); n > 0 && out[n-1].to+1 == p.r && out[n-1].g+uint16(p.r-out[n-1].from) == p.g && p.r != 1<<16 {
			out[n-1].to = p.r
			continue
		}
		out = append(out, segment{p.r, p.r, p.g})
	}
	return out
}

// cmap is a character table of format 4, and one of format 12 where there are characters beyond the basic plane.
func cmap(places []place) []byte {
	be, all := binary.BigEndian, segments(places)
	basic := narrow(slices.DeleteFunc(slices.Clone(all), func(s segment) bool { return s.from > 0xffff }))
	if len(all) == 0 || all[len(all)-1].to <= 0xffff {
		return append([]byte{0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12}, basic...)
	}
	out := []byte{0, 0, 0, 2, 0, 3, 0, 1, 0, 0, 0, 20, 0, 3, 0, 10}
	out = append(be.AppendUint32(out, uint32(20+len(basic))), basic...)
	for _, v := range []int{12 << 16, 16 + 12*len(all), 0, len(all)} {
		out = be.AppendUint32(out, uint32(v))
	}
	for _, s := range all {
		out = be.AppendUint32(be.AppendUint32(be.AppendUint32(out, uint32(s.from)), uint32(s.to)), uint32(s.g))
	}
	return out
}

// narrow is a table of format 4.
func narrow(basic []segment) []byte {
	basic = append(basic, segment{0xffff, 0xffff, 0})
	n := len(basic)
	power, log := 1, 0
	for power*2 <= n {
		power, log = power*2, log+1
	}
	be := binary.BigEndian
	var t []byte
	for _, v := range []int{4, 16 + 8*n, 0, 2 * n, 2 * power, log, 2 * (n - power)} {
		t = be.AppendUint16(t, uint16(v))
	}
	for _, x := range basic {
		t = be.AppendUint16(t, uint16(x.to))
	}
	t = be.AppendUint16(t, 0)
	for _, x := range basic {
		t = be.AppendUint16(t, uint16(x.from))
	}
	for _, x := range basic {
		t = be.AppendUint16(t, x.g-uint16(x.from))
	}
	return append(t, make([]byte, 2*n)...)
}

type table struct {
	name string
	data []byte
}

// assemble writes tables behind their directory.
func assemble(tables []table) []byte {
	be := binary.BigEndian
	n := len(tables)
	power, log := 1, 0
	for power*2 <= n {
		power, log = power*2, log+1
	}
	out := be.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 * power, log, 16 * (n - power)} {
		out = be.AppendUint16(out, uint16(v))
	}
	at := len(out) + 16*n
	for _, t := range tables {
		out = append(out, t.name...)
		out = be.AppendUint32(out, checksum(t.data))
		out = be.AppendUint32(out, uint32(at))
		out = be.AppendUint32(out, uint32(len(t.data)))
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		out = append(out, t.data...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out
}

func checksum(data []byte) (sum uint32) {
	for ; len(data) >= 4; data = data[4:] {
		sum += binary.BigEndian.Uint32(data)
	}
	var rest [4]byte
	copy(rest[:], data)
	return sum + binary.BigEndian.Uint32(rest[:])
}
