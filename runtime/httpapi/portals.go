package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
)

// usualRows is how many records a widget gets when the call names no size.
const usualRows = 10

// portalRoutes answer portal pages.
func (s *Server) portalRoutes() {
	const path = "/api/runtime/portal/"
	s.register(route{method: "GET", path: path + "get", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		if r.QueryParam("mode") == "design" {
			return s.app.Designs().PortalPreview(r.ctx, r.view, r.QueryParam("portalCode"))
		}
		return s.app.Portals().Get(r.ctx, r.view, r.QueryParam("portalCode"))
	}})
	s.register(route{method: "GET", path: path + "list", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Portals().List(r.view, r.QueryParam("appCode")), nil
	}})
	s.register(route{method: "POST", path: path + "rows", access: signedIn, body: medium, deadline: patient, handle: s.portalRows})
	s.register(route{method: "POST", path: path + "arrange", access: signedIn, body: medium, deadline: quick, handle: s.portalArrange})
	s.register(route{method: "GET", path: path + "script", access: signedIn, body: small, deadline: quick,
		handle: func(r *request) (any, error) {
			read := s.app.Portals().Script
			if code := r.QueryParam("draft"); code != "" {
				read = func(view *authz.View, digest string) (string, error) {
					return s.app.Designs().PreviewScript(r.ctx, view, code, digest)
				}
			}
			return authored("text/javascript; charset=utf-8", read)(r)
		}})
	s.register(route{method: "GET", path: path + "picture", access: signedIn, body: small, deadline: quick, handle: s.portalPicture})
}

// portalRow is a record that a widget lists (api.yaml PortalRow).
type portalRow struct {
	ID         string            `json:"id"`
	SchemaCode string            `json:"schemaCode"`
	To         string            `json:"to"`
	Texts      []string          `json:"texts"`
	Values     []json.RawMessage `json:"values"`
}

// portalRowsPage is a page of them (api.yaml PortalRows).
type portalRowsPage struct {
	Columns []query.FieldPlan `json:"columns"`
	Rows    []portalRow       `json:"rows"`
	More    bool              `json:"more"`
}

func (s *Server) portalRows(r *request) (any, error) {
	var in struct {
		Portal string `json:"portalCode"`
		Mode   string `json:"mode"` // design: of the draft
		portalRowsOf
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	read := s.app.Portals().Rows
	if in.Mode == "design" {
		read = s.app.Designs().PreviewRows
	}
	rows, err := read(r.ctx, r.view, in.request(in.Portal))
	if err != nil {
		return nil, err
	}
	return wireRows(rows), nil
}

func wireRows(rows *portal.Rows) portalRowsPage {
	out := portalRowsPage{Columns: rows.Plans(), Rows: []portalRow{}, More: rows.More}
	for i := range rows.Len() {
		one := portalRow{ID: rows.ID(i), SchemaCode: rows.Of.Model.Code, To: recordAddress(rows.Of.Model.Code, rows.List, rows.ID(i)), Texts: []string{}, Values: []json.RawMessage{}}
		for column := range out.Columns {
			one.Texts = append(one.Texts, rows.Text(i, column))
			one.Values = append(one.Values, rows.AppendJSON(nil, i, column))
		}
		out.Rows = append(out.Rows, one)
	}
	return out
}

// recordAddress is the page of a record.
func recordAddress(schemaCode, queryCode, id string) string {
	values := url.Values{"schemaCode": {schemaCode}, "key": {id}}
	if queryCode != "" {
		values.Set("queryCode", queryCode)
	}
	return "/form/detail?" + values.Encode()
}

func (s *Server) portalArrange(r *request) (any, error) {
	var in struct {
		Portal  string         `json:"portalCode"`
		Widgets []portal.Place `json:"widgets"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return nil, s.app.Portals().Arrange(r.ctx, r.view, in.Portal, in.Widgets, s.app.Now())
}

// portalPicture answers a picture beside a page. The address names its content.
func (s *Server) portalPicture(r *request) (any, error) {
	p, err := s.app.Portals().Picture(r.view, r.QueryParam("digest"))
	if err != nil {
		return nil, fault.New(fault.FileNotFound)
	}
	h := r.Response().Header()
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	return sent{}, r.Blob(http.StatusOK, p.Type, p.Data)
}
