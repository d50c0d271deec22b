package httpapi

import (
	"github.com/sluice-platform/sluice/runtime/query"
)

// printRoutes load what goes on paper.
func (s *Server) printRoutes() {
	s.register(route{method: "POST", path: "/api/runtime/print/load_data", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		in := struct {
			SchemaCode string   `json:"schemaCode"`
			QueryCode  string   `json:"queryCode"`
			ObjectIDs  []string `json:"objectIds"`
		}{}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Prints().Load(r.ctx, r.view, query.PrintRequest{SchemaCode: in.SchemaCode, QueryCode: in.QueryCode, ObjectIDs: in.ObjectIDs})
	}})
}
