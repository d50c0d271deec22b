package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// call writes a function of engine/expression, for formulas that are computed when they are read. What one database lacks it says in
// its own words (grammar.call); where the evaluator refuses an argument, the value is empty.
func (s *scope) call(dst []byte, x *plan.Call) []byte {
	switch x.Fn {
	case "among", "between":
		dst = s.cond(append(dst, "(("...), comparisons(x), true)
		return append(dst, ") IS TRUE)"...)
	case "coalesce":
		dst = append(dst, "COALESCE("...)
		for i, a := range x.Args {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = s.operand(dst, a, x.K)
		}
		return append(dst, ')')
	}
	if word := expression.MemoryOnly(&plan.Call{Fn: x.Fn, Args: x.Args, K: x.K}); word != "" {
		s.fail("function %s runs in memory only; engine/expression.Bind computes what is constant", x.Fn)
		return dst
	}
	return s.w.call(s, dst, x)
}

// comparisons are the calls among(x, a, ...) and between(x, a, b) as conditions.
func comparisons(x *plan.Call) plan.Expr {
	compare := func(op plan.CompareOp, to plan.Expr) plan.Expr { return &plan.Compare{Op: op, A: x.Args[0], B: to} }
	if x.Fn == "between" {
		return plan.AllOf(compare(plan.GE, x.Args[1]), compare(plan.LE, x.Args[2]))
	}
	var of []plan.Expr
	for _, a := range x.Args[1:] {
		of = append(of, compare(plan.EQ, a))
	}
	return plan.AnyOf(of...)
}

// call asks the evaluator itself: SQLite runs in this process. The first argument tells the function and the kinds of its result and
// of its values.
func (sqliteGrammar) call(s *scope, dst []byte, x *plan.Call) []byte {
	if x.Fn == expression.Step {
		if out, ok := sqliteStep(s, dst, x); ok {
			return out
		}
	}
	kinds := []string{x.Fn, x.K.String()}
	for _, a := range x.Args {
		kinds = append(kinds, a.Kind().String())
	}
	dst = append(dst, "fx('"+strings.Join(kinds, " ")+"'"...)
	for _, a := range x.Args {
		dst = s.value(append(dst, ", "...), a)
	}
	return append(dst, ')')
}

// sqliteStep cuts a day by functions of SQLite: the evaluator would be called for each row of a table. ok is false for a step that is computed.
func sqliteStep(s *scope, dst []byte, x *plan.Call) (out []byte, ok bool) {
	step, ok := x.Args[1].(*plan.Const)
	if !ok {
		return dst, false
	}
	day := func() { dst = s.value(dst, x.Args[0]) }
	put := func(text string) { dst = append(dst, text...) }
	switch step.Value {
	case "day":
		day()
	case "week":
		put("date(")
		day()
		put(", '-6 days', 'weekday 1')")
	case "month", "year":
		put("(substr(")
		day()
		put(map[any]string{"month": ", 1, 7) || '-01')", "year": ", 1, 4) || '-01-01')"}[step.Value])
	case "quarter":
		put("(substr(")
		day()
		put(", 1, 5) || substr('010101040404070707101010', 2 * substr(")
		day()
		put(", 6, 2) - 1, 2) || '-01')")
	default:
		return dst, false
	}
	return dst, true
}

var kindByName = func() map[string]plan.Kind {
	out := map[string]plan.Kind{}
	for k := plan.None; k <= plan.Rows; k++ {
		out[k.String()] = k
	}
	return out
}()

// registerCalls adds the function fx of sqliteGrammar.call.
func registerCalls() error {
	return sqlite.RegisterFunction("fx", &sqlite.FunctionImpl{
		NArgs: -1, Deterministic: true, VolatileArgs: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			what, _ := args[0].(string)
			kinds := strings.Split(what, " ")
			if len(kinds) != len(args)+1 {
				return nil, fmt.Errorf("fx %q of %d values", what, len(args)-1)
			}
			values := make([]any, len(args)-1)
			for i, a := range args[1:] {
				v, err := sqliteGrammar{}.decode(kindByName[kinds[i+2]], a)
				if err != nil {
					return nil, fmt.Errorf("fx %s: %w", what, err)
				}
				values[i] = v
			}
			v, err := expression.Call(kinds[0], values)
			switch {
			case errors.Is(err, expression.ErrArgument), errors.Is(err, expression.ErrOverflow):
				return nil, nil
			case err != nil:
				return nil, fmt.Errorf("fx %s: %w", what, err)
			}
			return sqliteGrammar{}.encode(kindByName[kinds[1]], v)
		},
	})
}

