package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// play is a run that goes on.
type play struct {
	s      *Service // of the rehearsal
	ctx    context.Context
	tx     *store.Tx
	caller *authz.View
	w      *catalog.Workflow
	in     RehearsalRun
	now    time.Time
	used   []bool // decisions that were made

	id       string // of the instance
	record   string
	seen     int64 // events that were told
	nodes    map[int]string
	faults   map[int]string
	steps    map[int]int // by activity: the place of its step in out.Steps
	moves    int
	out      RehearsedRun
	findings map[string]bool
}

func (p *play) perform() error {
	p.out = RehearsedRun{Findings: []Finding{}, Steps: []RehearsedStep{}, Messages: []RehearsedMessage{}, Never: []Place{}, Nobody: []Deserted{}, Unused: []int{}}
	p.nodes, p.faults, p.steps, p.findings = map[int]string{}, map[int]string{}, map[int]int{}, map[string]bool{}
	if err := p.fits(); err != nil {
		return err
	}
	if err := p.begin(); err != nil || p.out.Outcome != "" {
		return err
	}
	for p.out.Outcome == "" {
		if p.moves++; p.moves > mostMoves {
			p.out.Outcome = OutcomeEndless
			break
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if err := p.move(); err != nil {
			return err
		}
	}
	return p.finish()
}

// anyStarter is the first person who may start the workflow; "" = nobody may.
func (p *play) anyStarter() string {
	for _, one := range (&facts{ctx: p.ctx, s: p.s}).sorted() {
		who, ok := p.s.cfg.Caller(p.ctx, one.ID)
		if !ok {
			continue
		}
		if own := p.s.cfg.Policy().View(who, p.s.cfg.Clock(), p.s.cfg.Zone); !isAdmin(own) && p.s.mayStart(own, p.w) && own.Can(p.w.Model, "add") {
			return one.ID
		}
	}
	return ""
}

// as is the view of a person.
func (p *play) as(person string) *authz.View {
	who, ok := p.s.cfg.Caller(p.ctx, person)
	if !ok {
		return p.s.systemView() // of somebody who left since
	}
	return p.s.cfg.Policy().View(who, p.s.cfg.Clock(), p.s.cfg.Zone)
}

// whole lets somebody write all of a record: what a rehearsal makes up is not theirs.
func whole(w *catalog.Workflow) *authz.Lens {
	g := catalog.Grant{Model: w.Model, Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}
	return &authz.Lens{Name: "rehearsal of " + w.Template.Code, Effect: authz.Replaces, Grants: []catalog.Grant{g}}
}

// begin makes the record and the instance, and starts it.
func (p *play) begin() error {
	p.out.Initiator = p.s.person(p.ctx, p.in.Initiator)
	own := p.as(p.in.Initiator)
	p.maySay(own)
	if err := p.prepare(own); err != nil || p.out.Outcome != "" {
		return err
	}
	_, title, err := p.s.cfg.Reader.Title(p.ctx, p.tx, p.s.systemView(), queryRef(p.w.Model.Code, p.record))
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	p.id = id.String()
	r := &running{s: p.s, ctx: p.ctx, tx: p.tx, view: own, w: p.w, state: &flow.State{Status: flow.Draft}}
	r.row = instance{ID: p.id, Code: p.w.Template.Code, Model: p.w.Model.Code, Record: p.record, Initiator: p.in.Initiator, Status: string(flow.Draft), Started: p.now, State: []byte("{}")}
	if err := p.tx.System().Create(&r.row).Error; err != nil {
		return err
	}
	r.face()
	if r.row.Name, err = r.instanceName(title, p.now); err != nil {
		return err
	}
	r.row.Search, r.facts.name = strings.ToLower(r.row.Name), r.row.Name
	p.out.Name = r.row.Name
	if err := p.complete(r, p.w.Template.Start().ID); err != nil {
		return err
	}
	return p.command(r, flow.Command{Do: flow.OpStart, By: p.in.Initiator, At: p.now})
}

// maySay tells where the initiator would be refused.
func (p *play) maySay(own *authz.View) {
	var why error
	switch {
	case !p.w.Published:
		why = fault.New(fault.NotPublished)
	case isAdmin(own):
		why = fault.New(fault.AdminStart)
	case !p.s.mayStart(own, p.w):
		why = fault.New(fault.StartRefused)
	case p.in.Record == "" && !own.Can(p.w.Model, "add"):
		why = fault.New(fault.NoAddPermission)
	}
	if why != nil {
		p.find("start", p.w.Template.Start().ID, said(why))
	}
}

// prepare makes the record of the run.
func (p *play) prepare(own *authz.View) error {
	change := record.Change{Model: p.w.Model.Code, ID: p.in.Record, Set: p.in.Values, InProcess: true, MadeUp: true}
	p.record = p.in.Record
	if p.in.Record != "" {
		ref := queryRef(p.w.Model.Code, p.in.Record)
		if _, _, err := p.s.cfg.Reader.Title(p.ctx, p.tx, p.caller, ref); err != nil {
			return err // not the caller's to look at
		}
		if _, _, err := p.s.cfg.Reader.Title(p.ctx, p.tx, own, ref); err != nil {
			p.find("start", p.w.Template.Start().ID, said(err))
		}
		if len(p.in.Values) == 0 {
			return nil
		}
		st, err := record.NewJudge(p.ctx, p.tx, p.s.systemView()).State(p.w.Model, p.in.Record)
		if err != nil || st == nil {
			return cmp.Or(err, error(fault.New(fault.RecordNotFound)))
		}
		version := st.Version()
		change.Version = &version
	}
	saved, err := p.s.cfg.Writer.SaveIn(p.ctx, p.tx, own.Through(whole(p.w)), change)
	if err != nil {
		return err // a value that its property does not take
	}
	p.record = saved.ID
	for _, e := range saved.Warnings {
		p.find("record", p.w.Template.Start().ID, field(p.w.Model, e))
	}
	return nil
}

// complete tells what a node requires and the record does not have.
func (p *play) complete(r *running, node string) error {
	missing, err := r.facts.missing(node)
	for _, e := range missing {
		p.find("missing", node, field(p.w.Model, e))
	}
	return err
}

// hold reads the instance as it is.
func (p *play) hold(view *authz.View) (*running, error) {
	return p.s.read(p.ctx, p.tx, view, p.id)
}

// command does something and tells what happened.
func (p *play) command(r *running, c flow.Command) error {
	p.s.notes.forget()
	if err := r.do(c); err != nil {
		return err
	}
	return p.tell(r)
}

// move does the next thing: a task, or what goes on by itself.
func (p *play) move() error {
	r, err := p.hold(p.s.systemView())
	if err != nil {
		return err
	}
	switch r.state.Status {
	case flow.Completed, flow.Canceled:
		p.out.Outcome, p.out.Result = OutcomeEnded, r.row.Result
		return nil
	case flow.Draft:
		p.out.Outcome = OutcomeWaits
		return nil
	}
	for _, a := range r.state.Activities { // what nobody has to do comes first
		if n := p.w.Nodes[a.Node]; a.State == flow.ActivityActive && (n.Node.Type == flow.Service || n.Node.Type == flow.Sub || n.Node.Type == flow.Wait) && !stuckAt(r.state, a) {
			if done, err := p.machine(r, a, n); done || err != nil {
				return err
			}
		}
	}
	for _, i := range r.state.Items {
		if i.Ready() && i.Type != flow.ItemCirculate && i.Type != flow.ItemAssist {
			if d, known := p.decision(r, i); known {
				return p.person(r, i, d)
			}
		}
	}
	for _, i := range r.state.Items {
		if i.Ready() && i.Type != flow.ItemCirculate && i.Type != flow.ItemAssist {
			return p.person(r, i, RehearsalDecision{})
		}
	}
	p.out.Outcome = OutcomeWaits
	if r.state.Status == flow.Exception {
		p.out.Outcome = OutcomeStuck
	}
	return nil
}

func stuckAt(s *flow.State, a flow.Activity) bool {
	t := s.Token(a.Token)
	return t == nil || t.Fault != ""
}

// finish adds what is told of the whole run.
func (p *play) finish() error {
	if p.id == "" {
		return nil
	}
	r, err := p.hold(p.caller)
	if err != nil {
		return err
	}
	for k, d := range p.in.Decisions {
		if !p.used[k] {
			p.out.Unused = append(p.out.Unused, k)
			p.find("unused", d.Node, Words{Zh: "脚本中的这项决定没有用到：流程没有到达该节点，或没有轮到此人", En: "This decision of the script was not used: the run did not get there, or it was not this person's turn"})
		}
	}
	if p.out.Track, err = r.course(); err != nil {
		return err
	}
	for _, n := range p.out.Track.Nodes {
		if n.State == "never" || n.State == "skipped" || n.State == "future" {
			p.out.Never = append(p.out.Never, p.s.place(p.ctx, p.w, n.Node, nil))
		}
	}
	if err := p.deserted(r); err != nil {
		return err
	}
	if got, err := p.s.cfg.Reader.Record(p.ctx, p.tx, p.caller, p.w.Model.Code, p.record); err == nil {
		p.out.Values = json.RawMessage(got.Data)
	} else if refused := new(fault.Error); !errors.As(err, &refused) {
		return err
	}
	p.out.Ended = p.now
	return nil
}
