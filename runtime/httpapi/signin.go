package httpapi

import (
	"time"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
)

// leavingCookie binds the way to a provider and back to one browser.
const (
	leavingCookie = "sluice_leaving"
	leavingLife   = 10 * time.Minute
)

// signInRoutes are sign-in by a provider, the second step, and what people set up for both.
func (s *Server) signInRoutes() {
	const at = "/api/organization/user/"
	s.register(route{method: "POST", path: "/api/login/oauth/leave", account: true, access: public, body: small, deadline: patient, login: true, handle: s.leave})
	s.register(route{method: "POST", path: "/api/login/oauth/return", account: true, access: public, body: small, deadline: patient, login: true, handle: s.comeBack})
	s.register(route{method: "POST", path: "/api/login/Authentication/second_step", account: true, access: public, body: small, deadline: quick, login: true, handle: s.secondStep})
	s.register(route{method: "GET", path: at + "identities", account: true, access: signedIn, body: small, deadline: quick, handle: s.identities})
	s.register(route{method: "POST", path: at + "identities/link", account: true, access: signedIn, body: small, deadline: patient, login: true, handle: s.linkIdentity})
	s.register(route{method: "POST", path: at + "identities/unlink", account: true, access: signedIn, body: small, deadline: quick, handle: s.unlinkIdentity})
	s.register(route{method: "GET", path: at + "factor", account: true, access: signedIn, due: true, body: small, deadline: quick, handle: s.factor})
	s.register(route{method: "POST", path: at + "factor/begin", account: true, access: signedIn, due: true, body: small, deadline: quick, login: true, handle: s.beginFactor})
	s.register(route{method: "POST", path: at + "factor/confirm", account: true, access: signedIn, due: true, body: small, deadline: quick, login: true, handle: s.confirmFactor})
	s.register(route{method: "POST", path: at + "factor/codes", account: true, access: signedIn, body: small, deadline: quick, login: true, handle: s.renewRecovery})
	s.register(route{method: "POST", path: at + "factor/off", account: true, access: signedIn, body: small, deadline: quick, login: true, handle: s.factorOff})
}

// leave answers the address at which a provider asks who sits before the browser.
func (s *Server) leave(r *request) (any, error) {
	var in struct {
		Provider string `json:"provider"`
		Return   string `json:"return"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	out, err := s.app.Auth().LeaveTo(r.ctx, in.Provider, in.Return)
	return s.sendOff(r, out, err)
}

func (s *Server) sendOff(r *request, out authn.Leave, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	s.cookie(r, leavingCookie, out.Browser, "/", leavingLife)
	return map[string]string{"address": out.Address}, nil
}

// comeBack takes what a provider sent a browser back with. The tokens are in cookies only: the page that asks has been at an address
// with a code of a provider.
func (s *Server) comeBack(r *request) (any, error) {
	var in struct {
		State  string `json:"state"`
		Code   string `json:"code"`
		Issuer string `json:"iss"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	back := authn.Return{State: in.State, Code: in.Code, Issuer: in.Issuer, Peer: s.peer(r.Context), Device: r.Request().UserAgent()}
	if c, err := r.Cookie(leavingCookie); err == nil {
		back.Browser = c.Value
	}
	if p, err := s.authenticate(r.ctx, r.Context, false); err == nil && !p.Script {
		back.Who = p
	}
	s.cookie(r, leavingCookie, "", "/", -time.Second)
	out, err := s.app.Auth().ReturnFrom(r.ctx, back)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"return": out.Path, "linked": out.Linked, "exp": nil}
	if !out.Linked {
		answer["exp"] = out.Tokens.Expires
		_, err = s.setTokenCookies(r, out.Tokens, nil)
	}
	return answer, err
}

func (s *Server) secondStep(r *request) (any, error) {
	var in struct {
		Ticket string `json:"ticket"`
		Code   string `json:"code"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	t, err := s.app.Auth().Finish(r.ctx, authn.Second{Ticket: in.Ticket, Code: in.Code, Peer: s.peer(r.Context), Device: r.Request().UserAgent()})
	return s.setTokenCookies(r, t, err)
}

func (s *Server) identities(r *request) (any, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	list, err := s.app.Auth().Identities(r.ctx, r.principal.UserID)
	if err != nil {
		return nil, err
	}
	type out struct {
		ID          string  `json:"id"`
		Provider    string  `json:"provider"`
		Label       string  `json:"label"`
		CreatedTime string  `json:"createdTime"`
		UsedTime    *string `json:"usedTime"`
	}
	content := make([]out, len(list))
	for i, one := range list {
		content[i] = out{ID: one.ID, Provider: one.Provider, Label: one.Label, CreatedTime: one.CreatedAt.UTC().Format(time.RFC3339), UsedTime: moment(one.UsedAt)}
	}
	return map[string]any{"content": content, "providers": s.app.SignInProviders()}, nil
}

// moment is a time on the wire; nil stays nil.
func moment(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.UTC().Format(time.RFC3339)
	return &text
}

// proof is how people confirm what weakens their account.
type proof struct {
	Index    string      `json:"index"`
	Password secret.Text `json:"password"`
}

func (s *Server) proof(r *request, p proof) authn.Proof {
	return authn.Proof{Index: p.Index, Password: p.Password, Peer: s.peer(r.Context)}
}

func (s *Server) linkIdentity(r *request) (any, error) {
	var in struct {
		proof
		Provider string `json:"provider"`
		Return   string `json:"return"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	out, err := s.app.Auth().LeaveToLink(r.ctx, r.principal, in.Provider, in.Return, s.proof(r, in.proof))
	return s.sendOff(r, out, err)
}

func (s *Server) unlinkIdentity(r *request) (any, error) {
	var in struct {
		ID string `json:"id"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	return nil, s.app.Auth().Unlink(r.ctx, r.principal.UserID, in.ID)
}

func (s *Server) factor(r *request) (any, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	f, err := s.app.Auth().Factor(r.ctx, r.principal.UserID)
	if err != nil {
		return nil, err
	}
	return map[string]any{"on": f.On, "sinceTime": moment(f.Since), "demanded": f.Demanded, "codes": f.Codes, "password": f.Password}, nil
}

func (s *Server) beginFactor(r *request) (any, error) {
	var in proof
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	e, err := s.app.Auth().BeginFactor(r.ctx, r.principal, s.app.Name(), s.proof(r, in))
	if err != nil {
		return nil, err
	}
	return map[string]string{"ticket": e.Ticket, "secret": e.Secret, "address": e.Address}, nil
}

func (s *Server) confirmFactor(r *request) (any, error) {
	var in struct {
		Ticket string `json:"ticket"`
		Code   string `json:"code"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	codes, err := s.app.Auth().ConfirmFactor(r.ctx, r.principal, in.Ticket, in.Code)
	return recoveryCodes(codes, err)
}

func recoveryCodes(codes []string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{"codes": codes}, nil
}

func (s *Server) renewRecovery(r *request) (any, error) {
	var in proof
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	codes, err := s.app.Auth().RenewRecovery(r.ctx, r.principal, s.proof(r, in))
	return recoveryCodes(codes, err)
}

func (s *Server) factorOff(r *request) (any, error) {
	var in proof
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	return nil, s.app.Auth().FactorOff(r.ctx, r.principal, s.proof(r, in))
}
