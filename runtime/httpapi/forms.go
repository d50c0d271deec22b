package httpapi

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

func (s *Server) formRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/form/get_form_url", access: signedIn, scoped: true, body: small, deadline: quick, handle: s.formURL})
	s.register(route{method: "GET", path: "/api/runtime/form/load", access: signedIn, scoped: true, body: small, deadline: patient, handle: s.load})
	s.register(route{method: "POST", path: "/api/runtime/form/save", access: signedIn, scoped: true, body: large, deadline: patient, handle: s.save})
	s.register(route{method: "POST", path: "/api/runtime/form/compute", access: signedIn, scoped: true, body: large, deadline: patient, handle: s.compute})
	s.register(route{method: "POST", path: "/api/runtime/form/explain", access: signedIn, body: large, deadline: patient, handle: s.explain})
	s.register(route{method: "GET", path: "/api/runtime/form/options", access: signedIn, scoped: true, body: small, deadline: patient, handle: s.options})
	s.register(route{method: "POST", path: "/api/runtime/form/options", access: signedIn, scoped: true, body: medium, deadline: patient, handle: s.formOptions})
	s.register(route{method: "GET", path: "/api/runtime/form/divisions", access: signedIn, scoped: true, body: small, deadline: quick, handle: s.divisions})
	s.register(route{method: "POST", path: "/api/runtime/form/addresses", access: signedIn, scoped: true, body: medium, deadline: quick, handle: s.addresses})
}

