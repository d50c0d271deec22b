package query

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// fieldOptions is what a field lets people choose, in one form with its values now.
type fieldOptions struct {
	field      *catalog.Field
	item       *catalog.FormItem // nil: not asked for by a form
	conditions []plan.Expr
	vars       map[string]any // of the principal and of the form; nil when no form's values are known
}

// fieldOptionsOf finds the conditions on a field's choices. Without a form those that depend on one are left out: they say nothing
// about a list's filter.
func (r *Reader) fieldOptionsOf(ctx context.Context, view *authz.View, n node, req OptionsRequest) (*fieldOptions, error) {
	o := &fieldOptions{field: n.field}
	m := view.Model(req.SchemaCode)
	if req.SheetCode != "" {
		form, err := formOf(view.Catalog, m, req.SheetCode)
		if err != nil {
			return nil, err
		}
		o.item = itemOf(form, req.PropertyCode)
	}
	o.conditions = conditionsOf(n.field, o.item)
	if req.Form == nil {
		o.conditions = slices.DeleteFunc(o.conditions, func(e plan.Expr) bool { return len(catalog.FormCodes(e)) > 0 })
		o.vars = view.Vars()
		return o, nil
	}
	values, err := r.formValues(ctx, view, n, req, catalog.FormCodes(o.conditions...))
	if err != nil {
		return nil, err
	}
	o.vars = maps.Clone(view.Vars())
	maps.Copy(o.vars, values)
	return o, nil
}

func conditionsOf(f *catalog.Field, item *catalog.FormItem) []plan.Expr {
	var out []plan.Expr
	if f.Choosable != nil {
		out = append(out, f.Choosable)
	}
	if item != nil && item.Choosable != nil {
		out = append(out, item.Choosable)
	}
	return out
}

// itemOf finds the item of a property, "items.part" for a column of a sub-table.
func itemOf(form *catalog.Form, code string) *catalog.FormItem {
	first, rest, inSheet := strings.Cut(code, ".")
	for _, item := range form.Fields() {
		if !strings.EqualFold(item.Field.Code, first) {
			continue
		}
		if !inSheet {
			return item
		}
		for i := range item.Children {
			if strings.EqualFold(item.Children[i].Field.Code, rest) {
				return &item.Children[i]
			}
		}
	}
	return nil
}

// formValues are the values that conditions ask the form for, as Vars. The caller sends those of the form; those that the form
// does not show come from the stored record, as far as the caller may read them.
func (r *Reader) formValues(ctx context.Context, view *authz.View, n node, req OptionsRequest, codes []string) (map[string]any, error) {
	m := view.Model(req.SchemaCode)
	out := map[string]any{}
	var missing []node
	g := newGraph(view, m)
	for _, code := range codes {
		f := m.Field(code)
		if n.sheet != nil && n.sheet.Sheet.Field(code) != nil {
			f = n.sheet.Sheet.Field(code)
		}
		if f == nil {
			continue
		}
		if raw, given := req.Form[code]; given {
			out[catalog.FormPrefix+code] = typedIn(f, raw)
		} else if stored, err := g.resolve(code); err == nil && f.Model == m && req.ObjectID != "" && len(stored.columns()) > 0 {
			missing = append(missing, stored)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	q := &plan.Query{Model: m.Code, Limit: 1, Where: plan.AllOf(&plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.ID, K: plan.ID}, B: id(req.ObjectID)}, rule(view.Rows(m)))}
	for _, f := range missing {
		q.Select = append(q.Select, f.columns()[0])
	}
	q.Joins = g.joins
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, view.Catalog, q, func(row []any) error {
			for i, f := range missing {
				v := row[i]
				if set, ok := v.([]string); ok {
					v = slices.Clone(set)
				}
				out[catalog.FormPrefix+f.field.Code] = v
			}
			return nil
		})
	})
}

// typedIn reads a form's value as expressions hold it. What cannot be read yet, while it is typed, is empty.
func typedIn(f *catalog.Field, raw json.RawMessage) any {
	v, err := decodeValue(raw)
	if err != nil {
		return nil
	}
	parsed, err := f.Property.Parse(v)
	if err != nil || parsed == nil || len(f.Property.Columns()) == 0 {
		return nil
	}
	return f.Property.Store(parsed)[0]
}

func decodeValue(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	return v, d.Decode(&v)
}

