package expression

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// ErrArgument: an argument is outside of what its function takes.
var ErrArgument = errors.New("argument out of range")

// call evaluates a plan.Call. Functions of one value are empty when an argument is.
func (v evaluator) call(x *plan.Call) (any, error) {
	args := make([]any, len(x.Args))
	missing := false
	for i, a := range x.Args {
		value, err := v.value(a)
		if err != nil {
			return nil, err
		}
		if value != nil && x.Fn == "coalesce" {
			return value, nil
		}
		args[i] = value
		missing = missing || value == nil
	}
	if x.Own != nil {
		return x.Own.Eval(args)
	}
	return apply(x.Fn, args, missing)
}

// Call computes a function of constants: what databases that have no form of their own for it ask for. nil is empty.
func Call(fn string, args []any) (any, error) {
	missing := false
	for _, a := range args {
		if a != nil && fn == "coalesce" {
			return a, nil
		}
		missing = missing || a == nil
	}
	return apply(fn, args, missing)
}

func apply(fn string, args []any, missing bool) (any, error) {
	switch fn {
	case "coalesce":
		return nil, nil
	case "concat":
		return join(args), nil
	case "set":
		return toSet(args)
	case "min", "max":
		return extreme(fn, args)
	case "length":
		return length(args[0]), nil
	case "among":
		return among(args)
	case "between":
		if missing {
			return false, nil
		}
		return between(args)
	}
	if missing {
		return nil, nil
	}
	f, ok := calls[fn]
	if !ok {
		return nil, fmt.Errorf("function %q", fn)
	}
	return f(args)
}

// calls are the functions of values that are all present.
var calls = map[string]func(args []any) (any, error){
	"abs":       number(func(d decimal.Decimal) decimal.Decimal { return d.Abs() }),
	"round":     round,
	"upper":     text(func(s string) string { return strings.Map(unicode.ToUpper, s) }),
	"lower":     text(func(s string) string { return strings.Map(unicode.ToLower, s) }),
	"trim":      text(strings.TrimSpace),
	"codeOrder": text(CodeOrder),
	"text":      func(args []any) (any, error) { return orNil(Text(args[0])), nil },
	"number": func(args []any) (any, error) {
		s, _ := args[0].(string)
		if d, ok := parseNumber(strings.TrimSpace(s)); ok {
			return d, nil
		}
		return nil, nil
	},
	"year":  datePart(func(t time.Time) int { return t.Year() }),
	"month": datePart(func(t time.Time) int { return int(t.Month()) }),
	"day":   datePart(func(t time.Time) int { return t.Day() }),
	"days": func(args []any) (any, error) {
		a, errA := parseDate(args[0])
		b, errB := parseDate(args[1])
		return decimal.NewFromInt(int64(b.Sub(a) / (24 * time.Hour))), errors.Join(errA, errB)
	},
	"addDays":  addDays,
	"hour":     hour,
	"date":     dateOf,
	"dayStart": startOfDay,
	Fit:        fitStored,
	Step:       func(args []any) (any, error) { return stepStart(args[0].(string), args[1].(string)) },
}

// Step is the function of a date and a word (year, quarter, month, week, day) that gives the first day of the step that the date is in. Weeks
// begin on Monday (ISO 8601). Only reports use it: no text of an author names it.
const Step = "step"

func stepStart(day, step string) (any, error) {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, ErrArgument
	}
	switch step {
	case "year":
		return day[:5] + "01-01", nil
	case "quarter":
		return fmt.Sprintf("%s%02d-01", day[:5], (int(at.Month())-1)/3*3+1), nil
	case "month":
		return day[:8] + "01", nil
	case "week":
		return at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly), nil
	case "day":
		return day, nil
	}
	return nil, ErrArgument
}

// Fit is the function of two numbers that makes of the first what a property with that many fraction digits stores; empty when it
// is too large for any. Only plans use it.
const Fit = "fit"

// storedLimit bounds what a property stores: 16 integer digits.
var storedLimit = decimal.New(1, 16)

func fitStored(args []any) (any, error) {
	d, ok := decimalOf(args[0])
	n, whole := args[1].(int64)
	if !ok || !whole {
		return nil, ErrArgument
	}
	if d = d.Round(int32(n)); d.Abs().GreaterThanOrEqual(storedLimit) {
		return nil, nil
	}
	return d, nil
}

func number(f func(decimal.Decimal) decimal.Decimal) func([]any) (any, error) {
	return func(args []any) (any, error) {
		d, ok := decimalOf(args[0])
		if !ok {
			return nil, ErrArgument
		}
		return f(d), nil
	}
}

