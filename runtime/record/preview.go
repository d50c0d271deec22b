package record

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Preview is what a save would compute of a record as it is in a form: the computed properties that the principal may read, in
// their wire form; those of a sub-table row by row, in the order of the given list.
type Preview struct {
	Values map[string]json.RawMessage              `json:"values"`
	Rows   map[string][]map[string]json.RawMessage `json:"rows"`
	// Operands are values of related records that the form's rules ask for, by their paths: "part.code".
	Operands map[string]json.RawMessage `json:"operands"`
}

// Preview computes a change without writing it. Values that the principal may not set, references to what they may not see and
// what cannot be read at all are left out: a form that is being filled in is seldom right. ch.Version is not looked at.
func (w *Writer) Preview(ctx context.Context, view *authz.View, ch Change) (*Preview, error) {
	out := &Preview{Values: map[string]json.RawMessage{}, Rows: map[string][]map[string]json.RawMessage{}}
	return out, w.imagine(ctx, view, ch, func(cw *change) error {
		values, err := cw.wire(formulasOf(cw.m, cw.m), cw.row, cw.scope())
		if err != nil {
			return err
		}
		out.Values = values
		if out.Operands, err = cw.operands(); err != nil {
			return err
		}
		for _, f := range cw.m.Fields {
			s := cw.sheets[f.Code]
			if s == nil || len(formulasOf(cw.m, f.Sheet)) == 0 || !cw.shows(f, cw.scope()) {
				continue
			}
			rows := []map[string]json.RawMessage{}
			for _, r := range s.rows {
				values, err := cw.wire(formulasOf(cw.m, f.Sheet), r.row, expression.Row(cw.rowScopeIn(f.Sheet, r), cw.scope()))
				if err != nil {
					return err
				}
				rows = append(rows, values)
			}
			out.Rows[f.Code] = rows
		}
		return nil
	})
}

// imagine makes a change up to its computed values, in a transaction that writes nothing.
func (w *Writer) imagine(ctx context.Context, view *authz.View, ch Change, look func(*change) error) error {
	m := view.Model(ch.Model)
	if m == nil || m.Parent != nil || !view.Can(m, "view") && !view.Can(m, "add") {
		return fault.New(fault.ModelNotFound, ch.Model)
	}
	form, err := formOf(view.Catalog, m, ch.Form)
	if err != nil {
		return err
	}
	return w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		cw := &change{session: w.session(ctx, tx, view), m: m, form: form, id: ch.ID, create: ch.ID == "", row: map[string]any{}}
		if err := cw.recall(); err != nil {
			return err
		}
		if err := cw.suppose(ch.Set); err != nil {
			return err
		}
		if err := cw.compute(); err != nil {
			return err
		}
		cw.computeLive()
		return look(cw)
	})
}

// recall loads the record, or makes what a new one begins with.
func (c *change) recall() error {
	if c.create {
		if !c.view.Can(c.m, "add") {
			return fault.New(fault.NoAddPermission)
		}
		for _, code := range []string{catalog.Creator, catalog.Owner, catalog.Modifier} {
			c.putSystem(code, orNil(c.view.Principal().UserID))
		}
		for _, code := range []string{catalog.CreatedDept, catalog.OwnerDept} {
			c.putSystem(code, orNil(c.view.Principal().MainDepartment))
		}
		c.putSystem(catalog.CreatedTime, c.now)
		c.putSystem(catalog.ModifiedTime, c.now)
		return nil
	}
	old, err := c.one(c.m, c.id, c.view.Rows(c.m))
	if err != nil || old == nil {
		return orFault(err, fault.RecordNotFound)
	}
	c.old, c.row = old, clone(old)
	return nil
}

// suppose puts given values into the row as far as the principal could save them.
func (c *change) suppose(set map[string]json.RawMessage) error {
	c.supposed = true
	c.decode(set)
	if len(c.given) > 0 && !c.create {
		ok, err := c.holds(c.m, c.id, c.view.EditRows(c.m, c.action()))
		if err != nil || !ok || !c.view.Can(c.m, c.action()) {
			return orFault(err, fault.Forbidden)
		}
	}
	for _, f := range c.given {
		ok, err := c.maySet(f)
		if err != nil {
			return err
		}
		if !ok {
			c.withdraw(f)
		}
	}
	if c.create {
		for _, f := range c.m.Fields {
			if _, given := c.set[f.Code]; given || f.System || f.Sheet != nil || len(f.Property.Columns()) == 0 {
				continue
			}
			if v, ok := c.defaultOf(f, c.scope()); ok {
				put(c.row, f, v)
			}
		}
	}
	if err := c.loadSheets(); err != nil {
		return err
	}
	c.errs = nil
	if err := c.references(); err != nil {
		return err
	}
	for _, e := range c.errs {
		c.drop(e)
	}
	c.errs, c.files = nil, nil
	return nil
}

func (c *change) maySet(f *catalog.Field) (bool, error) {
	rows := c.view.FieldRows(f, c.action())
	switch {
	case plan.IsTrue(rows) || plan.IsFalse(rows):
		return plan.IsTrue(rows), nil
	case c.create:
		ok, err := expression.Holds(rows, c.scope())
		return ok && err == nil, nil //nolint:nilerr // what cannot be decided yet is not supposed
	}
	return c.holds(c.m, c.id, rows)
}

// withdraw takes a given value back.
func (c *change) withdraw(f *catalog.Field) {
	delete(c.set, f.Code)
	delete(c.sheets, f.Code)
	for _, col := range f.Property.Columns() {
		if v := c.old[col.Name]; v != nil {
			c.row[col.Name] = v
		} else {
			delete(c.row, col.Name)
		}
	}
}

// drop empties a value that was refused.
func (c *change) drop(e fault.FieldError) {
	code, column, inSheet := strings.Cut(e.PropertyCode, ".")
	f := c.m.Field(code)
	switch {
	case f == nil:
	case !inSheet:
		c.withdraw(f)
	case c.sheets[f.Code] != nil && f.Sheet.Field(column) != nil:
		for _, r := range c.sheets[f.Code].rows {
			if r.name() == e.Row {
				put(r.row, f.Sheet.Field(column), nil)
			}
		}
	}
}

// shows reports whether the principal may read a field of the record, or of one of its rows, as it is in the scope.
func (c *change) shows(f *catalog.Field, scope expression.Scope) bool {
	right, guard := c.view.Field(f)
	if right == catalog.Hidden {
		return false
	}
	ok, err := expression.Holds(guard, scope)
	return ok && err == nil
}

// wire gives values that the principal may read.
func (c *change) wire(fields []*catalog.Field, row map[string]any, scope expression.Scope) (map[string]json.RawMessage, error) {
	fields = slices.DeleteFunc(slices.Clone(fields), func(f *catalog.Field) bool { return !c.shows(f, scope) })
	names, err := c.names(fields, row, true)
	if err != nil {
		return nil, err
	}
	out := map[string]json.RawMessage{}
	for _, f := range fields {
		out[f.Code] = f.Property.AppendJSON(nil, get(row, f), names)
	}
	return out, nil
}
