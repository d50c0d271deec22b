package flow

import (
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Operation is what somebody asks of an instance.
type Operation string

// The operations.
const (
	OpStart     Operation = "start"
	OpSave      Operation = "save"
	OpSubmit    Operation = "submit"
	OpAgree     Operation = "agree"
	OpDisagree  Operation = "disagree"
	OpReject    Operation = "reject"
	OpRevoke    Operation = "revoke"
	OpWithdraw  Operation = "withdraw"
	OpTransfer  Operation = "transfer"
	OpAddSign   Operation = "addSign"
	OpAssist    Operation = "assist"
	OpCirculate Operation = "circulate"
	OpRead      Operation = "read"
	OpClaim     Operation = "claim"
	OpRelease   Operation = "release" // of what was claimed
	OpUrge      Operation = "urge"
	OpAdjust    Operation = "adjust"
	OpJump      Operation = "jump"
	OpVoid      Operation = "void"
	OpRetry     Operation = "retry"          // what an instance is stuck on
	OpResume    Operation = "resume"         // a service or a wait is done, or failed
	OpTry       Operation = "try"            // a service failed and is tried again
	OpChildren  Operation = "children"       // so many instances were started
	OpChild     Operation = "child"          // one of them ended
	OpActivate  Operation = "activate"       // a node starts in a branch that nobody works in
	OpCancel    Operation = "cancelActivity" // a branch ends without its node being done
	OpAmend     Operation = "amend"          // somebody with that right changed what was approved; only the log tells of it
	OpCode      Operation = "code"           // code of a pack did; only the log tells of it
	OpHandOver  Operation = "handOver"       // what is open for one person goes to another
	OpRemind    Operation = "remind"         // a time limit reminds somebody of a task
	OpAssign    Operation = "assign"         // a rule gives a task to those who have it where nobody can take part
	OpStop      Operation = "stop"           // a rule stops a token until an administrator decides
)

// Action is an operation that a node may offer on its work items.
type Action = Operation

// Command is one thing asked of an instance.
type Command struct {
	Do       Operation
	By       string // the person; of a rule the person in whose place it acts, "" = nobody's
	At       time.Time
	Item     int
	Activity int
	Node     string // where to: reject, jump
	People   []string
	Remove   []string // adjust, handOver
	Placing  Placing  // addSign
	Resubmit Resubmit // reject; "" = as the node says
	Opinion  string
	Remark   string              // what belongs to the opinion: an id of the runtime
	Admin    bool                // the person may administer workflows: adjust, jump, void
	Failed   bool                // resume, child
	Count    int                 // children
	Rule     Rule                // that acts; "" = a person does, or what the node waited for
	Step     int                 // of Rule, as By.Step
	Code     string              // as By.Code
	Right    Rule                // by which the person acts, where it is none of their own; "" = as the operation says
	Message  int                 // remind: its number
	Choices  map[string][]string // start, submit, agree, disagree: the people of nodes that come, by node
}

// Seat is one participant of a node.
type Seat struct {
	Person string
	Weight int64 // 0 = 1
}

// Facts are what the world says while a command runs. They are asked only for what the events do not already hold.
type Facts interface {
	// People are the participants of a node, in order; disabled people are not among them.
	People(n *Node, s *State) ([]Seat, error)
	// Present are those of some people, by id or sign-in name, who can take part now, by id and in order.
	Present(people []string) []string
	// Holds reports whether a condition is true of the record and the instance.
	Holds(when plan.Expr) (bool, error)
	// Missing reports whether a field that the node requires is empty, so no rule may decide in a person's place.
	Missing(n *Node) (bool, error)
	// Delegate is who acts for a person at that time; "" = nobody.
	Delegate(person string) string
	// Admins are those who administer workflows.
	Admins() []string
	// Superior is who a person reports to; "" = nobody.
	Superior(person string) string
	// Due is the time after so many working minutes of a node.
	Due(n *Node, minutes int) time.Time
}

// Observer is implemented by Facts whose answers depend on what has happened so far in a command. It gets the state once, before the
// command runs, and sees it change.
type Observer interface{ Observe(s *State) }

// Do runs a command on a state, which it does not change, and returns what happened. An error means that nothing did.
func (t *Template) Do(s *State, c Command, f Facts) ([]Event, error) {
	if t.start == nil && c.Do != OpVoid && c.Do != OpRead {
		return nil, fault.New(fault.WorkflowStepGone)
	}
	r := &run{t: t, s: s.Clone(), f: f, c: c}
	if o, ok := f.(Observer); ok {
		o.Observe(r.s)
	}
	r.by = r.actor()
	if err := r.do(); err != nil {
		return nil, err
	}
	r.settle()
	return r.out, nil
}

// run is one command at work: a copy of the state that follows the events.
type run struct {
	t   *Template
	s   *State
	f   Facts
	c   Command
	by  By // of what happens, unless something in between is by a rule
	out []Event
}

func (r *run) do() error {
	switch r.c.Do {
	case OpStart:
		return r.begin()
	case OpRevoke:
		return r.revoke()
	case OpVoid:
		return r.void()
	case OpJump:
		return r.jump()
	case OpActivate:
		return r.activate()
	case OpCancel:
		return r.cancelBranch()
	case OpHandOver:
		return r.handOver()
	case OpAdjust:
		return r.adjust()
	case OpFollow:
		return r.follow()
	case OpUrge:
		return r.urge()
	case OpRetry:
		return r.retry()
	case OpResume, OpTry, OpChildren, OpChild:
		return r.machine()
	case OpWithdraw:
		return r.withdraw()
	case OpDelegate, OpReturn:
		return r.standIn()
	case OpRemind:
		return r.remind()
	}
	item, err := r.mine()
	if err != nil {
		return err
	}
	if item.Type == ItemCirculate {
		if r.c.Do != OpRead {
			return fault.New(fault.ItemFinished)
		}
		r.read(item)
		return nil
	}
	node := r.node(item)
	if node == gone {
		return fault.New(fault.WorkflowStepGone)
	}
	switch r.c.Do {
	case OpSave:
		r.item(item.ID, func(i *Item) { i.State = ItemDoing })
		r.log(item, "")
		return nil
	case OpClaim:
		return r.claim(item, node)
	case OpRelease:
		return r.release(item)
	case OpAgree, OpDisagree, OpSubmit:
		return r.decide(item, node)
	case OpReject:
		return r.reject(item, node)
	case OpTransfer:
		return r.transfer(item, node)
	case OpAddSign:
		return r.addSign(item, node)
	case OpAssist:
		return r.assist(item, node)
	case OpCirculate:
		return r.circulate(item, node)
	}
	return fault.New(fault.BadParameter, string(r.c.Do))
}

// mine returns the item of the command if it is the person's and open. A copy is read when its reader comes to it, also after the end.
func (r *run) mine() (Item, error) {
	item := r.s.Item(r.c.Item)
	switch {
	case item == nil || item.Person != r.c.By && r.c.Rule == "":
		return Item{}, fault.New(fault.ItemNotYours)
	case item.Open() && item.Type == ItemCirculate && r.c.Do == OpRead:
	case !item.Open() || r.s.Status != Processing && r.s.Status != Exception:
		return Item{}, fault.New(fault.ItemFinished)
	case r.s.Status == Exception && r.t.StopAll:
		return Item{}, fault.New(fault.InstanceStopped)
	case item.State == ItemWait:
		return Item{}, fault.New(fault.NotYourTurn)
	}
	return *item, nil
}

func (r *run) node(i Item) *Node { return r.t.at(r.s.Activity(i.Activity).Node) }

// emit makes an event true.
func (r *run) emit(e Event) {
	e.At = r.c.At
	if e.By == (By{}) {
		e.By = r.by
	}
	r.s.Apply(e)
	r.out = append(r.out, e)
}

func (r *run) token(id int, change func(*Token)) {
	next := *r.s.Token(id)
	change(&next)
	r.emit(Event{Kind: TokenIs, Token: &next})
}

func (r *run) newToken(node, scope string, like Token) Token {
	next := Token{ID: len(r.s.Tokens) + 1, Node: node, Scope: scope, State: TokenActive, Last: like.Last, Trail: like.Trail, Fixed: like.Fixed,
		Return: like.Return, From: like.From}
	r.emit(Event{Kind: TokenIs, Token: &next})
	return next
}

func (r *run) activity(id int, change func(*Activity)) {
	next := *r.s.Activity(id)
	change(&next)
	r.emit(Event{Kind: ActivityIs, Activity: &next})
}

func (r *run) item(id int, change func(*Item)) { r.itemBy(id, r.by, change) }

func (r *run) itemBy(id int, by By, change func(*Item)) {
	next := *r.s.Item(id)
	change(&next)
	r.emit(Event{Kind: ItemIs, By: by, Item: &next})
}

func (r *run) newItem(i Item) Item { return r.newItemBy(i, r.by) }

func (r *run) newItemBy(i Item, by By) Item {
	i.ID = len(r.s.Items) + 1
	r.emit(Event{Kind: ItemIs, By: by, Item: &i})
	return i
}

func (r *run) log(on Item, text string) {
	r.emit(Event{Kind: Logged, Operation: r.c.Do, On: on.ID, Node: r.s.Activity(on.Activity).Node, Text: text, To: r.c.People, Remark: r.c.Remark})
}

func (r *run) message(number int, on Item, to ...string) {
	if to = slices.DeleteFunc(slices.Clone(to), func(p string) bool { return p == "" }); len(to) > 0 {
		r.emit(Event{Kind: Messaged, Message: number, On: on.ID, Node: r.place(on), To: to})
	}
}

func (r *run) place(on Item) string {
	if a := r.s.Activity(on.Activity); a != nil {
		return a.Node
	}
	return ""
}

func (r *run) status(status Status, result Result) {
	if r.s.Status != status || r.s.Result != result {
		r.emit(Event{Kind: InstanceIs, Status: status, Result: result})
	}
}

// settle brings the status of the instance to what its tokens are.
func (r *run) settle() {
	if r.s.Status != Processing && r.s.Status != Exception {
		return
	}
	live := r.s.Live()
	switch {
	case len(live) == 0:
		r.status(Completed, Agreed)
		r.emit(Event{Kind: Finishing, Status: Completed, Result: Agreed})
		r.message(102, Item{}, r.s.Initiator)
		r.message(2, Item{}, r.followers()...)
	case slices.ContainsFunc(live, func(t Token) bool { return t.Fault != "" }):
		r.status(Exception, "")
	default:
		r.status(Processing, "")
	}
}

// followers are those who got a copy of the instance.
func (r *run) followers() (out []string) {
	for _, i := range r.s.Items {
		if i.Type == ItemCirculate && i.Person != r.s.Initiator && !slices.Contains(out, i.Person) {
			out = append(out, i.Person)
		}
	}
	return out
}

// stuck leaves a token on a node that it cannot pass; an administrator tries again, jumps or voids.
func (r *run) stuck(token int, why string) {
	r.token(token, func(t *Token) { t.Fault = why })
	r.message(103, Item{}, append([]string{r.s.Initiator}, r.f.Admins()...)...)
}
