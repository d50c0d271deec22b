package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// record is a model as expressions see it.
type record struct {
	c *compiler
	m *model
}

// Property implements expression.Record.
func (r record) Property(code string) (expression.Property, bool) {
	f := r.m.Field(code)
	if f == nil {
		if r.m.poisoned(code) {
			r.c.poison[fold(code)] = true
		}
		return expression.Property{}, false
	}
	p := expression.Property{Code: f.Code, Kind: f.Property.Kind(), Codes: r.c.choicesOf(f)}
	if cols := f.Property.Columns(); len(cols) > 0 {
		p.Column = cols[0].Name
	}
	switch {
	case f.Sheet != nil:
		p.Kind, p.Sheet = plan.Rows, record{r.c, r.c.of[f.Sheet]}
	case f.Target != nil && !f.Multiple:
		p.Target = record{r.c, r.c.of[f.Target]}
	case r.m.lost[f]:
		p.Target = lostRecord{r.c}
	}
	return p, true
}

// Codes implements expression.Record.
func (r record) Codes() []string { return r.m.codes() }

// lostRecord stands for a model that could not be compiled: no name of it is known and none is reported.
type lostRecord struct{ c *compiler }

func (l lostRecord) Property(code string) (expression.Property, bool) {
	l.c.poison[fold(code)] = true
	return expression.Property{}, false
}

func (lostRecord) Codes() []string { return nil }

func (c *compiler) choicesOf(f *catalog.Field) []string {
	codes, done := c.choices[f]
	if !done {
		codes = choices(f.Property)
		c.choices[f] = codes
	}
	return codes
}

// What an expression may use besides the record.
type envOption func(*expression.Env)

func envOld(e *expression.Env) { e.Old = true }
func envSQL(e *expression.Env) { e.SQL = true }

// env is the environment of a model's expressions; in a sub-table names mean the row first.
func (c *compiler) env(m *model, options ...envOption) expression.Env {
	e := expression.Env{Record: record{c, m}, Zone: c.options.Zone}
	if m.parent != nil {
		e.Record, e.Row = record{c, m.parent}, record{c, m}
	}
	for _, o := range options {
		o(&e)
	}
	return e
}

// formula compiles the text of a node; nil when it is empty or at fault. Problems that come from poisoned names are not
// told: their cause has been.
func (c *compiler) formula(n *source.Node, text string, env expression.Env, want plan.Kind) plan.Expr {
	if text == "" {
		return nil
	}
	clear(c.poison)
	e, problems := expression.Compile(text, env, want)
	for _, p := range problems {
		if p.Word == "" || !c.poison[fold(p.Word)] {
			c.out = append(c.out, p.Diagnostic(n.PosInText(p.Offset)).At(n.Pointer()))
		}
	}
	return e
}

// condition compiles a condition and reports one that no record can satisfy.
func (c *compiler) condition(n *source.Node, text string, env expression.Env, never string) plan.Expr {
	e := c.formula(n, text, env, plan.Bool)
	if e != nil && expression.Contradiction(e) {
		c.report(never, n, text)
	}
	return e
}

// compileFormulas compiles what the properties of a model compute, default to and require.
func (c *compiler) compileFormulas(m *model) {
	for _, f := range m.Fields {
		d := m.defs[f]
		if f.System {
			continue
		}
		value := c.env(m)
		value.Codes = c.choicesOf(f)
		kind := f.Property.Kind()
		if f.Sheet != nil || kind == plan.None {
			c.refuseFormulas(d)
			continue
		}
		f.Default = c.formula(d.Node.Get("defaultValue"), d.DefaultValue, value, kind)
		f.Compute = c.formula(d.Node.Get("computeFormula"), d.ComputeFormula, value, kind)
		f.ComputeText = d.ComputeFormula
		f.RequiredIf = c.formula(d.Node.Get("requiredFormula"), d.RequiredFormula, c.env(m, envOld), plan.Bool)
		c.compileChoice(m, f, d)
	}
}

// refuseFormulas reports values for properties that hold none of their own.
func (c *compiler) refuseFormulas(d def.Property) {
	for _, key := range []string{"defaultValue", "computeFormula"} {
		if n := d.Node.Get(key); n.Text() != "" {
			c.report("MODEL023", n, d.Code, key)
		}
	}
}

// orderComputed fills Computed, each field behind those that it reads, and reports cycles at every formula in them.
func (c *compiler) orderComputed(m *model) {
	const (
		open = 1
		done = 2
	)
	state := map[*catalog.Field]int{}
	var stack []*catalog.Field
	var visit func(f *catalog.Field)
	visit = func(f *catalog.Field) {
		switch state[f] {
		case done:
			return
		case open:
			c.reportCycle(m, stack[slices.Index(stack, f):])
			return
		}
		state[f] = open
		stack = append(stack, f)
		for _, d := range c.reads(f.Compute, c.of[f.Model]) {
			if d.Compute != nil {
				visit(d)
			}
		}
		stack = stack[:len(stack)-1]
		state[f] = done
		m.Computed = append(m.Computed, f)
	}
	for _, t := range append([]*catalog.Model{m.Model}, m.Sheets...) {
		for _, f := range t.Fields {
			if f.Compute != nil {
				visit(f)
			}
		}
	}
}

// reads lists the fields of the record and its sub-tables that an expression of m reads.
func (c *compiler) reads(e plan.Expr, m *model) (out []*catalog.Field) {
	top := m
	if m.parent != nil {
		top = m.parent
	}
	sheetOf := map[*plan.Field]*model{}
	rows := func(sheet string, parts ...plan.Expr) {
		f := top.Field(sheet)
		if f == nil || f.Sheet == nil {
			return
		}
		for _, p := range parts {
			plan.Walk(p, func(x plan.Expr) {
				if r, ok := x.(*plan.Field); ok {
					sheetOf[r] = c.of[f.Sheet]
				}
			})
		}
	}
	plan.Walk(e, func(x plan.Expr) {
		switch x := x.(type) {
		case *plan.Aggregate:
			rows(x.Sheet, x.X, x.Where)
		case *plan.AnyRow:
			rows(x.Sheet, x.Where)
		}
	})
	plan.Walk(e, func(x plan.Expr) {
		r, ok := x.(*plan.Field)
		if !ok || r.Old {
			return
		}
		in := m
		if s := sheetOf[r]; s != nil {
			in = s
		}
		if r.Outer {
			in = top
		}
		name := r.Column
		if len(r.Path) > 0 {
			name = r.Path[0]
		}
		if f := in.Field(name); f != nil {
			out = append(out, f)
		}
	})
	return out
}

func (c *compiler) reportCycle(m *model, cycle []*catalog.Field) {
	for i, f := range cycle {
		var chain []string
		for j := range cycle {
			g := cycle[(i+j)%len(cycle)]
			at := c.of[g.Model].defs[g].Node.Get("computeFormula").Pos()
			chain = append(chain, name(g)+" ("+at.String()+")")
		}
		chain = append(chain, name(f))
		c.report("MODEL024", c.of[f.Model].defs[f].Node.Get("computeFormula"), name(f), strings.Join(chain, " → "))
	}
}

// name is the code of a field as its record's expressions write it.
func name(f *catalog.Field) string {
	if f.Model.Parent == nil {
		return f.Code
	}
	return f.Model.Code[strings.LastIndexByte(f.Model.Code, '.')+1:] + "." + f.Code
}
