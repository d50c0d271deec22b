package authz

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Changes are what a combination of roles gives under one policy and not under another (docs/adr/0052). Codes are sorted; of
// what is equal nothing is listed.
type Changes struct {
	Permissions []Gain         `json:"permissions"`
	Apps        []Gain         `json:"apps"`
	Actions     []Gain         `json:"actions"` // of packs, whatever their model
	Models      []ModelChanges `json:"models"`
}

// Gain is something that is given now and was not, or was given and is no longer.
type Gain struct {
	Code   string     `json:"code"`
	Label  plan.Label `json:"label"`
	Gained bool       `json:"gained"`
}

// ModelChanges are the changes of the rights to one model.
type ModelChanges struct {
	Code    string        `json:"code"`
	Label   plan.Label    `json:"label"`
	Actions []Gain        `json:"actions"`
	Rows    []RowChange   `json:"rows"`
	Fields  []FieldChange `json:"fields"`
}

// RowChange is a change of the records on which actions are allowed. The conditions are those of the combination, with the variables of a
// person in them; plan.False = none.
type RowChange struct {
	Actions       []string  `json:"actions"`
	Before, After plan.Expr `json:"-"`
}

// FieldChange is a change of the right to a field, or of the visible records on which it shows.
type FieldChange struct {
	Code   string             `json:"code"` // "rate", or "items.rate" for the column of a sub-table
	Label  plan.Label         `json:"label"`
	Before catalog.FieldRight `json:"-"`
	After  catalog.FieldRight `json:"-"`
	// What an edit may do with the rows of a sub-table on some record.
	RowsBefore catalog.RowRights `json:"-"`
	RowsAfter  catalog.RowRights `json:"-"`
	Field      *catalog.Field    `json:"-"` // as it is now, or as it was where it is gone
	// Conditions on which the field shows, and on which an edit may set it; nil = on every visible record, and on every record that may be
	// edited.
	WhereBefore, WhereAfter   plan.Expr `json:"-"`
	WritesBefore, WritesAfter plan.Expr `json:"-"`
}

// None reports whether nothing changes.
func (c *Changes) None() bool {
	return len(c.Permissions)+len(c.Apps)+len(c.Actions)+len(c.Models) == 0
}

// Compare lists what changes for somebody with these roles from one policy to the other. Models, fields and roles go by their codes, as the
// renames lead from one to the other, so the policies may be of different catalogs. The roles are those of before; what only afterwards has a code
// is called by it.
func Compare(before, after *Policy, roles []string, called Renames) Changes {
	now := make([]string, len(roles))
	for i, code := range roles {
		now[i] = called.Role(code)
	}
	b, a := before.unbound(roles), after.unbound(now)
	opened := func(code string) bool {
		was, ok := called.then.Was(names.App, code)
		return b.Opens(was) && (ok || after.catalog.App(code) == nil)
	}
	c := Changes{
		Permissions: gains(union(before.perms, after.perms), b.Has, a.Has, nil),
		Apps: gains(codesOf(before.catalog.Apps, after.catalog.Apps, func(x *catalog.App) string { return x.Code }, called, names.App), opened, a.Opens, func(code string) plan.Label {
			if x := present(after.catalog.App(code), before.catalog.App(code)); x != nil {
				return x.Label
			}
			return plan.Label{}
		}),
		Actions: gains(union(before.actionCodes(), after.actionCodes()), b.runs, a.runs, nil),
		Models:  []ModelChanges{},
	}
	for _, m := range modelPairs(before.catalog, after.catalog, called) {
		if m, changed := compareModel(b, a, m[0], m[1], called); changed {
			c.Models = append(c.Models, m)
		}
	}
	return c
}

// unbound is what roles give to nobody in particular: conditions keep the variables of a person besides the roles.
func (p *Policy) unbound(roles []string) *View {
	set := p.set(roles)
	return &View{Catalog: p.catalog, policy: p, set: set, free: true, bound: map[plan.Expr]plan.Expr{}, vars: map[string]any{"user.roles": list(set.codes)}}
}

