package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
)

// timerChild tells a parent that one of its children has ended; its step is the child's number. A child never waits for the lock of its
// parent, so locks are taken from the parent down only.
const timerChild = "child"

// mostChildren bounds the instances that one SUB starts.
const mostChildren = 200

// deepest bounds how many instances are above one: conditions may start workflows in a circle.
const deepest = 20

// depth is how many instances are above an instance.
func (r *running) depth() (n int, err error) {
	for parent := r.row.Parent; parent != "" && n < deepest; n++ {
		var above instance
		if err := r.tx.System().Select("parent").Where("id = ?", parent).Take(&above).Error; err != nil {
			return n, err
		}
		parent = above.Parent
	}
	return n, nil
}

// bear starts the children of a SUB.
func (c *calling) bear(t timer) error {
	if err := c.close(t); err != nil {
		return err
	}
	starter := c.w.Template.Starter(c.state, c.activity.Node, c.facts)
	if starter == "" {
		return c.fail(c.activity.ID, flow.StuckNobody)
	}
	count, err := c.children(c.activity.ID, c.node.Sub, starter)
	if err != nil {
		return err
	}
	return c.do(flow.Command{Do: flow.OpChildren, At: c.s.cfg.Clock().UTC(), Activity: c.activity.ID, Count: count, People: []string{starter}})
}

// children starts an instance for each row, or one, in the name of a person.
func (r *running) children(activity int, sub *catalog.SubWorkflow, starter string) (int, error) {
	w := r.view.Catalog.Workflow(sub.Workflow)
	if w == nil || !w.Published {
		return 0, fault.New(fault.NotPublished)
	}
	view, err := r.s.starterView(r.ctx, starter, w)
	if err != nil {
		return 0, err
	}
	st, judge, err := r.facts.fresh()
	if err != nil {
		return 0, err
	}
	rows, err := eachRow(r, judge, st, sub)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, row := range rows {
		if sub.When != nil {
			holds, err := judge.Holds(row, sub.When)
			if err != nil {
				return 0, fault.Wrap(err, fault.ConditionFailed)
			}
			if !holds {
				continue
			}
		}
		if count++; count > mostChildren {
			return 0, fault.New(fault.TooManyChildren, mostChildren)
		} else if count == 1 {
			if above, err := r.depth(); err != nil {
				return 0, err
			} else if above >= deepest {
				return 0, fault.New(fault.TooDeep, deepest)
			}
		}
		set := map[string]json.RawMessage{}
		for code, e := range sub.Input {
			v, err := judge.Value(row, e)
			if err != nil {
				return 0, fault.Wrap(err, fault.ConditionFailed)
			}
			if set[code], err = json.Marshal(v); err != nil {
				return 0, err
			}
		}
		saved, err := r.s.cfg.Writer.SaveIn(r.ctx, r.tx, view, record.Change{Model: w.Model.Code, Set: set, InProcess: true, MadeUp: r.s.notes != nil})
		if err != nil {
			return 0, err
		}
		if _, err := r.s.launch(r.ctx, r.tx, view, launch{w: w, record: saved.ID, rule: flow.RuleSub, parent: r, activity: activity, number: count}); err != nil {
			return 0, err
		}
	}
	return count, nil
}

