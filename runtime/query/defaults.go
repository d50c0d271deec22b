package query

import (
	"context"
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// defaults are the values of a new record before anything is typed.
func (r *Reader) defaults(ctx context.Context, view *authz.View, b *formBuilder, req FormRequest) (json.RawMessage, error) {
	rec := &opened{b: b, names: r.names(ctx, view), values: make([]any, len(b.nodes)), sheets: map[int]*sheetCell{}}
	relation := b.relation(req)
	inList := map[string]any{}
	if l := view.Catalog.List(req.QueryCode); l != nil && l.Model == b.form.Model {
		equals(l.Condition, inList)
	}
	for i, n := range b.nodes {
		if n.field.System || n.field.Sheet != nil {
			continue
		}
		v, err := b.begins(i, view)
		if err != nil {
			continue // a default that cannot be computed leaves the field empty
		}
		if c := n.field.Property.Columns(); len(c) == 1 {
			if value, is := inList[c[0].Name]; is {
				v = value
			}
		}
		if f := n.field; f == relation {
			if v, err = f.Property.Parse(req.RelID); err != nil {
				return nil, fault.New(fault.BadParameter, "relId")
			}
		}
		rec.values[i] = v
		rec.names.collect(n.field, v)
	}
	err := r.read(ctx, rec.names.resolve)
	return rec.encode(), err
}

// equals adds what a condition asks of every record as text or yes: a list of safety items is where safety items are added.
func equals(condition plan.Expr, into map[string]any) {
	switch x := condition.(type) {
	case *plan.And:
		for _, one := range x.Of {
			equals(one, into)
		}
	case *plan.Compare:
		f, isField := x.A.(*plan.Field)
		c, isConst := x.B.(*plan.Const)
		if x.Op == plan.EQ && isField && isConst && len(f.Path) == 0 && c.Value != nil && (c.K == plan.Text || c.K == plan.Bool) {
			into[f.Column] = c.Value
		}
	}
}

// relation is the field by which a new record refers to the one that it is made for: the one that is named, or the only one
// that leads to that model.
func (b *formBuilder) relation(req FormRequest) *catalog.Field {
	if req.RelID == "" {
		return nil
	}
	var found *catalog.Field
	for _, n := range b.nodes {
		f := n.field
		if f.Target == nil || f.Multiple || f.System {
			continue
		}
		if req.RelPropertyCode != "" && f.Code == req.RelPropertyCode {
			return f
		}
		if req.RelPropertyCode == "" && f.Target.Code == req.RelSchemaCode {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}

// begins is the default of a field in this form.
func (b *formBuilder) begins(i int, view *authz.View) (any, error) {
	f := *b.nodes[i].field
	for _, item := range b.form.Fields() {
		if item.Field == b.nodes[i].field && item.Default != nil {
			f.Default = item.Default
		}
	}
	return Default(&f, view)
}

// Default computes a field's default value for a new record; nil = none.
func Default(f *catalog.Field, view *authz.View) (any, error) {
	if f.Default == nil {
		if d, ok := f.Property.(property.Defaulter); ok {
			return d.Default(), nil
		}
		return nil, nil
	}
	v, err := expression.Eval(f.Default, blank{view})
	if err != nil || v == nil {
		return nil, err
	}
	columns := make([]any, len(f.Property.Columns()))
	if len(columns) == 0 {
		return nil, nil
	}
	columns[0] = v
	return f.Property.Load(columns), nil
}

// rowDefaults tells what new rows of the form's sub-tables begin with: the value where it is the same for all rows, else the
// rule, which the browser evaluates for a row. What it cannot evaluate the save fills in.
func (r *Reader) rowDefaults(ctx context.Context, view *authz.View, b *formBuilder) {
	for i, n := range b.nodes {
		if n.field.Sheet == nil {
			continue
		}
		for k := range b.plan.Fields[i].Children {
			child := &b.plan.Fields[i].Children[k]
			f := n.field.Sheet.Field(child.PropertyCode)
			if f == nil || f.System || f.Compute != nil || len(f.Property.Columns()) == 0 || collects(f) {
				continue
			}
			if dependent(f.Default) {
				child.DefaultRule = b.rowRule(n.field.Sheet, f)
				continue
			}
			if v, err := Default(f, view); err == nil && v != nil {
				child.DefaultValue = f.Property.AppendJSON(nil, v, r.names(ctx, view).of(f))
			}
		}
	}
}

// dependent reports whether an expression reads a record.
func dependent(e plan.Expr) bool {
	found := false
	plan.Walk(e, func(x plan.Expr) {
		switch x.(type) {
		case *plan.Field, *plan.AnyRow, *plan.Aggregate:
			found = true
		}
	})
	return found
}

// rowRule is a default that the browser may compute: one of a plain value, whose operands it has; nil for others.
func (b *formBuilder) rowRule(rows *catalog.Model, f *catalog.Field) json.RawMessage {
	switch f.Property.Kind() {
	case plan.Number, plan.Date, plan.Bool:
	default:
		return nil
	}
	own := true
	plan.Walk(f.Default, func(x plan.Expr) {
		switch n := x.(type) {
		case *plan.Field:
			m := rows
			if n.Outer {
				m = b.form.Model
			}
			of := ownerOf(m, n.Column)
			own = own && len(n.Path) == 0 && of != nil && !b.hides(of)
		case *plan.AnyRow, *plan.Aggregate:
			own = false
		}
	})
	if !own {
		return nil
	}
	return expression.JSON(b.visibleRowRule(rows, f.Default))
}
