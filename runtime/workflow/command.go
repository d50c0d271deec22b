package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	tries        = 5   // of a command that meets another transaction
	longest      = 200 // characters of an opinion
	urgeInterval = 30  // minutes, where a workflow says nothing
)

// Command is what somebody does with a task.
type Command struct {
	Item     string
	Do       flow.Operation
	Version  *int64 // of the record that the caller has seen; needed with Data
	Data     map[string]json.RawMessage
	Opinion  string
	People   []string
	Node     string // of reject
	Placing  flow.Placing
	Resubmit flow.Resubmit
	Choices  map[string][]string // people of nodes that the person of the node before chooses, by node
	Token    string

	Signature string   // an upload of the person, or SavedSignature
	Files     []string // uploads of the person
	Mentions  []string // people
}

// Order is what somebody does with an instance.
type Order struct {
	Instance string
	Do       flow.Operation
	Opinion  string
	Node     string   // of jump, activate, cancelActivity and adjust
	From     string   // of jump: the node whose work is left; "" = what is stuck, or the only one that can go there
	People   []string // of adjust: who comes
	Remove   []string // of adjust: who goes
	Token    string
}

// Done answers a command (api.yaml WorkflowDone).
type Done struct {
	Instance string      `json:"workflowInstanceId"`
	Status   flow.Status `json:"instanceState"`
	Model    string      `json:"schemaCode"`
	Record   string      `json:"bizObjectId"`
	Version  int64       `json:"version"`
	Next     *string     `json:"nextWorkItemId"`
}

// running is an instance that a command holds.
type running struct {
	s     *Service
	ctx   context.Context
	tx    *store.Tx
	view  *authz.View
	row   instance
	w     *catalog.Workflow
	state *flow.State
	facts *facts

	secrecy secrecy // nil = nobody has asked
	quiet   bool    // people hear of their new tasks otherwise: of many at once
	silent  bool    // nobody hears of anything

	was, made int64 // versions of the record before and after what the command saved; 0 = it saved nothing
}

// attempt runs a command in a transaction of its own, again when it met another one. A repeat with the same token answers what the first did.
func (s *Service) attempt(ctx context.Context, view *authz.View, token string, asked any, f func(ctx context.Context, tx *store.Tx) (Done, error)) (Done, error) {
	out, err := doOnce(ctx, s, view, token, asked, f)
	if err != nil {
		return Done{}, err
	}
	return s.behind(ctx, view, out), nil
}

// doOnce is attempt for what answers something else.
func doOnce[T any](ctx context.Context, s *Service, view *authz.View, token string, asked any, f func(ctx context.Context, tx *store.Tx) (T, error)) (out T, err error) {
	request, err := json.Marshal(asked)
	if err != nil {
		return out, err
	}
	for range tries {
		err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			answer, err := s.cfg.Writer.Once(ctx, tx, view, token, string(request), func() ([]byte, error) {
				done, err := f(ctx, tx)
				if err != nil {
					return nil, err
				}
				return json.Marshal(done)
			})
			if err != nil {
				return err
			}
			return json.Unmarshal(answer, &out)
		})
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		return out, err
	}
	return out, fault.Wrap(err, fault.RecordBusy)
}

// keyed keeps the tokens of one sort of command apart from those of others; "" = it may not be repeated.
func keyed(sort, token string) string {
	if token == "" {
		return ""
	}
	return "workflow " + sort + " " + token
}

// place is a part of a template of names: {name}, {createdTime:yyyyMMdd}.
var place = regexp.MustCompile(`\{([A-Za-z][A-Za-z0-9_]*)(?::([^{}]*))?\}`)

