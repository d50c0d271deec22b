package font

import (
	"encoding/binary"
	"slices"
)

// Subset is a TrueType font with the glyphs of some characters only, at their own places in the character table. Hinting is left out: paper
// has more dots than it helps with. The same characters give the same bytes.
func (f *Font) Subset(characters map[rune]bool) []byte {
	chars := make([]rune, 0, len(characters))
	for r := range characters {
		if f.glyph(r) != 0 {
			chars = append(chars, r)
		}
	}
	slices.Sort(chars)
	s := subset{f: f, of: map[uint16]uint16{0: 0}, old: []uint16{0}}
	for _, r := range chars {
		s.add(f.glyph(r))
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
	post := make([]byte, 32)
	be.PutUint32(post, 0x00030000) // without names
	tables := []table{{"OS/2", f.tables["OS/2"]}, {"cmap", s.cmap(chars)}, {"glyf", glyf}, {"head", head}, {"hhea", hhea}, {"hmtx", s.hmtx()}, {"loca", loca}, {"maxp", maxp},
		{"name", f.tables["name"]}, {"post", post}}
	return assemble(slices.DeleteFunc(tables, func(t table) bool { return t.data == nil }))
}

type subset struct {
	f   *Font
	of  map[uint16]uint16 // new glyph by old
	old []uint16
}

func (s *subset) add(g uint16) uint16 {
	n, has := s.of[g]
	if !has {
		n = uint16(len(s.old))
		s.of[g] = n
		s.old = append(s.old, g)
	}
	return n
}

func (f *Font) outline(g uint16) []byte {
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
			data = s.composite(slices.Clone(data))
		}
		glyf = append(glyf, data...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	return glyf, be.AppendUint32(loca, uint32(len(glyf)))
}

// composite renumbers the parts of a glyph.
func (s *subset) composite(data []byte) []byte {
	be := binary.BigEndian
	for at := 10; ; {
		flags := be.Uint16(data[at:])
		be.PutUint16(data[at:], flags&^hasInstructions)
		be.PutUint16(data[at+2:], s.add(be.Uint16(data[at+2:])))
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
	hmtx, n := s.f.tables["hmtx"], len(s.f.advances)
	for _, g := range s.old {
		out = be.AppendUint16(out, uint16(s.f.advance(g)))
		at := 4*int(g) + 2
		if int(g) >= n {
			at = 4*n + 2*(int(g)-n)
		}
		out = append(out, hmtx[at:at+2]...)
	}
	return out
}

// cmap is a character table of format 4 with a segment a run of neighbors.
func (s *subset) cmap(chars []rune) []byte {
	type segment struct{ from, to, delta uint16 }
	var segments []segment
	for _, r := range chars {
		c, g := uint16(r), s.of[s.f.glyph(r)]
		if n := len(segments); n > 0 && segments[n-1].to+1 == c && segments[n-1].delta == g-c {
			segments[n-1].to = c
			continue
		}
		segments = append(segments, segment{c, c, g - c})
	}
	segments = append(segments, segment{0xffff, 0xffff, 1})
	n := len(segments)
	power, log := 1, 0
	for power*2 <= n {
		power, log = power*2, log+1
	}
	be := binary.BigEndian
	var t []byte
	for _, v := range []int{4, 16 + 8*n, 0, 2 * n, 2 * power, log, 2 * (n - power)} {
		t = be.AppendUint16(t, uint16(v))
	}
	for _, x := range segments {
		t = be.AppendUint16(t, x.to)
	}
	t = be.AppendUint16(t, 0)
	for _, x := range segments {
		t = be.AppendUint16(t, x.from)
	}
	for _, x := range segments {
		t = be.AppendUint16(t, x.delta)
	}
	t = append(t, make([]byte, 2*n)...)
	head := []byte{0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12} // one table, of Windows and Unicode
	return append(head, t...)
}

type table struct {
	name string
	data []byte
}

// assemble writes the tables behind their directory.
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
