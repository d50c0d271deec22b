// Package approvalopinion is the property type ApprovalOpinion: what approvers said, written by the engine alone.
package approvalopinion

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "ApprovalOpinion" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 7 }

// Options is the schema of the type's own options: it has none.
func (Type) Options() []byte { return options }

// The columns of the child table. The name of a node is kept as it was then, in all its languages.
const (
	nodeName  = "nodeName"
	nodeNames = "nodeName_i18n" // JSON by locale; empty = none but nodeName
	user      = "user"
	userName  = "userName"
	result    = "result"
	rule      = "rule"
	opinion   = "opinion"
	at        = "time"
)

type opinions struct {
	code  string
	users string // code of the model of people
	zone  *time.Location
}

var _ interface {
	property.Property
	property.Referrer
	property.Filterer
	property.Aggregator
	property.Nester
	property.Gatherer
	property.OpinionKeeper
	property.Limiter
	property.Exported
} = opinions{}

// Compile makes a field.
func (Type) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	return opinions{code: d.Code, users: s.SystemModels().User, zone: s.Zone()}, nil
}

// Export: opinions belong to the course of a workflow, and are given as texts to the caller for them.
func (opinions) Export() property.Export { return property.ExportAsked }

func (opinions) Kind() plan.Kind { return plan.Rows }

func (opinions) Columns() []plan.Column { return nil }

func (p opinions) Nested() property.Nested {
	of := func(name string, k plan.Kind) plan.Column { return plan.Column{Name: name, Property: p.code, Kind: k} }
	return property.Nested{Columns: []plan.Column{of(nodeName, plan.Text), of(user, plan.ID), of(result, plan.Text), of(opinion, plan.Text), of(at, plan.Instant),
		of(nodeNames, plan.Text), of(rule, plan.Text), of(userName, plan.Text)}}
}