// divisions are those below one, or those that a text finds.
func (s *Server) divisions(r *request) (any, error) {
	keyword := strings.TrimSpace(r.QueryParam("keyword"))
	if keyword == "" {
		return s.app.Reader().Divisions(r.QueryParam("parent")), nil
	}
	if utf8.RuneCountInString(keyword) > maxDivisionWord {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	levels := 3
	if text := r.QueryParam("levels"); text != "" {
		var err error
		if levels, err = strconv.Atoi(text); err != nil || levels < 1 || levels > 3 {
			return nil, fault.New(fault.BadParameter, "levels")
		}
	}
	return s.app.Reader().FindDivisions(keyword, levels), nil
}

// maxDivisionWord is the longest text that divisions are searched by.
const maxDivisionWord = 100

// mostAddresses is how many texts one call may have read, and maxAddress how long each may be.
const (
	mostAddresses = 500
	maxAddress    = 400
)

// addresses reads texts as addresses.
func (s *Server) addresses(r *request) (any, error) {
	var in struct {
		Texts []string `json:"texts"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if len(in.Texts) > mostAddresses {
		return nil, fault.New(fault.BadParameter, "texts")
	}
	out := make([]query.Address, len(in.Texts))
	for i, text := range in.Texts {
		if utf8.RuneCountInString(text) > maxAddress {
			return nil, fault.New(fault.BadParameter, "texts")
		}
		out[i] = s.app.Reader().ReadAddress(text)
	}
	return out, nil
}

// formURL returns the address of a record (docs/formats.md, Addresses).
func (s *Server) formURL(r *request) (any, error) {
	schema, id := r.QueryParam("schemaCode"), r.QueryParam("bizObjectId")
	loaded, err := s.app.Reader().FormLoad(r.ctx, r.view, query.FormRequest{SchemaCode: schema, ObjectID: id})
	if err != nil {
		return nil, err
	}
	q := url.Values{"schemaCode": {loaded.Form.SchemaCode}, "sheetCode": {loaded.Form.SheetCode}, "key": {id}}
	return "/form/detail?" + q.Encode(), nil
}

func (s *Server) load(r *request) (any, error) {
	moment, err := momentOf(r)
	if err != nil {
		return nil, err
	}
	out, err := s.app.Reader().FormLoad(r.ctx, r.view, query.FormRequest{SchemaCode: r.QueryParam("schemaCode"),
		SheetCode: r.QueryParam("sheetCode"), ObjectID: r.QueryParam("objectId"), CopyFrom: r.QueryParam("copyFrom"), QueryCode: r.QueryParam("queryCode"),
		RelPropertyCode: r.QueryParam("relPropertyCode"), RelSchemaCode: r.QueryParam("relSchemacode"), RelID: r.QueryParam("relId"), Moment: moment})
	if err == nil && slices.Contains(out.Actions, "delete") && s.app.Writer().Keeps() > 0 {
		out.Actions = append(out.Actions, "recycle")
	}
	return out, err
}

func (s *Server) save(r *request) (any, error) {
	var in struct {
		SchemaCode  string                     `json:"schemaCode"`
		SheetCode   string                     `json:"sheetCode"`
		ID          string                     `json:"id"`
		Version     *int64                     `json:"version"`
		Data        map[string]json.RawMessage `json:"data"`
		ClientToken string                     `json:"clientToken"`
		Amend       string                     `json:"amend"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	version, err := versionOf(r, in.Version)
	if err != nil {
		return nil, err
	}
	token, err := idempotencyKey(r, in.ClientToken)
	if err != nil {
		return nil, err
	}
	return s.app.Writer().Save(r.ctx, r.view, record.Change{Model: in.SchemaCode, Form: in.SheetCode, ID: in.ID,
		Version: version, Set: in.Data, Token: token, Amend: in.Amend})
}

// supposed is a record as it is in a form.
type supposed struct {
	SchemaCode string                     `json:"schemaCode"`
	SheetCode  string                     `json:"sheetCode"`
	ID         string                     `json:"id"`
	Data       map[string]json.RawMessage `json:"data"`
}

func (in supposed) change() record.Change {
	return record.Change{Model: in.SchemaCode, Form: in.SheetCode, ID: in.ID, Set: in.Data}
}

// compute evaluates the formulas of a form that is being filled in which need other records.
func (s *Server) compute(r *request) (any, error) {
	var in supposed
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Writer().Preview(r.ctx, r.view, in.change())
}

// explain tells why a computed value is what it is.
func (s *Server) explain(r *request) (any, error) {
	var in struct {
		supposed
		PropertyCode string `json:"propertyCode"`
		Row          int    `json:"row"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Writer().Explain(r.ctx, r.view, in.change(), in.PropertyCode, in.Row)
}

// longestKey is the length of the longest idempotency key.
const longestKey = 200

// idempotencyKey takes the token of a call that may be repeated from its header, or else from the body.
func idempotencyKey(r *request, body ...string) (string, error) {
	token := cmp.Or(append([]string{r.Request().Header.Get("Idempotency-Key")}, body...)...)
	if len(token) > longestKey {
		return "", fault.New(fault.BadParameter, "Idempotency-Key")
	}
	if !whole(token) {
		return "", fault.New(fault.BadText, "Idempotency-Key")
	}
	return token, nil
}

// versionOf takes the version from the body or from If-Match; two different ones are refused.
func versionOf(r *request, body *int64) (*int64, error) {
	text := strings.Trim(r.Request().Header.Get("If-Match"), `"`)
	if text == "" {
		return body, nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || body != nil && *body != v {
		return nil, fault.Wrap(err, fault.BadParameter, "If-Match")
	}
	return &v, nil
}

func (s *Server) options(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	var parent *string
	if values, ok := r.QueryParams()["parentId"]; ok {
		parent = &values[0]
	}
	return s.app.Reader().FieldOptions(r.ctx, r.view, query.OptionsRequest{SchemaCode: r.QueryParam("schemaCode"),
		PropertyCode: r.QueryParam("propertyCode"), Keyword: r.QueryParam("keyword"), ParentID: parent, Kind: r.QueryParam("kind"), Page: page, Size: size})
}

// formOptions are the choices of a field in a form, as its values stand now.
func (s *Server) formOptions(r *request) (any, error) {
	in := struct {
		SchemaCode   string                     `json:"schemaCode"`
		SheetCode    string                     `json:"sheetCode"`
		ObjectID     string                     `json:"objectId"`
		PropertyCode string                     `json:"propertyCode"`
		Keyword      string                     `json:"keyword"`
		Meant        bool                       `json:"meant"`
		Kind         string                     `json:"kind"`
		Form         map[string]json.RawMessage `json:"form"`
		IDs          []string                   `json:"ids"`
		Page         int                        `json:"page"`
		Size         int                        `json:"size"`
	}{Size: query.DefaultPageSize}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if in.Page < 0 || in.Size < 1 || in.Size > query.MaxPageSize || in.Page > math.MaxInt32/in.Size {
		return nil, fault.New(fault.PageOutOfRange)
	}
	if in.Form == nil {
		in.Form = map[string]json.RawMessage{}
	}
	return s.app.Reader().FieldOptions(r.ctx, r.view, query.OptionsRequest{SchemaCode: in.SchemaCode, SheetCode: in.SheetCode,
		ObjectID: in.ObjectID, PropertyCode: in.PropertyCode, Keyword: in.Keyword, Meant: in.Meant, Kind: in.Kind, Form: in.Form, IDs: in.IDs, Page: in.Page, Size: in.Size})
}
