package httpapi

import (
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
)

const portalDesignPath = "/api/portal/page/"

// portalName names a page; the application is that of a new one.
type portalName struct {
	App  string `json:"appCode"`
	Code string `json:"portalCode"`
}

// portalDesignRoutes are the designer of portal pages, for those who may edit one.
func (s *Server) portalDesignRoutes() {
	s.register(route{method: "GET", path: portalDesignPath + "designed", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.DesignedPortals(r.ctx, r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "GET", path: portalDesignPath + "design", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.PortalDesign(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("portalCode"))
	}})
	s.register(route{method: "GET", path: portalDesignPath + "model", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.PortalModel(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("portalCode"), r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "POST", path: portalDesignPath + "check", access: signedIn, body: large, deadline: publishing, handle: drafted(func(r *request, in app.PortalDraft) (any, error) {
		return s.app.CheckPortal(r.ctx, r.view, in)
	})})
	s.register(route{method: "POST", path: portalDesignPath + "rows", access: signedIn, body: large, deadline: publishing, handle: drafted(s.draftRows)})
	s.register(route{method: "PUT", path: portalDesignPath + "draft", access: signedIn, body: large, deadline: quick, handle: drafted(func(r *request, in app.PortalDraft) (any, error) {
		at, err := s.app.KeepPortal(r.ctx, r.view, in)
		return map[string]any{"time": at}, err
	})})
	s.register(route{method: "POST", path: portalDesignPath + "publish", access: signedIn, body: large, deadline: publishing, handle: drafted(func(r *request, in app.PortalDraft) (any, error) {
		return s.app.PublishPortal(r.ctx, r.view, in)
	})})
	s.register(route{method: "POST", path: portalDesignPath + "discard", access: signedIn, body: small, deadline: quick, handle: drafted(func(r *request, in portalName) (any, error) {
		return nil, s.app.DiscardPortal(r.ctx, r.view, in.App, in.Code)
	})})
	s.register(route{method: "POST", path: portalDesignPath + "lock", access: signedIn, body: small, deadline: quick, handle: drafted(func(r *request, in portalName) (any, error) {
		return s.app.LockPortal(r.ctx, r.view, in.App, in.Code, false)
	})})
	s.register(route{method: "POST", path: portalDesignPath + "takeover", access: signedIn, body: small, deadline: quick, handle: drafted(func(r *request, in portalName) (any, error) {
		return s.app.LockPortal(r.ctx, r.view, in.App, in.Code, true)
	})})
	s.register(route{method: "POST", path: portalDesignPath + "unlock", access: signedIn, body: small, deadline: quick, handle: drafted(func(r *request, in portalName) (any, error) {
		return nil, s.app.UnlockPortal(r.ctx, r.view, in.Code)
	})})
	s.documentVersionRoutes(documentVersions{path: portalDesignPath, code: "portalCode", list: s.app.PortalHistory, read: s.app.PortalVersion})
}

// portalRowsOf is what a widget's rows are asked for with.
type portalRowsOf struct {
	Widget  string         `json:"widget"`
	Tab     int            `json:"tab"`
	Page    int            `json:"page"`
	Size    int            `json:"size"`
	From    string         `json:"from"`
	To      string         `json:"to"`
	Keyword string         `json:"keyword"`
	Filters []query.Filter `json:"filters"`
}

func (in portalRowsOf) request(code string) portal.RowsRequest {
	if in.Size == 0 {
		in.Size = usualRows
	}
	return portal.RowsRequest{Portal: code, Widget: in.Widget, Tab: in.Tab, Page: in.Page, Size: in.Size, Keyword: in.Keyword, Filters: in.Filters, From: in.From, To: in.To}
}

// draftRowsOf asks for rows of a page that is not published.
type draftRowsOf struct {
	App  string `json:"appCode"`
	Code string `json:"portalCode"`
	New  bool   `json:"new"`
	Text string `json:"text"`
	portalRowsOf
}

func (s *Server) draftRows(r *request, in draftRowsOf) (any, error) {
	rows, err := s.app.DraftRows(r.ctx, r.view, app.PortalDraft{App: in.App, Code: in.Code, New: in.New, Text: in.Text}, in.request(in.Code))
	if err != nil {
		return nil, err
	}
	return wireRows(rows), nil
}
