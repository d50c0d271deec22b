package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/tailscale/hujson"
)

type file struct {
	name  string
	data  []byte
	lines []int             // byte offset of each line's start
	sum   [sha256.Size]byte // of data
	// headings are the offsets of the columns' names in a table; nil for JSON.
	headings map[string]int
}

// MaxSize is the largest document in bytes, MaxDepth the deepest nesting that Parse accepts.
const (
	MaxSize  = 8 << 20
	MaxDepth = 64
)

// MaxDigits is the longest number, and the largest exponent, that Parse accepts: exact arithmetic on longer ones is an attack.
const MaxDigits = 100

// Parse reads one document. The root is nil when the text is not a JSON; duplicate keys are reported and the first one kept.
// A byte order mark is skipped.
func Parse(name string, data []byte) (*Node, diag.List) {
	f := newFile(name, data)
	if len(f.data) > MaxSize {
		return nil, diag.List{diag.New("DOC003", diag.Position{File: name}, MaxSize>>20)}
	}
	if !utf8.Valid(f.data) {
		return nil, diag.List{diag.New("DOC004", f.position(firstInvalid(f.data)))}
	}
	// The parser below calls itself for each level, so the depth is limited before it runs.
	if at := tooDeep(f.data); at >= 0 {
		return nil, diag.List{diag.New("DOC005", f.position(at), MaxDepth)}
	}
	v, err := hujson.Parse(f.data)
	if err != nil {
		return nil, diag.List{diag.New("DOC001", f.errorPosition(err), cause(err))}
	}
	if !v.IsStandard() {
		return nil, diag.List{diag.New("DOC001", f.position(firstExtension(v)),
			diag.Text{Zh: "不能有注释或末尾的逗号", En: "comments and trailing commas are not allowed"})}
	}
	var out diag.List
	root := f.node(nil, v, &out)
	return root, out
}

func newFile(name string, data []byte) *file {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f := &file{name: name, data: data, lines: []int{0}, sum: sha256.Sum256(data)}
	for i, b := range data {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// tooDeep returns the offset of the first bracket below MaxDepth, -1 when there is none.
func tooDeep(data []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

func (f *file) node(parent *Node, v hujson.Value, out *diag.List) *Node {
	n := &Node{Parent: parent, file: f, off: v.StartOffset, keyOff: v.StartOffset}
	switch t := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		seen := map[string]bool{}
		for _, m := range t.Members {
			c := f.node(n, m.Value, out)
			c.Key, c.keyOff = unquote(m.Name.Value.(hujson.Literal)), m.Name.StartOffset
			if seen[c.Key] {
				*out = append(*out, diag.New("DOC002", c.KeyPos(), c.Key).At(c.Pointer()))
				continue
			}
			seen[c.Key] = true
			n.Members = append(n.Members, c)
		}
	case *hujson.Array:
		n.Kind = Array
		for i, e := range t.Elements {
			c := f.node(n, e, out)
			c.Index = i
			n.Members = append(n.Members, c)
		}
	case hujson.Literal:
		switch t.Kind() {
		case '"':
			n.Kind, n.text = String, unquote(t)
		case '0':
			n.Kind, n.text = Number, string(t)
			if tooLong(n.text) {
				*out = append(*out, diag.New("DOC011", n.Pos(), shorten(n.text), MaxDigits))
				n.text = "1" // reported once is enough
			}
		case 't', 'f':
			n.Kind, n.text = Bool, string(t)
		}
	}
	return n
}

// unquote is the text of a string literal; most have nothing to unescape.
func unquote(t hujson.Literal) string {
	if bytes.IndexByte(t, '\\') >= 0 {
		return t.String()
	}
	return string(t[1 : len(t)-1])
}

func (f *file) position(off int) diag.Position {
	off = min(max(off, 0), len(f.data))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off })
	start := f.lines[line-1]
	return diag.Position{File: f.name, Line: line, Col: utf8.RuneCount(f.data[start:off]) + 1}
}

func (f *file) errorPosition(err error) diag.Position {
	var line, col int
	if _, e := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &col); e != nil || line < 1 || line > len(f.lines) {
		return diag.Position{File: f.name, Line: 1, Col: 1}
	}
	return f.position(f.lines[line-1] + col - 1) // hujson counts bytes
}

// cause puts the parser's reason into both languages; its own words stand for what has no row here.
func cause(err error) diag.Text {
	parts := strings.SplitN(err.Error(), ": ", 3) // hujson: line 1, column 2: reason
	reason := parts[len(parts)-1]
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return diag.Text{Zh: "文件不完整，可能少了引号或括号", En: "the file ends too early; a quote or bracket may be missing"}
	}
	text := diag.Text{Zh: reason, En: reason}
	if what, ok := strings.CutPrefix(reason, "invalid character "); ok {
		for _, w := range places {
			if char, ok := strings.CutSuffix(what, " "+w.suffix); ok {
				return diag.Text{Zh: fmt.Sprintf(w.zh, char), En: fmt.Sprintf(w.en, char)}
			}
		}
	}
	if literal, ok := strings.CutPrefix(reason, "invalid literal: "); ok {
		text = diag.Text{Zh: "不认识的值 " + shorten(literal), En: "unknown value " + shorten(literal)}
	}
	return text
}

var places = []struct{ suffix, zh, en string }{
	{"after top-level value", "文档结束之后还有 %s", "%s stands behind the end of the document"},
	{"at start of object name", "此处应为带双引号的键，却是 %s", "a key in double quotes must stand here, not %s"},
	{"after object name", "键之后应为冒号，却是 %s", "a colon must follow the key, not %s"},
	{"after object value (expecting ',' or '}')", "此处应为逗号或 }，却是 %s", "a comma or } must stand here, not %s"},
	{"after array value (expecting ',' or ']')", "此处应为逗号或 ]，却是 %s", "a comma or ] must stand here, not %s"},
	{"at start of value", "此处应为一个值，却是 %s", "a value must stand here, not %s"},
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

// tooLong reports whether exact arithmetic on a number's text would be unreasonable.
func tooLong(text string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(mantissa) > MaxDigits {
		return true
	}
	n, err := strconv.Atoi(cmp.Or(exponent, "0"))
	return err != nil || n > MaxDigits || n < -MaxDigits
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return 0
}

// firstExtension finds the offset of the first comment or trailing comma.
func firstExtension(v hujson.Value) int {
	plain := v.Clone()
	plain.Standardize()
	a, b := v.Pack(), plain.Pack()
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return 0
}
