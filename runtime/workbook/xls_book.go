package workbook

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/richardlehane/mscfb"
)

// xlsBook is what a file of Excel 97 to 2003 holds, as far as rows need it.
type xlsBook struct {
	stream  []byte
	is1904  bool
	formats []xlsFormatCode
	looks   []int // number of the format, of each style of cells
	texts   []string
	sheets  []xlsSheet
}

type xlsFormatCode struct {
	number int
	code   string
}

// xlsSheet is a visible worksheet; at is where its records begin.
type xlsSheet struct {
	name string
	at   int
}

// xlsCell is a cell with content. kind is that of the attribute t in xlsx: n, b, e, str or s (a shared text).
type xlsCell struct {
	column, look int
	kind         string
	number       float64 // of n, b and s
	text         string  // of e and str
}

// xlsRows are the rows of a worksheet by their number from 0.
type xlsRows struct {
	cells  map[int][]xlsCell
	hidden map[int]bool
	merged []Range
}

var errXLS = errors.New("the records of the file contradict each other")

// xlsErrors are the texts of errors in cells.
var xlsErrors = map[byte]string{0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}

// readXLS reads a file but for its worksheets. Errors are *Refusal where they say what a person can do.
func readXLS(file io.ReaderAt, most int64) (*xlsBook, error) {
	doc, err := mscfb.New(file)
	if err != nil {
		return nil, refuse(Broken, err.Error())
	}
	x, old := &xlsBook{}, false
	for e, err := doc.Next(); err == nil; e, err = doc.Next() {
		switch e.Name {
		case "EncryptedPackage":
			return nil, refuse(Encrypted)
		case "Book":
			old = true
		case "Workbook":
			if x.stream, err = io.ReadAll(io.LimitReader(e, most+1)); err != nil || int64(len(x.stream)) > most {
				return nil, errors.Join(err, refuse(Broken, "Workbook"))
			}
		}
	}
	switch {
	case x.stream == nil && old:
		return nil, refuse(OldFormat)
	case x.stream == nil:
		return nil, refuse(NotASpreadsheet, "ole")
	}
	return x, x.globals()
}

// globals reads the records before the worksheets.
func (x *xlsBook) globals() error {
	r, at, ok := xlsNext(x.stream, 0)
	if !ok || r.kind != xlsBOF {
		return errXLS
	}
	if binary.LittleEndian.Uint16(r.data(2)) != xlsVersion {
		return refuse(OldFormat)
	}
	for {
		if r, at, ok = xlsNext(x.stream, at); !ok {
			return errXLS
		}
		le, text := binary.LittleEndian, &xlsText{parts: r.parts}
		switch r.kind {
		case xlsEOF:
			return nil
		case xlsFilePass:
			return refuse(Encrypted)
		case xlsDate1904:
			x.is1904 = le.Uint16(r.data(2)) == 1
		case xlsXF:
			x.looks = append(x.looks, int(le.Uint16(r.data(4)[2:])))
		case xlsFormat:
			number, _ := text.number(2)
			if code, ok := text.text(2); ok {
				x.formats = append(x.formats, xlsFormatCode{number, code})
			}
		case xlsBoundSheet:
			place, _ := text.number(4)
			state, _ := text.number(2)
			if name, ok := text.text(1); ok && state == 0 && len(x.sheets) < maxSheets { // 0: a worksheet that is shown
				x.sheets = append(x.sheets, xlsSheet{name, place})
			}
		case xlsSST:
			if !x.shared(text) {
				return errXLS
			}
		}
	}
}

// shared reads the table of texts.
func (x *xlsBook) shared(in *xlsText) bool {
	_, ok := in.number(4)
	count, ok2 := in.number(4)
	for ; ok && ok2 && count > 0; count-- {
		text, ok := in.text(2)
		if !ok {
			return false
		}
		x.texts = append(x.texts, text)
	}
	return ok && ok2
}

