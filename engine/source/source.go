// Package source reads a document's text into a tree that remembers where everything is. It is the first stage of
// docs/architecture.md: file -> source.Parse -> schema.Validate -> ...
package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/diag"
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

// Sum is the SHA-256 of the text of the whole document that the node is in.
func (n *Node) Sum() [sha256.Size]byte {
	if n == nil {
		return [sha256.Size]byte{}
	}
	return n.file.sum
}

// PosInText is the position of byte i of a decoded string's value, so that positions inside an expression become
// positions of the file. Escapes are walked over.
func (n *Node) PosInText(i int) diag.Position {
	if n == nil || n.Kind != String {
		return n.Pos()
	}
	return n.file.position(n.file.inText(n.off, i))
}

// escape measures the escape sequence that raw begins with: its bytes in the file and those of the character it represents.
// Two escapes that make one character (a surrogate pair) count as one.
func escape(raw []byte) (step, size int) {
	if raw[1] != 'u' {
		return 2, 1
	}
	r := hex4(raw[2:])
	if utf16.IsSurrogate(r) && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(raw[8:])); pair != utf8.RuneError {
			return 12, utf8.RuneLen(pair)
		}
	}
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError
	}
	return 6, utf8.RuneLen(r)
}

func hex4(raw []byte) rune {
	v, _ := strconv.ParseUint(string(raw[:4]), 16, 16) // the parser has checked the digits
	return rune(v)
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

// Entries returns the members of an object, nil for anything else.
func (n *Node) Entries() []*Node {
	if n == nil || n.Kind != Object {
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
