package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// The kinds of jobs, which are those of requests too.
const (
	BatchUpdate = "batch_update"
	ChangeOwner = "change_owner"
	Delete      = "bulk_delete"
	Undo        = "batch_undo"
)

const (
	chunk     = 50 // records of one transaction at most: on SQLite everybody waits for it
	firstOnes = 10 // of the first transaction of a job
	conflicts = 5  // tries of a chunk that meets other transactions
)

// Config of a Service.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	Writer *record.Writer
	People principal.Directory
	// State is the catalog and the policy as they are now.
	Policy func() *authz.Policy
	// Caller returns the person's current principal; false if disabled.
	Caller func(ctx context.Context, user string) (principal.Principal, bool)
	Clock  func() time.Time
	Zone   *time.Location
}

// Service carries out changes of many records. It is safe for concurrent use.
type Service struct {
	Config
	jobs *job.Queue
}

// New makes a Service; Use gives it its queue.
func New(c Config) *Service { return &Service{Config: c} }

// Use tells the queue that takes what is too much for a request.
func (s *Service) Use(q *job.Queue) { s.jobs = q }

// Workers do the jobs, by kind.
func (s *Service) Workers() map[string]job.Worker {
	out := map[string]job.Worker{}
	for _, kind := range []string{BatchUpdate, ChangeOwner, Delete, Undo} {
		out[kind] = job.WorkerFunc(s.work)
	}
	return out
}

// Request is a change of many records. It is also the payload of its job.
type Request struct {
	Kind      string                 `json:"kind"`
	Selection query.SelectionRequest `json:"selection"`
	Sheet     string                 `json:"sheet,omitempty"`    // batch update: the sub-table of Property, or a form of the model
	Property  string                 `json:"property,omitempty"` // batch update
	Value     json.RawMessage        `json:"value,omitempty"`    // batch update: wire value
	Owner     record.Owner           `json:"owner,omitempty"`
	Batch     string                 `json:"batch,omitempty"` // undo: which; batch update: its log
	At        time.Time              `json:"at"`              // set by Run
	Locale    string                 `json:"locale"`          // set by Run: texts of results
}

// Result is what became of one record.
type Result struct {
	ObjectID string     `json:"objectId"`
	Name     string     `json:"name"`
	OK       bool       `json:"ok"`
	Field    string     `json:"-"` // label of the property that was refused; "" when it may not be read
	Code     fault.Code `json:"code"`
	Args     []any      `json:"-"`
	Message  string     `json:"message"` // filled at the edge
}

// Outcome is the answer to a request: what was done, or the job that does it.
type Outcome struct {
	JobID   *string  `json:"jobId"`
	LogID   *string  `json:"logId"`
	Total   int64    `json:"total"`
	Success int64    `json:"successCount"`
	Warned  int64    `json:"warnCount"` // of those: with other things wrong, before as now
	Failed  int64    `json:"failCount"`
	Results []Result `json:"results"`
}

// progress is how far a request is: the progress of its job.
type progress struct {
	After   string `json:"after,omitempty"` // id, or sequence of an undo
	Begun   bool   `json:"begun,omitempty"`
	Total   int64  `json:"total"`
	Success int64  `json:"success"`
	Failed  int64  `json:"failed"`
	Warned  int64  `json:"warned,omitempty"`
	Changes int64  `json:"changes"`
}

func (p progress) done() int64 { return p.Success + p.Failed }

// operation is a kind of change, made again for each chunk with the rights of that moment.
type operation interface {
	// total is how many records there are to work on.
	total(ctx context.Context, tx *store.Tx) (int64, error)
	// begin runs in the transaction of the first chunk.
	begin(tx *store.Tx, p *progress) error
	// next reads the units behind a place; it moves the place.
	next(ctx context.Context, tx *store.Tx, p *progress, limit int) ([]query.Chosen, error)
	// one changes a record, and tells what else is wrong with it. A *fault.Error is a refusal, and what was done is taken back.
	one(ctx context.Context, tx *store.Tx, u query.Chosen) ([]fault.FieldError, error)
	// end notes a chunk in the log, after the counts of the place were raised.
	end(tx *store.Tx, p *progress) error
}

