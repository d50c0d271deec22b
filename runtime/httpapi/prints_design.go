package httpapi

import (
	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/diag"
	rights "github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/app"
)

const printDesignPath = "/api/app/print/"

// printCheck is what the compiler says to a draft (api.yaml PrintCheck).
type printCheck struct {
	Diagnostics diag.List         `json:"diagnostics"`
	Seen        string            `json:"seen"`
	ChangedBy   string            `json:"changedBy"`
	Others      []app.DesignOther `json:"others"`
	Ways        []rights.Way      `json:"ways"`
	Print       *printPages       `json:"print"`
	Refused     string            `json:"refused"`
	NoAddress   bool              `json:"noAddress"`
}

// printDesignRoutes are the designer of print templates, for those who administer their application.
func (s *Server) printDesignRoutes() {
	s.register(route{method: "GET", path: printDesignPath + "list", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.DesignedPrints(r.Request().Context(), r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "design", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.PrintDesign(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("printCode"))
	}})
	s.register(route{method: "GET", path: printDesignPath + "model", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.PrintModel(r.view, r.QueryParam("appCode"), r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "POST", path: printDesignPath + "check", access: signedIn, body: large, deadline: publishing, handle: drafted(s.checkPrint)})
	s.register(route{method: "PUT", path: printDesignPath + "design", access: signedIn, body: large, deadline: publishing, handle: drafted(func(r *request, in app.PrintDraft) (any, error) {
		return s.app.PublishPrint(r.ctx, r.view, in)
	})})
	s.register(route{method: "PUT", path: printDesignPath + "draft", access: signedIn, body: large, deadline: quick, handle: drafted(func(r *request, in app.PrintDraft) (any, error) {
		return nil, s.app.KeepPrint(r.ctx, r.view, in)
	})})
	s.documentVersionRoutes(documentVersions{path: printDesignPath, code: "printCode", list: s.app.PrintHistory, read: s.app.PrintVersion})
}

// printProof is a draft, and the record to lay out with it; "" = none.
type printProof struct {
	app.PrintDraft
	Record string `json:"objectId"`
}

// checkPrint compiles a draft, and lays a record out with it where one is named.
func (s *Server) checkPrint(r *request, in printProof) (any, error) {
	found, err := s.app.CheckPrint(r.ctx, r.view, in.PrintDraft, in.Record, ownOrigin(r))
	if err != nil {
		return nil, err
	}
	locale := r.view.Principal().Locale
	out := printCheck{Diagnostics: found.Diagnostics, Seen: found.Seen, ChangedBy: found.ChangedBy, Others: found.Others, Ways: found.Ways, NoAddress: found.NoAddress}
	if found.Printout != nil {
		out.Print = &printPages{uuid.Must(uuid.NewV7()).String(), found.Printout.Preview(locale)} // of a printing that nobody keeps
	}
	if found.Refused != nil {
		out.Refused = Sentence(found.Refused, locale)
	}
	return out, nil
}
