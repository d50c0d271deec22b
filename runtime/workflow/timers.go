package workflow

import (
	"context"
	"errors"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Kinds of timers beside those of the reducer.
const (
	timerStep   = "step"   // a step of what happens after the time is over
	timerRemind = "remind" // a reminder again
	timerSoon   = "soon"   // a WAIT is over soon
)

// Messages of timers, by their numbers.
const (
	messageDueSoon = 21
	messageOverdue = 23
	messageSoon    = 11
)

// timersOfItems are the kinds whose subject is the number of an item; that of the others is an activity.
var timersOfItems = []string{string(flow.TimerExpect), string(flow.TimerTimeout), timerStep, timerRemind}

// announced is how long before the end of a WAIT the initiator hears of it.
const announced = 24 * time.Hour

// timersAtOnce is how many timers one look fires.
const timersAtOnce = 500

// Fire does what is due, and returns how many timers and pools that were. Each has a transaction of its own; a timer of something that is over does
// nothing. Several nodes may fire at the same time: a timer is done once.
func (s *Service) Fire(ctx context.Context) (int, error) {
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	var due []timer
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("NOT done AND due <= ? AND rest IS NULL", s.cfg.Clock().UTC()).Order("due").Limit(timersAtOnce).Find(&due).Error
	})
	if err != nil {
		return 0, err
	}
	var errs []error
	var calls []timer
	for _, t := range due {
		if t.Kind == timerCall || t.Kind == timerSend {
			calls = append(calls, t)
			continue
		}
		for range tries {
			err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.fire(ctx, tx, t) })
			if !errors.Is(err, store.ErrConflict) {
				break
			}
		}
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("fire a timer of a workflow", "instance", t.Instance, "timer", t.Kind, "subject", t.Subject, "error", err)
			errs = append(errs, s.postpone(ctx, t))
		}
	}
	errs = append(errs, s.callAll(ctx, calls))
	changed, err := s.follow(ctx)
	if err != nil && ctx.Err() == nil {
		s.cfg.Log.Error("give unclaimed tasks to the people whom their nodes name", "error", err)
	}
	return len(due) + changed, errors.Join(errs...)
}

// postpone lets a timer that failed wait, so that others come to their turn.
func (s *Service) postpone(ctx context.Context, t timer) error {
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return open(tx, t).UpdateColumn("due", s.cfg.Clock().UTC().Add(10*time.Minute)).Error
	})
}

// open is a timer while it has not been done.
func open(tx *store.Tx, t timer) *gorm.DB {
	return tx.System().Model(&timer{}).Where("instance = ? AND subject = ? AND kind = ? AND step = ? AND done = ?", t.Instance, t.Subject, t.Kind, t.Step, false)
}

func (s *Service) fire(ctx context.Context, tx *store.Tx, t timer) error {
	r, err := s.hold(ctx, tx, s.systemView(), t.Instance)
	if err != nil {
		return err
	}
	now := s.cfg.Clock().UTC()
	done := open(tx, t).Where("due <= ? AND rest IS NULL", now).UpdateColumns(map[string]any{"done": true, "fired": now})
	if done.Error != nil || done.RowsAffected == 0 { // another node was first, or the clock stands
		return done.Error
	}
	if t.Kind == string(flow.TimerWait) {
		if a := r.state.Activity(t.Subject); a == nil || a.State != flow.ActivityActive {
			return nil
		}
		c := flow.Command{Do: flow.OpResume, At: now, Activity: t.Subject, Rule: flow.RuleTimer}
		if n := r.w.Nodes[r.state.Activity(t.Subject).Node]; n != nil && n.Signal != "" {
			c.Rule = flow.RuleSignal
		}
		return r.do(c)
	}
	if t.Kind == timerSoon {
		if a := r.state.Activity(t.Subject); a != nil && a.State == flow.ActivityActive {
			return r.keep([]flow.Event{{Kind: flow.Messaged, At: now, By: flow.By{Rule: flow.RuleTimer}, Message: messageSoon, Node: a.Node, To: []string{r.row.Initiator}}})
		}
		return nil
	}
	if t.Kind == timerChild {
		return r.gather(t, now)
	}
	i := r.state.Item(t.Subject)
	if i == nil || !i.Ready() || r.state.Status != flow.Processing {
		return nil
	}
	n := r.w.Nodes[r.state.Activity(i.Activity).Node]
	if n == nil { // the timer waits until the instance is moved to a version that has the step
		return fault.New(fault.WorkflowStepGone)
	}
	switch t.Kind {
	case string(flow.TimerExpect):
		return r.remind(*i, messageDueSoon, flow.RuleExpect, 0)
	case string(flow.TimerTimeout):
		if after := n.Time.OnTimeout; len(after) == 0 || after[0].Action != "remind" || after[0].After > 0 { // else the first step says it
			if err := r.remind(*i, messageOverdue, flow.RuleTimeout, 0); err != nil {
				return err
			}
		}
		if err := r.tellSuperior(*i, n); err != nil {
			return err
		}
		return r.next(*i, n, 0, now)
	case timerRemind:
		if err := r.remind(*i, messageOverdue, flow.RuleTimeout, t.Step%len(n.Time.OnTimeout)+1); err != nil {
			return err
		}
		return r.rearm(*i, n, t.Step, now)
	case timerStep:
		return r.step(*i, n, t.Step, now)
	}
	return nil
}

