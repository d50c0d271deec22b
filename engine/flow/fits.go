package flow

import "slices"

// MisfitKind says why an instance cannot go on by another version of its template.
type MisfitKind string

// The kinds of misfits.
const (
	MisfitGone    MisfitKind = "gone"    // there is no such node, or it is of another type
	MisfitBlock   MisfitKind = "block"   // the node lies in another split
	MisfitSkipped MisfitKind = "skipped" // a node before it was not passed
)

// Misfit is one reason why an instance cannot go on by another version.
type Misfit struct {
	Kind   MisfitKind
	Node   string // where the instance is
	Before string // MisfitSkipped: what it has not passed
}

// Fits tells why an instance that has run by another version cannot go on by this one; nothing = it can. Each live token has to be at a node
// of the same type, in the same splits, whose predecessors by what is drawn here were passed.
func (t *Template) Fits(s *State) (out []Misfit) {
	passed := func(n *Node) bool {
		a := s.latest(n.ID)
		return a != nil && a.State == ActivityPassed
	}
	into := map[*Node][]*Node{}
	for _, n := range t.Nodes {
		for _, next := range t.ways(n) {
			into[next] = append(into[next], n)
		}
	}
	// lacking is a node on every way to n that was not passed; nil = there is a way on which all were.
	var lacking func(n *Node, seen map[*Node]*Node) *Node
	lacking = func(n *Node, seen map[*Node]*Node) *Node {
		if known, ok := seen[n]; ok {
			return known
		}
		seen[n] = nil
		var first *Node
		open := len(into[n]) == 0
		for _, p := range into[n] {
			var without *Node
			if p.works() && !passed(p) {
				without = p
			} else {
				without = lacking(p, seen)
			}
			switch {
			case without == nil:
				open = true
			case n.Type == Join && t.nodes[n.Of].Kind == AND:
				seen[n] = without
				return without
			case first == nil:
				first = without
			}
		}
		if open {
			first = nil
		}
		seen[n] = first
		return first
	}
	for _, token := range s.Live() {
		n := t.Node(token.Node)
		a := s.current(token.ID)
		if token.Return != 0 {
			if back := s.Activity(token.Return).Node; t.Node(back) == nil {
				out = append(out, Misfit{Kind: MisfitGone, Node: back})
				continue
			}
		}
		switch {
		case n == nil || token.State == TokenWaiting && n.Type != Join || a != nil && !n.works() && n.Type != Wait:
			out = append(out, Misfit{Kind: MisfitGone, Node: token.Node})
		case token.State != TokenWaiting && n.scope() != token.Scope, token.State == TokenWaiting && n.scope() != outer(token.Scope):
			out = append(out, Misfit{Kind: MisfitBlock, Node: token.Node})
		default:
			if p := lacking(n, map[*Node]*Node{}); p != nil && token.State != TokenWaiting {
				out = append(out, Misfit{Kind: MisfitSkipped, Node: token.Node, Before: p.ID})
			}
		}
	}
	return slices.Compact(out)
}

// works reports whether somebody, or something, does a piece of work at a node.
func (n *Node) works() bool { return n.decisive() || n.Type == Service || n.Type == Sub }
