package propertytest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/stretchr/testify/require"
)

// Cases are what a type says about itself: one definition and what follows from it.
type Cases struct {
	Options   string         // the definition's own keys as JSON: {"maxLength": 5}
	Scope     Scope          // what is around the definition
	Names     property.Names // nil = Everyone
	Values    []Value
	Refused   []Refusal
	Order     []string // JSON values in ascending order, no two alike
	Operators []plan.Op
	Filters   []Filter
	// Pool are JSON values for types whose values cannot be made from their kind. Random filters are then not compared
	// with the model.
	Pool []string
}

// Value is a value as it is written, as it is read and in words.
type Value struct {
	In     string // JSON
	JSON   string // canonical; "" = In
	Zh, En string // texts; "" in En = Zh
	Format string // displayFormat of the context
	// Cell is what a spreadsheet holds (CellWriter), as "kind text format": "number 1200.5 #,##0.00", "time 2026-11-21T00:00:00 yyyy-mm-dd".
	// "" = not checked.
	Cell string
}

// Refusal is a value that Parse refuses.
type Refusal struct {
	In   string
	Code fault.Code
}

// Filter is an example of an operator: which of the values it selects.
type Filter struct {
	Op      plan.Op
	Operand string // JSON
	Selects []string
	Leaves  []string
	Code    fault.Code // the operand is refused
}

// randomRounds is how many random values meet each operator.
const randomRounds = 10_000

// Run checks a type against the contract of property.Property and its own cases.
func Run(t *testing.T, typ property.Type, c Cases) {
	t.Helper()
	if c.Names == nil {
		c.Names = Everyone{}
	}
	p, problems := typ.Compile(Define(typ, c.Options), c.Scope)
	require.Empty(t, problems)
	s := suite{Cases: c, p: p}
	t.Run("schema", func(t *testing.T) { schemaOf(t, typ) })
	t.Run("columns", s.columns)
	t.Run("empty", s.empty)
	t.Run("values", s.values)
	t.Run("refused", s.refused)
	t.Run("random values", s.random)
	t.Run("operators", s.operators)
	t.Run("filters", s.filters)
	t.Run("order", s.order)
}

type suite struct {
	Cases
	p property.Property
}

// Decode reads JSON as requests are read.
func Decode(t testing.TB, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), text)
	return v
}

func schemaOf(t *testing.T, typ property.Type) {
	var schema struct {
		Type       string
		Properties map[string]struct {
			Description string
			Ref         string `json:"$ref"`
		}
	}
	require.NoError(t, json.Unmarshal(typ.Options(), &schema))
	require.Equal(t, "object", schema.Type)
	for key, o := range schema.Properties {
		require.NotEmpty(t, o.Description+o.Ref, "option %s has no description", key)
	}
}

func (s suite) columns(t *testing.T) {
	columns := s.p.Columns()
	if len(columns) == 0 {
		require.Contains(t, []plan.Kind{plan.None, plan.Rows}, s.p.Kind())
		return
	}
	require.Equal(t, "f", columns[0].Name)
	require.Equal(t, s.p.Kind(), columns[0].Kind)
	for _, c := range columns {
		require.Equal(t, "f", c.Property)
		require.NotEmpty(t, c.At)
	}
	require.Len(t, s.p.Store(nil), len(columns))
}

func (s suite) empty(t *testing.T) {
	empties := []any{nil, ""}
	if k := s.p.Kind(); k == plan.Set || k == plan.Rows {
		empties = append(empties, []any{})
	}
	for _, in := range empties {
		v, err := s.p.Parse(in)
		require.NoError(t, err, "%#v", in)
		require.Nil(t, v, "%#v", in)
	}
	// White space of any kind is empty too, or no value of the type.
	for _, in := range []string{" ", "\t\r\n", "\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\u0085", "\u200b\u2060\ufeff"} {
		v, err := s.p.Parse(in)
		require.True(t, err != nil || v == nil, "%q is read as %#v", in, v)
	}
	for _, column := range s.p.Store(nil) {
		require.Nil(t, column)
	}
	require.Nil(t, s.p.Load(make([]any, len(s.p.Columns()))))
	require.Equal(t, "null", string(s.p.AppendJSON(nil, nil, s.Names)))
	require.Equal(t, "x null", string(s.p.AppendJSON([]byte("x "), nil, s.Names)), "AppendJSON appends")
	for _, locale := range []string{"zh", "en"} {
		require.Empty(t, s.p.Text(nil, s.context(locale, "")))
	}
}

