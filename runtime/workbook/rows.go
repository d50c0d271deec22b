package workbook

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/property"
)

// maxRowText is the text that a row can hold in all: rows are held in memory.
const maxRowText = 16 << 20

// pass is one reading of a worksheet.
type pass struct {
	ctx    context.Context
	b      *Book
	s      *scanner
	w      *stopwatch
	from   int
	number int // of the row that is read
	hidden bool
	sort   *sorting // nil: rows are handed over as they come
	table  *sharedStrings
	tabled bool

	cells   []property.Cell
	spans   []span // of the cells' texts in text
	text    []byte
	formula []byte
}

type span struct{ start, end int }

// scanRows reads a worksheet with the scanner, and with excelize from the row on that the scanner does not understand.
func (b *Book) scanRows(ctx context.Context, sheet, from int, w *stopwatch) error {
	in, err := b.zip.open(ctx, b.parts[sheet])
	if err != nil {
		return err
	}
	w.begin()
	p := &pass{ctx: ctx, b: b, s: newScanner(in, b.limits.CellBytes), w: w, from: from}
	if b.unsorted[sheet] {
		p.sort = &sorting{}
	}
	err = p.run()
	switch {
	case errors.Is(err, errUnknown):
		p.sort = nil
		return b.excelizeRows(ctx, sheet, max(from, w.last+1), w)
	case errors.Is(err, errDisorder):
		if b.unsorted == nil {
			b.unsorted = map[int]bool{}
		}
		b.unsorted[sheet] = true
		return refuse(Broken, "row "+strconv.Itoa(p.number))
	case err == nil && p.sort != nil:
		return p.sort.hand(ctx, w)
	}
	var r *Refusal
	if errors.As(err, &r) && r.Why == CellTooLong && len(r.Args) == 0 {
		return refuse(CellTooLong, Ref(max(p.number, 1), len(p.cells)))
	}
	return err
}

// run reads the rows of the worksheet.
func (p *pass) run() error {
	for root := true; ; {
		switch p.s.next() {
		case tokenEnd:
			if p.s.err == nil && root {
				return refuse(Broken, "XML")
			}
			return p.s.err
		case tokenStart:
			if root && string(p.s.name) != "worksheet" {
				return refuse(Broken, "XML")
			}
			root = false
			if string(p.s.name) == "sheetData" {
				return p.rows()
			}
		}
	}
}

func (p *pass) rows() error {
	for n := 0; ; n++ {
		switch p.s.next() {
		case tokenEnd:
			return p.s.ended()
		case tokenClose:
			return nil
		case tokenStart:
			if string(p.s.name) != "row" {
				return errUnknown
			}
			if err := p.row(); err != nil {
				return err
			}
			if n&1023 == 1023 {
				if err := p.w.tick(p.ctx); err != nil {
					return err
				}
			}
		}
	}
}

func (p *pass) row() error {
	number := p.number + 1
	if v, ok := attribute(p.s.attrs, "r"); ok {
		if number, ok = parseRow(v); !ok || number == p.number {
			return refuse(Broken, "row "+strconv.Itoa(p.number+1))
		}
		if number < p.number && p.sort == nil {
			return errDisorder
		}
	}
	hidden, _ := attribute(p.s.attrs, "hidden")
	p.hidden = string(hidden) == "1" || string(hidden) == "true"
	if number > MaxRows {
		return refuse(Broken, "row "+strconv.Itoa(number))
	}
	p.number = number
	p.cells, p.spans, p.text = p.cells[:0], p.spans[:0], p.text[:0]
	for column := 0; ; {
		switch p.s.next() {
		case tokenEnd:
			return p.s.ended()
		case tokenClose:
			return p.emit()
		case tokenStart:
			switch string(p.s.name) {
			case "c":
				next, err := p.cell(column)
				if err != nil {
					return err
				}
				column = next + 1
			case "extLst":
				if !p.s.skip() {
					return p.s.ended()
				}
			default:
				return errUnknown
			}
		}
	}
}

// emit hands the row over when it has content.
func (p *pass) emit() error {
	n := len(p.cells)
	for n > 0 && p.cells[n-1].Kind == property.CellEmpty {
		n--
	}
	if n == 0 || p.number < p.from {
		return nil
	}
	switch {
	case n > p.b.limits.Columns:
		return refuse(TooManyColumns, p.b.limits.Columns)
	case p.w.rows >= p.b.limits.Rows, p.sort != nil && len(p.sort.rows) >= p.b.limits.Rows:
		return refuse(TooManyRows, p.b.limits.Rows)
	case !utf8.Valid(p.text):
		return refuse(Broken, "row "+strconv.Itoa(p.number))
	}
	text := string(p.text)
	for i := range n {
		if s := p.spans[i]; s.end > s.start {
			p.cells[i].Text = text[s.start:s.end]
		}
	}
	row := Row{Number: p.number, Hidden: p.hidden, Cells: p.cells[:n]}
	if p.sort != nil {
		return p.sort.keep(row, len(text))
	}
	return p.w.hand(p.ctx, row)
}

