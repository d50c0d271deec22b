package record

import (
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// sheetChange is a sub-table of a record under way.
type sheetChange struct {
	field *catalog.Field
	given bool         // the list came with the change; otherwise the rows are as they were
	rows  []*rowChange // as they will be, in order
	gone  []*rowChange
}

// rowChange is one row. id "" before it is stored means a new one.
type rowChange struct {
	id    string
	place int // in the list, from 1
	old   map[string]any
	row   map[string]any
	set   map[string]any // property code -> Go value that came

	unread []unreadCell // that came, and are values only where the row holds them already
}

type unreadCell struct {
	field *catalog.Field
	in    any
}

// name is how errors speak of the row.
func (r *rowChange) name() string {
	if r.id != "" {
		return r.id
	}
	return fmt.Sprintf("#%d", r.place)
}

func (s *sheetChange) changed() bool {
	if len(s.gone) > 0 {
		return true
	}
	for _, r := range s.rows {
		if r.old == nil || len(changed(r.old, r.row)) > 0 {
			return true
		}
	}
	return false
}

func sheetCode(m *catalog.Model) string {
	return m.Code[strings.LastIndexByte(m.Code, '.')+1:]
}

// decodeSheet reads the rows of a list; columns for which never is true do not exist for who sent them.
func (c *change) decodeSheet(f *catalog.Field, rows []map[string]any, never func(*catalog.Field) bool) {
	s := &sheetChange{field: f, given: true}
	seen := map[string]bool{}
	for i, in := range rows {
		r := &rowChange{place: i + 1, set: map[string]any{}}
		if id, ok := in[catalog.ID]; ok && id != nil {
			r.id, _ = id.(string)
			if r.id = strings.ToLower(r.id); r.id == "" || seen[r.id] {
				c.errs = append(c.errs, fault.FieldError{PropertyCode: f.Code, Row: r.name(), Code: fault.FieldReference, Args: []any{f.Label}})
			}
			seen[r.id] = true
		}
		for _, code := range inOrder(f.Sheet, in) {
			if code == catalog.ID {
				continue
			}
			full := f.Code + "." + code
			g := f.Sheet.Field(code)
			if g == nil || g.Code != code || !Settable(g) || !c.inFormSheet(f, g) || never(g) {
				e := c.unknown(f.Sheet, f.Code+".", code)
				e.Row = r.name()
				c.errs = append(c.errs, e)
				continue
			}
			v, err := g.Property.Parse(in[code])
			if _, holds := g.Property.(property.Holder); err != nil && holds && r.id != "" { // the row may hold it already
				r.unread = append(r.unread, unreadCell{g, in[code]})
				continue
			}
			if err != nil {
				c.errs = append(c.errs, c.parseError(g, full, r.name(), err))
				continue
			}
			c.claim(g, full, r.name(), in[code])
			r.set[g.Code] = v
		}
		s.rows = append(s.rows, r)
	}
	c.sheets[f.Code] = s
}

// loadSheets reads the rows that stand in the database where the list came, or where a formula asks for them, and joins
// both.
func (c *change) loadSheets() error {
	for _, f := range c.m.Fields {
		if f.Sheet == nil {
			continue
		}
		s := c.sheets[f.Code]
		if s == nil {
			if c.create || !asked(c.m, c.form, f) {
				continue
			}
			s = &sheetChange{field: f}
			c.sheets[f.Code] = s
		}
		if err := c.joinRows(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *change) joinRows(s *sheetChange) error {
	stored, err := c.storedRows(s)
	if err != nil {
		return err
	}
	byID := map[string]map[string]any{}
	for i, row := range stored {
		id, _ := row[catalog.ID].(string)
		byID[id] = row
		if !s.given {
			s.rows = append(s.rows, &rowChange{id: id, place: i + 1, old: row, row: clone(row)})
		}
	}
	if !s.given {
		return nil
	}
	for _, r := range s.rows {
		r.row = map[string]any{}
		if r.id != "" {
			if r.old = byID[r.id]; r.old == nil { // of another record, or gone
				c.errs = append(c.errs, fault.FieldError{PropertyCode: s.field.Code, Row: r.id, Code: fault.FieldReference, Args: []any{s.field.Label}})
				continue
			}
			delete(byID, r.id)
			r.row = clone(r.old)
			c.readOver(s.field, r)
		} else if err := c.rowDefaults(s, r); err != nil {
			return err
		}
		for code, v := range r.set {
			put(r.row, s.field.Sheet.Field(code), v)
		}
		r.row[catalog.SheetOrder] = int64(r.place)
	}
	for _, row := range stored {
		if id, _ := row[catalog.ID].(string); byID[id] != nil {
			s.gone = append(s.gone, &rowChange{id: id, old: row})
		}
	}
	return nil
}

// readOver reads the cells of a row that may be what it holds already.
func (c *change) readOver(sheet *catalog.Field, r *rowChange) {
	for _, one := range r.unread {
		v, err := parseOver(one.field, one.in, r.old)
		if err != nil {
			c.errs = append(c.errs, c.parseError(one.field, sheet.Code+"."+one.field.Code, r.name(), err))
			continue
		}
		c.claim(one.field, sheet.Code+"."+one.field.Code, r.name(), one.in)
		r.set[one.field.Code] = v
	}
}

// storedRows are those of a sub-table that the database holds, in their order.
func (c *change) storedRows(s *sheetChange) ([]map[string]any, error) {
	if c.create {
		return nil, nil
	}
	parent := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.SheetParent, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: c.id}}
	return c.load(s.field.Sheet, parent, plan.Order{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}})
}

