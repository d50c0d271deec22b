package httpapi

import (
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// rehearsalRoutes try workflows without writing anything. Who may, the service decides.
func (s *Server) rehearsalRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/workflow/rehearsal", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().Rehearsable(r.ctx, r.view, r.QueryParam("workflowCode"))
	}})
	s.register(route{method: "GET", path: "/api/runtime/workflow/rehearsal/records", access: signedIn, body: small, deadline: quick, handle: s.rehearsalRecords})
	s.register(route{method: "POST", path: "/api/runtime/workflow/rehearse", access: signedIn, body: medium, deadline: publishing, handle: s.rehearse})
}

// rehearsalRecords are those that the caller sees and a rehearsal can start with.
func (s *Server) rehearsalRecords(r *request) (any, error) {
	_, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	w, err := s.app.Workflows().Rehearsable(r.ctx, r.view, r.QueryParam("workflowCode"))
	if err != nil {
		return nil, err
	}
	found, err := s.app.Reader().Pick(r.ctx, r.view, w.Model, r.QueryParam("keyword"), min(size, mostPeople))
	if err != nil {
		return nil, err
	}
	return pageOf[query.Entry]{Content: found.Content, Total: found.Total}, nil
}

func (s *Server) rehearse(r *request) (any, error) {
	var in workflow.Rehearsal
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	out, err := s.app.Workflows().Rehearse(r.ctx, r.view, in)
	var misfit *workflow.Misfit
	var faulty *app.Faulty
	switch {
	case errors.As(err, &misfit):
		at := fmt.Sprintf("runs[%d].%s", misfit.Run, misfit.Key)
		if misfit.Decision >= 0 {
			at = fmt.Sprintf("runs[%d].decisions[%d].%s", misfit.Run, misfit.Decision, misfit.Key)
		}
		return nil, fault.New(fault.BadParameter, at+" "+misfit.Word)
	case errors.As(err, &faulty):
		return nil, &fault.Error{Code: fault.PublishFaulty, Args: []any{faulty.List.Errors()}, Data: struct {
			Diagnostics diag.List `json:"diagnostics"`
		}{faulty.List}, Err: err}
	}
	return out, err
}
