package expression

import (
	"sort"

	"github.com/expr-lang/expr/ast"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Function describes one function of the language; docs/functions.md is written from the table.
type Function struct {
	Name       string
	Signature  string
	Min, Max   int // arguments; Max < 0 = any number
	MemoryOnly bool
	Zh, En     string
	build      func(c *checker, n ast.Node, f *Function, args []operand) operand
}

// Functions lists the functions in the order of docs/functions.md.
func Functions() []Function { return append([]Function(nil), functionTable...) }

var (
	textKinds    = []plan.Kind{plan.Text, plan.Number, plan.Int, plan.Date, plan.Instant, plan.Clock, plan.Bool, plan.ID, plan.Set}
	orderedKinds = []plan.Kind{plan.Number, plan.Int, plan.Date, plan.Instant, plan.Clock}
	dayKinds     = []plan.Kind{plan.Date, plan.Instant}
)

var functionByName = func() map[string]*Function {
	out := make(map[string]*Function, len(functionTable))
	for i := range functionTable {
		out[functionTable[i].Name] = &functionTable[i]
	}
	return out
}()

var functionTable = []Function{
	{"empty", "empty(x)", 1, 1, false, "x 没有值：空文本、空集合、没有行的子表也算", "x has no value; so is an empty text, an empty set, a sub-table without rows", buildEmpty},
	{"between", "between(x, a, b)", 3, 3, false, "a <= x 且 x <= b；a、b 之一为空则不成立", "a <= x and x <= b; false when a or b is empty", buildBetween},
	{"has", "has(set, x)", 2, 2, false, "x 不为空，且 x 的每个值都在集合 set 中", "x is not empty and every value of x is in the set", buildHas},
	{"any", "any(rows, .x > 3)", 2, 2, false, "子表中有一行满足条件；行的数据项写作 .x", "some row of the sub-table satisfies the condition; .x is a property of the row", buildAny},
	{"sum", "sum(rows, .x)", 2, 2, true, "子表各行之和；空值不计，没有值则为空", "sum over the rows; empty values are passed over, no value at all gives empty", buildAggregate(plan.SumSum)},
	{"average", "average(rows, .x)", 2, 2, true, "子表各行的平均值，8 位小数四舍五入；空值不计", "mean over the rows with 8 fraction digits; empty values are passed over", buildAggregate(plan.SumAverage)},
	{"minimum", "minimum(rows, .x)", 2, 2, true, "子表各行的最小值；空值不计", "smallest value of the rows; empty values are passed over", buildAggregate(plan.SumMinimum)},
	{"maximum", "maximum(rows, .x)", 2, 2, true, "子表各行的最大值；空值不计", "largest value of the rows; empty values are passed over", buildAggregate(plan.SumMaximum)},
	{"count", "count(rows), count(rows, .ok)", 1, 2, true, "子表的行数，或满足条件的行数", "number of rows, or of rows that satisfy a condition", buildAggregate(plan.SumCount)},
	{"filter", "sum(filter(rows, .ok), .x)", 2, 2, true, "只取满足条件的行，用作 sum、average、minimum、maximum、count 的第一个参数", "only the rows that satisfy a condition; the first argument of sum, average, minimum, maximum, count", buildFilter},
	{"related", "related('payment', 'contract')", 2, 2, true, "模型 payment 中通过数据项 contract 引用本记录的全部记录，用法同子表行，如 sum(related('payment', 'contract'), .amount)；只用于模型的计算公式", "the records of model payment whose property contract refers to this record, used like rows: sum(related('payment', 'contract'), .amount); only in computed properties of a model", buildRelated},
	{"belongs", "belongs(x, departments)", 2, 2, true, "x 中有人属于 departments 中的部门或其下级，或有部门是它们或在其下；如 belongs(unit, buyer)、belongs(manager, ['部门 id'])；只用于流程的表达式", "some person of x is a member of one of the departments or below, or some department of x is one of them or lies below, as in belongs(unit, buyer); only in expressions of workflows", buildBelongs},
	{"today", "today()", 0, 0, false, "今天的日期", "today's date", buildVar(VarToday, plan.Date)},
	{"now", "now()", 0, 0, false, "当前日期时间", "the present date-time", buildVar(VarNow, plan.Instant)},
	{"date", "date(x)", 1, 1, true, "日期时间 x 所在的日期", "the date of a date-time", buildDay("")},
	{"days", "days(a, b)", 2, 2, true, "从日期 a 到日期 b 的天数，b 早于 a 时为负", "days from date a to date b, negative when b is earlier", buildDays},
	{"addDays", "addDays(x, n)", 2, 2, true, "日期 x 之后第 n 天，n 可为负；结果是日期", "the date n days after x; n may be negative", buildAddDays},
	{"year", "year(x)", 1, 1, true, "年份", "the year", buildDay("year")},
	{"month", "month(x)", 1, 1, true, "月份，1 到 12", "the month, 1 to 12", buildDay("month")},
	{"day", "day(x)", 1, 1, true, "日，1 到 31", "the day of the month, 1 to 31", buildDay("day")},
	{"hour", "hour(x)", 1, 1, true, "小时，0 到 23", "the hour, 0 to 23", buildHour},
	{"round", "round(x), round(x, n)", 1, 2, true, "四舍五入到 n 位小数（缺省 0，-16 到 16），负数按绝对值进位", "x rounded to n fraction digits (0 when missing, -16 to 16), half away from zero", buildPlain(plan.Number, plan.Number)},
	{"abs", "abs(x)", 1, 1, true, "绝对值", "the absolute value", buildPlain(plan.Number, plan.Number)},
	{"min", "min(a, b, ...)", 1, -1, true, "最小的值；空值不计", "the smallest; empty values are passed over", buildExtreme},
	{"max", "max(a, b, ...)", 1, -1, true, "最大的值；空值不计", "the largest; empty values are passed over", buildExtreme},
	{"length", "length(x)", 1, 1, true, "文本的字数，或集合的个数；空值为 0", "characters of a text, or members of a set; 0 when empty", buildLength},
	{"concat", "concat(a, b, ...), a + b", 1, -1, true, "依次连接文本；空值跳过，其他类型先转为文本", "texts joined; empty values are passed over, other kinds become text first", buildConcat},
	{"upper", "upper(x)", 1, 1, true, "转为大写", "in upper case", buildPlain(plan.Text, plan.Text)},
	{"lower", "lower(x)", 1, 1, true, "转为小写", "in lower case", buildPlain(plan.Text, plan.Text)},
	{"trim", "trim(x)", 1, 1, true, "去掉首尾空白", "without white space at both ends", buildPlain(plan.Text, plan.Text)},
	{"codeOrder", "codeOrder(x)", 1, 1, true,
		"用于给编码排序的文本：其中的数字按大小比较，80.2 在 80.10 之前；用作公式，列表以它排序",
		"a text to sort codes by: the numbers in them compare by their value, 80.2 before 80.10; a formula for a property that lists are ordered by",
		buildPlain(plan.Text, plan.Text)},
	{"number", "number(x)", 1, 1, true, "文本转为数字；不是数字则为空", "a text as number; empty when it is none", buildPlain(plan.Number, plan.Text)},
	{"text", "text(x)", 1, 1, true, "任何值转为文本：数字不带分组，日期 yyyy-MM-dd，集合以 ; 连接", "any value as text: numbers without grouping, dates as yyyy-MM-dd, sets joined with ;", buildText},
}

func functionNames() []string {
	var out []string
	for _, f := range functionTable {
		out = append(out, f.Name)
	}
	sort.Strings(out)
	return out
}

// call checks a function call. Row expressions are checked within their function.
func (c *checker) call(n ast.Node, word string, args []ast.Node) operand {
	if word == stand {
		word = c.src.at(n.Location())
	}
	f, ok := functionByName[word]
	if !ok {
		f, ok = c.env.own(word)
	}
	if !ok {
		return c.suggest(n, "EXPR005", word, append(functionNames(), c.env.owned()...))
	}
	if len(args) < f.Min || f.Max >= 0 && len(args) > f.Max {
		return c.problem(n, "EXPR006", f.Signature, len(args))
	}
	var out []operand
	bad := false
	for i, a := range args {
		var o operand
		if p, ok := a.(*ast.PredicateNode); ok && i > 0 {
			o = c.predicate(p, out[0])
		} else {
			o = c.check(a)
		}
		if i == 0 && rowFunctions[f.Name] {
			o = c.records(o)
		}
		bad = bad || o.bad
		out = append(out, o)
	}
	if bad {
		return broken
	}
	return f.build(c, n, f, out)
}

// predicate checks a row expression over the rows of a sub-table.
func (c *checker) predicate(p *ast.PredicateNode, rows operand) operand {
	if rows.bad {
		return rows
	}
	if rows.sheet == nil {
		return c.needs(rows.node, ".", rows.kind(), plan.Rows)
	}
	if c.rows != nil {
		return c.problem(p, "EXPR015", rows.sheet.Code)
	}
	c.rows, c.related = rows.sheet, rows.of != nil
	o := c.check(p.Node)
	c.rows, c.related = nil, false
	return o
}

// function makes a Call and folds it when all is constant. In SQL it must be closed, for Bind computes it beforehand.
func (c *checker) function(n ast.Node, fn string, k plan.Kind, args ...plan.Expr) operand {
	e := &plan.Call{Fn: fn, Args: args, K: k}
	if c.env.SQL && !closed(e) {
		return c.problem(n, "EXPR010", fn)
	}
	return operand{e: fold(e), node: n}
}

func buildPlain(result, arg plan.Kind) func(*checker, ast.Node, *Function, []operand) operand {
	return func(c *checker, n ast.Node, f *Function, args []operand) operand {
		out := make([]plan.Expr, len(args))
		for i, a := range args {
			if a = c.need(a, f.Name, arg); a.bad {
				return a
			}
			out[i] = a.e
		}
		return c.function(n, f.Name, result, out...)
	}
}

func buildVar(name string, k plan.Kind) func(*checker, ast.Node, *Function, []operand) operand {
	return func(*checker, ast.Node, *Function, []operand) operand {
		return operand{e: &plan.Var{Name: name, K: k}}
	}
}

func buildEmpty(_ *checker, _ ast.Node, _ *Function, args []operand) operand {
	return operand{e: isNull(args[0])}
}

func buildBetween(c *checker, n ast.Node, _ *Function, args []operand) operand {
	x, a, b := args[0], args[1], args[2]
	low, high := c.ordered(n, plan.GE, x, a), c.ordered(n, plan.LE, x, b)
	if low.bad || high.bad {
		return broken
	}
	if simple(x.e) {
		return operand{e: plan.AllOf(low.e, high.e)}
	}
	// A computed x is once, so that nested calls do not multiply.
	l, okL := low.e.(*plan.Compare)
	h, okH := high.e.(*plan.Compare)
	if !okL || !okH || l.A.Kind() != x.kind() || h.A.Kind() != x.kind() {
		return c.problem(n, "EXPR008", "between", kindLabels[x.kind()], kindLabels[a.kind()])
	}
	return c.function(n, "between", plan.Bool, l.A, l.B, h.B)
}

func buildHas(c *checker, n ast.Node, _ *Function, args []operand) operand {
	return c.has(n, args[0], args[1])
}

// buildBelongs compiles the operator Of of lists. What belongs where changes without a write to the record, so nothing that is stored or runs as SQL asks.
func buildBelongs(c *checker, n ast.Node, f *Function, args []operand) operand {
	if !c.env.Organization {
		return c.problem(n, "EXPR025", f.Name)
	}
	x, in := c.need(args[0], f.Name, plan.Set, plan.ID), c.need(args[1], f.Name, plan.Set, plan.ID)
	if x.bad || in.bad {
		return broken
	}
	return operand{e: &plan.Belongs{X: asSet(x.e), Departments: asSet(in.e)}}
}

func buildAny(c *checker, n ast.Node, f *Function, args []operand) operand {
	if args[0].sheet == nil {
		return c.needs(n, f.Name, args[0].kind(), plan.Rows)
	}
	where := c.need(args[1], f.Name, plan.Bool)
	if where.bad {
		return where
	}
	all := plan.AllOf(args[0].where, where.e)
	if of := args[0].of; of != nil {
		return operand{e: someOf(of, all)}
	}
	return operand{e: &plan.AnyRow{Sheet: args[0].sheet.Code, Where: all}}
}

func buildFilter(c *checker, n ast.Node, f *Function, args []operand) operand {
	if args[0].sheet == nil {
		return c.needs(n, f.Name, args[0].kind(), plan.Rows)
	}
	where := c.need(args[1], f.Name, plan.Bool)
	if where.bad {
		return where
	}
	return operand{sheet: args[0].sheet, of: args[0].of, where: plan.AllOf(args[0].where, where.e)}
}

func buildAggregate(fn plan.Sum) func(*checker, ast.Node, *Function, []operand) operand {
	return func(c *checker, n ast.Node, f *Function, args []operand) operand {
		rows := args[0]
		if rows.sheet == nil {
			return c.needs(n, f.Name, rows.kind(), plan.Rows)
		}
		if c.env.SQL {
			return c.problem(n, "EXPR010", f.Name)
		}
		a := &plan.Aggregate{Fn: fn, Sheet: rows.sheet.Code, Where: rows.where}
		if rows.of != nil {
			a.Sheet, a.Of = "", rows.of
		}
		if len(args) == 1 {
			return operand{e: a}
		}
		var x operand
		switch fn {
		case plan.SumCount:
			if x = c.need(args[1], f.Name, plan.Bool); !x.bad {
				a.Where = plan.AllOf(a.Where, x.e)
			}
		case plan.SumSum, plan.SumAverage:
			x = c.need(args[1], f.Name, plan.Number)
			a.X = x.e
		default:
			x = c.need(args[1], f.Name, orderedKinds...)
			a.X = x.e
		}
		if x.bad {
			return x
		}
		return operand{e: a}
	}
}

// asDate turns a date-time into its date.
func (c *checker) asDate(n ast.Node, by string, o operand) operand {
	if o = c.need(o, by, dayKinds...); o.bad || o.kind() == plan.Date {
		return o
	}
	return c.function(n, "date", plan.Date, o.e, c.zone())
}

func buildDay(part string) func(*checker, ast.Node, *Function, []operand) operand {
	return func(c *checker, n ast.Node, f *Function, args []operand) operand {
		d := c.asDate(n, f.Name, args[0])
		if d.bad || part == "" {
			return d
		}
		return c.function(n, part, plan.Number, d.e)
	}
}

func buildDays(c *checker, n ast.Node, f *Function, args []operand) operand {
	a, b := c.asDate(n, f.Name, args[0]), c.asDate(n, f.Name, args[1])
	if a.bad || b.bad {
		return broken
	}
	return c.function(n, f.Name, plan.Number, a.e, b.e)
}

func buildAddDays(c *checker, n ast.Node, f *Function, args []operand) operand {
	a, b := c.asDate(n, f.Name, args[0]), c.need(args[1], f.Name, plan.Number)
	if a.bad || b.bad {
		return broken
	}
	return c.function(n, f.Name, plan.Date, a.e, b.e)
}

func buildHour(c *checker, n ast.Node, f *Function, args []operand) operand {
	x := c.need(args[0], f.Name, plan.Instant, plan.Clock)
	switch {
	case x.bad:
		return x
	case x.kind() == plan.Clock:
		return c.function(n, f.Name, plan.Number, x.e)
	}
	return c.function(n, f.Name, plan.Number, x.e, c.zone())
}

func buildExtreme(c *checker, n ast.Node, f *Function, args []operand) operand {
	out := make([]plan.Expr, len(args))
	kind := plan.None
	for i, a := range args {
		if a = c.need(a, f.Name, orderedKinds...); a.bad {
			return a
		}
		k := a.kind()
		if k == plan.Int {
			k = plan.Number
		}
		if kind == plan.None {
			kind = k
		}
		if k != kind {
			return c.problem(a.node, "EXPR008", f.Name, kindLabels[kind], kindLabels[k])
		}
		out[i] = a.e
	}
	return c.function(n, f.Name, kind, out...)
}

func buildLength(c *checker, n ast.Node, f *Function, args []operand) operand {
	x := c.need(args[0], f.Name, plan.Text, plan.Set)
	if x.bad {
		return x
	}
	return c.function(n, f.Name, plan.Number, x.e)
}

func buildConcat(c *checker, n ast.Node, _ *Function, args []operand) operand {
	return c.concat(n, args)
}

// concat joins texts; other kinds become text first.
func (c *checker) concat(n ast.Node, args []operand) operand {
	out := make([]plan.Expr, len(args))
	for i, a := range args {
		if a.kind() != plan.Text {
			if a = c.asText(n, "concat", a); a.bad {
				return a
			}
		}
		out[i] = a.e
	}
	return c.function(n, "concat", plan.Text, out...)
}

func buildText(c *checker, n ast.Node, f *Function, args []operand) operand {
	return c.asText(n, f.Name, args[0])
}

func (c *checker) asText(n ast.Node, by string, x operand) operand {
	x = c.need(x, by, textKinds...)
	if x.bad || x.kind() == plan.Text {
		return x
	}
	return c.function(n, "text", plan.Text, x.e)
}
