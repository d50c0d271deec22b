package workbook

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
)

// Sizes of the zip format.
const (
	endSize        = 22
	end64Size      = 56
	locatorSize    = 20
	entrySize      = 46
	localSize      = 30
	maxComment     = 65_535
	maxDirectory   = 16 << 20
	ratioFrom      = 16 << 20 // parts smaller than this may grow as they like
	methodStore    = 0
	methodDeflate  = 8
	flagEncrypted  = 1
	unknown32      = 0xFFFFFFFF
	unknown16      = 0xFFFF
	zip64ExtraKind = 1
)

// archive is a zip whose directory was checked before anything was unpacked. It reads the directory itself, so that what was checked is what is
// read: libraries differ in which of two directories of a forged file they believe.
type archive struct {
	file    io.ReaderAt
	entries map[string]*entry // by cleaned name
}

// entry is a file in a zip.
type entry struct {
	name             string // as in the file
	packed, unpacked int64
	offset           int64
	method, flags    uint16
	crc              uint32
}

// cleanName is the key of a part: parts are named without regard to case, and some programs write backslashes.
func cleanName(name string) string {
	return strings.ToLower(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func openArchive(file io.ReaderAt, size int64, l Limits) (*archive, error) {
	count, offset, length, err := findDirectory(file, size)
	switch {
	case err != nil:
		return nil, err
	case count > int64(l.Entries) || length > maxDirectory:
		return nil, refuse(TooLarge, l.Entries)
	}
	directory := make([]byte, length)
	if _, err := file.ReadAt(directory, offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	a := &archive{file: file, entries: make(map[string]*entry, count)}
	all := make([]*entry, 0, count)
	total := int64(0)
	for len(directory) > 0 {
		e, rest, ok := readEntry(directory)
		if !ok || e.offset+localSize+e.packed > offset {
			return nil, refuse(Broken, "zip")
		}
		directory = rest
		all = append(all, e)
		if strings.HasSuffix(e.name, "/") {
			continue
		}
		key := cleanName(e.name)
		if a.entries[key] != nil {
			return nil, refuse(Broken, e.name)
		}
		a.entries[key] = e
		total += e.unpacked
		switch {
		case e.flags&flagEncrypted != 0:
			return nil, refuse(Encrypted)
		case e.unpacked > l.Unpacked || total > l.Unpacked:
			return nil, refuse(TooLarge, l.Unpacked)
		case e.unpacked > ratioFrom && e.unpacked/max(e.packed, 1) > int64(l.Ratio):
			return nil, refuse(TooLarge, l.Ratio)
		}
	}
	if int64(len(all)) != count || overlap(all) {
		return nil, refuse(Broken, "zip")
	}
	return a, nil
}

// overlap tells if entries share bytes, as those of a zip bomb do.
func overlap(all []*entry) bool {
	slices.SortFunc(all, func(a, b *entry) int { return int(min(max(a.offset-b.offset, -1), 1)) })
	for i := 1; i < len(all); i++ {
		if before := all[i-1]; before.offset+localSize+int64(len(before.name))+before.packed > all[i].offset {
			return true
		}
	}
	return false
}

// findDirectory reads the end of a zip: how many entries it has, and where their directory is.
func findDirectory(file io.ReaderAt, size int64) (count, offset, length int64, err error) {
	tail := make([]byte, min(size, endSize+maxComment))
	from := size - int64(len(tail))
	if _, err := file.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, 0, err
	}
	at := len(tail) - endSize
	for ; at >= 0; at-- {
		if binary.LittleEndian.Uint32(tail[at:]) == 0x06054b50 && at+endSize+int(binary.LittleEndian.Uint16(tail[at+20:])) <= len(tail) {
			break
		}
	}
	if at < 0 {
		return 0, 0, 0, refuse(Broken, "zip")
	}
	e := tail[at:]
	le := binary.LittleEndian
	count, length, offset = int64(le.Uint16(e[10:])), int64(le.Uint32(e[12:])), int64(le.Uint32(e[16:]))
	end := from + int64(at)
	if disk := le.Uint16(e[4:]); disk != 0 && disk != unknown16 {
		return 0, 0, 0, refuse(Broken, "zip")
	}
	if count == unknown16 || length == unknown32 || offset == unknown32 {
		if count, offset, length, end, err = findDirectory64(file, end); err != nil {
			return 0, 0, 0, err
		}
	}
	if offset < 0 || length < 0 || count < 0 || offset > end || length > end-offset || length < count*entrySize {
		return 0, 0, 0, refuse(Broken, "zip")
	}
	return count, offset, length, nil
}

func findDirectory64(file io.ReaderAt, end int64) (count, offset, length, start int64, err error) {
	broken := refuse(Broken, "zip")
	var locator [locatorSize]byte
	if end < locatorSize+end64Size {
		return 0, 0, 0, 0, broken
	}
	if _, err := file.ReadAt(locator[:], end-locatorSize); err != nil {
		return 0, 0, 0, 0, err
	}
	le := binary.LittleEndian
	start = int64(le.Uint64(locator[8:]))
	if le.Uint32(locator[:]) != 0x07064b50 || start < 0 || start > end-locatorSize-end64Size {
		return 0, 0, 0, 0, broken
	}
	var record [end64Size]byte
	if _, err := file.ReadAt(record[:], start); err != nil {
		return 0, 0, 0, 0, err
	}
	if le.Uint32(record[:]) != 0x06064b50 {
		return 0, 0, 0, 0, broken
	}
	return int64(le.Uint64(record[32:])), int64(le.Uint64(record[48:])), int64(le.Uint64(record[40:])), start, nil
}

// readEntry reads the first entry of a directory.
func readEntry(d []byte) (*entry, []byte, bool) {
	le := binary.LittleEndian
	if len(d) < entrySize || le.Uint32(d) != 0x02014b50 {
		return nil, nil, false
	}
	name, extra, comment := int(le.Uint16(d[28:])), int(le.Uint16(d[30:])), int(le.Uint16(d[32:]))
	if len(d) < entrySize+name+extra+comment {
		return nil, nil, false
	}
	e := &entry{
		flags: le.Uint16(d[8:]), method: le.Uint16(d[10:]), crc: le.Uint32(d[16:]), packed: int64(le.Uint32(d[20:])), unpacked: int64(le.Uint32(d[24:])),
		offset: int64(le.Uint32(d[42:])), name: string(d[entrySize : entrySize+name]),
	}
	ok := e.read64(d[entrySize+name : entrySize+name+extra])
	return e, d[entrySize+name+extra+comment:], ok && e.packed >= 0 && e.unpacked >= 0 && e.offset >= 0 && e.packed < 1<<48 && e.offset < 1<<48
}

// read64 takes the sizes that don't fit 32 bits from the extra field.
func (e *entry) read64(extra []byte) bool {
	le := binary.LittleEndian
	for len(extra) >= 4 {
		kind, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if len(extra) < 4+n {
			return true // what other programs put there is of no concern
		}
		if kind == zip64ExtraKind {
			field := extra[4 : 4+n]
			for _, v := range []*int64{&e.unpacked, &e.packed, &e.offset} {
				if *v != unknown32 {
					continue
				}
				if len(field) < 8 {
					return false
				}
				*v, field = int64(le.Uint64(field)), field[8:]
			}
			return true
		}
		extra = extra[4+n:]
	}
	return true
}

// has tells if the zip has a part.
func (a *archive) has(name string) bool { return a.entries[cleanName(name)] != nil }

// open reads a part. Its reader counts: a part that unpacks to more or less than the directory says, or to other bytes, is broken.
func (a *archive) open(ctx context.Context, name string) (io.Reader, error) {
	e := a.entries[cleanName(name)]
	if e == nil {
		return nil, refuse(Broken, name)
	}
	header := make([]byte, localSize+len(e.name))
	if _, err := a.file.ReadAt(header, e.offset); err != nil {
		return nil, refuse(Broken, name)
	}
	le := binary.LittleEndian
	if le.Uint32(header) != 0x04034b50 || int(le.Uint16(header[26:])) != len(e.name) || !bytes.Equal(header[localSize:], []byte(e.name)) {
		return nil, refuse(Broken, name)
	}
	start := e.offset + int64(len(header)) + int64(le.Uint16(header[28:]))
	var in io.Reader = &sectionReader{ctx: ctx, in: io.NewSectionReader(a.file, start, e.packed)}
	switch e.method {
	case methodStore:
	case methodDeflate:
		in = flate.NewReader(bufio.NewReaderSize(in, readChunk))
	default:
		return nil, refuse(Broken, name)
	}
	return &counted{in: in, e: e, left: e.unpacked}, nil
}

// sectionReader ends with its context.
type sectionReader struct {
	ctx context.Context
	in  *io.SectionReader
}

// readChunk keeps the time between two looks at the context short.
const readChunk = 32 << 10

func (s *sectionReader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.in.Read(p[:min(len(p), readChunk)])
}

// counted holds a part to what the directory says of it.
type counted struct {
	in   io.Reader
	e    *entry
	left int64
	crc  uint32
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.left -= int64(n)
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	switch {
	case c.left < 0, errors.Is(err, io.EOF) && (c.left != 0 || c.crc != c.e.crc):
		return 0, refuse(Broken, c.e.name)
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return n, err
	}
	return 0, refuse(Broken, c.e.name) // the inflater's error
}
