package compile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// rowCheck reads the rows of one data file as the write path will. Files are checked side by side: each notes what it finds in a
// list of its own.
type rowCheck struct {
	compiler
	keys      map[*catalog.Model]map[string]bool // what relations may name rows of packs by
	unknown   map[string]bool                    // codes that were told
	plans     map[*model]*rowPlan
	decisions map[plan.Expr]*decision
	columns   map[*catalog.Field][]plan.Column
	lookedUp  bool // a table of the database lacked a value, which may be there next time
}

func newRowCheck(c *compiler, keys map[*catalog.Model]map[string]bool) *rowCheck {
	own := *c
	own.out = nil
	return &rowCheck{
		compiler: own, keys: keys, unknown: map[string]bool{}, plans: map[*model]*rowPlan{}, decisions: map[plan.Expr]*decision{},
		columns: map[*catalog.Field][]plan.Column{},
	}
}

// columnsOf are a property's columns, made once: files may hold thousands of rows.
func (c *rowCheck) columnsOf(f *catalog.Field) []plan.Column {
	cols, ok := c.columns[f]
	if !ok {
		cols = f.Property.Columns()
		c.columns[f] = cols
	}
	return cols
}

// rowPlan is what the rows of a model are asked, found out once: files may hold thousands.
type rowPlan struct {
	sheets, must, filled []*catalog.Field
	rules                []catalog.Rule
	patterns             []*regexp.Regexp // of rules; nil for formulas
}

func (c *rowCheck) planOf(m *model) *rowPlan {
	if p := c.plans[m]; p != nil {
		return p
	}
	p := &rowPlan{rules: m.Rules}
	for _, f := range m.Fields {
		if f.System || f.Compute != nil {
			continue
		}
		if f.Sheet != nil {
			p.sheets = append(p.sheets, f)
		}
		if d, ok := f.Property.(property.Defaulter); f.Default != nil || ok && d.Default() != nil {
			p.filled = append(p.filled, f)
		} else if f.Required || f.RequiredIf != nil {
			p.must = append(p.must, f)
		}
	}
	for _, r := range p.rules {
		var whole *regexp.Regexp
		if r.Type == rulePattern && r.Field != nil {
			whole, _ = regexp.Compile(`^(?:` + r.Pattern + `)$`) // nil is reported where the rule is
		}
		p.patterns = append(p.patterns, whole)
	}
	c.plans[m] = p
	return p
}

// isID matches ids of records, which relations may hold instead of keys.
var isID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// rowValues are the cells of a row that could be read: what is not given and has no default is empty.
type rowValues struct {
	columns map[string]any  // stored forms
	open    map[string]bool // codes whose value is not known before the row is written
	faulty  bool
	sheets  map[string][]rowValues
	at      *source.Node
}

// rowKeys are the texts that name rows of packs: their keys of one property, and the first text of the model that is unique.
func (c *compiler) rowKeys() map[*catalog.Model]map[string]bool {
	out := map[*catalog.Model]map[string]bool{}
	note := func(m *catalog.Model, v any) {
		if text, ok := v.(string); ok && m != nil {
			if out[m] == nil {
				out[m] = map[string]bool{}
			}
			out[m][text] = true
		}
	}
	for _, p := range c.packs {
		for _, d := range def.Of[*def.Data](p) {
			m, _ := c.models.get(d.Code)
			if m == nil {
				continue
			}
			unique := slices.IndexFunc(m.Fields, func(f *catalog.Field) bool {
				return f.Unique && !f.System && f.Property.Kind() == plan.Text
			})
			for _, row := range d.Rows {
				if len(d.Key) == 1 {
					note(m.Model, row[d.Key[0]])
				}
				if unique >= 0 {
					note(m.Model, row[m.Fields[unique].Code])
				}
			}
		}
	}
	if m, _ := c.models.get("role"); m != nil {
		for _, r := range c.cat.Roles {
			note(m.Model, r.Code)
		}
	}
	return out
}

