package httpapi

import (
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
)

const savedFiltersPath = "/api/runtime/query/saved_filters"

// savedFilterRoutes are about filters that people keep under a name.
func (s *Server) savedFilterRoutes() {
	s.register(route{method: "GET", path: savedFiltersPath, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.SavedFilters().List(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"))
	}})
	s.register(route{method: "POST", path: savedFiltersPath, access: signedIn, body: medium, deadline: quick, handle: s.addSavedFilter})
	s.register(route{method: "PUT", path: savedFiltersPath + "/{id}", access: signedIn, body: medium, deadline: quick, handle: func(r *request) (any, error) {
		var in savedfilter.Change
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.SavedFilters().Change(r.ctx, r.view, r.Param("id"), in)
	}})
	s.register(route{method: "DELETE", path: savedFiltersPath + "/{id}", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return nil, s.app.SavedFilters().Delete(r.ctx, r.view, r.Param("id"))
	}})
}

func (s *Server) addSavedFilter(r *request) (any, error) {
	var in struct {
		SchemaCode string          `json:"schemaCode"`
		QueryCode  string          `json:"queryCode"`
		Name       *string         `json:"name"`
		Filters    *[]query.Filter `json:"filters"`
		Shared     *bool           `json:"shared"`
		Default    *bool           `json:"default"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	id, err := s.app.SavedFilters().Add(r.ctx, r.view, in.SchemaCode, in.QueryCode,
		savedfilter.Change{Name: in.Name, Filters: in.Filters, Shared: in.Shared, Default: in.Default})
	return map[string]string{"id": id}, err
}
