package workbook

import (
	"bytes"
	"unicode/utf8"
)

// local is a name without its prefix.
func local(name []byte) []byte { return name[bytes.LastIndexByte(name, ':')+1:] }

// attribute finds an attribute without a prefix; its value is as written.
func attribute(attrs []byte, name string) (value []byte, ok bool) {
	for {
		key, v, rest, more := nextAttribute(attrs)
		if !more {
			return nil, false
		}
		if string(key) == name {
			return v, true
		}
		attrs = rest
	}
}

// nextAttribute takes the first attribute off a list.
func nextAttribute(attrs []byte) (key, value, rest []byte, ok bool) {
	i := 0
	for i < len(attrs) && attrs[i] <= ' ' {
		i++
	}
	start := i
	for i < len(attrs) && attrs[i] != '=' && attrs[i] > ' ' {
		i++
	}
	key = attrs[start:i]
	for i < len(attrs) && attrs[i] != '"' && attrs[i] != '\'' {
		i++
	}
	if i >= len(attrs) {
		return nil, nil, nil, false
	}
	quote := attrs[i]
	i++
	end := bytes.IndexByte(attrs[i:], quote)
	if end < 0 {
		return nil, nil, nil, false
	}
	return key, attrs[i : i+end], attrs[i+end+1:], true
}

// appendUnescaped appends a text with its entities replaced and line ends as XML reads them.
func appendUnescaped(b, text []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(text, '&')
		if r := bytes.IndexByte(text, '\r'); r >= 0 && (i < 0 || r < i) {
			b = append(append(b, text[:r]...), '\n')
			text = bytes.TrimPrefix(text[r+1:], []byte("\n"))
			continue
		}
		if i < 0 {
			return append(b, text...), true
		}
		b = append(b, text[:i]...)
		text = text[i+1:]
		end := bytes.IndexByte(text, ';')
		if end < 1 || end > 10 {
			return b, false
		}
		c, ok := entity(text[:end])
		if !ok {
			return b, false
		}
		b = utf8.AppendRune(b, c)
		text = text[end+1:]
	}
}

func entity(name []byte) (rune, bool) {
	switch string(name) {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], rune(10)
	if digits[0] == 'x' && len(digits) > 1 {
		digits, base = digits[1:], 16
	}
	var r rune
	for _, c := range digits {
		d := unhex(c)
		if d < 0 || rune(d) >= base || r > utf8.MaxRune {
			return 0, false
		}
		r = r*base + rune(d)
	}
	return r, r != 0 && utf8.ValidRune(r)
}

// appendDecoded appends a text with _xHHHH_ replaced by the characters; NUL is left out.
func appendDecoded(b, text []byte) []byte {
	for {
		i := bytes.Index(text, []byte("_x"))
		if i < 0 {
			return append(b, text...)
		}
		if !isEscape(text[i:]) {
			b, text = append(b, text[:i+1]...), text[i+1:]
			continue
		}
		b = append(b, text[:i]...)
		r := escaped(text[i:])
		text = text[i+7:]
		if r >= 0xD800 && r < 0xDC00 && isEscape(text) {
			if low := escaped(text); low >= 0xDC00 && low < 0xE000 {
				r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
				text = text[7:]
			}
		}
		if r != 0 {
			b = utf8.AppendRune(b, r)
		}
	}
}

func escaped(text []byte) (r rune) {
	for _, c := range text[2:6] {
		r = r<<4 | rune(unhex(c))
	}
	return r
}
