package httpapi

import (
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authn"
)

// sessionRoutes are what people see and end of their own sign-ins and tokens.
func (s *Server) sessionRoutes() {
	const at = "/api/organization/user/"
	s.register(route{method: "GET", path: at + "check_password", account: true, access: signedIn, due: true, body: small, deadline: quick, handle: s.checkPassword})
	s.register(route{method: "GET", path: at + "sessions", account: true, access: signedIn, body: small, deadline: quick, handle: s.sessions})
	s.register(route{method: "POST", path: at + "sessions/revoke", account: true, access: signedIn, body: small, deadline: quick, handle: s.revokeSession})
	s.register(route{method: "POST", path: at + "sessions/revoke_others", account: true, access: signedIn, body: small, deadline: quick, handle: s.revokeOthers})
	s.register(route{method: "POST", path: at + "tokens", account: true, access: signedIn, body: small, deadline: quick, handle: s.makeToken})
}

// maxTokenDays is how long a token lives at most.
const maxTokenDays = 366

// byBrowser refuses tokens for scripts what would let them outlive their end: passwords, sessions and other tokens.
func byBrowser(r *request) error {
	if r.principal.Script {
		return fault.New(fault.TokenOnly)
	}
	if r.principal.SeenBy != "" {
		return fault.New(fault.SeeAsReadOnly)
	}
	return nil
}

// checkPassword answers whether the caller's password is still one that somebody else gave.
func (s *Server) checkPassword(r *request) (any, error) {
	if id := r.QueryParam("userId"); id != "" && id != r.principal.UserID {
		return nil, fault.New(fault.Forbidden)
	}
	account, err := s.app.Auth().Account(r.ctx, r.principal.UserID)
	return account.Unchanged, err
}

// appScope is an application that a token reaches, on the wire.
type appScope struct {
	AppCode string `json:"appCode"`
	Write   bool   `json:"write"`
}

// reachOut is an application that a token reaches or, where it was removed, reached.
type reachOut struct {
	appScope
	Gone bool `json:"gone"`
}

// sessionOut is a session on the wire; times are RFC 3339.
type sessionOut struct {
	ID          string     `json:"id"`
	Script      bool       `json:"script"`
	ReadOnly    bool       `json:"readOnly"`
	Apps        []reachOut `json:"apps"`
	Label       string     `json:"label"`
	Address     *string    `json:"address"`
	Device      *string    `json:"device"`
	CreatedTime string     `json:"createdTime"`
	SeenTime    *string    `json:"seenTime"`
	ExpiresTime string     `json:"expiresTime"`
	Current     bool       `json:"current"`
}

func (s *Server) sessions(r *request) (any, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	list, err := s.app.Auth().Sessions(r.ctx, r.principal.UserID)
	if err != nil {
		return nil, err
	}
	text := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	known := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	out := make([]sessionOut, len(list))
	for i, one := range list {
		out[i] = sessionOut{ID: one.ID, Script: one.Script, ReadOnly: one.ReadOnly, Label: one.Label, Address: known(one.Address), Device: known(one.Device),
			CreatedTime: text(one.CreatedAt), ExpiresTime: text(one.ExpiresAt), Current: one.ID == r.principal.Session}
		for _, a := range one.Apps {
			code, gone := names.WasGone(a.App)
			out[i].Apps = append(out[i].Apps, reachOut{appScope{code, a.Write}, gone})
		}
		if one.SeenAt != nil {
			seen := text(*one.SeenAt)
			out[i].SeenTime = &seen
		}
	}
	return map[string]any{"content": out}, nil
}

func (s *Server) revokeSession(r *request) (any, error) {
	var in struct {
		ID string `json:"id"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	return nil, s.app.Auth().Revoke(r.ctx, r.principal.UserID, in.ID)
}

func (s *Server) revokeOthers(r *request) (any, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	return nil, s.app.Auth().RevokeOthers(r.ctx, r.principal.UserID, r.principal.Session)
}

func (s *Server) makeToken(r *request) (any, error) {
	var in struct {
		Label    string     `json:"label"`
		Days     int        `json:"days"`
		ReadOnly bool       `json:"readOnly"`
		Apps     []appScope `json:"apps"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	if in.Label == "" {
		return nil, fault.New(fault.EmptyParameter, "label")
	}
	if in.Days < 1 || in.Days > maxTokenDays {
		return nil, fault.New(fault.BadParameter, "days")
	}
	apps, err := scopeOf(r, in.Apps)
	if err != nil {
		return nil, err
	}
	token, err := s.app.Auth().MakeToken(r.ctx, r.principal.UserID, authn.TokenOf{Label: in.Label, Life: time.Duration(in.Days) * 24 * time.Hour, ReadOnly: in.ReadOnly, Apps: apps})
	if err != nil {
		return nil, err
	}
	return map[string]string{"token": token}, nil
}

// scopeOf reads the applications that a token is made for: each once, and such as its person can open. Without a list there are no limits.
func scopeOf(r *request, in []appScope) ([]principal.AppScope, error) {
	if in == nil {
		return nil, nil
	}
	out, seen := make([]principal.AppScope, 0, len(in)), map[string]bool{}
	for _, one := range in {
		a := r.state.Catalog.App(one.AppCode)
		if a == nil || !r.view.Opens(a.Code) {
			return nil, fault.New(fault.AppNotFound)
		}
		if seen[a.Code] {
			return nil, fault.New(fault.BadParameter, "apps")
		}
		seen[a.Code] = true
		out = append(out, principal.AppScope{App: a.Code, Write: one.Write})
	}
	return out, nil
}
