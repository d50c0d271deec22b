package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// packKind is the queue's name of a kind of job of a pack.
func packKind(code string) string { return "pack:" + code }

// startedJob is the payload of a pack's job, with the right that it works with.
type startedJob struct {
	Reason  string          `json:"reason,omitempty"` // of pack.json
	System  string          `json:"system,omitempty"` // the product's own work has started it
	Payload json.RawMessage `json:"payload"`
}

func (t *transaction) Start(ctx context.Context, code string, payload any, o world.JobOptions) (string, error) {
	if t.batch == nil {
		return "", errReadOnly
	}
	who := t.view.Principal()
	if who.Apps != nil { // the job would run without the limits of the token
		return "", fault.New(fault.TokenScope)
	}
	return t.app.startPackJob(ctx, t.tx, code, startedJob{Reason: who.Reason, System: who.System}, payload, job.Options{
		Owner: who.UserID, Subject: o.Subject, UniqueKey: o.Once, RunAt: o.At})
}

func (a *App) startPackJob(ctx context.Context, tx *store.Tx, code string, s startedJob, payload any, o job.Options) (string, error) {
	kind, ok := a.cfg.Set.Jobs.Get(code)
	if !ok {
		return "", fmt.Errorf("no pack of this program has the job %q", code)
	}
	if a.jobs == nil {
		return "", errors.New("this process has no job queue")
	}
	var err error
	if s.Payload, err = json.Marshal(payload); err != nil {
		return "", fmt.Errorf("payload of a job %s: %w", code, err)
	}
	o.Title = job.Title{Zh: kind.Title.In("zh"), En: kind.Title.In("en")}
	return a.jobs.Enqueue(ctx, tx, packKind(code), s, o)
}

// packWorkers are the workers of the packs' jobs, by kind.
func (a *App) packWorkers() map[string]job.Worker {
	out := map[string]job.Worker{}
	for _, code := range a.cfg.Set.Jobs.Names() {
		kind, _ := a.cfg.Set.Jobs.Get(code)
		out[packKind(code)] = job.WorkerFunc(func(ctx context.Context, r *job.Run) (any, error) {
			run := &packRun{app: a, run: r, holds: kind.Holds}
			if err := r.Decode(&run.started); err != nil {
				return nil, err
			}
			return kind.Work(ctx, run)
		})
	}
	return out
}

// packRun is a run of a pack's job as its code sees it.
type packRun struct {
	app     *App
	run     *job.Run
	holds   map[string]names.Kind
	started startedJob
	step    *State // of the step that is being done; nil = none is
}

var _ world.Run = (*packRun)(nil)

func (p *packRun) Decode(into any) error {
	payload, err := p.payload()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(payload, into); err != nil {
		return job.Permanent(fmt.Errorf("payload of the job %s: %w", p.run.ID, err))
	}
	return nil
}

