package attachment

import (
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
)

// download answers a file's bytes (schemas/api.yaml).
const download = "/api/aliyun/download?refId="

// Export: files are left out of "all fields" (docs/coverage.md), and can be chosen as links.
func (attachment) Export() property.Export { return property.ExportAsked }

// Cell writes the names of the files. A single one is linked to, by an address without its host; a cell has no more than one link.
func (p attachment) Cell(v any, c property.TextContext) property.Cell {
	out := property.Cell{Kind: property.CellText, Text: p.Text(v, c)}
	if out.Text == "" {
		return property.Cell{}
	}
	if ids := column.Members(v); len(ids) == 1 {
		if file, ok := c.Names.Name(plan.Ref{ID: ids[0]}); ok && !file.Gone {
			out.Link = download + ids[0]
		}
	}
	return out
}
