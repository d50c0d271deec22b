package importer

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	files "github.com/sluice-platform/sluice/runtime/heading"
	"github.com/sluice-platform/sluice/runtime/record"
)

// Column is a property that imports can write: of the model, or of one of its sub-tables.
type Column = files.Column

// columnsOf are the properties of a model that the principal may write in new or in existing records, and that a cell can hold, in the order
// of the model, those of each sub-table together at the place of the sub-table.
func columnsOf(view *authz.View, m *catalog.Model) []Column {
	return files.Columns(m, func(f *catalog.Field) bool { return writable(view, f) })
}

// writable: somewhere the principal may give the property a value.
func writable(view *authz.View, f *catalog.Field) bool {
	return record.Settable(f) && !(plan.IsFalse(view.FieldRows(f, "add")) && plan.IsFalse(view.FieldRows(f, "edit")))
}

// keyFields are the properties by which a row may find its record: texts of one column that the principal may read everywhere and, with
// them, the name and the sequence number.
func keyFields(view *authz.View, m *catalog.Model) []*catalog.Field {
	var out []*catalog.Field
	for _, f := range m.Fields {
		if f.Type == nil || f.Code == catalog.ID {
			continue
		}
		named := f.Code == catalog.Name || f.Code == catalog.SequenceNo
		if f.System && !named || !f.System && f.Type.Wire() != shortText {
			continue
		}
		if cols := f.Columns(); len(cols) != 1 || cols[0].Kind != plan.Text {
			continue
		}
		if right, guard := view.Field(f); right != catalog.Hidden && plan.IsTrue(guard) {
			out = append(out, f)
		}
	}
	return out
}

// shortText is the type of key properties on the wire (docs/formats.md).
const shortText = 0

// rowID are the codes of the columns with the ids of records and of their rows, which exports bring and people do not see.
const rowID = catalog.ID

// fieldOf finds a column by its code.
func fieldOf(columns []Column, code string) (Column, bool) {
	for _, c := range columns {
		if strings.EqualFold(c.Code(), code) {
			return c, true
		}
	}
	return Column{}, false
}
