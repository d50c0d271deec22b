package record

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Wire numbers of catalog.Rule.Type.
const (
	rulePattern = 1
	ruleFormula = 2
	ruleHook    = 3
)

// validate collects every refusal of the merged record.
func (c *change) validate() error {
	scope, t := c.scope(), c.touches()
	for _, f := range c.m.Fields {
		if f.System {
			continue
		}
		if f.Sheet != nil {
			if err := c.validateRows(f, t); err != nil {
				return err
			}
		}
		from := len(c.errs)
		if err := c.requireField(f, scope); err != nil {
			return err
		}
		c.aside(from, func() bool {
			return t.field(f) || t.reads(f.RequiredIf, nil, nil) || t.reads(c.formRequires(f), nil, nil)
		})
	}
	for _, r := range c.m.Rules {
		from := len(c.errs)
		if err := c.rule(r, c.row, nil, "", scope); err != nil {
			return err
		}
		// What a pack's rule of the whole record reads is not known.
		c.aside(from, func() bool {
			return t.field(r.Field) || t.reads(r.Formula, nil, nil) || r.Type == ruleHook && r.Field == nil
		})
	}
	if err := c.references(); err != nil {
		return err
	}
	if err := c.organisation(); err != nil {
		return err
	}
	if err := c.choices(); err != nil {
		return err
	}
	return c.tree()
}

func (c *change) requireField(f *catalog.Field, scope expression.Scope) error {
	must := f.Required
	for _, e := range []plan.Expr{f.RequiredIf, c.formRequires(f)} {
		if e == nil || must {
			continue
		}
		ok, err := expression.Holds(e, scope)
		if err != nil {
			return fmt.Errorf("required formula of %s.%s: %w", c.m.Code, f.Code, err)
		}
		must = ok
	}
	if !must {
		return nil
	}
	if s := c.sheets[f.Code]; f.Sheet != nil {
		if (s != nil || c.create) && (s == nil || len(s.rows) == 0) {
			c.refuse(f.Code, fault.FieldRequired, f.Label)
		}
		return nil
	}
	if get(c.row, f) == nil {
		c.refuse(f.Code, fault.FieldRequired, f.Label)
	}
	return nil
}

func (c *change) formRequires(f *catalog.Field) plan.Expr {
	if c.form == nil {
		return nil
	}
	if i := c.item(f); i != nil {
		return i.Required
	}
	return nil
}

// formRequiresIn is what the form asks of a column of a sub-table.
func (c *change) formRequiresIn(sheet, f *catalog.Field) plan.Expr {
	if c.form == nil {
		return nil
	}
	if i := c.item(sheet); i != nil {
		for n := range i.Children {
			if i.Children[n].Field == f {
				return i.Children[n].Required
			}
		}
	}
	return nil
}

// validateRows checks the rows of a sub-table. The number of rows is checked where a list is decoded; a list that was never
// given counts as empty on create.
func (c *change) validateRows(f *catalog.Field, t *touched) error {
	s := c.sheets[f.Code]
	if s == nil {
		if n, ok := f.Property.(property.Nester); ok && c.create && n.Nested().MinRows > 0 {
			from := len(c.errs)
			c.refuse(f.Code, fault.FieldTooFew, n.Nested().MinRows)
			c.aside(from, func() bool { return true })
		}
		return nil
	}
	record := c.scope()
	for _, r := range s.rows {
		scope := expression.Row(c.rowScopeIn(f.Sheet, r), record)
		var altered map[string]any
		if c.touching {
			altered = changed(r.old, r.row)
		}
		for _, g := range f.Sheet.Fields {
			if g.System {
				continue
			}
			must := g.Required
			for _, e := range []plan.Expr{g.RequiredIf, c.formRequiresIn(f, g)} {
				if e == nil || must {
					continue
				}
				ok, err := expression.Holds(e, scope)
				if err != nil {
					return fmt.Errorf("required formula of %s.%s: %w", f.Sheet.Code, g.Code, err)
				}
				must = ok
			}
			from := len(c.errs)
			if must && get(r.row, g) == nil {
				c.errs = append(c.errs, fault.FieldError{PropertyCode: f.Code + "." + g.Code, Row: r.name(), Code: fault.FieldRequired, Args: []any{g.Label}})
			}
			c.aside(from, func() bool {
				return r.old == nil || ofField(g, altered) || t.reads(g.RequiredIf, f.Sheet, altered) || t.reads(c.formRequiresIn(f, g), f.Sheet, altered)
			})
		}
		for _, rule := range f.Sheet.Rules {
			from := len(c.errs)
			if err := c.rule(rule, r.row, f, r.name(), scope); err != nil {
				return err
			}
			c.aside(from, func() bool {
				return r.old == nil || rule.Field != nil && ofField(rule.Field, altered) || t.reads(rule.Formula, f.Sheet, altered) || rule.Type == ruleHook && rule.Field == nil
			})
		}
	}
	return nil
}

// rule checks one data rule on a record or, with sheet, on a row of it. A rule of a property says nothing of its empty value.
func (c *change) rule(r catalog.Rule, row map[string]any, sheet *catalog.Field, name string, scope expression.Scope) error {
	var v any
	code := ""
	if r.Field != nil {
		if v = get(row, r.Field); v == nil && !r.Field.Live {
			return nil
		}
		code = r.Field.Code
		if sheet != nil {
			code = sheet.Code + "." + code
		}
	}
	ok, why := true, fault.FieldRule
	var err error
	switch r.Type {
	case rulePattern:
		why = fault.FieldPattern
		ok, err = c.w.matches(r.Pattern, expression.Text(r.Field.Property.Store(v)[0]))
	case ruleFormula:
		ok, err = expression.Holds(r.Formula, scope)
	case ruleHook:
		ok, err = c.runRule(r.Hook, code, v, row, sheet)
	default:
		err = fmt.Errorf("unknown type of rule %d", r.Type)
	}
	if err != nil {
		return fmt.Errorf("data rule of %s: %w", c.m.Code, err)
	}
	if !ok {
		c.errs = append(c.errs, fault.FieldError{PropertyCode: code, Row: name, Code: why, Args: labelOf(r.Field),
			MessageZh: r.Message.Zh, MessageEn: r.Message.I18n["en"]})
	}
	return nil
}

