package httpapi

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v5"
)

// compressFrom is the least size of an answer that is compressed, in bytes: less is one packet on the wire either way.
const compressFrom = 1400

// The fastest level: an answer is made for one caller and sent once.
var compressors = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is known
	return z
}}

// sendJSON writes the parts of a JSON text, compressed when the caller takes that and it is worth it. It is the only place where
// answers are: events and files are never compressed here.
func sendJSON(c *echo.Context, status int, parts ...[]byte) error {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	w := c.Response()
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if length < compressFrom || !takesGzip(c) {
		h.Set("Content-Length", strconv.Itoa(length))
		w.WriteHeader(status)
		return writeParts(w, parts)
	}
	h.Set("Content-Encoding", "gzip")
	h.Add("Vary", "Accept-Encoding")
	w.WriteHeader(status)
	z := compressors.Get().(*gzip.Writer)
	defer compressors.Put(z)
	z.Reset(w)
	if err := writeParts(z, parts); err != nil {
		return err
	}
	return z.Close()
}

func writeParts(w io.Writer, parts [][]byte) error {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// takesGzip reads Accept-Encoding (RFC 9110, section 12.5.3) as far as it concerns us.
func takesGzip(c *echo.Context) bool {
	for one := range strings.SplitSeq(c.Request().Header.Get("Accept-Encoding"), ",") {
		name, weight, weighed := strings.Cut(one, ";")
		if name = strings.TrimSpace(name); !strings.EqualFold(name, "gzip") && name != "*" {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return !weighed || err == nil && q > 0
	}
	return false
}
