package workflow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/record"
)

func (p *play) find(kind, node string, text Words) {
	if key := kind + " " + node + " " + text.En; !p.findings[key] {
		p.findings[key] = true
		p.out.Findings = append(p.out.Findings, Finding{kind, node, text})
	}
}

// step adds a step about a node.
func (p *play) step(kind, node string) *RehearsedStep {
	one := RehearsedStep{Kind: kind, Node: node, Name: node, NameI18n: map[string]string{}, At: p.now, People: []Chosen{}, Dropped: []Chosen{}, Routes: []TriedRoute{}, Sets: []SetValue{}}
	if n := p.w.Nodes[node]; n != nil {
		one.Name, one.NameI18n = n.Label.Zh, i18n(n.Label)
	}
	p.out.Steps = append(p.out.Steps, one)
	return &p.out.Steps[len(p.out.Steps)-1]
}

// tell adds what happened since the last time.
func (p *play) tell(r *running) error {
	events, _, err := r.events()
	if err != nil {
		return err
	}
	if again, err := p.hold(r.view); err == nil { // its facts are those of the record of now
		r = again
	} else {
		return err
	}
	from := int(p.seen)
	p.seen = int64(len(events))
	for _, e := range events[from:] {
		switch e.Kind {
		case flow.TokenIs:
			p.token(*e.Token)
		case flow.ActivityIs:
			if _, known := p.steps[e.Activity.ID]; !known {
				p.opened(r, *e.Activity)
			}
		case flow.Skipped:
			p.step("skip", e.Node).Text = Words{Zh: "直接返回时越过", En: "Passed over: it returns directly to who sent it back"}
		case flow.Messaged:
			name := Words{}
			for _, d := range notify.Types() {
				if int(d.Type) == e.Message {
					name = Words{Zh: d.Name.Zh, En: d.Name.In("en")}
				}
			}
			p.out.Messages = append(p.out.Messages, RehearsedMessage{e.Message, name, e.Node, p.s.persons(p.ctx, e.To)})
		case flow.EndedAt:
			if err := p.ended(r, e.Node); err != nil {
				return err
			}
		}
	}
	for activity, at := range p.steps {
		p.seats(r, activity, &p.out.Steps[at])
	}
	return nil
}

// token follows a token: into splits and out of them, and to where it cannot go on.
func (p *play) token(t flow.Token) {
	before := p.nodes[t.ID]
	p.nodes[t.ID] = t.Node
	if t.Fault != "" && p.faults[t.ID] != t.Fault {
		p.step("stuck", t.Node).Text = stuckWords(t.Fault)
	}
	p.faults[t.ID] = t.Fault
	n := p.w.Template.Node(t.Node)
	inner := t.Scope[strings.LastIndexByte(t.Scope, '/')+1:]
	split, index, _ := strings.Cut(inner, ":")
	switch {
	case n.Type == flow.Split && split == n.ID: // a branch of it
		if i, err := strconv.Atoi(index); err == nil && before == "" {
			p.taken(n.ID, func(k int, _ TriedRoute) bool { return k == i-1 })
		}
	case n.Type == flow.Split && before != n.ID && t.State == flow.TokenActive:
		p.tried(n)
	case before != t.Node:
		if from := p.w.Template.Node(before); from != nil && from.Type == flow.Split && from.Kind == flow.XOR {
			first := true
			p.taken(before, func(_ int, route TriedRoute) bool {
				is := first && route.To == t.Node && (route.Holds == nil && route.Default || route.Holds != nil && *route.Holds)
				first = first && !is
				return is
			})
		}
	}
}

// tried adds the step of a split: its conditions as they were asked.
func (p *play) tried(n *flow.Node) {
	one := p.step("split", n.ID)
	for i, route := range n.Routes {
		tried := TriedRoute{Route: routeOf(p.w, n, i), Values: []Operand{}}
		yes := true
		switch {
		case route.Default:
		case n.Kind == flow.AND || route.When == nil:
			tried.Holds = &yes
		default:
			if asked, known := p.s.notes.answer(route.When); known {
				tried.Values = asked.values
				if asked.err != nil {
					text := said(asked.err)
					tried.Fault = &text
				} else {
					tried.Holds = &asked.holds
				}
			}
		}
		one.Routes = append(one.Routes, tried)
		if n.Kind == flow.XOR && tried.Holds != nil && *tried.Holds { // the rest was not asked
			for k := i + 1; k < len(n.Routes); k++ {
				one.Routes = append(one.Routes, TriedRoute{Route: routeOf(p.w, n, k), Values: []Operand{}})
			}
			return
		}
	}
}

