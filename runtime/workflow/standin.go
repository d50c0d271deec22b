package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// recent bounds how long after its end a delegation is still told to be over.
const recent = 24 * time.Hour

func (d delegation) departments() []string {
	out := []string{}
	_ = json.Unmarshal([]byte(d.Depts), &out) // written by Delegate
	return out
}

// initiates reports whether a delegation is for the instances of somebody.
func (s *Service) initiates(ctx context.Context, d delegation, initiator string) bool {
	of := d.departments()
	if len(of) == 0 {
		return true
	}
	who, _ := s.cfg.People.Person(ctx, initiator)
	below := s.cfg.People.Below(ctx, of)
	return slices.ContainsFunc(who.Departments, func(one string) bool { return slices.Contains(below, one) })
}

// settle moves open tasks to the delegates of delegations that have begun, and those of delegations that are over back. Each task has a
// transaction of its own, and what was not done is done the next time.
func (s *Service) settle(ctx context.Context) error {
	now := s.cfg.Clock().UTC()
	var back, there, over []delegation
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.System().Where("return_open = ? AND returned = ? AND (removed = ? OR enabled = ? OR ends <= ?)", true, false, true, false, now).Find(&back).Error,
			tx.System().Where("move_open = ? AND moved = ? AND removed = ? AND enabled = ? AND starts <= ? AND ends > ?", true, false, false, true, now, now).Find(&there).Error,
			tx.System().Where("told = ? AND removed = ? AND enabled = ? AND ends <= ? AND ends > ?", false, false, true, now, now.Add(-recent)).Find(&over).Error)
	})
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range back {
		errs = append(errs, s.giveBack(ctx, d))
	}
	for _, d := range there {
		errs = append(errs, s.handOn(ctx, d))
	}
	for _, d := range over {
		errs = append(errs, s.tellOver(ctx, d))
	}
	return errors.Join(errs...)
}

// handOn gives a delegate the open tasks of the person who delegates.
func (s *Service) handOn(ctx context.Context, d delegation) error {
	if s.able(ctx, d.To) {
		if err := s.each(ctx, d, d.From, "", flow.OpDelegate); err != nil {
			return err
		}
	}
	return s.noted(ctx, d, map[string]any{"moved": true})
}

// giveBack gives the tasks that a delegate has not finished to the person who delegated them.
func (s *Service) giveBack(ctx context.Context, d delegation) error {
	if s.able(ctx, d.From) {
		if err := s.each(ctx, d, "", d.From, flow.OpReturn); err != nil {
			return err
		}
	}
	if d.Removed {
		return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Delete(&delegation{}, "id = ?", d.ID).Error
		})
	}
	return s.noted(ctx, d, map[string]any{"returned": true})
}

// tellOver tells both people that a delegation has come to its end.
func (s *Service) tellOver(ctx context.Context, d delegation) error {
	err := s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		once := "delegation end " + d.ID + " " + d.Ends.UTC().Format(time.RFC3339)
		return errors.Join(s.cfg.Notify.Send(tx, notify.Message{To: d.To, Type: messageReturned, Sender: d.From, Once: once}),
			s.cfg.Notify.Send(tx, notify.Message{To: d.From, Type: messageReturned, Once: once}))
	})
	if err != nil {
		return err
	}
	return s.noted(ctx, d, map[string]any{"told": true})
}

// noted writes down what was done for a delegation, unless its person has changed it meanwhile: then it is looked at again.
func (s *Service) noted(ctx context.Context, d delegation, done map[string]any) error {
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&delegation{}).Where("id = ? AND revision = ?", d.ID, d.Revision).UpdateColumns(done).Error
	})
}

