// Package flow is the engine of workflows: a pure reducer. A command and the state of one instance go in, with what the world says at
// that moment (Facts); events come out, and the state is what the events say (docs/adr/0053). The package knows no SQL and no clock, so a
// command can be tried without being done: prediction and rehearsal run the same code as the real thing.
package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// NodeType is what a node of a template does.
type NodeType string

// The types of nodes, as authors write them.
const (
	Start     NodeType = "START"     // the form that begins an instance; where rejections to the initiator lead
	Fill      NodeType = "FILL"      // people complete data; there is no decision
	Approve   NodeType = "APPROVE"   // people agree or disagree
	Circulate NodeType = "CIRCULATE" // people read; nobody waits for them
	Split     NodeType = "SPLIT"
	Join      NodeType = "JOIN"
	Service   NodeType = "SERVICE" // code of a pack, or a call
	Sub       NodeType = "SUB"     // other instances
	Wait      NodeType = "WAIT"    // a time, or a signal
	End       NodeType = "END"
)

// SplitKind says how many routes of a split are taken.
type SplitKind string

// The kinds of splits.
const (
	XOR SplitKind = "XOR" // the first route that holds, else the default
	OR  SplitKind = "OR"  // every route that holds
	AND SplitKind = "AND" // all
)

// Mode says how the decisions of a node's people make the decision of the node.
type Mode string

// The modes of approval.
const (
	Any    Mode = "ANY"    // one is enough
	All    Mode = "ALL"    // a share of all
	Seq    Mode = "SEQ"    // one after the other
	Claim  Mode = "CLAIM"  // whoever takes it
	Levels Mode = "LEVELS" // one after the other, up the line of superiors
)

// Dedupe says whose agreement of before counts again.
type Dedupe string

// The rules of Dedupe.
const (
	DedupeNone     Dedupe = "none"
	DedupeAdjacent Dedupe = "adjacent" // in the decisive nodes directly before
	DedupeAny      Dedupe = "any"      // anywhere before, since the last step back
)

// Empty says what becomes of a node whose participants are nobody.
type Empty string

// The policies for nodes without anybody.
const (
	EmptyToAdmin    Empty = "toAdmin"
	EmptyAutoPass   Empty = "autoPass"
	EmptyToUser     Empty = "toUser"
	EmptyToSuperior Empty = "toInitiatorSuperior"
	EmptyError      Empty = "error"
)

// Resubmit says how an instance comes back from where it was rejected to.
type Resubmit string

// The ways back.
const (
	Rerun      Resubmit = "rerun"      // through all nodes between
	ToRejector Resubmit = "toRejector" // directly
)

// Waits says which of the instances that a SUB started have to end before it goes on.
type Waits string

// The rules of Waits.
const (
	WaitsAll  Waits = "ALL"
	WaitsAny  Waits = "ANY"  // the first; the others are voided
	WaitsNone Waits = "NONE" // it goes on at once
)

// Full is 100 percent, in the unit of Node.AgreeExit.
const Full = 1_000_000

// Template is one version of a workflow, compiled. It is frozen once Link has accepted it.
type Template struct {
	Code    string
	Version int
	Model   string
	// AllowRevoke is how long the initiator may take an instance back.
	AllowRevoke Revoke
	Dedupe      Dedupe
	SkipSelf    bool // the initiator agrees to what they started
	StopAll     bool // while one branch is stuck nobody acts in the others
	Empty       EmptyPolicy
	Nodes       []*Node

	start *Node
	nodes map[string]*Node
}

// Revoke is a rule of Template.AllowRevoke.
type Revoke string

// The rules of Revoke.
const (
	RevokeNever     Revoke = "never"
	RevokeUntouched Revoke = "untilFirstHandled"
	RevokeAnytime   Revoke = "anytime"
)

// EmptyPolicy is an Empty with its person.
type EmptyPolicy struct {
	Action Empty
	User   string // of EmptyToUser
}

// Route is one way out of a split.
type Route struct {
	To      string
	When    plan.Expr // nil = always, or by default
	Default bool
	Broken  *fault.Error // why When means nothing any more: whoever asks waits for an administrator; nil = it does
}

