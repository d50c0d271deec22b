package httpapi

import (
	"strconv"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

const definitionPath = "/api/definition/"

// Sizes of the history of what was published.
const (
	historyPage = 50
	historyMost = 200
)

// definitionRoutes are about the documents of packs: reading, looking at what a change would do, publishing. What a caller may, the service
// decides.
func (s *Server) definitionRoutes() {
	s.register(route{method: "GET", path: definitionPath + "documents", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.DocumentList(r.ctx, r.view)
	}})
	s.register(route{method: "GET", path: definitionPath + "document", access: signedIn, body: small, deadline: patient, handle: s.document})
	s.register(route{method: "GET", path: definitionPath + "history", access: signedIn, body: small, deadline: patient, handle: s.published})
	s.register(route{method: "GET", path: definitionPath + "names", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Names(r.ctx, r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "GET", path: definitionPath + "uses", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Uses(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("kind"), r.QueryParam("name"))
	}})
	s.register(route{method: "POST", path: definitionPath + "rename", access: signedIn, body: small, deadline: publishing, handle: func(r *request) (any, error) {
		var in app.NewCode
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Recode(r.ctx, r.view, in)
	}})
	s.register(route{method: "POST", path: definitionPath + "check", access: signedIn, body: large, deadline: publishing, handle: func(r *request) (any, error) {
		var in app.Changeset
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Look(r.ctx, r.view, in)
	}})
	s.register(route{method: "POST", path: definitionPath + "publish", access: signedIn, body: large, deadline: publishing, handle: s.publish})
}

// publishing is longer than compiling takes with many documents, and than an apply waits for writers.
const publishing = 60 * time.Second

func (s *Server) document(r *request) (any, error) {
	version := int64(0)
	if text := r.QueryParam("version"); text != "" {
		var err error
		if version, err = strconv.ParseInt(text, 10, 64); err != nil || version < 1 {
			return nil, fault.New(fault.BadParameter, "version")
		}
	}
	return s.app.DocumentText(r.ctx, r.view, r.QueryParam("pack"), r.QueryParam("path"), version)
}

func (s *Server) published(r *request) (any, error) {
	below, most := int64(0), historyPage
	if text := r.QueryParam("below"); text != "" {
		var err error
		if below, err = strconv.ParseInt(text, 10, 64); err != nil || below < 1 {
			return nil, fault.New(fault.BadParameter, "below")
		}
	}
	if text := r.QueryParam("size"); text != "" {
		var err error
		if most, err = strconv.Atoi(text); err != nil || most < 1 || most > historyMost {
			return nil, fault.New(fault.BadParameter, "size")
		}
	}
	return s.app.History(r.ctx, r.view, below, most)
}

func (s *Server) publish(r *request) (any, error) {
	var in struct {
		app.Changeset
		Confirm          string `json:"confirm"`
		AllowDestructive bool   `json:"allowDestructive"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Publish(r.ctx, r.view, in.Changeset, app.Confirmation{Steps: in.Confirm, AllowDestructive: in.AllowDestructive})
}
