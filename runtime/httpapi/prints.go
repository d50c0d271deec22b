package httpapi

import (
	"bytes"
	"net/http"
	"net/url"

	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// printRoutes put records on paper.
func (s *Server) printRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/print/attributes", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Prints().Attributes(r.view, r.QueryParam("schemaCode"), r.QueryParam("sheetCode"), r.QueryParam("code"))
	}})
	s.register(route{method: "GET", path: "/api/runtime/print/confirm", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return map[string]bool{"isPrint": s.app.Prints().Prints(r.view, r.QueryParam("schemaCode"), r.QueryParam("sheetCode"))}, nil
	}})
	s.register(route{method: "POST", path: "/api/runtime/print/load_data", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		in := printRequest{}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Prints().Load(r.ctx, r.view, in.request().PrintRequest)
	}})
	s.register(route{method: "POST", path: "/api/runtime/print/pages", access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
		out, err := s.printout(r)
		if err != nil {
			return nil, err
		}
		return out.Preview(r.view.Principal().Locale), nil
	}})
	s.register(route{method: "POST", path: "/api/runtime/print/pdf", access: signedIn, body: medium, deadline: patient, handle: s.printPDF})
}

// printRequest names records of a list, and a template.
type printRequest struct {
	SchemaCode string   `json:"schemaCode"`
	QueryCode  string   `json:"queryCode"`
	ObjectIDs  []string `json:"objectIds"`
	Code       string   `json:"code"`

	Labels *printing.Labels `json:"labels"`
}

func (p printRequest) request() printing.Request {
	return printing.Request{PrintRequest: query.PrintRequest{SchemaCode: p.SchemaCode, QueryCode: p.QueryCode, ObjectIDs: p.ObjectIDs}, Template: p.Code, Labels: p.Labels}
}

func (s *Server) printout(r *request) (*printing.Printout, error) {
	in := printRequest{}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	req := in.request()
	req.Address = ownOrigin(r)
	return s.app.Prints().Print(r.ctx, r.view, req)
}

// ownOrigin is the origin of the page that calls, when it is one of this server. What is printed goes to the caller alone, so their browser
// may say where it reached the server when the installation does not know.
func ownOrigin(r *request) string {
	u, err := url.Parse(r.Request().Header.Get("Origin"))
	if err != nil || u.Host == "" || u.Host != r.Request().Host || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// printPDF answers a file. Nothing in it acts as a page of ours: its type is fixed, and scripts have no rights.
func (s *Server) printPDF(r *request) (any, error) {
	out, err := s.printout(r)
	if err != nil {
		return nil, err
	}
	who := r.view.Principal()
	var file bytes.Buffer
	if err := out.WritePDF(&file, who.Locale, who.Name); err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Disposition", disposition(false, out.Name.In(who.Locale)+" "+out.Time.Format("20060102-150405")+".pdf"))
	return sent{}, r.Blob(http.StatusOK, "application/pdf", file.Bytes())
}