// starterView is the person in whose name a child is started, with the right to do so, which the definition gives.
func (s *Service) starterView(ctx context.Context, initiator string, w *catalog.Workflow) (*authz.View, error) {
	who, ok := s.cfg.Caller(ctx, initiator)
	if !ok {
		return nil, fault.New(fault.StartRefused)
	}
	g := catalog.Grant{Model: w.Model, Actions: []string{"view", "add", "edit"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable}
	return s.cfg.Policy().View(who, s.cfg.Clock(), s.cfg.Zone).Through(&authz.Lens{Name: "start " + w.Template.Code, Effect: authz.Replaces, Grants: []catalog.Grant{g}}), nil
}

// eachRow are the states that the children are made of: the rows of a sub-table, related records, or the record itself.
func eachRow(r *running, judge *record.Judge, st *record.State, sub *catalog.SubWorkflow) ([]record.State, error) {
	if sub.Each == nil {
		return []record.State{*st}, nil
	}
	f := sub.Each.Field
	var out []record.State
	if f.Sheet != nil {
		for _, row := range st.Sheets[f.Code] {
			out = append(out, record.State{Model: f.Sheet, Row: row, Above: st})
		}
		return out, nil
	}
	referrer, ok := f.Property.(property.Referrer)
	if !ok {
		return nil, nil
	}
	for _, ref := range referrer.Refs(record.ValueOf(st.Row, f)) {
		one, err := judge.State(f.Target, ref.ID)
		if err != nil {
			return nil, err
		}
		if one != nil {
			out = append(out, *one)
		}
	}
	return out, nil
}

// report tells the parent of an instance that it has ended.
func (r *running) report() error {
	if r.row.Parent == "" || r.row.Live != nil {
		return nil
	}
	var above int64
	if err := r.tx.System().Model(&instance{}).Where("id = ?", r.row.Parent).Count(&above).Error; err != nil || above == 0 {
		return err
	}
	r.s.stir(r.tx)
	parent := running{s: r.s, tx: r.tx, row: instance{ID: r.row.Parent}}
	return parent.set(timer{Subject: r.row.ParentActivity, Kind: timerChild, Step: r.row.ParentNumber, Due: r.s.cfg.Clock().UTC()})
}

// orphan tells the parent of an instance that is deleted before it has ended that it does not come any more: like one that was voided.
func (r *running) orphan() error {
	r.row.Live = nil
	return r.report()
}

// gather takes over what a child ended with.
func (r *running) gather(t timer, now time.Time) error {
	a := r.state.Activity(t.Subject)
	if a == nil || a.State != flow.ActivityActive {
		return nil
	}
	var child instance
	found := r.tx.System().Where("parent = ? AND parent_activity = ? AND parent_number = ?", r.row.ID, t.Subject, t.Step).Limit(1).Find(&child)
	if found.Error != nil {
		return fmt.Errorf("a sub-workflow: %w", found.Error)
	}
	failed := found.RowsAffected == 0 || child.Status == string(flow.Canceled)
	n := r.w.Nodes[a.Node]
	if n == nil || n.Sub == nil {
		return fault.New(fault.WorkflowStepGone)
	}
	if n.Node.Broken != nil && !failed {
		return r.fail(t.Subject, flow.Reason(n.Node.Broken))
	}
	if !failed && len(n.Sub.Output) > 0 {
		if err := r.takeOver(n.Sub, child); err != nil {
			return err
		}
	}
	return r.do(flow.Command{Do: flow.OpChild, At: now, Activity: t.Subject, Failed: failed})
}

// takeOver writes what a child's record says into the parent's.
func (r *running) takeOver(sub *catalog.SubWorkflow, child instance) error {
	m := r.view.Catalog.Model(child.Model)
	if m == nil {
		return nil
	}
	judge := record.NewJudge(r.ctx, r.tx, r.s.systemView()).With(map[string]any{"initiator.id": child.Initiator, "instance.name": child.Name})
	st, err := judge.State(m, child.Record)
	if err != nil || st == nil {
		return err
	}
	set := map[string]json.RawMessage{}
	for code, e := range sub.Output {
		v, err := judge.Value(*st, e)
		if err != nil {
			return fault.Wrap(err, fault.ConditionFailed)
		}
		if set[code], err = json.Marshal(v); err != nil {
			return err
		}
	}
	return r.write(set)
}

// abandon voids the children of an activity that has ended before them.
func (r *running) abandon(activity int) error {
	var ids []string
	err := r.tx.System().Model(&instance{}).Where("parent = ? AND parent_activity = ? AND live IS NOT NULL", r.row.ID, activity).Order("parent_number").Pluck("id", &ids).Error
	if err != nil {
		return err
	}
	for _, id := range ids {
		child, err := r.s.hold(r.ctx, r.tx, r.s.systemView(), id)
		if err != nil {
			return err
		}
		if child.state.Status != flow.Processing && child.state.Status != flow.Exception {
			continue
		}
		if err := child.do(flow.Command{Do: flow.OpVoid, At: r.s.cfg.Clock().UTC(), Admin: true, Rule: flow.RuleParent}); err != nil {
			return err
		}
	}
	return nil
}