func (s suite) context(locale, format string) property.TextContext {
	return property.TextContext{Locale: locale, Zone: Shanghai, Names: s.Names, DisplayFormat: format}
}

func (s suite) values(t *testing.T) {
	for _, c := range s.Values {
		v, err := s.p.Parse(Decode(t, c.In))
		require.NoError(t, err, c.In)
		require.NotNil(t, v, c.In)
		want := c.JSON
		if want == "" {
			want = c.In
		}
		require.Equal(t, want, string(s.p.AppendJSON(nil, v, s.Names)), c.In)
		if c.En == "" {
			c.En = c.Zh
		}
		require.Equal(t, c.Zh, s.p.Text(v, s.context("zh", c.Format)), c.In)
		require.Equal(t, c.En, s.p.Text(v, s.context("en", c.Format)), c.In)
		s.stable(t, v)
		if c.Cell != "" {
			require.Equal(t, c.Cell, CellText(s.p.(property.CellWriter).Cell(v, s.context("zh", c.Format))), c.In)
		}
	}
}

// stable: a value survives its column and its wire form, and the form's schema takes it.
func (s suite) stable(t *testing.T, v any) {
	t.Helper()
	if len(s.p.Columns()) > 0 {
		require.Equal(t, v, s.p.Load(s.p.Store(v)))
	}
	wire := s.p.AppendJSON(nil, v, s.Names)
	require.True(t, json.Valid(wire), "%s", wire)
	again, err := s.p.Parse(Decode(t, string(wire)))
	require.NoError(t, err, "%s", wire)
	require.Equal(t, string(wire), string(s.p.AppendJSON(nil, again, s.Names)), "the wire form is read as it is written")
	itself, err := s.p.Parse(v)
	require.NoError(t, err)
	require.Equal(t, v, itself, "Parse takes its own values")
	for _, locale := range []string{"zh", "en"} {
		require.NotEmpty(t, s.p.Text(v, s.context(locale, "")), "%s has no text", wire)
	}
	if f, ok := s.p.(property.Formatter); ok {
		for _, format := range f.Formats() {
			require.NotEmpty(t, s.p.Text(v, s.context("zh", format)), "%s as %s", wire, format)
		}
	}
	if r, ok := s.p.(property.Referrer); ok {
		require.NotEmpty(t, r.Refs(v))
	}
	s.cell(t, v)
}

func (s suite) refused(t *testing.T) {
	junk := []Refusal{{In: `{"a": [1]}`}, {In: `[[1], {}]`}, {In: `1e999999999`}, {In: `"\u0000"`}, {In: `[null, [true]]`}}
	for _, c := range append(junk, s.Refused...) {
		v, err := s.p.Parse(Decode(t, c.In))
		if c.Code == 0 && err == nil {
			continue // junk that the type happens to take
		}
		var refusal *property.ValueError
		require.ErrorAs(t, err, &refusal, "%s is taken as %v", c.In, v)
		require.NotZero(t, refusal.Code)
		if c.Code != 0 {
			require.Equal(t, c.Code, fault.Code(refusal.Code), c.In)
		}
	}
	_, err := s.p.Parse(1.5)
	require.Error(t, err, "a float of Go is never exact")
}

func (s suite) generator(t *testing.T, seed uint64) *Generator {
	var pool []any
	for _, text := range s.Pool {
		pool = append(pool, Decode(t, text))
	}
	return NewGenerator(s.p, seed, pool...)
}

func (s suite) random(t *testing.T) {
	if len(s.p.Columns()) == 0 {
		t.Skip("values are rows of their own")
	}
	g := s.generator(t, 1)
	check := s.formSchema(t)
	for range 300 {
		v := g.Value()
		if v == nil {
			continue
		}
		s.stable(t, v)
		check(s.p.AppendJSON(nil, v, s.Names))
	}
}

func (s suite) formSchema(t *testing.T) func(wire []byte) {
	l, ok := s.p.(property.Limiter)
	if !ok {
		return func([]byte) {}
	}
	options, err := json.Marshal(l.FormOptions())
	require.NoError(t, err, "FormOptions are JSON")
	require.NotEqual(t, "null", string(options))
	text, err := json.Marshal(l.FormSchema())
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("form.json", document))
	schema, err := c.Compile("form.json")
	require.NoError(t, err)
	return func(wire []byte) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(wire))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(v), "%s", wire)
	}
}
