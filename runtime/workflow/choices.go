package workflow

import (
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// choose checks whom a person chose for nodes that come: the initiator, where from is nil, or the person of a node. Each has to be one of
// those who may be chosen.
func (r *running) choose(choices map[string][]string, from *catalog.WorkflowNode) error {
	if err := r.calls(slices.Sorted(maps.Keys(choices))...); err != nil {
		return err
	}
	for id, people := range choices {
		n := r.w.Nodes[id]
		if n == nil {
			return fault.New(fault.BadParameter, "choices")
		}
		p, chooses := choiceOf(n, from == nil)
		if !chooses || len(people) < p.Min || p.Max > 0 && len(people) > p.Max {
			return fault.New(fault.BadParameter, "choices")
		}
		candidates, all, err := r.facts.candidates(p, r.state)
		if err != nil {
			return err
		}
		for i, one := range people {
			who, known := r.s.cfg.People.Person(r.ctx, one)
			if !known || who.Disabled || slices.Contains(people[:i], one) || !all && !slices.Contains(candidates, one) {
				return fault.New(fault.BadParameter, "choices")
			}
		}
	}
	if from != nil {
		return nil
	}
	// What the initiator has to choose: of the nodes that come, as the record is now.
	for _, n := range r.ahead() {
		if p, chooses := choiceOf(n, true); chooses && p.Min > 0 && len(choices[n.Node.ID]) == 0 && len(r.state.Choices[n.Node.ID]) == 0 {
			if err := r.facts.ask(n, p, r.state); err != nil {
				return err
			}
		}
	}
	return r.facts.asked()
}

// Choice is what somebody has to choose before they go on (api.yaml WorkflowChoice).
type Choice struct {
	Node       string            `json:"activityCode"`
	Name       string            `json:"activityName"`
	NameI18n   map[string]string `json:"activityName_i18n"`
	Min        int               `json:"min"`
	Max        int               `json:"max"` // 0 = no limit
	Everybody  bool              `json:"everybody"`
	Candidates []Person          `json:"candidates"`
}

// Choices are the Data of the refusal that people have to be chosen.
type Choices struct {
	Choices []Choice `json:"choices"`
}

// ask notes that the people of a node have to be chosen.
func (f *facts) ask(n *catalog.WorkflowNode, p catalog.Participant, s *flow.State) error {
	people, all, err := f.candidates(p, s)
	if err != nil {
		return err
	}
	people = f.present(people)
	f.asks = append(f.asks, Choice{Node: n.Node.ID, Name: n.Label.Zh, NameI18n: i18n(n.Label), Min: p.Min, Max: p.Max, Everybody: all, Candidates: f.s.persons(f.ctx, people)})
	return nil
}

// asked refuses a command while people have to be chosen.
func (f *facts) asked() error {
	if len(f.asks) == 0 {
		return nil
	}
	return &fault.Error{Code: fault.ChoiceNeeded, Args: []any{f.asks[0].Name}, Data: Choices{f.asks}}
}

// choiceOf is the participant of a node whom the initiator chooses, or the person of the node before.
func choiceOf(n *catalog.WorkflowNode, initiator bool) (catalog.Participant, bool) {
	kind := catalog.FromPreviousChoice
	if initiator {
		kind = catalog.FromInitiatorChoice
	}
	i := slices.IndexFunc(n.Participants, func(p catalog.Participant) bool { return p.Kind == kind })
	if i < 0 {
		return catalog.Participant{}, false
	}
	return n.Participants[i], true
}

// candidates are those who may be chosen; all = everybody.
func (f *facts) candidates(p catalog.Participant, s *flow.State) (people []string, all bool, err error) {
	if len(p.Candidates) == 0 {
		return nil, true, nil
	}
	for _, c := range p.Candidates {
		more, err := f.people(c, s)
		if err != nil {
			return nil, false, err
		}
		for _, one := range more {
			if !slices.Contains(people, one) {
				people = append(people, one)
			}
		}
	}
	return people, false, nil
}

// chosen are the people whom somebody chose for a node. Where nobody did, a person who decides has to; a rule takes all candidates.
func (f *facts) chosen(node string, p catalog.Participant, s *flow.State) ([]string, error) {
	if people := s.Choices[node]; len(people) > 0 {
		return slices.Clone(people), nil
	}
	if f.choosing && p.Kind == catalog.FromPreviousChoice && p.Min > 0 {
		if err := f.ask(f.w.Nodes[node], p, s); err != nil {
			return nil, err
		}
	}
	people, _, err := f.candidates(p, s)
	return people, err
}

// ahead are the nodes that come, as the conditions of the record are now, while everybody agrees.
func (r *running) ahead() []*catalog.WorkflowNode {
	return r.follow([]string{r.w.Template.Start().ID}, func(n *flow.Node) []string { return []string{n.Next} })
}

// expected are the nodes that can come after where the instance is, as the conditions of the record are now.
func (r *running) expected() []*catalog.WorkflowNode {
	var from []string
	for _, t := range r.state.Live() {
		if t.Return != 0 {
			from = append(from, r.state.Activity(t.Return).Node)
		}
		from = append(from, t.Node)
	}
	return r.follow(from, func(n *flow.Node) []string { return []string{n.Next, n.Disagree} })
}

// follow walks from nodes to those that come next, and at a split along the routes that the record takes now.
func (r *running) follow(from []string, next func(*flow.Node) []string) (out []*catalog.WorkflowNode) {
	seen := map[string]bool{}
	var walk func(ids ...string)
	walk = func(ids ...string) {
		for _, id := range ids {
			n := r.w.Template.Node(id)
			if n == nil || seen[id] {
				continue
			}
			seen[id] = true
			out = append(out, r.w.Nodes[id])
			if n.Type == flow.Split {
				walk(r.routes(n)...)
			} else {
				walk(next(n)...)
			}
		}
	}
	walk(from...)
	return out
}

// routes are the ways out of a split that the record takes now.
func (r *running) routes(n *flow.Node) (out []string) {
	for _, route := range n.Routes {
		if route.Default || n.Kind == flow.XOR && len(out) > 0 {
			continue
		}
		if route.Broken != nil && n.Kind != flow.AND { // the instance stops there
			return out
		}
		holds := n.Kind == flow.AND || route.When == nil
		if !holds {
			holds, _ = r.facts.Holds(route.When) // what cannot be told is found when the instance comes there
		}
		if holds {
			out = append(out, route.To)
		}
	}
	taken := len(out) > 0
	for _, route := range n.Routes {
		if route.Default && (n.Kind == flow.AND || !taken) {
			out = append(out, route.To)
		}
	}
	return out
}
