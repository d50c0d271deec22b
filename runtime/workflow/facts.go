package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// facts answers the reducer's questions in the transaction of its command: the record is as the command has just saved it.
type facts struct {
	ctx   context.Context
	s     *Service
	tx    *store.Tx
	w     *catalog.Workflow
	id    string // of the record
	who   string // the initiator
	name  string // of the instance
	notes *notes // of a rehearsal; nil = nobody keeps them

	state  *record.State
	judge  *record.Judge
	vars   map[string]any    // of judge
	leader map[string]string // of departments that were asked for
	// choosing: a person is there who has to choose the people of the next nodes.
	choosing bool
	asks     []Choice        // what that person has not chosen
	now      *flow.State     // of the command that runs; nil outside of one
	err      error           // of what the reducer cannot be told
	copies   map[string]bool // by the person who delegated: whether they see what their delegate has
}

var _ flow.Facts = (*facts)(nil)

// fresh reads the record again: something has changed it.
func (f *facts) fresh() (*record.State, *record.Judge, error) {
	f.state = nil
	return f.record()
}

// record reads the record once.
func (f *facts) record() (*record.State, *record.Judge, error) {
	if f.state != nil {
		f.nodes()
		return f.state, f.judge, nil
	}
	from, _ := f.s.cfg.People.Person(f.ctx, f.who)
	f.vars = map[string]any{
		"initiator.id": f.who, "initiator.name": from.Name, "initiator.dept": text(from.MainDepartment), "initiator.roles": list(from.Roles),
		"initiator.departments": list(from.Departments), "initiator.allDepartments": list(f.above(from.Departments)), "instance.name": f.name,
	}
	f.judge = record.NewJudge(f.ctx, f.tx, f.s.systemView()).With(f.vars).Among(f.belongs)
	if f.w.Model == nil {
		return nil, nil, fault.New(fault.WorkflowPartBroken)
	}
	st, err := f.judge.State(f.w.Model, f.id)
	if err != nil {
		return nil, nil, err
	}
	if st == nil {
		return nil, nil, fault.New(fault.RecordNotFound)
	}
	f.state = st
	f.nodes()
	return st, f.judge, nil
}

// above are departments with all that they lie below.
func (f *facts) above(departments []string) (out []string) {
	for _, d := range departments {
		for d != "" && !slices.Contains(out, d) {
			out = append(out, d)
			up, _ := f.s.cfg.People.Department(f.ctx, d)
			d = up.Parent
		}
	}
	return out
}

// belongs reports whether one of the people or departments belongs to one of the departments, or to one below.
func (f *facts) belongs(ids, departments []string) bool {
	below := f.s.cfg.People.Below(f.ctx, departments)
	return slices.ContainsFunc(ids, func(id string) bool {
		if slices.Contains(below, id) {
			return true
		}
		who, _ := f.s.cfg.People.Person(f.ctx, id)
		return slices.ContainsFunc(who.Departments, func(d string) bool { return slices.Contains(below, d) })
	})
}

// Observe implements flow.Observer.
func (f *facts) Observe(s *flow.State) { f.now = s }

// nodes gives expressions what the people of each node have made of it in its last round.
func (f *facts) nodes() {
	if f.now == nil || !f.w.NamesNodes {
		return
	}
	for id := range f.w.Nodes {
		var last *flow.Activity
		for i := range f.now.Activities {
			if f.now.Activities[i].Node == id {
				last = &f.now.Activities[i]
			}
		}
		if last == nil {
			continue
		}
		result, opinions := "", []string(nil)
		switch last.State {
		case flow.ActivityPassed:
			result = "agree"
		case flow.ActivityFailed:
			result = "disagree"
		}
		for _, i := range f.now.Items {
			if i.Activity != last.ID || i.Type == flow.ItemCirculate || i.Opinion == "" {
				continue
			}
			opinions = append(opinions, i.Opinion)
		}
		f.vars[catalog.NodeVar(id, "result")] = text(result)
		f.vars[catalog.NodeVar(id, "handlers")] = list(handlersOf(f.now, id))
		f.vars[catalog.NodeVar(id, "opinion")] = text(strings.Join(opinions, "\n"))
	}
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func list(of []string) any {
	if len(of) == 0 {
		return nil
	}
	return of
}

// Holds implements flow.Facts.
func (f *facts) Holds(when plan.Expr) (bool, error) {
	st, judge, err := f.record()
	if err != nil {
		return false, err
	}
	ok, err := judge.Holds(*st, when)
	f.notes.condition(f, when, ok, err)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		err = fault.Wrap(err, fault.ConditionFailed) // of the record: the instance waits for an administrator
	}
	return ok, err
}

// Missing implements flow.Facts.
func (f *facts) Missing(n *flow.Node) (bool, error) {
	fields, err := f.missing(n.ID)
	return len(fields) > 0, err
}

// missing are the fields that a node requires and that are empty.
func (f *facts) missing(node string) ([]fault.FieldError, error) {
	var out []fault.FieldError
	n := f.w.Nodes[node]
	if n == nil || f.w.Model == nil {
		return nil, nil
	}
	for _, field := range f.w.Model.Fields {
		right, named := rightTo(n, field.Code)
		if !named || !right.Required {
			continue
		}
		st, _, err := f.record()
		if err != nil {
			return nil, err
		}
		empty := record.ValueOf(st.Row, field) == nil
		if field.Sheet != nil {
			empty = len(st.Sheets[field.Code]) == 0
		}
		if empty {
			out = append(out, fault.FieldError{PropertyCode: field.Code, Code: fault.FieldRequired, Args: []any{field.Label}})
		}
	}
	for _, field := range f.w.Model.Fields {
		if field.Sheet == nil {
			continue
		}
		for _, column := range field.Sheet.Fields {
			right, named := rightTo(n, field.Code+"."+column.Code)
			if !named || !right.Required {
				continue
			}
			st, _, err := f.record()
			if err != nil {
				return nil, err
			}
			for i, row := range st.Sheets[field.Code] {
				if record.ValueOf(row, column) == nil {
					out = append(out, fault.FieldError{PropertyCode: field.Code + "." + column.Code, Row: fmt.Sprintf("#%d", i+1), Code: fault.FieldRequired, Args: []any{column.Label}})
				}
			}
		}
	}
	return out, nil
}

func rightTo(n *catalog.WorkflowNode, code string) (catalog.NodeRight, bool) {
	for name, right := range n.Fields {
		if strings.EqualFold(name, code) {
			return right, true
		}
	}
	return catalog.NodeRight{}, false
}

// steps are the relations that a path follows.
func steps(p catalog.Path) (out []string) {
	for _, f := range p.Steps {
		out = append(out, f.Code)
	}
	return out
}
