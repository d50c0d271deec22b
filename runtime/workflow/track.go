package workflow

import (
	"context"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Round is one execution of a node (api.yaml WorkflowRound).
type Round struct {
	Round    int                `json:"round"`
	State    flow.ActivityState `json:"state"`
	Entry    flow.Entry         `json:"entry"`
	Started  time.Time          `json:"startTime"`
	Finished *time.Time         `json:"finishTime"`
	Items    []Item             `json:"items"`
}

// TrackRoute is a way out of a split.
type TrackRoute struct {
	To       string            `json:"to"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Default  bool              `json:"default"`
}

// TrackNode is a node with what happened there (api.yaml WorkflowNodeTrack).
type TrackNode struct {
	Node      string            `json:"activityCode"`
	Type      flow.NodeType     `json:"type"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	State     string            `json:"state"`
	Mode      string            `json:"mode"`
	Next      []string          `json:"next"`
	Routes    []TrackRoute      `json:"routes"`
	Of        string            `json:"of"`
	Rounds    []Round           `json:"rounds"`
	Predicted []Person          `json:"predicted"`
	Actions   []string          `json:"actions"` // that the caller can take here: an administrator, or who handled the node before
}

// Track is the course of an instance (api.yaml WorkflowTrack).
type Track struct {
	Instance Instance    `json:"instance"`
	Stuck    []Stuck     `json:"stuck"` // where it can't go on by itself
	Nodes    []TrackNode `json:"nodes"`
	Log      []Opinion   `json:"log"`
}

// Track answers the course of an instance for those who take part in it, started it, administer workflows, or see its record.
func (s *Service) Track(ctx context.Context, view *authz.View, id string) (out *Track, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := s.read(ctx, tx, view, id)
		if err != nil {
			return err
		}
		if err := r.sees(); err != nil {
			return err
		}
		out, err = r.course()
		return err
	})
	return out, err
}

// course is all that happened to the instance, node by node.
func (r *running) course() (*Track, error) {
	one, err := r.s.instance(r.ctx, r.tx, r.view, r.row)
	if err != nil {
		return nil, err
	}
	out := &Track{Instance: *one, Stuck: r.stuck()}
	var rows []item
	if err := r.tx.System().Where("instance = ?", r.row.ID).Order("number").Find(&rows).Error; err != nil {
		return nil, err
	}
	events, numbers, err := r.events()
	if err != nil {
		return nil, err
	}
	passed, skipped := map[string]bool{}, map[string]bool{}
	for _, e := range events {
		switch e.Kind {
		case flow.TokenIs:
			passed[e.Token.Node] = true
		case flow.ActivityIs: // it runs again
			delete(skipped, e.Activity.Node)
		case flow.Skipped:
			skipped[e.Node] = true
		}
	}
	adjustable := r.w.Template.Adjustable(r.state, r.view.User())
	_, belongs, err := r.remarksOf()
	if err != nil {
		return nil, err
	}
	expected := map[string]bool{}
	for _, n := range r.expected() {
		expected[n.Node.ID] = true
	}
	for _, n := range r.w.Template.Ordered() {
		node, err := r.track(n, rows, past{passed[n.ID], skipped[n.ID], expected[n.ID]})
		if err != nil {
			return nil, err
		}
		if slices.Contains(adjustable, n.ID) && !slices.Contains(node.Actions, string(flow.OpAdjust)) {
			node.Actions = append(node.Actions, string(flow.OpAdjust))
		}
		for _, round := range node.Rounds {
			for i := range round.Items {
				round.Items[i].Remark = belongs[round.Items[i].number]
			}
		}
		out.Nodes = append(out.Nodes, *node)
	}
	out.Log, err = r.remarked(r.said(events, numbers, true))
	return out, err
}

// track tells what happened at a node.
func (r *running) track(n *flow.Node, rows []item, is past) (*TrackNode, error) {
	of := r.w.Nodes[n.ID]
	out := &TrackNode{Node: n.ID, Type: n.Type, Name: of.Label.Zh, NameI18n: i18n(of.Label), Mode: string(n.Mode), Of: n.Of, Next: []string{}, Routes: []TrackRoute{}, Rounds: []Round{}, Predicted: []Person{}, Actions: []string{}}
	for _, next := range []string{n.Next, n.Disagree} {
		if next != "" {
			out.Next = append(out.Next, next)
		}
	}
	for i, route := range n.Routes {
		label := plan.Label{}
		if i < len(of.RouteLabels) {
			label = of.RouteLabels[i]
		}
		out.Next = append(out.Next, route.To)
		out.Routes = append(out.Routes, TrackRoute{To: route.To, Name: label.Zh, NameI18n: i18n(label), Default: route.Default})
	}
	if administers(r.view) {
		for _, do := range r.w.Template.AdminActions(r.state, n.ID) {
			out.Actions = append(out.Actions, string(do))
		}
	}
	var last flow.ActivityState
	for _, a := range r.state.Activities {
		if a.Node != n.ID {
			continue
		}
		last = a.State
		round := Round{Round: a.Round, State: a.State, Entry: a.Entry, Started: a.Opened.UTC(), Finished: orNil(a.Closed), Items: []Item{}}
		for _, row := range rows {
			i := r.state.Item(row.Number)
			if i == nil || i.Activity != a.ID || i.State == flow.ItemCancelled && i.Reason == "" {
				continue
			}
			hidden, err := r.hides(n.ID, row.Person)
			if err != nil {
				return nil, err
			}
			one := r.s.item(r.ctx, r.view, r.w, row, r.row)
			if hidden {
				one.Opinion = ""
			}
			round.Items = append(round.Items, one)
		}
		out.Rounds = append(out.Rounds, round)
	}
	return out, r.placed(n, last, is, out)
}

// past is what the course of an instance says of a node.
type past struct {
	passed   bool // a token was there
	skipped  bool // the last direct return passed over it
	expected bool // it can come, as the conditions of the record are now
}

// placed says where a node is in the course of the instance.
func (r *running) placed(n *flow.Node, last flow.ActivityState, is past, out *TrackNode) error {
	live := r.state.Live()
	ahead := slices.ContainsFunc(live, func(t flow.Token) bool {
		from := t.Node
		if t.Return != 0 { // it goes back directly, past what lies between
			if from = r.state.Activity(t.Return).Node; from == n.ID {
				return true
			}
		}
		return from != n.ID && r.w.Template.Leads(from, n.ID)
	})
	switch {
	case slices.ContainsFunc(live, func(t flow.Token) bool { return t.Node == n.ID && t.State == flow.TokenWaiting }):
		out.State = "waiting"
	case last == flow.ActivityActive || slices.ContainsFunc(live, func(t flow.Token) bool { return t.Node == n.ID }):
		out.State = "active"
	case ahead && is.expected:
		out.State = "future"
		if n.Broken != nil {
			break
		}
		seats, err := r.facts.People(n, r.state)
		if err != nil && fault.Of(err) == fault.Internal {
			return err
		}
		seen := []string{}
		for _, seat := range seats {
			if !slices.Contains(seen, seat.Person) && len(seen) < 20 {
				seen = append(seen, seat.Person)
			}
		}
		out.Predicted = r.s.persons(r.ctx, seen)
	case is.skipped:
		out.State = "skipped"
	case is.passed:
		out.State = "done"
	default:
		out.State = "never"
	}
	return nil
}