// Run carries out a request of a person, or enqueues it when it is about more than a request can name.
func (s *Service) Run(ctx context.Context, view *authz.View, req Request) (Outcome, error) {
	req.At, req.Locale = s.Clock().UTC(), view.Principal().Locale
	if req.Kind == BatchUpdate {
		req.Batch = uuid.Must(uuid.NewV7()).String()
		req.Property, req.Sheet = propertyOf(view.Catalog, &req), ""
	}
	op, err := s.operation(ctx, view, &req)
	if err != nil {
		return Outcome{}, err
	}
	var total int64
	if err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) { total, err = op.total(ctx, tx); return err }); err != nil {
		return Outcome{}, err
	}
	out := Outcome{Total: total, Results: []Result{}}
	if req.Kind == BatchUpdate {
		out.LogID = &req.Batch
	}
	if req.Selection.All || total > query.MaxObjects {
		id, err := s.enqueue(ctx, view, req)
		out.JobID = &id
		return out, err
	}
	p := &progress{Total: total}
	for more := true; more; {
		var results []job.Result
		before := *p
		err := s.retry(ctx, func() error {
			*p, results = before, nil
			return s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
				results, more, err = s.chunk(ctx, tx, op, p, chunk, teller{view.Model(req.Selection.SchemaCode), view, req.Locale})
				return err
			})
		})
		if err != nil {
			return out, err
		}
		tell := teller{view.Model(req.Selection.SchemaCode), view, req.Locale}
		for _, r := range results {
			out.Results = append(out.Results, Result{ObjectID: r.Record, Name: r.Name, OK: r.OK, Field: tell.before(r), Code: r.Code, Args: r.Args})
		}
	}
	out.Success, out.Failed, out.Warned = p.Success, p.Failed, p.Warned
	return out, nil
}

var titles = map[string]job.Title{
	BatchUpdate: {Zh: "批量修改%s", En: "Batch update: %s"},
	ChangeOwner: {Zh: "修改%s的拥有者", En: "Change owner: %s"},
	Delete:      {Zh: "删除%s", En: "Delete: %s"},
	Undo:        {Zh: "撤销%s的批量修改", En: "Undo batch update: %s"},
}

func (s *Service) enqueue(ctx context.Context, view *authz.View, req Request) (id string, err error) {
	label := view.Model(req.Selection.SchemaCode).Label
	title := titles[req.Kind]
	o := job.Options{Owner: view.Principal().UserID, Subject: req.Selection.SchemaCode, Title: job.Title{Zh: fmt.Sprintf(title.Zh, label.In("zh")), En: fmt.Sprintf(title.En, label.In("en"))}}
	if req.Kind == Undo {
		o.UniqueKey = req.Batch
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err = s.jobs.Enqueue(ctx, tx, req.Kind, req, o)
		return err
	})
	return id, err
}

// Check counts what a request would meet: no presentation rights, workflows.
func (s *Service) Check(ctx context.Context, view *authz.View, sel query.SelectionRequest, action string) (out query.Counts, err error) {
	selected, err := s.Reader.Select(ctx, view, sel, action)
	if err != nil {
		return out, err
	}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error { out, err = selected.Count(ctx, tx); return err })
	return out, err
}

func (s *Service) operation(ctx context.Context, view *authz.View, req *Request) (operation, error) {
	switch req.Kind {
	case BatchUpdate:
		return s.newUpdate(ctx, view, req)
	case ChangeOwner:
		return s.newOwner(ctx, view, req)
	case Delete:
		return s.newDeletion(ctx, view, req)
	case Undo:
		return s.newUndo(ctx, view, req)
	}
	return nil, fmt.Errorf("unknown kind of change %q", req.Kind)
}

