package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// packBody is the largest body of a pack's call.
const packBody = 1 << 20

// packRoutes answers the calls of packs. Which there are is the catalog's matter, so the router only gathers what no route of
// the platform takes.
func (s *Server) packRoutes() {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		s.echo.Add(method, "/api/*", s.servePack)
	}
}

func (s *Server) servePack(c *echo.Context) error {
	found, parameters, _ := s.app.State().Catalog.RouteOf(c.Request().Method, c.Request().URL.EscapedPath())
	if found == nil {
		return fault.New(fault.RouteNotFound) // or another method's: fail finds out
	}
	c.SetPath(found.Path) // for the log and the metrics
	served := route{method: found.Method, path: found.Path, access: signedIn, body: packBody, deadline: patient, scoped: true}
	uploader, uploads := found.Action.(action.Uploader)
	downloader, downloads := found.Action.(action.Downloader)
	switch {
	case uploads:
		takes := uploader.Takes()
		if takes.Most == 0 {
			takes.Most = usualUpload
		}
		served.body, served.deadline, served.upload = takes.Most+medium, slow, true
		served.handle = func(r *request) (any, error) { return s.packUpload(r, found, parameters, takes) }
	case downloads:
		served.deadline = slow
		served.handle = func(r *request) (any, error) { return s.packDownload(r, found, parameters, downloader.Gives()) }
	default:
		if _, lengthy := found.Action.(action.Lengthy); lengthy {
			served.deadline = slow
		}
		served.handle = func(r *request) (any, error) { return s.packCall(r, found, parameters) }
	}
	handle := served.handle
	served.handle = func(r *request) (any, error) { // the route of the definitions that the request is handled with
		if found, parameters, _ = r.state.Catalog.RouteOf(c.Request().Method, c.Request().URL.EscapedPath()); found == nil {
			return nil, fault.New(fault.RouteNotFound)
		}
		return handle(r)
	}
	return s.serve(c, served)
}

func (s *Server) packCall(r *request, found *catalog.Route, parameters map[string]string) (any, error) {
	input, err := inputOf(r, found, parameters)
	if err != nil {
		return nil, err
	}
	token, err := callToken(r, found, input)
	if err != nil {
		return nil, err
	}
	data, err := s.app.Call(r.ctx, r.view, found, app.Input{Body: input, Token: token})
	return raw(data), err
}

// callToken is the idempotency key of a pack's call: the header, or the text clientToken that the input declares. Two that differ are refused.
func callToken(r *request, found *catalog.Route, input []byte) (string, error) {
	if _, declared := found.Input.Property("clientToken"); !declared {
		return idempotencyKey(r)
	}
	var own struct {
		Token any `json:"clientToken"`
	}
	_ = json.Unmarshal(input, &own) // it is an object
	text, _ := own.Token.(string)   // anything else is what the schema says of it
	token, err := idempotencyKey(r, text)
	if err == nil && text != "" && text != token {
		return "", fault.New(fault.BadParameter, "clientToken")
	}
	return token, err
}

// inputOf makes the one JSON object that the action gets: the body, for GET the query, for DELETE both, and the parameters of the
// path. Who is asked twice for a value refuses.
func inputOf(r *request, found *catalog.Route, parameters map[string]string) ([]byte, error) {
	input := map[string]json.RawMessage{}
	switch found.Method {
	case http.MethodGet, http.MethodDelete:
		for name, values := range r.QueryParams() {
			input[name] = found.Input.Read(name, values)
		}
	}
	if found.Method != http.MethodGet {
		body := map[string]json.RawMessage{}
		if err := bodyObject(r, found.Input, &body); err != nil {
			return nil, err
		}
		for name, value := range body {
			if _, twice := input[name]; twice {
				return nil, fault.New(fault.BadParameter, name)
			}
			input[name] = value
		}
	}
	return joined(input, found, parameters)
}

// joined adds the parameters of the path to an input.
func joined(input map[string]json.RawMessage, found *catalog.Route, parameters map[string]string) ([]byte, error) {
	for name, value := range parameters {
		text, err := url.PathUnescape(value)
		if _, twice := input[name]; twice || err != nil {
			return nil, fault.New(fault.BadParameter, name)
		}
		input[name] = found.Input.Read(name, []string{text})
	}
	return json.Marshal(input)
}

// bodyObject reads a JSON object as strictly as the platform's own calls do. No body is an empty object; a list is the value of the
// one property that the input declares as a list.
func bodyObject(r *request, input *action.Schema, into *map[string]json.RawMessage) error {
	if r.Request().ContentLength == 0 {
		return nil
	}
	if mime, _, _ := strings.Cut(r.Request().Header.Get("Content-Type"), ";"); strings.TrimSpace(mime) != "application/json" {
		return fault.New(fault.MediaType)
	}
	body, err := io.ReadAll(r.Request().Body)
	if err != nil {
		return err
	}
	if err := wellFormed(body); err != nil {
		return malformed(err)
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		name, ok := input.List()
		if !ok {
			return fault.New(fault.BadJSON, "object")
		}
		(*into)[name] = body
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil || *into == nil {
		return fault.Wrap(err, fault.BadJSON, "object")
	}
	return nil
}
