package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// access says who may call a route at all; what a caller may see and do is the services' matter.
type access int

const (
	closed   access = iota // the zero value lets nobody in
	public                 // no sign-in
	signedIn               // any known principal
	external               // who has opened an external link; nobody who is signed in is that
)

// route is one call of the contract. All fields are needed: a route without an access, a body limit or a deadline is
// refused when the server is made.
type route struct {
	method, path string // a part in braces is a parameter, as in the contract
	access       access
	body         int64         // bytes
	deadline     time.Duration // 0 only with stream
	stream       bool          // server-sent events: no deadline, no envelope
	upload       bool          // its body may use the whole deadline while it keeps a rate; its handler calls arrived
	login        bool          // the strict rate class
	account      bool          // about a sign-in alone, which no definition changes: a publication in its middle is nothing to it
	open         bool          // the rate class of visitors without an account
	due          bool          // open to a session whose password must be changed before all else
	scoped       bool          // open to tokens for chosen applications: what it reads and writes is the view's alone
	handle       func(r *request) (any, error)
}

const (
	small      = 16 << 10
	medium     = 256 << 10
	large      = 8 << 20
	quick      = 10 * time.Second
	patient    = 30 * time.Second
	cookieName = "sluice_token"
	refreshing = "sluice_refresh"
)

// request is what a handler gets: the call with its principal, rights and the catalog that it keeps to its end.
type request struct {
	*echo.Context
	ctx       context.Context
	route     route
	principal principal.Principal
	state     *State
	locale    string
	view      *authz.View
}

// register adds a route with its guard.
func (s *Server) register(r route) {
	if r.access == closed || r.handle == nil || r.body == 0 || (r.deadline == 0 && !r.stream) {
		panic("route " + r.method + " " + r.path + " is not complete")
	}
	s.routes = append(s.routes, r)
	s.echo.Add(r.method, parameters.Replace(r.path), func(c *echo.Context) error { return s.serve(c, r) })
}

// parameters turns the contract's way of writing a path into the router's.
var parameters = strings.NewReplacer("{", ":", "}", "")

// covers reports whether a route is for a path.
func (r route) covers(path string) bool {
	mine, theirs := strings.Split(r.path, "/"), strings.Split(path, "/")
	return slices.EqualFunc(mine, theirs, func(m, t string) bool { return m == t || strings.HasPrefix(m, "{") && t != "" })
}

func (s *Server) serve(c *echo.Context, r route) error {
	if r.login && !s.limits.allow(s.peer(c)) || r.open && !s.visits.allow(s.peer(c)) {
		return fault.Later(fault.TooManyRequests, 1)
	}
	if r.method != http.MethodGet && !s.sameSite(c) {
		return fault.New(fault.CrossSite)
	}
	if name := badText(c); name != "" {
		return fault.New(fault.BadText, name)
	}
	if b, ok := c.Request().Body.(*pacedBody); ok && !r.stream {
		b.within(r.deadline, r.upload)
	}
	c.Request().Body = http.MaxBytesReader(c.Response(), c.Request().Body, r.body)
	ctx := c.Request().Context()
	if r.stream { // it reads none, and must not be ended by what is set for one
		if _, err := io.Copy(io.Discard, c.Request().Body); err != nil {
			return err
		}
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.deadline)
		defer cancel()
		defer s.watchdog.enter(r.deadline)()
	}
	if !r.stream || r.access != public { // nobody has the rights of before, who renews a session neither
		if err := s.fresh(ctx); err != nil {
			return err
		}
	}
	req := &request{Context: c, ctx: ctx, route: r, locale: localeOf(c)}
	actor, err := s.identify(ctx, req)
	if err != nil {
		return err
	}
	var caller *store.Caller
	if r.access == signedIn {
		caller = s.caller(c, req.principal)
		req.ctx = store.WithCaller(ctx, caller)
	}
	req.ctx = audit.From(req.ctx, audit.Origin{Address: func() string { return s.peer(c) }, Actor: actor.UserID, Name: actor.Name})
	data, err := s.run(req, r)
	if errors.Is(err, store.ErrReadOnly) && req.principal.SeenBy != "" {
		return fault.New(fault.SeeAsReadOnly)
	}
	if err != nil || r.stream {
		return err
	}
	s.tellWrote(c, caller)
	return answer(c, data)
}

// fresh waits for the organisation of now.
func (s *Server) fresh(ctx context.Context) error {
	err := s.app.People().Fresh(ctx)
	if err == nil {
		return nil
	}
	f := fault.Later(fault.Unavailable, 1)
	f.Err = err
	return f
}

// identify finds out who calls. Actor is who answers for what is done.
func (s *Server) identify(ctx context.Context, r *request) (actor principal.Principal, err error) {
	switch r.route.access {
	case signedIn:
		p, err := s.authenticate(ctx, r.Context, r.route.due)
		if err != nil {
			return actor, err
		}
		if p.Apps != nil && !r.route.scoped {
			return actor, fault.New(fault.TokenScope)
		}
		actor = p
		if p, err = s.seenAs(ctx, r.Context, p); err != nil {
			return actor, err
		}
		p.Locale = r.locale
		r.principal = p
	case external:
		r.principal, err = s.external(ctx, r.Context, r.locale)
	}
	return actor, err
}

