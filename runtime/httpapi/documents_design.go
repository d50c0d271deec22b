package httpapi

import (
	"context"
	"strconv"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// drafted reads the body of a call of an editor: a draft, and what else its kind needs.
func drafted[D any](do func(r *request, in D) (any, error)) func(*request) (any, error) {
	return func(r *request) (any, error) {
		var in D
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return do(r, in)
	}
}

// documentVersions are the versions of documents of a kind that has an editor.
type documentVersions struct {
	path string // of the calls of its editor
	code string // parameter that names a document
	list func(ctx context.Context, view *authz.View, application, code string) ([]app.AppVersion, error)
	read func(ctx context.Context, view *authz.View, application, code string, version int64) (string, error)
}

// documentVersionRoutes list the versions of a document, and read one.
func (s *Server) documentVersionRoutes(of documentVersions) {
	s.register(route{method: "GET", path: of.path + "history", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return of.list(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam(of.code))
	}})
	s.register(route{method: "GET", path: of.path + "version", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		version, err := strconv.ParseInt(r.QueryParam("version"), 10, 64)
		if err != nil || version < 0 {
			return nil, fault.New(fault.BadParameter, "version")
		}
		text, err := of.read(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam(of.code), version)
		return map[string]any{"version": version, "text": text}, err
	}})
}
