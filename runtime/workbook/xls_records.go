package workbook

import (
	"encoding/binary"
	"unicode/utf16"
)

// Kinds of records of Excel 97 to 2003 (BIFF8) that rows need; all others are passed over.
const (
	xlsFormula, xlsEOF, xlsDate1904, xlsFilePass, xlsContinue = 0x06, 0x0A, 0x22, 0x2F, 0x3C
	xlsBoundSheet, xlsMulRK, xlsXF, xlsMerged, xlsSST         = 0x85, 0xBD, 0xE0, 0xE5, 0xFC
	xlsRichText, xlsLabelSST, xlsNumber, xlsLabel             = 0xD6, 0xFD, 0x203, 0x204
	xlsBoolErr, xlsString, xlsRow, xlsRK, xlsFormat, xlsBOF   = 0x205, 0x207, 0x208, 0x27E, 0x41E, 0x809
)

// xlsVersion is BIFF8; older versions have other records.
const xlsVersion = 0x600

// xlsRecord is a record with what continues it.
type xlsRecord struct {
	kind  int
	parts [][]byte
}

// data is the record without what continues it, and at least n bytes: a record that is shorter ends with zeros.
func (r xlsRecord) data(n int) []byte {
	if d := r.parts[0]; len(d) >= n {
		return d
	}
	return append(append(make([]byte, 0, n), r.parts[0]...), make([]byte, n-len(r.parts[0]))...)
}

// xlsNext reads the record at a place of the stream, and where the next one is; false at the end of the stream, or where a record is cut.
func xlsNext(stream []byte, at int) (r xlsRecord, next int, ok bool) {
	for first := true; ; first = false {
		if at < 0 || at+4 > len(stream) {
			return r, at, !first
		}
		kind, n := int(binary.LittleEndian.Uint16(stream[at:])), int(binary.LittleEndian.Uint16(stream[at+2:]))
		if !first && kind != xlsContinue {
			return r, at, true
		}
		if at+4+n > len(stream) {
			return r, at, false
		}
		if first {
			r.kind = kind
		}
		r.parts = append(r.parts, stream[at+4:at+4+n])
		at += 4 + n
	}
}

// xlsText reads texts out of a record; they may go on in what continues it.
type xlsText struct {
	parts [][]byte
	at    int // in the first part
}

// take is the next n bytes, whatever part they are in.
func (x *xlsText) take(n int) ([]byte, bool) {
	if len(x.parts) > 0 && n <= len(x.parts[0])-x.at {
		x.at += n
		return x.parts[0][x.at-n : x.at], true
	}
	var out []byte
	for n > 0 {
		if len(x.parts) == 0 {
			return nil, false
		}
		piece := x.parts[0][x.at:min(len(x.parts[0]), x.at+n)]
		out, n = append(out, piece...), n-len(piece)
		if x.at += len(piece); n > 0 {
			x.parts, x.at = x.parts[1:], 0
		}
	}
	return out, true
}

func (x *xlsText) number(bytes int) (n int, ok bool) {
	b, ok := x.take(bytes)
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | int(b[i])
	}
	return n, ok
}

// text reads a text whose count of characters has some bytes. Its formatting and phonetic signs are passed over.
func (x *xlsText) text(countBytes int) (string, bool) {
	count, ok := x.number(countBytes)
	flags, ok2 := x.number(1)
	if !ok || !ok2 {
		return "", false
	}
	runs, extra := 0, 0
	if flags&8 != 0 {
		if runs, ok = x.number(2); !ok {
			return "", false
		}
	}
	if flags&4 != 0 {
		if extra, ok = x.number(4); !ok {
			return "", false
		}
	}
	units, ok := x.units(count, flags&1 != 0)
	if !ok {
		return "", false
	}
	if _, ok = x.take(4*runs + extra); !ok {
		return "", false
	}
	return string(utf16.Decode(units)), true
}

// units are the characters of a text. Where it goes on in another part a byte says again if they have one byte or two.
func (x *xlsText) units(count int, wide bool) ([]uint16, bool) {
	units := make([]uint16, 0, count)
	for len(units) < count {
		for len(x.parts) > 0 && x.at >= len(x.parts[0]) {
			x.parts, x.at = x.parts[1:], 0
			if len(x.parts) > 0 && len(x.parts[0]) > 0 {
				wide, x.at = x.parts[0][0]&1 != 0, 1
			}
		}
		if len(x.parts) == 0 {
			return nil, false
		}
		rest := x.parts[0][x.at:]
		size := 1
		if wide {
			size = 2
		}
		n := min(count-len(units), len(rest)/size)
		if n == 0 { // half a character
			return nil, false
		}
		for i := range n {
			if wide {
				units = append(units, binary.LittleEndian.Uint16(rest[2*i:]))
			} else {
				units = append(units, uint16(rest[i]))
			}
		}
		x.at += n * size
	}
	return units, true
}
