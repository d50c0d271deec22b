package httpapi

import (
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
)

// versionRoutes tell by which versions of a workflow its instances run, let them go on by the newest, and look after all that run.
func (s *Server) versionRoutes() {
	const flows = "/api/runtime/workflow/"
	s.register(route{method: "GET", path: flows + "versions", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().Versions(r.ctx, r.view, r.QueryParam("workflowCode"))
	}})
	s.register(route{method: "GET", path: flows + "version_counts", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().VersionCounts(r.ctx, r.view)
	}})
	s.register(route{method: "GET", path: flows + "findings", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		page, size, err := paging(r)
		if err != nil {
			return nil, err
		}
		return s.app.Workflows().Findings(r.ctx, r.view, page, size)
	}})
	s.register(route{method: "POST", path: flows + "audit", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		id, err := s.app.AuditWorkflows(r.ctx, r.view)
		return struct {
			Job string `json:"jobId"`
		}{id}, err
	}})
	s.register(route{method: "POST", path: flows + "migrate", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		in := struct {
			Workflow string   `json:"workflowCode"`
			IDs      []string `json:"ids"`
			Check    bool     `json:"check"`
		}{IDs: []string{}}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		if in.IDs == nil {
			return nil, fault.New(fault.BadParameter, "ids")
		}
		out, err := s.app.Workflows().Migrate(r.ctx, r.view, in.Workflow, in.IDs, in.Check)
		for i := range out {
			var refused *fault.Error
			if errors.As(out[i].Refused, &refused) {
				out[i].Message = s.texts.sentence(refused.Code, r.locale, refused.Args)
			}
		}
		return out, err
	}})
}
