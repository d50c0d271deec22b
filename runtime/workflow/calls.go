package workflow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A SERVICE runs, and a SUB starts its instances, behind the command that led to it: a timer of its activity is its place in the queue, and the timer's step is the attempt.
// Code of packs runs in the transaction that takes the instance to its next step, so its writes and that step are stored together. A call
// over HTTP is made without a transaction: the timer is put off for as long as the call may take, and each attempt bears the same key, by
// which the called system tells repeats.
const (
	timerCall = "call" // the request that led to it waits for it
	timerSend = "send" // it runs in the background
)

const (
	mostAnswer = 1 << 20 // bytes of an answer
	chained    = 20      // services that one request waits for
)

// arrange sets the timer of an attempt at a service, or of the start of children.
func (r *running) arrange(activity, attempt int, at time.Time) error {
	n := r.w.Nodes[r.state.Activity(activity).Node]
	kind := timerCall
	if n.Service != nil && (n.Service.Async || n.Service.URL != "") {
		kind = timerSend
		r.s.stir(r.tx)
	}
	return r.set(timer{Subject: activity, Kind: kind, Step: attempt, Due: at})
}

// stir makes Fire run on all nodes as soon as a transaction is stored: before that, it would find nothing and leave it to its next regular look.
// Of several nodes the first does it.
func (s *Service) stir(tx *store.Tx) { tx.Touch(timersTable) }

// stirred wakes Fire where a table that changed, on whatever node, is that of timers; nil = any may have changed.
func (s *Service) stirred(tables []string) {
	if tables != nil && !slices.Contains(tables, timersTable) {
		return
	}
	select {
	case s.Stirred <- struct{}{}:
	default: // it is going to look anyway
	}
}

// behind runs the services that a command of the caller's led to, and answers how far the instance is then.
func (s *Service) behind(ctx context.Context, view *authz.View, out Done) Done {
	ran := false
	for range chained {
		var due []timer
		err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Where("instance = ? AND kind = ? AND done = ? AND due <= ?", out.Instance, timerCall, false, s.cfg.Clock().UTC()).Find(&due).Error
		})
		if err != nil || len(due) == 0 {
			break
		}
		for _, t := range due {
			ran = true
			if err := s.call(ctx, t); err != nil && ctx.Err() == nil {
				s.cfg.Log.Error("run a service of a workflow", "instance", t.Instance, "activity", t.Subject, "error", err)
			}
		}
	}
	if !ran {
		return out
	}
	now := out
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := s.read(ctx, tx, view, out.Instance)
		if err != nil {
			return err
		}
		now, err = r.done(out.Version)
		return err
	})
	if err != nil { // the command itself is stored
		return out
	}
	return now
}

// calling is an attempt at a service.
type calling struct {
	*running
	activity flow.Activity
	node     *catalog.WorkflowNode
}

// attemptAt locks the instance of a timer of a service; nil when the attempt is over, or somebody else is at it.
func (s *Service) attemptAt(ctx context.Context, tx *store.Tx, t timer) (*calling, error) {
	r, err := s.hold(ctx, tx, s.systemView(), t.Instance)
	if err != nil {
		return nil, err
	}
	var now timer
	found := open(tx, t).Limit(1).Find(&now)
	if found.Error != nil || found.RowsAffected == 0 || now.Due.After(t.Due) && now.Due.After(s.cfg.Clock()) {
		return nil, found.Error
	}
	a := r.state.Activity(t.Subject)
	if a == nil || a.State != flow.ActivityActive {
		return nil, r.close(t)
	}
	if r.w.Nodes[a.Node] == nil {
		return nil, fault.New(fault.WorkflowStepGone)
	}
	return &calling{running: r, activity: *a, node: r.w.Nodes[a.Node]}, nil
}

// close marks a timer as done.
func (r *running) close(t timer) error {
	return open(r.tx, t).UpdateColumns(map[string]any{"done": true, "fired": r.s.cfg.Clock().UTC()}).Error
}

