package httpapi

import (
	"strings"

	"github.com/sluice-platform/sluice/runtime/app"
)

const designPath = "/api/app/workflow/"

// designRoutes are the editor of workflows, for those who administer their application.
func (s *Server) designRoutes() {
	s.register(route{method: "GET", path: designPath + "list", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.DesignedWorkflows(r.ctx, r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "GET", path: designPath + "design", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.WorkflowDesign(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("workflowCode"))
	}})
	s.register(route{method: "GET", path: designPath + "model", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.DesignModel(r.view, r.QueryParam("appCode"), r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "GET", path: designPath + "people", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var ids []string
		if text := r.QueryParam("ids"); text != "" {
			ids = strings.Split(text, ",")
		}
		return s.app.DesignPeople(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("kind"), r.QueryParam("search"), ids)
	}})
	s.register(route{method: "POST", path: designPath + "check", access: signedIn, body: large, deadline: publishing, handle: drafted(func(r *request, in app.DesignDraft) (any, error) {
		return s.app.CheckDesign(r.ctx, r.view, in)
	})})
	s.register(route{method: "PUT", path: designPath + "draft", access: signedIn, body: large, deadline: quick, handle: drafted(func(r *request, in app.DesignDraft) (any, error) {
		return nil, s.app.KeepDesign(r.ctx, r.view, in)
	})})
	s.register(route{method: "PUT", path: designPath + "design", access: signedIn, body: large, deadline: publishing, handle: drafted(func(r *request, in app.DesignDraft) (any, error) {
		return s.app.PublishDesign(r.ctx, r.view, in)
	})})
}
