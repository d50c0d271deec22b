package httpapi

import (
	"bytes"
	"net/http"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/query"
)

// shellRoutes are about the frame of the interface: the start page, the look of the installation, and its projects.
func (s *Server) shellRoutes() {
	s.register(route{method: "GET", path: "/api/app/home", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.StartOf(r.ctx, r.view)
	}})
	s.register(route{method: "POST", path: "/api/app/home/visit", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in home.Place
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.Home().Visit(r.ctx, r.view, in)
	}})
	s.register(route{method: "GET", path: "/api/app/search", access: signedIn, scoped: true, body: small, deadline: patient, handle: s.search})
	s.register(route{method: "PUT", path: "/api/app/home/favorite", access: signedIn, body: small, deadline: quick, handle: s.favor})
	s.register(route{method: "GET", path: "/api/system/theme", access: public, body: small, deadline: quick, handle: func(*request) (any, error) {
		return map[string]any{"theme": s.app.Branding().Chosen(), "themes": app.Themes()}, nil
	}})
	s.register(route{method: "PUT", path: "/api/system/theme", access: signedIn, body: medium, deadline: quick, handle: func(r *request) (any, error) {
		var in app.BrandingChange
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.SetBranding(r.ctx, r.view, in)
	}})
	s.register(route{method: "GET", path: "/api/system/logo", access: public, body: small, deadline: quick, stream: true, handle: s.logo})
	s.register(route{method: "GET", path: "/api/project/tree", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.ProjectTree(r.ctx, r.view, projectOf(r))
	}})
	s.register(route{method: "GET", path: "/api/sysConfig/projectConfig/{code}", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.ProjectConfig(r.ctx, r.Param("code"))
	}})
	s.register(route{method: "PUT", path: "/api/sysConfig/projectConfig/{code}", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in app.ProjectConfig
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.SetProjectConfig(r.ctx, r.view, r.Param("code"), in)
	}})
}

// projectOf is the project configuration that a call is about. The specification names it by an application.
func projectOf(r *request) string {
	if code := r.QueryParam("appCode"); code != "" {
		return code
	}
	return "default"
}

// search finds records of all models. The palette asks with each text that is typed, and gives up the call for the text before.
func (s *Server) search(r *request) (any, error) {
	_, size, err := pagingTo(r, query.MaxSearchSize)
	if err != nil {
		return nil, err
	}
	in := query.SearchRequest{Keyword: r.QueryParam("keyword"), Size: size}
	switch r.QueryParam("thorough") {
	case "", "false":
	case "true":
		in.Thorough = true
	default:
		return nil, fault.New(fault.BadParameter, "thorough")
	}
	return s.app.Reader().Search(r.ctx, r.view, in)
}

func (s *Server) favor(r *request) (any, error) {
	var in struct {
		home.Place
		Favorite bool `json:"favorite"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	is, err := s.app.Home().Favor(r.ctx, r.view, in.Place, in.Favorite)
	return map[string]any{"favorite": is, "most": home.MaxFavorites}, err
}

// logo answers the picture that the look has. Browsers keep it: its address names its content.
func (s *Server) logo(r *request) (any, error) {
	look := s.app.Branding()
	if !look.HasLogo() || r.QueryParam("v") != look.LogoSum {
		return nil, fault.New(fault.FileNotFound)
	}
	h := r.Response().Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	return nil, r.Stream(http.StatusOK, look.LogoType, bytes.NewReader(look.Logo))
}