// rows checks a file: keys, values, what is required, references to other rows, and data rules.
func (c *rowCheck) rows(m *model, d *def.Data) {
	for i, k := range d.Key {
		if !m.has(k) {
			c.suggest("PACK009", d.Node.Get("key").At(itoa(i)), k, m.codes(), m.Code)
		}
	}
	first := map[string]*source.Node{}
	nodes := d.Node.Get("rows").Items()
	for i, row := range d.Rows {
		if i >= len(nodes) {
			break // a value that is not a list, which the schema reports
		}
		at := nodes[i]
		values := c.cells(m, at, row)
		key, whole := "", true
		for _, k := range d.Key {
			v, given := row[k]
			if !given && m.has(k) {
				c.report("PACK011", at, k)
				values.faulty = true
			}
			whole = whole && v != nil
			text, ok := v.(string)
			if !ok {
				text = fmt.Sprint(v)
			}
			key += text + "\x00"
		}
		if twin := first[key]; twin != nil && whole {
			c.report("PACK015", at, strings.ReplaceAll(strings.TrimSuffix(key, "\x00"), "\x00", ", "), twin.Pos().Line)
			continue
		}
		first[key] = at
		if c.sound {
			c.whole(m, values, nil)
		}
	}
}

// cells reads the values of a row. An unknown code is told once for a file.
func (c *rowCheck) cells(m *model, at *source.Node, row map[string]any) rowValues {
	out := rowValues{columns: make(map[string]any, len(row)), open: map[string]bool{}, at: at}
	for code := range row { // in any order: what is found is sorted by its place
		f := m.Field(code)
		switch {
		case !m.has(code):
			if out.faulty = true; !c.unknown[code] {
				c.unknown[code] = true
				c.suggest("PACK009", member(at, code), code, m.codes(), m.Code)
			}
		case !c.sound || f == nil || f.System: // wrong for a reason that was told, or not the row's
		case f.Target != nil:
			if row[code] != nil {
				out.open[f.Code] = true
			}
			c.names(f, member(at, code), row[code])
		default:
			c.cell(f, member(at, code), row[code], &out)
		}
	}
	return out
}

func (c *rowCheck) cell(f *catalog.Field, at *source.Node, in any, out *rowValues) {
	v, err := f.Property.Parse(in)
	if err != nil {
		if looksUp(f.Property, err) {
			out.open[f.Code], c.lookedUp = true, true
			return
		}
		c.refused(f, at, err)
		out.faulty = true
		return
	}
	if f.Sheet == nil {
		if v != nil {
			cols := c.columnsOf(f)
			for i, stored := range f.Property.Store(v) {
				out.columns[cols[i].Name] = stored
			}
		}
		return
	}
	lines, _ := in.([]any)
	for i, line := range lines {
		if cells, ok := line.(map[string]any); ok {
			if out.sheets == nil {
				out.sheets = map[string][]rowValues{}
			}
			out.sheets[f.Code] = append(out.sheets[f.Code], c.cells(c.of[f.Sheet], at.At(itoa(i)), cells))
		}
	}
}

// refused tells of a value that the property does not take: of an option which ones there are.
func (c *rowCheck) refused(f *catalog.Field, at *source.Node, err error) {
	var v *property.ValueError
	if legal := c.choicesOf(f); errors.As(err, &v) && fault.Code(v.Code) == fault.FieldOption && len(legal) > 0 {
		word := fmt.Sprint(v.Args...)
		c.suggest("PACK025", at, word, legal, f.Code, diag.Few(legal))
		return
	}
	c.report("PACK014", at, f.Code, refusal(err))
}

