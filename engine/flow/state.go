package flow

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Status is the state of an instance.
type Status string

// The states of instances.
const (
	Draft      Status = "DRAFT"
	Processing Status = "PROCESSING"
	Completed  Status = "COMPLETED"
	Canceled   Status = "CANCELED"
	Exception  Status = "EXCEPTION"
)

// Result is how an instance ended.
type Result string

// The results of instances.
const (
	Agreed   Result = "AGREED"
	Rejected Result = "REJECTED"
	Void     Result = "VOID"
)

// TokenState is where a token is in its life.
type TokenState string

// The states of tokens.
const (
	TokenActive  TokenState = "ACTIVE"
	TokenWaiting TokenState = "WAITING" // at a join
	TokenDone    TokenState = "DONE"
	TokenKilled  TokenState = "KILLED"
)

// Entry says why a node was entered.
type Entry string

// The ways into a node.
const (
	EntryNormal   Entry = "NORMAL"
	EntryReject   Entry = "REJECT"
	EntryWithdraw Entry = "WITHDRAW"
	EntryJump     Entry = "JUMP"
)

// ActivityState is the state of one execution of a node.
type ActivityState string

// The states of activities.
const (
	ActivityActive    ActivityState = "ACTIVE"
	ActivityPassed    ActivityState = "PASSED"
	ActivityFailed    ActivityState = "FAILED"
	ActivityCancelled ActivityState = "CANCELLED"
)

// ItemType is the sort of a work item.
type ItemType string

// The types of work items.
const (
	ItemNormal    ItemType = "NORMAL"
	ItemForward   ItemType = "FORWARD" // transferred to its participant
	ItemAdd       ItemType = "ADD"     // of an added signer
	ItemAssist    ItemType = "ASSIST"  // an opinion that is not counted
	ItemCirculate ItemType = "CIRCULATE"
)

// ItemState is the state of a work item.
type ItemState string

// The states of work items.
const (
	ItemWait        ItemState = "WAIT" // for its turn, or for added signers
	ItemTodo        ItemState = "TODO"
	ItemDoing       ItemState = "DOING" // claimed, or saved
	ItemDone        ItemState = "DONE"
	ItemCancelled   ItemState = "CANCELLED"
	ItemTransferred ItemState = "TRANSFERRED"
)

// Verdict is what a person said.
type Verdict string

// The verdicts of work items.
const (
	Agree    Verdict = "agree"
	Disagree Verdict = "disagree"
	Submit   Verdict = "submit"
	Sent     Verdict = "reject" // back to a node before
	Read     Verdict = "read"
)

// Placing says when an added signer comes.
type Placing string

// The placings of added signers.
const (
	Before   Placing = "before"
	After    Placing = "after"
	Parallel Placing = "parallel"
)

// State is one instance. Tokens, activities and items are numbered from 1 in the order in which they came; none is ever removed.
type State struct {
	Status     Status     `json:"status"`
	Result     Result     `json:"result,omitempty"`
	Initiator  string     `json:"initiator"`
	Tokens     []Token    `json:"tokens"`
	Activities []Activity `json:"activities"`
	Items      []Item     `json:"items"`
	// Choices are the people whom the initiator, or the person of the node before, chose for a node.
	Choices map[string][]string `json:"choices,omitempty"`
}

// Token is one path through a template.
type Token struct {
	ID    int        `json:"id"`
	Node  string     `json:"node"`
	Scope string     `json:"scope,omitempty"` // open parallel splits with the branch: g1:2/g5:1
	State TokenState `json:"state"`
	Fault string     `json:"fault,omitempty"` // why it cannot go on by itself
	// Last are the decisive activities directly before, Trail all since the last step back.
	Last  []int `json:"last,omitempty"`
	Trail []int `json:"trail,omitempty"`
	// Fixed: since the last decisive activity it passed what cannot be undone.
	Fixed bool `json:"fixed,omitempty"`
	// Return is the activity that sent it back and wants it directly; 0 = none. From is the node whose passing leads there.
	Return int    `json:"return,omitempty"`
	From   string `json:"from,omitempty"`
	// Back is the activity that sent the instance back out of its branch: of the token that went back, and of those that ended with it and can
	// come to life again when that is taken back. 0 = none.
	Back int `json:"back,omitempty"`
}

// Live reports whether a token is still on its way.
func (t Token) Live() bool { return t.State == TokenActive || t.State == TokenWaiting }

// Activity is one execution of a node.
type Activity struct {
	ID      int           `json:"id"`
	Token   int           `json:"token"`
	Node    string        `json:"node"`
	Scope   string        `json:"scope,omitempty"`
	Round   int           `json:"round"`
	State   ActivityState `json:"state"`
	Entry   Entry         `json:"entry"`
	Live    bool          `json:"live,omitempty"` // its people are those whom the node names, until one of them claims it (Follows)
	Last    []int         `json:"last,omitempty"` // of the token when it came
	Trail   []int         `json:"trail,omitempty"`
	Return  int           `json:"return,omitempty"` // of the token when it came, as From
	From    string        `json:"from,omitempty"`
	Fixed   bool          `json:"fixed,omitempty"` // of the token when it came
	Opened  time.Time     `json:"opened"`
	Closed  time.Time     `json:"closed,omitzero"`
	Attempt int           `json:"attempt,omitempty"`  // Service
	Started int           `json:"children,omitempty"` // Sub
	Ended   int           `json:"ended,omitempty"`    // of Started
	Failed  int           `json:"failed,omitempty"`   // of Ended: they were voided
}