// atStart narrows what the initiator may write to what the start lets be written.
func atStart(w *catalog.Workflow, start *catalog.WorkflowNode) *authz.Lens {
	g := catalog.Grant{Model: w.Model, Actions: []string{"*"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable, Fields: start.Rights(), Sheets: rowRights(start)}
	return &authz.Lens{Name: "start " + w.Template.Code, Effect: authz.Narrows, Grants: []catalog.Grant{g}}
}

// atItem is what the person of a task may see and write of its record, whatever their roles give; also of those of other tasks of theirs at the
// same step.
func atItem(w *catalog.Workflow, node *catalog.WorkflowNode, id string, writes bool, others ...string) *authz.Lens {
	one := among(append([]string{id}, others...)...)
	g := catalog.Grant{Model: w.Model, Actions: []string{"view"}, Rows: one, EditRows: plan.False, Rest: catalog.Readable, Fields: node.Rights(), Sheets: rowRights(node)}
	if writes {
		g.Actions, g.EditRows = append(g.Actions, "edit"), one
	}
	switch {
	case node.Closed:
		g.Rest = catalog.Hidden
	case node.Node.Type == flow.Start || node.Node.Type == flow.Fill:
		g.Rest = catalog.Writable
	}
	return &authz.Lens{Name: "work item of " + w.Template.Code, Effect: authz.Replaces, Grants: []catalog.Grant{g}}
}

// rowRights are what a node lets be done with the rows of the sub-tables that it names.
func rowRights(n *catalog.WorkflowNode) map[string]catalog.RowRights {
	out := map[string]catalog.RowRights{}
	for code, right := range n.Fields {
		out[code] = right.Rows()
	}
	return out
}

// Act does something with a task of the caller.
func (s *Service) Act(ctx context.Context, view *authz.View, c Command) (Done, error) {
	return s.attempt(ctx, view, keyed("item", c.Token), c, func(ctx context.Context, tx *store.Tx) (Done, error) {
		r, it, node, err := s.takeUp(ctx, tx, view, c)
		if err != nil {
			return Done{}, err
		}
		version, err := r.save(it, node, c)
		if err != nil {
			return Done{}, err
		}
		if decides(c.vote(node.Node)) && it.Type != string(flow.ItemAssist) {
			if err := r.complete(node); err != nil {
				return Done{}, err
			}
		}
		if err := r.choose(c.Choices, node); err != nil {
			return Done{}, err
		}
		r.facts.choosing = decides(c.Do) || c.Do == flow.OpDisagree
		said, err := r.remark(it, node, c)
		if err != nil {
			return Done{}, r.handled(it, err)
		}
		do := r.command(it, c)
		do.Remark = said.id
		if err := r.do(do); err != nil {
			return Done{}, r.handled(it, err)
		}
		if err := r.tellMentioned(said, node, c.Opinion); err != nil {
			return Done{}, err
		}
		return r.done(version)
	})
}

func decides(op flow.Operation) bool { return op == flow.OpAgree || op == flow.OpSubmit }

// vote is what a command decides: who asks for signers after themselves has agreed (engine/flow: addSign).
func (c Command) vote(n *flow.Node) flow.Operation {
	inTurn := n.Mode == flow.Seq || n.Mode == flow.Levels
	if c.Do == flow.OpAddSign && (c.Placing == flow.After || inTurn && c.Placing == flow.Parallel) {
		return flow.OpAgree
	}
	return c.Do
}

func (r *running) command(it item, c Command) flow.Command {
	return flow.Command{Do: c.Do, By: r.view.User(), At: r.s.cfg.Clock().UTC(), Item: it.Number, Node: c.Node, People: c.People, Placing: c.Placing,
		Resubmit: c.Resubmit, Opinion: c.Opinion, Choices: c.Choices}
}

// takeUp locks the instance of a caller's task and checks what the reducer does not know of.
func (s *Service) takeUp(ctx context.Context, tx *store.Tx, view *authz.View, c Command) (*running, item, *catalog.WorkflowNode, error) {
	it, err := ownItem(tx, view, c.Item)
	if err != nil {
		return nil, it, nil, err
	}
	r, err := s.hold(ctx, tx, view, it.Instance)
	if err != nil {
		return nil, it, nil, err
	}
	if it, err = ownItem(tx, view, c.Item); err != nil { // what others did before the lock was had
		return nil, it, nil, err
	}
	node := r.w.Nodes[it.Node]
	if node == nil {
		return nil, it, nil, fault.New(fault.WorkflowStepGone)
	}
	if err := r.calls(c.Node); err != nil {
		return nil, it, nil, err
	}
	if c.Do == flow.OpCirculate && it.List == listFinished { // the copy goes on from a finished task too
		return nil, it, nil, r.handled(it, fault.New(fault.ItemFinished))
	}
	if c.Resubmit != "" && !node.ChoosesResubmit {
		return nil, it, nil, fault.New(fault.BadParameter, "resubmit")
	}
	if err := opinion(node, c.vote(node.Node), c.Opinion); err != nil {
		return nil, it, nil, err
	}
	if !s.ables(ctx, c.People) {
		return nil, it, nil, fault.New(fault.BadParameter, "people")
	}
	return r, it, node, nil
}

func ownItem(tx *store.Tx, view *authz.View, id string) (it item, err error) {
	err = tx.System().Where("id = ? AND person = ?", id, view.User()).Take(&it).Error
	if errors.Is(err, gorm.ErrRecordNotFound) || view.User() == "" {
		return item{}, fault.New(fault.ItemNotYours)
	}
	return it, err
}

// opinion checks what somebody wrote.
func opinion(n *catalog.WorkflowNode, do flow.Operation, text string) error {
	most := n.Opinion.MaxLength
	if most == 0 {
		most = longest
	}
	if utf8.RuneCountInString(text) > most {
		return fault.New(fault.OpinionTooLong, most)
	}
	if strings.TrimSpace(text) != "" {
		return nil
	}
	needed := false
	switch n.Opinion.Required {
	case "always":
		needed = decides(do) || do == flow.OpDisagree || do == flow.OpReject
	case "onReject":
		needed = do == flow.OpReject || do == flow.OpDisagree
	case "onDisagree":
		needed = do == flow.OpDisagree
	}
	if needed {
		return fault.New(fault.OpinionRequired)
	}
	return nil
}

// hold locks an instance until the transaction ends, and reads it.
func (s *Service) hold(ctx context.Context, tx *store.Tx, view *authz.View, id string) (*running, error) {
	if err := tx.Lock(ctx, lockName(id)); err != nil {
		return nil, err
	}
	return s.read(ctx, tx, view, id)
}

func lockName(instance string) string { return "workflow instance " + instance }

func (s *Service) read(ctx context.Context, tx *store.Tx, view *authz.View, id string) (*running, error) {
	var row instance
	if err := tx.System().Where("id = ?", id).Take(&row).Error; err != nil {
		if errors.Is(err, gorm.ErrRecordNotFound) {
			err = fault.New(fault.WorkflowNotFound)
		}
		return nil, err
	}
	return s.running(ctx, tx, view, row)
}

// running takes an instance up that was read.
func (s *Service) running(ctx context.Context, tx *store.Tx, view *authz.View, row instance) (*running, error) {
	r := &running{s: s, ctx: within(ctx, row.ID), tx: tx, view: view, row: row}
	var err error
	if r.w, err = s.workflow(tx, view.Catalog, r.row.Code, r.row.Version); err != nil {
		return nil, err
	}
	if r.state, err = stateOf(tx, row); err != nil {
		return nil, err
	}
	r.face()
	return r, nil
}

// face lets the reducer ask about the instance.
func (r *running) face() {
	r.facts = &facts{ctx: r.ctx, s: r.s, tx: r.tx, w: r.w, id: r.row.Record, who: r.row.Initiator, name: r.row.Name, notes: r.s.notes}
}

// save writes what the person of a task changed in the record. It returns the version of the record.
func (r *running) save(it item, node *catalog.WorkflowNode, c Command) (int64, error) {
	if len(c.Data) == 0 {
		return r.version()
	}
	writes := it.List == listUnfinished && it.Type != string(flow.ItemAssist) && (it.State == string(flow.ItemTodo) || it.State == string(flow.ItemDoing))
	if !writes {
		return 0, r.handled(it, fault.New(fault.ItemFinished))
	}
	saved, err := r.s.cfg.Writer.SaveIn(r.ctx, r.tx, r.view.Through(atItem(r.w, node, r.row.Record, true)),
		record.Change{Model: r.w.Model.Code, ID: r.row.Record, Version: c.Version, Set: c.Data, InProcess: true})
	r.wrote(saved.Version, c.Version)
	return saved.Version, err
}

func (r *running) version() (int64, error) {
	st, _, err := r.facts.record()
	if err != nil {
		return 0, err
	}
	return st.Version(), nil
}

// complete refuses while a field that a node requires is empty.
func (r *running) complete(node *catalog.WorkflowNode) error {
	missing, err := r.facts.missing(node.Node.ID)
	if err != nil || len(missing) == 0 {
		return err
	}
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{len(missing)}, Data: fault.Invalid{Errors: missing}}
}

