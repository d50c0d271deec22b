package expression

import (
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/sluice-platform/sluice/engine/plan"
)

// step is one word of a dotted name.
type step struct {
	word string
	node ast.Node
	name ast.Node // where the word is written
}

// member flattens a.b.c; anything else behind a point or in brackets is not of the language.
func (c *checker) member(n *ast.MemberNode) operand {
	var steps []step
	var at ast.Node = n
	for {
		switch x := at.(type) {
		case *ast.MemberNode:
			p, ok := x.Property.(*ast.StringNode)
			if !ok || x.Method || x.Optional {
				return c.problem(x, "EXPR014", c.src.at(x.Location()))
			}
			steps = append(steps, step{p.Value, x, p})
			at = x.Node
			continue
		case *ast.IdentifierNode:
			steps = append(steps, step{x.Value, x, x})
			slices.Reverse(steps)
			return c.path(n, steps)
		case *ast.CallNode:
			if name, ok := named(x); ok && len(c.behind(name)) > 0 {
				slices.Reverse(steps)
				return c.given(append([]step{{name, x, x.Arguments[0]}}, steps...), c.rows != nil)
			}
		case *ast.PointerNode:
			slices.Reverse(steps)
			if c.rows == nil || x.Name != "" {
				return c.problem(x, "EXPR014", "#"+x.Name)
			}
			if c.related && len(steps) > 1 {
				return c.problem(steps[1].node, "EXPR020", steps[0].word+"."+steps[1].word)
			}
			return c.follow(c.rows.Sheet, steps, plan.Field{})
		}
		return c.problem(at, "EXPR014", c.src.at(at.Location()))
	}
}

// named is the first word of a value of Env.Vars that is written as a call with one text: node('check').
func named(x *ast.CallNode) (string, bool) {
	callee, ok := x.Callee.(*ast.IdentifierNode)
	if !ok || len(x.Arguments) != 1 {
		return "", false
	}
	of, ok := x.Arguments[0].(*ast.StringNode)
	if !ok {
		return "", false
	}
	return callee.Value + "('" + of.Value + "')", true
}

// path resolves a dotted name: a reserved first word, or a property of the row or the record.
func (c *checker) path(n ast.Node, steps []step) operand {
	first, rest := steps[0], steps[1:]
	inRow := c.rows != nil
	if len(rest) == 0 {
		return c.resolveBareName(steps, inRow)
	}
	switch first.word {
	case "user":
		k, ok := userVars[rest[0].word]
		if !ok || len(rest) > 1 {
			last := rest[len(rest)-1]
			return c.suggest(last.node, "EXPR004", last.word, userNames())
		}
		return operand{e: &plan.Var{Name: "user." + rest[0].word, K: k}, node: first.node}
	case "args":
		if k, ok := c.env.Args[rest[0].word]; ok && len(rest) == 1 {
			return operand{e: &plan.Var{Name: VarArgs + rest[0].word, K: k}, node: first.node}
		}
		if c.env.Args != nil {
			last := rest[len(rest)-1]
			return c.suggest(last.node, "EXPR004", last.word, slices.Sorted(maps.Keys(c.env.Args)))
		}
	case "record":
		if c.env.Record != nil {
			return c.follow(c.env.Record, rest, plan.Field{Outer: inRow || c.env.Row != nil})
		}
	case "row":
		if c.env.Row != nil {
			return c.follow(c.env.Row, rest, plan.Field{})
		}
		if inRow {
			return c.follow(c.rows.Sheet, rest, plan.Field{})
		}
	case "old":
		if c.env.Old && !c.env.SQL {
			return c.old(rest, inRow)
		}
	case "form":
		if c.env.Form != nil {
			return c.form(rest)
		}
	default:
		return c.given(steps, inRow)
	}
	if _, ok := c.known(first.word); ok {
		return c.resolveBareName(steps, inRow)
	}
	return c.problem(first.node, "EXPR016", first.word+".")
}

// given looks a dotted name up among the values of Env.Vars, then as a property. Behind the first word of a value only values stand,
// unless a property has that word.
func (c *checker) given(steps []step, inRow bool) operand {
	words := make([]string, len(steps))
	for i, s := range steps {
		words[i] = s.word
	}
	name := strings.Join(words, ".")
	if k, ok := c.env.Vars[name]; ok {
		if _, call := steps[0].node.(*ast.CallNode); call {
			of := steps[0].name.(*ast.StringNode).Value
			c.found(steps[0].name, of, Name{Var: name})
		}
		return operand{e: &plan.Var{Name: name, K: k}, node: steps[0].node}
	}
	if _, ok := c.known(words[0]); !ok {
		if rest := c.behind(words[0]); len(rest) > 0 {
			last := steps[len(steps)-1]
			return c.suggest(last.node, "EXPR004", last.word, rest)
		}
	}
	return c.resolveBareName(steps, inRow)
}