func text(f func(string) string) func([]any) (any, error) {
	return func(args []any) (any, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, ErrArgument
		}
		return orNil(f(s)), nil
	}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func round(args []any) (any, error) {
	d, ok := decimalOf(args[0])
	places := int64(0)
	if len(args) > 1 {
		n, isNumber := decimalOf(args[1])
		ok = ok && isNumber && n.IsInteger() && n.Abs().LessThanOrEqual(decimal.NewFromInt(fractionDigits))
		places = n.IntPart()
	}
	if !ok {
		return nil, ErrArgument
	}
	return fit(d.Round(int32(places)))
}

func parseDate(v any) (time.Time, error) {
	s, _ := v.(string)
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, ErrArgument
	}
	return t, nil
}

func datePart(part func(time.Time) int) func([]any) (any, error) {
	return func(args []any) (any, error) {
		t, err := parseDate(args[0])
		if err != nil {
			return nil, err
		}
		return decimal.NewFromInt(int64(part(t))), nil
	}
}

// maxDays bounds addDays: some 10,000 years.
const maxDays = 3_700_000

func addDays(args []any) (any, error) {
	t, err := parseDate(args[0])
	n, ok := decimalOf(args[1])
	if err != nil || !ok || n.Abs().GreaterThan(decimal.NewFromInt(maxDays)) {
		return nil, ErrArgument
	}
	t = t.AddDate(0, 0, int(n.Truncate(0).IntPart()))
	if t.Year() < 0 || t.Year() > 9999 {
		return nil, ErrArgument
	}
	return t.Format(time.DateOnly), nil
}

// inZone is an instant in the zone that a call names.
func inZone(v, zone any) (time.Time, error) {
	t, ok := v.(time.Time)
	name, _ := zone.(string)
	z, err := location(name)
	if !ok || err != nil {
		return t, ErrArgument
	}
	return t.In(z), nil
}

// zones are the time zones that were asked for: one, as a rule, and reading its file for every value costs too much.
var zones sync.Map // name -> *time.Location

func location(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(strings.Clone(name), z) // SQLite calls with texts of its own memory, which it uses again
	}
	return z, err
}

func hour(args []any) (any, error) {
	if s, ok := args[0].(string); ok {
		if len(s) != 8 {
			return nil, ErrArgument
		}
		h, err := strconv.Atoi(s[:2])
		if err != nil {
			return nil, ErrArgument
		}
		return decimal.NewFromInt(int64(h)), nil
	}
	if len(args) < 2 {
		return nil, ErrArgument
	}
	t, err := inZone(args[0], args[1])
	return decimal.NewFromInt(int64(t.Hour())), err
}

func dateOf(args []any) (any, error) {
	t, err := inZone(args[0], args[1])
	if err != nil {
		return nil, err
	}
	return t.Format(time.DateOnly), nil
}

func startOfDay(args []any) (any, error) {
	t, err := parseDate(args[0])
	if err != nil {
		return nil, err
	}
	name, _ := args[1].(string)
	z, err := location(name)
	n, ok := args[2].(int64)
	if err != nil || !ok {
		return nil, ErrArgument
	}
	return time.Date(t.Year(), t.Month(), t.Day()+int(n), 0, 0, 0, 0, z).UTC(), nil
}

func join(args []any) any {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(Text(a))
	}
	return orNil(b.String())
}

func toSet(args []any) (any, error) {
	var out []string
	for _, a := range args {
		m, err := members(a)
		if err != nil {
			return nil, err
		}
		for _, s := range m {
			if !contains(out, s) {
				out = append(out, s)
			}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

func extreme(fn string, args []any) (any, error) {
	var out any
	for _, a := range args {
		if a == nil {
			continue
		}
		if n, ok := decimalOf(a); ok {
			a = n
		}
		if out == nil {
			out = a
			continue
		}
		n, err := order(a, out)
		if err != nil {
			return nil, err
		}
		if fn == "min" && n < 0 || fn == "max" && n > 0 {
			out = a
		}
	}
	return out, nil
}

func length(v any) any {
	n := 0
	switch x := v.(type) {
	case string:
		n = utf8.RuneCountInString(x)
	case []string:
		n = len(x)
	}
	return decimal.NewFromInt(int64(n))
}

func among(args []any) (any, error) {
	for _, a := range args[1:] {
		if args[0] == nil || a == nil {
			continue
		}
		if n, err := order(args[0], a); err != nil || n == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

func between(args []any) (any, error) {
	low, err := order(args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := order(args[0], args[2])
	return low >= 0 && high <= 0, err
}
