package expression

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

func (c *checker) binary(n *ast.BinaryNode) operand {
	switch n.Operator {
	case "and", "&&", "or", "||":
		if chained(n) {
			return c.problem(n, "EXPR014", "a < b < c")
		}
		a, b := c.condition(n.Left), c.condition(n.Right)
		if a.bad || b.bad {
			return broken
		}
		if n.Operator == "or" || n.Operator == "||" {
			return operand{e: plan.AnyOf(a.e, b.e)}
		}
		return operand{e: plan.AllOf(a.e, b.e)}
	case "in":
		if list, ok := n.Right.(*ast.ArrayNode); ok {
			return c.among(n, c.check(n.Left), list)
		}
	}
	a, b := c.check(n.Left), c.check(n.Right)
	if a.bad || b.bad {
		return broken
	}
	if same(a, b) && asks(n.Operator) {
		return c.problem(n.Left, "EXPR024", n.Operator)
	}
	switch n.Operator {
	case "==":
		return c.equal(n, a, b)
	case "!=":
		o := c.equal(n, a, b)
		if o.bad {
			return o
		}
		return operand{e: plan.Negate(o.e)}
	case "<", "<=", ">", ">=":
		return c.ordered(n, plan.CompareOp(n.Operator), a, b)
	case "in":
		return c.has(n, b, a)
	case "contains":
		return c.contains(n, a, b)
	case "startsWith":
		a, b = c.need(a, n.Operator, plan.Text), c.need(b, n.Operator, plan.Text)
		if a.bad || b.bad {
			return broken
		}
		return operand{e: &plan.Match{X: a.e, Pattern: b.e, Prefix: true}}
	case "+", "-", "*", "/":
		return c.arith(n, a, b)
	case "??":
		if a, b = c.alike(n, "??", a, b); a.bad {
			return broken
		}
		o := c.function(n, "coalesce", a.kind(), a.e, b.e)
		o.options = a.options
		return o
	}
	return c.problem(n, "EXPR014", n.Operator)
}

// asks reports whether an operator compares its sides.
func asks(operator string) bool {
	switch operator {
	case "==", "!=", "<", "<=", ">", ">=", "in", "contains", "startsWith":
		return true
	}
	return false
}

// same reports whether both operands are the same value of the record or of the caller: comparing them says nothing. Constants may
// be compared, as a way to write always or never.
func same(a, b operand) bool {
	if a.sheet != nil || b.sheet != nil {
		return false
	}
	if _, constant := a.e.(*plan.Const); constant {
		return false
	}
	return bytes.Equal(JSON(a.e), JSON(b.e))
}

// chained finds a < b < c, which expr reads as a < b && b < c with b shared. Only a plain b may stand twice.
func chained(n *ast.BinaryNode) bool {
	l, ok := n.Left.(*ast.BinaryNode)
	for ok && l.Operator == "&&" {
		l, ok = l.Right.(*ast.BinaryNode)
	}
	r, ok2 := n.Right.(*ast.BinaryNode)
	if !ok || !ok2 || l.Right != r.Left {
		return false
	}
	switch l.Right.(type) {
	case *ast.IdentifierNode, *ast.MemberNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
		return false
	}
	return true
}

func (c *checker) arith(n *ast.BinaryNode, a, b operand) operand {
	if n.Operator == "+" && (a.kind() == plan.Text || b.kind() == plan.Text) {
		return c.concat(n, []operand{a, b})
	}
	a, b = c.need(a, n.Operator, plan.Number), c.need(b, n.Operator, plan.Number)
	if a.bad || b.bad {
		return broken
	}
	if d, is := b.e.(*plan.Const); is && n.Operator == "/" {
		if by, ok := decimalOf(d.Value); ok && by.IsZero() {
			return c.problem(n.Right, "EXPR026")
		}
	}
	return operand{e: &plan.Arith{Op: n.Operator[0], A: a.e, B: b.e}}
}