func (r *View) runs(action string) bool {
	return r.policy.allows(r.set.bits, kindAction+strings.ToLower(action), run)
}

// actionCodes are the actions that routes of packs call.
func (p *Policy) actionCodes() []string { return actionsOf(p.catalog, every) }

// modelPairs are the models of two catalogs, each with what it was: nil for a new one, and nil for one that is gone.
func modelPairs(before, after *catalog.Catalog, called Renames) (out [][2]*catalog.Model) {
	paired := map[*catalog.Model]bool{}
	for _, was := range before.Models {
		var is *catalog.Model
		if code, ok := called.then.Document(names.Model, was.Code); ok {
			is = after.Model(code)
		}
		paired[is] = true
		out = append(out, [2]*catalog.Model{was, is})
	}
	for _, is := range after.Models {
		if !paired[is] {
			out = append(out, [2]*catalog.Model{nil, is})
		}
	}
	slices.SortFunc(out, func(x, y [2]*catalog.Model) int {
		return strings.Compare(strings.ToLower(present(x[1], x[0]).Code), strings.ToLower(present(y[1], y[0]).Code))
	})
	return out
}

func compareModel(b, a *View, was, is *catalog.Model, called Renames) (ModelChanges, bool) {
	of := present(is, was)
	out := ModelChanges{Code: of.Code, Label: of.Label, Rows: []RowChange{}, Fields: []FieldChange{}}
	can := func(v *View, m *catalog.Model) func(string) bool {
		return func(action string) bool { return m != nil && v.Can(m, action) }
	}
	actions := union(b.actionsOn(was), a.actionsOn(is))
	out.Actions = gains(actions, can(b, was), can(a, is), nil)
	others := slices.DeleteFunc(slices.Clone(actions), func(s string) bool { return s == every || strings.EqualFold(s, "view") })
	for _, action := range append([]string{"view"}, others...) {
		rb, ra := called.expr(was, b.rowsOf(was, action)), a.rowsOf(is, action)
		// An action that is lost has its records no longer, which needs no line of its own.
		if plan.Format(rb) == plan.Format(ra) || action != "view" && !can(a, is)(action) {
			continue
		}
		i := slices.IndexFunc(out.Rows, func(r RowChange) bool { return same(r.Before, rb) && same(r.After, ra) })
		if i < 0 {
			i, out.Rows = len(out.Rows), append(out.Rows, RowChange{Before: rb, After: ra})
		}
		out.Rows[i].Actions = append(out.Rows[i].Actions, action)
	}
	out.Fields = compareFields(b, a, was, is, called)
	return out, len(out.Actions)+len(out.Rows)+len(out.Fields) > 0
}

// ActionsOn lists the actions that documents name for records of a model to anybody, sorted.
func (r *View) ActionsOn(m *catalog.Model) []string {
	return slices.DeleteFunc(union(r.policy.namedActions(root(m)), nil), func(s string) bool { return s == every })
}

// actionsOn are the actions that grants of the view name for a model.
func (r *View) actionsOn(m *catalog.Model) []string {
	if m == nil {
		return nil
	}
	var out []string
	for _, g := range r.set.of(m).all {
		for _, action := range g.Actions {
			if action == every { // what it gives is what the catalog's words and buttons name
				out = append(out, r.policy.namedActions(m)...)
			}
			out = append(out, action)
		}
	}
	return out
}

// namedActions are the actions of a model that access documents can name, and those that some grant names.
func (p *Policy) namedActions(m *catalog.Model) []string {
	out := slices.Clone(m.Custom)
	for _, w := range p.catalog.Words {
		if w.Granted() {
			out = append(out, w.Code)
		}
	}
	for _, r := range p.catalog.Roles {
		for _, g := range r.Grants {
			if g.Model == m {
				out = append(out, g.Actions...)
			}
		}
	}
	return out
}

