package httpapi

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

func (s *Server) listRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/query/headers", access: signedIn, scoped: true, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reader().Headers(r.view, r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "GET", path: "/api/runtime/query/config", access: signedIn, scoped: true, body: small, deadline: quick, handle: func(r *request) (any, error) {
		cfg, err := s.app.Reader().Config(r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"))
		if err == nil && s.app.Writer().Keeps() == 0 {
			cfg.Recycle = false
		}
		return cfg, err
	}})
	s.register(route{method: "GET", path: "/api/runtime/query/data_items", access: signedIn, scoped: true, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reader().DataItems(r.view, r.QueryParam("schemaCode"), cmp.Or(r.QueryParam("sheetCode"), r.QueryParam("formCode")))
	}})
	s.register(route{method: "GET", path: "/api/runtime/query/data_rules", access: signedIn, scoped: true, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reader().DataRules(r.view, r.QueryParam("schemaCode"))
	}})
	s.register(route{method: "POST", path: "/api/runtime/query/list", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.list})
	s.register(route{method: "GET", path: "/api/runtime/query/sheet_rows", access: signedIn, scoped: true, body: small, deadline: patient, handle: s.sheetRows})
	s.register(route{method: "POST", path: "/api/runtime/query/sheet_rows", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.filteredSheetRows})
	s.register(route{method: "POST", path: "/api/runtime/query/skip_list", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.skipList})
	s.register(route{method: "POST", path: "/api/runtime/query/add_check", access: signedIn, scoped: true, body: small, deadline: quick, handle: s.addCheck})
	s.register(route{method: "POST", path: "/api/runtime/query/delete_check", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.deleteCheck})
	s.register(route{method: "POST", path: "/api/runtime/query/delete", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.delete})
	s.register(route{method: "POST", path: "/api/runtime/query/run_action", access: signedIn, body: medium, deadline: patient, handle: s.press})
	s.register(route{method: "POST", path: "/api/runtime/track/list", access: signedIn, body: medium, deadline: patient, handle: s.histories})
	s.register(route{method: "POST", path: "/api/runtime/track/detail", access: signedIn, body: small, deadline: patient, handle: s.history})
}

func (s *Server) list(r *request) (any, error) {
	var in query.ListRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	data, err := s.app.Reader().List(r.ctx, r.view, in)
	return raw(data), err
}

// paging reads page and size of an address; a missing one is its default.
func paging(r *request) (page, size int, err error) { return pagingTo(r, query.MaxPageSize) }

func pagingTo(r *request, most int) (page, size int, err error) {
	page, size = 0, 20
	for name, to := range map[string]*int{"page": &page, "size": &size} {
		if text := r.QueryParam(name); text != "" {
			if *to, err = strconv.Atoi(text); err != nil {
				return 0, 0, fault.Wrap(err, fault.PageOutOfRange)
			}
		}
	}
	if page < 0 || page > math.MaxInt32 || size < 1 || size > most {
		return 0, 0, fault.New(fault.PageOutOfRange)
	}
	return page, size, nil
}

func (s *Server) sheetRows(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	data, err := s.app.Reader().SheetRows(r.ctx, r.view, query.SheetRequest{SchemaCode: r.QueryParam("schemaCode"),
		QueryCode: r.QueryParam("queryCode"), ObjectID: r.QueryParam("objectId"), PropertyCode: r.QueryParam("propertyCode"), Page: page, Size: size})
	return raw(data), err
}

func (s *Server) addCheck(r *request) (any, error) {
	in := addRequest{ActionType: "add"}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	m := r.state.Catalog.Model(in.SchemaCode)
	if m == nil || m.Parent != nil || !r.view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if !r.view.Can(m, "add") {
		return nil, fault.New(fault.NoAddPermission)
	}
	if !in.published(r.state.Catalog, m) {
		return nil, fault.New(fault.NotPublished)
	}
	return nil, nil
}

// addRequest asks whether a new record's form may be opened. All but the model says by which button.
type addRequest struct {
	SchemaCode   string `json:"schemaCode"`
	QueryCode    string `json:"queryCode"`
	IsMobile     bool   `json:"isMobile"`
	ActionType   string `json:"queryActionType"`         // default add
	RelativeType int    `json:"queryActionRelativeType"` // the button's associationType
	RelativeCode string `json:"relativeCode"`            // what it opens
}

// published reports whether the definitions still offer the button: the page may be older than they are.
func (a addRequest) published(c *catalog.Catalog, m *catalog.Model) bool {
	if a.RelativeType == associatedForm {
		if f := c.Form(a.RelativeCode); f == nil || f.Model != m {
			return false
		}
	}
	if a.QueryCode == "" {
		return true
	}
	l := c.List(a.QueryCode)
	return l != nil && l.Model == m && slices.ContainsFunc(l.Actions, func(one catalog.ListAction) bool { return one.Type == a.ActionType })
}

// associatedForm is the wire number of associationType form.
const associatedForm = 2

// selection is the body of the delete calls.
type selection struct {
	SchemaCode string   `json:"schemaCode"`
	QueryID    string   `json:"queryId"`
	QueryCode  string   `json:"queryCode"`
	IDs        []string `json:"ids"`
}

func (s *Server) selection(r *request) (selection, error) {
	var in selection
	if err := decode(r.Context, &in); err != nil {
		return in, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > query.MaxPageSize {
		return in, fault.New(fault.BadParameter, "ids")
	}
	return in, nil
}

func (s *Server) deleteCheck(r *request) (any, error) {
	in, err := s.selection(r)
	if err != nil {
		return nil, err
	}
	states, err := s.app.Writer().DeleteCheck(r.ctx, r.view, in.SchemaCode, in.IDs)
	s.describe(r, states)
	return states, err
}

func (s *Server) delete(r *request) (any, error) {
	in, err := s.selection(r)
	if err != nil {
		return nil, err
	}
	out, err := s.app.Writer().Delete(r.ctx, r.view, in.SchemaCode, in.IDs)
	s.describe(r, out.Errors)
	return out, err
}

// describe puts packs' reasons for keeping records into words.
func (s *Server) describe(r *request, states []record.DeleteState) {
	for i := range states {
		if states[i].Code != 0 {
			states[i].ResultDesc = s.texts.sentence(states[i].Code, r.locale, states[i].Args)
		}
	}
}

func (s *Server) history(r *request) (any, error) {
	var in query.HistoryRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Reader().History(r.ctx, r.view, in)
}

func (s *Server) histories(r *request) (any, error) {
	var in query.HistoriesRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Reader().Histories(r.ctx, r.view, in)
}

func (s *Server) press(r *request) (any, error) {
	var in query.ActionRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Press(r.ctx, r.state, r.view, in)
}

// filteredSheetRows is sheetRows with filters, which travel in a body.
func (s *Server) filteredSheetRows(r *request) (any, error) {
	in := query.SheetRequest{Size: query.DefaultPageSize}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if in.Page < 0 || in.Page > math.MaxInt32 || in.Size < 1 || in.Size > query.MaxPageSize {
		return nil, fault.New(fault.PageOutOfRange)
	}
	data, err := s.app.Reader().SheetRows(r.ctx, r.view, in)
	return raw(data), err
}

func (s *Server) skipList(r *request) (any, error) {
	var in query.SkipRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	data, err := s.app.Reader().SkipList(r.ctx, r.view, in)
	return raw(data), err
}
