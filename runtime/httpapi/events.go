package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
)

func (s *Server) systemRoutes(dev bool) {
	s.register(route{method: "GET", path: "/api/system/config", access: public, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var view *authz.View
		if p, err := s.authenticate(r.ctx, r.Context, true); err == nil {
			view = r.state.Policy.View(p, s.app.Now(), s.app.Zone())
		}
		return s.app.SystemConfig(dev, view), nil
	}})
	s.register(route{method: "GET", path: "/api/system/background", access: signedIn, body: small, deadline: quick, handle: s.background})
	s.register(route{method: "GET", path: "/api/openapi.json", access: public, body: small, deadline: quick, stream: true, handle: func(r *request) (any, error) {
		text, err := s.contract.with(r.state.Catalog)
		if err != nil {
			return nil, err
		}
		return nil, sendJSON(r.Context, http.StatusOK, text)
	}})
	if dev {
		s.register(route{method: "POST", path: "/api/dev/answer", access: signedIn, body: small, deadline: publishing, handle: func(r *request) (any, error) {
			var in app.Answer
			if err := decode(r.Context, &in); err != nil {
				return nil, err
			}
			_, err := s.app.Answer(r.ctx, r.view, in) // what is wrong comes with the events
			return nil, err
		}})
	}
	s.register(route{method: "GET", path: "/api/events", access: signedIn, body: small, stream: true, handle: s.events})
}

const heartbeat = 25 * time.Second

// events streams what the open pages should know: a new catalog, how the caller's jobs get on, what others have written in the
// models and about the records that the page watches, the number of unread messages, and in `sluice dev` the faults of the file just saved.
func (s *Server) events(r *request) (any, error) {
	flusher, ok := flusherOf(r.Response())
	if !ok {
		return nil, fault.New(fault.Internal)
	}
	ends, err := s.app.Auth().Expires(tokenOf(r.Context))
	if err != nil {
		return nil, err
	}
	watch := r.QueryParams()["watch"]
	if len(watch) > maxWatched {
		return nil, fault.New(fault.BadParameter, "watch")
	}
	stream, check, leave := s.app.Events().JoinChecked(r.principal.UserID, watch...)
	defer leave()
	h := r.Response().Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	connection := http.NewResponseController(r.Response())
	next := func() { _ = connection.SetWriteDeadline(time.Now().Add(s.times.Answer)) } // recorders of tests know no deadlines
	next()
	r.Response().WriteHeader(http.StatusOK)
	if _, err := fmt.Fprintf(r.Response(), "retry: 1000\nevent: catalog\ndata: %q\n\n", s.app.State().Catalog.Digest); err != nil {
		return nil, nil
	}
	flusher.Flush()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	end := time.NewTimer(ends.Sub(s.app.Now()))
	defer end.Stop()
	for {
		select {
		case e, open := <-stream:
			if !open {
				return nil, nil
			}
			p, err := s.authenticate(r.ctx, r.Context, false)
			if err != nil {
				return nil, nil // signed out, disabled, or the token ended: the page comes back with its new one
			}
			if e.Watched != "" && !s.tellWatched(r.ctx, p, &e) {
				continue
			}
			next()
			if _, err := fmt.Fprintf(r.Response(), "event: %s\ndata: %s\n\n", e.Name, e.Data); err != nil {
				return nil, nil
			}
		case <-beat.C:
			if _, err := s.authenticate(r.ctx, r.Context, false); err != nil {
				return nil, nil
			}
			next()
			if _, err := fmt.Fprint(r.Response(), ": beat\n\n"); err != nil {
				return nil, nil
			}
		case <-check:
			if _, err := s.authenticate(r.ctx, r.Context, false); err != nil {
				next()
				_, _ = fmt.Fprint(r.Response(), "retry: 50\n\n") // the page comes back at once, and learns that its session is over
				flusher.Flush()
				return nil, nil
			}
			continue
		case <-end.C: // the page comes back with its new token
			return nil, nil
		case <-r.Request().Context().Done():
			return nil, nil
		}
		flusher.Flush()
	}
}

// tellWatched judges an event of something that is watched with the rights that its reader has now.
func (s *Server) tellWatched(ctx context.Context, p principal.Principal, e *app.Event) bool {
	ref, comments := app.WatchedRecord(e.Watched)
	if !comments {
		return s.tellChanges(ctx, p, e)
	}
	state := s.app.State()
	seen, err := s.app.Reader().Seen(ctx, state.Policy.View(p, s.app.Now(), s.app.Zone()), ref.SchemaCode, []string{ref.ID})
	_, sees := seen[ref.ID]
	return err == nil && sees
}

func flusherOf(w http.ResponseWriter) (http.Flusher, bool) {
	if res, err := echo.UnwrapResponse(w); err == nil {
		return res, true
	}
	f, ok := w.(http.Flusher)
	return f, ok
}
