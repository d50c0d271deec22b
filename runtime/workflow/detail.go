package workflow

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Opinion is what somebody did with an instance (api.yaml WorkflowOpinion).
type Opinion struct {
	Person      *Person           `json:"person"`      // null = the rule
	DelegatedBy *Person           `json:"delegatedBy"` // who delegated to Person
	Of          *Person           `json:"of"`          // in whose place the rule or the administrator acted
	Node        string            `json:"activityCode"`
	Name        string            `json:"activityName"`
	NameI18n    map[string]string `json:"activityName_i18n"`
	Operation   flow.Operation    `json:"operation"`
	Text        string            `json:"opinion"`
	Rule        flow.Rule         `json:"rule"`
	Step        int               `json:"step"` // of the rule, from 1; 0 = it has none
	People      []Person          `json:"people"`
	Removed     []Person          `json:"removed"`
	Time        time.Time         `json:"time"`
	Number      int64             `json:"logId"`   // of the event
	Changed     bool              `json:"changed"` // the record, with the same step
	Remark      *Remark           `json:"remark"`  // null = the opinion is all

	remark string // id
}

// OpinionRule says what a node asks of its people's words.
type OpinionRule struct {
	Required  string `json:"required"`
	MaxLength int    `json:"maxLength"`
	Signature bool   `json:"signature"`
}

// Target is a node that a task can be sent back to (api.yaml RejectTarget).
type Target struct {
	Place
	Direct bool `json:"direct"` // it can come back from there without passing the nodes between
}

// Detail is a task with its record (api.yaml WorkItemDetail).
type Detail struct {
	Item     Item            `json:"item"`
	Form     *query.FormLoad `json:"form"`
	Actions  []string        `json:"actions"`
	Rule     OpinionRule     `json:"opinionRule"`
	Targets  []Target        `json:"rejectNodes"`
	Resubmit string          `json:"resubmit"`
	Opinions []Opinion       `json:"opinions"`
}

// Detail answers a task of the caller; it counts as seen from then on.
func (s *Service) Detail(ctx context.Context, view *authz.View, id string) (*Detail, error) {
	var out *Detail
	var at *running
	var it item
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if it, err = ownItem(tx, view, id); err != nil {
			return err
		}
		if at, err = s.read(ctx, tx, view, it.Instance); err != nil {
			return err
		}
		if it.State == string(flow.ItemCancelled) { // others have it now, or nobody
			return at.handled(it, fault.New(fault.ItemFinished))
		}
		node := at.w.Nodes[it.Node]
		if node == nil {
			return fault.New(fault.WorkflowStepGone)
		}
		out = &Detail{Item: s.item(ctx, view, at.w, it, at.row), Actions: at.actions(it, node), Targets: []Target{}, Resubmit: string(node.Node.Reject.Resubmit),
			Rule: OpinionRule{Required: node.Opinion.Required, MaxLength: node.Opinion.MaxLength, Signature: signs(node, it, flow.OpAgree)}}
		if it.List == listUnfinished && countersigned(node.Node) {
			if hidden, err := at.hides(it.Node, ""); err != nil {
				return err
			} else if !hidden {
				out.Item.Votes = votes(at.w.Template, at.state, it.Number)
			}
		}
		if out.Rule.MaxLength == 0 {
			out.Rule.MaxLength = longest
		}
		if out.Rule.Required == "" {
			out.Rule.Required = "never"
		}
		if out.Resubmit == "" {
			out.Resubmit = string(flow.Rerun)
		}
		if node.ChoosesResubmit {
			out.Resubmit = "choose"
		}
		if slices.Contains(out.Actions, "reject") {
			for _, target := range at.w.Template.RejectTargets(at.state, it.Number) {
				out.Targets = append(out.Targets, Target{s.place(ctx, at.w, target, handlersOf(at.state, target)), at.w.Template.Direct(at.state, it.Number, target)})
			}
			if len(out.Targets) == 0 {
				out.Actions = slices.DeleteFunc(out.Actions, func(a string) bool { return a == "reject" })
			}
		}
		events, numbers, err := at.events()
		if err != nil {
			return err
		}
		out.Opinions, err = at.remarked(at.said(events, numbers, false))
		return err
	})
	if err != nil {
		return nil, err
	}
	node := at.w.Nodes[it.Node]
	writes := slices.Contains(out.Actions, "save") || slices.Contains(out.Actions, "agree") || slices.Contains(out.Actions, "submit")
	form := ""
	if node.Form != nil {
		form = node.Form.Code
	}
	out.Form, err = s.cfg.Reader.FormLoad(ctx, view.Through(atItem(at.w, node, at.row.Record, writes && it.Type != string(flow.ItemAssist))),
		query.FormRequest{SchemaCode: at.row.Model, SheetCode: form, ObjectID: at.row.Record})
	if err != nil {
		return nil, err
	}
	out.Form.Form.Buttons = out.Form.Form.Buttons[:0]
	if p := view.Principal(); p.ReadOnly || p.SeenBy != "" { // who only looks leaves no trace
		return out, nil
	}
	if it.Opened == nil {
		err = s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			now := s.cfg.Clock().UTC()
			return tx.System().Model(&item{}).Where("id = ? AND opened IS NULL", id).Update("opened", now).Error
		})
	}
	if err == nil && it.List == listUnread {
		err = s.MarkRead(ctx, view, []string{id})
	}
	return out, err
}

