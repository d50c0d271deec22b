package httpapi

import (
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
)

// versionRoutes tell by which versions of a workflow its instances run, and let them go on by the newest.
func (s *Server) versionRoutes() {
	const flows = "/api/runtime/workflow/"
	s.register(route{method: "GET", path: flows + "versions", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().Versions(r.ctx, r.view, r.QueryParam("workflowCode"))
	}})
	s.register(route{method: "GET", path: flows + "version_counts", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().VersionCounts(r.ctx, r.view)
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
