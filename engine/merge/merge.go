// Package merge joins two changes of one JSON document: three texts in, one text or the places where both changed the same value out.
package merge

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/source"
)

// JSON merges what mine and theirs made of base. Objects are merged by key, arrays of objects by the code of their entries; other
// arrays, plain values, what both sides added under one name, and what one side removed and the other changed are one value each. Where both
// changed a value differently, mine stays, and its pointer is among the conflicts. The text is mine, byte for byte, where nothing of theirs
// is taken. ok is false when one of the texts is not JSON.
func JSON(base, mine, theirs []byte) (text []byte, conflicts []string, ok bool) {
	var roots [3]*source.Node
	for i, data := range [][]byte{base, mine, theirs} {
		root, problems := source.Parse("", data)
		if root == nil || problems.HasErrors() {
			return nil, nil, false
		}
		roots[i] = root
	}
	m := &merger{}
	out := m.value("", roots[0], roots[1], roots[2])
	if !m.taken {
		return mine, m.conflicts, true
	}
	var b bytes.Buffer
	out.write(&b)
	root, problems := source.Parse("", b.Bytes())
	if root == nil || problems.HasErrors() {
		return nil, nil, false
	}
	return source.Format(root, asWritten{}), m.conflicts, true
}

// asWritten keeps the order of keys.
type asWritten struct{}

func (asWritten) Keys(*source.Node) []string { return nil }
func (asWritten) Short(*source.Node) string  { return "" }

// value is a merged value: that of one side as it is, or members that were merged.
type value struct {
	key     string
	whole   *source.Node
	array   bool
	members []*value
}

func (v *value) write(b *bytes.Buffer) {
	if v.whole != nil {
		write(b, v.whole)
		return
	}
	b.WriteByte("{["[place(v.array)])
	for i, m := range v.members {
		if i > 0 {
			b.WriteByte(',')
		}
		if !v.array {
			key(b, m.key)
		}
		m.write(b)
	}
	b.WriteByte("}]"[place(v.array)])
}

// write is Raw with the members of objects in the order of the text.
func write(b *bytes.Buffer, n *source.Node) {
	if n.Kind != source.Object && n.Kind != source.Array {
		b.Write(n.Raw())
		return
	}
	b.WriteByte("{["[place(n.Kind == source.Array)])
	for i, m := range n.Members {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.Kind == source.Object {
			key(b, m.Key)
		}
		write(b, m)
	}
	b.WriteByte("}]"[place(n.Kind == source.Array)])
}

func key(b *bytes.Buffer, k string) {
	text, _ := json.Marshal(k) // of a string it does not fail
	b.Write(text)
	b.WriteByte(':')
}

func place(array bool) int {
	if array {
		return 1
	}
	return 0
}

type merger struct {
	conflicts []string
	taken     bool // something that only theirs changed
}

// value merges one value; a missing one is nil, and so is the result where it is to be missing.
func (m *merger) value(at string, base, mine, theirs *source.Node) *value {
	switch {
	case same(mine, theirs), same(base, theirs):
		return keep(mine)
	case same(base, mine):
		m.taken = true
		return keep(theirs)
	case base == nil || mine == nil || theirs == nil || mine.Kind != theirs.Kind || base.Kind != mine.Kind:
	case mine.Kind == source.Object:
		return m.members(at, false, object(base), object(mine), object(theirs))
	case mine.Kind == source.Array:
		if code, ok := codeKey(base, mine, theirs); ok {
			return m.members(at, true, entries(base, code), entries(mine, code), entries(theirs, code))
		}
	}
	m.conflicts = append(m.conflicts, at)
	return keep(mine)
}

func keep(n *source.Node) *value {
	if n == nil {
		return nil
	}
	return &value{whole: n}
}

func same(a, b *source.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(a.Any(), b.Any())
}

// named are the members of an object or the entries of an array, by name and in order.
type named struct {
	names []string
	of    map[string]*source.Node
}

func object(n *source.Node) named {
	out := named{of: map[string]*source.Node{}}
	for _, m := range n.Members {
		out.names = append(out.names, m.Key)
		out.of[m.Key] = m
	}
	return out
}

func entries(n *source.Node, code string) named {
	out := named{of: map[string]*source.Node{}}
	for _, m := range n.Members {
		name := nameOf(m, code)
		out.names = append(out.names, name)
		out.of[name] = m
	}
	return out
}

// nameOf is the code of an entry; a bare text is its code.
func nameOf(n *source.Node, code string) string {
	if n.Kind == source.String {
		return n.Text()
	}
	return n.Get(code).Text()
}

// codeKey finds the key that tells the entries of three arrays apart: "code", or the first that ends in Code.
func codeKey(arrays ...*source.Node) (string, bool) {
	candidates := []string{"code"}
	for _, a := range arrays {
		for _, e := range a.Members {
			for _, m := range e.Entries() {
				if strings.HasSuffix(m.Key, "Code") && !slices.Contains(candidates, m.Key) {
					candidates = append(candidates, m.Key)
				}
			}
		}
	}
	for _, c := range candidates {
		if !slices.ContainsFunc(arrays, func(a *source.Node) bool { return !tellsApart(a, c) }) {
			return c, true
		}
	}
	return "", false
}

func tellsApart(array *source.Node, code string) bool {
	seen := map[string]bool{}
	for _, e := range array.Members {
		name := nameOf(e, code)
		if e.Kind != source.String && (e.Kind != source.Object || e.Get(code) == nil || e.Get(code).Kind != source.String) || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// members merges by name. The order is that of the side that changed it, with what the other side added behind what comes before
// it there; in arrays, two new orders are a conflict, and mine stays.
func (m *merger) members(at string, array bool, base, mine, theirs named) *value {
	merged := map[string]*value{}
	for _, from := range [][]string{theirs.names, mine.names} {
		for _, name := range from {
			if _, done := merged[name]; done {
				continue
			}
			v := m.value(at+"/"+step(name), base.of[name], mine.of[name], theirs.of[name])
			if v != nil {
				v.key = name
			}
			merged[name] = v
		}
	}
	inAll := func(name string) bool { return base.of[name] != nil && mine.of[name] != nil && theirs.of[name] != nil }
	moved := func(n named) bool { return !slices.Equal(only(n.names, inAll), only(base.names, inAll)) }
	first, second := theirs.names, mine.names
	if moved(mine) {
		if array && moved(theirs) && !slices.Equal(only(mine.names, inAll), only(theirs.names, inAll)) {
			m.conflicts = append(m.conflicts, at)
		}
		first, second = mine.names, theirs.names
	}
	order := slices.Clone(first)
	for i, name := range second {
		if slices.Contains(order, name) {
			continue
		}
		behind := 0
		if i > 0 {
			behind = slices.Index(order, second[i-1]) + 1
		}
		order = slices.Insert(order, behind, name)
	}
	out := &value{array: array}
	for _, name := range order {
		if v := merged[name]; v != nil {
			out.members = append(out.members, v)
		}
	}
	m.taken = m.taken || array && !slices.EqualFunc(out.members, mine.names, func(v *value, name string) bool { return v.key == name })
	return out
}

func only(names []string, keep func(string) bool) (out []string) {
	for _, n := range names {
		if keep(n) {
			out = append(out, n)
		}
	}
	return out
}

// step is a name as a part of a JSON pointer; entries of arrays are told by their codes.
func step(name string) string {
	if name == "" {
		return strconv.Quote("")
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