// actions are what the person of a task may do with it now.
func (r *running) actions(it item, node *catalog.WorkflowNode) []string {
	out := []string{}
	open := r.state.Status == flow.Processing || r.state.Status == flow.Exception
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	allowed := func(op flow.Operation) bool { return slices.Contains(node.Node.Actions, op) }
	switch {
	case !open:
	case it.List == listFinished:
		if allowed(flow.OpWithdraw) && r.withdrawable(it) {
			add("withdraw")
		}
	case it.List != listUnfinished:
	case it.Type == string(flow.ItemAssist):
		add("submit")
	default:
		if node.Node.Type == flow.Approve {
			add("agree")
			if allowed(flow.OpDisagree) {
				add("disagree")
			}
		} else {
			add("submit")
		}
		add("save")
		if r.w.Template.Claimable(r.state, it.Number) {
			add("claim")
		}
		if r.w.Template.Claimed(r.state, it.Number) {
			add("release")
		}
		for _, one := range []struct {
			op   flow.Operation
			name string
		}{{flow.OpReject, "reject"}, {flow.OpTransfer, "transfer"}, {flow.OpAddSign, "add_sign"}, {flow.OpAssist, "assist"}, {flow.OpCirculate, "circulate"}} {
			if allowed(one.op) && (one.op != flow.OpAddSign || r.w.Template.MayAddSign(r.state, it.Number)) {
				add(one.name)
			}
		}
	}
	return out
}

// withdrawable tries whether a task can be taken back, without doing it.
func (r *running) withdrawable(it item) bool {
	_, err := r.w.Template.Do(r.state, r.command(it, Command{Do: flow.OpWithdraw}), r.facts)
	return err == nil && r.facts.err == nil
}

// events are all that happened to the instance, with their numbers.
func (r *running) events() (out []flow.Event, numbers []int64, err error) {
	var rows []event
	if err := r.tx.System().Where("instance = ?", r.row.ID).Order("number").Find(&rows).Error; err != nil {
		return nil, nil, err
	}
	out, numbers = make([]flow.Event, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		numbers[i] = row.Number
		if out[i], err = row.read(r.tx.NameLog(), r.row.Code); err != nil {
			return nil, nil, err
		}
	}
	return out, numbers, nil
}

// said are the entries of an instance's log. all = also what says nothing, such as saving.
func (r *running) said(events []flow.Event, numbers []int64, all bool) ([]Opinion, error) {
	out := []Opinion{}
	moves := r.delegations(events)
	ruled := map[int]time.Time{} // items that a rule decided, and when
	for k, e := range events {
		if moved, ok := moves[k]; ok && all {
			out = append(out, moved)
		}
		switch {
		case e.Kind == flow.Logged && ruled[e.On].Equal(e.At): // said with the decision of the rule
		case e.Kind == flow.Logged && (all || e.Operation != flow.OpSave && e.Operation != flow.OpClaim && e.Operation != flow.OpRelease && e.Operation != flow.OpFollow):
			o := r.entry(Opinion{Node: e.Node, Operation: e.Operation, Text: e.Text, People: r.s.persons(r.ctx, e.To), Removed: r.s.persons(r.ctx, e.Gone), Time: e.At.UTC(),
				Number: numbers[k], Changed: e.Version > 0}, e.By)
			if i := r.state.Item(e.On); i != nil && e.By == flow.ByPerson(i.Person) {
				o.DelegatedBy = r.s.someone(r.ctx, i.From)
			}
			hidden, err := r.hides(e.Node, e.By.Person)
			if err != nil {
				return nil, err
			}
			if o.remark = e.Remark; hidden {
				o.Text, o.remark = "", ""
			}
			out = append(out, o)
		case e.Kind == flow.ItemIs && e.Item.Rule != "" && e.Item.State == flow.ItemDone && e.Item.Finished.Equal(e.At) && ruled[e.Item.ID].IsZero():
			ruled[e.Item.ID] = e.At
			by := e.By
			if by.Rule == "" { // of an older version, which named the person whose command led to it
				by = flow.By{Rule: e.Item.Rule, For: e.Item.Person}
			}
			out = append(out, r.entry(Opinion{Node: r.state.Activity(e.Item.Activity).Node, Operation: e.Item.Verdict.Operation(), People: []Person{}, Time: e.At.UTC(), Number: numbers[k]}, by))
		}
	}
	for i := range out {
		if out[i].Removed == nil {
			out[i].Removed = []Person{}
		}
		out[i].Name, out[i].NameI18n = out[i].Node, map[string]string{}
		if n := r.w.Nodes[out[i].Node]; n != nil {
			out[i].Name, out[i].NameI18n = n.Label.Zh, i18n(n.Label)
		}
	}
	return out, nil
}

