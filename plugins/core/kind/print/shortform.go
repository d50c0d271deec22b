package print

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// How a text of the old form is told from an expression.

// wordForm are the operators of expressions that are words, and operandForm is what is between signs.
var (
	wordForm    = regexp.MustCompile(`(?:^|\s)(?:and|or|not|in|contains|startsWith)\s`)
	operandForm = regexp.MustCompile(`[\pL_][\pL\pN_.]*|\d+(?:\.\d+)?`)
)

// unreadable are the problems of texts that are no expressions: of syntax, and "=".
var unreadable = []string{"EXPR001", "EXPR017"}

// readFormula reads a text of the old form; nil when it is an expression, or empty.
func readFormula(m *catalog.Model, text string) *formula {
	if strings.TrimSpace(text) == "" || m == nil {
		return nil
	}
	f := split(text)
	whole, some, bare, beyond := true, false, false, false
	for i := range f.of {
		one := &f.of[i]
		one.read(m)
		whole = whole && one.op != ""
		some = some || one.op != "" && one.path != ""
		bare = bare || one.label != "" && one.named
		if one.op == "" || one.value == "" || one.quoted {
			continue
		}
		beyond = beyond || composed(m, one.value)
		bare = bare || !plainForm.MatchString(one.value) && !named(m, one.value) && !strings.ContainsAny(one.value, "('[")
	}
	_, problems := expression.Compile(text, expression.Env{}, plan.Bool)
	if len(problems) == 0 || !slices.Contains(unreadable, problems[0].Code) { // it can be read as an expression
		if whole && bare && !beyond && f.mixed < 0 {
			return f
		}
		return nil
	}
	if some {
		return f
	}
	return nil
}

// composed reports whether what follows an operator goes on as an expression, by a word or sign of the language: `0 or cost > 0`, `cost - 5`. A
// date does not, and neither do names that nothing here has, K0+100.
func composed(m *catalog.Model, value string) bool {
	switch {
	case plainForm.MatchString(value), dayForm.MatchString(value):
		return false
	case strings.ContainsAny(value, `<>=!?`), wordForm.MatchString(value):
		return true
	}
	operands := operandForm.FindAllString(value, -1)
	numbers := len(operands) > 1
	for _, operand := range operands {
		if operand != value && named(m, operand) {
			return true
		}
		numbers = numbers && plainForm.MatchString(operand)
	}
	return numbers
}

// named reports whether a value is a property, as in expressions.
func named(m *catalog.Model, value string) bool {
	first, _, _ := strings.Cut(value, ".")
	return first == "record" || first == "user" || m.Field(first) != nil
}

// split takes the conditions of a text apart.
func split(text string) *formula {
	f := &formula{mixed: -1}
	from, quote, sign := 0, rune(0), ""
	add := func(to int) {
		one := text[from:to]
		trimmed := strings.TrimLeftFunc(one, unicode.IsSpace)
		f.of = append(f.of, condition{text: strings.TrimSpace(one), at: from + len(one) - len(trimmed)})
	}
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.HasPrefix(text[i:], "&&") || strings.HasPrefix(text[i:], "||"):
			if i < from {
				continue
			}
			if found := text[i : i+2]; sign != "" && sign != found && f.mixed < 0 {
				f.mixed = i
			} else if sign == "" {
				sign = found
			}
			add(i)
			from = i + 2
		}
	}
	add(len(text))
	f.any = sign == "||"
	return f
}
