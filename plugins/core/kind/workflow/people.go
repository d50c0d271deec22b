package workflow

import (
	"cmp"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

var (
	somebody    = reason("人员或部门", "people or departments")
	departments = reason("部门", "departments")
	records     = reason("一条记录", "a record")
	rows        = reason("多行或多条记录", "rows or several records")
)

// participants fills where the people of a node come from; list is the array of them.
func (c *compiler) participants(list *source.Node, in []participant) (out []catalog.Participant) {
	for _, p := range in {
		if p.Node == nil || p.Node.Kind != source.Object {
			continue // the schema says so
		}
		one := catalog.Participant{Kind: catalog.ParticipantKind(p.Type), Values: p.Value, Weight: p.Weight}
		switch one.Kind {
		case catalog.FromRole:
			one.Values = c.roles(p.Node.Get("value"))
			one.Scope = c.scope(p)
		case catalog.FromDept:
			one.Recursive = p.Recursive
		case catalog.FromDeptLeader:
			one.Of, one.Level, one.WalkUp = c.whose(p.Of, p.Node.Get("of")), cmp.Or(p.Level, 1), or(p.WalkUp, true)
		case catalog.FromSuperiors:
			one.Of, one.Levels, one.Until = c.whose(p.From, p.Node.Get("from")), p.Levels, p.Until
			if at := p.Node.Get("until"); at != nil {
				c.Exists(def.KindAccess, at)
				one.Until = c.Now(def.KindAccess, p.Until)
			}
		case catalog.FromPreviousHandler:
			if one.Node = p.At; c.whole {
				c.exists(p.At, p.Node.Get("node"))
			}
		case catalog.FromField:
			at := p.Node.Get("propertyCode")
			one.Path = c.holding(at.Text(), source.In(at), somebody)
		case catalog.FromInitiatorChoice, catalog.FromPreviousChoice:
			one.Candidates = c.participants(p.Node.Get("candidates"), p.Candidates)
			if one.Min, one.Max = or(p.Min, 1), p.Max; one.Max > 0 && one.Min > one.Max {
				c.Report("WF400012", member(p.Node, "min"), one.Min, one.Max)
			}
		case catalog.FromExpression:
			one.Formula = c.formula(c.m, p.Node.Get("formula"), plan.Set)
		}
		keeps := c.keeps
		c.keeps = true
		one.Exclude = c.participants(p.Node.Get("exclude"), p.Exclude)
		c.keeps = keeps
		out = append(out, one)
	}
	return out
}

// scope reads org, byDept:property and byField:property.
func (c *compiler) scope(p participant) catalog.Scope {
	kind, property, _ := strings.Cut(cmp.Or(p.Scope, "org"), ":")
	s := catalog.Scope{Kind: kind}
	switch kind {
	case "byDept":
		s.Path = c.holding(property, behind(kind, p.Node.Get("scope")), departments)
	case "byField":
		s.Path = c.holding(property, behind(kind, p.Node.Get("scope")), records)
	}
	return s
}

// whose reads initiator, previous and field:property.
func (c *compiler) whose(text string, at *source.Node) catalog.Whose {
	kind, property, _ := strings.Cut(cmp.Or(text, "initiator"), ":")
	w := catalog.Whose{Kind: kind}
	if kind == "field" {
		w.Path = c.holding(property, behind(kind, at), somebody)
	}
	return w
}

// behind is the place of the property in a text such as byDept:property.
func behind(kind string, at *source.Node) source.Place {
	return source.Place{Node: at, Offset: len(kind) + 1}
}

// holding resolves a property that has to hold what is wanted.
func (c *compiler) holding(property string, at source.Place, want diag.Text) catalog.Path {
	if property == "" {
		return catalog.Path{}
	}
	p, ok := c.PathOf(c.m, property, at, "WF400033")
	if !ok {
		return p
	}
	staff, depts := parties(p.Field)
	fits := staff || depts
	switch want {
	case departments:
		fits = depts && !staff
	case records:
		fits = p.Field.Target != nil && !p.Field.Multiple && !p.Sheet
	}
	fits = fits && p.Field.Links == "" // who has a task is not asked before the task is there
	if !fits {
		c.Report("WF400011", at.Node, property, want)
	}
	return p
}

// parties says whether a property may hold people, and departments.
func parties(f *catalog.Field) (people, departments bool) {
	switch f.Type.Name() {
	case "StaffSingle", "StaffMulti":
		return true, false
	case "DeptSingle", "DeptMulti":
		return false, true
	case "StaffDeptMix":
		return true, true
	}
	if f.Target == nil {
		return false, false
	}
	return f.Target.Code == "user", f.Target.Code == "department"
}
