package expression

import (
	"cmp"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Compile turns a text into an expression of the wanted kind (plan.None = any kind). It reports everything that it finds;
// the expression is nil when there are problems.
func Compile(text string, env Env, want plan.Kind) (plan.Expr, []Problem) {
	if len(text) > MaxText {
		return nil, []Problem{{Code: "EXPR002", Args: []any{MaxText >> 10}}}
	}
	src := newSource(text)
	tree, problem := src.parse()
	if problem != nil {
		return nil, []Problem{*problem}
	}
	c := &checker{src: src, env: env}
	o := c.check(tree)
	if !o.bad {
		o = c.wanted(o, want)
	}
	if len(c.problems) > 0 {
		return nil, c.sorted()
	}
	return o.e, nil
}

// checker walks the syntax tree once.
type checker struct {
	src      *source
	env      Env
	rows     *Property // the sub-table whose rows a row expression speaks of
	related  bool      // rows are records of another model
	depth    int
	nodes    int
	problems []Problem
}

// operand is a checked node.
type operand struct {
	e       plan.Expr
	node    ast.Node
	bad     bool          // reported; whatever uses it stays silent
	literal bool          // a text, or array of texts, in quotes: takes the kind of what it meets
	options Options       // of the property, or those that its literals were found to be
	words   []ast.Node    // the texts in quotes that it is made of
	sheet   *Property     // kind Rows
	of      *plan.Records // of rows that are records of another model; sheet represents them
	members Record        // what a set of references refers to, where its records may be folded
	own     string        // code of that set
	where   plan.Expr     // filter of the rows
}

func (o operand) kind() plan.Kind {
	if o.sheet != nil {
		return plan.Rows
	}
	if o.bad {
		return plan.None
	}
	return o.e.Kind()
}

func (o operand) isNil() bool {
	k, ok := o.e.(*plan.Const)
	return ok && k.K == plan.None
}

var broken = operand{bad: true}

func (c *checker) problem(n ast.Node, code string, args ...any) operand {
	c.problems = append(c.problems, Problem{Offset: c.src.offset(n.Location()), Code: code, Args: args})
	return broken
}

func (c *checker) suggest(n ast.Node, code, word string, candidates []string) operand {
	c.problems = append(c.problems, Problem{Offset: c.src.offset(n.Location()), Code: code, Args: []any{word, diag.Few(candidates)}, Word: word, Candidates: candidates})
	return broken
}

// sorted drops repeats: expr shares the middle of a < b < c between two nodes.
func (c *checker) sorted() []Problem {
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code))
	})
	return slices.CompactFunc(c.problems, func(a, b Problem) bool { return a.Offset == b.Offset && a.Code == b.Code })
}

func (c *checker) check(n ast.Node) operand {
	c.nodes++
	if c.nodes > MaxNodes {
		if c.nodes == MaxNodes+1 {
			c.problems = append(c.problems, Problem{Code: "EXPR003", Args: []any{MaxNodes, MaxDepth}})
		}
		return broken
	}
	if c.depth++; c.depth > MaxDepth {
		c.problems = append(c.problems, Problem{Code: "EXPR003", Args: []any{MaxNodes, MaxDepth}})
		c.depth--
		return broken
	}
	o := c.visit(n)
	c.depth--
	if o.node == nil {
		o.node = n
	}
	return o
}

func (c *checker) visit(n ast.Node) operand {
	switch x := n.(type) {
	case *ast.NilNode:
		return operand{e: &plan.Const{}}
	case *ast.BoolNode:
		return operand{e: &plan.Const{K: plan.Bool, Value: x.Value}}
	case *ast.StringNode:
		o := textLiteral(x.Value)
		o.words = []ast.Node{x}
		return o
	case *ast.IntegerNode, *ast.FloatNode:
		return c.number(n, false)
	case *ast.IdentifierNode:
		return c.path(n, []step{{x.Value, n, n}})
	case *ast.MemberNode:
		return c.member(x)
	case *ast.UnaryNode:
		return c.unary(x)
	case *ast.BinaryNode:
		return c.binary(x)
	case *ast.ConditionalNode:
		return c.conditional(x)
	case *ast.ArrayNode:
		return c.array(x)
	case *ast.BuiltinNode:
		return c.call(n, x.Name, x.Arguments)
	case *ast.CallNode:
		if f, ok := x.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, f.Value, x.Arguments)
		}
	case *ast.PredicateNode:
		return c.check(x.Node)
	}
	return c.problem(n, "EXPR014", c.src.at(n.Location()))
}

func textLiteral(s string) operand {
	if s = norm.NFC.String(s); s == "" {
		return operand{e: &plan.Const{K: plan.Text}, literal: true}
	}
	return operand{e: &plan.Const{K: plan.Text, Value: s}, literal: true}
}

// number reads a literal from the source text, where it is exact.
func (c *checker) number(n ast.Node, negative bool) operand {
	text := c.src.at(n.Location())
	d, ok := parseNumber(text)
	if !ok {
		return c.problem(n, "EXPR012", `"`+text+`"`, kindLabels[plan.Number])
	}
	if negative {
		d = d.Neg()
	}
	return operand{e: &plan.Const{K: plan.Number, Value: d}, node: n}
}

