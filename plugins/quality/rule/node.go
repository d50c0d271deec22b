package rule

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// States of a node's evaluation.
var (
	None        = codes.OptionNone
	Pending     = codes.OptionPending
	Qualified   = codes.OptionQualified
	Excellent   = codes.OptionExcellent
	Unqualified = codes.OptionUnqualified
	Rework      = codes.OptionRework
)

// States of work.
var (
	NotStarted = codes.OptionNotStarted
	Doing      = codes.OptionDoing
	Done       = codes.OptionDone
)

// States of the corrective action of a node's latest failed round.
var (
	NoNCR     = codes.OptionNone
	OpenNCR   = codes.OptionOpen   // nobody has reported the work
	ReworkNCR = codes.OptionRework // work was reported and is not accepted yet, or was sent back
	ClosedNCR = codes.OptionClosed
)

// Counts add up over a subtree.
type Counts struct {
	Points, OKPoints         int64
	MainItems, MainOK        int64
	GeneralItems, GeneralOK  int64
	SheetTotal, SheetDone    int64 // required ones
	NCROpen                  int64
	Records                  int64 // of the node alone
	Started                  bool  // a sheet or record of the node exists
	Processes, ProcessesDone int64 // required ones of the node
}

// Add adds the counts of a child; what is of the node alone stays.
func (c Counts) Add(o Counts) Counts {
	c.Points += o.Points
	c.OKPoints += o.OKPoints
	c.MainItems += o.MainItems
	c.MainOK += o.MainOK
	c.GeneralItems += o.GeneralItems
	c.GeneralOK += o.GeneralOK
	c.SheetTotal += o.SheetTotal
	c.SheetDone += o.SheetDone
	c.NCROpen += o.NCROpen
	return c
}

// Rate is the share of passed points; false without points.
func (c Counts) Rate() (decimal.Decimal, bool) {
	if c.Points == 0 {
		return decimal.Zero, false
	}
	return decimal.NewFromInt(c.OKPoints).DivRound(decimal.NewFromInt(c.Points), 4), true
}

// Own is what a node has itself: its records, sheets and processes.
type Own struct {
	Counts
	Conclusion string // of the latest round of completed records; "" = there is none
	NCR        string // NoNCR, …
	TestOK     bool   // every sheet of a test is completed
	Appearance string // OK, NOT_OK, ""
	Concession bool   // accepted although it failed, with all three signatures
	Excellent  bool   // every item of the latest round is excellent
	Missing    int64  // things that are due of the node and not given (Due)
}

// Child is what a parent needs of one.
type Child struct {
	Counts
	Main               bool // a main part
	Eval, Work         string
	DocComplete, Score bool
	ScoreValue         decimal.Decimal
}

// State is what a node comes to.
type State struct {
	Counts
	Eval, Work  string
	DocComplete bool
	Score       *decimal.Decimal // where the set grades
}

// Roll computes a node from what it has itself and from its children. It is a pure function: the same input gives the same state, whenever it
// is computed.
func (s *Set) Roll(nodeType string, own Own, children []Child) State {
	out := State{Counts: own.Counts}
	for _, c := range children {
		out.Counts = out.Add(c.Counts)
	}
	out.DocComplete = own.SheetTotal == own.SheetDone && (len(children) > 0 || own.Conclusion != "")
	for _, c := range children {
		out.DocComplete = out.DocComplete && c.DocComplete
	}
	out.Work = work(own, children)
	if len(children) == 0 {
		out.Eval = s.leaf(nodeType, own, out.DocComplete)
	} else {
		out.Eval = s.parent(nodeType, own, children, out.DocComplete)
	}
	if s.Grading {
		out.Score = score(out, children)
	}
	return out
}

// leaf is the evaluation of a node without children, by its own records.
func (s *Set) leaf(nodeType string, own Own, documents bool) string {
	switch {
	case own.Conclusion == "" && !own.Started:
		return None
	case own.Conclusion == NotOK && !own.Concession:
		switch own.NCR {
		case ReworkNCR:
			return Rework
		case ClosedNCR:
			return Pending // the next round is due
		}
		return Unqualified
	case own.Conclusion == OK || own.Conclusion == NotOK && own.Concession:
		if own.NCROpen == 0 && own.Missing == 0 && s.satisfied(nodeType, own, documents) {
			if own.Conclusion == OK && own.Excellent && s.Grading {
				return Excellent
			}
			return Qualified
		}
	}
	return Pending
}

// parent is the evaluation of a node by its children and by what it has itself.
func (s *Set) parent(nodeType string, own Own, children []Child, documents bool) string {
	all := func(is func(c Child) bool) bool {
		return !slices.ContainsFunc(children, func(c Child) bool { return !is(c) })
	}
	passed := func(c Child) bool { return c.Eval == Qualified || c.Eval == Excellent }
	switch {
	case all(func(c Child) bool { return c.Eval == None }):
		if own.Conclusion == "" && !own.Started {
			return None
		}
		return Pending
	case all(passed):
		if own.Conclusion == NotOK && !own.Concession {
			return Unqualified
		}
		if own.Conclusion == Incomplete || own.NCROpen > 0 || own.Missing > 0 || !s.satisfied(nodeType, own, documents) {
			return Pending
		}
		if s.excellent(children) {
			return Excellent
		}
		return Qualified
	case all(func(c Child) bool { return passed(c) || c.Eval == Unqualified }):
		return Unqualified
	}
	return Pending
}

// satisfied reports whether a node has what its level requires besides records and children.
func (s *Set) satisfied(nodeType string, own Own, documents bool) bool {
	l := s.Level(nodeType)
	return (!l.Documents || documents) && (!l.Tests || own.TestOK) && (!l.Appearance || own.Appearance == OK) && own.Appearance != NotOK
}

// excellent reports whether enough children are excellent, and all main ones.
func (s *Set) excellent(children []Child) bool {
	if !s.Grading {
		return false
	}
	n := 0
	for _, c := range children {
		switch {
		case c.Eval == Excellent:
			n++
		case c.Main:
			return false
		}
	}
	return decimal.NewFromInt(int64(n)).GreaterThanOrEqual(s.ExcellentShare.Mul(decimal.NewFromInt(int64(len(children)))))
}

// work is the state of the work: done when all required processes and sheets are, in progress when something was begun.
func work(own Own, children []Child) string {
	begun := own.Started || own.ProcessesDone > 0
	done := own.ProcessesDone == own.Processes && own.SheetDone == own.SheetTotal
	for _, c := range children {
		begun = begun || c.Work != NotStarted
		done = done && c.Work == Done
	}
	if len(children) == 0 {
		done = done && begun && (own.Processes+own.SheetTotal > 0 || own.Conclusion != "")
	}
	switch {
	case done && begun:
		return Done
	case begun:
		return Doing
	}
	return NotStarted
}

// score is Σ w·s / Σ w with w = 2 for main parts, of the children that have one; of a leaf it is the pass rate in percent.
func score(out State, children []Child) *decimal.Decimal {
	if len(children) == 0 {
		rate, ok := out.Rate()
		if !ok {
			return nil
		}
		v := rate.Shift(2)
		return &v
	}
	var sum, weight decimal.Decimal
	for _, c := range children {
		if !c.Score {
			continue
		}
		w := decimal.NewFromInt(1)
		if c.Main {
			w = decimal.NewFromInt(2)
		}
		sum, weight = sum.Add(w.Mul(c.ScoreValue)), weight.Add(w)
	}
	if weight.IsZero() {
		return nil
	}
	v := sum.DivRound(weight, 2)
	return &v
}
