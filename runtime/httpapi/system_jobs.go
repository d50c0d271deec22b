package httpapi

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/job"
)

// systemOwner is the system itself where the calls name the owner of a job.
const systemOwner = "system"

// systemJobRoutes are about everybody's jobs, for those with the permission SYS_MNG.
func (s *Server) systemJobRoutes() {
	s.register(route{method: "GET", path: "/api/system/jobs", access: signedIn, body: small, deadline: quick, handle: s.systemJobs})
	s.register(route{method: "GET", path: "/api/system/jobs/choices", access: signedIn, body: small, deadline: quick, handle: s.systemJobChoices})
	s.register(route{method: "GET", path: "/api/system/jobs/{id}", access: signedIn, body: small, deadline: quick, handle: s.systemJob})
	s.register(route{method: "POST", path: "/api/system/jobs/{id}/cancel", access: signedIn, body: small, deadline: quick, handle: systemJobAct(s, audit.JobCancelled, job.All.Cancel)})
	s.register(route{method: "POST", path: "/api/system/jobs/{id}/retry", access: signedIn, body: small, deadline: quick, handle: systemJobAct(s, audit.JobRepeated, job.All.Retry)})
}

// maintains refuses callers who do not look after the installation.
func (r *request) maintains() error {
	if !r.view.Has(systemPermission) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

func systemJobAct(s *Server, kind audit.Kind, act func(job.All, context.Context, string) error) func(*request) (any, error) {
	return func(r *request) (any, error) {
		if err := r.maintains(); err != nil {
			return nil, err
		}
		if err := act(s.app.Jobs().All(), r.ctx, r.Param("id")); err != nil {
			return nil, err
		}
		return nil, s.app.Note(r.ctx, audit.Entry{Kind: kind, Subject: r.Param("id")})
	}
}

// jobOwner is whose a job is, in an answer.
type jobOwner struct {
	ID   string `json:"id"`   // "system" = the system
	Name string `json:"name"` // "" of the system, and of people who are gone
}

// systemJobView is anybody's job in an answer.
type systemJobView struct {
	jobView
	Owner    jobOwner         `json:"owner"`
	Node     *string          `json:"node"`
	Attempt  int              `json:"attempt"`
	Attempts int              `json:"attempts"`
	Stalls   int              `json:"stalls"`
	RunAt    time.Time        `json:"runTime"`
	Counts   map[string]int64 `json:"counts"`
	Failures []jobFailures    `json:"failures"`
}

// jobFailures are units of a job that failed for one reason.
type jobFailures struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Count   int64      `json:"count"`
}

func (s *Server) ownerOf(ctx context.Context, id string) jobOwner {
	if id == "" {
		return jobOwner{ID: systemOwner}
	}
	p, _ := s.app.People().Person(ctx, id)
	return jobOwner{ID: id, Name: p.Name}
}

// withheld fills the places of a text whose values its reader may not see.
var withheld = []any{"…", "…", "…", "…", "…"}

func (s *Server) watched(r *request, w job.Watched) systemJobView {
	v := systemJobView{jobView: s.view(w.Job, r.locale), Owner: s.ownerOf(r.ctx, w.Owner), Attempt: w.Attempt, Attempts: w.Attempts, Stalls: w.Stalls,
		RunAt: w.RunAt.UTC(), Counts: w.Counts, Failures: []jobFailures{}}
	if w.Node != "" {
		v.Node = &w.Node
	}
	if v.Error != nil && len(w.Args) == 0 {
		v.Error.Message = s.texts.sentence(w.Code, r.locale, withheld)
	}
	for _, f := range w.Failures {
		v.Failures = append(v.Failures, jobFailures{Code: f.Code, Message: s.texts.sentence(f.Code, r.locale, withheld), Count: f.Count})
	}
	return v
}

func (s *Server) systemJobs(r *request) (any, error) {
	if err := r.maintains(); err != nil {
		return nil, err
	}
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	f := job.Filter{Kind: r.QueryParam("kind")}
	if owner := r.QueryParam("owner"); owner == systemOwner {
		f.Owner = new(string)
	} else if owner != "" {
		f.Owner = &owner
	}
	if states := r.QueryParam("state"); states != "" {
		for _, one := range strings.Split(states, ",") {
			if state := job.State(one); slices.Contains([]job.State{job.Queued, job.Running, job.Done, job.Failed, job.Cancelled}, state) {
				f.States = append(f.States, state)
			} else {
				return nil, fault.New(fault.BadParameter, "state")
			}
		}
	}
	jobs, total, err := s.app.Jobs().All().List(r.ctx, f, page, size)
	if err != nil {
		return nil, err
	}
	out := pageOf[systemJobView]{Content: []systemJobView{}, Total: total}
	for _, j := range jobs {
		out.Content = append(out.Content, s.watched(r, j))
	}
	return out, nil
}

func (s *Server) systemJob(r *request) (any, error) {
	if err := r.maintains(); err != nil {
		return nil, err
	}
	j, err := s.app.Jobs().All().Get(r.ctx, r.Param("id"))
	if err != nil {
		return nil, err
	}
	return s.watched(r, j), nil
}

// systemJobChoices answers by what the jobs can be filtered: the kinds and the owners of those that there are.
func (s *Server) systemJobChoices(r *request) (any, error) {
	if err := r.maintains(); err != nil {
		return nil, err
	}
	kinds, owners, err := s.app.Jobs().All().Choices(r.ctx)
	if err != nil {
		return nil, err
	}
	out := struct {
		Kinds  []string   `json:"kinds"`
		Owners []jobOwner `json:"owners"`
	}{Kinds: append([]string{}, kinds...), Owners: []jobOwner{}}
	for _, id := range owners {
		out.Owners = append(out.Owners, s.ownerOf(r.ctx, id))
	}
	slices.SortStableFunc(out.Owners, func(a, b jobOwner) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
