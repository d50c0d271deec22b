package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
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

// handOn gives a delegate the open tasks of the person who delegates, and tells them once of all.
func (s *Service) handOn(ctx context.Context, d delegation) error {
	var tell []notify.Message
	if s.able(ctx, d.To) {
		moved, err := s.each(ctx, d, d.From, "", flow.OpDelegate)
		if err != nil {
			return err
		}
		for person, count := range moved {
			tell = append(tell, notify.Message{To: person, Type: messageDelegated, Sender: d.From, Biz: notify.Biz{Tasks: count}, Once: d.once("moved")})
		}
	}
	return s.noted(ctx, d, map[string]any{"moved": true}, tell...)
}

// giveBack gives the tasks that a delegate has not finished to the person who delegated them, and tells them once of all.
func (s *Service) giveBack(ctx context.Context, d delegation) error {
	var tell []notify.Message
	if s.able(ctx, d.From) {
		moved, err := s.each(ctx, d, "", d.From, flow.OpReturn)
		if err != nil {
			return err
		}
		if count := moved[d.From]; count > 0 {
			tell = append(tell, s.over(ctx, d, count))
		}
	}
	if d.Removed {
		return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			return errors.Join(tx.System().Delete(&delegation{}, "id = ?", d.ID).Error, s.cfg.Notify.Send(tx, tell...))
		})
	}
	return s.noted(ctx, d, map[string]any{"returned": true}, tell...)
}

// over tells the person who delegated that it has come to its end, and how many tasks came back.
func (s *Service) over(ctx context.Context, d delegation, tasks int) notify.Message {
	return notify.Message{To: d.From, Type: messageReturned, Biz: notify.Biz{UserIDs: []string{d.To}, UserNameList: []string{s.person(ctx, d.To).Name}, Tasks: tasks}, Once: d.once("over")}
}

// once is the key of the message about what happens once to a delegation as it is now.
func (d delegation) once(what string) string {
	return fmt.Sprintf("delegation %s %s %d", what, d.ID, d.Revision)
}

// tellOver tells both people that a delegation has come to its end: each what it is to them.
func (s *Service) tellOver(ctx context.Context, d delegation) error {
	return s.noted(ctx, d, map[string]any{"told": true}, notify.Message{To: d.To, Type: messageReturned, Sender: d.From, Once: d.once("over")}, s.over(ctx, d, 0))
}

// noted writes down what was done for a delegation and tells of it, unless its person has changed it meanwhile: then it is looked at again.
func (s *Service) noted(ctx context.Context, d delegation, done map[string]any, tell ...notify.Message) error {
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		noted := tx.System().Model(&delegation{}).Where("id = ? AND revision = ?", d.ID, d.Revision).UpdateColumns(done)
		return errors.Join(noted.Error, s.cfg.Notify.Send(tx, tell...))
	})
}

// each does an operation with the open tasks that somebody has, of the workflows and the initiators that a delegation is for. from is whom
// they stand in for; "" = nobody. Without a person it is done with what anybody has for them. It returns how many tasks each person got whose turn it
// is to handle them.
func (s *Service) each(ctx context.Context, d delegation, person, from string, do flow.Operation) (map[string]int, error) {
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
		return nil, err
	}
	moved := map[string]int{}
	for _, row := range rows {
		if !d.covers(row.Code) && (do != flow.OpReturn || !d.names(names.Gone(row.Code))) { // tasks of a workflow that was removed come back all the same
			continue
		}
		var to string
		for range tries {
			if err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
				to, err = s.passOn(ctx, tx, d, row, do)
				return err
			}); !errors.Is(err, store.ErrConflict) {
				break
			}
		}
		if err != nil {
			return moved, err
		}
		if to != "" {
			moved[to]++
		}
	}
	return moved, nil
}

// passOn moves one task, if it still is as it was found. It returns who has it now to handle; "" = nobody else, or not yet.
func (s *Service) passOn(ctx context.Context, tx *store.Tx, d delegation, row item, do flow.Operation) (string, error) {
	r, err := s.hold(ctx, tx, s.systemView(), row.Instance)
	if err != nil {
		return "", err
	}
	r.quiet = true
	i := r.state.Item(row.Number)
	if i == nil || i.Person != row.Person || i.From != row.From || !s.initiates(ctx, d, r.row.Initiator) {
		return "", nil
	}
	if do == flow.OpReturn && row.Person != d.To && r.w.MaxHops < 2 {
		return "", nil // of another delegation, for no delegate has passed it on
	}
	c := flow.Command{Do: do, By: d.From, Rule: flow.RuleDelegation, At: s.cfg.Clock().UTC(), Item: i.ID}
	if do == flow.OpDelegate {
		c.People = []string{r.facts.standFor(d.From, d.To, r.w.MaxHops-1)}
		r.facts.copies = map[string]bool{d.From: d.KeepCopy}
	}
	err = r.do(c)
	if refused := (*fault.Error)(nil); errors.As(err, &refused) { // the other person has one already, or it is over
		return "", nil
	}
	if i = r.state.Item(row.Number); err != nil || !i.Ready() {
		return "", err
	}
	return i.Person, nil
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