// call makes an attempt at a service.
func (s *Service) call(ctx context.Context, t timer) error {
	var request *http.Request
	var seconds int  // that it may take
	var failed error // of the service; what it wrote is given up
	err := s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		request, failed = nil, nil
		c, err := s.attemptAt(ctx, tx, t)
		if c == nil || err != nil {
			return err
		}
		if c.node.Node.Broken != nil {
			return errors.Join(c.close(t), c.fail(c.activity.ID, flow.Reason(c.node.Node.Broken)))
		}
		if c.node.Sub != nil {
			failed = c.bear(t)
			return failed
		}
		if c.node.Service.URL != "" {
			if request, failed = c.request(ctx, t); failed != nil {
				return failed
			}
			seconds = c.node.Service.TimeoutSeconds
			return open(tx, t).UpdateColumn("due", s.cfg.Clock().UTC().Add(time.Duration(seconds)*time.Second+time.Minute)).Error
		}
		var result map[string]any
		if result, failed = c.run(t); failed == nil {
			failed = c.answered(t, result)
		}
		return failed
	})
	if request != nil && err == nil {
		t.Due = s.cfg.Clock().UTC().Add(24 * time.Hour) // this attempt is ours
		var result map[string]any
		if result, failed = s.send(request, time.Duration(seconds)*time.Second); failed == nil {
			err = s.persist(ctx, func(ctx context.Context, tx *store.Tx) error {
				failed = nil
				c, err := s.attemptAt(ctx, tx, t)
				if c == nil || err != nil {
					return err
				}
				if c.node.Node.Broken != nil { // since the call began
					return errors.Join(c.close(t), c.fail(c.activity.ID, flow.Reason(c.node.Node.Broken)))
				}
				failed = c.answered(t, result)
				return failed
			})
		}
	}
	if failed == nil || errors.Is(failed, store.ErrConflict) {
		return err
	}
	return s.persist(ctx, func(ctx context.Context, tx *store.Tx) error {
		c, err := s.attemptAt(ctx, tx, t)
		if c == nil || err != nil {
			return err
		}
		return c.failed(t, failed)
	})
}

