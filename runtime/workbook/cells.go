package workbook

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/sluice-platform/sluice/engine/property"
)

// put places a cell in the row.
func (p *pass) put(c *raw) error {
	if !c.has && !c.formula || c.has && len(c.value) == 0 && (!c.formula || c.kind == "str") {
		return nil
	}
	for len(p.cells) <= c.column {
		p.cells = append(p.cells, property.Cell{})
		p.spans = append(p.spans, span{})
	}
	cell := &p.cells[c.column]
	*cell, p.spans[c.column] = property.Cell{}, span{}
	if len(c.value) == 0 {
		cell.Kind = property.CellUnknown
		return p.setText(c, c.source)
	}
	switch c.kind {
	case "s":
		return p.shared(c, cell)
	case "str", "inlineStr":
		cell.Kind = property.CellText
		return p.setText(c, c.value)
	case "b":
		cell.Kind, cell.Bool = property.CellBool, string(c.value) == "1" || string(c.value) == "true"
		return nil
	case "e":
		cell.Kind = property.CellError
		return p.setText(c, c.value)
	case "d":
		return p.isoDate(c, cell)
	}
	return p.numberOrTime(c, cell)
}

// setText notes the text of a cell: it becomes part of the row's one string.
func (p *pass) setText(c *raw, value []byte) error {
	start, ok := len(p.text), true
	if c.plain {
		p.text = append(p.text, value...)
	} else {
		if p.text, ok = appendUnescaped(p.text, value); !ok {
			return refuse(Broken, Ref(p.number, c.column))
		}
		p.text = decodeTail(p.text, start)
	}
	switch {
	case len(p.text)-start > p.b.limits.CellBytes:
		return refuse(CellTooLong, Ref(p.number, c.column))
	case len(p.text) > maxRowText:
		return refuse(TooLarge, maxRowText)
	}
	p.spans[c.column] = span{start, len(p.text)}
	if len(p.text) == start && p.cells[c.column].Kind == property.CellText {
		p.cells[c.column].Kind = property.CellEmpty
	}
	return nil
}

func (p *pass) shared(c *raw, cell *property.Cell) error {
	if !p.tabled {
		table, err := p.b.sharedTable(p.ctx)
		if err != nil {
			return err
		}
		p.table, p.tabled = table, true
	}
	n, ok := smallNumber(bytes.TrimSpace(c.value))
	if !ok || p.table == nil {
		return refuse(Broken, Ref(p.number, c.column))
	}
	text, err := p.table.text(n)
	if errors.Is(err, errNoString) {
		return refuse(Broken, Ref(p.number, c.column))
	} else if err != nil {
		return err
	}
	cell.Kind = property.CellText
	plain := *c
	plain.plain = true
	return p.setText(&plain, text)
}

// numberOrTime places a number, or the time that its format makes of it.
func (p *pass) numberOrTime(c *raw, cell *property.Cell) error {
	value := bytes.TrimSpace(c.value)
	if !numeric(value) {
		cell.Kind = property.CellText
		return p.setText(c, value)
	}
	cell.Kind = property.CellNumber
	if c.style >= 0 && c.style < len(p.b.styles) {
		l := &p.b.styles[c.style]
		cell.Format = l.format
		if l.time {
			if n, ok := decimal(value); ok && (!l.parts.elapsed || n < 1) {
				if t, ok := fromSerial(n, p.b.is1904, !l.parts.date()); ok {
					cell.Kind, cell.Time = property.CellTime, t
					return nil
				}
			}
		}
	}
	return p.setText(c, value)
}

func numeric(v []byte) bool {
	digit := false
	for _, c := range v {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E':
			return false
		}
	}
	return digit
}

// tens are powers that floats hold exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// decimal reads a number; short ones without an allocation, and exactly.
func decimal(v []byte) (float64, bool) {
	if len(v) <= len(tens) {
		n, places, point := 0, 0, false
		for _, c := range v {
			switch {
			case c >= '0' && c <= '9':
				n = n*10 + int(c-'0')
				if point {
					places++
				}
				continue
			case c == '.' && !point:
				point = true
				continue
			}
			n = -1
			break
		}
		if n >= 0 {
			return float64(n) / tens[places], true
		}
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// isoDate places a date of a file that writes dates as texts.
func (p *pass) isoDate(c *raw, cell *property.Cell) error {
	value := string(bytes.TrimSpace(c.value))
	if c.style >= 0 && c.style < len(p.b.styles) {
		cell.Format = p.b.styles[c.style].format
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02", time.RFC3339Nano, "15:04:05.999999999", "15:04"} {
		if t, err := time.Parse(layout, value); err == nil {
			if t.Year() == 0 {
				t = day0.Add(t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)))
			}
			cell.Kind, cell.Time = property.CellTime, time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
			return nil
		}
	}
	cell.Kind, cell.Format = property.CellText, ""
	return p.setText(c, c.value)
}
