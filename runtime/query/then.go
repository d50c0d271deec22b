package query

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	log "github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
)

// A request that is kept, as that of a job is, is read with the codes of the time at which it was made. One that names a condition, an order or a
// list that is gone is refused with RequestGone: without the condition it would be about other records.

// gone is the refusal of a request because of what it names.
func gone(code string) error { return fault.New(fault.RequestGone, code) }

// Now is a request with the codes of now. Columns that are gone are left out.
func (req ListRequest) Now(then log.Reading, c *catalog.Catalog) (ListRequest, error) {
	if then.Now() {
		return req, nil
	}
	m, err := req.address(then, c)
	if err != nil {
		return req, err
	}
	if req.Filters, err = filtersNow(then, m, req.Filters); err != nil {
		return req, err
	}
	req.OrderByFields = slices.Clone(req.OrderByFields)
	for i, code := range req.OrderByFields {
		path, ok := codes.Path(then, m, strings.Split(code, "."))
		if !ok {
			return req, gone(code)
		}
		req.OrderByFields[i] = strings.Join(path, ".")
	}
	if req.Options != nil {
		o := *req.Options
		o.CustomDisplayColumns = ColumnsNow(then, m, o.CustomDisplayColumns)
		req.Options = &o
	}
	return req, nil
}

// address gives the model and the list of a request the codes of now.
func (req *ListRequest) address(then log.Reading, c *catalog.Catalog) (*catalog.Model, error) {
	model, list, err := addressNow(then, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	m := c.Model(model)
	if m == nil {
		return nil, gone(req.SchemaCode)
	}
	req.SchemaCode, req.QueryCode = model, list
	return m, nil
}

func addressNow(then log.Reading, model, list string) (string, string, error) {
	m, ok := then.Document(log.Model, model)
	if !ok {
		return "", "", gone(model)
	}
	l, ok := then.Document(log.List, list)
	if !ok {
		return "", "", gone(list)
	}
	return m, l, nil
}

// Now is a selection with the codes of now.
func (req SelectionRequest) Now(then log.Reading, c *catalog.Catalog) (SelectionRequest, error) {
	if then.Now() {
		return req, nil
	}
	l, err := ListRequest{SchemaCode: req.SchemaCode, QueryCode: req.QueryCode, Filters: req.Filters}.Now(then, c)
	req.SchemaCode, req.QueryCode, req.Filters = l.SchemaCode, l.QueryCode, l.Filters
	return req, err
}

// ColumnsNow are columns ("items.rate") with the codes of now, without those that are gone.
func ColumnsNow(then log.Reading, m *catalog.Model, in []string) (out []string) {
	for _, code := range in {
		if path, ok := codes.Path(then, m, strings.Split(code, ".")); ok {
			out = append(out, strings.Join(path, "."))
		}
	}
	return out
}

func filtersNow(then log.Reading, m *catalog.Model, in []Filter) (out []Filter, err error) {
	for _, f := range in {
		if len(f.And) > 0 || len(f.Or) > 0 {
			if f.And, err = filtersNow(then, m, f.And); err != nil {
				return nil, err
			}
			if f.Or, err = filtersNow(then, m, f.Or); err != nil {
				return nil, err
			}
		}
		if f.PropertyCode != "" {
			one, ok := f.Now(then, m)
			if !ok {
				return nil, gone(f.PropertyCode)
			}
			f = one
		}
		if report, rest, named := strings.Cut(f.Behind, "/"); named {
			now, ok := then.Document(log.Report, report)
			if !ok {
				return nil, gone(report)
			}
			f.Behind = now + "/" + rest
		}
		out = append(out, f)
	}
	return out, nil
}

// Now is a comparison with the codes of now, of its options too; false where its property is gone.
func (f Filter) Now(then log.Reading, m *catalog.Model) (Filter, bool) {
	path, ok := codes.Path(then, m, strings.Split(f.PropertyCode, "."))
	if !ok {
		return f, false
	}
	f.PropertyCode = strings.Join(path, ".")
	f.PropertyValue = ValueNow(then, m, path, f.PropertyValue)
	return f, true
}

// ValueNow gives the options in a value of a property the codes of now. The path is of now.
func ValueNow(then log.Reading, m *catalog.Model, path []string, v json.RawMessage) json.RawMessage {
	var f *catalog.Field
	for _, code := range path {
		switch f = m.Field(code); {
		case f == nil:
			return v
		case f.Sheet != nil:
			m = f.Sheet
		case f.Target != nil:
			m = f.Target
		}
	}
	if model, property, ok := then.PropertyWas(f.Model.Code, f.Code); ok {
		return then.Value(model, property, v)
	}
	return v
}
