package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// rightsRoutes are about who may do what, for those who look after the installation or administer it.
func (s *Server) rightsRoutes() {
	const at = "/api/system/"
	s.register(route{method: "GET", path: at + "rights/roles", access: signedIn, body: small, deadline: quick, handle: s.rightsRoles})
	s.register(route{method: "GET", path: at + "rights/models", access: signedIn, body: small, deadline: quick, handle: s.rightsModels})
	s.register(route{method: "GET", path: at + "rights/people", access: signedIn, body: small, deadline: quick, handle: s.rightsPeople})
	s.register(route{method: "GET", path: at + "rights/explain", access: signedIn, body: small, deadline: quick, handle: s.explainRights})
	s.register(route{method: "POST", path: at + "see_as", access: signedIn, body: small, deadline: quick, handle: s.seeAs})
}

// passHeader carries the pass of somebody who looks at the product as somebody else; addresses of files carry passParameter in its place.
const (
	passHeader    = "X-See-As"
	passParameter = "seeAs"
)

// looksAfter refuses those who neither look after the installation nor administer it.
func looksAfter(r *request) error {
	if !r.view.Has(systemPermission) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// seenAs is the principal that a request without a pass has, or the person whom its pass is for. The rights to look at them are asked at
// each request.
func (s *Server) seenAs(ctx context.Context, c *echo.Context, by principal.Principal) (principal.Principal, error) {
	pass := c.Request().Header.Get(passHeader)
	if pass == "" && c.Request().Method == http.MethodGet {
		pass = c.QueryParam(passParameter)
	}
	if pass == "" {
		return by, nil
	}
	p, err := s.app.Auth().SeenAs(ctx, by, pass)
	if err != nil {
		return principal.Principal{}, err
	}
	if !maySeeAs(s.app.State().Policy.View(by, s.app.Now(), s.app.Zone()), p.UserID, p.Roles) {
		return principal.Principal{}, fault.New(fault.SeeAsEnded)
	}
	return p, nil
}

// maySeeAs: who has more rights than oneself is not looked at, or one would have those rights; nor is oneself.
func maySeeAs(by *authz.View, user string, roles []string) bool {
	return by.Has(systemPermission) && by.User() != user && by.MayManage(roles...)
}

// seeAs gives the session a pass.
func (s *Server) seeAs(r *request) (any, error) {
	var in struct {
		UserID string `json:"userId"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := looksAfter(r); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	person, ok := s.app.People().Person(r.ctx, in.UserID)
	switch {
	case !ok || person.Disabled:
		return nil, fault.New(fault.UserNotFound)
	case !maySeeAs(r.view, person.ID, person.Roles):
		return nil, fault.New(fault.SeeAsAbove)
	}
	pass, expires, err := s.app.Auth().MakePass(r.principal, person.ID)
	if err != nil {
		return nil, err
	}
	if err := s.app.Note(r.ctx, audit.Entry{Kind: audit.SeenAs, Subject: person.ID, About: person.Name}); err != nil {
		return nil, err
	}
	return map[string]any{"pass": pass, "expires": expires.UTC().Format(time.RFC3339), "user": rightsPerson{person.ID, person.Name}}, nil
}

// seenBy is the administrator who looks at the product as the caller; nil where it is the caller.
func (s *Server) seenBy(r *request) any {
	if r.principal.SeenBy == "" {
		return nil
	}
	p, _ := s.app.People().Person(r.ctx, r.principal.SeenBy)
	return rightsPerson{r.principal.SeenBy, p.Name}
}

type rightsPerson struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// viewOf is what somebody else may do now.
func (s *Server) viewOf(r *request, user string) (*authz.View, error) {
	person, ok := s.app.People().Person(r.ctx, user)
	if !ok {
		return nil, fault.New(fault.UserNotFound)
	}
	p := authn.Principal(r.ctx, s.app.People(), person, "")
	p.Locale = r.locale
	return r.state.Policy.View(p, s.app.Now(), s.app.Zone()), nil
}
