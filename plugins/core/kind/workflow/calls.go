package workflow

import (
	"cmp"
	"maps"
	"regexp"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// call fills what a SERVICE calls.
func (c *compiler) call(n *node) *catalog.ServiceCall {
	s := &catalog.ServiceCall{Service: n.Service, Rule: n.Rule, Async: n.Async, Retries: or(n.Retry.Times, retries), BackoffSeconds: cmp.Or(n.Retry.Backoff, backoffSeconds)}
	c.registered(n.Service, n.Node.Get("service"), c.Services(), reason("服务", "service"))
	c.registered(n.Rule, n.Node.Get("rule"), c.Rules(), reason("业务规则", "business rule"))
	if n.HTTP != nil {
		s.Method, s.URL, s.TimeoutSeconds = cmp.Or(n.HTTP.Method, "POST"), n.HTTP.URL, cmp.Or(n.HTTP.Timeout, httpSeconds)
		at := n.Node.Get("http").Get("url")
		if s.URL = c.placeholders(at); n.HTTP.URL != "" && !c.Linked(n.HTTP.URL) {
			c.Report("WF400041", at, n.HTTP.URL)
		}
	}
	for _, e := range n.Node.Get("input").Entries() {
		if s.Input == nil {
			s.Input = map[string]plan.Expr{}
		}
		s.Input[e.Key] = c.formula(c.m, e, plan.None)
	}
	s.Output = c.mapping(n.Node.Get("output"), c.m, func(e *source.Node, f *catalog.Field) plan.Expr {
		return c.FormulaFor(c.m, e, f, c.results(e.Text(), f.Property.Kind()))
	})
	return s
}

var resultName = regexp.MustCompile(`\bresult(\.[a-zA-Z_][a-zA-Z0-9_]*)+`)

// results are the parts of a service's answer that an expression names. Nothing declares their kinds: each has that of the property which
// it is written into.
func (c *compiler) results(text string, k plan.Kind) map[string]plan.Kind {
	out := maps.Clone(c.vars())
	for _, name := range resultName.FindAllString(text, -1) {
		out[name] = k
	}
	return out
}

// mapping compiles what is written into the properties of a model's records.
func (c *compiler) mapping(at *source.Node, to *catalog.Model, expr func(at *source.Node, f *catalog.Field) plan.Expr) map[string]plan.Expr {
	var out map[string]plan.Expr
	for _, e := range at.Entries() {
		f := c.written(to, e)
		if f == nil {
			continue
		}
		if !c.computable(f, e) {
			continue
		}
		if out == nil {
			out = map[string]plan.Expr{}
		}
		out[f.Code] = expr(e, f)
	}
	return out
}

// written resolves the property of a record that a member writes into; nil after a report.
func (c *compiler) written(m *catalog.Model, e *source.Node) *catalog.Field {
	p, ok := c.PathOf(m, e.Key, source.InKey(e), "WF400033")
	if !ok {
		return nil
	}
	switch f := p.Field; {
	case len(p.Steps) > 0:
		c.Report("WF400039", e, e.Key, reason("它不是此记录自己的数据项", "it is no property of the record itself"))
	case f.System || f.Compute != nil:
		c.Report("WF400039", e, e.Key, reason("它由系统写入", "it is written by the system"))
	case f.Sheet != nil:
		c.Report("WF400039", e, e.Key, reason("它是子表", "it is a sub-table"))
	default:
		return f
	}
	return nil
}

// computable reports a property of a type whose values are not those of expressions.
func (c *compiler) computable(f *catalog.Field, e *source.Node) bool {
	if f.Property.Kind() == plan.None {
		c.Report("WF400039", e, e.Key, reason("表达式得不到这样的值", "no expression gives such a value"))
		return false
	}
	return true
}

// set compiles what an END writes.
func (c *compiler) set(at *source.Node) (out []catalog.Assignment) {
	for _, e := range at.Entries() {
		f := c.written(c.m, e)
		if f == nil {
			continue
		}
		a := catalog.Assignment{Field: f}
		if e.Kind == source.Object {
			if !c.computable(f, e) {
				continue
			}
			a.Formula = c.FormulaFor(c.m, e.Get("formula"), f, c.vars())
		} else {
			v, err := c.Value(f, e)
			if err != nil {
				c.Report("WF400040", e, e.Key, string(e.Raw()))
				continue
			}
			a.Value = v
		}
		out = append(out, a)
	}
	return out
}

// sub fills what a SUB starts. With each, names in when and input mean the row first, or the related record.
func (c *compiler) sub(n *node) *catalog.SubWorkflow {
	s := &catalog.SubWorkflow{Workflow: n.Workflow, Wait: cmp.Or(n.Wait, "ALL"), IgnoreVoid: n.OnChildVoid == "ignore"}
	var theirs *catalog.Model
	if child := c.child(n); child != nil {
		s.Workflow = child.Code
		if _, known := c.Find(def.KindModel, child.SchemaCode); known {
			theirs = c.Model(child.Node.Get("schemaCode"))
		}
	}
	from := c.m
	if at := n.Node.Get("each"); at.Text() != "" {
		if p, ok := c.PathOf(c.m, n.Each, source.In(at), "WF400033"); ok {
			switch f := p.Field; {
			case len(p.Steps) > 0, f.Links != "":
				c.Report("WF400011", at, n.Each, rows)
			case f.Sheet != nil && len(f.Sheet.Own) == 0:
				s.Each, from = &p, f.Sheet
			case f.Target != nil && f.Multiple:
				s.Each, from = &p, f.Target
			default:
				c.Report("WF400011", at, n.Each, rows)
			}
		}
		if s.Each == nil {
			from = nil // what its rows are is not known
		}
	}
	s.When = c.formula(from, n.Node.Get("when"), plan.Bool)
	s.Input = c.mapping(n.Node.Get("input"), theirs, func(e *source.Node, f *catalog.Field) plan.Expr { return c.FormulaFor(from, e, f, c.vars()) })
	s.Output = c.mapping(n.Node.Get("output"), c.m, func(e *source.Node, f *catalog.Field) plan.Expr { return c.FormulaFor(theirs, e, f, c.vars()) })
	return s
}

// child finds the workflow that a SUB starts; nil where it is not known what it is.
func (c *compiler) child(n *node) *document {
	at := n.Node.Get("workflowCode")
	found, known := c.Find(catalog.KindWorkflow, n.Workflow)
	if !known && n.Workflow != "" {
		c.Suggest("WF400034", at, n.Workflow, c.Codes(catalog.KindWorkflow), reason("没有此流程", "there is no such workflow"))
	}
	if found != nil {
		c.Refers(names.Workflow, found.Header().Code, source.In(at))
	}
	child, ok := found.(*document)
	if !ok {
		return nil
	}
	switch {
	case or(child.Published, 1) == 0:
		c.Report("WF400034", at, n.Workflow, reason("它是草稿", "it is a draft"))
	case n.Node.Get("when") == nil && c.comesBack(child, map[*document]bool{}):
		c.Report("WF400034", at, n.Workflow, reason("它又无条件地发起本流程", "it starts this workflow again, without a condition"))
	}
	return child
}

// comesBack reports whether a workflow starts the one at hand, by itself or through others, without a condition.
func (c *compiler) comesBack(from *document, seen map[*document]bool) bool {
	if strings.EqualFold(from.Code, c.d.Code) {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, n := range from.Nodes {
		if n.Node.Get("when") != nil {
			continue
		}
		if next, _ := c.Find(catalog.KindWorkflow, n.Workflow); next != nil {
			if d, ok := next.(*document); ok && c.comesBack(d, seen) {
				return true
			}
		}
	}
	return false
}
