package httpapi

import (
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/job"
)

// jobRoutes are about the caller's own jobs; other people's do not exist for them.
func (s *Server) jobRoutes() {
	s.register(route{method: "GET", path: "/api/jobs", access: signedIn, body: small, deadline: quick, handle: s.jobs})
	s.register(route{method: "GET", path: "/api/jobs/{id}", access: signedIn, body: small, deadline: quick, handle: s.job})
	s.register(route{method: "GET", path: "/api/jobs/{id}/results", access: signedIn, body: small, deadline: quick, handle: s.jobResults})
	s.register(route{method: "POST", path: "/api/jobs/{id}/cancel", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return nil, s.app.Jobs().Cancel(r.ctx, r.principal.UserID, r.Param("id"))
	}})
	s.register(route{method: "POST", path: "/api/jobs/{id}/retry", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return nil, s.app.Jobs().Retry(r.ctx, r.principal.UserID, r.Param("id"))
	}})
}

// jobView is a job in an answer.
type jobView struct {
	ID         string          `json:"id"`
	Kind       string          `json:"kind"`
	Title      string          `json:"title"`
	Subject    *string         `json:"subject"`
	State      job.State       `json:"state"`
	Ahead      int             `json:"ahead"`
	Done       int64           `json:"done"`
	Total      int64           `json:"total"`
	Cancelling bool            `json:"cancelling"`
	Error      *jobError       `json:"error"`
	Result     json.RawMessage `json:"result"`
	Created    time.Time       `json:"createdTime"`
	Started    *time.Time      `json:"startedTime"`
	Finished   *time.Time      `json:"finishedTime"`
}

type jobError struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// jobResult is a row of a result list.
type jobResult struct {
	Sequence int64      `json:"sequence"`
	Record   string     `json:"recordId"`
	Name     string     `json:"name"`
	OK       bool       `json:"ok"`
	Code     fault.Code `json:"code"`
	Message  string     `json:"message"`
}

// pageOf is a page of anything.
type pageOf[T any] struct {
	Content []T   `json:"content"`
	Total   int64 `json:"totalElements"`
}

func (s *Server) view(j job.Job, locale string) jobView {
	v := jobView{ID: j.ID, Kind: j.Kind, Title: j.Title.Zh, State: j.State, Ahead: j.Ahead, Done: j.Done, Total: j.Total, Cancelling: j.Cancelling, Result: j.Result,
		Created: j.Created.UTC(), Started: j.Started, Finished: j.Finished}
	if locale == "en" && j.Title.En != "" {
		v.Title = j.Title.En
	}
	if j.Subject != "" {
		v.Subject = &j.Subject
	}
	if j.Code != 0 {
		v.Error = &jobError{Code: j.Code, Message: s.texts.sentence(j.Code, locale, j.Args)}
	}
	return v
}

func (s *Server) jobs(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	jobs, total, err := s.app.Jobs().List(r.ctx, r.principal.UserID, page, size)
	if err != nil {
		return nil, err
	}
	out := pageOf[jobView]{Content: []jobView{}, Total: total}
	for _, j := range jobs {
		out.Content = append(out.Content, s.view(j, r.locale))
	}
	return out, nil
}

func (s *Server) job(r *request) (any, error) {
	j, err := s.app.Jobs().Get(r.ctx, r.principal.UserID, r.Param("id"))
	if err != nil {
		return nil, err
	}
	return s.view(j, r.locale), nil
}

func (s *Server) jobResults(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	results, total, err := s.app.Jobs().Results(r.ctx, r.principal.UserID, r.Param("id"), r.QueryParam("failed") == "true", page, size)
	if err != nil {
		return nil, err
	}
	j, err := s.app.Jobs().Get(r.ctx, r.principal.UserID, r.Param("id"))
	if err != nil {
		return nil, err
	}
	if results, err = s.app.Bulk().Tell(r.ctx, r.view, j, results); err != nil {
		return nil, err
	}
	out := pageOf[jobResult]{Content: []jobResult{}, Total: total}
	for _, one := range results {
		v := jobResult{Sequence: one.Sequence, Record: one.Record, Name: one.Name, OK: one.OK, Code: one.Code}
		if one.Code != 0 {
			v.Message = s.texts.about(one.Field, one.Code, r.locale, one.Args)
		}
		out.Content = append(out.Content, v)
	}
	return out, nil
}
