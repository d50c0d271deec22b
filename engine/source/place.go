package source

import "github.com/sluice-platform/sluice/engine/diag"

// Place is a part of a text of a document: of a value, or of a member's key. Offset and Length count bytes of the decoded text.
type Place struct {
	Node   *Node
	Key    bool // of the key
	Offset int
	Length int
}

// In is the text of a value.
func In(n *Node) Place { return Place{Node: n, Length: len(n.Text())} }

// InKey is the key of a member.
func InKey(n *Node) Place {
	if n == nil {
		return Place{}
	}
	return Place{Node: n, Key: true, Length: len(n.Key)}
}

// Nowhere is a place for reports alone: what is resolved there is not written in the node.
func Nowhere(n *Node) Place { return Place{Node: n, Offset: -MaxSize} }

// Part is what begins at an offset of a place.
func (p Place) Part(offset, length int) Place {
	p.Offset, p.Length = p.Offset+offset, length
	return p
}

// Text is what is written at a place; "" when it is not inside the text of its node.
func (p Place) Text() string {
	text := p.Node.Text()
	switch {
	case p.Key && p.Node != nil:
		text = p.Node.Key
	case p.Node == nil || p.Node.Kind != String:
		return ""
	}
	if p.Offset < 0 || p.Length < 0 || p.Offset+p.Length > len(text) {
		return ""
	}
	return text[p.Offset : p.Offset+p.Length]
}

// Range is the place in bytes of the file. Every cell below a heading of a table has the heading as its key.
func (p Place) Range() (from, to int) {
	if p.Node == nil {
		return 0, 0
	}
	start := p.Node.off
	if p.Key {
		start = p.Node.keyOff
		if heading, ok := p.Node.file.headings[p.Node.Key]; ok {
			start = heading
		}
	}
	return p.Node.file.inText(start, p.Offset), p.Node.file.inText(start, p.Offset+p.Length)
}

// Pos is where the place begins.
func (p Place) Pos() diag.Position {
	if p.Node == nil {
		return diag.Position{}
	}
	if p.Text() == "" {
		return p.Node.Pos()
	}
	from, _ := p.Range()
	return p.Node.file.position(from)
}

// inText is the offset in the file of byte i of the decoded text that begins at start.
func (f *file) inText(start, i int) int {
	at, decoded := start, 0
	quoted := at < len(f.data) && f.data[at] == '"'
	if quoted {
		at++
	}
	for decoded < i && at < len(f.data) {
		step, size := 1, 1
		switch {
		case f.data[at] == '"' && f.headings != nil && quoted && at+1 < len(f.data) && f.data[at+1] == '"':
			step = 2
		case f.data[at] == '"' && quoted:
			return at
		case f.data[at] == '\\' && f.headings == nil:
			step, size = escape(f.data[at:])
		}
		at, decoded = at+step, decoded+size
	}
	return at
}

// Offset is the byte of the file at which a value begins.
func (n *Node) Offset() int { return n.off }

// KeyOffset is the byte of the file at which a member's key begins.
func (n *Node) KeyOffset() int { return n.keyOff }

// Between are the bytes of the node's file from one offset to another.
func (n *Node) Between(from, to int) string { return string(n.file.data[from:to]) }
