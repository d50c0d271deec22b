package flow

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// Rule is what acts where no person does, or by which right a person acts on what is not theirs.
type Rule string

// The rules.
const (
	RuleExpect     Rule = "expect"        // the expected time of a node is nearly over
	RuleTimeout    Rule = "timeout"       // the time limit of a node
	RuleEscalation Rule = "escalation"    // a time limit that goes to the superior
	RuleTimer      Rule = "timer"         // the time of a WAIT
	RuleSignal     Rule = "signal"        // what a WAIT waited for
	RuleService    Rule = "service"       // a service answered
	RuleSub        Rule = "sub"           // a SUB starts instances, or they end
	RuleParent     Rule = "parent"        // the instance above does not wait for it any more
	RulePack       Rule = "pack"          // code of a pack
	RuleDelegation Rule = "delegation"    // a delegation begins or ends
	RuleDirectory  Rule = "directory"     // a live pool follows whom its node names
	RuleDedupe     Rule = "dedupe"        // the person agreed before
	RuleSkip       Rule = "skipInitiator" // the person is the initiator
	RuleAutoWhen   Rule = "autoWhen"      // the condition of a node
	RuleAutoPass   Rule = "autoPass"      // nobody can take part in a node that passes then
	RuleEmpty      Rule = "emptyPolicy"   // nobody can take part in a node
	RuleLeaver     Rule = "leaver"        // an administrator hands over what somebody left behind
	RuleAdmin      Rule = "admin"         // an administrator
	RuleRecord     Rule = "record"        // somebody deletes the record
)

// By is who did something: a person, a person by a rule, or a rule alone. The zero value is of events that an older version kept for rules.
type By struct {
	Person string `json:"person,omitempty"` // "" = a rule alone
	// For is in whose place it was done: who delegated the task to Person, or whose task a rule or an administrator took.
	For  string `json:"for,omitempty"`
	Rule Rule   `json:"rule,omitempty"`
	Step int    `json:"step,omitempty"` // of RuleTimeout and RuleEscalation, from 1: of what follows when the time is over; 0 = none
	Code string `json:"code,omitempty"` // of a pack: the reason that pack.json gives its code, or the service
}

// ByPerson is somebody who acts for themselves.
func ByPerson(id string) By { return By{Person: id} }

// behind is the person who did something, or in whose place it was done.
func (b By) behind() string { return cmp.Or(b.Person, b.For) }

// plainBy is By as an object.
type plainBy By

// MarshalJSON writes somebody who acts for themselves as their id, everything else as an object.
func (b By) MarshalJSON() ([]byte, error) {
	if b == ByPerson(b.Person) {
		return json.Marshal(b.Person)
	}
	return json.Marshal(plainBy(b))
}

// UnmarshalJSON reads both forms.
func (b *By) UnmarshalJSON(text []byte) error {
	*b = By{}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte(`"`)) {
		return json.Unmarshal(text, &b.Person)
	}
	return json.Unmarshal(text, (*plainBy)(b))
}

// actor is who a command's events are by.
func (r *run) actor() By {
	c, item := r.c, r.s.Item(r.c.Item)
	by := By{Person: c.By, Rule: c.Rule, Step: c.Step, Code: c.Code}
	switch {
	case c.Rule != "": // in the place of the person
		by.Person, by.For = "", c.By
		if by.For == "" && item != nil {
			by.For = cmp.Or(item.From, item.Person)
		}
	case c.Right != "":
		by.Rule = c.Right
	case c.Do == OpHandOver:
		if by.Rule = RuleAdmin; len(c.Remove) == 1 {
			if by.For = c.Remove[0]; !r.able(by.For) {
				by.Rule = RuleLeaver
			}
		}
	case r.administers():
		by.Rule = RuleAdmin
	case c.By == "":
		by.Rule = r.machinery()
	case item != nil && item.Person == c.By:
		by.For = item.From
	}
	return by
}

// administers reports whether a command is done by the right of administrators.
func (r *run) administers() bool {
	switch r.c.Do {
	case OpJump, OpActivate, OpCancel, OpRetry:
		return true
	case OpVoid:
		return r.c.By != r.s.Initiator
	case OpAdjust:
		a := r.s.Activity(r.c.Activity)
		return r.c.Admin && (a == nil || !r.t.adjusts(r.s, r.c.By, *a))
	}
	return false
}

// machinery is the rule of what the runtime says of a node without people.
func (r *run) machinery() Rule {
	if a := r.s.Activity(r.c.Activity); a != nil {
		switch r.t.at(a.Node).Type {
		case Wait:
			return RuleTimer
		case Sub:
			return RuleSub
		}
	}
	return RuleService
}
