package httpapi

import (
	"net/http"

	"github.com/sluice-platform/sluice/runtime/authz"
)

// workerPolicy is the content security policy of the worker that author scripts run in: it loads modules from here and
// reaches nothing else. A page that took a script for a page would get the same.
const workerPolicy = "default-src 'none'; script-src 'self'"

func (s *Server) scriptRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/query/script", access: signedIn, body: small, deadline: quick,
		handle: authored("text/javascript; charset=utf-8", s.app.Reader().Script)})
	s.register(route{method: "GET", path: "/api/runtime/query/style", access: signedIn, body: small, deadline: quick,
		handle: authored("text/css; charset=utf-8", s.app.Reader().Style)})
}

// authored answers a file of the definitions. Its address names its content, so the browser of whoever may see it keeps it.
func authored(kind string, read func(*authz.View, string) (string, error)) func(*request) (any, error) {
	return func(r *request) (any, error) {
		text, err := read(r.view, r.QueryParam("digest"))
		if err != nil {
			return nil, err
		}
		h := r.Response().Header()
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
		h.Set("Content-Security-Policy", workerPolicy)
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return sent{}, r.Blob(http.StatusOK, kind, []byte(text))
	}
}