// alike gives two operands one kind: literals and nil take the other's.
func (c *checker) alike(n ast.Node, by string, a, b operand) (operand, operand) {
	switch {
	case a.isNil():
		a = operand{e: &plan.Const{K: b.kind()}, node: a.node}
	case b.isNil():
		b = operand{e: &plan.Const{K: a.kind()}, node: b.node}
	}
	ka, kb := a.kind(), b.kind()
	switch {
	case a.literal && !b.literal && (ka != kb || b.options.written()):
		a = c.convert(a, kb, b.options)
	case b.literal && !a.literal && (ka != kb || a.options.written()):
		b = c.convert(b, ka, a.options)
	default:
		a, b = c.chosen(a, b.options), c.chosen(b, a.options)
	}
	if a.bad || b.bad {
		return broken, broken
	}
	ka, kb = a.kind(), b.kind()
	switch {
	case ka == plan.Rows || kb == plan.Rows || ka != kb && !(numeric(ka) && numeric(kb)):
		return c.problem(n, "EXPR008", by, kindLabels[ka], kindLabels[kb]), broken
	case ka == plan.Int && kb == plan.Number:
		b = c.whole(b)
	case ka == plan.Number && kb == plan.Int:
		a = c.whole(a)
	}
	return a, b
}

func numeric(k plan.Kind) bool { return k == plan.Number || k == plan.Int }

// whole turns a whole literal into an Int, so that integer columns compare with integers in SQL.
func (c *checker) whole(o operand) operand {
	if k, ok := o.e.(*plan.Const); ok {
		if d, ok := k.Value.(decimal.Decimal); ok && d.IsInteger() && d.BigInt().IsInt64() {
			o.e = &plan.Const{K: plan.Int, Value: d.IntPart()}
		}
	}
	return o
}

func (c *checker) equal(n ast.Node, a, b operand) operand {
	if isEmpty(a) && !isEmpty(b) {
		a, b = b, a
	}
	if isEmpty(b) {
		return operand{e: isNull(a)}
	}
	if a.kind() == plan.Set || b.kind() == plan.Set {
		if a.kind() != plan.Set {
			a, b = b, a
		}
		if a.literal && !b.literal {
			a, b = b, a
		}
		return c.sets(n, "==", plan.SetEqual, a, b)
	}
	return c.compare(n, plan.EQ, a, b)
}

// isEmpty reports whether an operand is nil, an empty text or an empty list.
func isEmpty(o operand) bool {
	k, ok := o.e.(*plan.Const)
	return ok && k.Value == nil
}

func isNull(o operand) plan.Expr {
	if o.of != nil {
		return plan.Negate(someOf(o.of, o.where))
	}
	if o.sheet != nil {
		return plan.Negate(&plan.AnyRow{Sheet: o.sheet.Code, Where: plan.AllOf(o.where)})
	}
	if k, ok := o.e.(*plan.Const); ok {
		if k.Value == nil {
			return plan.True
		}
		return plan.False
	}
	return &plan.IsNull{X: o.e}
}

func (c *checker) ordered(n ast.Node, op plan.CompareOp, a, b operand) operand {
	for _, o := range []operand{a, b} {
		switch k := o.kind(); k {
		case plan.Bool, plan.ID, plan.Set, plan.Rows, plan.None:
			return c.problem(n, "EXPR008", string(op), kindLabels[a.kind()], kindLabels[b.kind()])
		}
	}
	return c.compare(n, op, a, b)
}

func (c *checker) compare(n ast.Node, op plan.CompareOp, a, b operand) operand {
	c.foundNamed(a, b.options)
	c.foundNamed(b, a.options)
	switch {
	case a.literal && !b.literal:
		a = c.literalFor(a, b)
	case b.literal && !a.literal:
		b = c.literalFor(b, a)
	}
	if a.bad || b.bad {
		return broken
	}
	if a.kind() == plan.Date && b.kind() == plan.Instant {
		a, b, op = b, a, mirror(op)
	}
	if a.kind() == plan.Instant && b.kind() == plan.Date {
		return c.wholeDay(n, op, a, b)
	}
	if a, b = c.alike(n, string(op), a, b); a.bad {
		return broken
	}
	return operand{e: &plan.Compare{Op: op, A: a.e, B: b.e}}
}

