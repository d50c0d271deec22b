package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Bounds of a rehearsal.
const (
	mostRuns      = 20
	mostDecisions = 200
	mostMoves     = 500 // commands of one run
)

// Rehearsal asks how a workflow would go (api.yaml RehearsalRequest).
type Rehearsal struct {
	Workflow string           `json:"workflowCode"`
	Document *json.RawMessage `json:"document"` // in place of the published one; nil = the published one
	Runs     []RehearsalRun   `json:"runs"`
}

// RehearsalRun is one course that is tried.
type RehearsalRun struct {
	Initiator string                     `json:"initiator"` // id or sign-in name; "" = the first who may start it
	Record    string                     `json:"objectId"`  // "" = a made-up one
	Values    map[string]json.RawMessage `json:"values"`    // of the made-up record, or that differ from those of the record
	Decisions []RehearsalDecision        `json:"decisions"`
	At        *time.Time                 `json:"startTime"` // nil = now
}

// RehearsalDecision is what somebody does at a node, instead of agreeing.
type RehearsalDecision struct {
	Node    string                     `json:"activityCode"`
	Person  string                     `json:"person"` // id or sign-in name; "" = whoever has the task
	Do      string                     `json:"action"` // one of Moves; "" = agree
	To      string                     `json:"to"`     // reject: a node; transfer: a person
	Opinion string                     `json:"opinion"`
	Values  map[string]json.RawMessage `json:"values"` // that the person writes
}

// Moves are the actions of decisions. "timeout": nobody acts until the time is over and what follows has been done; "fail": a service,
// sub-workflow or wait does not succeed.
var Moves = []string{"agree", "submit", "disagree", "reject", "transfer", "timeout", "fail"}

// Misfit is a part of a request that fits nothing: Run and Decision are places in the lists, Decision -1 the run itself.
type Misfit struct {
	Run, Decision int
	Key           string // of the part: initiator, activityCode, person, action, to
	Word          string // that is unknown
	Near          string // what may be meant; "" = nothing
}

func (m *Misfit) Error() string { return "rehearsal: unknown " + m.Key + " " + m.Word }

// Rehearse plays a workflow without keeping anything: each run starts a real instance in a transaction that is given up. It is for those who
// administer workflows; who proposes a document must be allowed to publish it.
func (s *Service) Rehearse(ctx context.Context, view *authz.View, in Rehearsal) (*Rehearsed, error) {
	if !administers(view) {
		return nil, fault.New(fault.Forbidden)
	}
	policy := s.cfg.Policy()
	if policy.Catalog() != view.Catalog {
		return nil, fault.Later(fault.Unavailable, 1) // others were published this moment
	}
	w := view.Catalog.Workflow(in.Workflow)
	switch {
	case w == nil:
		return nil, fault.New(fault.WorkflowNotFound)
	case len(in.Runs) == 0 || len(in.Runs) > mostRuns:
		return nil, fault.New(fault.BadParameter, "runs")
	case in.Document != nil && !view.Has("ADMIN"):
		return nil, fault.New(fault.Forbidden)
	}
	if in.Document != nil {
		model := w.Model
		var err error
		if w, err = s.cfg.Compile(w.Pack, w.Template.Code, *in.Document); err != nil {
			return nil, err
		}
		if w.Model = view.Catalog.Model(w.Model.Code); w.Model != model {
			return nil, fault.New(fault.BadParameter, "document")
		}
	}
	out := newRehearsed(w, in.Document != nil)
	for i, run := range in.Runs {
		one, err := s.rehearseOne(ctx, view, policy, w, run)
		var misfit *Misfit
		if errors.As(err, &misfit) {
			misfit.Run = i
		}
		if err != nil {
			return nil, err
		}
		out.add(w, *one)
	}
	return out, nil
}

// rehearseOne plays one run, again where it met another transaction.
func (s *Service) rehearseOne(ctx context.Context, view *authz.View, policy *authz.Policy, w *catalog.Workflow, in RehearsalRun) (*RehearsedRun, error) {
	if len(in.Decisions) > mostDecisions {
		return nil, fault.New(fault.BadParameter, "decisions")
	}
	var err error
	for range tries {
		p := &play{ctx: ctx, caller: view, w: w, in: in, used: make([]bool, len(in.Decisions))}
		p.now = s.cfg.Clock().UTC()
		if in.At != nil {
			p.now = in.At.UTC()
		}
		cfg := s.cfg
		cfg.Clock, cfg.Policy = func() time.Time { return p.now }, func() *authz.Policy { return policy }
		p.s = fresh(cfg) // caches of its own: what it finds is not kept
		p.s.notes = &notes{view: view, given: in.Values}
		p.s.old[w.Template.Code+"@0"] = w
		err = s.cfg.DB.Write(ctx, func(tx *store.Tx) error {
			p.tx = tx
			if err := p.perform(); err != nil {
				return err
			}
			return errTried
		})
		switch {
		case errors.Is(err, errTried):
			return &p.out, nil
		case !errors.Is(err, store.ErrConflict):
			return nil, err
		}
	}
	return nil, fault.Wrap(err, fault.RecordBusy)
}

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