// Keep gives the cells of a row, in the order of Nested.
func (opinions) Keep(o property.Opinion) []any {
	names := ""
	if len(o.Node.I18n) > 0 {
		text, err := json.Marshal(o.Node.I18n)
		if err != nil { // of texts alone
			panic(err)
		}
		names = string(text)
	}
	return []any{orNil(o.Node.Zh), orNil(o.User), orNil(o.Result), orNil(o.Text), o.Time.UTC().Truncate(time.Millisecond), orNil(names), orNil(o.Rule), orNil(o.Name)}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Gather makes the value, a []property.Opinion, of the cells that Keep has given. What was said after then is left out.
func (opinions) Gather(rows [][]any, then time.Time) any {
	var out []property.Opinion
	for _, row := range rows {
		text := func(i int) string { s, _ := row[i].(string); return s }
		o := property.Opinion{Node: plan.Label{Zh: text(0)}, User: text(1), Result: text(2), Text: text(3), Rule: text(6), Name: text(7)}
		if o.Time, _ = row[4].(time.Time); !then.IsZero() && o.Time.After(then) {
			continue
		}
		if names := text(5); names != "" && json.Unmarshal([]byte(names), &o.Node.I18n) != nil {
			o.Node.I18n = nil
		}
		out = append(out, o)
	}
	if out == nil {
		return nil
	}
	return out
}

// Parse refuses all but nothing: a record never writes opinions.
func (opinions) Parse(in any) (any, error) {
	switch x := in.(type) {
	case nil:
		return nil, nil
	case []property.Opinion:
		return x, nil
	case string:
		if x == "" {
			return nil, nil
		}
	case []any:
		if len(x) == 0 {
			return nil, nil
		}
	}
	return nil, property.Refuse(fault.FieldType)
}

func (opinions) Store(any) []any { return nil }

func (opinions) Load([]any) any { return nil }

func (p opinions) Refs(v any) []plan.Ref {
	rows, _ := v.([]property.Opinion)
	var out []plan.Ref
	for _, o := range rows {
		if o.User != "" {
			out = append(out, plan.Ref{Model: p.users, ID: o.User})
		}
	}
	return out
}

func (p opinions) name(o property.Opinion, n property.Names) string {
	if o.User == "" {
		return ""
	}
	if n == nil {
		return o.Name
	}
	if named, _ := n.Name(plan.Ref{Model: p.users, ID: o.User}); named.Name != "" {
		return named.Name
	}
	return o.Name
}

// AppendJSON appends [{"nodeName","nodeName_i18n","user","result","rule","opinion","time"}]; user is a name, result what was done.
func (p opinions) AppendJSON(dst []byte, v any, n property.Names) []byte {
	rows, _ := v.([]property.Opinion)
	if len(rows) == 0 {
		return append(dst, "null"...)
	}
	for i, o := range rows {
		sep := byte('[')
		if i > 0 {
			sep = ','
		}
		dst = append(dst, sep)
		dst = property.AppendQuoted(append(dst, `{"nodeName":`...), o.Node.Zh)
		dst = append(dst, `,"nodeName_i18n":{`...)
		for k, locale := range slices.Sorted(maps.Keys(o.Node.I18n)) {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = property.AppendQuoted(append(property.AppendQuoted(dst, locale), ':'), o.Node.I18n[locale])
		}
		dst = property.AppendQuoted(append(dst, `},"user":`...), p.name(o, n))
		dst = property.AppendQuoted(append(dst, `,"result":`...), o.Result)
		dst = property.AppendQuoted(append(dst, `,"rule":`...), o.Rule)
		dst = property.AppendQuoted(append(dst, `,"opinion":`...), o.Text)
		dst = append(o.Time.UTC().AppendFormat(append(dst, `,"time":"`...), "2006-01-02T15:04:05.000Z"), `"}`...)
	}
	return append(dst, ']')
}

// result is what was done, in words.
func (p opinions) result(o property.Opinion, locale string) string {
	words := flow.Operation(o.Result).Label().In(locale)
	switch {
	case o.Rule == "" || words == "":
		return words
	case locale == "zh":
		return words + "（自动）"
	}
	return words + " (automatic)"
}

// Text is one line an opinion: where, who, result, words, when. Words of several lines stand in one.
func (p opinions) Text(v any, c property.TextContext) string {
	rows, _ := v.([]property.Opinion)
	zone := c.Zone
	if zone == nil {
		zone = p.zone
	}
	var lines []string
	for _, o := range rows {
		var parts []string
		words := strings.Join(strings.Fields(o.Text), " ")
		for _, s := range []string{o.Node.In(c.Locale), p.name(o, c.Names), p.result(o, c.Locale), words, o.Time.In(zone).Format("2006-01-02 15:04")} {
			if s != "" {
				parts = append(parts, s)
			}
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, "\n")
}

func (opinions) Operators() []plan.Op { return operand.C() }

func (opinions) DefaultOperator() plan.Op { return plan.Contains }

// Filter looks into the words of the opinions. Equal: there are such words, and no others.
func (p opinions) Filter(op plan.Op, given any, _ func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	words := &plan.Field{Column: opinion, K: plan.Text}
	some := func(where plan.Expr) plan.Expr { return &plan.AnyRow{Sheet: p.code, Where: where} }
	if op == plan.OpIsNull {
		return plan.Negate(some(plan.True)), nil
	}
	where, err := operand.Written(op, given, words, strings.TrimSpace)
	if err != nil {
		return nil, err
	}
	if op == plan.Equal {
		others := plan.AllOf(plan.Negate(&plan.IsNull{X: words}), plan.Negate(where))
		return plan.AllOf(some(where), plan.Negate(some(others))), nil
	}
	return some(where), nil
}

func (opinions) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

func (opinions) FormSchema() map[string]any { return map[string]any{"type": "array", "readOnly": true} }

func (opinions) FormOptions() map[string]any { return map[string]any{} }
