package httpapi

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/labstack/echo/v5"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	linkCookie  = "sluice_link"
	linkPath    = "/api/external/"
	maxLinkDays = 366
	linkRight   = catalog.ExternalLinkAction // on the model: to make and withdraw links to its forms
)

// externalRoutes are external links: those who look after them are signed in, those who open them are nobody and have the calls with the
// access external, and no other.
func (s *Server) externalRoutes() {
	s.register(route{method: "GET", path: linkPath + "forms", access: signedIn, body: small, deadline: quick, handle: s.linkForms})
	s.register(route{method: "GET", path: linkPath + "links", access: signedIn, body: small, deadline: quick, handle: s.links})
	s.register(route{method: "POST", path: linkPath + "links", access: signedIn, body: small, deadline: quick, handle: s.makeLink})
	s.register(route{method: "POST", path: linkPath + "links/withdraw", access: signedIn, body: small, deadline: quick, handle: s.withdrawLink})
	s.register(route{method: "POST", path: linkPath + "open", account: true, access: public, body: small, deadline: quick, login: true, handle: s.openLink})
	s.register(route{method: "GET", path: linkPath + "form", access: external, body: small, deadline: patient, handle: s.externalForm})
	s.register(route{method: "POST", path: linkPath + "submit", access: external, body: medium, deadline: patient, login: true, handle: s.externalSubmit})
}

// link returns the link of a browser and its form, if the definitions of now still open it.
func (s *Server) link(ctx context.Context, c *echo.Context) (authn.Link, error) {
	cookie, err := c.Cookie(linkCookie)
	if err != nil || cookie.Value == "" {
		return authn.Link{}, fault.New(fault.LinkGone)
	}
	return s.app.Auth().LinkOpened(ctx, cookie.Value)
}

// external makes the principal of a call that a link opens: one without a person, roles or departments.
func (s *Server) external(ctx context.Context, c *echo.Context, locale string) (principal.Principal, error) {
	l, err := s.link(ctx, c)
	if err == nil && l.Full() && c.Request().Header.Get("Idempotency-Key") == "" { // under a key it may be a repeat, which the writer knows
		err = fault.New(fault.LinkGone)
	}
	return principal.Principal{Link: l.ID, LinkForm: l.Form, LinkRecord: l.Record, Name: l.Label, Locale: locale}, err
}

// formOfLink is the form that a principal's link opens.
func formOfLink(r *request) (*catalog.Form, error) {
	f := r.state.Catalog.Form(r.principal.LinkForm)
	if f == nil || !opensFor(f, r.principal.LinkRecord) {
		return nil, fault.New(fault.LinkGone)
	}
	return f, nil
}

// opensFor reports whether the document of a form allows links that show a record, or that add one where record is "".
func opensFor(f *catalog.Form, record string) bool {
	if record != "" {
		return f.LinksRecords()
	}
	return f.ExternalLink
}

