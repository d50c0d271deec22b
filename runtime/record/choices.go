package record

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// choices refuses what the conditions of choices do not offer. A choice that is stored is asked again only when it, or a value
// that its condition names, changes: a record stays savable when what it refers to has moved on since.
func (c *change) choices() error {
	for _, f := range c.m.Fields {
		if s := c.sheets[f.Code]; f.Sheet != nil && s != nil {
			for _, r := range s.rows {
				for _, g := range f.Sheet.Fields {
					at := choiceAt{field: g, code: f.Code + "." + g.Code, row: r.name(), now: r.row, old: r.old, sheet: f}
					if err := c.choice(at); err != nil {
						return err
					}
				}
			}
		}
		if err := c.choice(choiceAt{field: f, code: f.Code, now: c.row, old: c.old}); err != nil {
			return err
		}
	}
	return nil
}

// choiceAt is a field of the record, or of a row of a sub-table.
type choiceAt struct {
	field     *catalog.Field
	code, row string
	now, old  map[string]any
	sheet     *catalog.Field
}

func (c *change) choice(at choiceAt) error {
	f := at.field
	if f.System || f.Compute != nil {
		return nil
	}
	conditions, above := c.conditions(at), dependsOn(f)
	_, chooser := f.Property.(property.Chooser)
	_, administered := f.Property.(property.Administered)
	if len(conditions) == 0 && above == "" && !chooser && !administered || c.wrong(at) {
		return nil
	}
	chosen, had := members(get(at.now, f)), members(get(at.old, f))
	fresh := slices.DeleteFunc(slices.Clone(chosen), func(v string) bool { return slices.Contains(had, v) })
	if ok, err := c.choosable(at, fresh); err != nil || !ok {
		return err
	}
	if len(conditions) == 0 && above == "" {
		return nil
	}
	vars := maps.Clone(c.view.Vars())
	moved := at.old == nil
	for _, code := range catalog.FormCodes(conditions...) {
		now, old := c.formValue(at, code)
		vars[catalog.FormPrefix+code] = now
		moved = moved || !equal(old, now)
	}
	var parents []string
	if above != "" {
		now, old := c.formValue(at, above)
		parents, moved = members(now), moved || !equal(old, now)
	}
	if !moved {
		chosen = fresh
	}
	if len(chosen) == 0 {
		return nil
	}
	ok := above == "" || stand(f, chosen, parents)
	if ok && len(conditions) > 0 {
		var err error
		if ok, err = c.offered(f, conditions, chosen, vars); err != nil {
			return fmt.Errorf("condition of %s: %w", at.code, err)
		}
	}
	if !ok {
		c.errs = append(c.errs, fault.FieldError{PropertyCode: at.code, Row: at.row, Code: fault.FieldNotOffered, Args: []any{f.Label}})
	}
	return nil
}

// choosable refuses what may stay and may not be chosen again: options that were switched off, and people and
// departments that the principal does not administer where the field asks for that.
func (c *change) choosable(at choiceAt, fresh []string) (bool, error) {
	if len(fresh) == 0 || c.undoes {
		return true, nil
	}
	refuse := func(code fault.Code, name any) (bool, error) {
		c.errs = append(c.errs, fault.FieldError{PropertyCode: at.code, Row: at.row, Code: code, Args: []any{name}})
		return false, nil
	}
	f := at.field
	if chooser, ok := f.Property.(property.Chooser); ok && c.view.Principal().System == "" { // initial data is older than what was switched off
		if o := disabled(chooser.Choices(), fresh); o != nil {
			return refuse(fault.FieldDisabled, o.Label)
		}
	}
	if a, ok := f.Property.(property.Administered); ok && a.Administered() {
		if ok, err := c.administers(f, fresh); err != nil {
			return false, err
		} else if !ok {
			return refuse(fault.FieldNotOffered, f.Label)
		}
	}
	return true, nil
}

// disabled is the first of some chosen options that may only stay.
func disabled(options []property.Option, chosen []string) *property.Option {
	for i := range options {
		if o := &options[i]; o.Disabled && slices.Contains(chosen, o.Code) {
			return o
		}
	}
	return nil
}

// administers reports whether the principal may edit the records of all these people and departments.
func (c *change) administers(f *catalog.Field, ids []string) (bool, error) {
	refers, ok := f.Property.(property.Referrer)
	if !ok {
		return true, nil
	}
	var found int64
	var asked []string
	for _, ref := range refers.Refs(ids) {
		m := c.view.Model(ref.Model)
		if m == nil || slices.Contains(asked, m.Code) {
			continue
		}
		asked = append(asked, m.Code)
		n, err := c.tx.Count(c.ctx, c.view.Catalog, &plan.Query{Model: m.Code, Where: plan.AllOf(idIn(ids), c.view.EditRows(m, "edit"))})
		if err != nil {
			return false, err
		}
		found += n
	}
	return int(found) == len(ids), nil
}

// dependsOn is the choice beside a field below whose value its options stand, "" without one.
func dependsOn(f *catalog.Field) string {
	if d, ok := f.Property.(property.Dependent); ok {
		return d.DependsOn()
	}
	return ""
}

