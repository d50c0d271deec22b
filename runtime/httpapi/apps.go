package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/manage"
)

const (
	packagePath  = "/api/app/apppackage/"
	groupPath    = "/api/app/group/"
	functionPath = "/api/app/function/"
)

// appRoutes are applications and their menus: what everybody opens, and what administrators change.
func (s *Server) appRoutes() {
	get := func(path string, deadline time.Duration, handle func(r *request) (any, error)) {
		s.register(route{method: "GET", path: path, access: signedIn, body: small, deadline: deadline, handle: handle})
	}
	s.register(route{method: "GET", path: packagePath + "list", access: signedIn, scoped: true, body: small, deadline: quick, handle: func(r *request) (any, error) { return s.app.Reader().Apps(r.view), nil }})
	get(groupPath+"list", quick, func(r *request) (any, error) { return s.app.Reader().Groups(r.view), nil })
	get("/api/app/logo", quick, s.appLogo)
	get(functionPath+"tree", quick, func(r *request) (any, error) {
		code := r.QueryParam("appCode")
		return s.app.Reader().Menu(r.view, code, s.app.MayAdminister(r.view, code))
	})
	get(functionPath+"children", quick, func(r *request) (any, error) { return s.app.MenuChildren(r.view, r.QueryParam("id")) })
	get(packagePath+"list_all", patient, func(r *request) (any, error) { return s.app.ManagedApps(r.ctx, r.view) })
	get(packagePath+"history", patient, func(r *request) (any, error) { return s.app.AppHistory(r.ctx, r.view, r.QueryParam("code")) })
	get(packagePath+"export", patient, s.exportApp)
	get(functionPath+"manage", patient, func(r *request) (any, error) { return s.app.ManagedMenu(r.ctx, r.view, r.QueryParam("appCode")) })
	manages(s, "POST", packagePath+"create", s.app.AddApp)
	manages(s, "PUT", packagePath+"update", s.app.UpdateApp)
	manages(s, "PUT", packagePath+"order", s.app.OrderApps)
	manages(s, "POST", packagePath+"delete", s.app.DeleteApp)
	manages(s, "POST", packagePath+"restore", s.app.RestoreApp)
	manages(s, "PUT", groupPath+"update", s.app.UpdateGroup)
	manages(s, "POST", functionPath+"create", s.app.AddEntry)
	manages(s, "PUT", functionPath+"update", s.app.UpdateEntry)
	manages(s, "PUT", functionPath+"move", s.app.MoveEntry)
	manages(s, "POST", functionPath+"delete", s.app.DeleteEntry)
	s.register(route{method: "POST", path: packagePath + "import", access: signedIn, body: manage.MaxArchive + medium, deadline: publishing, upload: true, handle: s.importApp})
}

// manages registers a call that publishes what the administration of applications changes.
func manages[In any](s *Server, method, path string, change func(context.Context, *authz.View, In) (*app.Managed, error)) {
	s.register(route{method: method, path: path, access: signedIn, body: medium, deadline: publishing, handle: func(r *request) (any, error) {
		var in In
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return change(r.ctx, r.view, in)
	}})
}

func (s *Server) exportApp(r *request) (any, error) {
	name, data, err := s.app.ExportApp(r.ctx, r.view, r.QueryParam("code"))
	if err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", disposition(false, name))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	r.extendDeadline()
	http.ServeContent(r.Response(), r.Request(), "", time.Time{}, bytes.NewReader(data))
	return sent{}, nil
}

// importApp reads the file into memory: packages are small, and it is checked as a whole before any of it is used.
func (s *Server) importApp(r *request) (any, error) {
	var in app.AppImport
	for name, to := range map[string]*bool{"check": &in.Check, "update": &in.Update, "allowDestructive": &in.AllowDestructive} {
		switch r.QueryParam(name) {
		case "", "false":
		case "true":
			*to = true
		default:
			return nil, fault.New(fault.BadParameter, name)
		}
	}
	in.Confirm = r.QueryParam("confirm")
	if err := s.app.MayImport(r.view); err != nil { // before somebody without the right sends a file
		return nil, err
	}
	part, err := r.filePart()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(part, manage.MaxArchive+1))
	if err != nil {
		return nil, broken(err)
	}
	if err := s.arrived(r); err != nil {
		return nil, err
	}
	return s.app.ImportApp(r.ctx, r.view, data, in)
}

// appLogo answers the logo of an application that the caller opens. Browsers keep it: its address names its content. As a page of its own it may
// do nothing: drawings can hold scripts.
func (s *Server) appLogo(r *request) (any, error) {
	for _, a := range r.view.Catalog.Apps {
		if a.Logo == nil || a.Logo.Digest != r.QueryParam("digest") || a.Disabled || !r.view.Opens(a.Code) {
			continue
		}
		h := r.Response().Header()
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		return sent{}, r.Blob(http.StatusOK, a.Logo.Type, a.Logo.Data)
	}
	return nil, fault.New(fault.FileNotFound)
}