// Node is one node of a template.
type Node struct {
	ID   string
	Name string
	Type NodeType
	Next string // of every type but Split and End

	Kind   SplitKind // Split
	Routes []Route   // Split
	Of     string    // Join: its split
	Needs  int       // Join: the branches that have to arrive; 0 = all
	Ends   bool      // End: of the whole instance, also while other branches live

	Mode         Mode
	Live         bool  // Claim: its people follow whom it names until one of them claims the task
	AgreeExit    int64 // share of weights that passes, in millionths: Full is all of them
	DisagreeExit int64 // share that fails; 0 = when passing is out of reach
	Early        bool  // decided as soon as it is certain
	EveryVote    bool  // Any: one disagreement does not decide
	Vote         bool  // Seq: a share decides, as with All
	Dedupe       Dedupe
	SkipSelf     bool
	AutoWhen     plan.Expr // agrees by itself where this holds; nil = never
	Empty        EmptyPolicy
	Most         int // participants; 0 = 200

	Disagree string // a drawn exit for what failed; "" = back, as Reject says
	Reject   Reject
	Resign   bool // added signers may add signers

	AwaitsAdvice bool // who asked for advice decides when it has been given
	Strict       bool // what somebody has read cannot be withdrawn
	Actions      []Action
	Effects      bool // Service, Sub: what it did cannot be taken back

	Waits      Waits // Sub
	IgnoreVoid bool  // Sub: a child that was voided is as good as one that ended well

	Expect  int // minutes until a person is reminded; 0 = never
	Timeout int // minutes until OnTimeout begins; 0 = never

	// Broken is why the node does not fit the definitions of now (docs/adr/0072): what comes here waits for an administrator; nil = it fits.
	Broken *fault.Error
	// Lost: a role of its people is gone. Nobody passes by itself for that, and a live pool keeps those who have it.
	Lost bool

	path []branch // the splits around the node, outermost first
	join *Node    // Split
	rank int      // in the order of the walk from the start
}

// Reject is where a node sends back to.
type Reject struct {
	Targets  []string // node ids, "start", "previous", "any"; the first is where a vote that fails leads
	Resubmit Resubmit
}

type branch struct {
	split string
	index int // from 1
}

func (b branch) String() string { return fmt.Sprintf("%s:%d", b.split, b.index) }

// Node returns a node, nil when there is none of that id.
func (t *Template) Node(id string) *Node { return t.nodes[id] }

// gone is taken for a node that a template does not have: an instance that moved to another version has passed such nodes. Nothing can be done there.
var gone = &Node{}

// at is Node, and gone where there is none.
func (t *Template) at(id string) *Node {
	if n := t.nodes[id]; n != nil {
		return n
	}
	return gone
}

// Start returns the node that every instance begins with; nil in a template that was never linked, of which only the state is known.
func (t *Template) Start() *Node { return t.start }

// decisive reports whether people pass the node by what they decide or complete.
func (n *Node) decisive() bool { return n.Type == Start || n.Type == Fill || n.Type == Approve }

// sequential reports whether one person comes after the other.
func (n *Node) sequential() bool { return n.Mode == Seq || n.Mode == Levels }

// single reports whether one person decides for all.
func (n *Node) single() bool { return n.Mode != All && !n.sequential() }

func (n *Node) parallel() bool { return n.Type == Split && n.Kind != XOR }

// scope is the path of open parallel splits around a node, as tokens name it.
func (n *Node) scope() string {
	parts := make([]string, len(n.path))
	for i, b := range n.path {
		parts[i] = b.String()
	}
	return strings.Join(parts, "/")
}

