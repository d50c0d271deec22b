package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
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
		return nil, store.ErrSchemaMoved // others were published this moment: the caller comes again
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
		if w, err = s.cfg.Proposed(ctx, w.Pack, w.Template.Code, *in.Document); err != nil {
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
		p.s.calendars = s.calendars
		p.s.notes = &notes{view: view, given: in.Values}
		p.s.of, p.s.old[w.Template.Code+"@0"] = view.Catalog, w
		err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			p.ctx, p.tx = ctx, tx
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
