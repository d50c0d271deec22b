package workflow

import (
	"encoding/json"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
)

// notes keep what the reducer asked in a rehearsal and what it was answered, with the reasons. The methods that facts call do nothing on nil.
type notes struct {
	view  *authz.View                // whose report it is: values that they may not read are not told
	given map[string]json.RawMessage // by them, which they know
	nodes []askedNode
	conds []askedCondition
	of    map[int][]askedRule // by activity
}

type askedNode struct {
	node  string
	rules []askedRule
}

// askedRule is a rule of participants and whom it gave.
type askedRule struct {
	words Words
	kept  []string
	gone  []goner
}

type goner struct {
	person string
	why    Words
}

type askedCondition struct {
	when   plan.Expr
	holds  bool
	err    error
	values []Operand
}

// forget drops what no step took.
func (n *notes) forget() {
	n.nodes, n.conds = nil, nil
	if n.of == nil {
		n.of = map[int][]askedRule{}
	}
}

func (n *notes) node(id string) {
	if n != nil {
		n.nodes = append(n.nodes, askedNode{node: id})
	}
}

// participant keeps whom a rule gave, and who was left out of them.
func (n *notes) participant(f *facts, s *flow.State, p catalog.Participant, kept []string) {
	if n == nil || len(n.nodes) == 0 {
		return
	}
	rule := askedRule{words: f.participantWords(p), kept: kept}
	in := map[string]bool{}
	for _, id := range kept {
		in[id] = true
	}
	all, _ := f.found(p, s)
	for _, id := range all {
		who, known := f.s.cfg.People.Person(f.ctx, id)
		switch {
		case in[id] || id == "":
			continue
		case !known:
			rule.gone = append(rule.gone, goner{id, Words{Zh: "此人已不存在", En: "This person no longer exists"}})
		case who.Disabled:
			rule.gone = append(rule.gone, goner{id, Words{Zh: "账号已停用", En: "The account is disabled"}})
		default:
			rule.gone = append(rule.gone, goner{id, Words{Zh: "被规则排除", En: "Excluded by the rule"}})
		}
		in[id] = true
	}
	at := &n.nodes[len(n.nodes)-1]
	at.rules = append(at.rules, rule)
}

// found takes the first answer about a node.
func (n *notes) found(node string) ([]askedRule, bool) {
	for i, a := range n.nodes {
		if a.node == node {
			n.nodes = append(n.nodes[:i:i], n.nodes[i+1:]...)
			return a.rules, true
		}
	}
	return nil, false
}

// condition keeps what a condition was answered, with the values that it read.
func (n *notes) condition(f *facts, when plan.Expr, holds bool, err error) {
	if n != nil {
		n.conds = append(n.conds, askedCondition{when, holds, err, n.operands(f, when)})
	}
}

// answer takes the first answer to a condition.
func (n *notes) answer(when plan.Expr) (askedCondition, bool) {
	for i, a := range n.conds {
		if a.when == when {
			n.conds = append(n.conds[:i:i], n.conds[i+1:]...)
			return a, true
		}
	}
	return askedCondition{}, false
}

// operands are the values that a condition reads, each once.
func (n *notes) operands(f *facts, when plan.Expr) []Operand {
	out := []Operand{}
	st, judge, err := f.record()
	if err != nil {
		return out
	}
	within := map[plan.Expr]bool{}
	plan.Walk(when, func(e plan.Expr) {
		switch x := e.(type) {
		case *plan.Aggregate:
			inside(x.X, within)
			inside(x.Where, within)
		case *plan.AnyRow:
			inside(x.Where, within)
		}
	})
	seen := map[string]bool{}
	plan.Walk(when, func(e plan.Expr) {
		if within[e] {
			return
		}
		o := Operand{Expression: plan.Format(e)}
		var field *catalog.Field
		switch x := e.(type) {
		case *plan.Field:
			if field = n.along(f, x, st, judge); field != nil {
				o.Expression = strings.Join(append(append([]string{}, x.Path...), field.Code), ".")
			} else {
				o.Hidden = true
			}
		case *plan.Aggregate:
			o.Hidden = x.Of != nil && !n.view.Has("ADMIN") || n.conceals(f.w.Model, x.Sheet, x)
		case *plan.AnyRow:
			o.Hidden = n.conceals(f.w.Model, x.Sheet, x)
		case *plan.Var:
		default:
			return
		}
		if seen[o.Expression] {
			return
		}
		seen[o.Expression] = true
		if !o.Hidden {
			if v, err := judge.Value(*st, e); err == nil && v != nil {
				o.Text = f.word(field, v, v)
				if x, is := e.(*plan.Var); is {
					o.Text = f.variable(x.Name, v)
				}
			}
		}
		out = append(out, o)
	})
	return out
}

