package httpapi

import (
	"strconv"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

const printDesignPath = "/api/app/print/"

// printCheck is what the compiler says to a draft (api.yaml PrintCheck).
type printCheck struct {
	Diagnostics diag.List   `json:"diagnostics"`
	Seen        string      `json:"seen"`
	ChangedBy   string      `json:"changedBy"`
	Print       *printPages `json:"print"`
	Refused     string      `json:"refused"`
}

// printDesignRoutes are the designer of print templates, for those who administer their application.
func (s *Server) printDesignRoutes() {
	s.register(route{method: "GET", path: printDesignPath + "list", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.DesignedPrints(r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "design", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.PrintDesign(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("printCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "model", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.PrintModel(r.view, r.QueryParam("appCode"), r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "history", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.PrintHistory(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("printCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "version", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		version, err := strconv.ParseInt(r.QueryParam("version"), 10, 64)
		if err != nil || version < 0 {
			return nil, fault.New(fault.BadParameter, "version")
		}
		text, err := s.app.PrintVersion(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("printCode"), version)
		return map[string]any{"version": version, "text": text}, err
	}})
	s.register(route{method: "POST", path: printDesignPath + "check", access: signedIn, body: large, deadline: publishing, handle: s.checkPrint})
	s.register(route{method: "PUT", path: printDesignPath + "design", access: signedIn, body: large, deadline: publishing, handle: func(r *request) (any, error) {
		var in app.PrintDraft
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.PublishPrint(r.ctx, r.view, in)
	}})
}

// checkPrint compiles a draft, and lays a record out with it where one is named.
func (s *Server) checkPrint(r *request) (any, error) {
	var in struct {
		app.PrintDraft
		Record string `json:"objectId"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	found, err := s.app.CheckPrint(r.ctx, r.view, in.PrintDraft, in.Record, ownOrigin(r))
	if err != nil {
		return nil, err
	}
	locale := r.view.Principal().Locale
	out := printCheck{Diagnostics: found.Diagnostics, Seen: found.Seen, ChangedBy: found.ChangedBy}
	if found.Printout != nil {
		out.Print = &printPages{uuid.Must(uuid.NewV7()).String(), found.Printout.Preview(locale)} // of a printing that nobody keeps
	}
	if found.Refused != nil {
		out.Refused = Sentence(found.Refused, locale)
	}
	return out, nil
}
