package bulk

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// update gives one field of many records a value.
type update struct {
	field
	sel     *query.Selection
	req     *Request
	value   any                        // Go value
	columns []any                      // stored form
	wire    json.RawMessage            // of a save
	before  map[string]json.RawMessage // record -> what the change replaced, of this chunk
	order   []string                   // of before
}

// field is what updates and their undos know of what they write.
type field struct {
	s *Service

	view   *authz.View
	m      *catalog.Model
	target query.BulkTarget
}

func (s *Service) newUpdate(ctx context.Context, view *authz.View, req *Request) (operation, error) {
	sel, err := s.Reader.Select(ctx, view, req.Selection, query.BatchRight)
	if err != nil {
		return nil, err
	}
	sel.Before(req.At)
	target, err := s.Reader.BulkTarget(view, sel.Model, req.Property)
	if err != nil {
		return nil, err
	}
	u := &update{field: field{s, view, sel.Model, target}, sel: sel, req: req, before: map[string]json.RawMessage{}}
	return u, u.read(req.Value)
}

// propertyOf is the property that a request names. A sheetCode is the sub-table that holds it; a form of the model says nothing
// more than the page from which the request comes. Any other one names nothing, and never the main record's property instead.
func propertyOf(c *catalog.Catalog, req *Request) string {
	code, sheet := req.Property, req.Sheet
	if sheet == "" || strings.HasPrefix(code, sheet+".") {
		return code
	}
	m := c.Model(req.Selection.SchemaCode)
	if m == nil {
		return code
	}
	if f := m.Field(sheet); f == nil || f.Sheet == nil {
		if form := c.Form(sheet); form != nil && form.Model == m {
			return code
		}
	}
	return sheet + "." + code
}

// read takes the new value: not empty, within the limits of such changes, and of the property's type.
func (u *update) read(raw json.RawMessage) error {
	f := u.target.Field
	in, err := record.Value(raw)
	if err != nil {
		return fault.Wrap(err, fault.ValueEmpty)
	}
	if text, ok := in.(string); ok && strings.TrimSpace(text) == "" {
		return fault.New(fault.ValueEmpty)
	}
	u.value, err = f.Property.Parse(f.Property.(property.BulkEditor).Bulk(in))
	if err != nil {
		e := fault.FieldError{PropertyCode: u.target.Code(), Code: fault.FieldType, Args: []any{f.Label}}
		if v, ok := err.(*property.ValueError); ok && v.Code != 0 {
			e.Code, e.Args = fault.Code(v.Code), v.Args
		}
		e = record.OptionNow(u.view.Catalog, f, e)
		if e.Code == fault.FieldTooLong {
			e.Code, e.Args = fault.BatchTooLong, append([]any{f.Label}, e.Args...)
		}
		return invalid(e, err)
	}
	if u.value == nil {
		return fault.New(fault.ValueEmpty)
	}
	u.columns, u.wire = f.Property.Store(u.value), wire(f, u.value)
	broken, err := u.s.Writer.Breaks(f, u.value)
	if err != nil {
		return fmt.Errorf("rules of %s: %w", u.target.Code(), err)
	}
	if broken != nil { // no record can take it: better said once than of each
		broken.PropertyCode = u.target.Code()
		return invalid(*broken, nil)
	}
	return nil
}

func invalid(e fault.FieldError, err error) error {
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{1}, Data: fault.Invalid{Errors: []fault.FieldError{e}}, Err: err}
}

// wire is a value as a save takes it. Names do not matter there.
func wire(f *catalog.Field, v any) json.RawMessage { return f.Property.AppendJSON(nil, v, everyone{}) }

// everyone has a name, so that no reference is left out.
type everyone struct{}

// Name implements property.Names.
func (everyone) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "-"}, true }

func (u *update) total(ctx context.Context, tx *store.Tx) (int64, error) {
	counts, err := u.sel.Count(ctx, tx)
	return counts.Total, err
}

func (u *update) begin(tx *store.Tx, p *progress) error {
	who := u.view.Principal()
	value, err := json.Marshal(side(u.target.Field, u.columns))
	if err != nil {
		return err
	}
	return tx.System().Create(&batch{ID: u.req.Batch, Model: u.m.Code, Property: u.target.Code(), Value: string(value), UserID: who.UserID,
		UserName: who.Name, At: u.req.At, Total: p.Total, Epoch: tx.Epoch()}).Error
}

// side is the stored form of a value of a field as history and log keep it.
func side(f *catalog.Field, columns []any) []json.RawMessage {
	cols := f.Property.Columns()
	row := make(map[string]any, len(cols))
	for i, column := range cols {
		if i < len(columns) && columns[i] != nil {
			row[column.Name] = columns[i]
		}
	}
	return record.Side(cols, row)
}

