package operand

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Span is what one given value stands for: the values from First to Last. A point has First alone. Open excludes Last.
type Span struct {
	First, Last any
	Open        bool
}

// Point is the span of one value.
func Point(v any) Span { return Span{First: v} }

// Ordered compiles the operators of group N, and those of B, for values that compare. read gives what a text stands for.
func Ordered(op plan.Op, operand any, x plan.Expr, read func(string) (Span, error)) (plan.Expr, error) {
	if !slices.Contains(groupN, op) {
		return nil, NotAllowed(op)
	}
	switch op {
	case plan.OpIsNull:
		return &plan.IsNull{X: x}, nil
	case plan.Between:
		return between(operand, x, read)
	}
	word, err := One(operand)
	if err != nil {
		return nil, err
	}
	s, err := read(word)
	if err != nil {
		return nil, Refused(operand)
	}
	switch op {
	case plan.Equal:
		if s.Last == nil {
			return compare(plan.EQ, x, s.First), nil
		}
		return plan.AllOf(compare(plan.GE, x, s.First), s.upTo(x)), nil
	case plan.GreaterThan:
		return s.beyond(x), nil
	case plan.LessThan:
		return compare(plan.LT, x, s.First), nil
	case plan.GreaterThanOrEqual:
		return compare(plan.GE, x, s.First), nil
	case plan.LessThanOrEqual:
		return s.upTo(x), nil
	}
	return nil, NotAllowed(op)
}

func between(operand any, x plan.Expr, read func(string) (Span, error)) (plan.Expr, error) {
	from, to, err := Range(operand)
	if err != nil {
		return nil, err
	}
	var of []plan.Expr
	if from != "" {
		s, err := read(from)
		if err != nil {
			return nil, Refused(operand)
		}
		of = append(of, compare(plan.GE, x, s.First))
	}
	if to != "" {
		s, err := read(to)
		if err != nil {
			return nil, Refused(operand)
		}
		of = append(of, s.upTo(x))
	}
	return plan.AllOf(of...), nil
}

func (s Span) upTo(x plan.Expr) plan.Expr {
	switch {
	case s.Last == nil:
		return compare(plan.LE, x, s.First)
	case s.Open:
		return compare(plan.LT, x, s.Last)
	}
	return compare(plan.LE, x, s.Last)
}

func (s Span) beyond(x plan.Expr) plan.Expr {
	switch {
	case s.Last == nil:
		return compare(plan.GT, x, s.First)
	case s.Open:
		return compare(plan.GE, x, s.Last)
	}
	return compare(plan.GT, x, s.Last)
}

func compare(op plan.CompareOp, x plan.Expr, v any) plan.Expr {
	return &plan.Compare{Op: op, A: x, B: &plan.Const{K: x.Kind(), Value: v}}
}

// Written compiles the operators of group C for a text: the whole text, or a part of it without regard to case.
// normal brings the given text into the stored form.
func Written(op plan.Op, operand any, x plan.Expr, normal func(string) string) (plan.Expr, error) {
	switch op {
	case plan.OpIsNull:
		return &plan.IsNull{X: x}, nil
	case plan.Equal, plan.Contains:
	default:
		return nil, NotAllowed(op)
	}
	text, err := Text(operand)
	if err != nil {
		return nil, err
	}
	text = normal(text)
	if op == plan.Equal {
		return compare(plan.EQ, x, text), nil
	}
	pattern, err := Part(text)
	if err != nil {
		return nil, err
	}
	return &plan.Match{X: x, Pattern: pattern}, nil
}

// maxPart bounds a text that is searched for in others, in characters; the store takes no longer one.
const maxPart = 200

// Part is a text to look for in others.
func Part(text string) (*plan.Const, error) {
	if utf8.RuneCountInString(text) > maxPart {
		return nil, Refused(text)
	}
	return &plan.Const{K: plan.Text, Value: text}, nil
}

// setOps are the operators that compare two sets (documents.md section 9).
var setOps = map[plan.Op]plan.SetOp{plan.Equal: plan.SetEqual, plan.Contains: plan.SetIntersects, plan.Have: plan.SetHas, plan.In: plan.SetWithin}

// Members compiles the operators of groups B, C and P for a set, or for one value as a set of one. normal checks and
// normalises each given member; nil keeps them.
func Members(op plan.Op, operand any, x plan.Expr, normal func(string) (string, bool)) (plan.Expr, error) {
	if op == plan.OpIsNull {
		return &plan.IsNull{X: x}, nil
	}
	set, compares := setOps[op]
	if !compares && op != plan.Of {
		return nil, NotAllowed(op)
	}
	words, ok := Words(operand)
	if !ok || len(words) == 0 {
		return nil, Refused(operand)
	}
	if normal != nil {
		for i, w := range words {
			if words[i], ok = normal(w); !ok {
				return nil, Refused(operand)
			}
		}
	}
	given := &plan.Const{K: plan.Set, Value: words}
	if op == plan.Of {
		return &plan.Belongs{X: x, Departments: given}, nil
	}
	if set == plan.SetEqual && len(words) == 1 && x.Kind() != plan.Set {
		return compare(plan.EQ, x, words[0]), nil
	}
	return &plan.InSet{Op: set, F: x, G: given}, nil
}