// payload is what the job was given, with the codes of now in what it holds. What is gone ends the job: without it the work would be other work.
func (p *packRun) payload() (json.RawMessage, error) {
	then := p.run.Then(cmp.Or(p.step, p.app.State()).Catalog)
	if len(p.holds) == 0 || then.Now() {
		return p.started.Payload, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(p.started.Payload, &members); err != nil || members == nil {
		return p.started.Payload, nil //nolint:nilerr // no object: nothing in it is held, and Decode tells what it is
	}
	for member, k := range p.holds {
		v, err := heldNow(then, k, members[member])
		if err != nil {
			return nil, err
		}
		if v != nil {
			members[member] = v
		}
	}
	return json.Marshal(members)
}

// heldNow gives a code of a kind, or a list of them, the codes of now; nil for another value, which stays.
func heldNow(then names.Reading, k names.Kind, v json.RawMessage) (json.RawMessage, error) {
	var one string
	var list []string
	single := json.Unmarshal(v, &one) == nil
	switch {
	case single && one == "": // null as well
		return nil, nil
	case single:
		list = []string{one}
	case json.Unmarshal(v, &list) != nil:
		return nil, nil
	}
	for i, code := range list {
		now, ok := then.Path(k, code)
		if !ok {
			return nil, fault.New(fault.RequestGone, code)
		}
		list[i] = now
	}
	if single {
		return json.Marshal(list[0])
	}
	return json.Marshal(list)
}

func (p *packRun) Progress(into any) (bool, error) { return p.run.Progress(into) }

func (p *packRun) Report(done, total int64) { p.run.Report(done, total) }

func (p *packRun) Step(ctx context.Context, do func(w world.World) (any, error)) error {
	s := p.app.State()
	who, err := p.principal(ctx, s)
	if err != nil {
		return err
	}
	view := s.Policy.View(who, p.app.Now(), p.app.cfg.Zone)
	p.step = s
	defer func() { p.step = nil }()
	return p.run.Step(ctx, func(ctx context.Context, tx *store.Tx) (progress any, err error) {
		err = p.app.writer.Within(ctx, tx, view, func(b *record.Batch) error {
			progress, err = do(p.app.within(b, false))
			return err
		})
		return progress, err
	})
}

// principal is for whom the job works, with the rights of this moment.
func (p *packRun) principal(ctx context.Context, s *State) (principal.Principal, error) {
	var who principal.Principal
	switch {
	case p.run.Owner != "":
		var ok bool
		if who, ok = p.app.caller(ctx, p.run.Owner); !ok {
			return who, job.ErrOwner
		}
	case p.started.System != "":
		return principal.System(p.started.System), nil
	}
	if p.started.Reason == "" {
		return who, nil
	}
	r := s.Catalog.Reason(p.started.Reason)
	if r == nil {
		return who, job.Permanent(fmt.Errorf("no pack.json declares the reason %q", p.started.Reason))
	}
	if who.UserID == "" {
		who.Name, who.Locale = r.Label.In("zh"), "zh"
	}
	who.Roles, who.Reason = []string{r.Role}, r.Code
	return who, nil
}

// scheduled is a schedule and the last time at which it was due.
type scheduled struct {
	Code string `gorm:"primaryKey;size:100"`
	Due  time.Time
}

// TableName is the system table.
func (scheduled) TableName() string { return "sl_schedule" }

// lookEvery is how often a node looks whether a schedule is due.
const lookEvery = 20 * time.Second

// keepSchedules starts jobs when they are due, until the system stops.
func (a *App) keepSchedules() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := a.StartDue(a.background); err != nil && a.background.Err() == nil {
			a.cfg.Log.Error("start scheduled jobs", "error", err)
		}
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
	}
}

// StartDue starts the jobs of the schedules that have become due since they were looked at last, each once for all nodes. A schedule that
// is new waits for its next time.
func (a *App) StartDue(ctx context.Context) error {
	var errs []error
	for _, s := range a.schedules() {
		code := s.Code
		due := s.Due(a.Now(), a.cfg.Zone)
		if due.IsZero() {
			errs = append(errs, fmt.Errorf("schedule %s: write Every of at least a minute, or At like 02:30", code))
			continue
		}
		if known, err := a.startedAt(ctx, code, due.UTC()); err != nil || known {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, a.db.Write(store.Promptly(ctx), func(ctx context.Context, tx *store.Tx) error { return a.startDue(ctx, tx, s, due.UTC()) }))
	}
	return errors.Join(errs...)
}

// schedules are those of the program and of the packs.
func (a *App) schedules() []world.Schedule {
	out := []world.Schedule{{Code: auditWorkflows, Job: auditWorkflows, At: "02:20"}}
	for _, code := range a.cfg.Set.Schedules.Names() {
		if s, ok := a.cfg.Set.Schedules.Get(code); ok {
			out = append(out, s)
		}
	}
	return out
}

// startedAt reports whether a schedule was looked at since it became due.
func (a *App) startedAt(ctx context.Context, code string, due time.Time) (bool, error) {
	var count int64
	err := a.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&scheduled{}).Where("code = ? AND due >= ?", code, due).Count(&count).Error
	})
	return count > 0, err
}

func (a *App) startDue(ctx context.Context, tx *store.Tx, s world.Schedule, due time.Time) error {
	made := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&scheduled{Code: s.Code, Due: due})
	if made.Error != nil || made.RowsAffected > 0 {
		return made.Error
	}
	moved := tx.System().Model(&scheduled{}).Where("code = ? AND due < ?", s.Code, due).UpdateColumn("due", due)
	if moved.Error != nil || moved.RowsAffected == 0 {
		return moved.Error
	}
	if s.Job == auditWorkflows {
		_, err := a.startAudit(ctx, tx, "")
		return err
	}
	_, err := a.startPackJob(ctx, tx, s.Job, startedJob{Reason: s.Reason}, nil, job.Options{UniqueKey: "schedule " + s.Code})
	return err
}