// do runs a command of the reducer and keeps what happened.
func (r *running) do(c flow.Command) error {
	events, err := r.w.Template.Do(r.state, c, r.facts)
	if err = cmp.Or(r.facts.err, err, r.facts.asked()); err != nil {
		return err
	}
	r.facts.choosing = false
	return r.keep(events)
}

func (r *running) done(version int64) (Done, error) {
	out := Done{Instance: r.row.ID, Status: r.state.Status, Model: r.row.Model, Record: r.row.Record, Version: version}
	if m := r.view.Catalog.Model(r.row.Model); m != nil {
		if st, err := record.NewJudge(r.ctx, r.tx, r.s.systemView()).State(m, r.row.Record); err != nil {
			return out, err
		} else if st != nil {
			out.Version = st.Version()
		}
	}
	var next item
	found := r.tx.System().Where("instance = ? AND person = ? AND list = ?", r.row.ID, r.view.User(), listUnfinished).Order("number").Limit(1).Find(&next)
	if found.Error == nil && found.RowsAffected > 0 {
		out.Next = &next.ID
	}
	return out, found.Error
}

// Order does something with an instance.
func (s *Service) Order(ctx context.Context, view *authz.View, o Order) (Done, error) {
	return s.attempt(ctx, view, keyed("order", o.Token), o, func(ctx context.Context, tx *store.Tx) (Done, error) {
		r, err := s.hold(ctx, tx, view, o.Instance)
		if err != nil {
			return Done{}, err
		}
		admin := administers(view)
		if !admin && r.row.Initiator != view.User() && !takesPart(r.state, view.User()) {
			return Done{}, fault.New(fault.WorkflowNotFound)
		}
		if utf8.RuneCountInString(o.Opinion) > longest {
			return Done{}, fault.New(fault.OpinionTooLong, longest)
		}
		c := flow.Command{Do: o.Do, By: view.User(), At: s.cfg.Clock().UTC(), Opinion: o.Opinion, Node: o.Node, People: o.People, Remove: o.Remove, Admin: admin}
		switch o.Do {
		case flow.OpVoid:
			if !voids(view, r.w, r.state) {
				return Done{}, fault.New(fault.VoidRefused)
			}
		case flow.OpUrge:
			wait := time.Duration(cmp.Or(r.w.UrgeInterval, urgeInterval)) * time.Minute
			if u := r.row.Urged; u != nil && c.At.Sub(*u) < wait {
				return Done{}, fault.New(fault.UrgeTooSoon, int((wait-c.At.Sub(*u)+time.Minute-1)/time.Minute))
			}
			r.row.Urged = &c.At
		case flow.OpJump, flow.OpAdjust, flow.OpRetry, flow.OpActivate, flow.OpCancel:
			if err := r.mend(o, &c); err != nil {
				return Done{}, err
			}
		}
		if err := r.do(c); err != nil {
			return Done{}, err
		}
		return r.done(0)
	})
}

func takesPart(s *flow.State, person string) bool {
	return slices.ContainsFunc(s.Items, func(i flow.Item) bool { return person != "" && (i.Person == person || i.From == person) })
}
