package workbook

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// errUnknown is what the scanner does not know; excelize may.
var errUnknown = errors.New("workbook: unknown to the scanner")

// token is a kind of XML token.
type token uint8

const (
	tokenEnd   token = iota // of the part, or an error
	tokenStart              // <name attributes>
	tokenClose              // </name>; also follows <name/>
	tokenText
)

// maxDepth is how deep elements may be nested.
const maxDepth = 256

// scanner cuts XML into tokens, in place. It knows what spreadsheets use: elements, attributes, texts, CDATA, comments, no DTD. Slices that it
// hands out are good until the next token.
type scanner struct {
	in       io.Reader
	buf      []byte
	pos, end int
	eof      bool
	err      error
	longest  int // bytes of a token

	name  []byte // local name of an element
	attrs []byte // raw attributes of a start tag
	text  []byte
	raw   bool // the text is CDATA: no entities
	empty bool // the start tag is an empty element: its close follows
	depth int
}

const scanBuffer = 256 << 10

func newScanner(in io.Reader, longest int) *scanner {
	s := &scanner{in: in, buf: make([]byte, scanBuffer), longest: max(longest, 64<<10)}
	s.begin()
	return s
}

// begin looks at the encoding: UTF-8 without and with a mark, and UTF-16 with a mark.
func (s *scanner) begin() {
	for s.end < 4 && s.more() {
	}
	b := s.buf[:s.end]
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		s.pos = 3
	case bytes.HasPrefix(b, []byte("\xFF\xFE")), bytes.HasPrefix(b, []byte("\xFE\xFF")):
		if s.eof {
			s.in, s.eof = bytes.NewReader(nil), false
		}
		utf16 := io.MultiReader(bytes.NewReader(bytes.Clone(b)), s.in)
		s.in = transform.NewReader(utf16, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
		s.end = 0
		s.longest *= 2
		for s.end < 4 && s.more() {
		}
		s.skipDeclaration()
		return
	}
	if s.err == nil && s.end-s.pos >= 5 && string(s.buf[s.pos:s.pos+5]) == "<?xml" {
		s.checkEncoding()
	}
}

// skipDeclaration passes over <?xml …?>, whose encoding was that of the bytes before.
func (s *scanner) skipDeclaration() {
	if i := bytes.Index(s.buf[:s.end], []byte("?>")); i >= 0 && bytes.HasPrefix(s.buf[:s.end], []byte("<?xml")) {
		s.pos = i + 2
	}
}

func (s *scanner) checkEncoding() {
	end := -1
	for {
		if end = bytes.Index(s.buf[s.pos:s.end], []byte("?>")); end >= 0 || s.end-s.pos > 1024 || !s.more() {
			break
		}
	}
	if end < 0 {
		s.fail(refuse(Broken, "XML"))
		return
	}
	encoding, named := attribute(s.buf[s.pos+5:s.pos+end], "encoding")
	if named && !bytes.EqualFold(encoding, []byte("utf-8")) && !bytes.EqualFold(encoding, []byte("us-ascii")) && !bytes.EqualFold(encoding, []byte("utf8")) {
		s.fail(errUnknown)
		return
	}
	s.pos += end + 2
}

func (s *scanner) fail(err error) token {
	if s.err == nil {
		s.err = err
	}
	return tokenEnd
}

