package httpapi

import (
	"net/http"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
)

func (s *Server) loginRoutes() {
	s.register(route{method: "GET", path: "/api/login/rsa_key", account: true, access: public, body: small, deadline: quick, login: true, handle: s.rsaKey})
	s.register(route{method: "POST", path: "/api/login/Authentication/get_token", account: true, access: public, body: small, deadline: quick, login: true, handle: s.signIn})
	s.register(route{method: "GET", path: "/api/login/Authentication/get_refresh_token", account: true, access: public, body: small, deadline: quick, handle: s.refresh})
	s.register(route{method: "POST", path: "/login/Authentication/get_refresh_token", account: true, access: public, body: small, deadline: quick, handle: s.refresh})
	s.register(route{method: "POST", path: "/api/login/logout", account: true, access: public, body: small, deadline: quick, handle: s.signOut})
	s.register(route{method: "GET", path: "/api/login/setup", access: public, body: small, deadline: quick, handle: s.setupState})
	s.register(route{method: "POST", path: "/api/login/setup", access: public, body: small, deadline: quick, login: true, handle: s.setup})
}

func (s *Server) rsaKey(r *request) (any, error) { return s.app.Auth().LoginKey(r.ctx) }

func (s *Server) signIn(r *request) (any, error) {
	var in struct {
		Username string      `json:"username"`
		Password secret.Text `json:"password"`
		Index    string      `json:"index"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	t, err := s.app.Auth().SignIn(r.ctx, authn.Credentials{Username: in.Username, Password: in.Password, Index: in.Index, Peer: s.peer(r.Context), Device: r.Request().UserAgent()})
	return s.setTokenCookies(r, t, err)
}

// refresh reads the refresh token from its cookie or header; one in the address is refused, for addresses are logged.
func (s *Server) refresh(r *request) (any, error) {
	if r.QueryParam("refresh_token") != "" {
		return nil, fault.New(fault.BadParameter, "refresh_token")
	}
	if !s.sameSite(r.Context) { // also when it comes as a GET: it changes something
		return nil, fault.New(fault.CrossSite)
	}
	token := r.Request().Header.Get("X-Refresh-Token")
	if c, err := r.Cookie(refreshing); token == "" && err == nil {
		token = c.Value
	}
	if token == "" {
		return nil, fault.New(fault.Unauthenticated)
	}
	t, err := s.app.Auth().Refresh(r.ctx, token)
	if err != nil && fault.Of(err) == fault.RefreshRejected {
		s.forget(r)
	}
	return s.setTokenCookies(r, t, err)
}

func (s *Server) signOut(r *request) (any, error) {
	if p, err := s.authenticate(r.ctx, r.Context, true); err == nil {
		if err := s.app.Auth().SignOut(r.ctx, p); err != nil {
			return nil, err
		}
	}
	s.forget(r)
	return nil, nil
}

func (s *Server) setupState(r *request) (any, error) {
	needed, err := s.app.Auth().SetupNeeded(r.ctx)
	return map[string]bool{"needed": needed}, err
}

func (s *Server) setup(r *request) (any, error) {
	var in struct {
		Secret   secret.Text `json:"secret"`
		Username string      `json:"username"`
		Name     string      `json:"name"`
		Password secret.Text `json:"password"`
		Index    string      `json:"index"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	t, err := s.app.Setup().Run(r.ctx, authn.First{Secret: in.Secret, Username: in.Username, Name: in.Name, Password: in.Password, Index: in.Index,
		Peer: s.peer(r.Context), Device: r.Request().UserAgent()})
	return s.setTokenCookies(r, t, err)
}

// setTokenCookies puts the tokens into cookies that scripts of the page cannot read.
func (s *Server) setTokenCookies(r *request, t authn.Tokens, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	s.cookie(r, cookieName, t.Access, "/", authn.AccessLife)
	s.cookie(r, refreshing, t.Refresh, "/", authn.RefreshLife)
	return t, nil
}

func (s *Server) forget(r *request) {
	s.cookie(r, cookieName, "", "/", -time.Second)
	s.cookie(r, refreshing, "", "/", -time.Second)
}

func (s *Server) cookie(r *request, name, value, path string, life time.Duration) {
	r.SetCookie(&http.Cookie{Name: name, Value: value, Path: path, MaxAge: int(life.Seconds()), HttpOnly: true,
		Secure: s.secure(r.Context), SameSite: http.SameSiteLaxMode})
}