// remind tells the person of a task, or other people, that its time is nearly or quite over. Step is that of the rule, from 1; 0 = none.
func (r *running) remind(i flow.Item, message int, rule flow.Rule, step int, to ...string) error {
	return r.do(flow.Command{Do: flow.OpRemind, By: i.Person, At: r.s.cfg.Clock().UTC(), Item: i.ID, People: to, Message: message, Rule: rule, Step: step})
}

// tellSuperior tells the superior of who is late, where the node says so.
func (r *running) tellSuperior(i flow.Item, n *catalog.WorkflowNode) error {
	if !n.Time.TellSuperior {
		return nil
	}
	boss := r.facts.Superior(i.Person)
	if boss == "" {
		return nil
	}
	return r.remind(i, messageOverdue, flow.RuleEscalation, 0, boss)
}

// next sets the timer of a step of what happens after the time is over.
func (r *running) next(i flow.Item, n *catalog.WorkflowNode, step int, now time.Time) error {
	if step >= len(n.Time.OnTimeout) {
		return nil
	}
	return r.set(timer{Subject: i.ID, Kind: timerStep, Step: step, Due: r.facts.after(n, now, time.Duration(n.Time.OnTimeout[step].After)*time.Minute)})
}

// rearm sets the next reminder of a step that repeats: steps are counted in thousands, so that each is set once.
func (r *running) rearm(i flow.Item, n *catalog.WorkflowNode, count int, now time.Time) error {
	step := count % len(n.Time.OnTimeout)
	if repeat := n.Time.OnTimeout[step].Repeat; repeat > 0 {
		return r.set(timer{Subject: i.ID, Kind: timerRemind, Step: count + len(n.Time.OnTimeout), Due: r.facts.after(n, now, time.Duration(repeat)*time.Minute)})
	}
	return nil
}

func (r *running) set(t timer) error {
	t.Instance = r.row.ID
	return r.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&t).Error
}

// step does one thing of what happens after the time is over, and sets the timer of the next.
func (r *running) step(i flow.Item, n *catalog.WorkflowNode, step int, now time.Time) error {
	if step >= len(n.Time.OnTimeout) {
		return nil
	}
	err := r.tx.Try(r.ctx, func() (err error) {
		i, err = r.act(i, n, step, now)
		return err
	})
	var refused *fault.Error
	if errors.As(err, &refused) { // the step cannot be done, and nothing of it is stored; the next one may
		var again *running
		if again, err = r.s.read(r.ctx, r.tx, r.view, r.row.ID); err == nil {
			*r = *again
		}
	}
	if err != nil {
		return err
	}
	if again := r.state.Item(i.ID); again == nil || !again.Ready() {
		return nil
	}
	return r.next(i, n, step+1, now)
}

// act does what a step says, and returns the task that the next steps are about.
func (r *running) act(i flow.Item, n *catalog.WorkflowNode, step int, now time.Time) (flow.Item, error) {
	what := n.Time.OnTimeout[step]
	by := flow.Command{At: now, By: i.Person, Item: i.ID, Rule: flow.RuleTimeout, Step: step + 1}
	var err error
	switch what.Action {
	case "remind":
		if err = r.remind(i, messageOverdue, flow.RuleTimeout, step+1); err == nil {
			err = r.rearm(i, n, step, now)
		}
	case "toSuperior", "toUser":
		to := what.User
		if what.Action == "toSuperior" {
			to, by.Rule = r.facts.Superior(i.Person), flow.RuleEscalation
		} else if found := r.facts.named([]string{to}); len(found) > 0 {
			to = found[0]
		}
		if to == "" {
			break
		}
		by.Do, by.People = flow.OpTransfer, []string{to}
		if err = r.do(by); err == nil {
			i = r.heir(i)
		}
	case "autoAgree":
		var missing []fault.FieldError
		if missing, err = r.facts.missing(n.Node.ID); err != nil || len(missing) > 0 {
			break // what a node requires only a person can fill
		}
		by.Do = flow.OpAgree
		if n.Node.Type != flow.Approve {
			by.Do = flow.OpSubmit
		}
		err = r.do(by)
	case "autoReject":
		by.Do = flow.OpDisagree
		err = r.do(by)
	case "jump":
		by.Do, by.Admin, by.Activity, by.Node = flow.OpJump, true, i.Activity, what.To
		err = r.do(by)
	case "exception":
		by.Do, by.Activity, by.Failed, by.Opinion = flow.OpResume, i.Activity, true, flow.StuckTimeout
		err = r.do(by)
	}
	return i, err
}

// heir is the task that a task became when it went to somebody else: the next steps are about it.
func (r *running) heir(of flow.Item) flow.Item {
	for _, i := range slices.Backward(r.state.Items) {
		if i.Activity == of.Activity && i.Type == flow.ItemForward && i.Original == of.Person {
			return i
		}
	}
	return of
}

// until is when a WAIT is over; zero = its time cannot be told.
func (r *running) until(node string) (time.Time, error) {
	n := r.w.Nodes[node]
	if n == nil || n.Until == nil {
		return time.Time{}, nil
	}
	st, judge, err := r.facts.record()
	if err != nil {
		return time.Time{}, err
	}
	v, err := judge.Value(*st, n.Until)
	if err != nil {
		return time.Time{}, fault.Wrap(err, fault.ConditionFailed)
	}
	switch x := v.(type) {
	case time.Time:
		return x.UTC(), nil
	case string:
		day, err := time.ParseInLocation(time.DateOnly, x, r.s.cfg.Zone)
		return day.UTC(), err
	}
	return time.Time{}, nil
}
