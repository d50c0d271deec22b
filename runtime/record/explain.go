package record

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Explanation is how a computed value comes about, for one reader.
type Explanation struct {
	PropertyCode string            `json:"propertyCode"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
	Formula      string            `json:"formula"` // as its author wrote it; "" when it reads what the reader may not know
	Text         *string           `json:"text"`    // the value, in words; nil = empty
	Operands     []Operand         `json:"operands"`
}

// Operand is something that a formula reads. All that the reader may not know are one operand, without a name.
type Operand struct {
	Expression string            `json:"expression"`
	Name       string            `json:"name"`
	NameI18n   map[string]string `json:"name_i18n"`
	Text       *string           `json:"text"`
	Hidden     bool              `json:"hidden"`
	Rows       *int              `json:"rows"` // how many rows or records were folded; nil = none are
}

// Explain computes a change without writing it and tells why a computed property has its value: "total", or "items.amount" of the
// row at a place of the list, from 0.
func (w *Writer) Explain(ctx context.Context, view *authz.View, ch Change, code string, row int) (out *Explanation, err error) {
	err = w.imagine(ctx, view, ch, func(cw *change) error {
		x, err := cw.explainer(code, row)
		if err != nil {
			return err
		}
		out, err = x.explain()
		return err
	})
	return out, err
}

// explainer looks at one computed field.
type explainer struct {
	*change
	f     *catalog.Field
	code  string
	row   map[string]any
	scope expression.Scope
}

func (c *change) explainer(code string, row int) (*explainer, error) {
	unknown := fault.New(fault.BadParameter, "propertyCode")
	head, column, inSheet := strings.Cut(code, ".")
	x := &explainer{change: c, f: c.m.Field(head), code: code, row: c.row, scope: c.scope()}
	if x.f == nil || inSheet && x.f.Sheet == nil || inSheet && !c.shows(x.f, x.scope) {
		return nil, unknown
	}
	if inSheet {
		s := c.sheets[x.f.Code]
		if s == nil { // no formula of the record asks for its rows
			s = &sheetChange{field: x.f}
			if err := c.joinRows(s); err != nil {
				return nil, err
			}
			c.sheets[x.f.Code] = s
			c.computeRows(s)
			c.computeLiveRows(s)
		}
		if row < 0 || row >= len(s.rows) {
			return nil, fault.New(fault.BadParameter, "row")
		}
		r := s.rows[row]
		x.f, x.row, x.scope = x.f.Sheet.Field(column), r.row, expression.Row(c.rowScopeIn(x.f.Sheet, r), c.scope())
	}
	if x.f == nil || x.f.Compute == nil || !c.shows(x.f, x.scope) {
		return nil, unknown
	}
	return x, nil
}

func (x *explainer) explain() (*Explanation, error) {
	text, err := x.text(x.f, get(x.row, x.f))
	if err != nil {
		return nil, err
	}
	out := &Explanation{PropertyCode: x.code, Name: x.f.Label.Zh, NameI18n: x.f.Label.I18n, Formula: x.f.ComputeText, Text: text, Operands: []Operand{}}
	for _, e := range operandsOf(x.f.Compute) {
		o, err := x.operand(e)
		if err != nil {
			return nil, err
		}
		if o.Hidden { // neither what it is nor how it is used
			o, out.Formula = Operand{Hidden: true}, ""
		}
		if !slices.ContainsFunc(out.Operands, func(p Operand) bool { return p.Expression == o.Expression }) {
			out.Operands = append(out.Operands, o)
		}
	}
	return out, nil
}

// operandsOf are the parts of a formula that stand for one value each, in their order.
func operandsOf(e plan.Expr) (out []plan.Expr) {
	within := map[plan.Expr]bool{}
	plan.Walk(e, func(n plan.Expr) {
		var parts []plan.Expr
		switch n := n.(type) {
		case *plan.Aggregate:
			parts = []plan.Expr{n.X, n.Where}
		case *plan.AnyRow:
			parts = []plan.Expr{n.Where}
		}
		for _, p := range parts {
			plan.Walk(p, func(inner plan.Expr) { within[inner] = true })
		}
	})
	plan.Walk(e, func(n plan.Expr) {
		switch n.(type) {
		case *plan.Field, *plan.Aggregate, *plan.AnyRow, *plan.Var:
			if !within[n] {
				out = append(out, n)
			}
		}
	})
	return out
}

func (x *explainer) operand(e plan.Expr) (Operand, error) {
	o := Operand{Expression: plan.Format(e)}
	switch n := e.(type) {
	case *plan.Field:
		return o, x.field(&o, n)
	case *plan.Aggregate:
		return o, x.fold(&o, n.Sheet, n.Of, e)
	case *plan.AnyRow:
		return o, x.fold(&o, n.Sheet, nil, e)
	}
	v, err := expression.Eval(e, x.scope)
	o.Name, o.Text = o.Expression, shown(v)
	return o, err
}

func shown(v any) *string {
	if v == nil {
		return nil
	}
	text := expression.Text(v)
	return &text
}

// text is a field's value in words; nil when it is empty.
func (x *explainer) text(f *catalog.Field, v any) (*string, error) {
	if v == nil {
		return nil, nil
	}
	row := map[string]any{}
	put(row, f, v)
	names, err := x.names([]*catalog.Field{f}, row, true)
	if err != nil {
		return nil, err
	}
	text := f.Property.Text(v, property.TextContext{Locale: x.view.Principal().Locale, Zone: x.w.zone, Names: names})
	return &text, nil
}

// field explains a property of the record, of its row or of a related record.
func (x *explainer) field(o *Operand, n *plan.Field) error {
	m, scope := x.f.Model, x.scope
	if n.Outer {
		m, scope = x.m, x.change.scope()
	}
	var zh, en []string
	name := func(f *catalog.Field) {
		zh, en = append(zh, f.Label.Zh), append(en, f.Label.In("en"))
		o.Name, o.NameI18n = strings.Join(zh, " › "), map[string]string{"en": strings.Join(en, " › ")}
	}
	f, hidden, err := x.along(m, n, scope, name)
	if o.Hidden = hidden; err != nil || hidden {
		return err
	}
	cols := f.Property.Columns()
	values, empty := make([]any, len(cols)), true
	for i, c := range cols {
		values[i] = scope.Column(&plan.Field{Path: n.Path, Column: c.Name, K: c.Kind})
		empty = empty && values[i] == nil
	}
	if empty {
		return nil
	}
	o.Text, err = x.text(f, f.Property.Load(values))
	return err
}

// fold explains a value made of rows or of records.
func (x *explainer) fold(o *Operand, sheet string, of *plan.Records, e plan.Expr) error {
	var in *catalog.Model
	var label plan.Label
	count := 0
	switch {
	case of != nil:
		in, count = x.view.Model(of.Model), x.countOf(of)
		label = in.Label
		o.Hidden = !x.view.Can(in, "view") || !plan.IsTrue(x.view.Rows(in))
		if of.Own != "" {
			own := x.m.Field(of.Own)
			label, o.Hidden = own.Label, o.Hidden || !x.shows(own, x.change.scope())
		}
	default:
		f := x.m.Field(sheet)
		in, label, o.Hidden = f.Sheet, f.Label, !x.shows(f, x.change.scope())
		if s := x.sheets[f.Code]; s != nil {
			count = len(s.rows)
		}
	}
	plan.Walk(e, func(n plan.Expr) {
		f, ok := n.(*plan.Field)
		if !ok {
			return
		}
		m := in
		if f.Outer {
			m = x.m
		}
		if len(f.Path) > 0 { // rights on the way differ from row to row
			o.Hidden = true
			return
		}
		if own := fieldOfColumn(m, f.Column); own != nil {
			right, guard := x.view.Field(own)
			o.Hidden = o.Hidden || right == catalog.Hidden || !plan.IsTrue(guard)
		}
	})
	o.Name, o.NameI18n = label.Zh, label.I18n
	if o.Hidden {
		return nil
	}
	v, err := expression.Eval(e, x.scope)
	o.Text, o.Rows = shown(v), &count
	return err
}