// look gives a request the definitions of now, and the rights that its caller has by them.
func (s *Server) look(r *request) {
	r.state = s.app.State()
	now := s.app.Now()
	switch r.route.access {
	case signedIn:
		r.view = r.state.Policy.View(r.principal, now, s.app.Zone())
	case external:
		r.view = r.state.Policy.LinkView(r.principal, r.state.Catalog.Form(r.principal.LinkForm), now, s.app.Zone())
	}
}

// arrived is called when the body of an upload has arrived, which may take half an hour: who brings it, their rights and the definitions
// are looked at again.
func (s *Server) arrived(r *request) error {
	if err := s.fresh(r.ctx); err != nil {
		return err
	}
	if _, err := s.identify(r.ctx, r); err != nil {
		return err
	}
	s.look(r)
	return nil
}

// renewals of a call that meets new definitions each time.
const renewals = 20

// run handles a request with the definitions of now. When others are published meanwhile and nothing of the call was stored, it is handled
// once more with those: no answer mixes two versions.
func (s *Server) run(req *request, r route) (any, error) {
	again := r.repeats(req)
	ctx := req.ctx
	for n := 0; ; n++ {
		s.look(req)
		if !r.stream && !r.upload && !r.account { // which outlive versions
			req.ctx = store.AtVersion(ctx, req.state.Catalog.Version)
		}
		data, err := r.handle(req)
		if again != nil && s.tooEarly(ctx, req, err) {
			err = store.ErrSchemaMoved
		}
		if err == nil || !errors.Is(err, store.ErrSchemaMoved) {
			return data, err
		}
		if store.Stored(req.ctx) {
			return nil, fault.Wrap(err, fault.MovedStored)
		}
		if n == renewals || again == nil || !s.app.Renewed(ctx, req.state) || !again() {
			f := fault.Later(fault.Unavailable, 1)
			f.Err = err
			return nil, f
		}
	}
}

// tooEarly reports whether a call was refused by definitions that are no longer those of the database. Where a role was renamed, a person is known to have
// the new one a moment before this process knows what it gives.
func (s *Server) tooEarly(ctx context.Context, req *request, err error) bool {
	if err == nil || req.state == nil {
		return false
	}
	code, _, _ := classify(err)
	if status := s.texts[code].Status; status != http.StatusNotFound && status != http.StatusForbidden {
		return false
	}
	version, _, failed := s.app.Store().Moved(ctx)
	return failed == nil && version != req.state.Catalog.Version
}

// repeats returns what makes a request readable from its beginning again; nil where it cannot be: an upload, an answer that has begun, or a sign-in, of
// which a part may be stored.
func (r route) repeats(req *request) func() bool {
	if r.stream || r.upload || r.account {
		return nil
	}
	in := req.Request()
	var read bytes.Buffer
	body := in.Body
	in.Body = replayed{io.TeeReader(body, &read), body}
	return func() bool {
		in.Body = replayed{io.MultiReader(bytes.NewReader(read.Bytes()), io.TeeReader(body, &read)), body}
		res, err := echo.UnwrapResponse(req.Response())
		return err != nil || !res.Committed
	}
}

// replayed is a body that is read again.
type replayed struct {
	io.Reader
	io.Closer
}

// authenticate reads the token from the header or, for browsers, from the cookie; never from the address.
func (s *Server) authenticate(ctx context.Context, c *echo.Context, due bool) (principal.Principal, error) {
	token := tokenOf(c)
	if token == "" {
		return principal.Principal{}, fault.New(fault.Unauthenticated)
	}
	if due {
		return s.app.Auth().AuthenticateDue(ctx, token)
	}
	return s.app.Auth().Authenticate(ctx, token)
}

func tokenOf(c *echo.Context) string {
	if token := bearer(c); token != "" {
		return token
	}
	cookie, err := c.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func bearer(c *echo.Context) string {
	const prefix = "Bearer "
	h := c.Request().Header.Get("Authorization")
	if len(h) > len(prefix) && h[:len(prefix)] == prefix {
		return h[len(prefix):]
	}
	return ""
}

// sameSite refuses writes that another site's page made in a browser: scripts with a bearer token carry no cookie, and
// browsers say where a request comes from.
func (s *Server) sameSite(c *echo.Context) bool {
	if bearer(c) != "" {
		return true
	}
	switch c.Request().Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		origin := c.Request().Header.Get("Origin")
		return origin == "" || origin == s.origin(c)
	}
	return false
}

func requestID(c *echo.Context) string {
	id, _ := c.Get("request").(string)
	return id
}

// withRequestID gives every request an id; a caller's own is taken over when it is plain.
func withRequestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		id := c.Request().Header.Get("X-Request-Id")
		if !plainID(id) {
			id = uuid.Must(uuid.NewV7()).String()
		}
		c.Set("request", id)
		c.Response().Header().Set("X-Request-Id", id)
		return next(c)
	}
}

func plainID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, r := range id {
		if !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return false
		}
	}
	return true
}