// openLink takes the text of a link, which a page has in the part of its address that browsers send nobody, and gives a cookie for it.
func (s *Server) openLink(r *request) (any, error) {
	var in struct {
		Form string `json:"form"`
		Text string `json:"text"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	session, life, err := s.app.Auth().OpenLink(r.ctx, in.Form, in.Text, s.peer(r.Context))
	if err != nil {
		return nil, err
	}
	s.cookie(r, linkCookie, session, linkPath, life)
	return nil, nil
}

func (s *Server) externalForm(r *request) (any, error) {
	f, err := formOfLink(r)
	if err != nil {
		return nil, err
	}
	out, err := s.app.Reader().FormLoad(r.ctx, r.view, query.FormRequest{SchemaCode: f.Model.Code, SheetCode: f.Code, ObjectID: r.principal.LinkRecord})
	if fault.Of(err) == fault.RecordNotFound {
		err = fault.New(fault.LinkGone)
	}
	if err != nil {
		return nil, err
	}
	out.Actions = slices.DeleteFunc(out.Actions, func(a string) bool { return a != "save" })
	if r.principal.LinkRecord != "" {
		out.Actions = out.Actions[:0]
	}
	out.Form.Buttons = out.Form.Buttons[:0]
	return out, nil
}

func (s *Server) externalSubmit(r *request) (any, error) {
	var in struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	f, err := formOfLink(r)
	if err == nil && r.principal.LinkRecord != "" {
		err = fault.New(fault.LinkGone)
	}
	if err != nil {
		return nil, err
	}
	token, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	if token != "" {
		token = "link " + r.principal.Link + " " + token
	}
	count := func(ctx context.Context, tx *store.Tx) error { return s.app.Auth().UseLink(tx, r.principal.Link) }
	_, err = s.app.Writer().Save(r.ctx, r.view, record.Change{Model: f.Model.Code, Form: f.Code, Set: in.Data, Token: token, With: count})
	return nil, err // the id of the record is nobody's who filled the form in
}

// linkForm is the form whose links a caller may look after.
func (s *Server) linkForm(r *request, code string) (*catalog.Form, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	f := r.state.Catalog.Form(code)
	if f == nil || !adds(r, f) && !shows(r, f) {
		return nil, fault.New(fault.FormNotFound)
	}
	if !r.view.Can(f.Model, linkRight) {
		return nil, fault.New(fault.Forbidden)
	}
	return f, nil
}

// adds and shows report whether links to a form add what the caller may add, and show what the caller may see.
func adds(r *request, f *catalog.Form) bool  { return f.ExternalLink && r.view.Can(f.Model, "add") }
func shows(r *request, f *catalog.Form) bool { return f.LinksRecords() && r.view.Can(f.Model, "view") }

func i18nOf(l plan.Label) map[string]string {
	if l.I18n == nil {
		return map[string]string{}
	}
	return l.I18n
}

// mayLink reports whether a caller makes and withdraws the links of a form.
func mayLink(r *request, f *catalog.Form) bool {
	return (adds(r, f) || shows(r, f)) && r.view.Can(f.Model, linkRight)
}

// linkForms are the forms whose links the caller looks after, with the number of links that are open, in the order of the definitions.
func (s *Server) linkForms(r *request) (any, error) {
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	open, err := s.app.Auth().OpenLinks(r.ctx)
	if err != nil {
		return nil, err
	}
	type out struct {
		Code       string            `json:"code"`
		Name       string            `json:"name"`
		NameI18n   map[string]string `json:"name_i18n"`
		SchemaCode string            `json:"schemaCode"`
		Model      string            `json:"modelName"`
		ModelI18n  map[string]string `json:"modelName_i18n"`
		Open       int               `json:"open"`
		Adds       bool              `json:"adds"` // links to it may be made without a record
	}
	content := []out{}
	for _, f := range r.state.Catalog.Forms {
		if mayLink(r, f) {
			content = append(content, out{f.Code, f.Label.Zh, i18nOf(f.Label), f.Model.Code, f.Model.Label.Zh, i18nOf(f.Model.Label), open[f.Code], adds(r, f)})
		}
	}
	return map[string]any{"content": content}, nil
}

func (s *Server) links(r *request) (any, error) {
	f, err := s.linkForm(r, r.QueryParam("form"))
	if err != nil {
		return nil, err
	}
	list, err := s.app.Auth().Links(r.ctx, f.Code)
	if err != nil {
		return nil, err
	}
	names, err := s.linkedRecords(r, f, list)
	if err != nil {
		return nil, err
	}
	type out struct {
		ID          string  `json:"id"`
		Label       string  `json:"label"`
		ObjectID    *string `json:"objectId"`   // of the record that it shows, where the caller sees it
		ObjectName  *string `json:"objectName"` // "" where the caller does not see the record
		CreatedTime string  `json:"createdTime"`
		ExpiresTime string  `json:"expiresTime"`
		Most        int     `json:"most"`
		Used        int     `json:"used"`
		Paused      bool    `json:"paused"`
	}
	content := make([]out, len(list))
	for i, l := range list {
		content[i] = out{ID: l.ID, Label: l.Label, CreatedTime: l.CreatedAt.UTC().Format(time.RFC3339), ExpiresTime: l.ExpiresAt.UTC().Format(time.RFC3339), Most: l.Most, Used: l.Used, Paused: l.Paused}
		if l.Record == "" {
			continue
		}
		name, sees := names[query.Ref{SchemaCode: f.Model.Code, ID: l.Record}]
		content[i].ObjectName = &name
		if sees {
			content[i].ObjectID = &l.Record
		}
	}
	return map[string]any{"content": content}, nil
}

// linkedRecords are the names of the records that links show, of those that the caller sees.
func (s *Server) linkedRecords(r *request, f *catalog.Form, list []authn.Link) (names map[query.Ref]string, err error) {
	var refs []query.Ref
	for _, l := range list {
		if l.Record != "" {
			refs = append(refs, query.Ref{SchemaCode: f.Model.Code, ID: l.Record})
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	err = s.app.Store().Read(r.ctx, func(ctx context.Context, tx *store.Tx) error {
		names, err = s.app.Reader().Titles(ctx, tx, r.view, refs)
		return err
	})
	return names, err
}

func (s *Server) makeLink(r *request) (any, error) {
	var in struct {
		Form   string `json:"form"`
		Record string `json:"objectId"`
		Label  string `json:"label"`
		Days   int    `json:"days"`
		Most   int    `json:"most"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	f, err := s.linkForm(r, in.Form)
	if err != nil {
		return nil, err
	}
	if err := s.mayShow(r, f, in.Record); err != nil {
		return nil, err
	}
	if in.Days < 1 || in.Days > maxLinkDays {
		return nil, fault.New(fault.BadParameter, "days")
	}
	text, err := s.app.Auth().MakeLink(r.ctx, r.principal.UserID, authn.LinkOf{Form: f.Code, Record: in.Record, Label: in.Label, Life: time.Duration(in.Days) * 24 * time.Hour, Most: in.Most})
	if err != nil {
		return nil, err
	}
	return map[string]string{"address": s.origin(r.Context) + "/external-link/" + f.Code + "#" + text}, nil
}

// mayShow refuses a link that the form does not open, or to a record whose form does not offer it to the caller.
func (s *Server) mayShow(r *request, f *catalog.Form, record string) error {
	if record == "" {
		if !adds(r, f) {
			return fault.New(fault.FormNotFound)
		}
		return nil
	}
	if !shows(r, f) {
		return fault.New(fault.FormNotFound)
	}
	load, err := s.app.Reader().FormLoad(r.ctx, r.view, query.FormRequest{SchemaCode: f.Model.Code, SheetCode: f.Code, ObjectID: record})
	if err == nil && !slices.Contains(load.Actions, linkRight) {
		err = fault.New(fault.Forbidden)
	}
	return err
}

func (s *Server) withdrawLink(r *request) (any, error) {
	var in struct {
		Form string `json:"form"`
		ID   string `json:"id"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	f, err := s.linkForm(r, in.Form)
	if err != nil {
		return nil, err
	}
	return nil, s.app.Auth().WithdrawLink(r.ctx, f.Code, in.ID)
}
