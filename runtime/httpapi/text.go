package httpapi

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"
)

// Texts from outside are whole: valid UTF-8 without NUL, which PostgreSQL takes from nobody, and without half a surrogate
// pair, for which JSON decoders put another character. What is not is refused by name, for the whole request, before a handler
// sees it.

// badText names the parameter of the address, or "path", that holds a text which is not whole; "" when there is none.
func badText(c *echo.Context) string {
	at := c.Request().URL
	if at.RawQuery != "" {
		for name, values := range c.QueryParams() {
			if !whole(name) {
				return strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "")
			}
			for _, v := range values {
				if !whole(v) {
					return name
				}
			}
		}
	}
	if whole(at.Path) {
		return ""
	}
	for _, p := range c.PathValues() {
		if v, err := url.PathUnescape(p.Value); err != nil || !whole(v) || !whole(p.Value) {
			return p.Name
		}
	}
	return "path"
}

func whole(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// suspect tells quickly whether a JSON text may hold what is not whole.
func suspect(body []byte) bool {
	if !utf8.Valid(body) {
		return true
	}
	for rest := body; ; {
		i := bytes.Index(rest, []byte(`\u`))
		if i < 0 || i+4 > len(rest) {
			return false
		}
		if rest = rest[i+2:]; rest[0] == '0' && rest[1] == '0' || rest[0]|0x20 == 'd' && rest[1] >= '8' {
			return true
		}
	}
}

// wholeJSON judges a JSON string as it was written, with its quotes and escapes.
func wholeJSON(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	unit := func(i int) (u int) { // the escaped UTF-16 unit at i, -1 when there is none
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return -1
		}
		for _, d := range text[i+2 : i+6] {
			u <<= 4
			switch {
			case d <= '9':
				u |= int(d - '0')
			default:
				u |= int(d|0x20-'a') + 10
			}
		}
		return u
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u < 0:
			i++
		case u == 0 || u >= 0xDC00 && u < 0xE000:
			return false
		case u >= 0xD800 && u < 0xDC00:
			if low := unit(i + 6); low < 0xDC00 || low >= 0xE000 {
				return false
			}
			i += 11
		default:
			i += 5
		}
	}
	return true
}
