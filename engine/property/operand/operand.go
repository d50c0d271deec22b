// Package operand reads the operands of list filters (text "a;b", number, bool, array) and compiles the operators of
// documents.md section 9 for ordered values, texts and sets. It holds the operator groups B, C, N and P of that table.
package operand

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// The operator groups of documents.md section 9.
var (
	groupB = []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull}
	groupC = append(slices.Clone(groupB), plan.Contains, plan.NotContains)
	groupN = append(slices.Clone(groupB), plan.GreaterThan, plan.LessThan, plan.GreaterThanOrEqual, plan.LessThanOrEqual,
		plan.Between, plan.NotBetween)
	groupP = append(slices.Clone(groupC), plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave)
)

// B are the operators of relations.
func B() []plan.Op { return slices.Clone(groupB) }

// C are the operators of texts and choices.
func C() []plan.Op { return slices.Clone(groupC) }

// N are the operators of numbers and dates.
func N() []plan.Op { return slices.Clone(groupN) }

// P are the operators of people and departments.
func P() []plan.Op { return slices.Clone(groupP) }

// Refused is the error of an operand that the operator cannot use.
func Refused(v any) error { return property.Refuse(fault.FilterValue, Word(v)) }

// NotAllowed is the error of an operator that the type does not have.
func NotAllowed(op plan.Op) error { return property.Refuse(fault.OperatorNotAllowed, string(op)) }

// Word is a scalar operand as text; "" for everything else. An object counts by its "id", as people are sent.
func Word(v any) string {
	switch x := v.(type) {
	case string:
		return strings.TrimSpace(x)
	case json.Number:
		return x.String()
	case bool:
		return strconv.FormatBool(x)
	case map[string]any:
		return Word(x["id"])
	case []any:
		if len(x) == 1 {
			return Word(x[0])
		}
	}
	return ""
}

// One reads an operand that is a single value.
func One(v any) (string, error) {
	w := Word(v)
	if w == "" {
		return "", Refused(v)
	}
	return w, nil
}

// Text reads an operand that is a text to look for, blanks kept.
func Text(v any) (string, error) {
	if s, ok := v.(string); ok && s != "" {
		return s, nil
	}
	return One(v)
}

// Words splits an operand, or a value as it is written, into its members: "a;b", an array, or one scalar. Order is kept,
// repeats and empty members fall away. ok is false for what is no list of words.
func Words(v any) (words []string, ok bool) {
	var parts []string
	switch x := v.(type) {
	case nil:
	case string:
		parts = strings.Split(x, ";")
	case []string:
		parts = x
	case []any:
		for _, e := range x {
			w := Word(e)
			if w == "" && e != nil && e != "" {
				return nil, false
			}
			parts = append(parts, w)
		}
	default:
		w := Word(v)
		if w == "" {
			return nil, false
		}
		parts = []string{w}
	}
	seen := map[string]bool{}
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p != "" && !seen[p] {
			seen[p] = true
			words = append(words, p)
		}
	}
	return words, true
}

// Range reads "a;b" or [a, b]; an empty side is open and "", but not both.
func Range(v any) (from, to string, err error) {
	switch x := v.(type) {
	case string:
		a, b, ok := strings.Cut(x, ";")
		if !ok || strings.Contains(b, ";") {
			return "", "", Refused(v)
		}
		from, to = strings.TrimSpace(a), strings.TrimSpace(b)
	case []any:
		if len(x) != 2 {
			return "", "", Refused(v)
		}
		from, to = Word(x[0]), Word(x[1])
	}
	if from == "" && to == "" {
		return "", "", Refused(v)
	}
	return from, to, nil
}
