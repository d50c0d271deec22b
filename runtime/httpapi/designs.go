package httpapi

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
)

// posted reads the body of a call.
func posted[D any](do func(r *request, in D) (any, error)) func(*request) (any, error) {
	return func(r *request) (any, error) {
		var in D
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return do(r, in)
	}
}

// designed is the name of a document in the address of a call.
func designed(r *request) design.Name {
	return design.Name{Kind: r.QueryParam("kind"), App: r.QueryParam("appCode"), Code: r.QueryParam("code")}
}

// reading registers a call that reads, of people who have signed in.
func (s *Server) reading(path string, deadline time.Duration, handle func(*request) (any, error)) {
	s.register(route{method: "GET", path: path, access: signedIn, body: small, deadline: deadline, handle: handle})
}

// sending registers a call with a body, of people who have signed in.
func (s *Server) sending(body int64) func(method, path string, deadline time.Duration, handle func(*request) (any, error)) {
	return func(method, path string, deadline time.Duration, handle func(*request) (any, error)) {
		s.register(route{method: method, path: path, access: signedIn, body: body, deadline: deadline, handle: handle})
	}
}

// designRoutes are the desk of all documents that have a designer, for their editors.
func (s *Server) designRoutes() {
	d, read, drafted, named := s.app.Designs(), s.reading, s.sending(large), s.sending(small)
	read("/api/design/begun", quick, func(r *request) (any, error) {
		return d.Begun(r.ctx, r.view, r.QueryParam("kind"), r.QueryParam("appCode"))
	})
	read("/api/design/list", quick, func(r *request) (any, error) {
		return d.List(r.ctx, r.view, r.QueryParam("kind"), r.QueryParam("appCode"))
	})
	read("/api/design/document", patient, func(r *request) (any, error) {
		return d.Document(r.ctx, r.view, designed(r))
	})
	read("/api/design/history", quick, func(r *request) (any, error) {
		return d.History(r.ctx, r.view, designed(r))
	})
	read("/api/design/version", patient, s.designVersion)
	drafted("POST", "/api/design/check", publishing, posted(s.checkDesign))
	drafted("POST", "/api/design/plan", publishing, posted(func(r *request, in design.Draft) (any, error) {
		return d.Plan(r.ctx, r.view, in)
	}))
	drafted("PUT", "/api/design/draft", quick, posted(func(r *request, in design.Draft) (any, error) {
		at, err := d.Keep(r.ctx, r.view, in)
		return map[string]any{"time": at}, err
	}))
	drafted("POST", "/api/design/publish", publishing, posted(func(r *request, in design.Draft) (any, error) {
		return d.Publish(r.ctx, r.view, in)
	}))
	named("POST", "/api/design/discard", quick, posted(func(r *request, in design.Name) (any, error) {
		return nil, d.Discard(r.ctx, r.view, in)
	}))
	named("POST", "/api/design/lock", quick, posted(func(r *request, in design.Name) (any, error) {
		return d.Lock(r.ctx, r.view, in, false)
	}))
	named("POST", "/api/design/takeover", quick, posted(func(r *request, in design.Name) (any, error) {
		return d.Lock(r.ctx, r.view, in, true)
	}))
	named("POST", "/api/design/unlock", quick, posted(func(r *request, in design.Name) (any, error) {
		return nil, d.Unlock(r.ctx, r.view, in)
	}))
	s.workflowDesignRoutes()
	s.printDesignRoutes()
	s.portalDesignRoutes()
}

func (s *Server) designVersion(r *request) (any, error) {
	version, err := strconv.ParseInt(r.QueryParam("version"), 10, 64)
	if err != nil || version < 0 {
		return nil, fault.New(fault.BadParameter, "version")
	}
	text, err := s.app.Designs().Version(r.ctx, r.view, designed(r), version)
	return map[string]any{"version": version, "text": text}, err
}