// persist writes what an attempt came to; it may not be lost because another transaction was first, as the service has already run.
func (s *Service) persist(ctx context.Context, do func(ctx context.Context, tx *store.Tx) error) (err error) {
	for range tries {
		if err = s.cfg.DB.Write(ctx, do); !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	return err
}

// callsAtOnce is how many services run at the same time, for most of them wait for an answer.
const callsAtOnce = 8

// callAll makes attempts at services. One that could not be made is left for later.
func (s *Service) callAll(ctx context.Context, due []timer) error {
	var running sync.WaitGroup
	places := make(chan struct{}, callsAtOnce)
	errs := make([]error, len(due))
	for i, t := range due {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			err := s.call(ctx, t)
			if err == nil || ctx.Err() != nil {
				return
			}
			s.cfg.Log.Error("run a service of a workflow", "instance", t.Instance, "activity", t.Subject, "error", err)
			if !errors.Is(err, store.ErrConflict) {
				errs[i] = s.postpone(ctx, t)
			}
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// failed counts an attempt that failed: it is tried again later, or the instance stops.
func (c *calling) failed(t timer, why error) error {
	now := c.s.cfg.Clock().UTC()
	if err := c.close(t); err != nil {
		return err
	}
	if c.node.Service != nil {
		if err := c.do(flow.Command{Do: flow.OpTry, At: now, Activity: c.activity.ID}); err != nil {
			return err
		}
	}
	c.s.cfg.Log.Warn("a service of a workflow failed", "workflow", c.row.Code, "instance", c.row.ID, "node", c.activity.Node, "attempt", t.Step, "error", why)
	call := c.node.Service
	if refused := fault.Of(why); call == nil || t.Step > call.Retries || refused != fault.Internal && refused != fault.RecordBusy && refused != fault.ServiceFailed {
		return c.fail(c.activity.ID, c.reason(why))
	}
	pause := time.Duration(call.BackoffSeconds) * time.Second << min(t.Step-1, 16)
	return c.arrange(c.activity.ID, t.Step+1, now.Add(pause))
}

// reason is what administrators read of why a service failed. Faults are told by their numbers, for each reader in their language; other
// errors may hold what nobody should read, and are in the log alone.
func (c *calling) reason(why error) string {
	var refused *fault.Error
	if errors.As(why, &refused) && refused.Code != fault.Internal {
		return flow.Reason(refused)
	}
	return flow.StuckService
}

// fail stops at an activity until an administrator decides.
func (r *running) fail(activity int, why string) error {
	return r.do(flow.Command{Do: flow.OpResume, At: r.s.cfg.Clock().UTC(), Activity: activity, Failed: true, Opinion: why})
}

// run runs code of a pack.
func (c *calling) run(t timer) (result map[string]any, err error) {
	call := c.node.Service
	in, err := c.input(call.Input)
	if err != nil {
		return nil, err
	}
	if call.Rule != "" {
		return nil, c.rule(call.Rule)
	}
	service, known := c.s.cfg.Services(call.Service)
	if !known {
		return nil, fault.New(fault.ServiceFailed, call.Service, "not registered")
	}
	err = c.s.cfg.Work(c.ctx, c.tx, c.row.Initiator, service.Reason, func(w world.World) error {
		result, err = service.Run(c.ctx, w, world.ServiceCall{Workflow: c.row.Code, Instance: c.row.ID, Model: c.row.Model, Record: c.row.Record, Initiator: c.row.Initiator,
			Node: c.activity.Node, Attempt: t.Step, Input: in})
		return err
	})
	return result, err
}

// rule asks a data rule of a pack about the record.
func (c *calling) rule(name string) error {
	rule, known := c.s.cfg.Rules(name)
	if !known {
		return fault.New(fault.ServiceFailed, name, "not registered")
	}
	st, _, err := c.facts.fresh()
	if err != nil {
		return err
	}
	values := map[string]any{}
	for _, f := range c.w.Model.Fields {
		if f.Sheet == nil {
			if v := record.ValueOf(st.Row, f); v != nil {
				values[f.Code] = v
			}
		}
	}
	return c.s.cfg.Work(c.ctx, c.tx, c.row.Initiator, "", func(w world.World) error {
		kept, err := rule.Holds(c.ctx, hook.Checked{Principal: w.Principal(), World: w, Model: c.row.Model, ID: c.row.Record, Record: values, Old: values})
		if err == nil && !kept {
			err = fault.New(fault.RuleBroken, name)
		}
		return err
	})
}

// input is what a service gets, in the wire form.
func (r *running) input(of map[string]plan.Expr) (map[string]any, error) {
	out := map[string]any{}
	if len(of) == 0 {
		return out, nil
	}
	st, judge, err := r.facts.fresh()
	if err != nil {
		return nil, err
	}
	for name, e := range of {
		v, err := judge.Value(*st, e)
		if err != nil {
			return nil, fault.Wrap(err, fault.ConditionFailed)
		}
		if out[name], err = wire(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// wire is a Go value of an expression as JSON has it, with exact numbers.
func wire(v any) (out any, err error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return out, d.Decode(&out)
}

// answered writes what a service returned into the record, and goes on.
func (c *calling) answered(t timer, result map[string]any) error {
	if err := c.close(t); err != nil {
		return err
	}
	set := map[string]json.RawMessage{}
	for code, e := range c.node.Service.Output {
		f := c.w.Model.Field(code)
		if f == nil {
			continue
		}
		vars, err := parts(result, f)
		if err != nil {
			return err
		}
		st, judge, err := c.facts.fresh()
		if err != nil {
			return err
		}
		v, err := judge.With(vars).Value(*st, e)
		if err != nil {
			return fault.Wrap(err, fault.ConditionFailed)
		}
		if set[f.Code], err = json.Marshal(v); err != nil {
			return err
		}
	}
	if err := c.write(set); err != nil {
		return err
	}
	now := c.s.cfg.Clock().UTC()
	if err := c.do(flow.Command{Do: flow.OpTry, At: now, Activity: c.activity.ID}); err != nil {
		return err
	}
	return c.do(flow.Command{Do: flow.OpResume, At: now, Activity: c.activity.ID, Code: c.node.Service.Service})
}

// parts are the values of an answer by their dotted names, in the form of the property that they are written into.
func parts(result map[string]any, f *catalog.Field) (map[string]any, error) {
	out := map[string]any{}
	var walk func(prefix string, v any) error
	walk = func(prefix string, v any) error {
		if in, ok := v.(map[string]any); ok {
			for name, one := range in {
				if err := walk(prefix+"."+name, one); err != nil {
					return err
				}
			}
			return nil
		}
		plain, err := wire(v)
		if err != nil {
			return err
		}
		parsed, err := f.Property.Parse(plain)
		if err != nil {
			return nil // of another property's kind
		}
		if stored := f.Property.Store(parsed); len(stored) > 0 {
			out[prefix] = stored[0]
		}
		return nil
	}
	return out, walk("result", result)
}