// where is the condition on the records of the field's target.
func (o *fieldOptions) where() plan.Expr {
	var of []plan.Expr
	for _, e := range o.conditions {
		of = append(of, rule(expression.Bind(e, o.vars)))
	}
	return plan.AllOf(of...)
}

// fills are the properties that a choice takes over.
func (o *fieldOptions) fills() []catalog.Fill {
	if o.item != nil && o.item.Fill != nil {
		return *o.item.Fill
	}
	return o.field.Fill
}

// choosing tells a form which of its values a field's choices depend on (narrowedBy), and whether choosing fills in others
// (fills). A field without conditions offers the same always and needs no call for its options. A relation also says whether
// the caller may add a record to choose (adds). What is hidden from the caller is not named.
func (b *formBuilder) choosing(settings map[string]any, f *catalog.Field, item *catalog.FormItem) map[string]any {
	conditions := conditionsOf(f, item)
	o := fieldOptions{field: f, item: item}
	adds := f.Target != nil && !directory.Knows(f.Target.Code) && b.view.Offers(f.Target, "add")
	if len(conditions) == 0 && len(o.fills()) == 0 && !adds {
		return settings
	}
	out := maps.Clone(settings)
	if out == nil {
		out = map[string]any{}
	}
	if len(conditions) > 0 {
		codes := []string{}
		for _, code := range catalog.FormCodes(conditions...) {
			from := f.Model.Field(code)
			if from == nil {
				from = b.form.Model.Field(code)
			}
			if from != nil && !b.hides(from) {
				codes = append(codes, code)
			}
		}
		out["narrowedBy"] = codes
	}
	if len(o.fills()) > 0 {
		out["fills"] = true
	}
	if adds {
		out["adds"] = true
	}
	return out
}

// options are the choices of a field whose values are options, all on one page; of a keyword the best first.
func (o *fieldOptions) options(req OptionsRequest, locale string) (*Entries, error) {
	text := finder.Typed(req.Keyword)
	all := o.field.Property.(property.Chooser).Choices()
	out := &Entries{Content: []Entry{}}
	for _, r := range finder.Rank(text, all, subjectOf) {
		if r.Of.Disabled {
			continue
		}
		if ok, err := o.offers(r.Of); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		out.Content = append(out.Content, Entry{ID: r.Of.Code, Name: r.Of.Label.In(locale), Named: string(text.Named(r.Fit)), Leaf: true})
		out.Total++
	}
	return out, nil
}

// subjectOf is what an option is found by: its labels in all languages and its code.
func subjectOf(o property.Option) finder.Subject {
	return finder.Subject{Names: append(slices.Sorted(maps.Values(o.Label.I18n)), o.Label.Zh), Codes: []string{o.Code}}
}

// offers reports whether an option may be chosen.
func (o *fieldOptions) offers(option property.Option) (bool, error) {
	for _, e := range o.conditions {
		if ok, err := expression.Holds(e, expression.Values{Columns: option.Columns(), Vars: o.vars}); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// fillColumn are the columns that a page of choices reads to fill in other fields.
type fillColumn struct {
	fill  catalog.Fill
	node  node
	at    int
	width int
}

// addFillColumns adds what choosing fills in to a query, as far as the caller may read it.
func (o *fieldOptions) addFillColumns(g *graph, q *plan.Query) (out []fillColumn) {
	for _, f := range o.fills() {
		n, err := g.resolve(f.From.Code)
		if err != nil {
			continue
		}
		cols := n.columns()
		out = append(out, fillColumn{fill: f, node: n, at: len(q.Select), width: len(cols)})
		q.Select = append(q.Select, cols...)
	}
	return out
}

// encodeFill writes the values of one record for the fields that a choice fills in.
func encodeFill(of []fillColumn, values []any, n *names) json.RawMessage {
	dst := []byte{'{'}
	for i, t := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, quotedKey(t.fill.To.Code)...)
		dst = t.node.field.Property.AppendJSON(dst, values[i], n.of(t.node.field))
	}
	return append(dst, '}')
}

// MaxFormValues bounds what a picker sends of its form.
const MaxFormValues = 100

func checkForm(req OptionsRequest) error {
	if len(req.Form) > MaxFormValues || len(req.IDs) > MaxFormValues {
		return fault.New(fault.TooExpensive)
	}
	return nil
}