// entry says who did what an entry of the log tells.
func (r *running) entry(o Opinion, by flow.By) Opinion {
	o.Person, o.Rule, o.Step = r.s.someone(r.ctx, by.Person), by.Rule, by.Step
	if whose := r.s.someone(r.ctx, by.For); by.Rule == "" {
		o.DelegatedBy = whose
	} else {
		o.Of = whose
	}
	return o
}

// remarked adds to entries of the log what belongs to them.
func (r *running) remarked(entries []Opinion, err error) ([]Opinion, error) {
	if err != nil {
		return nil, err
	}
	byID, _, err := r.remarksOf()
	for i := range entries {
		entries[i].Remark = byID[entries[i].remark]
	}
	return entries, err
}

// Next is what an action would lead to (api.yaml NextNodes).
type Next struct {
	Nodes []Place `json:"nodes"`
	Waits bool    `json:"waits"`
	Ends  bool    `json:"ends"`
	Fault *string `json:"fault"`
	// Choices are the people whom the caller chooses with the action.
	Choices []Choice `json:"choices"`
}

// errTried ends a transaction that was only a trial.
var errTried = errors.New("tried")

// Next tells what an action of the caller would lead to. It runs the action in a transaction that is given up.
func (s *Service) Next(ctx context.Context, view *authz.View, c Command) (*Next, error) {
	var out *Next
	err := s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, it, node, err := s.takeUp(ctx, tx, view, Command{Item: c.Item, Do: flow.OpSave})
		if err != nil {
			return err
		}
		if _, err := r.save(it, node, c); err != nil {
			return err
		}
		r.facts.choosing = c.Do != flow.OpReject
		events, err := r.w.Template.Do(r.state, r.command(it, c), r.facts)
		if err != nil {
			return err
		}
		after := r.state.Clone()
		for _, e := range events {
			after.Apply(e)
		}
		out = s.compared(ctx, r, after, it.Number)
		out.Choices = append(out.Choices, r.facts.asks...)
		return errTried
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return out, err
}

// compared tells what is open after a command and was not before.
func (s *Service) compared(ctx context.Context, r *running, after *flow.State, done int) *Next {
	out := &Next{Nodes: []Place{}, Choices: []Choice{}, Ends: after.Status == flow.Completed || after.Status == flow.Canceled}
	for _, a := range after.Activities {
		known := r.state.Activity(a.ID) != nil
		if a.State != flow.ActivityActive && (known || !hands(after, a)) {
			continue
		}
		var people []string
		for _, i := range after.Items {
			before := r.state.Item(i.ID)
			fresh := before == nil || i.Ready() && !before.Ready() && i.ID != done
			if i.Activity == a.ID && i.Open() && i.Person != "" && fresh && !slices.Contains(people, i.Person) {
				people = append(people, i.Person)
			}
		}
		if known && len(people) == 0 {
			continue
		}
		out.Nodes = append(out.Nodes, s.place(ctx, r.w, a.Node, people))
	}
	for _, t := range after.Live() {
		if t.Fault != "" {
			n := r.w.Nodes[t.Node]
			name := t.Node
			if n != nil {
				name = n.Label.Zh
			}
			out.Fault = &name
		}
	}
	if i := r.state.Item(done); i != nil && len(out.Nodes) == 0 && !out.Ends {
		out.Waits = true
	}
	return out
}

// hands reports whether an activity gives out copies, which nobody waits for.
func hands(s *flow.State, a flow.Activity) bool {
	return slices.ContainsFunc(s.Items, func(i flow.Item) bool { return i.Activity == a.ID && i.Type == flow.ItemCirculate })
}

// BaseInfo is the workflow of a record (api.yaml WorkflowBaseInfo).
type BaseInfo struct {
	Instance Instance `json:"instance"`
	Status   string   `json:"status"`
	Item     *string  `json:"workItemId"`
}