// Link resolves the nodes of a template and finds the block of each split. It tells the first fault of the structure; those who write
// templates hear of all faults from the compiler.
func (t *Template) Link() error {
	t.nodes = make(map[string]*Node, len(t.Nodes))
	for _, n := range t.Nodes {
		if t.nodes[n.ID] != nil {
			return fmt.Errorf("two nodes are called %q", n.ID)
		}
		t.nodes[n.ID] = n
		if n.Type == Start {
			if t.start != nil {
				return fmt.Errorf("%q is a second start", n.ID)
			}
			t.start = n
		}
	}
	if t.start == nil {
		return fmt.Errorf("there is no start")
	}
	for _, n := range t.Nodes {
		if n.Type == Join {
			of := t.nodes[n.Of]
			if of == nil || of.Type != Split || of.join != nil {
				return fmt.Errorf("join %q: %q is no split of its own", n.ID, n.Of)
			}
			of.join = n
		}
	}
	seen := map[*Node]bool{}
	rank := 0
	var walk func(id string, path []branch) error
	walk = func(id string, path []branch) error {
		n := t.nodes[id]
		if n == nil {
			return fmt.Errorf("there is no node %q", id)
		}
		if n.Type == Join && t.nodes[n.Of].parallel() {
			if len(path) == 0 || path[len(path)-1].split != n.Of {
				return fmt.Errorf("join %q is reached from outside of %q", n.ID, n.Of)
			}
			path = path[:len(path)-1]
		}
		if seen[n] {
			if !slices.Equal(n.path, path) {
				return fmt.Errorf("%q is reached from two blocks", id)
			}
			return nil
		}
		seen[n] = true
		n.path = slices.Clone(path)
		ways := []string{n.Next}
		switch n.Type {
		case End:
			ways = nil
		case Split:
			if n.join == nil && n.parallel() {
				return fmt.Errorf("split %q has no join", id)
			}
			ways = ways[:0]
			for i, route := range n.Routes {
				if n.parallel() {
					if err := walk(route.To, append(slices.Clone(path), branch{n.ID, i + 1})); err != nil {
						return err
					}
				} else {
					ways = append(ways, route.To)
				}
			}
		}
		if n.Disagree != "" {
			ways = append(ways, n.Disagree)
		}
		for _, way := range ways {
			if err := walk(way, path); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(t.start.ID, nil); err != nil {
		return err
	}
	for _, n := range t.Nodes {
		if !seen[n] {
			return fmt.Errorf("%q is never reached", n.ID)
		}
	}
	// Ranks: a node comes after all that lead to it. What is drawn goes forward only, so a walk that comes back to a node is a cycle.
	state := map[*Node]int{}
	var order []*Node
	var visit func(n *Node) error
	visit = func(n *Node) error {
		switch state[n] {
		case 1:
			return fmt.Errorf("%q leads back to itself", n.ID)
		case 2:
			return nil
		}
		state[n] = 1
		for _, way := range t.ways(n) {
			if err := visit(way); err != nil {
				return err
			}
		}
		state[n] = 2
		order = append(order, n)
		return nil
	}
	if err := visit(t.start); err != nil {
		return err
	}
	slices.Reverse(order)
	for _, n := range order {
		n.rank = rank
		rank++
	}
	return nil
}

// ways are the nodes that a node leads to.
func (t *Template) ways(n *Node) (out []*Node) {
	for _, route := range n.Routes {
		out = append(out, t.nodes[route.To])
	}
	for _, id := range []string{n.Next, n.Disagree} {
		if id != "" && n.Type != End && (n.Type != Split || id != n.Next) {
			out = append(out, t.nodes[id])
		}
	}
	return out
}

// before reports whether one node leads to another.
func (t *Template) before(one, other *Node) bool {
	seen := map[*Node]bool{}
	var leads func(n *Node) bool
	leads = func(n *Node) bool {
		if n == other {
			return true
		}
		if seen[n] || n.rank > other.rank {
			return false
		}
		seen[n] = true
		return slices.ContainsFunc(t.ways(n), leads)
	}
	return leads(one)
}

// Ordered are the nodes in the order of the walk from the start.
func (t *Template) Ordered() []*Node {
	out := slices.Clone(t.Nodes)
	slices.SortStableFunc(out, func(a, b *Node) int { return a.rank - b.rank })
	return out
}

// Leads reports whether one node leads to another, by what is drawn.
func (t *Template) Leads(from, to string) bool {
	a, b := t.nodes[from], t.nodes[to]
	return a != nil && b != nil && t.before(a, b)
}