// more reads further bytes behind those that are not taken yet; false at the end and after errors.
func (s *scanner) more() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.pos = 0
	}
	if s.end == len(s.buf) {
		if s.end > s.longest {
			s.fail(refuse(CellTooLong))
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.in.Read(s.buf[s.end:])
	s.end += n
	if errors.Is(err, io.EOF) {
		s.eof = true
		return n > 0
	} else if err != nil {
		s.fail(err)
		return false
	}
	return true
}

// next moves to the next token.
func (s *scanner) next() token {
	if s.empty {
		s.empty = false
		s.depth--
		return tokenClose
	}
	for {
		if s.pos == s.end && !s.more() {
			if s.pos == s.end {
				return s.finish()
			}
		}
		if s.err != nil {
			return tokenEnd
		}
		if s.buf[s.pos] != '<' {
			return s.readText()
		}
		for s.end-s.pos < 2 {
			if !s.more() {
				return s.fail(refuse(Broken, "XML"))
			}
		}
		switch s.buf[s.pos+1] {
		case '/':
			return s.readClose()
		case '?':
			if _, ok := s.until("?>", 2); !ok {
				return s.fail(refuse(Broken, "XML"))
			}
		case '!':
			if t := s.readSpecial(); t != tokenStart {
				return t
			}
		default:
			return s.readStart()
		}
	}
}

// finish is the end of the part: elements that are still open mean that it was cut.
func (s *scanner) finish() token {
	if s.err == nil && s.depth != 0 {
		s.fail(refuse(Broken, "XML"))
	}
	return tokenEnd
}

// find is the place of a byte behind from, read on as needed; -1 at the end.
func (s *scanner) find(c byte, from int) int {
	for {
		if i := bytes.IndexByte(s.buf[s.pos+from:s.end], c); i >= 0 {
			return from + i
		}
		from = s.end - s.pos
		if !s.more() {
			return -1
		}
	}
}

// until takes everything up to a mark and returns what is before it, without the first skip bytes.
func (s *scanner) until(mark string, skip int) ([]byte, bool) {
	for from := skip; ; {
		for s.end-s.pos < from {
			if !s.more() {
				return nil, false
			}
		}
		if i := bytes.Index(s.buf[s.pos+from:s.end], []byte(mark)); i >= 0 {
			text := s.buf[s.pos+skip : s.pos+from+i]
			s.pos += from + i + len(mark)
			return text, true
		}
		from = max(skip, s.end-s.pos-len(mark)+1)
		if !s.more() {
			return nil, false
		}
	}
}

func (s *scanner) readText() token {
	i := s.find('<', 0)
	if s.err != nil {
		return tokenEnd
	}
	if i < 0 {
		i = s.end - s.pos
		if len(bytes.TrimSpace(s.buf[s.pos:s.end])) > 0 || s.depth != 0 {
			return s.fail(refuse(Broken, "XML"))
		}
	}
	s.text, s.raw = s.buf[s.pos:s.pos+i], false
	s.pos += i
	return tokenText
}

func (s *scanner) readClose() token {
	i := s.find('>', 2)
	if i < 0 || s.depth == 0 {
		return s.fail(refuse(Broken, "XML"))
	}
	s.name = local(bytes.TrimRight(s.buf[s.pos+2:s.pos+i], " \t\r\n"))
	s.pos += i + 1
	s.depth--
	return tokenClose
}

func (s *scanner) readStart() token {
	i := s.find('>', 1)
	for i >= 0 && openQuote(s.buf[s.pos:s.pos+i]) {
		i = s.find('>', i+1)
	}
	if i < 0 {
		return s.fail(refuse(Broken, "XML"))
	}
	tag := s.buf[s.pos+1 : s.pos+i]
	s.pos += i + 1
	if s.depth++; s.depth > maxDepth {
		return s.fail(refuse(Broken, "XML"))
	}
	if n := len(tag); n > 0 && tag[n-1] == '/' {
		s.empty = true
		tag = tag[:n-1]
	}
	n := 0
	colon := -1
	for ; n < len(tag); n++ {
		c := tag[n]
		if c <= ' ' {
			break
		}
		if c == ':' {
			colon = n
		}
	}
	if n == colon+1 {
		return s.fail(refuse(Broken, "XML"))
	}
	s.name, s.attrs = tag[colon+1:n], tag[n:]
	return tokenStart
}

var doubleQuote = []byte{'"'}

// openQuote tells if a tag so far ends inside a quoted value, which may hold ">".
func openQuote(tag []byte) bool {
	if bytes.Count(tag, doubleQuote)&1 == 0 && bytes.IndexByte(tag, '\'') < 0 {
		return false
	}
	for {
		i := bytes.IndexByte(tag, '=')
		if i < 0 {
			return false
		}
		tag = bytes.TrimLeft(tag[i+1:], " \t\r\n")
		if len(tag) == 0 || tag[0] != '"' && tag[0] != '\'' {
			continue
		}
		end := bytes.IndexByte(tag[1:], tag[0])
		if end < 0 {
			return true
		}
		tag = tag[end+2:]
	}
}

// readSpecial reads what begins with "<!"; tokenStart means to go on.
func (s *scanner) readSpecial() token {
	for s.end-s.pos < 9 && s.more() {
	}
	b := s.buf[s.pos:s.end]
	switch {
	case bytes.HasPrefix(b, []byte("<!--")):
		if _, ok := s.until("-->", 4); !ok {
			return s.fail(refuse(Broken, "XML"))
		}
		return tokenStart
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		text, ok := s.until("]]>", 9)
		if !ok {
			return s.fail(refuse(Broken, "XML"))
		}
		s.text, s.raw = text, true
		return tokenText
	case bytes.HasPrefix(bytes.ToUpper(b[:min(len(b), 9)]), []byte("<!DOCTYPE")), bytes.HasPrefix(b, []byte("<!ENTITY")):
		return s.fail(refuse(DTD))
	}
	return s.fail(refuse(Broken, "XML"))
}

// skip passes over the element whose start was read.
func (s *scanner) skip() bool {
	for depth := s.depth - 1; s.depth > depth; {
		if s.next() == tokenEnd {
			return false
		}
	}
	return true
}