func inside(e plan.Expr, within map[plan.Expr]bool) {
	if e != nil {
		plan.Walk(e, func(x plan.Expr) { within[x] = true })
	}
}

// along follows a field over relations; nil = whose report it is may not see the way or its end.
func (n *notes) along(f *facts, x *plan.Field, st *record.State, judge *record.Judge) *catalog.Field {
	m := f.w.Model
	for i, code := range x.Path {
		field := m.Field(code)
		if field == nil || field.Target == nil || len(field.Property.Columns()) == 0 {
			return nil
		}
		if i == 0 {
			if shows, err := n.shows(field, st, judge); err != nil || !shows {
				return nil
			}
		} else if !n.open(field) {
			return nil
		}
		column := field.Property.Columns()[0]
		v, err := judge.Value(*st, &plan.Field{Path: x.Path[:i], Column: column.Name, K: column.Kind})
		if err != nil {
			return nil
		}
		m = field.Target
		if id, _ := v.(string); id != "" {
			if _, _, err := f.s.cfg.Reader.Title(f.ctx, f.tx, n.view, queryRef(m.Code, id)); err != nil {
				return nil
			}
		}
	}
	for _, field := range m.Fields {
		for _, c := range field.Columns() {
			if c.Name != x.Column {
				continue
			}
			if len(x.Path) > 0 && !n.open(field) {
				return nil
			}
			if len(x.Path) == 0 {
				if shows, err := n.shows(field, st, judge); err != nil || !shows {
					return nil
				}
			}
			return field
		}
	}
	return nil
}

// open reports whether a field may be read in every record.
func (n *notes) open(f *catalog.Field) bool {
	right, guard := n.view.Field(f)
	return right != catalog.Hidden && plan.IsTrue(guard)
}

// shows reports whether whose report it is may read a field of the record.
func (n *notes) shows(f *catalog.Field, st *record.State, judge *record.Judge) (bool, error) {
	for code := range n.given {
		if strings.EqualFold(code, f.Code) {
			return true, nil
		}
	}
	right, guard := n.view.Field(f)
	if right == catalog.Hidden {
		return false, nil
	}
	return judge.With(n.view.Vars()).Holds(*st, guard)
}

// conceals reports whether an expression over the rows of a sub-table reads what may not be read.
func (n *notes) conceals(m *catalog.Model, sheet string, e plan.Expr) (hidden bool) {
	of := m.Field(sheet[strings.LastIndexByte(sheet, '.')+1:])
	if of == nil || of.Sheet == nil {
		return sheet != ""
	}
	hidden = !n.open(of)
	plan.Walk(e, func(x plan.Expr) {
		field, is := x.(*plan.Field)
		if !is {
			return
		}
		for _, column := range of.Sheet.Fields {
			for _, c := range column.Columns() {
				hidden = hidden || c.Name == field.Column && !n.open(column)
			}
		}
	})
	return hidden
}

// word writes a value for people: references by their names, everything else as conditions are written.
func (f *facts) word(field *catalog.Field, value, column any) string {
	if field != nil {
		if referrer, ok := field.Property.(property.Referrer); ok {
			var out []string
			if columns := field.Property.Columns(); len(columns) == 1 {
				value = record.ValueOf(map[string]any{columns[0].Name: column}, field)
			}
			if value == nil {
				return ""
			}
			for _, ref := range referrer.Refs(value) {
				out = append(out, f.nameOf(ref))
			}
			return strings.Join(out, ", ")
		}
	}
	return expression.Text(column)
}

func (f *facts) nameOf(ref plan.Ref) string {
	if name, known := f.s.cfg.People.Name(f.ctx, ref); known {
		return name.Name
	}
	if ref.Model != "" {
		if _, title, err := f.s.cfg.Reader.Title(f.ctx, f.tx, f.notes.view, queryRef(ref.Model, ref.ID)); err == nil {
			return title
		}
	}
	return ref.ID
}

// variable writes the value of a word such as initiator.dept.
func (f *facts) variable(name string, v any) string {
	id, _ := v.(string)
	switch strings.ToLower(name) {
	case "initiator.id":
		return f.nameOf(plan.Ref{Model: directory.User, ID: id})
	case "initiator.dept":
		return f.nameOf(plan.Ref{Model: directory.Department, ID: id})
	}
	return expression.Text(v)
}