// runRule lets a pack's rule decide.
func (c *change) runRule(name, code string, v any, row map[string]any, sheet *catalog.Field) (bool, error) {
	rule, ok := c.w.set.Rules.Get(name)
	if !ok {
		return false, fmt.Errorf("rule %q is not registered", name)
	}
	ask := hook.Checked{Principal: c.view.Principal(), Model: c.m.Code, ID: c.id, Create: c.create, Property: code, Value: v,
		Record: c.values(c.row), Old: c.values(c.old)}
	if c.w.worlds != nil {
		ask.World = c.w.worlds(&Batch{s: c.session}, true)
	}
	if sheet != nil {
		ask.Row = valuesOf(sheet.Sheet, row)
	}
	return rule.Holds(c.ctx, ask)
}

func labelOf(f *catalog.Field) []any {
	if f == nil {
		return nil
	}
	return []any{f.Label}
}

// Breaks tells which pattern rule of its property a value breaks on any record; nil when none. v is a Go value.
func (w *Writer) Breaks(f *catalog.Field, v any) (*fault.FieldError, error) {
	for _, r := range f.Model.Rules {
		if r.Type != rulePattern || r.Field == nil || r.Field.Code != f.Code || v == nil {
			continue
		}
		ok, err := w.matches(r.Pattern, expression.Text(f.Property.Store(v)[0]))
		if err != nil || !ok {
			return &fault.FieldError{PropertyCode: f.Code, Code: fault.FieldPattern, Args: labelOf(f), MessageZh: r.Message.Zh, MessageEn: r.Message.I18n["en"]}, err
		}
	}
	return nil, nil
}

// matches tests a whole text against a pattern in RE2, as browsers do with "pattern".
func (w *Writer) matches(pattern, text string) (bool, error) {
	re, ok := w.patterns.Load(pattern)
	if !ok {
		compiled, err := regexp.Compile(`^(?:` + pattern + `)$`)
		if err != nil {
			return false, err
		}
		re, _ = w.patterns.LoadOrStore(pattern, compiled)
	}
	return re.(*regexp.Regexp).MatchString(text), nil
}

// wantedRef is a reference that a change makes.
type wantedRef struct {
	code, row string
	field     *catalog.Field
	ids       map[string][]string // id -> models that may have it
	offer     plan.Expr           // what the field offers, when that is known already
}

// claim notes what a wire value says of which model its references are.
func (c *change) claim(f *catalog.Field, code, row string, in any) {
	claimer, ok := f.Property.(property.Claimer)
	if !ok {
		return
	}
	w := wantedRef{code: code, row: row, field: f, ids: map[string][]string{}}
	for _, ref := range claimer.Claims(in) {
		w.ids[ref.ID] = append(w.ids[ref.ID], ref.Model)
	}
	if len(w.ids) > 0 {
		c.claims = append(c.claims, w)
	}
}

// wantedRefs are the new references of the record and of its rows, with what values say of them.
func (c *change) wantedRefs() (wanted []wantedRef) {
	collect := func(f *catalog.Field, code, row string, old, now map[string]any) {
		r, ok := f.Property.(property.Referrer)
		if !ok || f.System || f.Compute != nil {
			return
		}
		w := wantedRef{code: code, row: row, field: f, ids: map[string][]string{}}
		had := r.Refs(get(old, f))
		for _, ref := range r.Refs(get(now, f)) {
			if !slices.Contains(had, ref) {
				w.ids[ref.ID] = append(w.ids[ref.ID], ref.Model)
			}
		}
		if len(w.ids) > 0 {
			if row == "" {
				w.offer = c.offer(f)
			}
			wanted = append(wanted, w)
		}
	}
	for _, f := range c.m.Fields {
		collect(f, f.Code, "", c.old, c.row)
		if s := c.sheets[f.Code]; s != nil {
			for _, r := range s.rows {
				for _, g := range f.Sheet.Fields {
					collect(g, f.Code+"."+g.Code, r.name(), r.old, r.row)
				}
			}
		}
	}
	return append(wanted, c.claims...)
}

// references checks that new references lead to records that exist and that the principal may name.
func (c *change) references() error {
	wanted := c.wantedRefs()
	if err := c.learn(wanted); err != nil {
		return err
	}
	if err := c.takeFiles(wanted); err != nil {
		return err
	}
	for _, w := range wanted {
		for id, models := range w.ids {
			if !slices.ContainsFunc(models, func(m string) bool { return c.known[m][id] }) {
				if _, file := w.field.Property.(property.FileTaker); file {
					taken, err := c.takesOver(w, id)
					if err != nil {
						return err
					}
					if taken {
						continue
					}
				}
				if !c.wrong(choiceAt{code: w.code, row: w.row}) {
					c.errs = append(c.errs, fault.FieldError{PropertyCode: w.code, Row: w.row, Code: fault.FieldReference, Args: []any{w.field.Label}})
				}
				break
			}
		}
	}
	return nil
}
