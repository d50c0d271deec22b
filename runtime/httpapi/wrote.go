package httpapi

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// wroteCookie names, for a moment, the node on which its browser wrote last. Figures are remembered by each node; a browser
// that is sent to another node right after a save is counted for again there.
const (
	wroteCookie = "sluice_wrote"
	wroteLife   = 11 * time.Second // longer than a node takes to hear of a write, and than figures may be old
)

func (s *Server) caller(c *echo.Context, p principal.Principal) *store.Caller {
	caller := &store.Caller{ID: p.UserID, ReadOnly: p.ReadOnly}
	if s.app.Store().Shared() {
		at, err := c.Cookie(wroteCookie)
		caller.Elsewhere = err == nil && at.Value != s.node
	}
	return caller
}

// tellWrote gives the browser the cookie when its call has written and there may be other nodes.
func (s *Server) tellWrote(c *echo.Context, caller *store.Caller) {
	if caller == nil || !caller.Wrote() || !s.app.Store().Shared() {
		return
	}
	c.SetCookie(&http.Cookie{Name: wroteCookie, Value: s.node, Path: "/", MaxAge: int(wroteLife.Seconds()), HttpOnly: true, Secure: s.secure(c),
		SameSite: http.SameSiteLaxMode})
}
