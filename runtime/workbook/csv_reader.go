package workbook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/sluice-platform/sluice/engine/property"
)

// csvText is how a CSV file is written.
type csvText struct {
	encoding encoding.Encoding // nil is UTF-8
	mark     int64             // bytes of the byte order mark
	comma    byte
	lines    int
	told     bool // the first line says "sep=;"
}

// sampleBytes are looked at to find out how a file is written, and tellingBytes of lines that ASCII does not have to find its encoding.
const (
	sampleBytes  = 64 << 10
	tellingBytes = 256 << 10
)

// openCSV finds out the encoding, unless it is named, and the delimiter.
func (b *Book) openCSV(ctx context.Context, name, named string) error {
	t := &csvText{}
	sample := make([]byte, min(b.size, sampleBytes))
	if _, err := b.file.ReadAt(sample, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	marked := ""
	for _, m := range []struct{ mark, name string }{{byteOrderMark, utf8Name}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"}} {
		if bytes.HasPrefix(sample, []byte(m.mark)) {
			t.mark, marked = int64(len(m.mark)), m.name
		}
	}
	if marked == "" {
		marked = guessUTF16(sample)
	}
	names := []string{marked}
	if marked == "" || marked == utf8Name {
		var err error
		if names, err = t.check(ctx, b); err != nil {
			return err
		}
	} else {
		t.lines = bytes.Count(sample, []byte("\n")) * int(max(b.size, 1)) / max(len(sample), 1)
	}
	if named == utf8Name && names[0] != utf8Name {
		return refuse(WrongEncoding, named)
	}
	if named != "" {
		names = before(names, named)
	}
	taken, _ := encodingNamed(names[0])
	t.encoding, b.encodings = taken.coded, names
	in := bufio.NewReaderSize(t.open(ctx, b), sampleBytes)
	text, err := in.Peek(sampleBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case named != "" && bytes.Contains(text, []byte("\uFFFD")):
		return refuse(WrongEncoding, named)
	case !looksLikeText(text):
		return refuse(NotASpreadsheet, "")
	}
	t.comma, t.told = delimiter(text, strings.EqualFold(path.Ext(name), ".tsv"))
	b.text = t
	b.sheets = []Sheet{{Name: strings.TrimSuffix(path.Base(name), path.Ext(name))}}
	return nil
}

// guessUTF16 sees UTF-16 without a mark by its zero bytes; "" is something else.
func guessUTF16(sample []byte) string {
	var zeros [2]int
	for i, c := range sample {
		if c == 0 {
			zeros[i&1]++
		}
	}
	switch half := len(sample) / 2; {
	case zeros[1] > half/4 && zeros[0] <= half/50:
		return "utf-16le"
	case zeros[0] > half/4 && zeros[1] <= half/50:
		return "utf-16be"
	}
	return ""
}

// check reads the file once: in which encodings can it be, and how many lines has it about. Of a file that is not UTF-8 throughout it keeps the
// lines that tell.
func (t *csvText) check(ctx context.Context, b *Book) ([]string, error) {
	in := &sectionReader{ctx: ctx, in: io.NewSectionReader(b.file, t.mark, b.size-t.mark)}
	buf, kept := make([]byte, 256<<10), 0
	var telling []byte
	valid := true
	for {
		n, err := io.ReadFull(in, buf[kept:])
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return nil, err
		}
		piece := buf[:kept+n]
		if !ended {
			piece = piece[:wholeUntil(piece)]
		}
		if bytes.IndexByte(piece, 0) >= 0 {
			return nil, refuse(NotASpreadsheet, "")
		}
		t.lines += bytes.Count(piece, []byte("\n"))
		valid = valid && utf8.Valid(piece)
		telling = appendTelling(telling, piece)
		if ended {
			break
		}
		kept = copy(buf, buf[len(piece):kept+n])
	}
	if valid {
		return []string{utf8Name}, nil
	}
	if names := guess(telling); len(names) > 0 {
		return names, nil
	}
	return []string{utf8Name}, nil // its rows tell where it is damaged
}

// wholeUntil is where no character is cut: behind a byte below the digits, which no encoding has within a character, or behind a whole one of UTF-8.
func wholeUntil(piece []byte) int {
	for i := len(piece); i > 0; i-- {
		if piece[i-1] < '0' {
			return i
		}
	}
	for i := len(piece); i > max(0, len(piece)-utf8.UTFMax); i-- {
		if utf8.Valid(piece[:i]) {
			return i
		}
	}
	return len(piece)
}

// appendTelling keeps the lines of a piece that have more than ASCII, up to tellingBytes.
func appendTelling(telling, piece []byte) []byte {
	for len(piece) > 0 && len(telling) < tellingBytes {
		end := bytes.IndexAny(piece, "\r\n") + 1
		if end == 0 {
			end = len(piece)
		}
		line := piece[:end]
		piece = piece[end:]
		for _, c := range line {
			if c >= 0x80 {
				telling = append(telling, line...)
				break
			}
		}
	}
	return telling
}

// open reads the file as UTF-8.
func (t *csvText) open(ctx context.Context, b *Book) io.Reader {
	var in io.Reader = &sectionReader{ctx: ctx, in: io.NewSectionReader(b.file, t.mark, b.size-t.mark)}
	if t.encoding != nil {
		in = transform.NewReader(in, t.encoding.NewDecoder())
	}
	return in
}

