package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// State is the catalog with its rights that a request keeps from its beginning to its end.
type State = app.State

// Server is the HTTP edge of a running system.
type Server struct {
	app     *app.App
	echo    *echo.Echo
	log     *slog.Logger
	texts   texts
	routes  []route
	limits  *limits
	visits  *limits
	proxies []netip.Prefix
	metrics *metrics
	public  *url.URL // at which browsers reach the server; nil = as they say
	times   Times
	node    string // of this process, any word that no other has

	watchdog *watchdog
	*contract
}

// Options of New.
type Options struct {
	App *app.App
	Log *slog.Logger
	UI  fs.FS // the built application; its index.html serves every path that is not a call
	Dev bool

	// Proxies are the reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; none by default.
	Proxies []netip.Prefix

	// PublicURL is the address at which browsers reach the server, when a proxy is in front (see the function PublicURL).
	PublicURL *url.URL
	// Language is what people begin with who have chosen none: zh or en; empty for the language of their browser.
	Language string

	Times Times
}

// New makes the server with all its routes.
func New(o Options) (*Server, error) {
	t, err := loadTexts()
	if err == nil {
		err = t.add(o.App.Extensions())
	}
	if err != nil {
		return nil, err
	}
	s := &Server{app: o.App, echo: echo.New(), log: o.Log, texts: t, limits: newLimits(loginRate, loginBurst), visits: newLimits(openRate, openBurst), metrics: newMetrics(o.App, o.Log),
		public: o.PublicURL, times: o.Times.orOrdinary(), node: rand.Text(), watchdog: newWatchdog(o.Log, o.App.Store().Applies), contract: &contract{}, proxies: o.Proxies}
	s.echo.HTTPErrorHandler = s.fail
	s.echo.Use(withRequestID, s.observe, s.recoverPanic, secureHeaders)
	s.loginRoutes()
	s.signInRoutes()
	s.externalRoutes()
	s.organizationRoutes()
	s.systemRoutes(o.Dev)
	s.appRoutes()
	s.shellRoutes()
	s.listRoutes()
	s.scriptRoutes()
	s.interfaceRoutes()
	s.savedFilterRoutes()
	s.draftRoutes()
	s.formRoutes()
	s.recycleRoutes()
	s.definitionRoutes()
	s.bpmnRoutes()
	s.fileRoutes()
	s.bulkRoutes()
	s.importRoutes()
	s.exportRoutes()
	s.printRoutes()
	s.reportRoutes()
	s.portalRoutes()
	s.openRoutes()
	s.jobRoutes()
	s.systemJobRoutes()
	s.auditRoutes()
	s.channelRoutes()
	s.conditionRoutes()
	s.rightsRoutes()
	s.messageRoutes()
	s.commentRoutes()
	s.workflowRoutes()
	s.delegationRoutes()
	s.signalRoute()
	s.versionRoutes()
	s.rehearsalRoutes()
	s.designRoutes()
	s.packRoutes()
	s.operationRoutes()
	static, err := newStatic(o.UI, s.frames, o.Language)
	if err != nil {
		return nil, err
	}
	s.echo.GET("/*", static.serve)
	s.echo.HEAD("/*", static.serve)
	return s, nil
}

// Handler is the server as an http.Handler, for tests and embedding.
func (s *Server) Handler() http.Handler { return s.paced(s.echo) }

// Serve answers on a listener until ctx ends; then it refuses new work and lets running requests finish for 30 s.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { s.watchdog.watch(ctx) })
	return s.serveUntil(ctx, l, s.echo, s.app.Events().Close)
}

// ServeMetrics answers with the figures, and nothing else, on a listener of their own until ctx ends.
func (s *Server) ServeMetrics(ctx context.Context, l net.Listener) error {
	return s.serveUntil(ctx, l, s.metrics.handler(), func() {})
}

func (s *Server) serveUntil(ctx context.Context, l net.Listener, h http.Handler, stopping func()) error {
	server := s.server(ctx, h)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return err
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server is the transport with its limits.
func (s *Server) server(ctx context.Context, h http.Handler) *http.Server {
	return &http.Server{Handler: s.paced(h), ReadHeaderTimeout: s.times.Header, WriteTimeout: s.times.Answer, IdleTimeout: s.times.Idle, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }}
}

// operationRoutes are what a supervisor asks: short texts without an envelope.
func (s *Server) operationRoutes() {
	s.register(route{method: "GET", path: "/healthz", access: public, body: small, deadline: quick, stream: true, handle: func(r *request) (any, error) {
		return nil, r.String(http.StatusOK, "ok")
	}})
	s.register(route{method: "GET", path: "/readyz", access: public, body: small, deadline: quick, stream: true, handle: func(r *request) (any, error) {
		ctx, cancel := context.WithTimeout(r.ctx, 2*time.Second)
		defer cancel()
		if err := s.app.Ready(ctx); err != nil {
			s.log.Warn("not ready", "error", err)
			r.Response().Header().Set("Retry-After", "5")
			return nil, r.String(http.StatusServiceUnavailable, "not ready")
		}
		return nil, r.String(http.StatusOK, "ready")
	}})
}

// recoverPanic turns a panic of a handler into the internal error; the stack goes to the log.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) (err error) {
		defer func() {
			if v := recover(); v != nil {
				if v == http.ErrAbortHandler {
					panic(v)
				}
				s.log.Error("panic", "request", requestID(c), "path", c.Path(), "value", v, "stack", stack())
				err = fault.New(fault.Internal)
			}
		}()
		return next(c)
	}
}

// observe logs and counts each request. Addresses are logged as their route, for they can hold what users typed.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		start := time.Now()
		err := next(c)
		if err != nil {
			s.fail(c, err)
		}
		status := http.StatusOK
		if res, e := echo.UnwrapResponse(c.Response()); e == nil {
			status = res.Status
		}
		took := time.Since(start)
		s.metrics.observe(c.Path(), c.Request().Method, status, took)
		level := slog.LevelDebug
		if status >= 500 {
			level = slog.LevelError
		}
		s.log.Log(c.Request().Context(), level, "request", "id", requestID(c), "method", c.Request().Method, "route", c.Path(), "status", status,
			"ms", float64(took.Microseconds())/1000)
		return nil
	}
}

func secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		h := c.Response().Header()
		h.Set("Cache-Control", "no-store") // files say otherwise
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Frame-Options", "SAMEORIGIN")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", nothingPolicy) // pages, assets and files have their own
		return next(c)
	}
}
