package workflow

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
)

// keepOpinions gives the record what the events say that people think of it, and takes away what they took back. The state is as it is
// after the events.
func (r *running) keepOpinions(said []record.Opinion, gone []int64) error {
	return r.s.cfg.Writer.OpinionsIn(r.ctx, r.tx, r.s.systemView(), r.row.Model, r.row.Record, r.row.ID, said, gone)
}

// opines is what an event adds to the opinions of the record. The state is as it was before the event.
func (r *running) opines(e flow.Event, number int64) (record.Opinion, bool) {
	node, out := e.Node, record.Opinion{Entry: number, Opinion: property.Opinion{User: e.By.Person, Result: string(e.Operation), Time: e.At}}
	switch {
	case e.Kind == flow.ItemIs && decidedByRule(r.state, e):
		node = r.state.Activity(e.Item.Activity).Node
		out.User, out.Result, out.Rule = e.Item.Person, string(e.Item.Verdict.Operation()), string(e.Item.Rule)
	case e.Kind == flow.Logged && e.By.Person != "" && speaks(e.Operation) && !ofRule(r.state, e):
		out.Text = strings.TrimSpace(e.Text)
	case e.Kind == flow.Logged && e.By.Person != "" && e.Operation == flow.OpStart:
		out.Text = strings.TrimSpace(e.Text)
	default:
		return out, false
	}
	n := r.w.Nodes[node]
	if n == nil {
		return out, false
	}
	if n.Opinion.Secret {
		out.Text = ""
	}
	if who, known := r.s.cfg.People.Person(r.ctx, out.User); known {
		out.Name = who.Name
	}
	out.Node, out.Property = n.Label, n.Opinion.Property
	return out, out.Text != "" || out.Rule != "" || decision(r.state, e)
}

// decision reports whether an entry of the log tells of a decision, which counts also without words.
func decision(s *flow.State, e flow.Event) bool {
	i := s.Item(e.On)
	return i != nil && i.State == flow.ItemDone && i.Finished.Equal(e.At) && e.Operation != flow.OpSubmit && e.Operation != flow.OpStart
}

// decidedByRule reports whether an event is the decision of a rule in a person's place. What goes into another round with its node is no
// new decision.
func decidedByRule(s *flow.State, e flow.Event) bool {
	if e.Item.Rule == "" || e.Item.State != flow.ItemDone || !e.Item.Finished.Equal(e.At) {
		return false
	}
	before := s.Item(e.Item.ID)
	return before == nil || before.State != flow.ItemDone
}

// ofRule reports whether an entry of the log repeats the decision of a rule.
func ofRule(s *flow.State, e flow.Event) bool {
	i := s.Item(e.On)
	return i != nil && i.Rule != "" && i.State == flow.ItemDone && i.Finished.Equal(e.At)
}

// takenBack are the numbers of the entries that an event takes back: a person's decision, or with the whole run all that was said. The state
// is as it was before the event.
func (r *running) takenBack(e flow.Event) ([]int64, error) {
	switch {
	case e.Kind == flow.Logged && e.Operation == flow.OpRevoke:
		return upTo(r.row.Events), nil
	case e.Kind != flow.Logged || e.Operation != flow.OpWithdraw:
		return nil, nil
	}
	i := r.state.Item(e.On)
	if i == nil {
		return nil, nil
	}
	events, numbers, err := r.events()
	var out []int64
	for k, one := range events {
		if one.Kind == flow.Logged && one.By.Person == i.Person && one.At.Equal(i.Finished) {
			out = append(out, numbers[k])
		}
	}
	return out, err
}

func upTo(n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i) + 1
	}
	return out
}