// looksLikeText: no character that didn't decode, hardly any control characters.
func looksLikeText(text []byte) bool {
	controls := 0
	for _, c := range text {
		if c < ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' && c != 0x1A {
			controls++
		}
	}
	return controls*200 <= len(text) && !bytes.Contains(text, []byte("\uFFFD")) && bytes.IndexByte(text, 0) < 0
}

// delimiter is what separates the values: what cuts most of the first lines into equally many. told: the first line says it.
func delimiter(text []byte, tabs bool) (comma byte, told bool) {
	if line, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(line, []byte("sep=")) && len(bytes.TrimRight(line, "\r")) == 5 {
		return line[4], true
	}
	best, most := byte(','), 0
	candidates := []byte(",;\t")
	if tabs {
		candidates = []byte("\t,;")
		best = '\t'
	}
	for _, c := range candidates {
		if score := scoreOf(text, c); score > most {
			best, most = c, score
		}
	}
	return best, false
}

// scoreOf counts the first 20 lines that have as many delimiters as the first, and how many these are.
func scoreOf(text []byte, comma byte) int {
	first, count, alike, lines := -1, 0, 0, 0
	quoted := false
	for _, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == comma && !quoted:
			count++
		case c == '\n' && !quoted:
			if first < 0 {
				first = count
			}
			if count == first {
				alike++
			}
			count = 0
			if lines++; lines == 20 {
				return alike * min(first, 1000) * 10 / lines
			}
		}
	}
	if first < 0 {
		first, alike, lines = count, 1, 1
	}
	return alike * min(first, 1000) * 10 / max(lines, 1)
}

// csvPass is one reading of a CSV file.
type csvPass struct {
	in     *bufio.Reader
	t      *csvText
	limit  int
	number int
	text   []byte
	spans  []span
	cells  []property.Cell
}

func (t *csvText) rows(ctx context.Context, b *Book, from int, w *stopwatch) error {
	p := &csvPass{in: bufio.NewReaderSize(t.open(ctx, b), sampleBytes), t: t, limit: b.limits.CellBytes}
	if t.told {
		if _, err := p.in.ReadSlice('\n'); err != nil {
			return nil //nolint:nilerr // a file that ends there has no rows
		}
	}
	w.begin()
	for {
		more, err := p.record()
		if err != nil || !more {
			return err
		}
		p.number++
		if p.number&1023 == 0 {
			if err := w.tick(ctx); err != nil {
				return err
			}
		}
		if p.number < from {
			continue
		}
		cells, err := p.row()
		switch {
		case err != nil:
			return err
		case len(cells) == 0:
			continue
		case len(cells) > b.limits.Columns:
			return refuse(TooManyColumns, b.limits.Columns)
		case w.rows >= b.limits.Rows:
			return refuse(TooManyRows, b.limits.Rows)
		}
		if err := w.hand(ctx, Row{Number: p.number, Cells: cells}); err != nil {
			return err
		}
	}
}

// record reads the values of one row into spans of the text.
func (p *csvPass) record() (more bool, err error) {
	p.text, p.spans = p.text[:0], p.spans[:0]
	start, quoted, any := 0, false, false
	for {
		c, err := p.in.ReadByte()
		if errors.Is(err, io.EOF) {
			if quoted {
				return false, refuse(Broken, "row "+strconv.Itoa(p.number+1))
			}
			p.spans = append(p.spans, span{start, len(p.text)})
			return any, nil
		} else if err != nil {
			return false, err
		}
		any = true
		switch {
		case quoted && c == '"':
			if next, _ := p.in.Peek(1); len(next) == 1 && next[0] == '"' {
				_, _ = p.in.Discard(1)
				p.text = append(p.text, '"')
				continue
			}
			quoted = false
		case quoted:
			p.text = append(p.text, c)
		case c == '"' && len(p.text) == start:
			quoted = true
		case c == p.t.comma:
			p.spans = append(p.spans, span{start, len(p.text)})
			start = len(p.text)
			if len(p.spans) > MaxColumns {
				return false, refuse(TooManyColumns, MaxColumns)
			}
		case c == '\n' || c == '\r':
			if next, _ := p.in.Peek(1); c == '\r' && len(next) == 1 && next[0] == '\n' {
				_, _ = p.in.Discard(1)
			}
			p.spans = append(p.spans, span{start, len(p.text)})
			return true, nil
		default:
			p.text = append(p.text, c)
		}
		switch {
		case len(p.text)-start > p.limit:
			return false, refuse(CellTooLong, Ref(min(p.number+1, MaxRows), len(p.spans)))
		case len(p.text) > maxRowText:
			return false, refuse(TooLarge, maxRowText)
		}
	}
}

// row makes cells of the values; those at the end that are empty are cut off.
func (p *csvPass) row() ([]property.Cell, error) {
	if p.t.encoding != nil && bytes.Contains(p.text, []byte("\uFFFD")) || !utf8.Valid(p.text) {
		return nil, refuse(Broken, "row "+strconv.Itoa(p.number))
	}
	n := len(p.spans)
	for n > 0 && p.spans[n-1].start == p.spans[n-1].end {
		n--
	}
	text := string(p.text)
	p.cells = p.cells[:0]
	for _, s := range p.spans[:n] {
		c := property.Cell{}
		if s.end > s.start {
			c.Kind, c.Text = property.CellText, unguarded(text[s.start:s.end])
		}
		p.cells = append(p.cells, c)
	}
	return p.cells, nil
}