// fits looks the names of the request up.
func (p *play) fits() error {
	var ids []string
	for _, n := range p.w.Template.Nodes {
		ids = append(ids, n.ID)
	}
	who := func(name string) (string, bool) {
		if found := (&facts{ctx: p.ctx, s: p.s}).named([]string{name}); len(found) > 0 {
			return found[0], true
		}
		return "", false
	}
	misfit := func(decision int, key, word string, near []string) error {
		return &Misfit{Decision: decision, Key: key, Word: word, Near: diag.Nearest(word, near)}
	}
	names := func() (out []string) {
		for _, one := range p.s.cfg.People.People(p.ctx) {
			out = append(out, one.Username)
		}
		return out
	}
	var known bool
	starter := cmp.Or(p.in.Initiator, p.anyStarter())
	if p.in.Initiator, known = who(starter); !known {
		return misfit(-1, "initiator", starter, names())
	}
	p.in.Decisions = slices.Clone(p.in.Decisions)
	for i := range p.in.Decisions {
		d := &p.in.Decisions[i]
		d.Do = cmp.Or(d.Do, "agree")
		at := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, d.Node) })
		switch {
		case at < 0:
			return misfit(i, "activityCode", d.Node, ids)
		case !slices.Contains(Moves, d.Do):
			return misfit(i, "action", d.Do, Moves)
		}
		d.Node = ids[at]
		if name := d.Person; name != "" {
			if d.Person, known = who(name); !known {
				return misfit(i, "person", name, names())
			}
		}
		switch name := d.To; {
		case d.Do == "transfer":
			if d.To, known = who(name); !known {
				return misfit(i, "to", name, names())
			}
		case d.Do == "reject" && name != "":
			if at := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, name) }); at >= 0 {
				d.To = ids[at]
			} else {
				return misfit(i, "to", name, ids)
			}
		}
	}
	return nil
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

// decision takes the next one of the script for a task, if there is any: that of its node, of its person where it names one.
func (p *play) decision(r *running, i flow.Item) (RehearsalDecision, bool) {
	return p.take(r.state.Activity(i.Activity).Node, i.Person)
}

func (p *play) take(node, person string) (RehearsalDecision, bool) {
	for k, d := range p.in.Decisions {
		if !p.used[k] && d.Node == node && (d.Person == "" || d.Person == person) {
			p.used[k] = true
			return d, true
		}
	}
	return RehearsalDecision{}, false
}

// person lets the person of a task act. d without an action is what happens where the script says nothing: they agree.
func (p *play) person(r *running, i flow.Item, d RehearsalDecision) error {
	node := p.w.Nodes[r.state.Activity(i.Activity).Node]
	if d.Do == "timeout" {
		return p.pass(r, i, node)
	}
	r.view = p.as(i.Person)
	c := flow.Command{Do: flow.OpAgree, By: i.Person, At: p.now, Item: i.ID, Opinion: d.Opinion}
	switch d.Do {
	case "disagree", "reject", "transfer":
		c.Do = flow.Operation(d.Do)
	case "fail":
		c.Do = flow.OpDisagree
	}
	if node.Node.Type != flow.Approve && c.Do == flow.OpAgree {
		c.Do = flow.OpSubmit
	}
	switch c.Do {
	case flow.OpTransfer:
		c.People = []string{d.To}
	case flow.OpReject:
		if c.Node = d.To; c.Node == "" {
			if targets := p.w.Template.RejectTargets(r.state, i.ID); len(targets) > 0 {
				c.Node = targets[0]
			}
		}
	}
	if len(d.Values) > 0 {
		refused, err := p.write(r, node, d.Values)
		if err != nil {
			return err
		}
		if refused != nil {
			p.refuse(i, node, c, *refused)
			return nil
		}
	}
	if decides(c.Do) {
		if err := p.complete(r, node.Node.ID); err != nil {
			return err
		}
	}
	p.decided(i, node, c, d.Do != "")
	p.s.notes.forget()
	err := r.do(c)
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Code != fault.Internal {
		words := said(err)
		last := &p.out.Steps[len(p.out.Steps)-1]
		last.Refused = &words
		p.out.Outcome = OutcomeRefused
		return nil
	}
	if err != nil {
		return err
	}
	return p.tell(r)
}