// chunk works on the next records, at most so many, and moves the place; more is false when there was none left.
func (s *Service) chunk(ctx context.Context, tx *store.Tx, op operation, p *progress, most int, tell teller) (out []job.Result, more bool, err error) {
	if !p.Begun {
		if err := op.begin(tx, p); err != nil {
			return nil, false, err
		}
		p.Begun = true
	}
	units, err := op.next(ctx, tx, p, most)
	if err != nil {
		return nil, false, err
	}
	for _, u := range units {
		warnings, err := s.one(ctx, tx, op, u)
		var f *fault.Error
		switch {
		case err == nil:
			p.Success++
			r := job.Result{Record: u.ID, Name: u.Name}
			if len(warnings) > 0 {
				p.Warned++
				r = tell.refusal(u, &fault.Error{Data: fault.Invalid{Errors: warnings}})
			}
			r.OK = true
			out = append(out, r)
		case errors.As(err, &f) && f.Code != fault.Internal:
			p.Failed++
			out = append(out, tell.refusal(u, f))
		default:
			return nil, false, fmt.Errorf("record %s: %w", u.ID, err)
		}
	}
	return out, len(units) > 0, op.end(tx, p)
}

func (s *Service) one(ctx context.Context, tx *store.Tx, op operation, u query.Chosen) (warnings []fault.FieldError, err error) {
	switch {
	case u.Missing:
		return nil, fault.New(fault.RecordNotFound)
	case !u.Allowed:
		return nil, fault.New(fault.Forbidden)
	}
	err = tx.Try(ctx, func() (err error) { warnings, err = op.one(ctx, tx, u); return err })
	return warnings, err
}

// retry repeats what met another transaction.
func (s *Service) retry(ctx context.Context, f func() error) (err error) {
	for range conflicts {
		if err = f(); !errors.Is(err, store.ErrConflict) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// long is how many records take more than a few seconds.
const long = 1000

// work is the job of every kind.
func (s *Service) work(ctx context.Context, r *job.Run) (any, error) {
	var asked Request
	if err := r.Decode(&asked); err != nil {
		return nil, err
	}
	p := &progress{}
	if _, err := r.Progress(p); err != nil {
		return nil, err
	}
	sizes := s.DB.Sizes(ctx, firstOnes, chunk)
	for more := true; more; {
		who, ok := s.Caller(ctx, r.Owner)
		if !ok {
			return nil, job.ErrOwner
		}
		who.Locale = asked.Locale
		view := s.Policy().View(who, s.Clock(), s.Zone)
		req, err := asked.now(r.Then(view.Catalog), view.Catalog)
		if err != nil {
			return nil, err
		}
		op, err := s.operation(ctx, view, &req)
		if err != nil {
			return nil, err
		}
		if !p.Begun { // counted before anybody has to wait for it
			if err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) { p.Total, err = op.total(ctx, tx); return err }); err != nil {
				return nil, err
			}
			if p.Total > long {
				if err := r.Belongs(job.Long); err != nil {
					return nil, err
				}
			}
		}
		before := *p
		var took time.Duration
		most := sizes.Next()
		err = s.retry(ctx, func() error {
			*p = before
			return r.Step(ctx, func(ctx context.Context, tx *store.Tx) (_ any, err error) {
				defer func(begun time.Time) { took = time.Since(begun) }(time.Now())
				var results []job.Result
				if results, more, err = s.chunk(ctx, tx, op, p, most, teller{view.Model(req.Selection.SchemaCode), view, req.Locale}); err != nil {
					return nil, err
				}
				p.Total = max(p.Total, p.done())
				r.Report(p.done(), p.Total)
				return p, r.Results(tx, results...)
			})
		})
		if err != nil {
			return nil, err
		}
		sizes.Took(took)
	}
	out := map[string]any{"total": p.done(), "successCount": p.Success, "failCount": p.Failed}
	if p.Warned > 0 {
		out["warnCount"] = p.Warned
	}
	if asked.Kind == BatchUpdate {
		out["logId"] = asked.Batch
	}
	return out, nil
}