// stand reports whether all options that are chosen are below one of those above.
func stand(f *catalog.Field, chosen, above []string) bool {
	chooser, ok := f.Property.(property.Chooser)
	if !ok {
		return true
	}
	return !slices.ContainsFunc(chooser.Choices(), func(o property.Option) bool {
		return slices.Contains(chosen, o.Code) && !slices.Contains(above, o.Parent)
	})
}

// wrong reports whether the field has been refused: of a record that the principal may not see nothing more is said.
func (c *change) wrong(at choiceAt) bool {
	return slices.ContainsFunc(c.errs, func(e fault.FieldError) bool { return e.PropertyCode == at.code && e.Row == at.row })
}

// conditions are those of the model and, when the record is saved through a form, of the form's item.
func (c *change) conditions(at choiceAt) []plan.Expr {
	var out []plan.Expr
	if at.field.Choosable != nil {
		out = append(out, at.field.Choosable)
	}
	if c.form == nil {
		return out
	}
	var item *catalog.FormItem
	if at.sheet == nil {
		item = c.item(at.field)
	} else if sheet := c.item(at.sheet); sheet != nil {
		for i := range sheet.Children {
			if sheet.Children[i].Field == at.field {
				item = &sheet.Children[i]
			}
		}
	}
	if item != nil && item.Choosable != nil {
		out = append(out, item.Choosable)
	}
	return out
}

// formValue is what form.code means to the field, now and before: the row's value, or the record's.
func (c *change) formValue(at choiceAt, code string) (now, old any) {
	if at.sheet != nil {
		if f := at.sheet.Sheet.Field(code); f != nil {
			return first(at.now, f), first(at.old, f)
		}
	}
	f := c.m.Field(code)
	if f == nil {
		return nil, nil
	}
	return first(c.row, f), first(c.old, f)
}

// first is the value of a field's first column, which expressions mean.
func first(row map[string]any, f *catalog.Field) any {
	if cols := f.Property.Columns(); len(cols) > 0 {
		return row[cols[0].Name]
	}
	return nil
}

func members(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return slices.Clone(v)
	}
	return nil
}

// offered reports whether all that is chosen may be.
func (c *change) offered(f *catalog.Field, conditions []plan.Expr, chosen []string, vars map[string]any) (bool, error) {
	if f.Target == nil {
		return optionsOffered(f, conditions, chosen, vars)
	}
	if all, known := c.learnedOffer(f, chosen); known {
		return all, nil
	}
	where := []plan.Expr{idIn(chosen)}
	for _, e := range conditions {
		where = append(where, expression.Bind(e, vars))
	}
	all := plan.AllOf(where...)
	if plan.IsFalse(all) {
		return false, nil
	}
	n, err := c.tx.Count(c.ctx, c.view.Catalog, &plan.Query{Model: f.Target.Code, Where: all})
	return int(n) == len(chosen), err
}

// offer is the condition of a field of the record on what it refers to, when it depends on no other value; nil otherwise.
func (c *change) offer(f *catalog.Field) plan.Expr {
	conditions := c.conditions(choiceAt{field: f})
	if f.Target == nil || len(conditions) == 0 || len(catalog.FormCodes(conditions...)) > 0 {
		return nil
	}
	var bound []plan.Expr
	for _, e := range conditions {
		bound = append(bound, expression.Bind(e, c.view.Vars()))
	}
	all := plan.AllOf(bound...)
	if plan.IsTrue(all) || plan.IsFalse(all) {
		return nil
	}
	return all
}

// offering is whether fields offer the records with some ids, as far as it was asked.
type offering map[*catalog.Field]map[string]bool

func (o offering) learn(f *catalog.Field, id string, yes bool) {
	if o[f] == nil {
		o[f] = map[string]bool{}
	}
	o[f][id] = yes
}

// all reports whether a field offers all that is chosen, if that was asked of each.
func (o offering) all(f *catalog.Field, chosen []string) (all, known bool) {
	all = true
	for _, id := range chosen {
		yes, asked := o[f][id]
		if !asked {
			return false, false
		}
		all = all && yes
	}
	return all, true
}

// learnedOffer reports whether a field of the record offers all that is chosen, if that was asked when the records were looked for: those
// of the record, or of the lot.
func (c *change) learnedOffer(f *catalog.Field, chosen []string) (all, known bool) {
	if all, known := c.offers.all(f, chosen); known || c.expected == nil || c.form != nil || c.tx.Changed(f.Target) {
		return all, known
	}
	return c.expected.all(f, chosen)
}

func optionsOffered(f *catalog.Field, conditions []plan.Expr, chosen []string, vars map[string]any) (bool, error) {
	chooser, ok := f.Property.(property.Chooser)
	if !ok {
		return true, nil
	}
	for _, o := range chooser.Choices() {
		if !slices.Contains(chosen, o.Code) {
			continue
		}
		if ok, err := offers(conditions, o, vars); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// offers reports whether conditions on a choice let an option be chosen.
func offers(conditions []plan.Expr, o property.Option, vars map[string]any) (bool, error) {
	for _, e := range conditions {
		if ok, err := expression.Holds(e, expression.Values{Columns: o.Columns(), Vars: vars}); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}
