package compile

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// system.json declares the system properties (docs/formats.md, System properties) as authors would, so that no type is named here.
// "large" replaces entries in models beyond SearchVolume, "numbered" besides in those whose numbers authors have shaped and which
// names do not hold.
//
//go:embed system.json
var systemJSON []byte

// LargeVolume is the number of records from which a list must not scan: check warns.
const LargeVolume = 100_000

// SearchVolume is the number of records from which names get a gram index: every list has a box that looks into them, and
// to read more names than this takes longer than a person waits.
const SearchVolume = 20_000

// Reserved models of the pack organisation.
const (
	userModel       = "user"
	departmentModel = "department"
)

// systemField is a system property, compiled once and shared by all models: it never depends on one.
type systemField struct {
	def      def.Property
	kind     property.Type
	property property.Property
}

type systemFields struct{ Properties, Large, Numbered []def.Property }

func declaredSystem() (out systemFields) {
	root, problems := source.Parse("system.json", systemJSON)
	if problems.HasErrors() {
		panic("engine/compile/system.json: " + problems[0].En)
	}
	var doc struct {
		Properties []def.Property `json:"properties"`
		Large      []def.Property `json:"large"`
		Numbered   []def.Property `json:"numbered"`
	}
	source.Decode(root, &doc)
	return systemFields{doc.Properties, doc.Large, doc.Numbered}
}

// compileSystem fills the system properties of ordinary and of large models.
func (c *compiler) compileSystem() {
	declared := declaredSystem()
	for _, d := range declared.Properties {
		f, ok := c.systemField(d)
		if !ok {
			continue
		}
		c.system = append(c.system, f)
		for _, l := range declared.Large {
			if l.Code == d.Code {
				f, _ = c.systemField(l)
			}
		}
		c.systemLarge = append(c.systemLarge, f)
		for _, l := range declared.Numbered {
			if l.Code == d.Code {
				f, _ = c.systemField(l)
			}
		}
		c.systemNumbered = append(c.systemNumbered, f)
	}
}

func (c *compiler) systemField(d def.Property) (systemField, bool) {
	t, ok := c.set.Properties.Get(d.Type)
	if !ok {
		c.report("PACK012", nil, d.Type, d.Code)
		return systemField{}, false
	}
	f := systemField{def: d, kind: t}
	switch d.Code {
	case catalog.ID:
		f.property = identifier{}
	case catalog.Version:
		f.property = counter{}
	default:
		f.property, _ = t.Compile(d, c) // faults can only be references to a missing pack organisation
	}
	return f, f.property != nil
}

// systemOf returns the system properties of a model.
func (c *compiler) systemOf(m *model) []systemField {
	if m.Volume <= SearchVolume {
		return c.system
	}
	if named := m.def.Digest == "" || strings.Contains(m.def.Digest, "{"+catalog.SequenceNo+"}"); m.def.Sequence.Node != nil && !named {
		return c.systemNumbered
	}
	return c.systemLarge
}

func (c *compiler) systemCodes() []string {
	var out []string
	for _, s := range c.system {
		out = append(out, s.def.Code)
	}
	return out
}

// identifier is the property id: the column that all tables have.
type identifier struct{}

var _ interface {
	property.Filterer
	property.Sorter
	property.Aggregator
} = identifier{}

func (identifier) Kind() plan.Kind { return plan.ID }

var identifierColumns = []plan.Column{{Name: catalog.ID, Property: catalog.ID, Kind: plan.ID, NotNull: true}}

func (identifier) Columns() []plan.Column { return identifierColumns }

func (identifier) Parse(in any) (any, error) {
	s, ok := in.(string)
	if in == nil || ok && s == "" {
		return nil, nil
	}
	u, err := uuid.Parse(s)
	if !ok || err != nil {
		return nil, property.Refuse(fault.FieldType, s)
	}
	return u.String(), nil
}

func (identifier) Store(v any) []any { return []any{v} }
func (identifier) Load(cs []any) any { return cs[0] }

func (identifier) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	s, ok := v.(string)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, s)
}

func (identifier) Text(v any, _ property.TextContext) string { s, _ := v.(string); return s }
func (identifier) Operators() []plan.Op                      { return []plan.Op{plan.Equal, plan.In} }
func (identifier) DefaultOperator() plan.Op                  { return plan.Equal }
func (identifier) Aggregates() []plan.Sum                    { return []plan.Sum{plan.SumCount} }

func (i identifier) Filter(op plan.Op, operand any, column func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	var words []any
	switch x := operand.(type) {
	case string:
		for w := range strings.SplitSeq(x, ";") {
			words = append(words, w)
		}
	case []any:
		words = x
	}
	var ids []string
	for _, w := range words {
		v, err := i.Parse(w)
		if err != nil {
			return nil, err
		}
		if id, ok := v.(string); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, property.Refuse(fault.FieldType, operand)
	}
	if len(ids) == 1 {
		return &plan.Compare{Op: plan.EQ, A: column(catalog.ID), B: &plan.Const{K: plan.ID, Value: ids[0]}}, nil
	}
	if op == plan.Equal {
		return plan.False, nil
	}
	return &plan.InSet{Op: plan.SetWithin, F: column(catalog.ID), G: &plan.Const{K: plan.Set, Value: ids}}, nil
}

func (identifier) SortBy(column func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{column(catalog.ID)}
}

// counter is the property version: a whole number that only the writer sets.
type counter struct{}

var _ property.Sorter = counter{}

func (counter) Kind() plan.Kind { return plan.Int }

var counterColumns = []plan.Column{{Name: catalog.Version, Property: catalog.Version, Kind: plan.Int, NotNull: true}}

func (counter) Columns() []plan.Column { return counterColumns }

func (counter) Parse(in any) (any, error) {
	switch x := in.(type) {
	case nil:
		return nil, nil
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return i, nil
		}
	case string:
		if i, err := strconv.ParseInt(x, 10, 64); err == nil {
			return i, nil
		}
	}
	return nil, property.Refuse(fault.FieldType, in)
}

func (counter) Store(v any) []any { return []any{v} }
func (counter) Load(cs []any) any { return cs[0] }

func (counter) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	i, ok := v.(int64)
	if !ok {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, i, 10)
}

func (counter) Text(v any, _ property.TextContext) string {
	i, ok := v.(int64)
	if !ok {
		return ""
	}
	return strconv.FormatInt(i, 10)
}

func (counter) SortBy(column func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{column(catalog.Version)}
}