// each does an operation with the open tasks that somebody has, of the workflows and the initiators that a delegation is for. from is whom
// they stand in for; "" = nobody. Without a person it is done with what anybody has for them.
func (s *Service) each(ctx context.Context, d delegation, person, from string, do flow.Operation) error {
	var rows []item
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		q := tx.System()
		if person != "" {
			q = q.Where("person = ?", person)
		}
		return q.Where("delegate_from = ? AND list IN ? AND state IN ? AND type NOT IN ?", from, []string{listUnfinished, ""},
			[]string{string(flow.ItemTodo), string(flow.ItemDoing), string(flow.ItemWait)}, []string{string(flow.ItemAssist), string(flow.ItemCirculate)}).Order("id").Find(&rows).Error
	})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if !d.covers(row.Code) {
			continue
		}
		for range tries {
			if err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.passOn(ctx, tx, d, row, do) }); !errors.Is(err, store.ErrConflict) {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// passOn moves one task, if it still is as it was found.
func (s *Service) passOn(ctx context.Context, tx *store.Tx, d delegation, row item, do flow.Operation) error {
	r, err := s.hold(ctx, tx, s.systemView(), row.Instance)
	if err != nil {
		return err
	}
	i := r.state.Item(row.Number)
	if i == nil || i.Person != row.Person || i.From != row.From || !s.initiates(ctx, d, r.row.Initiator) {
		return nil
	}
	if do == flow.OpReturn && row.Person != d.To && r.w.MaxHops < 2 {
		return nil // of another delegation, for no delegate has passed it on
	}
	c := flow.Command{Do: do, By: d.From, Rule: flow.RuleDelegation, At: s.cfg.Clock().UTC(), Item: i.ID}
	if do == flow.OpDelegate {
		c.People = []string{r.facts.standFor(d.From, d.To, r.w.MaxHops-1)}
		r.facts.copies = map[string]bool{d.From: d.KeepCopy}
	}
	err = r.do(c)
	if refused := (*fault.Error)(nil); errors.As(err, &refused) { // the other person has one already, or it is over
		return nil
	}
	return err
}

// settleNow moves what a change of a delegation moves before the caller reads their lists again. What fails is left to the next look.
func (s *Service) settleNow(ctx context.Context) {
	if err := s.settle(ctx); err != nil && ctx.Err() == nil {
		s.cfg.Log.Warn("move the tasks of delegations", "error", err)
	}
}

// listDelegated are the tasks that somebody's delegates have or had for them, where the delegation keeps a copy.
const listDelegated = "delegated"

// lent shows tasks to the person who delegated them: to look at, not to act on.
func lent(items []Item) {
	for k := range items {
		i := &items[k]
		i.CanWithdraw, i.Batch = false, false
		if i.secret {
			i.Opinion = ""
		}
	}
}

// standFor is who has a person's tasks when delegations are followed from somebody on: the last of at most so many, before one who was passed already.
func (f *facts) standFor(person, from string, hops int) string {
	passed := []string{person, from}
	for range max(hops, 0) {
		next, err := f.delegateOf(from)
		f.err = cmp.Or(f.err, err)
		if next == "" || slices.Contains(passed, next) {
			break
		}
		from, passed = next, append(passed, next)
	}
	return from
}

// delegateOf is who has a person's new tasks of a workflow now; "" = the person.
func (f *facts) delegateOf(person string) (string, error) {
	var rows []delegation
	now := f.s.cfg.Clock().UTC()
	err := f.tx.System().Where("delegator = ? AND enabled = ? AND removed = ? AND starts <= ? AND ends > ?", person, true, false, now, now).Order("starts").Find(&rows).Error
	for _, d := range rows {
		if !f.s.able(f.ctx, d.To) || !d.covers(f.w.Template.Code) || !f.s.initiates(f.ctx, d, f.who) {
			continue
		}
		if f.copies == nil {
			f.copies = map[string]bool{}
		}
		f.copies[person] = d.KeepCopy
		return d.To, err
	}
	return "", err
}

// lends keeps on the row of a task whether who delegated it sees it.
func (r *running) lends(row *item, i flow.Item, others []item) {
	if row.Person != i.Person {
		row.Opened = nil
	}
	switch copies, asked := r.facts.copies[i.From]; {
	case i.From == "":
		row.Copy = false
	case asked && row.From != i.From:
		row.Copy = copies
	case row.From != i.From: // again, as it was before
		row.Copy = slices.ContainsFunc(others, func(o item) bool { return o.From == i.From && o.Person == i.Person && o.Copy })
	}
}

// delegations are the entries of the log about tasks that went to a delegate or came back, by the number of their events.
func (r *running) delegations(events []flow.Event) map[int]Opinion {
	out := map[int]Opinion{}
	from := map[int]flow.Item{}
	for k, e := range events {
		if e.Kind != flow.ItemIs {
			continue
		}
		was, now := from[e.Item.ID], *e.Item
		from[now.ID] = now
		if was.From == now.From {
			continue
		}
		o := r.entry(Opinion{Node: r.state.Activity(now.Activity).Node, Operation: flow.OpDelegate, Time: e.At.UTC(), People: r.s.persons(r.ctx, []string{now.Person})},
			flow.By{Rule: flow.RuleDelegation, For: cmp.Or(now.From, was.Person)})
		if now.From == "" {
			o.Operation = flow.OpReturn
		}
		out[k] = o
	}
	return out
}
