package compile

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// checkShown warns of two things that a role's hidden fields bring about: the record's name is made of them and tells their
// values, or a relation shows one of them and stays empty.
func (c *compiler) checkShown() {
	for _, d := range c.roles.all {
		r := c.cat.Role(d.Code)
		if r == nil {
			continue
		}
		grants := c.grantsOf(r)
		for i := range r.Grants {
			g := &r.Grants[i]
			if g.Model == nil || !gives(g, "view") {
				continue
			}
			at := slices.IndexFunc(d.Models, func(m def.Grant) bool { return m.Node.Pos().String() == g.At })
			if at < 0 {
				continue
			}
			c.checkDigest(d, d.Models[at], g, grants)
			c.checkRelations(d, d.Models[at], g, grants)
		}
	}
}

// grantsOf are a role's grants with those of the roles that it includes.
func (c *compiler) grantsOf(r *catalog.Role) (out []*catalog.Grant) {
	seen := map[string]bool{}
	var walk func(r *catalog.Role)
	walk = func(r *catalog.Role) {
		if r == nil || seen[r.Code] {
			return
		}
		seen[r.Code] = true
		for i := range r.Grants {
			out = append(out, &r.Grants[i])
		}
		for _, code := range r.Includes {
			walk(c.cat.Role(code))
		}
	}
	walk(r)
	return out
}

func gives(g *catalog.Grant, action string) bool {
	return slices.ContainsFunc(g.Actions, func(a string) bool { return a == everything || a == action })
}

// hides tells whether a grant hides a field that it could show. System fields are hidden by name only.
func hides(g *catalog.Grant, f *catalog.Field) bool {
	right, named := g.Fields[f.Code]
	if !named {
		right = g.Rest
		if f.System {
			right = catalog.Readable
		}
	}
	return right == catalog.Hidden
}

// shownElsewhere tells whether another grant of the role shows the field.
func shownElsewhere(grants []*catalog.Grant, but *catalog.Grant, f *catalog.Field) bool {
	return slices.ContainsFunc(grants, func(g *catalog.Grant) bool {
		return g != but && (g.Model == nil || g.Model == f.Model) && g.Rows != nil && gives(g, "view") && !hides(g, f)
	})
}

func (c *compiler) checkDigest(d *def.Access, entry def.Grant, g *catalog.Grant, grants []*catalog.Grant) {
	name := g.Model.Field(catalog.Name)
	if name == nil || !name.System || hides(g, name) {
		return
	}
	for _, part := range g.Model.Digest {
		if f := part.Field; f != nil && hides(g, f) && !shownElsewhere(grants, g, f) {
			m := c.of[g.Model]
			c.report("ACCESS015", rightOf(entry, f), d.Code, f.Code, g.Model.Code, member(m.def.Node, "digest").Pos())
		}
	}
}

func (c *compiler) checkRelations(d *def.Access, entry def.Grant, g *catalog.Grant, grants []*catalog.Grant) {
	for _, m := range c.cat.Models {
		for _, of := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range of.Fields {
				if f.Target != g.Model || f.Display == nil || f.Display.Code == catalog.Name || !hides(g, f.Display) || shownElsewhere(grants, g, f.Display) {
					continue
				}
				if slices.ContainsFunc(grants, func(o *catalog.Grant) bool {
					return (o.Model == nil || o.Model == m) && gives(o, "view") && o.Rows != nil && !hidesColumn(o, f)
				}) {
					c.report("ACCESS016", rightOf(entry, f.Display), d.Code, f.Display.Code, g.Model.Code, of.Code+"."+f.Code)
				}
			}
		}
	}
}

// hidesColumn is hides for a field that may be a column of a sub-table.
func hidesColumn(g *catalog.Grant, f *catalog.Field) bool {
	if f.Model.Parent == nil {
		return hides(g, f)
	}
	right, named := g.Fields[name(f)]
	return named && right == catalog.Hidden
}

// rightOf is where an access document hides a field: its own entry, or that of all others.
func rightOf(entry def.Grant, f *catalog.Field) *source.Node {
	fields := entry.Node.Get("fields")
	for _, n := range members(fields) {
		if fold(n.Key) == fold(f.Code) {
			return n
		}
	}
	if n := fields.Get(everything); n != nil {
		return n
	}
	return entry.Node
}
