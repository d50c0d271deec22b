package httpapi

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

const recyclePath = "/api/runtime/recycle/"

// recycleRoutes are about records that were deleted and can be brought back.
func (s *Server) recycleRoutes() {
	s.register(route{method: "POST", path: recyclePath + "list", access: signedIn, body: small, deadline: patient, handle: s.recycled})
	s.register(route{method: "POST", path: recyclePath + "detail", access: signedIn, body: small, deadline: patient, handle: s.recycledOne})
	s.register(route{method: "POST", path: recyclePath + "restore", access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
		return s.eachRecycled(r, func(model, id string) (int64, error) {
			out, err := s.app.Writer().Restore(r.ctx, r.view, model, id)
			return out.Version, err
		})
	}})
	s.register(route{method: "POST", path: recyclePath + "purge", access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
		return s.eachRecycled(r, func(model, id string) (int64, error) {
			return 0, s.app.Writer().Purge(r.ctx, r.view, model, id)
		})
	}})
}

func (s *Server) recycled(r *request) (any, error) {
	in := query.RecycleRequest{Size: query.DefaultPageSize}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	in.Keep = s.app.Writer().Keeps()
	return s.app.Reader().Recycled(r.ctx, r.view, in)
}

func (s *Server) recycledOne(r *request) (any, error) {
	var in query.RecycledRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	in.Keep = s.app.Writer().Keeps()
	return s.app.Reader().RecycledOne(r.ctx, r.view, in)
}

// recycleDone is what became of several deleted records (api.yaml RecycleDone).
type recycleDone struct {
	SuccessCount int              `json:"successCount"`
	ErrorCount   int              `json:"errorCount"`
	Errors       []recycleRefused `json:"errors"`
}

type recycleRefused struct {
	ID      string     `json:"id"`
	Code    fault.Code `json:"errcode"`
	Message string     `json:"errmsg"`
	Data    any        `json:"data"` // of RecordInvalid: the fields
}

// maxRecycled is how many records one call may name.
const maxRecycled = 500

// eachRecycled does something with each of the records alone: what cannot be done is named, and the rest is done. A refusal
// of the whole model is the call's.
func (s *Server) eachRecycled(r *request, do func(model, id string) (int64, error)) (any, error) {
	var in struct {
		SchemaCode string   `json:"schemaCode"`
		IDs        []string `json:"ids"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	switch {
	case len(in.IDs) == 0:
		return nil, fault.New(fault.EmptyParameter, "ids")
	case len(in.IDs) > maxRecycled:
		return nil, fault.New(fault.BadParameter, "ids")
	}
	out := recycleDone{Errors: []recycleRefused{}}
	for _, id := range in.IDs {
		_, err := do(in.SchemaCode, id)
		var f *fault.Error
		switch {
		case err == nil:
			out.SuccessCount++
		case !errors.As(err, &f) || f.Code == fault.ModelNotFound || f.Code == fault.Forbidden || f.Code == fault.Internal:
			return nil, err
		default:
			out.ErrorCount++
			out.Errors = append(out.Errors, s.refusedOne(r, r.state.Catalog.Model(in.SchemaCode), id, f))
		}
	}
	return out, nil
}

func (s *Server) refusedOne(r *request, model *catalog.Model, id string, f *fault.Error) recycleRefused {
	args := f.Args
	var unseen *record.Unseen
	if errors.As(f, &unseen) { // for administrators, under the id that the caller is given
		s.log.WarnContext(r.ctx, "restore refused", "request", requestID(r.Context), "error", unseen)
		if f.Code == fault.RecordUnseen {
			args = []any{requestID(r.Context)}
		}
	}
	message := own(f, r.locale, s.texts.sentence(f.Code, r.locale, args))
	data := s.localise(f.Data, r.locale)
	if invalid, ok := data.(fault.Invalid); ok {
		message = named(model, r.locale, invalid.Errors)
	}
	return recycleRefused{ID: id, Code: f.Code, Message: message, Data: data}
}

// named tells what is wrong with which fields, for a place where there is no form.
func named(m *catalog.Model, locale string, errs []fault.FieldError) string {
	var out []string
	for _, e := range errs {
		head, column, inSheet := strings.Cut(e.PropertyCode, ".")
		label := e.PropertyCode
		if f := m.Field(head); f != nil {
			if label = f.Label.In(locale); inSheet && f.Sheet != nil && f.Sheet.Field(column) != nil {
				label += " / " + f.Sheet.Field(column).Label.In(locale)
			}
		}
		out = append(out, map[bool]string{true: label + ": ", false: label + "："}[locale == "en"]+e.Message)
	}
	return strings.Join(out, map[bool]string{true: "; ", false: "；"}[locale == "en"])
}

// momentOf reads which earlier state of a record is asked for; nil = the record as it is.
func momentOf(r *request) (*record.Moment, error) {
	version, at := r.QueryParam("version"), r.QueryParam("at")
	if version == "" && at == "" {
		return nil, nil
	}
	var m record.Moment
	if version != "" {
		n, err := strconv.ParseInt(version, 10, 64)
		if err != nil || at != "" {
			return nil, fault.Wrap(err, fault.BadParameter, "version")
		}
		m.Version = &n
		return &m, nil
	}
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadParameter, "at")
	}
	m.At = &t
	return &m, nil
}
