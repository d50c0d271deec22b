package httpapi

import "github.com/sluice-platform/sluice/runtime/workflow"

// preferenceRoutes are what people use when they handle tasks: quick opinions and their signature.
func (s *Server) preferenceRoutes() {
	const path = "/api/runtime/workitem/preferences"
	s.register(route{method: "GET", path: path, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().Preferences(r.ctx, r.view)
	}})
	s.register(route{method: "PUT", path: path, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in workflow.PreferenceChange
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Workflows().SetPreferences(r.ctx, r.view, in)
	}})
}
