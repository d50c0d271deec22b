package seed

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// tries is how often values are chosen again because a rule refuses them.
const tries = 40

// Wire numbers of catalog.Rule.Type that rows are made for.
const (
	rulePattern = 1
	ruleFormula = 2
)

// suits makes the values of a row keep what the model asks of it: what its formulas require is there, and what its rules refuse
// is chosen again. scope sees the row as it is.
func (f *filler) suits(r *rand.Rand, m *catalog.Model, row map[string]any, i int, scope expression.Scope) {
	for range tries {
		refused := f.refused(m, row, scope)
		if len(refused) == 0 {
			return
		}
		for _, field := range refused {
			f.put(r, field, row, i, true)
		}
	}
	for _, field := range f.refused(m, row, scope) { // what cannot be guessed stays empty where it may
		if !field.Required {
			for _, col := range field.Columns() {
				delete(row, col.Name)
			}
		}
	}
}

// refused lists the properties whose values have to be others.
func (f *filler) refused(m *catalog.Model, row map[string]any, scope expression.Scope) (out []*catalog.Field) {
	add := func(fields ...*catalog.Field) {
		for _, field := range fields {
			if field != nil && !field.System && field.Compute == nil && field.Sheet == nil && !slices.Contains(out, field) {
				out = append(out, field)
			}
		}
	}
	for _, field := range m.Fields {
		if field.RequiredIf == nil || field.Sheet != nil || len(field.Columns()) == 0 || row[field.Columns()[0].Name] != nil {
			continue
		}
		if must, err := expression.Holds(field.RequiredIf, scope); err == nil && must {
			add(field)
		}
	}
	for _, rule := range m.Rules {
		if rule.Field != nil && (len(rule.Field.Columns()) == 0 || row[rule.Field.Columns()[0].Name] == nil) {
			continue
		}
		switch rule.Type {
		case rulePattern:
			text, _ := row[rule.Field.Columns()[0].Name].(string)
			if !f.accepts(rule.Pattern, text) {
				add(rule.Field)
			}
		case ruleFormula:
			if ok, err := expression.Holds(rule.Formula, scope); err == nil && !ok {
				add(rule.Field)
				plan.Walk(rule.Formula, func(e plan.Expr) {
					if c, ok := e.(*plan.Field); ok && len(c.Path) == 0 && !c.Outer {
						add(m.Field(c.Column))
					}
				})
			}
		}
	}
	return out
}

func (f *filler) accepts(text, value string) bool {
	re, ok := f.patterns[text]
	if !ok {
		re, _ = regexp.Compile(`^(?:` + text + `)$`)
		f.patterns[text] = re
	}
	return re == nil || re.MatchString(value)
}

// form is the pattern that texts of a property follow; nil when there is none.
func (f *filler) form(field *catalog.Field) *pattern {
	p, ok := f.forms[field]
	if ok {
		return p
	}
	for _, rule := range field.Model.Rules {
		if rule.Type == rulePattern && rule.Field == field {
			p, _ = newPattern(rule.Pattern) // compiled once when the model was
		}
	}
	f.forms[field] = p
	return p
}

// knows reports whether values of a property can be made: one column of a known kind, and texts that its type reads.
func (f *filler) knows(field *catalog.Field) bool {
	known, ok := f.known[field]
	if ok {
		return known
	}
	cols := field.Columns()
	known = len(cols) == 1
	if known && cols[0].Kind == plan.Text {
		if choices, ok := field.Property.(property.Chooser); !ok || len(choices.Choices()) == 0 {
			_, err := field.Property.Parse(f.text(rand.New(rand.NewPCG(1, 1)), field, cols[0], 1))
			known = err == nil
		}
	}
	f.known[field] = known
	return known
}

// vars are what formulas ask of the person who writes and when.
func (f *filler) vars() map[string]any {
	return map[string]any{expression.VarToday: f.now.Format(time.DateOnly), expression.VarNow: f.now}
}