// OfRecord answers the workflow that a record runs in, or last ran in; nil where it never did. Only those who see the record hear of it.
func (s *Service) OfRecord(ctx context.Context, view *authz.View, model, id string) (out *BaseInfo, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, _, err := s.cfg.Reader.Title(ctx, tx, view, queryRef(model, id)); err != nil {
			return err
		}
		var row instance
		found := tx.System().Where("model = ? AND record = ?", view.Model(model).Code, id).Order("started DESC").Limit(1).Find(&row)
		if found.Error != nil || found.RowsAffected == 0 {
			return found.Error
		}
		one, err := s.instance(ctx, tx, view, row)
		if err != nil {
			return err
		}
		out = &BaseInfo{Instance: *one, Status: row.Status}
		var next item
		if found := tx.System().Where("instance = ? AND person = ? AND list = ?", row.ID, view.User(), listUnfinished).Order("number").Limit(1).Find(&next); found.RowsAffected > 0 {
			out.Item = &next.ID
		}
		return nil
	})
	return out, err
}

// instance puts a row into an answer. One of which nothing else can be read is at no step, and who administers workflows can delete it.
func (s *Service) instance(ctx context.Context, tx *store.Tx, view *authz.View, row instance) (*Instance, error) {
	state, err := stateOf(tx, row)
	if err != nil && !unreadable(err) {
		return nil, err
	}
	w, err := s.workflow(tx, view.Catalog, row.Code, row.Version)
	if err != nil {
		return nil, err
	}
	name, _ := s.labels(view.Catalog, row.Code, "")
	if view.Catalog.Workflow(row.Code) == nil { // it is called as it was
		name = w.Label
	}
	out := &Instance{ID: row.ID, Name: row.Name, Workflow: row.Code, WorkflowName: name.Zh, WorkflowNameI18n: i18n(name), Version: row.Version, Model: row.Model, Record: row.Record,
		Originator: s.person(ctx, row.Initiator), State: row.Status, Result: row.Result, Started: row.Started.UTC(), Finished: row.Finished, Current: []Place{}, Summary: []Line{}}
	if w.Model != nil {
		out.App = appOf(view.Catalog, w.Model)
	}
	if out.Name, err = s.nameFor(tx, view, w, row, state); err != nil {
		return nil, err
	}
	if state == nil {
		out.CanDelete = administers(view)
		return out, nil
	}
	live := state.Status == flow.Processing || state.Status == flow.Exception
	for _, a := range state.Activities {
		if a.State != flow.ActivityActive {
			continue
		}
		var people []string
		for _, i := range state.Items {
			if i.Activity == a.ID && i.Ready() && i.Type != flow.ItemCirculate && !slices.Contains(people, i.Person) {
				people = append(people, i.Person)
			}
		}
		out.Current = append(out.Current, s.place(ctx, w, a.Node, people))
	}
	own := row.Initiator == view.User()
	_, refused := w.Template.Do(state, flow.Command{Do: flow.OpRevoke, By: view.User(), At: s.cfg.Clock()}, nil)
	out.CanRevoke = own && refused == nil
	_, refused = w.Template.Do(state, flow.Command{Do: flow.OpUrge, By: view.User(), At: s.cfg.Clock()}, nil)
	out.CanUrge = refused == nil
	out.CanVoid = live && voids(view, w, state)
	out.CanRetry, out.CanDelete = state.Status == flow.Exception && administers(view), !live && administers(view)
	return out, nil
}

// voids reports whether a caller may end an instance for good: who administers workflows may, and the initiator where the workflow lets them, or
// where it was sent back to them.
func voids(view *authz.View, w *catalog.Workflow, s *flow.State) bool {
	if administers(view) {
		return true
	}
	start := w.Template.Start()
	if start == nil {
		return false
	}
	sentBack := slices.ContainsFunc(s.Live(), func(t flow.Token) bool { return t.Node == start.ID })
	return s.Initiator == view.User() && (sentBack || !w.AdminVoids && slices.Contains(start.Actions, flow.OpVoid))
}

// AgreeAll agrees to several tasks of nodes that allow it, each in its own transaction. The errors stand at the places of their tasks.
func (s *Service) AgreeAll(ctx context.Context, view *authz.View, ids []string, opinion, token string) []error {
	out := make([]error, len(ids))
	for i, id := range ids {
		one := token
		if token != "" {
			one = "of many " + token + " " + id
		}
		out[i] = s.agreeOne(ctx, view, id, opinion, one)
	}
	return out
}

func (s *Service) agreeOne(ctx context.Context, view *authz.View, id, opinion, token string) error {
	var allowed bool
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		it, err := ownItem(tx, view, id)
		if err != nil {
			return err
		}
		r, err := s.read(ctx, tx, view, it.Instance)
		if err != nil {
			return err
		}
		n := r.w.Nodes[it.Node]
		allowed = n != nil && batches(n)
		return nil
	})
	if err != nil {
		return err
	}
	if !allowed {
		return fault.New(fault.NotBatch)
	}
	_, err = s.Act(ctx, view, Command{Item: id, Do: flow.OpAgree, Opinion: opinion, Token: token})
	return err
}
