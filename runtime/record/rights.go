package record

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// condition is a row condition under which something of a record may be set, and what is refused where it does not hold.
type condition struct {
	fault fault.FieldError
	rows  plan.Expr
}

// writable checks the rights to the fields that are given on the old row, and returns what must hold on the merged row.
func (c *change) writable() ([]condition, error) {
	var conds []condition
	add := func(code string, f *catalog.Field) {
		rows := c.view.FieldRows(f, c.action())
		switch {
		case plan.IsTrue(rows):
		case plan.IsFalse(rows):
			c.refuse(code, fault.FieldUnknown, code)
		default:
			conds = append(conds, condition{unknown(code), rows})
		}
	}
	for _, f := range c.given {
		add(f.Code, f)
		if s := c.sheets[f.Code]; s != nil {
			of, err := c.rowsWritable(s)
			if err != nil {
				return nil, err
			}
			conds = append(conds, of...)
			for _, g := range f.Sheet.Fields {
				if slices.ContainsFunc(s.rows, func(r *rowChange) bool { _, ok := r.set[g.Code]; return ok }) {
					add(f.Code+"."+g.Code, g)
				}
			}
		}
	}
	if !c.create {
		if err := c.fieldConditions(conds); err != nil {
			return nil, err
		}
	}
	return conds, c.refusal()
}

// fieldConditions tests conditions on the row as it is in the database.
func (c *change) fieldConditions(conds []condition) error {
	if len(conds) == 0 {
		return nil
	}
	var all []plan.Expr
	for _, k := range conds {
		all = append(all, k.rows)
	}
	ok, err := c.holds(c.m, c.id, plan.AllOf(all...))
	if err != nil || ok {
		return err
	}
	for _, k := range conds {
		if slices.ContainsFunc(c.errs, func(e fault.FieldError) bool {
			return e.PropertyCode == k.fault.PropertyCode && e.Code == fault.FieldUnknown
		}) {
			continue // of the rows of a sub-table that may not be set nothing is told
		}
		if ok, err = c.holds(c.m, c.id, k.rows); err != nil {
			return err
		}
		if !ok {
			c.errs = append(c.errs, k.fault)
		}
	}
	return nil
}

// unknown is how a property is refused that the caller may not set: as one that there is not.
func unknown(code string) fault.FieldError {
	return fault.FieldError{PropertyCode: code, Code: fault.FieldUnknown, Args: []any{code}}
}

// allowed checks the rights on the row as it is now stored; a refusal undoes the write.
func (c *change) allowed(conds []condition) error {
	ok, err := c.holds(c.m, c.id, c.view.EditRows(c.m, c.action()))
	if err != nil {
		return err
	}
	if !ok {
		if c.create {
			return fault.New(fault.NoAddPermission)
		}
		return fault.New(fault.Forbidden)
	}
	if err := c.fieldConditions(conds); err != nil {
		return err
	}
	return c.refusal()
}

// stale is the refusal of a version that is no longer the record's: the record as the principal may see it, and what
// changed since.
func (c *change) stale(row map[string]any, seen int64) error {
	codes, err := c.changedSince(c.m, c.id, seen)
	if err != nil {
		return err
	}
	var fields []*catalog.Field
	for _, f := range c.m.Fields {
		right, guard := c.view.Field(f)
		if right == catalog.Hidden || f.Sheet != nil {
			codes = without(codes, f, right)
			continue
		}
		if ok, err := c.holds(c.m, c.id, guard); err != nil || !ok {
			if err != nil {
				return err
			}
			codes = without(codes, f, catalog.Hidden)
			continue
		}
		fields = append(fields, f)
	}
	row = lived(c.m, row, expression.Values{Columns: row, Vars: c.view.Vars()})
	names, err := c.names(fields, row, true)
	if err != nil {
		return err
	}
	current := map[string]json.RawMessage{}
	for _, f := range fields {
		current[f.Code] = f.Property.AppendJSON(nil, get(row, f), names)
	}
	if version, ok := row[catalog.Version].(int64); ok {
		current[catalog.Version] = strconv.AppendInt(nil, version, 10)
	}
	return &fault.Error{Code: fault.VersionStale, Data: fault.Stale{Current: current, Changed: codes}}
}

func without(codes []string, f *catalog.Field, right catalog.FieldRight) []string {
	if right != catalog.Hidden {
		return codes
	}
	return slices.DeleteFunc(codes, func(code string) bool { return code == f.Code })
}

// names resolves what the texts of a row's fields refer to. For an answer, what the principal may not read has no name; what is
// stored is the same no matter who writes.
func (s *session) names(fields []*catalog.Field, row map[string]any, answer bool) (property.Names, error) {
	out := namedRefs{}
	byModel := map[string][]string{}
	for _, f := range fields {
		if r, ok := f.Property.(property.Referrer); ok {
			for _, ref := range r.Refs(get(row, f)) {
				byModel[ref.Model] = append(byModel[ref.Model], ref.ID)
			}
		}
	}
	for code, ids := range byModel {
		target := s.view.Model(code)
		if target == nil {
			continue
		}
		shown := displayOf(fields, target)
		where := idIn(ids)
		if answer && shown != nil && !everybodyKnows(target) {
			_, guard := s.view.Field(shown)
			where = plan.AllOf(where, s.rowsOf(target), guard)
		}
		if shown == nil || plan.IsFalse(where) {
			continue
		}
		err := s.tx.Query(s.ctx, s.view.Catalog, &plan.Query{Model: target.Code, Where: where, Select: []plan.Expr{idField, shown.Column()}}, func(row []any) error {
			id, _ := row[0].(string)
			out[plan.Ref{Model: code, ID: id}] = property.Named{Name: shown.Property.Text(shown.Property.Load([]any{row[1]}), property.TextContext{Locale: "zh", Zone: s.w.zone})}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// displayOf is the field that a reference shows: what a relation names, the record's name otherwise.
func displayOf(fields []*catalog.Field, target *catalog.Model) *catalog.Field {
	for _, f := range fields {
		if f.Target == target && len(f.Display.Property.Columns()) == 1 {
			return f.Display
		}
	}
	return target.Field(catalog.Name)
}

// Codes of the models whose records everybody may name: the organisation is shown whole in pickers.
const (
	userModel       = "user"
	departmentModel = "department"
)

// rowsOf is what the principal may refer to.
func (s *session) rowsOf(m *catalog.Model) plan.Expr {
	if everybodyKnows(m) {
		return plan.True
	}
	return s.view.Rows(m)
}

func everybodyKnows(m *catalog.Model) bool { return m.Code == userModel || m.Code == departmentModel }

type namedRefs map[plan.Ref]property.Named

func (n namedRefs) Name(r plan.Ref) (property.Named, bool) {
	v, ok := n[r]
	return v, ok
}