// call writes each function with those of PostgreSQL. What the evaluator refuses is empty here too.
func (g postgresGrammar) call(s *scope, dst []byte, x *plan.Call) []byte {
	arg := func(i int) string { return string(s.operand(nil, x.Args[i], kindOfNumber(x.Args[i]))) }
	put := func(format string, a ...any) []byte { return fmt.Appendf(dst, format, a...) }
	switch x.Fn {
	case "days":
		return put("((%s) - (%s))::numeric", arg(1), arg(0))
	case "addDays":
		// Each part is tested before the next one is computed: a date has no place for any number of days.
		day, n := arg(0), arg(1)
		return put("(CASE WHEN abs(%[2]s) <= 3700000 THEN CASE WHEN (%[1]s) + trunc(%[2]s)::int BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN (%[1]s) + trunc(%[2]s)::int END END)", day, n)
	case "date":
		return put("((%s) AT TIME ZONE %s)::date", arg(0), arg(1))
	case "dayStart":
		return put("(((%s) + (%s)::int)::timestamp AT TIME ZONE %s)", arg(0), arg(2), arg(1))
	case "year", "month", "day":
		return put("extract(%s FROM (%s))::numeric", x.Fn, arg(0))
	case "hour":
		if x.Args[0].Kind() == plan.Clock {
			return put("substr(%s, 1, 2)::numeric", arg(0))
		}
		return put("extract(hour FROM (%s) AT TIME ZONE %s)::numeric", arg(0), arg(1))
	case expression.Step:
		// date_trunc with a word that is none of its own fails; the words are those of Step, all of which it knows.
		return put("date_trunc(%s, (%s)::timestamp)::date", arg(1), arg(0))
	case "abs":
		return put("abs(%s)", arg(0))
	case "round":
		if len(x.Args) == 1 {
			return put("round(%s, 0)", arg(0))
		}
		return put("round(%[1]s, CASE WHEN %[2]s BETWEEN -16 AND 16 AND %[2]s = trunc(%[2]s) THEN (%[2]s)::int END)", arg(0), arg(1))
	case expression.Fit:
		return put("(CASE WHEN abs(round(%[1]s, (%[2]s)::int)) < 10000000000000000 THEN round(%[1]s, (%[2]s)::int) END)", arg(0), arg(1))
	case "min", "max":
		name := map[string]string{"min": "LEAST", "max": "GREATEST"}[x.Fn]
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = string(s.operand(nil, a, x.K))
			if x.K == plan.Clock {
				args[i] += g.collate()
			}
		}
		return put("%s(%s)", name, strings.Join(args, ", "))
	case "length":
		return put("COALESCE(char_length(%s), 0)::numeric", arg(0))
	case "text":
		return append(append(append(dst, "NULLIF("...), g.text(arg(0), x.Args[0].Kind())...), ", '')"...)
	case "concat":
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = g.text(string(s.value(nil, a)), a.Kind())
		}
		return put("NULLIF(concat(%s), '')", strings.Join(args, ", "))
	}
	s.fail("function %s has no form in SQL", x.Fn)
	return dst
}

func (sqliteGrammar) null(plan.Kind) string { return "NULL" }

// null has a type, as functions of several types are called by those of their arguments.
func (postgresGrammar) null(k plan.Kind) string {
	if cast := postgresCast[k]; cast != "" && k != plan.Rows {
		return "NULL::" + cast
	}
	return "NULL"
}

// kindOfNumber makes decimals of whole numbers, which functions of numbers take.
func kindOfNumber(e plan.Expr) plan.Kind {
	if e.Kind() == plan.Int {
		return plan.Number
	}
	return e.Kind()
}

// text writes a value as expression.Text does.
func (postgresGrammar) text(x string, k plan.Kind) string {
	switch {
	case k == plan.Number:
		return "trim_scale(" + x + ")::text"
	case k == plan.Date:
		return "to_char(" + x + ", 'YYYY-MM-DD')"
	case k == plan.Instant:
		return "to_char((" + x + ") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
	case slices.Contains([]plan.Kind{plan.Bool, plan.Int}, k):
		return "(" + x + ")::text"
	}
	return x
}