// taken marks routes of the last step of a split.
func (p *play) taken(split string, which func(int, TriedRoute) bool) {
	for i := len(p.out.Steps) - 1; i >= 0; i-- {
		if s := &p.out.Steps[i]; s.Kind == "split" && s.Node == split {
			for k := range s.Routes {
				if which(k, s.Routes[k]) {
					s.Routes[k].Taken = true
				}
			}
			s.Text = routeWords(s.Routes)
			return
		}
	}
}

// opened adds the step of an activity.
func (p *play) opened(r *running, a flow.Activity) {
	n := p.w.Nodes[a.Node]
	one := p.step(strings.ToLower(string(n.Node.Type)), a.Node)
	p.steps[a.ID] = len(p.out.Steps) - 1
	one.Round, one.activity = a.Round, a.ID
	one.Text = entryWords(a)
	asked, known := p.s.notes.found(a.Node)
	if !known {
		return
	}
	for _, rule := range asked {
		for _, who := range rule.gone {
			one.Dropped = append(one.Dropped, Chosen{Person: p.s.person(p.ctx, who.person), Why: []Words{who.why}})
		}
	}
	one.activity = a.ID
	p.s.notes.of[a.ID] = asked
	if slices.ContainsFunc(asked, func(rule askedRule) bool { return len(rule.kept) > 0 }) {
		return
	}
	if n.Node.Type == flow.Circulate {
		one.Text = Words{Zh: "没有人可抄送", En: "Nobody gets a copy"}
		return
	}
	one.Text = emptyWords(p.w, n.Node)
	_ = r
}

// seats tells who has an activity now, and why.
func (p *play) seats(r *running, activity int, one *RehearsedStep) {
	asked := p.s.notes.of[activity]
	one.People = one.People[:0]
	dropped := one.Dropped[:0:0]
	for _, d := range one.Dropped { // those who never were among the items stay
		if d.State == "" {
			dropped = append(dropped, d)
		}
	}
	for _, i := range r.state.Items {
		if i.Activity != activity {
			continue
		}
		who := Chosen{State: string(i.State), Why: []Words{}}
		if i.Person != "" {
			who.Person = p.s.person(p.ctx, i.Person)
		}
		first := i.Person
		if i.From != "" {
			first = i.From
			who.Why = append(who.Why, Words{Zh: "受 " + p.nameOf(i.From) + " 委托", En: "Stands in for " + p.nameOf(i.From)})
			one.at(&dropped, Chosen{Person: p.s.person(p.ctx, i.From), State: "DELEGATED", Why: []Words{{Zh: "已委托给 " + p.nameOf(i.Person), En: "Delegated to " + p.nameOf(i.Person)}}})
		}
		for _, rule := range asked {
			if slices.Contains(rule.kept, first) {
				who.Why = append(who.Why, rule.words)
			}
		}
		switch {
		case i.Type == flow.ItemForward:
			who.Why = []Words{{Zh: "由 " + p.nameOf(i.Original) + " 转来", En: "Passed on by " + p.nameOf(i.Original)}}
		case i.Type == flow.ItemAdd:
			who.Why = []Words{{Zh: "加签", En: "Added as a signer"}}
		case i.Rule != "" && i.State == flow.ItemDone:
			who.Why = append(who.Why, ruleWords(i.Rule))
		case len(who.Why) == 0 && p.w.Nodes[r.state.Activity(activity).Node].Node.Type == flow.Start:
			who.Why = append(who.Why, Words{Zh: "发起人", En: "The initiator"})
		case len(who.Why) == 0 && len(asked) > 0:
			who.Why = append(who.Why, emptyWords(p.w, p.w.Template.Node(one.Node)))
		case len(who.Why) == 0:
			who.Why = append(who.Why, Words{Zh: "上一轮的处理人", En: "Handled the round before"})
		}
		if automatic := i.Rule == flow.RuleDedupe || i.Rule == flow.RuleSkip; automatic {
			who.State = "AUTO"
			one.at(&dropped, who)
			continue
		}
		one.People = append(one.People, who)
	}
	one.Dropped = dropped
}

// at adds somebody unless they are in the list with the same state.
func (*RehearsedStep) at(list *[]Chosen, who Chosen) {
	for _, have := range *list {
		if have.Person.ID == who.Person.ID && have.State == who.State {
			return
		}
	}
	*list = append(*list, who)
}

func (p *play) nameOf(id string) string { return p.s.person(p.ctx, id).Name }

// ended adds the step of an END with what it has written.
func (p *play) ended(r *running, node string) error {
	one := p.step("end", node)
	n := p.w.Nodes[node]
	if n == nil {
		return nil
	}
	one.Text = endWords(n)
	st, judge, err := r.facts.record()
	if err != nil {
		return err
	}
	for _, a := range n.Set {
		f := p.w.Model.Field(a.Field.Code)
		if f == nil || len(f.Property.Columns()) == 0 {
			continue
		}
		set := SetValue{Property: f.Code, Name: f.Label.Zh, NameI18n: i18n(f.Label)}
		shows, err := p.s.notes.shows(f, st, judge)
		if err != nil {
			return err
		}
		if set.Hidden = !shows; shows {
			set.Text = r.facts.word(f, record.ValueOf(st.Row, f), st.Row[f.Property.Columns()[0].Name])
		}
		one.Sets = append(one.Sets, set)
	}
	return nil
}

