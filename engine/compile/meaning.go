package compile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/source"
)

// meaning is a document with what its names mean in place of the names, without former codes. The parts of an object have no order.
func meaning(root *source.Node, parts []kind.Part, refs *References) string {
	if root == nil {
		return ""
	}
	m := meant{values: map[*source.Node][]Reference{}, keys: map[*source.Node][]Reference{}, former: map[*source.Node]bool{root: true}}
	for _, part := range parts {
		for _, entry := range root.Get(part.List).Items() {
			m.former[entry] = true
		}
	}
	for _, r := range refs.All() {
		if r.Key {
			m.keys[r.Node] = append(m.keys[r.Node], r)
		} else {
			m.values[r.Node] = append(m.values[r.Node], r)
		}
	}
	b, err := json.Marshal(m.value(root))
	if err != nil {
		return ""
	}
	return string(b)
}

// meant are the references of a document by their nodes.
type meant struct {
	values, keys map[*source.Node][]Reference
	former       map[*source.Node]bool // objects that tell what they were called before
}

func (m meant) value(n *source.Node) any {
	switch n.Kind {
	case source.Array:
		out := make([]any, len(n.Members))
		for i, one := range n.Members {
			out[i] = m.value(one)
		}
		return out
	case source.Object:
		out := make(map[string]any, len(n.Members))
		for _, one := range n.Members {
			if one.Key != "renamedFrom" || !m.former[n] {
				out[spelled(one.Key, m.keys[one])] = m.value(one)
			}
		}
		return out
	case source.String:
		return spelled(n.Text(), m.values[n])
	}
	return n.Any()
}

// spelled is a text with what is meant in place of its names. What is meant by a name that the text does not have as it is comes behind it.
func spelled(text string, refs []Reference) string {
	refs = slices.Clone(refs)
	slices.SortStableFunc(refs, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(a.thing.kind, b.thing.kind), cmp.Compare(a.thing.path, b.thing.path))
	})
	var out, behind strings.Builder
	at := 0
	for _, r := range refs {
		mark := fmt.Sprintf("\x00%s %s\x00", r.thing.kind, r.thing.path)
		if r.Unplaced || r.Length == 0 || r.Offset < at {
			behind.WriteString(mark)
			continue
		}
		out.WriteString(text[at:r.Offset] + mark)
		at = r.Offset + r.Length
	}
	return out.String() + text[at:] + behind.String()
}