func (u *update) next(ctx context.Context, tx *store.Tx, p *progress, limit int) ([]query.Chosen, error) {
	clear(u.before)
	u.order = u.order[:0]
	units, err := u.sel.Next(ctx, tx, p.After, limit, columnsUnlessSheet(u.target))
	if err == nil && len(units) > 0 {
		p.After = units[len(units)-1].ID
	}
	return units, err
}

// columnsUnlessSheet are the columns to read with the record itself.
func columnsUnlessSheet(t query.BulkTarget) []plan.Expr {
	if t.Sheet != nil {
		return nil
	}
	return columnsOf(t.Field)
}

func columnsOf(f *catalog.Field) []plan.Expr {
	var out []plan.Expr
	for _, column := range f.Property.Columns() {
		out = append(out, &plan.Field{Column: column.Name, K: column.Kind})
	}
	return out
}

func (u *update) one(ctx context.Context, tx *store.Tx, x query.Chosen) ([]fault.FieldError, error) {
	if x.Workflow {
		return nil, fault.New(fault.WorkflowRecord)
	}
	now := rows{{id: "", columns: x.Columns}}
	if u.target.Sheet != nil {
		var err error
		if now, err = u.readRows(ctx, tx, x.ID); err != nil || len(now) == 0 {
			return nil, err
		}
	}
	want := map[string]json.RawMessage{}
	before := map[string][]json.RawMessage{}
	for _, row := range now {
		if have := side(u.target.Field, row.columns); !sameSide(have, side(u.target.Field, u.columns)) {
			want[row.id], before[row.id] = u.wire, have
		}
	}
	if len(want) == 0 {
		return nil, nil
	}
	warnings, err := u.save(ctx, tx, x.ID, x.Version, now, want, false)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(before)
	if err != nil {
		return nil, err
	}
	u.before[x.ID] = text
	u.order = append(u.order, x.ID)
	return warnings, nil
}

// row is a record, or a row of its sub-table, with the columns of the field.
type row struct {
	id      string
	columns []any
}

type rows []row

// readRows reads the rows of a record's sub-table in their order.
func (f field) readRows(ctx context.Context, tx *store.Tx, id string) (rows, error) {
	q := &plan.Query{Model: f.target.Sheet.Sheet.Code, Select: append([]plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, columnsOf(f.target.Field)...),
		Where: &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.SheetParent, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: id}},
		Order: []plan.Order{{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}}, {By: &plan.Field{Column: catalog.ID, K: plan.ID}}}}
	var out rows
	err := tx.Query(ctx, f.view.Catalog, q, func(values []any) error {
		one := row{}
		one.id, _ = values[0].(string)
		for _, v := range values[1:] {
			if set, ok := v.([]string); ok {
				v = append([]string(nil), set...)
			}
			one.columns = append(one.columns, v)
		}
		out = append(out, one)
		return nil
	})
	return out, err
}

// save writes the field of a record (undoes: as it was before a change), or of the rows of its sub-table that are in want, as its form would.
func (f field) save(ctx context.Context, tx *store.Tx, id string, version int64, now rows, want map[string]json.RawMessage, undoes bool) ([]fault.FieldError, error) {
	ch := record.Change{Model: f.m.Code, ID: id, Version: &version, Set: map[string]json.RawMessage{}, Undoes: undoes, Touching: true}
	if f.target.Sheet == nil {
		ch.Set[f.target.Field.Code] = want[""]
	} else {
		list := make([]map[string]json.RawMessage, len(now))
		for i, r := range now {
			key, err := json.Marshal(r.id)
			if err != nil {
				return nil, err
			}
			list[i] = map[string]json.RawMessage{catalog.ID: key}
			if v, ok := want[r.id]; ok {
				list[i][f.target.Field.Code] = v
			}
		}
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		ch.Set[f.target.Sheet.Code] = text
	}
	saved, err := f.s.Writer.SaveIn(ctx, tx, f.view, ch)
	return saved.Warnings, err
}

func sameSide(a, b []json.RawMessage) bool { return fmt.Sprintf("%s", a) == fmt.Sprintf("%s", b) }

func (u *update) end(tx *store.Tx, p *progress) error {
	changes := make([]batchChange, 0, len(u.order))
	for _, id := range u.order {
		p.Changes++
		changes = append(changes, batchChange{Batch: u.req.Batch, Sequence: p.Changes, Record: id, Before: string(u.before[id])})
	}
	if len(changes) > 0 {
		if err := tx.System().CreateInBatches(&changes, 100).Error; err != nil {
			return err
		}
	}
	set := map[string]any{"success": p.Success, "failed": p.Failed, "total": gorm.Expr("CASE WHEN total < ? THEN ? ELSE total END", p.done(), p.done()), "changes": p.Changes}
	return tx.System().Model(&batch{}).Where("id = ?", u.req.Batch).UpdateColumns(set).Error
}