// rows reads a worksheet. Charts within it have records of their own, between a beginning and an end.
func (x *xlsBook) rows(s xlsSheet) (*xlsRows, error) {
	out := &xlsRows{cells: map[int][]xlsCell{}, hidden: map[int]bool{}}
	var pending *xlsCell // a formula whose text follows
	pendingRow, depth := 0, 0
	for at := s.at; ; {
		r, next, ok := xlsNext(x.stream, at)
		if !ok {
			return nil, errXLS
		}
		at = next
		switch {
		case r.kind == xlsBOF:
			depth++
		case r.kind == xlsEOF:
			if depth--; depth <= 0 {
				return out, nil
			}
		case depth == 0:
			return nil, errXLS
		case depth > 1:
		case r.kind == xlsString && pending != nil:
			if text, ok := (&xlsText{parts: r.parts}).text(2); ok && text != "" {
				pending.text = text
				out.cells[pendingRow] = append(out.cells[pendingRow], *pending)
			}
			pending = nil
		case r.kind == xlsFormula && binary.LittleEndian.Uint64(r.data(14)[6:])&0xFFFF0000000000FF == 0xFFFF000000000000:
			row, column, look := r.place()
			pending, pendingRow = &xlsCell{column: column, look: look, kind: "str"}, row
		default:
			out.take(r)
		}
	}
}

// place is the row, column and style that a record of a cell begins with.
func (r xlsRecord) place() (row, column, look int) {
	d, le := r.data(6), binary.LittleEndian
	return int(le.Uint16(d)), int(le.Uint16(d[2:])), int(le.Uint16(d[4:]))
}

// take reads a record of a row, a cell or several, or of merged cells.
func (o *xlsRows) take(r xlsRecord) {
	le := binary.LittleEndian
	row, column, look := r.place()
	put := func(c xlsCell) {
		c.column, c.look = column, look
		o.cells[row] = append(o.cells[row], c)
	}
	switch r.kind {
	case xlsRow:
		if r.data(16)[12]&0x20 != 0 {
			o.hidden[row] = true
		}
	case xlsLabelSST:
		put(xlsCell{kind: "s", number: float64(le.Uint32(r.data(10)[6:]))})
	case xlsLabel, xlsRichText:
		if text, ok := (&xlsText{parts: r.parts, at: min(6, len(r.parts[0]))}).text(2); ok && text != "" {
			put(xlsCell{kind: "str", text: text})
		}
	case xlsNumber:
		put(xlsCell{kind: "n", number: math.Float64frombits(le.Uint64(r.data(14)[6:]))})
	case xlsRK:
		put(xlsCell{kind: "n", number: xlsPacked(le.Uint32(r.data(10)[6:]))})
	case xlsMulRK:
		d := r.data(6)
		for at := 4; at+6 <= len(d)-2; at, column = at+6, column+1 {
			look = int(le.Uint16(d[at:]))
			put(xlsCell{kind: "n", number: xlsPacked(le.Uint32(d[at+2:]))})
		}
	case xlsBoolErr:
		if d := r.data(8); d[7] == 0 {
			put(xlsCell{kind: "b", number: float64(min(d[6], 1))})
		} else {
			put(xlsCell{kind: "e", text: xlsError(d[6])})
		}
	case xlsFormula:
		o.formula(r.data(14)[6:14], put)
	case xlsMerged:
		d := r.parts[0]
		for at := 2; at+8 <= len(d) && len(o.merged) < maxMerged; at += 8 {
			top, bottom, left, right := int(le.Uint16(d[at:])), int(le.Uint16(d[at+2:])), int(le.Uint16(d[at+4:])), int(le.Uint16(d[at+6:]))
			if bottom >= top && right >= left && right < MaxColumns {
				o.merged = append(o.merged, Range{Row: top + 1, Column: left, Rows: bottom - top + 1, Columns: right - left + 1})
			}
		}
	}
}

// formula puts what a formula came to: a number, or a truth value or an error behind a mark. An empty text is nothing.
func (o *xlsRows) formula(value []byte, put func(xlsCell)) {
	switch marked := value[6] == 0xFF && value[7] == 0xFF; {
	case !marked:
		put(xlsCell{kind: "n", number: math.Float64frombits(binary.LittleEndian.Uint64(value))})
	case value[0] == 1:
		put(xlsCell{kind: "b", number: float64(min(value[2], 1))})
	case value[0] == 2:
		put(xlsCell{kind: "e", text: xlsError(value[2])})
	}
}

func xlsError(code byte) string {
	if text, ok := xlsErrors[code]; ok {
		return text
	}
	return "#N/A"
}

// xlsPacked is a number of four bytes: a whole one or the first bits of one, and perhaps a hundredth of it.
func xlsPacked(rk uint32) float64 {
	n := math.Float64frombits(uint64(rk&^3) << 32)
	if rk&2 != 0 {
		n = float64(int32(rk) >> 2)
	}
	if rk&1 != 0 {
		n /= 100
	}
	return n
}
