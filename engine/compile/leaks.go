package compile

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// showing is a relation: a field that shows a field of another model's record.
type showing struct {
	model *catalog.Model // the model whose records are read; Field may be a column of one of its sub-tables
	field *catalog.Field
}

// reading is a computed field of another model, and a field that its formula reads.
type reading struct{ shown, source *catalog.Field }

// checkShown warns of what a role's hidden fields bring about: the record's name, or a computed field of another model, is made of
// them and tells their values, or a relation shows one of them and stays empty. Everything that is asked per grant is looked up and not searched:
// a large tenant has ten thousand grants.
func (c *compiler) checkShown() {
	if c.relations == nil {
		c.relations, c.readings = c.relationsByTarget(), c.readingsBySource()
	}
	others := c.out
	c.out = c.foundInRoles
	for _, d := range c.roles.all {
		r := c.cat.Role(d.Code)
		if r == nil {
			continue
		}
		entries := make(map[string]def.Grant, len(d.Models))
		for _, m := range d.Models {
			entries[m.Node.Pos().String()] = m
		}
		grants := c.grantsOf(r)
		for i := range r.Grants {
			g := &r.Grants[i]
			entry, written := entries[g.At]
			if g.Model == nil || !written || !gives(g, "view") {
				continue
			}
			c.checkDigest(d, entry, g, grants)
			c.checkReads(d, entry, g, grants)
			c.checkRelations(d, entry, g, grants, c.relations[g.Model])
			c.checkComputed(d, entry, g, grants, c.readings[g.Model])
		}
	}
	c.foundInRoles, c.out = c.out, others
}

// relationsByTarget are the relations that show another field than the record's name, by the model of the records that they show.
func (c *compiler) relationsByTarget() map[*catalog.Model][]showing {
	out := map[*catalog.Model][]showing{}
	for _, m := range c.cat.Models {
		for _, of := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range of.Fields {
				if f.Target != nil && f.Display != nil && f.Display.Code != catalog.Name {
					out[f.Target] = append(out[f.Target], showing{model: m, field: f})
				}
			}
		}
	}
	return out
}

// readingsBySource are the formulas that read records of another model, by that model.
func (c *compiler) readingsBySource() map[*catalog.Model][]reading {
	out := map[*catalog.Model][]reading{}
	for _, m := range c.cat.Models {
		for _, of := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range of.Fields {
				for _, e := range c.edges(f.Compute, c.of[of]) {
					source := e.to
					r := reading{shown: f, source: source}
					if top(source.Model) != m && !slices.Contains(out[top(source.Model)], r) {
						out[top(source.Model)] = append(out[top(source.Model)], r)
					}
				}
			}
		}
	}
	return out
}

// grantsByModel are the grants of one role by their models, those on all models under nil.
type grantsByModel map[*catalog.Model][]*catalog.Grant

// some reports whether a grant that holds for the model has a quality.
func (g grantsByModel) some(m *catalog.Model, has func(*catalog.Grant) bool) bool {
	return slices.ContainsFunc(g[nil], has) || slices.ContainsFunc(g[m], has)
}

// grantsOf are a role's grants with those of the roles that it includes.
func (c *compiler) grantsOf(r *catalog.Role) grantsByModel {
	out, seen := grantsByModel{}, map[string]bool{}
	var walk func(r *catalog.Role)
	walk = func(r *catalog.Role) {
		if r == nil || seen[r.Code] {
			return
		}
		seen[r.Code] = true
		for i := range r.Grants {
			g := &r.Grants[i]
			out[g.Model] = append(out[g.Model], g)
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

func hides(g *catalog.Grant, f *catalog.Field) bool { return g.Right(f) == catalog.Hidden }

func hiddenByName(g *catalog.Grant, f *catalog.Field) bool {
	right, named := g.Fields[name(f)]
	return named && right == catalog.Hidden
}

// shownElsewhere reports whether another grant of the role shows the field.
func shownElsewhere(grants grantsByModel, but *catalog.Grant, f *catalog.Field) bool {
	return grants.some(top(f.Model), func(g *catalog.Grant) bool {
		return g != but && g.Rows != nil && gives(g, "view") && !hides(g, f)
	})
}

func (c *compiler) checkDigest(d *def.Access, entry def.Grant, g *catalog.Grant, grants grantsByModel) {
	name := g.Model.Field(catalog.Name)
	if name == nil || !name.System || hiddenByName(g, name) {
		return
	}
	for _, part := range g.Model.Digest {
		if f := part.Field; f != nil && hides(g, f) && !shownElsewhere(grants, g, f) {
			m := c.of[g.Model]
			c.report("ACCESS015", rightOf(entry, f), d.Code, f.Code, g.Model.Code, member(m.def.Node, "digest").Pos())
		}
	}
}

// checkReads tells of computed properties that a grant hides since it hides what they are calculated from.
func (c *compiler) checkReads(d *def.Access, entry def.Grant, g *catalog.Grant, grants grantsByModel) {
	for _, of := range append([]*catalog.Model{g.Model}, g.Model.Sheets...) {
		for _, f := range of.Fields {
			if f.Compute == nil || !hides(g, f) || hiddenByName(g, f) || shownElsewhere(grants, g, f) {
				continue
			}
			apart := *f
			if apart.Reads, apart.ReadsBeside = nil, nil; hides(g, &apart) {
				continue // whatever it is calculated from
			}
			if source := hiddenSource(g, f, nil); source != nil {
				c.report("ACCESS020", rightOf(entry, source), d.Code, name(source), g.Model.Code, name(f))
			}
		}
	}
}

// hiddenSource is what a grant hides itself of all that a property is calculated from.
func hiddenSource(g *catalog.Grant, f *catalog.Field, within []*catalog.Field) *catalog.Field {
	if f.Compute == nil || hiddenByName(g, f) || slices.Contains(within, f) {
		return f
	}
	for _, of := range slices.Concat(f.Reads, f.ReadsBeside) {
		if hides(g, of) {
			return hiddenSource(g, of, append(within, f))
		}
	}
	return f
}

func (c *compiler) checkRelations(d *def.Access, entry def.Grant, g *catalog.Grant, grants grantsByModel, relations []showing) {
	for _, r := range relations {
		f := r.field
		if !hides(g, f.Display) || shownElsewhere(grants, g, f.Display) {
			continue
		}
		if grants.some(r.model, func(o *catalog.Grant) bool { return gives(o, "view") && o.Rows != nil && !hides(o, f) }) {
			c.report("ACCESS016", rightOf(entry, f.Display), d.Code, f.Display.Code, g.Model.Code, f.Model.Code+"."+f.Code)
		}
	}
}

func (c *compiler) checkComputed(d *def.Access, entry def.Grant, g *catalog.Grant, grants grantsByModel, readings []reading) {
	for _, r := range readings {
		if !hides(g, r.source) || shownElsewhere(grants, g, r.source) {
			continue
		}
		if grants.some(top(r.shown.Model), func(o *catalog.Grant) bool { return gives(o, "view") && o.Rows != nil && !hides(o, r.shown) }) {
			c.report("ACCESS019", rightOf(entry, r.source), d.Code, name(r.source), g.Model.Code, r.shown.Model.Code+"."+r.shown.Code)
		}
	}
}

// rightOf is where an access document hides a field: its own entry, or that of all others.
func rightOf(entry def.Grant, f *catalog.Field) *source.Node {
	fields := entry.Node.Get("fields")
	for _, n := range members(fields) {
		if fold(n.Key) == fold(name(f)) {
			return n
		}
	}
	if n := fields.Get(everything); n != nil {
		return n
	}
	return entry.Node
}
