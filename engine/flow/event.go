package flow

import "time"

// EventKind is what an event tells.
type EventKind string

// The kinds of events. Those of the first group make the state; the others are what the runtime has to do or to keep.
const (
	InstanceIs EventKind = "instance" // status and result are now these
	TokenIs    EventKind = "token"    // a token is new, or is now this
	ActivityIs EventKind = "activity"
	ItemIs     EventKind = "item"
	ChoiceIs   EventKind = "choice" // somebody chose the people of a node

	Logged    EventKind = "log"      // somebody did something
	Skipped   EventKind = "skip"     // a node that a direct return passes over
	Messaged  EventKind = "message"  // a message is due
	Timed     EventKind = "timer"    // something happens at a time, unless what it is about is over by then
	Called    EventKind = "call"     // a service is to be run
	Children  EventKind = "children" // instances of another template are to be started
	Orphaned  EventKind = "orphans"  // the instances that an activity started are to be voided
	EndedAt   EventKind = "end"      // an END was reached: its assignments are due
	Finishing EventKind = "finish"   // the instance is over: hooks are due
)

// Event is one thing that happened. It carries whole values, so the state is the last value of each: Apply has no rules of its own.
type Event struct {
	Kind EventKind `json:"kind"`
	At   time.Time `json:"at"`
	By   By        `json:"by,omitzero"`

	Status   Status    `json:"status,omitempty"` // InstanceIs
	Result   Result    `json:"result,omitempty"`
	Token    *Token    `json:"token,omitempty"`
	Activity *Activity `json:"activity,omitempty"`
	Item     *Item     `json:"item,omitempty"`

	Operation Operation `json:"operation,omitempty"` // Logged
	Node      string    `json:"node,omitempty"`
	On        int       `json:"on,omitempty"`     // the item, or the activity of Timed, Called, Children and Orphaned
	Text      string    `json:"text,omitempty"`   // an opinion, or a reason
	Remark    string    `json:"remark,omitempty"` // of Command.Remark
	Message   int       `json:"message,omitempty"`
	To        []string  `json:"to,omitempty"`
	Gone      []string  `json:"gone,omitempty"` // of OpFollow: who is no longer in the pool
	Timer     Timer     `json:"timer,omitempty"`
	Due       time.Time `json:"due,omitzero"`

	// Was and Version, of Logged, are the versions of the record before and after what the person saved with the step; the runtime fills
	// them in. Both are 0 where the step saved nothing.
	Was     int64 `json:"was,omitempty"`
	Version int64 `json:"version,omitempty"`
}

// Timer is what happens at a time.
type Timer string

// The timers.
const (
	TimerExpect  Timer = "expect"
	TimerTimeout Timer = "timeout"
	TimerWait    Timer = "wait"
)

// Apply brings a state to what an event says.
func (s *State) Apply(e Event) {
	switch e.Kind {
	case InstanceIs:
		s.Status, s.Result = e.Status, e.Result
		if len(e.To) == 1 { // a draft that was handed over
			s.Initiator = e.To[0]
		} else if s.Initiator == "" {
			s.Initiator = e.By.behind()
		}
	case TokenIs:
		s.Tokens = put(s.Tokens, e.Token.ID, *e.Token)
	case ActivityIs:
		s.Activities = put(s.Activities, e.Activity.ID, *e.Activity)
	case ItemIs:
		s.Items = put(s.Items, e.Item.ID, *e.Item)
	case ChoiceIs:
		if s.Choices == nil {
			s.Choices = map[string][]string{}
		}
		s.Choices[e.Node] = e.To
	}
}

// Rebuild makes a state of all of its events.
func Rebuild(events []Event) *State {
	s := &State{}
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

func put[T any](list []T, id int, value T) []T {
	if id > len(list) {
		return append(list, value)
	}
	list[id-1] = value
	return list
}