// write saves what the person of a task writes, with the rights of the node.
func (p *play) write(r *running, node *catalog.WorkflowNode, set map[string]json.RawMessage) (*Words, error) {
	version, err := r.version()
	if err != nil {
		return nil, err
	}
	var words *Words
	err = p.tx.Try(p.ctx, func() error {
		_, err := p.s.cfg.Writer.SaveIn(p.ctx, p.tx, r.view.Through(atItem(p.w, node, p.record, true)),
			record.Change{Model: p.w.Model.Code, ID: p.record, Version: &version, Set: set, InProcess: true, MadeUp: true})
		return err
	})
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Code != fault.Internal {
		text := said(err)
		words, err = &text, nil
	}
	r.face() // the record is another one now
	return words, err
}

// pass lets time go by until the task is no longer open to its person, or nothing more happens.
func (p *play) pass(r *running, i flow.Item, node *catalog.WorkflowNode) error {
	p.passed(i, node)
	for range 50 {
		var next timer
		found := p.tx.System().Where("instance = ? AND done = ?", p.id, false).Order("due, subject, step").Limit(1).Find(&next)
		if found.Error != nil {
			return found.Error
		}
		if found.RowsAffected == 0 || next.Kind == timerRemind && next.Step >= 2*max(1, len(node.Time.OnTimeout)) {
			break
		}
		if err := p.fire(next); err != nil {
			return err
		}
		if r, err := p.hold(p.s.systemView()); err != nil {
			return err
		} else if now := r.state.Item(i.ID); !now.Ready() || r.state.Status != flow.Processing {
			return nil
		}
	}
	p.out.Outcome = OutcomeWaits // the task stays open, and its person does nothing
	return nil
}

// fire moves the clock to a timer and does what is due.
func (p *play) fire(t timer) error {
	if t.Due.After(p.now) {
		p.now = t.Due.UTC()
	}
	p.s.notes.forget()
	if err := p.s.fire(p.ctx, p.tx, t); err != nil {
		return err
	}
	r, err := p.hold(p.s.systemView())
	if err != nil {
		return err
	}
	p.elapsed(r, t)
	return p.tell(r)
}

// machine passes what the system does by itself: nothing is called or started in a rehearsal, and it counts as done.
func (p *play) machine(r *running, a flow.Activity, n *catalog.WorkflowNode) (bool, error) {
	d, known := p.take(a.Node, "")
	c := flow.Command{Do: flow.OpResume, At: p.now, Activity: a.ID}
	if known && d.Do == "fail" {
		c.Failed, c.Opinion = true, cmp.Or(d.Opinion, flow.StuckFailed)
	}
	if n.Node.Type == flow.Wait && !c.Failed {
		var due timer
		found := p.tx.System().Where("instance = ? AND subject = ? AND kind = ? AND done = ?", p.id, a.ID, string(flow.TimerWait), false).Limit(1).Find(&due)
		if found.Error != nil {
			return true, found.Error
		}
		if found.RowsAffected > 0 {
			return true, p.fire(due)
		}
	}
	p.automatic(a, n, c.Failed)
	return true, p.command(r, c)
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

// Rehearsable is a workflow as those see it who rehearse it (api.yaml RehearsalBasis).
type Rehearsable struct {
	Workflow string            `json:"workflowCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Model    string            `json:"schemaCode"`
	Form     string            `json:"sheetCode"`
	Proposes bool              `json:"canPropose"`
	Nodes    []Place           `json:"nodes"`
}

// Rehearsable answers what a rehearsal of a workflow can be made of.
func (s *Service) Rehearsable(_ context.Context, view *authz.View, code string) (*Rehearsable, error) {
	if !administers(view) {
		return nil, fault.New(fault.Forbidden)
	}
	w := view.Catalog.Workflow(code)
	if w == nil {
		return nil, fault.New(fault.WorkflowNotFound)
	}
	out := &Rehearsable{Workflow: w.Template.Code, Name: w.Label.Zh, NameI18n: i18n(w.Label), Model: w.Model.Code, Proposes: view.Has("ADMIN"), Nodes: []Place{}}
	if n := w.Nodes[w.Template.Start().ID]; n.Form != nil {
		out.Form = n.Form.Code
	}
	for _, n := range w.Template.Ordered() {
		out.Nodes = append(out.Nodes, Place{Node: n.ID, Name: w.Nodes[n.ID].Label.Zh, NameI18n: i18n(w.Nodes[n.ID].Label), Type: n.Type, People: []Person{}})
	}
	return out, nil
}