// raw is a cell as the file has it.
type raw struct {
	column, style int
	kind          string // the attribute t
	value         []byte
	has           bool // <v> or <is> is there
	plain         bool // the value has no entities any more
	formula       bool
	source        []byte // of the formula
}

// cell reads the cell whose start was read. column is where it is when it does not say.
func (p *pass) cell(column int) (int, error) {
	c := raw{column: column, style: -1}
	for attrs := p.s.attrs; len(attrs) > 0; {
		key, value, rest, ok := nextAttribute(attrs)
		if !ok {
			break
		}
		attrs = rest
		if len(key) != 1 {
			continue
		}
		switch key[0] {
		case 'r':
			row, at, ok := parseRef(value)
			if !ok || row != p.number {
				return 0, refuse(Broken, string(value[:min(len(value), 20)]))
			}
			c.column = at
		case 's':
			if n, ok := smallNumber(value); ok {
				c.style = n
			}
		case 't':
			c.kind = kindName(value)
		}
	}
	if c.column >= MaxColumns {
		return 0, refuse(Broken, Ref(p.number, c.column))
	}
	if c.kind == "?" {
		return 0, errUnknown
	}
	if !p.fast(&c) {
		if err := p.slow(&c); err != nil {
			return 0, err
		}
	}
	if p.number < p.from {
		return c.column, nil
	}
	return c.column, p.put(&c)
}

// kindName is the attribute t without an allocation; "?" is unknown.
func kindName(v []byte) string {
	switch string(v) {
	case "s":
		return "s"
	case "n", "":
		return ""
	case "str":
		return "str"
	case "inlineStr":
		return "inlineStr"
	case "b":
		return "b"
	case "e":
		return "e"
	case "d":
		return "d"
	}
	return "?"
}

func smallNumber(v []byte) (n int, ok bool) {
	for _, c := range v {
		if c < '0' || c > '9' || n > 1<<28 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(v) > 0
}

// The usual forms of a cell's content.
var (
	valueStart, valueEnd   = []byte("<v>"), []byte("</v></c>")
	inlineStart, inlineEnd = []byte("<is><t>"), []byte("</t></is></c>")
)

// fast reads a cell of the usual form that is whole in the buffer.
func (p *pass) fast(c *raw) bool {
	s := p.s
	if s.empty {
		return false
	}
	b := s.buf[s.pos:s.end]
	start, end := valueStart, valueEnd
	if c.kind == "inlineStr" {
		start, end = inlineStart, inlineEnd
	}
	if !bytes.HasPrefix(b, start) {
		return false
	}
	i := bytes.IndexByte(b[len(start):], '<')
	if i < 0 || i > s.longest || !bytes.HasPrefix(b[len(start)+i:], end) {
		return false
	}
	c.value, c.has = b[len(start):len(start)+i], true
	s.pos += len(start) + i + len(end)
	s.depth--
	return true
}

// slow reads any cell up to its close.
func (p *pass) slow(c *raw) error {
	s := p.s
	depth := s.depth - 1
	buffer := p.formula[:0]
	value := 0 // where the value starts in the buffer
	for s.depth > depth {
		t := s.next()
		if t == tokenEnd {
			return s.ended()
		}
		if t != tokenStart {
			continue
		}
		var err error
		switch string(s.name) {
		case "v":
			value, c.has = len(buffer), true
			buffer, err = appendElement(buffer, s, p.b.limits.CellBytes)
			c.value = buffer[value:]
		case "is":
			value, c.has = len(buffer), true
			buffer, err = appendRich(buffer, s, p.b.limits.CellBytes)
			c.value = buffer[value:]
		case "f":
			c.formula = true
			start := len(buffer)
			buffer, err = appendElement(buffer, s, p.b.limits.CellBytes)
			c.source = buffer[start:]
		case "extLst":
			if !s.skip() {
				return s.ended()
			}
		default:
			return errUnknown
		}
		if err != nil {
			return err
		}
	}
	c.plain = true
	p.formula = buffer
	return nil
}

// appendElement appends the text of the element whose start was read; elements in it are skipped.
func appendElement(b []byte, s *scanner, limit int) ([]byte, error) {
	start, ok := len(b), true
	for depth := s.depth - 1; s.depth > depth; {
		switch s.next() {
		case tokenEnd:
			return b, s.ended()
		case tokenText:
			if b, ok = appendText(b, s); !ok {
				return b, refuse(Broken, "XML")
			}
			if len(b)-start > limit {
				return b, refuse(CellTooLong)
			}
		}
	}
	return b, nil
}