// names warns of keys that no row of the packs has.
func (c *rowCheck) names(f *catalog.Field, at *source.Node, v any) {
	known := c.keys[f.Target]
	if known == nil {
		return
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for i, one := range list {
		text, ok := one.(string)
		if !ok || text == "" || known[text] || isID.MatchString(text) {
			continue
		}
		place := at
		if item := at.At(itoa(i)); item != nil {
			place = item
		}
		c.out = append(c.out, problem("PACK021", place, f.Code, fmt.Sprintf("%q", text), f.Target.Code).Suggest(text, sortedKeys(known)))
	}
}

// whole checks what speaks of a row as a whole. outer is the record of a line.
func (c *rowCheck) whole(m *model, row rowValues, outer *rowValues) {
	if row.faulty || outer != nil && outer.faulty {
		return
	}
	p := c.planOf(m)
	for _, f := range p.sheets {
		for _, line := range row.sheets[f.Code] {
			c.whole(c.of[f.Sheet], line, &row)
		}
	}
	for _, f := range p.filled {
		if !c.given(row, f) {
			row.open[f.Code] = true // the write path fills it
		}
	}
	for _, f := range p.must {
		if row.open[f.Code] || c.given(row, f) {
			continue
		}
		must := f.Required
		if !must && f.RequiredIf != nil && c.decidable(m, f.RequiredIf, row, outer) {
			must, _ = expression.Holds(f.RequiredIf, row.scope(outer))
		}
		if must {
			c.report("PACK020", row.at, f.Code)
		}
	}
	for i, r := range p.rules {
		c.rule(m, r, p.patterns[i], row, outer)
	}
}

// rule reports a row that breaks a data rule, where no more than the row decides. A rule of a property says nothing of its empty
// value.
func (c *rowCheck) rule(m *model, r catalog.Rule, pattern *regexp.Regexp, row rowValues, outer *rowValues) {
	at, why := row.at, fault.FieldRule
	if r.Field != nil {
		if !c.given(row, r.Field) {
			return
		}
		at = member(at, r.Field.Code)
	}
	ok := true
	switch {
	case pattern != nil:
		why = fault.FieldPattern
		ok = pattern.MatchString(expression.Text(row.columns[r.Field.Property.Columns()[0].Name]))
	case r.Type == ruleFormula && r.Formula != nil && c.decidable(m, r.Formula, row, outer):
		holds, err := expression.Holds(r.Formula, row.scope(outer))
		ok = holds || err != nil
	}
	if ok {
		return
	}
	text := sentence(why)
	if r.Message.Zh != "" {
		text = diag.Text{Zh: r.Message.Zh, En: r.Message.In("en")}
	}
	c.report("PACK022", at, m.Code, text)
}

// decision is what a condition asks for; never: of other records, of the person or the time, of other rows, or of values that are
// computed when the row is written.
type decision struct {
	never      bool
	own, outer []string // codes
}

// decidable reports whether the row alone says what a condition gives: nothing that it asks for is filled in later.
func (c *rowCheck) decidable(m *model, e plan.Expr, row rowValues, outer *rowValues) bool {
	d := c.decisions[e]
	if d == nil {
		d = decide(m, e)
		c.decisions[e] = d
	}
	open := func(in *rowValues) func(string) bool {
		return func(code string) bool { return in == nil || in.open[code] }
	}
	return !d.never && !slices.ContainsFunc(d.own, open(&row)) && !slices.ContainsFunc(d.outer, open(outer))
}

func decide(m *model, e plan.Expr) *decision {
	d := &decision{}
	plan.Walk(e, func(e plan.Expr) {
		switch x := e.(type) {
		case *plan.Field:
			in, codes := m, &d.own
			if x.Outer {
				in, codes = m.parent, &d.outer
			}
			if len(x.Path) > 0 || in == nil {
				d.never = true
				return
			}
			switch f := fieldOf(in, x.Column); {
			case x.Old:
			case f == nil || f.System || f.Compute != nil:
				d.never = true
			default:
				*codes = append(*codes, f.Code)
			}
		case *plan.Var, *plan.AnyRow, *plan.Aggregate, *plan.Belongs, *plan.LinkText:
			d.never = true
		}
	})
	return d
}

// fieldOf is the property that has a column.
func fieldOf(m *model, column string) *catalog.Field {
	i := slices.IndexFunc(m.Fields, func(f *catalog.Field) bool {
		return slices.ContainsFunc(f.Property.Columns(), func(c plan.Column) bool { return c.Name == column })
	})
	if i < 0 {
		return nil
	}
	return m.Fields[i]
}

func (c *rowCheck) given(row rowValues, f *catalog.Field) bool {
	if f.Sheet != nil {
		return len(row.sheets[f.Code]) > 0
	}
	cols := c.columnsOf(f)
	return len(cols) > 0 && row.columns[cols[0].Name] != nil
}

func (r rowValues) scope(outer *rowValues) expression.Scope {
	own := expression.Values{Columns: r.columns}
	if outer == nil {
		return own
	}
	return expression.Row(own, expression.Values{Columns: outer.columns})
}