// printDrawn is how a record looks with the draft of a template (api.yaml PrintDrawn).
type printDrawn struct {
	Print     *printPages `json:"print"`
	Refused   string      `json:"refused"`
	NoAddress bool        `json:"noAddress"`
}

func (s *Server) checkDesign(r *request, in design.Proof) (any, error) {
	in.Address = ownOrigin(r)
	found, err := s.app.Designs().Check(r.ctx, r.view, in)
	if err != nil {
		return nil, err
	}
	if of, ok := found.Drawn.(*design.PrintDrawn); ok {
		locale := r.view.Principal().Locale
		out := printDrawn{NoAddress: of.NoAddress}
		if of.Printout != nil {
			out.Print = &printPages{uuid.Must(uuid.NewV7()).String(), of.Printout.Preview(locale)} // of a printing that nobody keeps
		}
		if of.Refused != nil {
			out.Refused = Sentence(of.Refused, locale)
		}
		found.Drawn = out
	}
	return found, nil
}

// workflowDesignRoutes are what the editor of workflows chooses from, for those who administer their application.
func (s *Server) workflowDesignRoutes() {
	d, read := s.app.Designs(), s.reading
	read("/api/app/workflow/list", patient, func(r *request) (any, error) {
		return d.DesignedWorkflows(r.ctx, r.view, r.QueryParam("appCode"))
	})
	read("/api/app/workflow/design", patient, func(r *request) (any, error) {
		return d.WorkflowChoices(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("workflowCode"))
	})
	read("/api/app/workflow/model", quick, func(r *request) (any, error) {
		return d.WorkflowModel(r.view, r.QueryParam("appCode"), r.QueryParam("schemaCode"))
	})
	read("/api/app/workflow/people", quick, func(r *request) (any, error) {
		var ids []string
		if text := r.QueryParam("ids"); text != "" {
			ids = strings.Split(text, ",")
		}
		return d.Parties(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("kind"), r.QueryParam("search"), ids)
	})
}

// printDesignRoutes are what the designer of paper chooses from, for those who administer the application.
func (s *Server) printDesignRoutes() {
	d, read := s.app.Designs(), s.reading
	read("/api/app/print/list", quick, func(r *request) (any, error) {
		return d.DesignedPrints(r.ctx, r.view, r.QueryParam("appCode"))
	})
	read("/api/app/print/design", patient, func(r *request) (any, error) {
		return d.PrintChoices(r.ctx, r.view, r.QueryParam("appCode"))
	})
	read("/api/app/print/model", quick, func(r *request) (any, error) {
		return d.PrintModel(r.view, r.QueryParam("appCode"), r.QueryParam("schemaCode"))
	})
}

// portalDesignRoutes are what the designer of portal pages chooses from and draws with, for the editors of one.
func (s *Server) portalDesignRoutes() {
	d, read, drafted := s.app.Designs(), s.reading, s.sending(large)
	read("/api/portal/page/designed", quick, func(r *request) (any, error) {
		return d.DesignedPortals(r.ctx, r.view, r.QueryParam("appCode"))
	})
	read("/api/portal/page/design", patient, func(r *request) (any, error) {
		return d.PortalChoices(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("portalCode"))
	})
	read("/api/portal/page/model", patient, func(r *request) (any, error) {
		return d.PortalModel(r.ctx, r.view, r.QueryParam("appCode"), r.QueryParam("portalCode"), r.QueryParam("schemaCode"))
	})
	drafted("POST", "/api/portal/page/rows", publishing, posted(s.draftRows))
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
	return portal.RowsRequest{Portal: code, Widget: in.Widget, Tab: in.Tab, Page: in.Page, Size: in.Size, Keyword: in.Keyword,
		Filters: in.Filters, From: in.From, To: in.To}
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
	of := design.Draft{Name: design.Name{Kind: "portal", App: in.App, Code: in.Code}, New: in.New, Text: in.Text}
	rows, err := s.app.Designs().DraftRows(r.ctx, r.view, of, in.request(in.Code))
	if err != nil {
		return nil, err
	}
	return wireRows(rows), nil
}