func (c *change) rowDefaults(s *sheetChange, r *rowChange) error {
	scope := expression.Row(c.rowScope(r), c.scope())
	for _, f := range s.field.Sheet.Fields {
		if _, given := r.set[f.Code]; given || f.System || len(f.Property.Columns()) == 0 {
			continue
		}
		if v, ok := c.defaultOf(f, scope); ok {
			put(r.row, f, v)
		}
	}
	return nil
}

// asked reports whether a formula of the model needs the rows of a sub-table.
func asked(m *catalog.Model, form *catalog.Form, sheet *catalog.Field) bool {
	found := false
	look := func(e plan.Expr) {
		if e == nil {
			return
		}
		plan.Walk(e, func(x plan.Expr) {
			switch n := x.(type) {
			case *plan.AnyRow:
				found = found || strings.EqualFold(n.Sheet, sheet.Code)
			case *plan.Aggregate:
				found = found || strings.EqualFold(n.Sheet, sheet.Code)
			}
		})
	}
	for _, f := range m.Fields {
		look(f.Compute)
		look(f.RequiredIf)
	}
	for _, r := range m.Rules {
		look(r.Formula)
	}
	if form != nil {
		for _, i := range form.Fields() {
			look(i.Required)
		}
	}
	above := func(e plan.Expr) { // rows whose formulas speak of the record above
		if e == nil {
			return
		}
		plan.Walk(e, func(x plan.Expr) {
			if n, ok := x.(*plan.Field); ok && n.Outer {
				found = true
			}
		})
	}
	for _, f := range sheet.Sheet.Fields {
		above(f.Compute)
		above(f.RequiredIf)
		for _, code := range catalog.FormCodes(f.Choosable) { // of the record, when the row has none
			found = found || sheet.Sheet.Field(code) == nil
		}
	}
	for _, r := range sheet.Sheet.Rules {
		above(r.Formula)
	}
	return found
}

// storeSheets writes rows that are new, changed or gone, and tells the history of them.
func (c *change) storeSheets() ([]RowChange, error) {
	var out []RowChange
	for _, f := range c.m.Fields {
		s := c.sheets[f.Code]
		if s == nil {
			continue
		}
		for _, r := range s.gone {
			if _, err := c.tx.Delete(c.ctx, f.Sheet, r.id, -1, plan.True); err != nil {
				return nil, err
			}
			out = append(out, RowChange{Sheet: f.Code, ID: r.id, Kind: Deleted, Was: placeOf(r.old), Changes: differences(f.Sheet, r.old, nil)})
		}
		for _, r := range s.rows {
			kind, err := c.storeRow(f.Sheet, r)
			if err != nil {
				return nil, err
			}
			was, place := placeOf(r.old), placeOf(r.row)
			if d := differences(f.Sheet, r.old, r.row); kind != "" && (len(d) > 0 || was != place) {
				out = append(out, RowChange{Sheet: f.Code, ID: r.id, Kind: kind, Was: was, Place: place, Changes: d})
			}
		}
	}
	return out, nil
}

func (c *change) storeRow(m *catalog.Model, r *rowChange) (Kind, error) {
	if r.old == nil {
		r.id = newID()
		row := clone(r.row)
		row[catalog.ID], row[catalog.SheetParent] = r.id, c.id
		return Created, c.tx.Insert(c.ctx, m, row)
	}
	set := changed(r.old, r.row)
	if len(set) == 0 {
		return "", nil
	}
	_, err := c.tx.Update(c.ctx, m, r.id, -1, plan.True, set)
	return Updated, err
}
