package record

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// maxName of a record's name, in characters.
const maxName = 2000

// StatusCompleted is the state of records that no workflow moves.
const StatusCompleted = "COMPLETED"

// fill gives a new record its defaults and the engine's own fields.
func (c *change) fill() error {
	if !c.create {
		return nil
	}
	scope := c.scope()
	for _, f := range c.m.Fields {
		if _, given := c.set[f.Code]; given || f.System || f.Sheet != nil || len(f.Property.Columns()) == 0 {
			continue
		}
		if v, ok := c.defaultOf(f, scope); ok {
			put(c.row, f, v)
			c.set[f.Code] = v
		}
	}
	p := c.view.Principal()
	for _, code := range []string{catalog.Creator, catalog.Owner, catalog.Modifier} {
		c.putSystem(code, orNil(p.UserID))
	}
	for _, code := range []string{catalog.CreatedDept, catalog.OwnerDept} {
		c.putSystem(code, orNil(p.MainDepartment))
	}
	c.putSystem(catalog.OwnerDeptQueryCode, c.departmentPath(p.MainDepartment))
	c.putSystem(catalog.CreatedTime, c.now)
	c.putSystem(catalog.ModifiedTime, c.now)
	c.putSystem(catalog.SequenceStatus, StatusCompleted)
	c.putSystem(catalog.Version, c.version)
	number, err := c.nextNumber(c.m)
	if err != nil {
		return err
	}
	c.putSystem(catalog.SequenceNo, number)
	return nil
}

// departmentPath joins the ids from the top of the organisation down to a department.
func (c *change) departmentPath(id string) any {
	var ids []string
	for id != "" && !slices.Contains(ids, id) {
		d, ok := c.w.people.Department(c.ctx, id)
		if !ok {
			break
		}
		ids = append(ids, id)
		id = d.Parent
	}
	slices.Reverse(ids)
	return orNil(strings.Join(ids, "/"))
}

// switchedOff reports whether a default is an option that may not be chosen any more: then the field stays empty.
func switchedOff(f *catalog.Field, v any) bool {
	chooser, ok := f.Property.(property.Chooser)
	return ok && disabled(chooser.Choices(), members(v)) != nil
}

// defaultOf is the value of a field that the change does not name.
func (c *change) defaultOf(f *catalog.Field, scope expression.Scope) (v any, ok bool) {
	switch d, defaults := f.Property.(property.Defaulter); {
	case f.Compute != nil:
	case f.Default != nil:
		var err error
		if v, err = evaluate(f, f.Default, scope); err != nil {
			v = nil
		}
	case defaults:
		v = d.Default()
	}
	return v, v != nil && !switchedOff(f, v)
}

// evaluate computes a formula as a value of the field: numbers are rounded to the field's fraction digits.
func evaluate(f *catalog.Field, e plan.Expr, scope expression.Scope) (any, error) {
	v, err := expression.Eval(e, scope)
	if err != nil || v == nil {
		return nil, err
	}
	cols := f.Property.Columns()
	if n, ok := v.(int64); ok && cols[0].Kind == plan.Number {
		v = decimal.NewFromInt(n)
	}
	if d, ok := v.(decimal.Decimal); ok {
		if d = d.Round(int32(cols[0].Scale)); d.Abs().GreaterThanOrEqual(maxNumber) {
			return nil, expression.ErrOverflow
		}
		v = d
	}
	in := make([]any, len(cols))
	in[0] = v
	return f.Property.Load(in), nil
}

// maxNumber bounds what a Number column stores: 16 integer digits.
var maxNumber = decimal.New(1, 16)

// scope is the record as formulas see it.
func (c *change) scope() expression.Values {
	s := expression.Values{Columns: c.row, Old: c.old, Vars: c.view.Vars(), Sheets: map[string][]map[string]any{}}
	for code, sheet := range c.sheets {
		rows := make([]map[string]any, 0, len(sheet.rows))
		for _, r := range sheet.rows {
			rows = append(rows, r.row)
		}
		s.Sheets[code] = rows
	}
	s.Related = func(path []string, column string, old bool) any {
		row := c.row
		if old {
			row = c.old
		}
		return c.related(c.m, row, path, column)
	}
	s.Folded, s.InStore = c.folded, c.fold
	s.InSheet = func(sheet string, row map[string]any, path []string, column string) any {
		f := c.m.Field(sheet)
		if f == nil || f.Sheet == nil {
			return nil
		}
		return c.related(f.Sheet, row, path, column)
	}
	return s
}

