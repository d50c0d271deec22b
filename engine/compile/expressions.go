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
	c      *compiler
	m      *model
	engine bool // the rows that the engine keeps for records can be named
}

// Property implements expression.Record.
func (r record) Property(code string) (expression.Property, bool) {
	if r.engine {
		if rows := catalog.EngineRowsNamed(code); rows != nil {
			return expression.Property{Code: rows.Code, Kind: plan.Rows, Sheet: engineRecord{rows, r.c, r.m}}, true
		}
	}
	f := r.c.named(r.m, code)
	if f == nil || f.Links != "" {
		if r.m.poisoned(code) {
			r.c.poison[fold(code)] = true
		}
		return expression.Property{}, false
	}
	p := expression.Property{Code: f.Code, Kind: f.Property.Kind(), Options: r.c.optionsOf(f), Model: f.Model.Code}
	if cols := f.Property.Columns(); len(cols) > 0 {
		p.Column = cols[0].Name
	}
	switch {
	case f.Sheet != nil:
		p.Kind, p.Sheet = plan.Rows, record{c: r.c, m: r.c.of[f.Sheet]}
	case f.Target != nil:
		p.Target = record{c: r.c, m: r.c.of[f.Target]}
	case r.m.lost[f]:
		p.Target = lostRecord{r.c}
	}
	return p, true
}

// Codes implements expression.Record.
func (r record) Codes() []string {
	if r.engine {
		return append(slices.Clone(r.m.codes()), catalog.EngineRowCodes()...)
	}
	return r.m.codes()
}

// engineRecord is a row of the engine as expressions see it.
type engineRecord struct {
	rows *catalog.EngineRows
	c    *compiler
	m    *model // whose records have the rows
}

// Property implements expression.Record.
func (r engineRecord) Property(code string) (expression.Property, bool) {
	for _, c := range r.rows.Columns {
		if strings.EqualFold(c.Code, code) {
			return expression.Property{Code: c.Code, Column: c.Column, Kind: c.Kind, Options: expression.Options{Choices: c.Codes, Named: r.c.taskNames(r.m, c)}}, true
		}
	}
	return expression.Property{}, false
}

// Codes implements expression.Record.
func (r engineRecord) Codes() (out []string) {
	for _, c := range r.rows.Columns {
		out = append(out, c.Code)
	}
	return out
}

// models are what related() may name.
type models struct{ c *compiler }

// Model implements expression.Models.
func (m models) Model(code string) (expression.Record, string) {
	found, known := m.c.models.get(code)
	if found == nil {
		if known { // it could not be read, and that has been told
			m.c.poison[fold(code)] = true
		}
		return nil, ""
	}
	return record{c: m.c, m: found}, found.Code
}

// Codes implements expression.Models.
func (m models) Codes() (out []string) {
	for _, x := range m.c.models.all {
		out = append(out, x.Code)
	}
	return out
}

// lostRecord represents a model that could not be compiled: no name of it is known and none is reported.
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

// optionsOf are the options of a choice as expressions write them. An earlier version writes them as they were called in its time.
func (c *compiler) optionsOf(f *catalog.Field) expression.Options {
	out := expression.Options{Choices: c.choicesOf(f)}
	if out.Choices != nil && c.options.References != nil {
		out.Of = c.optionOwner(f)
	}
	if !c.before || out.Choices == nil && !c.then.Recoded(f.Model.Code, f.Code) {
		return out
	}
	if model, property, ok := c.then.PropertyWas(f.Model.Code, f.Code); ok {
		then := c.then
		out.Now = func(code string) string { return then.Option(model, property, code) }
	}
	return out
}

// What an expression may use besides the record.
type envOption func(*expression.Env)

func (c *compiler) envModels(e *expression.Env) { e.Models = models{c} }

func envOld(e *expression.Env) { e.Old = true }
func envSQL(e *expression.Env) { e.SQL = true }

// envEngine lets a condition on records, that only ever runs as SQL, name the rows that the engine keeps for them.
func envEngine(e *expression.Env) {
	if r, ok := e.Record.(record); ok && e.Row == nil {
		r.engine = true
		e.Record = r
	}
}

// env is the environment of a model's expressions; in a sub-table names mean the row first.
func (c *compiler) env(m *model, options ...envOption) expression.Env {
	e := expression.Env{Record: record{c: c, m: m}, Zone: c.options.Zone, Function: c.set.Functions.Get, Functions: c.set.Functions.Names}
	if m.parent != nil {
		e.Record, e.Row = record{c: c, m: m.parent}, record{c: c, m: m}
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
	c.noteNames(n, text, &env)
	e, problems := expression.Compile(text, env, want)
	for _, p := range problems {
		if p.Word == "" || !c.poison[fold(p.Word)] {
			c.out = append(c.out, p.Diagnostic(n.PosInText(p.Offset)).At(n.Pointer()))
		}
	}
	return c.inline(e, c.subject(env))
}

// subject is the model, or sub-table, that an expression is about; nil when it is about no record of one.
func (c *compiler) subject(env expression.Env) *model {
	of := env.Row
	if of == nil {
		of = env.Record
	}
	r, _ := of.(record)
	return r.m
}

// condition compiles a condition and reports one that no record can satisfy.
func (c *compiler) condition(n *source.Node, text string, env expression.Env, never string) plan.Expr {
	e := c.formula(n, text, env, plan.Bool)
	if e != nil && expression.Contradiction(e) {
		c.report(never, n, text)
	}
	return e
}

// compileComputed compiles what the properties of a model compute, before anything names them.
func (c *compiler) compileComputed(m *model) {
	for _, f := range m.Fields {
		d := m.defs[f]
		kind := f.Property.Kind()
		if f.System || f.Sheet != nil || kind == plan.None {
			continue
		}
		env := c.env(m, c.envModels)
		env.Options = c.optionsOf(f)
		f.Compute = c.formula(d.Node.Get("computeFormula"), d.ComputeFormula, env, kind)
		f.ComputeText = d.ComputeFormula
	}
}

// compileFormulas compiles what the properties of a model default to and require.
func (c *compiler) compileFormulas(m *model) {
	for _, f := range m.Fields {
		d := m.defs[f]
		if f.System {
			continue
		}
		value := c.env(m)
		value.Options = c.optionsOf(f)
		kind := f.Property.Kind()
		if f.Sheet != nil || kind == plan.None {
			c.refuseFormulas(d)
			continue
		}
		f.Default = c.formula(d.Node.Get("defaultValue"), d.DefaultValue, value, kind)
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

func top(m *catalog.Model) *catalog.Model {
	if m.Parent != nil {
		return m.Parent
	}
	return m
}

// name is the code of a field as its record's expressions write it.
func name(f *catalog.Field) string {
	if f.Model.Parent == nil {
		return f.Code
	}
	return f.Model.Code[strings.LastIndexByte(f.Model.Code, '.')+1:] + "." + f.Code
}
