package bulk

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/query"
)

// now is a request that waited in a job with the codes of now; RequestGone where something that it names is gone.
func (req Request) now(then names.Reading, c *catalog.Catalog) (Request, error) {
	if then.Now() {
		return req, nil
	}
	var err error
	if req.Selection, err = req.Selection.Now(then, c); err != nil || req.Property == "" {
		return req, err
	}
	m := c.Model(req.Selection.SchemaCode)
	path, ok := codes.Path(then, m, strings.Split(req.Property, "."))
	if !ok {
		return req, fault.New(fault.RequestGone, req.Property)
	}
	req.Property = strings.Join(path, ".")
	req.Value = query.ValueNow(then, m, path, req.Value)
	return req, nil
}
