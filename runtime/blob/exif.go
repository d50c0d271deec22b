package blob

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"strings"
	"time"
)

// exifHead is how many of a JPEG's first bytes are looked through for what the camera noted.
const exifHead = 64 << 10

// Taken is when and where a picture was taken, as its camera noted it.
type Taken struct {
	Time      time.Time // of the camera's clock, which tells no zone: in UTC; zero = it is not told
	Latitude  float64   // degrees, north is positive
	Longitude float64   // degrees, east is positive
	Placed    bool      // the place is told
}

// Taken reads when and where a picture was taken. What is not told, or cannot be read, is left empty: FilesAway and the like are the
// only errors.
func (s *Service) Taken(ctx context.Context, f File) (Taken, error) {
	if f.Mime != "image/jpeg" {
		return Taken{}, nil
	}
	r, err := s.place.open(ctx, key(f.ID))
	if missing(err) {
		return Taken{}, nil
	}
	if err != nil {
		return Taken{}, err
	}
	defer func() { _ = r.Close() }()
	head := make([]byte, exifHead)
	n, _ := io.ReadFull(r, head) // a short file is a file
	return takenIn(exifOf(head[:n])), r.outage()
}

// exifOf is the TIFF structure in a JPEG's EXIF segment (Exif 2.32, 4.7.2); nil when there is none.
func exifOf(head []byte) []byte {
	at := 2
	for at+4 <= len(head) && head[at] == 0xFF {
		size := int(binary.BigEndian.Uint16(head[at+2:]))
		if size < 2 {
			return nil
		}
		body := head[min(at+4, len(head)):min(at+2+size, len(head))]
		if head[at+1] == 0xE1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body[6:]
		}
		if head[at+1] == 0xDA { // the picture begins
			return nil
		}
		at += 2 + size
	}
	return nil
}

// Tags of EXIF (4.6.3 and 4.6.6), and the types of their values (4.6.2).
const (
	tagOrientation = 0x0112
	tagDateTime    = 0x0132
	tagExif        = 0x8769
	tagPlace       = 0x8825
	tagOriginal    = 0x9003
	tagNorth       = 1 // and the latitude after it
	tagEast        = 3 // and the longitude after it

	exifASCII    = 2
	exifShort    = 3
	exifLong     = 4
	exifRational = 5
)

// exif reads values of a TIFF structure. Offsets that lead out of it read as nothing.
type exif struct {
	data  []byte
	order binary.ByteOrder
}

func exifIn(data []byte) (exif, bool) {
	e := exif{data, binary.LittleEndian}
	if bytes.HasPrefix(data, []byte("MM")) {
		e.order = binary.BigEndian
	}
	return e, len(data) >= 8
}

// bytes are n bytes from an offset on; nil where there are fewer.
func (e exif) bytes(at, n int64) []byte {
	if at < 0 || n < 0 || at+n > int64(len(e.data)) {
		return nil
	}
	return e.data[at : at+n]
}

// entry is what a directory says of a tag: its type, the number of its values, and where they are; 0 when it says nothing.
func (e exif) entry(directory int64, tag uint16) (kind uint16, count, at int64) {
	head := e.bytes(directory, 2)
	if head == nil {
		return 0, 0, 0
	}
	for i := range int64(e.order.Uint16(head)) {
		one := e.bytes(directory+2+i*12, 12)
		if one == nil {
			return 0, 0, 0
		}
		if e.order.Uint16(one) != tag {
			continue
		}
		kind, count = e.order.Uint16(one[2:]), int64(e.order.Uint32(one[4:]))
		size := map[uint16]int64{exifASCII: 1, exifShort: 2, exifLong: 4, exifRational: 8}[kind] * count
		if size <= 4 { // the value itself
			return kind, count, directory + 2 + i*12 + 8
		}
		return kind, count, int64(e.order.Uint32(one[8:]))
	}
	return 0, 0, 0
}

// directory is where the first directory, or the one that a tag of it leads to, begins; 0 when there is none.
func (e exif) directory(tag uint16) int64 {
	first := int64(e.order.Uint32(e.data[4:]))
	if tag == 0 {
		return first
	}
	kind, _, at := e.entry(first, tag)
	if b := e.bytes(at, 4); kind == exifLong && b != nil {
		return int64(e.order.Uint32(b))
	}
	return 0
}

func (e exif) text(directory int64, tag uint16) string {
	kind, count, at := e.entry(directory, tag)
	if kind != exifASCII {
		return ""
	}
	return strings.TrimRight(string(e.bytes(at, count)), "\x00 ")
}

// degrees is an angle of three fractions: degrees, minutes and seconds.
func (e exif) degrees(directory int64, tag uint16) (out float64, told bool) {
	kind, count, at := e.entry(directory, tag)
	b := e.bytes(at, 24)
	if kind != exifRational || count != 3 || b == nil {
		return 0, false
	}
	for i, part := range []float64{1, 60, 3600} {
		over, under := e.order.Uint32(b[i*8:]), e.order.Uint32(b[i*8+4:])
		if under == 0 {
			return 0, false
		}
		out += float64(over) / float64(under) / part
	}
	return out, true
}

// takenIn reads a TIFF structure.
func takenIn(data []byte) (out Taken) {
	e, ok := exifIn(data)
	if !ok {
		return out
	}
	const form = "2006:01:02 15:04:05"
	if at := e.directory(tagExif); at > 0 {
		out.Time, _ = time.Parse(form, e.text(at, tagOriginal))
	}
	if out.Time.IsZero() {
		out.Time, _ = time.Parse(form, e.text(e.directory(0), tagDateTime))
	}
	at := e.directory(tagPlace)
	if at == 0 {
		return out
	}
	north, hasNorth := e.degrees(at, tagNorth+1)
	east, hasEast := e.degrees(at, tagEast+1)
	if !hasNorth || !hasEast || north > 90 || east > 180 {
		return out
	}
	if e.text(at, tagNorth) == "S" {
		north = -north
	}
	if e.text(at, tagEast) == "W" {
		east = -east
	}
	out.Latitude, out.Longitude, out.Placed = north, east, true
	return out
}