// parseNumber accepts digits with one point, no exponent and no other base.
func parseNumber(text string) (decimal.Decimal, bool) {
	digits := 0
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits++
		} else if r != '.' && r != '-' {
			return decimal.Decimal{}, false
		}
	}
	d, err := decimal.NewFromString(text)
	if err != nil || digits == 0 || digits > 48 {
		return decimal.Decimal{}, false
	}
	if d, err = fit(d); err != nil {
		return decimal.Decimal{}, false
	}
	return d, true
}

func (c *checker) unary(n *ast.UnaryNode) operand {
	switch n.Operator {
	case "not", "!":
		o := c.condition(n.Node)
		if o.bad {
			return o
		}
		return operand{e: plan.Negate(o.e)}
	case "-", "+":
		switch n.Node.(type) {
		case *ast.IntegerNode, *ast.FloatNode:
			return c.number(n.Node, n.Operator == "-")
		}
		o := c.need(c.check(n.Node), n.Operator, plan.Number)
		if o.bad || n.Operator == "+" {
			return o
		}
		return operand{e: &plan.Arith{Op: '-', A: &plan.Const{K: plan.Number, Value: decimal.Zero}, B: o.e}}
	}
	return c.problem(n, "EXPR014", n.Operator)
}

func (c *checker) condition(n ast.Node) operand { return c.need(c.check(n), "and or not", plan.Bool) }

// need reports an operand that has none of the kinds and converts literals to the first that fits.
func (c *checker) need(o operand, by string, kinds ...plan.Kind) operand {
	if o.bad {
		return o
	}
	k := o.kind()
	if slices.Contains(kinds, k) {
		return o
	}
	if k == plan.Int && slices.Contains(kinds, plan.Number) {
		return o
	}
	if o.isNil() {
		return operand{e: &plan.Const{K: kinds[0]}, node: o.node}
	}
	if o.literal {
		for _, want := range kinds {
			if convertible(want) {
				return c.convert(o, want, Options{})
			}
		}
	}
	return c.needs(o.node, by, k, kinds...)
}

// needs reports a value of another kind than those that by takes, and how to get one of them.
func (c *checker) needs(n ast.Node, by string, got plan.Kind, kinds ...plan.Kind) operand {
	return c.problem(n, "EXPR007", by, labelOf(kindLabels, kinds), kindLabels[got], labelOf(kindHints, kinds))
}

func (c *checker) conditional(n *ast.ConditionalNode) operand {
	cond, a, b := c.condition(n.Cond), c.check(n.Exp1), c.check(n.Exp2)
	if cond.bad || a.bad || b.bad {
		return broken
	}
	if a, b = c.alike(n.Cond, "?:", a, b); a.bad {
		return broken
	}
	e := &plan.If{Cond: cond.e, Then: a.e, Else: b.e}
	if c.env.SQL && !closed(e) {
		return c.problem(n.Cond, "EXPR010", "?:")
	}
	return operand{e: e, node: n.Cond, options: either(a.options, b.options), words: append(a.words, b.words...)}
}

// array makes a set of texts or references.
func (c *checker) array(n *ast.ArrayNode) operand {
	out := operand{literal: true}
	var set []string
	var parts []plan.Expr
	for _, m := range n.Nodes {
		o := c.check(m)
		if !o.bad {
			o = c.need(o, "[ ]", plan.Text, plan.ID)
		}
		if o.bad {
			out = broken
			continue
		}
		out.words = append(out.words, o.words...)
		s, _ := constText(o)
		if out.literal = out.literal && o.literal && s != ""; out.literal && !slices.Contains(set, s) {
			set = append(set, s)
		}
		parts = append(parts, o.e)
	}
	switch {
	case out.bad:
		return out
	case out.literal:
		out.e = constSet(set)
	default:
		return c.function(n, "set", plan.Set, parts...)
	}
	return out
}

func constText(o operand) (string, bool) {
	k, ok := o.e.(*plan.Const)
	if !ok {
		return "", false
	}
	s, ok := k.Value.(string)
	return s, ok
}

func constSet(set []string) plan.Expr {
	if len(set) == 0 {
		return &plan.Const{K: plan.Set}
	}
	return &plan.Const{K: plan.Set, Value: set}
}

// wanted gives the whole expression the kind that its place asks for.
func (c *checker) wanted(o operand, want plan.Kind) operand {
	k := o.kind()
	zone := c.zone()
	switch {
	case k == plan.Rows:
		return c.problem(o.node, "EXPR015", o.sheet.Code)
	case want == plan.None:
		return o
	case o.isNil():
		return operand{e: &plan.Const{K: want}}
	case o.literal:
		return c.convert(o, want, c.env.Options)
	case k == want:
		return c.chosen(o, c.env.Options)
	case k == plan.Int && want == plan.Number:
		return o
	case want == plan.Set && (k == plan.Text || k == plan.ID):
		return c.function(o.node, "set", plan.Set, o.e)
	case want == plan.Instant && k == plan.Date:
		return operand{e: dayStart(o.e, zone, 0)}
	case want == plan.Date && k == plan.Instant:
		return c.function(o.node, "date", plan.Date, o.e, zone)
	}
	return c.problem(o.node, "EXPR009", kindLabels[want], kindLabels[k])
}

// closed reports whether e names nothing of a record: Bind folds it to a constant before SQL is made.
func closed(e plan.Expr) bool {
	yes := true
	plan.Walk(e, func(x plan.Expr) {
		switch x.(type) {
		case *plan.Field, *plan.AnyRow, *plan.Aggregate, *plan.Belongs, *plan.LinkText:
			yes = false
		}
	})
	return yes
}