// rowsOf is the unbound condition of the records on which an action is allowed.
func (r *View) rowsOf(m *catalog.Model, action string) plan.Expr {
	switch {
	case m == nil || !r.Can(m, action):
		return plan.False
	case action == "view":
		return r.Rows(m)
	}
	return r.EditRows(m, action)
}

func compareFields(b, a *View, was, is *catalog.Model, called Renames) []FieldChange {
	out := []FieldChange{}
	before, after := map[string]*catalog.Field{}, fieldsOf(is)
	for code, f := range fieldsOf(was) {
		before[called.field(was, code)] = f
	}
	for _, code := range slices.Sorted(maps.Keys(merged(before, after))) {
		var c FieldChange
		fb, fa := before[code], after[code]
		c.Code, c.Label, c.Field = code, present(fa, fb).Label, present(fa, fb)
		if fb != nil {
			c.Before, c.WhereBefore = b.showing(fb)
			c.WritesBefore = called.expr(was, b.writing(fb, c.Before))
			c.RowsBefore = b.rowsWritten(fb)
			c.WhereBefore = called.expr(was, c.WhereBefore)
		}
		if fa != nil {
			c.After, c.WhereAfter = a.showing(fa)
			c.WritesAfter = a.writing(fa, c.After)
			c.RowsAfter = a.rowsWritten(fa)
		}
		// A field that is new, or gone, with the definitions changes no right.
		if fb == nil && was != nil || fa == nil && is != nil ||
			c.Before == c.After && c.RowsBefore == c.RowsAfter && sameWhere(c.WhereBefore, c.WhereAfter) && sameWhere(c.WritesBefore, c.WritesAfter) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// showing is the right to a field, and the condition under which it shows where that is not every visible record.
func (r *View) showing(f *catalog.Field) (catalog.FieldRight, plan.Expr) {
	right, guard := r.Field(f)
	if right == catalog.Hidden || plan.IsTrue(guard) {
		return right, nil
	}
	return right, guard
}

// writing is the condition on which an edit may set a field, where its right does not say so already: nil for a writable one on every record
// that may be edited, and for another one on none.
func (r *View) writing(f *catalog.Field, right catalog.FieldRight) plan.Expr {
	where := r.FieldRows(f, "edit")
	if right == catalog.Writable && same(where, r.EditRows(f.Model, "edit")) || right != catalog.Writable && plan.IsFalse(where) {
		return nil
	}
	return where
}

// rowsWritten is what an edit may do with the rows of a sub-table on some record; nothing for other properties.
func (r *View) rowsWritten(f *catalog.Field) catalog.RowRights {
	if f.Sheet == nil {
		return 0
	}
	return r.RowRights(f, "edit")
}

func sameWhere(a, b plan.Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return plan.Format(a) == plan.Format(b)
}

// fieldsOf are the properties of a model and of its sub-tables by the names that grants use; system ones are left out.
func fieldsOf(m *catalog.Model) map[string]*catalog.Field {
	out := map[string]*catalog.Field{}
	if m == nil {
		return out
	}
	for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
		for _, f := range part.Fields {
			if !f.System {
				out[nameOf(f)] = f
			}
		}
	}
	return out
}

func gains(codes []string, before, after func(string) bool, label func(string) plan.Label) []Gain {
	out := []Gain{}
	for _, code := range codes {
		if was, is := before(code), after(code); was != is {
			g := Gain{Code: code, Gained: is}
			if label != nil {
				g.Label = label(code)
			}
			out = append(out, g)
		}
	}
	return out
}

// codesOf are the codes of two lists of definitions, as they are called afterwards.
func codesOf[T any](a, b []T, code func(T) string, called Renames, k names.Kind) []string {
	var out []string
	for _, x := range a {
		out = append(out, called.now(k, code(x)))
	}
	for _, x := range b {
		out = append(out, code(x))
	}
	return union(out, nil)
}

// union is sorted and holds nothing twice, whatever the case.
func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(b, a))
	})
	return slices.CompactFunc(out, strings.EqualFold)
}

func merged[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// present is the first that there is.
func present[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}