func (c *change) rowScope(r *rowChange) expression.Values {
	return expression.Values{Columns: r.row, Old: r.old, Vars: c.view.Vars()}
}

// rowScopeIn also follows relations of the row.
func (c *change) rowScopeIn(m *catalog.Model, r *rowChange) expression.Values {
	s := c.rowScope(r)
	s.Related = func(path []string, column string, old bool) any {
		row := r.row
		if old {
			row = r.old
		}
		return c.related(m, row, path, column)
	}
	return s
}

// related follows single relations from a row to a column. What is missing is empty.
func (s *session) related(m *catalog.Model, row map[string]any, path []string, column string) any {
	for _, code := range path {
		f := m.Field(code)
		if f == nil || f.Target == nil {
			return nil
		}
		id, _ := row[f.Property.Columns()[0].Name].(string)
		if id == "" {
			return nil
		}
		m = f.Target
		key := m.Code + " " + id
		if s.saving {
			if err := s.share(m, []string{id}, store.Shared); err != nil {
				s.fail(err)
				return nil
			}
		}
		next, ok := s.rows[key]
		if !ok {
			var err error
			next, err = s.one(m, id, plan.True)
			s.fail(err)
			s.rows[key] = next
		}
		if row = next; row == nil {
			return nil
		}
	}
	return row[column]
}

// compute sets computed properties, then name and its pinyin. Rows may speak of the record and the record of its rows, so
// the record is computed before and after them.
func (c *change) compute() (err error) {
	if c.keeps, err = c.approved(); err != nil {
		return err
	}
	c.computeRecord(false)
	for _, f := range c.m.Fields {
		if s := c.sheets[f.Code]; s != nil {
			c.computeRows(s)
		}
	}
	c.computeRecord(true)
	if c.failed != nil {
		return c.failed
	}
	return c.computeName()
}

func (c *change) computeRecord(report bool) {
	scope := c.scope()
	for _, f := range computed(c.m, c.m) {
		if c.keeps.value(f, c.old) {
			continue
		}
		v, err := evaluate(f, f.Compute, scope)
		if err != nil && report {
			c.refuse(f.Code, fault.FieldComputed, f.Label)
		}
		put(c.row, f, v)
	}
}

func (c *change) computeRows(s *sheetChange) {
	fields := computed(c.m, s.field.Sheet)
	if len(fields) == 0 {
		return
	}
	record := c.scope()
	for _, r := range s.rows {
		scope := expression.Row(c.rowScopeIn(s.field.Sheet, r), record)
		for _, f := range fields {
			if c.keeps.value(f, r.old) {
				continue
			}
			v, err := evaluate(f, f.Compute, scope)
			if err != nil {
				c.errs = append(c.errs, fault.FieldError{PropertyCode: s.field.Code + "." + f.Code, Row: r.name(), Code: fault.FieldComputed, Args: []any{f.Label}})
			}
			put(r.row, f, v)
		}
	}
}

// computed returns the fields with a formula of a model or of one of its sub-tables, each behind those that it reads.
func computed(m, of *catalog.Model) []*catalog.Field {
	var out []*catalog.Field
	for _, f := range m.Computed {
		if f.Model == of {
			out = append(out, f)
		}
	}
	return out
}

// computeName writes the digest and the pinyin of the name.
func (c *change) computeName() error {
	f := c.m.Field(catalog.Name)
	if f == nil {
		return nil
	}
	if f.System {
		var b strings.Builder
		for _, p := range c.m.Digest {
			if p.Field == nil {
				b.WriteString(p.Text)
				continue
			}
			v := get(c.row, p.Field)
			names, err := c.names([]*catalog.Field{p.Field}, c.row, false)
			if err != nil {
				return err
			}
			if v != nil {
				b.WriteString(p.Field.Property.Text(v, property.TextContext{Locale: "zh", Zone: c.w.zone, Names: names}))
			}
		}
		put(c.row, f, orNil(cut(strings.TrimSpace(b.String()), maxName)))
	}
	name, _ := c.row[f.Property.Columns()[0].Name].(string)
	var before string
	if c.old != nil {
		before, _ = c.old[f.Property.Columns()[0].Name].(string)
	}
	if c.create || name != before {
		c.row[namePinyin] = orNil(finder.Index(name))
	}
	return nil
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