// behind are the names of Env.Vars behind a first word, sorted.
func (c *checker) behind(word string) (out []string) {
	for name := range c.env.Vars {
		if rest, ok := strings.CutPrefix(name, word+"."); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}

// resolveBareName looks a name up in the row, then in the record.
func (c *checker) resolveBareName(steps []step, inRow bool) operand {
	word := steps[0].word
	if c.env.Row != nil {
		if _, ok := c.env.Row.Property(word); ok {
			return c.follow(c.env.Row, steps, plan.Field{})
		}
	}
	if c.env.Record != nil {
		if _, ok := c.env.Record.Property(word); ok {
			return c.follow(c.env.Record, steps, plan.Field{Outer: inRow || c.env.Row != nil})
		}
	}
	if meant := c.suggestion(word); meant != "" {
		return c.problem(steps[0].node, "EXPR022", word, meant)
	}
	return c.suggest(steps[0].node, "EXPR004", word, append(c.names(), c.firsts(steps)...))
}

// suggestion is how a word is written that is known, but not as a bare name: a function, the person, a column of the rows that are
// being folded, an option.
func (c *checker) suggestion(word string) string {
	switch {
	case word == "user":
		return "user.id"
	case functionByName[word] != nil && functionByName[word].Min == 0:
		return word + "()"
	}
	if rest := c.behind(word); len(rest) > 0 {
		return word + "." + rest[0]
	}
	if c.rows != nil {
		if _, ok := c.rows.Sheet.Property(word); ok {
			return "." + word
		}
	}
	for _, r := range []Record{c.env.Row, c.env.Record} {
		if r == nil {
			continue
		}
		for _, code := range r.Codes() {
			if p, ok := r.Property(code); ok && slices.Contains(p.Choices, word) {
				return "'" + word + "'"
			}
		}
	}
	return ""
}

func (c *checker) known(word string) (Property, bool) {
	for _, r := range []Record{c.env.Row, c.env.Record} {
		if r != nil {
			if p, ok := r.Property(word); ok {
				return p, true
			}
		}
	}
	return Property{}, false
}

func (c *checker) names() []string {
	var out []string
	for _, r := range []Record{c.env.Row, c.env.Record} {
		if r != nil {
			out = append(out, r.Codes()...)
		}
	}
	out = append(out, "user.id", "true", "false", "nil")
	return out
}

// firsts are the first words of Env.Vars, for a name that goes on behind its first word.
func (c *checker) firsts(steps []step) (out []string) {
	for name := range c.env.Vars {
		if first, _, ok := strings.Cut(name, "."); ok && len(steps) > 1 {
			out = append(out, first)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func userNames() []string {
	var out []string
	for n := range userVars {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func (c *checker) old(rest []step, inRow bool) operand {
	if c.env.Row != nil {
		if _, ok := c.env.Row.Property(rest[0].word); ok {
			return c.follow(c.env.Row, rest, plan.Field{Old: true})
		}
	}
	if c.env.Record == nil {
		return c.problem(rest[0].node, "EXPR016", "old.")
	}
	return c.follow(c.env.Record, rest, plan.Field{Old: true, Outer: inRow || c.env.Row != nil})
}

func (c *checker) form(rest []step) operand {
	p, ok := c.env.Form.Property(rest[0].word)
	if !ok {
		return c.suggest(rest[0].node, "EXPR004", rest[0].word, c.env.Form.Codes())
	}
	if len(rest) > 1 || p.Kind == plan.None || p.Kind == plan.Rows {
		return c.problem(rest[len(rest)-1].node, "EXPR011", "form."+p.Code)
	}
	c.foundProperty(rest[0], p)
	return operand{e: &plan.Var{Name: "form." + p.Code, K: p.Kind}, options: p.Options, node: rest[0].node}
}

// follow walks a path through single relations to a property.
func (c *checker) follow(r Record, steps []step, f plan.Field) operand {
	for i, s := range steps {
		p, ok := r.Property(s.word)
		if !ok {
			return c.suggest(s.node, "EXPR004", s.word, r.Codes())
		}
		c.foundProperty(s, p)
		if i < len(steps)-1 {
			if p.Kind == plan.Rows {
				return c.problem(s.node, "EXPR015", p.Code)
			}
			if p.Target == nil || p.Kind == plan.Set {
				return c.problem(s.node, "EXPR011", p.Code)
			}
			f.Path = append(f.Path, p.Code)
			r = p.Target
			continue
		}
		switch {
		case p.Kind == plan.Rows && (len(f.Path) > 0 || f.Outer || f.Old):
			return c.problem(s.node, "EXPR015", p.Code)
		case p.Kind == plan.Rows:
			return operand{sheet: &p, node: s.node}
		case p.Kind == plan.None:
			return c.problem(s.node, "EXPR016", p.Code)
		}
		f.Column, f.K = p.Column, p.Kind
		out := operand{e: &f, options: p.Options, node: s.node}
		if p.Kind == plan.Set && len(f.Path) == 0 && !f.Old && c.foldable() {
			out.members, out.own = p.Target, p.Code
		}
		return out
	}
	return broken
}

func (c *checker) foundProperty(s step, p Property) {
	if p.Model != "" {
		c.found(s.name, s.word, Name{Model: p.Model, Property: p.Code})
	}
}

// found tells Env.Found of a word at a node, which may begin before it: with a point or a quotation mark.
func (c *checker) found(at ast.Node, word string, n Name) {
	if c.env.Found == nil {
		return
	}
	n.Offset = c.src.offset(at.Location())
	if rest := c.src.text[n.Offset:]; !strings.HasPrefix(rest, word) && len(rest) > 0 && strings.HasPrefix(rest[1:], word) {
		n.Offset++
	}
	n.Length = len(word)
	c.env.Found(n)
}
