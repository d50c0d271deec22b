// Package source reads a document's text into a tree that remembers where everything stands. It is the first stage of
// DESIGN section 4: file -> source.Parse -> schema.Validate -> ...
package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/tailscale/hujson"
)

// Kind of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Node is one value of a document. All methods accept a nil Node (a missing value) and Nodes are never changed, so
// readers chain without checks: n.Get("a").Get("b").Text().
type Node struct {
	Kind    Kind
	Key     string // its key, when it is an object's member
	Index   int    // its place, when it is an array's item
	Parent  *Node
	Members []*Node // of objects and arrays, in the order of the text
	text    string  // strings: decoded; numbers and booleans: as written
	off     int     // byte offset of the value
	keyOff  int     // byte offset of the key; off for the rest
	file    *file
}

type file struct {
	name  string
	data  []byte
	lines []int // byte offset of each line's start
}

// MaxSize is the largest document in bytes, MaxDepth the deepest nesting that Parse accepts.
const (
	MaxSize  = 8 << 20
	MaxDepth = 64
)

// Parse reads one document. The root is nil when the text is no JSON; duplicate keys are reported and the first one kept.
func Parse(name string, data []byte) (*Node, diag.List) {
	f := &file{name: name, data: data, lines: []int{0}}
	for i, b := range data {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	if len(data) > MaxSize {
		return nil, diag.List{diag.New("DOC003", diag.Position{File: name}, MaxSize>>20)}
	}
	if !utf8.Valid(data) {
		return nil, diag.List{diag.New("DOC004", f.position(firstInvalid(data)))}
	}
	v, err := hujson.Parse(data)
	if err != nil {
		return nil, diag.List{diag.New("DOC001", f.errorPosition(err), cause(err))}
	}
	if !v.IsStandard() {
		return nil, diag.List{diag.New("DOC001", f.position(firstExtension(v)), "comments and trailing commas are not JSON")}
	}
	var out diag.List
	root := f.node(nil, v, 0, &out)
	return root, out
}

func (f *file) node(parent *Node, v hujson.Value, depth int, out *diag.List) *Node {
	n := &Node{Parent: parent, file: f, off: v.StartOffset, keyOff: v.StartOffset}
	if depth > MaxDepth {
		*out = append(*out, diag.New("DOC005", n.Pos(), MaxDepth))
		return n
	}
	switch t := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		seen := map[string]bool{}
		for _, m := range t.Members {
			c := f.node(n, m.Value, depth+1, out)
			c.Key, c.keyOff = m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset
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
			c := f.node(n, e, depth+1, out)
			c.Index = i
			n.Members = append(n.Members, c)
		}
	case hujson.Literal:
		switch t.Kind() {
		case '"':
			n.Kind, n.text = String, t.String()
		case '0':
			n.Kind, n.text = Number, string(t)
		case 't', 'f':
			n.Kind, n.text = Bool, string(t)
		}
	}
	return n
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
	return f.position(f.lines[line-1] + col - 1)
}

func cause(err error) string {
	parts := strings.SplitN(err.Error(), ": ", 3)
	return parts[len(parts)-1]
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

// Pos is where the value begins; KeyPos is where its key begins (its own position for array items and the root).
func (n *Node) Pos() diag.Position {
	if n == nil {
		return diag.Position{}
	}
	return n.file.position(n.off)
}

// KeyPos is where the member's key begins.
func (n *Node) KeyPos() diag.Position {
	if n == nil {
		return diag.Position{}
	}
	return n.file.position(n.keyOff)
}

// File is the name that Parse was given.
func (n *Node) File() string {
	if n == nil {
		return ""
	}
	return n.file.name
}

// Sum is the SHA-256 of the text of the whole document that the node stands in.
func (n *Node) Sum() [sha256.Size]byte {
	if n == nil {
		return [sha256.Size]byte{}
	}
	return sha256.Sum256(n.file.data)
}

// PosInText is the position of byte i of a decoded string's value, so that positions inside an expression become
// positions of the file. Escapes are walked over.
func (n *Node) PosInText(i int) diag.Position {
	if n == nil || n.Kind != String {
		return n.Pos()
	}
	raw := n.file.data[n.off+1:]
	at, decoded := 0, 0
	for decoded < i && at < len(raw) && raw[at] != '"' {
		step := 1
		if raw[at] == '\\' {
			step = 2
			if raw[at+1] == 'u' {
				step = 6
			}
			var s string
			if json.Unmarshal([]byte(`"`+string(raw[at:at+step])+`"`), &s) == nil {
				decoded += len(s)
			}
		} else {
			decoded++
		}
		at += step
	}
	return n.file.position(n.off + 1 + at)
}

// Pointer is the JSON Pointer of the node.
func (n *Node) Pointer() string {
	if n == nil || n.Parent == nil {
		return ""
	}
	step := strconv.Itoa(n.Index)
	if n.Parent.Kind == Object {
		step = strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Key)
	}
	return n.Parent.Pointer() + "/" + step
}

// Get returns the member of that key, nil when there is none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for _, m := range n.Members {
		if m.Key == key {
			return m
		}
	}
	return nil
}

// At returns the node at a pointer's path (keys and indexes), nil when there is none.
func (n *Node) At(path ...string) *Node {
	for _, step := range path {
		switch {
		case n == nil:
			return nil
		case n.Kind == Object:
			n = n.Get(step)
		case n.Kind == Array:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(n.Members) {
				return nil
			}
			n = n.Members[i]
		default:
			return nil
		}
	}
	return n
}

// Items returns the items of an array, nil for anything else.
func (n *Node) Items() []*Node {
	if n == nil || n.Kind != Array {
		return nil
	}
	return n.Members
}

// Text returns a string's decoded text, a number's or a boolean's as written, and "" for the rest.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Any returns the value as encoding/json would decode it with UseNumber.
func (n *Node) Any() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.text == "true"
	case Number:
		return json.Number(n.text)
	case String:
		return n.text
	case Array:
		out := make([]any, len(n.Members))
		for i, m := range n.Members {
			out[i] = m.Any()
		}
		return out
	case Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = m.Any()
		}
		return out
	}
	return nil
}

// Raw is the node's JSON, compacted.
func (n *Node) Raw() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(n.Any()) != nil {
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
}