func mirror(op plan.CompareOp) plan.CompareOp {
	switch op {
	case plan.LT:
		return plan.GT
	case plan.LE:
		return plan.GE
	case plan.GT:
		return plan.LT
	case plan.GE:
		return plan.LE
	}
	return op
}

// literalFor converts a literal to the kind of the operand that it is compared with. A plain date beside a date-time stays a
// date: it means the whole day.
func (c *checker) literalFor(l, other operand) operand {
	if other.kind() == plan.Instant {
		if s, ok := constText(l); ok {
			if _, err := time.Parse(time.DateOnly, s); err == nil {
				return operand{e: &plan.Const{K: plan.Date, Value: s}, node: l.node}
			}
		}
	}
	return c.convert(l, other.kind(), other.options)
}

// wholeDay compares a date-time with a date, which means that whole day in the installation's zone.
func (c *checker) wholeDay(n ast.Node, op plan.CompareOp, a, d operand) operand {
	if !simple(a.e) {
		x := c.function(n, "date", plan.Date, a.e, c.zone())
		if x.bad {
			return x
		}
		return operand{e: &plan.Compare{Op: op, A: x.e, B: d.e}}
	}
	if c.env.SQL && !closed(d.e) {
		return c.problem(n, "EXPR010", string(op))
	}
	start, next := dayStart(d.e, c.zone(), 0), dayStart(d.e, c.zone(), 1)
	cmp := func(op plan.CompareOp, to plan.Expr) plan.Expr { return &plan.Compare{Op: op, A: a.e, B: to} }
	switch op {
	case plan.LT, plan.GE:
		return operand{e: cmp(op, start)}
	case plan.LE:
		return operand{e: cmp(plan.LT, next)}
	case plan.GT:
		return operand{e: cmp(plan.GE, next)}
	}
	return operand{e: plan.AllOf(cmp(plan.GE, start), cmp(plan.LT, next))}
}

// dayStart is the instant at which a day begins, offset days later.
func dayStart(d, zone plan.Expr, days int64) plan.Expr {
	return fold(&plan.Call{Fn: "dayStart", K: plan.Instant, Args: []plan.Expr{d, zone, &plan.Const{K: plan.Int, Value: days}}})
}

func (c *checker) zone() plan.Expr {
	name := "UTC"
	if c.env.Zone != nil {
		name = c.env.Zone.String()
	}
	return &plan.Const{K: plan.Text, Value: name}
}

func convertible(k plan.Kind) bool {
	switch k {
	case plan.Text, plan.ID, plan.Date, plan.Instant, plan.Clock, plan.Set:
		return true
	}
	return false
}

// convert reads a literal as a kind and checks it against options.
func (c *checker) convert(o operand, k plan.Kind, options Options) operand {
	if set, ok := o.e.(*plan.Const).Value.([]string); ok {
		if k != plan.Set {
			return c.problem(o.node, "EXPR009", kindLabels[k], kindLabels[plan.Set])
		}
		return c.optionsOf(o, set, options)
	}
	s, _ := constText(o)
	if s == "" && k != plan.None {
		return operand{e: &plan.Const{K: k}, node: o.node}
	}
	var value any = s
	ok := true
	switch k {
	case plan.Text, plan.Set:
		now, unknown := options.now([]string{s})
		if unknown != "" {
			return c.suggest(o.node, "EXPR013", unknown, options.Choices)
		}
		c.foundOptions(o, options)
		if value = now[0]; k == plan.Set {
			value = now
		}
		return operand{e: &plan.Const{K: k, Value: value}, node: o.node, options: options}
	case plan.ID:
		id, err := uuid.Parse(s)
		ok = err == nil && len(s) == 36
		value = id.String()
	case plan.Date:
		_, err := time.Parse(time.DateOnly, s)
		ok = err == nil
	case plan.Clock:
		value, ok = clock(s)
	case plan.Instant:
		value, ok = instant(s, c.env.Zone)
	default:
		return c.problem(o.node, "EXPR009", kindLabels[k], kindLabels[plan.Text])
	}
	if !ok {
		return c.problem(o.node, "EXPR012", `"`+s+`"`, kindLabels[k])
	}
	return operand{e: &plan.Const{K: k, Value: value}, node: o.node}
}

