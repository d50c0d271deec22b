package httpapi

import (
	"math"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/query"
)

// draftRoutes serve drafts of new records.
func (s *Server) draftRoutes() {
	s.register(route{method: "POST", path: "/api/runtime/draft/save", access: signedIn, body: large, deadline: quick, handle: s.saveDraft})
	s.register(route{method: "POST", path: "/api/runtime/draft/list", access: signedIn, body: small, deadline: quick, handle: s.listDrafts})
	s.register(route{method: "GET", path: "/api/runtime/draft/load", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Drafts().Open(r.ctx, r.view, r.QueryParam("id"))
	}})
	s.register(route{method: "POST", path: "/api/runtime/draft/delete", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in struct {
			IDs []string `json:"ids"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.Drafts().Delete(r.ctx, r.view, in.IDs)
	}})
}

func (s *Server) saveDraft(r *request) (any, error) {
	var in draft.Input
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Drafts().Save(r.ctx, r.view, in)
}

func (s *Server) listDrafts(r *request) (any, error) {
	in := struct {
		Searchword string `json:"searchword"`
		Page       int    `json:"page"`
		Size       int    `json:"size"`
	}{Size: query.DefaultPageSize}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if in.Page < 0 || in.Size < 1 || in.Size > query.MaxPageSize || in.Page > math.MaxInt32/in.Size {
		return nil, fault.New(fault.PageOutOfRange)
	}
	return s.app.Drafts().List(r.ctx, r.view, in.Searchword, in.Page, in.Size)
}
