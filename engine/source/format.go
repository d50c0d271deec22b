package source

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Layout is what Format must know of a kind of document; engine/schema reads it from the kind's JSON Schema.
type Layout interface {
	Keys(object *Node) []string // the known keys of an object, in canonical order
	Short(entry *Node) string   // the key that a bare text in place of the entry represents; "" = it has no short form
}

// lineWidth is how long a line may become before its arrays are opened, in columns of a terminal (Han characters take two).
const lineWidth = 160

// Format writes a document in canonical form: known keys in the layout's order and unknown ones behind them, short forms
// where they say all, one entry a line. Arrays keep their order, numbers their text. Formatting twice changes nothing.
func Format(root *Node, l Layout) []byte {
	p := &printer{layout: l}
	p.expand(root, 0)
	p.WriteByte('\n')
	return p.Bytes()
}

type printer struct {
	bytes.Buffer
	layout Layout
}

// value writes what is behind a key, or an entry of an array: on one line where it fits, else opened.
func (p *printer) value(n *Node, indent int) {
	switch n = p.short(n); {
	case p.fits(n, indent):
		p.WriteString(p.flat(n))
	case n.Kind == Array:
		p.open(n, indent)
	case n.Kind == Object:
		if head, ok := p.hugged(n); ok && 2*indent+width(head) <= lineWidth {
			p.hug(n, indent)
		} else {
			p.expand(n, indent)
		}
	default:
		p.WriteString(p.flat(n))
	}
}

// expand writes an object with one member a line. Arrays of objects are always opened here, so that entries stay apart.
func (p *printer) expand(n *Node, indent int) {
	if n.Kind != Object || len(n.Members) == 0 {
		p.value(n, indent)
		return
	}
	p.WriteByte('{')
	for i, m := range p.sorted(n) {
		p.line(i, indent+1)
		p.key(m)
		if p.holdsObject(m) {
			p.open(m, indent+1)
		} else {
			p.value(m, indent+1)
		}
	}
	p.line(0, indent)
	p.WriteByte('}')
}

// hug writes an object on one line but for its longer arrays, whose entries stand on lines of their own.
func (p *printer) hug(n *Node, indent int) {
	p.WriteByte('{')
	for i, m := range p.sorted(n) {
		if i > 0 {
			p.WriteString(", ")
		}
		p.key(m)
		if p.opens(m) {
			p.open(m, indent)
		} else {
			p.WriteString(p.flat(m))
		}
	}
	p.WriteByte('}')
}

// hugged is what of an object stays on one line when it is hugged; false when nothing can be opened.
func (p *printer) hugged(n *Node) (string, bool) {
	var head strings.Builder
	some := false
	for _, m := range n.Members {
		if p.opens(m) {
			some = true
			continue
		}
		head.WriteString(m.Key + `"": , ` + p.flat(m))
	}
	return head.String(), some
}

func (p *printer) opens(n *Node) bool {
	return p.holdsObject(n) || n.Kind == Array && width(p.flat(n)) > lineWidth/2
}

func (p *printer) open(n *Node, indent int) {
	p.WriteByte('[')
	for i, m := range n.Members {
		p.line(i, indent+1)
		p.value(m, indent+1)
	}
	p.line(0, indent)
	p.WriteByte(']')
}

// fits: entries may hold arrays of objects on their line, but not two levels of them.
func (p *printer) fits(n *Node, indent int) bool {
	return 2*indent+width(p.flat(n))+1 <= lineWidth && p.levels(n) < 2
}

// levels counts how deep arrays of objects are nested in n.
func (p *printer) levels(n *Node) int {
	deepest := 0
	for _, m := range n.Members {
		deepest = max(deepest, p.levels(m))
	}
	if p.holdsObject(n) {
		deepest++
	}
	return deepest
}

// holdsObject reports whether n is an array with an entry that no short form says.
func (p *printer) holdsObject(n *Node) bool {
	return n.Kind == Array && slices.ContainsFunc(n.Members, func(m *Node) bool { return p.short(m).Kind == Object })
}

func (p *printer) flat(n *Node) string {
	n = p.short(n)
	q := &printer{layout: p.layout}
	switch n.Kind {
	case Null:
		return "null"
	case String:
		return quote(n.text)
	case Bool, Number:
		return n.text
	case Array:
		q.WriteByte('[')
		for i, m := range n.Members {
			if i > 0 {
				q.WriteString(", ")
			}
			q.WriteString(p.flat(m))
		}
		q.WriteByte(']')
	case Object:
		q.WriteByte('{')
		for i, m := range p.sorted(n) {
			if i > 0 {
				q.WriteString(", ")
			}
			q.key(m)
			q.WriteString(p.flat(m))
		}
		q.WriteByte('}')
	}
	return q.String()
}

// short returns the text that says all of an entry, where its kind has a short form.
func (p *printer) short(n *Node) *Node {
	if n.Kind != Object || len(n.Members) != 1 || n.Parent == nil || n.Parent.Kind != Array || n.Members[0].Kind != String {
		return n
	}
	if p.layout.Short(n) != n.Members[0].Key {
		return n
	}
	return n.Members[0]
}

func (p *printer) sorted(n *Node) []*Node {
	rank := map[string]int{}
	for i, k := range p.layout.Keys(n) {
		rank[k] = i - 1<<20 // known keys before the rest
	}
	out := slices.Clone(n.Members)
	slices.SortStableFunc(out, func(a, b *Node) int { return rank[a.Key] - rank[b.Key] })
	return out
}

func (p *printer) key(m *Node) { p.WriteString(quote(m.Key) + ": ") }

// line ends the line before entry i and begins the next.
func (p *printer) line(i, indent int) {
	if i > 0 {
		p.WriteByte(',')
	}
	p.WriteString("\n" + strings.Repeat("  ", indent))
}

func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func width(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x1100 {
			n++
		}
	}
	return n
}