// decided adds the step of a decision.
func (p *play) decided(i flow.Item, node *catalog.WorkflowNode, c flow.Command, scripted bool) *RehearsedStep {
	one := p.step("decision", node.Node.ID)
	who := p.s.person(p.ctx, i.Person)
	one.By, one.Verdict, one.Scripted = &who, string(c.Do), scripted
	if c.Do == flow.OpReject {
		to := p.s.place(p.ctx, p.w, c.Node, nil)
		one.Text = Words{Zh: "退回到“" + to.Name + "”", En: "Sends it back to “" + inEnglish(to.Name, to.NameI18n) + "”"}
	}
	if c.Do == flow.OpTransfer {
		one.Text = Words{Zh: "转给 " + p.nameOf(c.People[0]), En: "Passes it on to " + p.nameOf(c.People[0])}
	}
	return one
}

func inEnglish(name string, other map[string]string) string {
	if en := other["en"]; en != "" {
		return en
	}
	return name
}

// refuse adds a decision that cannot be made, which is the end of the run.
func (p *play) refuse(i flow.Item, node *catalog.WorkflowNode, c flow.Command, why Words) {
	p.decided(i, node, c, true).Refused = &why
	p.out.Outcome = OutcomeRefused
}

// passed adds the step of somebody who does nothing.
func (p *play) passed(i flow.Item, node *catalog.WorkflowNode) {
	one := p.step("time", node.Node.ID)
	who := p.s.person(p.ctx, i.Person)
	one.By, one.Verdict, one.Scripted = &who, "timeout", true
	one.Text = Words{Zh: who.Name + " 一直没有处理", En: who.Name + " does nothing"}
	if node.Time.Expect == 0 && node.Time.Timeout == 0 {
		one.Text.Zh += "，而此节点没有时限"
		one.Text.En += ", and the node has no time limit"
	}
}

// elapsed adds the step of a timer.
func (p *play) elapsed(r *running, t timer) {
	node, who := "", ""
	if t.Kind == string(flow.TimerWait) {
		node = r.state.Activity(t.Subject).Node
	} else if i := r.state.Item(t.Subject); i != nil {
		node, who = r.state.Activity(i.Activity).Node, p.nameOf(i.Person)
	}
	n := p.w.Nodes[node]
	if n == nil {
		return
	}
	one := p.step("time", node)
	one.Text = timerWords(t, n, who)
	if i := r.state.Item(t.Subject); t.Kind == timerStep && t.Step < len(n.Time.OnTimeout) && n.Time.OnTimeout[t.Step].Action != "remind" && i != nil && i.Ready() {
		one.Text.Zh += "，但在此无法做到"
		one.Text.En += ", which is not possible here"
	}
}

// automatic adds the step of what the system does.
func (p *play) automatic(a flow.Activity, n *catalog.WorkflowNode, failed bool) {
	at, known := p.steps[a.ID]
	if !known {
		return
	}
	p.out.Steps[at].Text = machineWords(n, failed)
}

// deserted tells of every node that nobody would have: of those that the run reached as it was, of others as it is at the end.
func (p *play) deserted(r *running) error {
	reached := map[string]bool{}
	for _, s := range p.out.Steps {
		if s.activity == 0 {
			continue
		}
		asked := p.s.notes.of[s.activity]
		if reached[s.Node] = true; len(asked) == 0 || slices.ContainsFunc(asked, func(rule askedRule) bool { return len(rule.kept) > 0 }) {
			continue
		}
		one := Deserted{Place: p.s.place(p.ctx, p.w, s.Node, nil), Reached: true, Policy: s.Text, People: []Person{}}
		for _, c := range s.People {
			if c.Person.ID != "" {
				one.People = append(one.People, c.Person)
			}
		}
		if !slices.ContainsFunc(p.out.Nobody, func(d Deserted) bool { return d.Node == s.Node }) {
			p.out.Nobody = append(p.out.Nobody, one)
		}
	}
	for _, n := range p.w.Template.Ordered() {
		if reached[n.ID] || n.Type != flow.Fill && n.Type != flow.Approve {
			continue
		}
		seats, err := r.facts.People(n, r.state)
		if err != nil && fault.Of(err) == fault.Internal {
			return err
		}
		if len(seats) == 0 {
			p.out.Nobody = append(p.out.Nobody, Deserted{Place: p.s.place(p.ctx, p.w, n.ID, nil), Policy: emptyWords(p.w, n), People: []Person{}})
		}
	}
	return nil
}