// Item is one piece of work of one person.
type Item struct {
	ID       int       `json:"id"`
	Activity int       `json:"activity"`
	Type     ItemType  `json:"type"`
	State    ItemState `json:"state"`
	Person   string    `json:"person"`             // "" = nobody: done by a rule
	Original string    `json:"original,omitempty"` // before it was transferred
	From     string    `json:"from,omitempty"`     // whom Person stands in for
	Seq      int       `json:"seq"`
	Weight   int64     `json:"weight"`
	Parent   int       `json:"parent,omitempty"` // the item of the person who added the signer, or asked for assistance
	Placing  Placing   `json:"placing,omitempty"`
	Depth    int       `json:"depth,omitempty"`
	Verdict  Verdict   `json:"verdict,omitempty"`
	Opinion  string    `json:"opinion,omitempty"`
	Rule     Rule      `json:"rule,omitempty"`    // that decided in the person's place
	Reason   string    `json:"reason,omitempty"`  // of a cancellation
	Named    bool      `json:"named,omitempty"`   // of a live pool: it is for somebody whom the node names
	Claimed  bool      `json:"claimed,omitempty"` // its person took it out of the pool
	IsRead   bool      `json:"read,omitempty"`
	Urged    int       `json:"urged,omitempty"`
	Received time.Time `json:"received,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
}

// Open reports whether an item waits for its person, now or later.
func (i Item) Open() bool { return i.State == ItemTodo || i.State == ItemDoing || i.State == ItemWait }

// Ready reports whether the person may act.
func (i Item) Ready() bool { return i.State == ItemTodo || i.State == ItemDoing }

// counts reports whether an item is part of the vote.
func (i Item) counts() bool {
	switch i.Type {
	case ItemAssist, ItemCirculate:
		return false
	}
	return i.State != ItemTransferred && i.State != ItemCancelled
}

// pooled reports whether an item is a share of its node's pool: not that of a signer whom somebody added, nor of the person who got it from one.
func (i Item) pooled() bool {
	return (i.Type == ItemNormal || i.Type == ItemForward) && i.Placing == ""
}

// agrees reports whether the vote of a finished item is for it.
func (i Item) agrees() bool { return i.Verdict == Agree || i.Verdict == Submit }

// Clone copies a state.
func (s *State) Clone() *State {
	out := *s
	out.Tokens, out.Activities, out.Items = slices.Clone(s.Tokens), slices.Clone(s.Activities), slices.Clone(s.Items)
	out.Choices = maps.Clone(s.Choices)
	return &out
}

// Token returns a token by its number; nil when there is none.
func (s *State) Token(id int) *Token { return at(s.Tokens, id) }

// Activity returns an activity by its number; nil when there is none.
func (s *State) Activity(id int) *Activity { return at(s.Activities, id) }

// Item returns an item by its number; nil when there is none.
func (s *State) Item(id int) *Item { return at(s.Items, id) }

func at[T any](list []T, id int) *T {
	if id < 1 || id > len(list) {
		return nil
	}
	return &list[id-1]
}

// ItemsOf returns the items of an activity, as numbers.
func (s *State) itemsOf(activity int) (out []int) {
	for _, item := range s.Items {
		if item.Activity == activity {
			out = append(out, item.ID)
		}
	}
	return out
}

// Live are the tokens that are on their way.
func (s *State) Live() (out []Token) {
	for _, t := range s.Tokens {
		if t.Live() {
			out = append(out, t)
		}
	}
	return out
}

// current is the activity that a token is in; nil at joins.
func (s *State) current(token int) *Activity {
	for i := len(s.Activities) - 1; i >= 0; i-- {
		if a := &s.Activities[i]; a.Token == token && a.State == ActivityActive {
			return a
		}
	}
	return nil
}

// latest is the last activity of a node; nil when it never ran.
func (s *State) latest(node string) *Activity {
	for i := len(s.Activities) - 1; i >= 0; i-- {
		if a := &s.Activities[i]; a.Node == node {
			return a
		}
	}
	return nil
}

// within reports whether a scope is another one or lies in it.
func within(scope, outer string) bool {
	return outer == "" || scope == outer || strings.HasPrefix(scope, outer+"/")
}

// apart reports whether tokens can live in two scopes at the same time: they are in different branches of one split. Of two splits that are not
// one in the other only one is open.
func apart(a, b string) bool {
	one, other := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(one), len(other)) {
		if one[i] == other[i] {
			continue
		}
		split, _, _ := strings.Cut(one[i], ":")
		same, _, _ := strings.Cut(other[i], ":")
		return split == same && split != ""
	}
	return false
}

func inner(scope string, b branch) string {
	if scope == "" {
		return b.String()
	}
	return scope + "/" + b.String()
}

func outer(scope string) string {
	if i := strings.LastIndexByte(scope, '/'); i >= 0 {
		return scope[:i]
	}
	return ""
}
