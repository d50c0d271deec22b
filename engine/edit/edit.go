// Package edit changes documents without touching what it does not know: keys keep their order, numbers their text.
package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/source"
)

// Node is a value of a document that can be changed. Methods that read accept nil.
type Node struct {
	Kind    source.Kind
	Key     string
	Members []*Node
	text    string // of strings: decoded
	raw     []byte // of what is neither object nor array
}

// Parse reads a document.
func Parse(text string) (*Node, error) {
	root, problems := source.Parse("", []byte(text))
	if root == nil || problems.HasErrors() {
		return nil, fmt.Errorf("parse: %w", errors.New(problems.Sorted()[0].En))
	}
	return of(root), nil
}

func of(n *source.Node) *Node {
	out := &Node{Kind: n.Kind, Key: n.Key}
	if n.Kind != source.Object && n.Kind != source.Array {
		out.raw, out.text = n.Raw(), n.Text()
		return out
	}
	for _, m := range n.Members {
		out.Members = append(out.Members, of(m))
	}
	return out
}

// Value makes a node of what JSON makes of v.
func Value(v any) *Node {
	text, err := json.Marshal(v)
	if err == nil {
		var n *Node
		if n, err = Parse(string(text)); err == nil {
			return n
		}
	}
	panic(err) // the caller's types are plain
}

// Text is the value of a string; "" for all else.
func (n *Node) Text() string {
	if n == nil || n.Kind != source.String {
		return ""
	}
	return n.text
}

// Get returns a member of an object; nil when there is none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != source.Object {
		return nil
	}
	if i := n.index(key); i >= 0 {
		return n.Members[i]
	}
	return nil
}

// Items are the entries of an array.
func (n *Node) Items() []*Node {
	if n == nil || n.Kind != source.Array {
		return nil
	}
	return n.Members
}

func (n *Node) index(key string) int {
	return slices.IndexFunc(n.Members, func(m *Node) bool { return m.Key == key })
}

// Set gives a member of an object a value, where it is or at the end; nil removes it.
func (n *Node) Set(key string, v *Node) {
	i := n.index(key)
	switch {
	case v == nil && i >= 0:
		n.Members = slices.Delete(n.Members, i, i+1)
	case v == nil:
	default:
		v.Key = key
		if i >= 0 {
			n.Members[i] = v
		} else {
			n.Members = append(n.Members, v)
		}
	}
}

// List returns the array of a key, which it makes where there is none.
func (n *Node) List(key string) *Node {
	if at := n.Get(key); at != nil && at.Kind == source.Array {
		return at
	}
	n.Set(key, &Node{Kind: source.Array})
	return n.Get(key)
}

// Insert puts an entry into an array; a place beyond its ends is the end.
func (n *Node) Insert(i int, entry *Node) {
	if i < 0 || i > len(n.Members) {
		i = len(n.Members)
	}
	entry.Key = ""
	n.Members = slices.Insert(n.Members, i, entry)
}

// Remove takes entries out of an array, and returns how many these were.
func (n *Node) Remove(which func(*Node) bool) int {
	if n == nil || n.Kind != source.Array {
		return 0
	}
	before := len(n.Members)
	n.Members = slices.DeleteFunc(n.Members, which)
	return before - len(n.Members)
}

// JSON is the document in the form of its kind.
func (n *Node) JSON(l source.Layout) (string, error) {
	var b bytes.Buffer
	n.write(&b)
	root, problems := source.Parse("", b.Bytes())
	if root == nil || problems.HasErrors() {
		return "", errors.New("edit: the document is damaged")
	}
	return string(source.Format(root, l)), nil
}

func (n *Node) write(b *bytes.Buffer) {
	ends := "[]"
	switch n.Kind {
	case source.Object:
		ends = "{}"
	case source.Array:
	default:
		b.Write(n.raw)
		return
	}
	b.WriteByte(ends[0])
	for i, m := range n.Members {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.Kind == source.Object {
			key, _ := json.Marshal(m.Key) // of texts it does not fail
			b.Write(key)
			b.WriteByte(':')
		}
		m.write(b)
	}
	b.WriteByte(ends[1])
}
