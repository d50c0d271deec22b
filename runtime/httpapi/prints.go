package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// printRoutes put records on paper.
func (s *Server) printRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/print/attributes", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		ids := strings.FieldsFunc(r.QueryParam("objectIds"), func(c rune) bool { return c == ',' })
		if len(ids) > query.MaxPrinted {
			return nil, fault.New(fault.PrintAtOnce, query.MaxPrinted, len(ids))
		}
		return s.app.Prints().Attributes(r.ctx, r.view, printing.Wanted{SchemaCode: r.QueryParam("schemaCode"), SheetCode: r.QueryParam("sheetCode"), Code: r.QueryParam("code"), ObjectIDs: ids})
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
		id := uuid.Must(uuid.NewV7()).String()
		out, err := s.printout(r, printing.Previewed, id, false)
		if err != nil {
			return nil, err
		}
		return printPages{id, out.Preview(r.view.Principal().Locale)}, nil
	}})
	s.register(route{method: "POST", path: "/api/runtime/print/printed", access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
		in := struct {
			printRequest
			ID string `json:"printId"`
		}{}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		if _, err := uuid.Parse(in.ID); err != nil {
			return nil, fault.New(fault.BadParameter, "printId")
		}
		req := in.request()
		req.Address = ownOrigin(r)
		return nil, s.app.Prints().Printed(r.ctx, r.view, req, in.ID)
	}})
	s.register(route{method: "POST", path: "/api/runtime/print/batch", access: signedIn, body: medium, deadline: patient, handle: s.printBatch})
	s.register(route{method: "GET", path: "/api/runtime/print/history", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Prints().History(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"), r.QueryParam("objectId"))
	}})
	s.register(route{method: "GET", path: "/api/runtime/print/verify", access: public, open: true, body: small, deadline: quick, handle: s.verifyPrint})
	s.register(route{method: "POST", path: "/api/runtime/print/pdf", access: signedIn, body: medium, deadline: patient, handle: s.printPDF})
	s.register(route{method: "POST", path: "/api/runtime/print/xlsx", access: signedIn, body: medium, deadline: patient, handle: s.printXLSX})
}

// verifyPrint tells what the code on a paper says: something to everybody, more to who is signed in.
func (s *Server) verifyPrint(r *request) (any, error) {
	var view *authz.View
	p, err := s.authenticate(r.ctx, r.Context, false)
	if err == nil && p.Apps == nil { // a token for chosen applications is answered as nobody
		if p, err = s.seenAs(r.ctx, r.Context, p); err != nil {
			return nil, err
		}
		p.Locale = r.locale
		view = r.state.Policy.View(p, s.app.Now(), s.app.Zone())
	}
	everything := r.state.Policy.View(principal.System("verify paper"), s.app.Now(), s.app.Zone())
	r.Response().Header().Set("Cache-Control", "no-store")
	return s.app.Prints().Verify(r.ctx, everything, view, r.QueryParam("code"))
}

// printPages is the preview of a printing.
type printPages struct {
	ID string `json:"printId"`
	printing.Preview
}

// printBatch has a job print many records. It is the list call's body with what only a batch has.
func (s *Server) printBatch(r *request) (any, error) {
	in := struct {
		SchemaCode    string         `json:"schemaCode"`
		QueryCode     string         `json:"queryCode"`
		Filters       []query.Filter `json:"filters"`
		OrderByFields []string       `json:"orderByFields"`
		OrderType     int            `json:"orderType"`
		Keyword       string         `json:"keyword"`
		ObjectIDs     []string       `json:"objectIds"`
		All           bool           `json:"allObjectId"`
		Code          string         `json:"code"`
		Each          bool           `json:"filePerRecord"`
		Time          *time.Time     `json:"printedTime"`
	}{}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Prints().Batch(r.ctx, r.view, printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: in.SchemaCode, QueryCode: in.QueryCode, Filters: in.Filters,
		OrderByFields: in.OrderByFields, OrderType: in.OrderType, Keyword: in.Keyword, ObjectIDs: in.ObjectIDs}, All: in.All, Template: in.Code, Each: in.Each, Address: ownOrigin(r), Told: in.Time})
}

// printRequest names records of a list, and a template.
type printRequest struct {
	SchemaCode string   `json:"schemaCode"`
	QueryCode  string   `json:"queryCode"`
	ObjectIDs  []string `json:"objectIds"`
	Code       string   `json:"code"`

	Labels *printing.Labels `json:"labels"`
	Time   *time.Time       `json:"printedTime"`
}

func (p printRequest) request() printing.Request {
	return printing.Request{PrintRequest: query.PrintRequest{SchemaCode: p.SchemaCode, QueryCode: p.QueryCode, ObjectIDs: p.ObjectIDs}, Template: p.Code, Labels: p.Labels, Told: p.Time}
}

func (s *Server) printout(r *request, how printing.How, id string, sheets bool) (*printing.Printout, error) {
	in := printRequest{}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	req := in.request()
	req.Address, req.Sheets = ownOrigin(r), sheets
	return s.app.Prints().Print(r.ctx, r.view, req, how, id)
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
	return s.printFile(r, false, "pdf", "application/pdf", (*printing.Printout).WritePDF)
}

func (s *Server) printXLSX(r *request) (any, error) {
	return s.printFile(r, true, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", (*printing.Printout).WriteXLSX)
}

func (s *Server) printFile(r *request, sheets bool, extension, mime string, write func(p *printing.Printout, w io.Writer, locale, author string) error) (any, error) {
	out, err := s.printout(r, printing.File, uuid.Must(uuid.NewV7()).String(), sheets)
	if err != nil {
		return nil, err
	}
	who := r.view.Principal()
	var file bytes.Buffer
	if err := write(out, &file, who.Locale, who.Name); err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if len(out.Missing) > 0 {
		h.Set("X-Print-Missing", strings.Trim(strings.ReplaceAll(fmt.Sprintf("%U", out.Missing), " ", ","), "[]"))
	}
	if len(out.TooWide) > 0 {
		figures := make([]string, len(out.TooWide))
		for i, f := range out.TooWide {
			figures[i] = url.PathEscape(f)
		}
		h.Set("X-Print-Too-Wide", strings.Join(figures, ","))
	}
	h.Set("Content-Disposition", disposition(false, out.Name.In(who.Locale)+" "+out.Time.Format("20060102-150405")+"."+extension))
	return sent{}, r.Blob(http.StatusOK, mime, file.Bytes())
}
