package workbook

import (
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/runtime/temporary"
)

// blockStrings is how many texts share a block; a power of two.
const blockStrings = 256

// cachedBlocks is how many blocks of the temporary file are held. Files name their texts in the order in which they first come, so few are enough.
const cachedBlocks = 64

// maxStrings bounds the table: a worksheet has no more cells than this that somebody could have filled.
const maxStrings = 1 << 26

// sharedStrings is the table of texts that cells name by number: blocks of 256 texts behind one another with their ends before them, not a Go
// string each. Past a limit blocks go to a temporary file, of which some are cached.
type sharedStrings struct {
	limit  int64
	held   int64
	count  int
	blocks []stringBlock
	ends   []uint32 // of the block that is being filled
	bytes  []byte
	file   *temporary.File
	size   int64 // of the file
	cache  map[int][]byte
	order  []int // blocks in the cache, oldest first
}

// stringBlock is in memory or a stretch of the file.
type stringBlock struct {
	bytes  []byte
	offset int64
	length int
}

func (t *sharedStrings) add(text []byte) error {
	if t.count >= maxStrings {
		return refuse(TooLarge, maxStrings)
	}
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.count++
	if len(t.ends) == blockStrings {
		return t.seal()
	}
	return nil
}

// seal ends the block that is being filled.
func (t *sharedStrings) seal() error {
	if len(t.ends) == 0 {
		return nil
	}
	size := 4*blockStrings + len(t.bytes)
	block := make([]byte, 4*blockStrings, size)
	for i, end := range t.ends {
		binary.LittleEndian.PutUint32(block[4*i:], end)
	}
	block = append(block, t.bytes...)
	t.ends, t.bytes = t.ends[:0], t.bytes[:0]
	if t.held+int64(size) <= t.limit {
		t.held += int64(size)
		t.blocks = append(t.blocks, stringBlock{bytes: block})
		return nil
	}
	if t.file == nil {
		f, err := temporary.Create()
		if err != nil {
			return err
		}
		t.file, t.cache = f, map[int][]byte{}
	}
	if _, err := t.file.WriteAt(block, t.size); err != nil {
		return err
	}
	t.blocks = append(t.blocks, stringBlock{offset: t.size, length: size})
	t.size += int64(size)
	return nil
}

var errNoString = errors.New("no such text")

// text is a text of the table, good until the next call.
func (t *sharedStrings) text(i int) ([]byte, error) {
	if i < 0 || i >= t.count {
		return nil, errNoString
	}
	block, err := t.block(i / blockStrings)
	if err != nil {
		return nil, err
	}
	i %= blockStrings
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(block[4*i-4:])
	}
	return block[4*blockStrings:][start:binary.LittleEndian.Uint32(block[4*i:])], nil
}

func (t *sharedStrings) block(n int) ([]byte, error) {
	b := t.blocks[n]
	if b.bytes != nil {
		return b.bytes, nil
	}
	if cached, ok := t.cache[n]; ok {
		return cached, nil
	}
	block := make([]byte, b.length)
	if _, err := t.file.ReadAt(block, b.offset); err != nil {
		return nil, err
	}
	if len(t.order) >= cachedBlocks {
		delete(t.cache, t.order[0])
		t.order = t.order[1:]
	}
	t.cache[n] = block
	t.order = append(t.order, n)
	return block, nil
}

func (t *sharedStrings) close() {
	if t.file != nil {
		_ = t.file.Close()
	}
}

// readShared reads xl/sharedStrings.xml.
func readShared(in io.Reader, l Limits) (*sharedStrings, error) {
	s, t := newScanner(in, l.CellBytes), &sharedStrings{limit: l.Strings}
	var text []byte
	for {
		switch s.next() {
		case tokenEnd:
			err := s.err
			if err == nil {
				err = t.seal()
			}
			if err != nil {
				t.close()
				return nil, err
			}
			return t, nil
		case tokenStart:
			if string(s.name) != "si" {
				continue
			}
			var err error
			if text, err = appendRich(text[:0], s, l.CellBytes); err == nil {
				err = t.add(text)
			}
			if err != nil {
				t.close()
				return nil, err
			}
		}
	}
}

// appendRich appends the text of the element whose start was read: its <t>, and those of its runs; how Chinese and Japanese words are said
// (rPh) is left out.
func appendRich(b []byte, s *scanner, limit int) ([]byte, error) {
	start, within := len(b), false
	for depth := s.depth - 1; s.depth > depth; {
		switch s.next() {
		case tokenEnd:
			return b, s.ended()
		case tokenStart:
			if string(s.name) == "rPh" {
				if !s.skip() {
					return b, s.ended()
				}
				continue
			}
			within = string(s.name) == "t"
		case tokenClose:
			within = false
		case tokenText:
			if !within {
				continue
			}
			var ok bool
			if b, ok = appendText(b, s); !ok {
				return b, refuse(Broken, "XML")
			}
			if len(b)-start > limit {
				return b, refuse(CellTooLong)
			}
		}
	}
	if !utf8.Valid(b[start:]) {
		return b, refuse(Broken, "XML")
	}
	return b, nil
}

// ended is the error of a part that ended too early.
func (s *scanner) ended() error {
	if s.err != nil {
		return s.err
	}
	return refuse(Broken, "XML")
}

// appendText appends the text that was read, with entities and escapes replaced.
func appendText(b []byte, s *scanner) ([]byte, bool) {
	start, ok := len(b), true
	if s.raw {
		b = append(b, s.text...)
	} else if b, ok = appendUnescaped(b, s.text); !ok {
		return b, false
	}
	return decodeTail(b, start), true
}

// decodeTail replaces _xHHHH_ in what was appended.
func decodeTail(b []byte, start int) []byte {
	for i := start; i+6 < len(b); i++ {
		if b[i] == '_' && isEscape(b[i:]) {
			tail := append([]byte(nil), b[i:]...)
			return appendDecoded(b[:i], tail)
		}
	}
	return b
}