// optionsOf is the set o of the codes that its members have now; a problem where one is none.
func (c *checker) optionsOf(o operand, set []string, options Options) operand {
	if o.options.written() || !options.written() {
		return o
	}
	now, unknown := options.now(set)
	if unknown != "" {
		return c.suggest(o.node, "EXPR013", unknown, options.Choices)
	}
	c.foundOptions(o, options)
	o.e, o.options = constSet(now), options
	return o
}

// foundOptions tells Env.Found of the options that an operand writes.
func (c *checker) foundOptions(o operand, options Options) {
	if options.Of == "" {
		return
	}
	for _, w := range o.words {
		s, ok := w.(*ast.StringNode)
		if !ok {
			continue
		}
		if now, unknown := options.now([]string{s.Value}); unknown == "" {
			c.found(w, s.Value, Name{Options: options.Of, Option: now[0]})
		}
	}
}

// foundNamed tells Env.Found of what the texts of an operand mean where they are compared with something.
func (c *checker) foundNamed(o operand, options Options) {
	if options.Named == nil || c.env.Found == nil {
		return
	}
	for _, w := range o.words {
		if s, ok := w.(*ast.StringNode); ok {
			for _, name := range options.Named(s.Value) {
				c.found(w, s.Value, name)
			}
		}
	}
}

// chosen is an operand whose literals, behind conditions perhaps, are options: c ? 'A' : 'B'. One that has options of its own has been looked at.
func (c *checker) chosen(o operand, options Options) operand {
	if o.options.written() || !options.written() {
		return o
	}
	e, unknown := options.literals(o.e)
	if unknown != "" {
		return c.suggest(o.node, "EXPR013", unknown, options.Choices)
	}
	c.foundOptions(o, options)
	o.e, o.options = e, options
	return o
}

// literals is an expression whose literals are the codes of now; the first that is none.
func (o Options) literals(e plan.Expr) (out plan.Expr, unknown string) {
	switch x := e.(type) {
	case *plan.If:
		then, bad := o.literals(x.Then)
		if bad != "" {
			return nil, bad
		}
		otherwise, bad := o.literals(x.Else)
		return &plan.If{Cond: x.Cond, Then: then, Else: otherwise}, bad
	case *plan.Const:
		var written []string
		switch v := x.Value.(type) {
		case string:
			written = []string{v}
		case []string:
			written = v
		}
		now, unknown := o.now(written)
		if unknown != "" || len(now) == 0 {
			return e, unknown
		}
		if x.K == plan.Set {
			return &plan.Const{K: x.K, Value: now}, ""
		}
		return &plan.Const{K: x.K, Value: now[0]}, ""
	}
	return e, ""
}

func either(a, b Options) Options {
	if a.written() {
		return a
	}
	return b
}

// now are the codes of now of some that are written; the first that is none.
func (o Options) now(written []string) (now []string, unknown string) {
	if !o.written() {
		return written, ""
	}
	now = slices.Clone(written)
	for i, code := range now {
		if o.Now != nil {
			now[i] = o.Now(code)
		}
		if o.Choices != nil && !slices.Contains(o.Choices, now[i]) {
			return nil, code
		}
	}
	return now, ""
}

func clock(s string) (string, bool) {
	if strings.Count(s, ":") == 1 {
		s += ":00"
	}
	_, err := time.Parse(time.TimeOnly, s)
	return s, err == nil && len(s) == 8
}

func instant(s string, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t.UTC().Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}
