package compile

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

const everything = "*"

// fieldRight is the form of a right (schemas/access.schema.json).
var fieldRight = regexp.MustCompile(`^(-|rw?\+?x?)$`)

func (c *compiler) compileAccess() {
	c.custom = c.customActions()
	for m, codes := range c.custom {
		if m != nil {
			m.Custom = slices.Compact(slices.Sorted(slices.Values(codes)))
		}
	}
	c.compileRoles(nil)
	c.compileReasons()
	c.translateRoles()
}

// ownRights is what a role's document gives, without the roles that it includes, and what was found in it.
type ownRights struct {
	role *catalog.Role
	list diag.List
}

// compileRoles compiles the roles; of those that were compiled before, over the same documents, nothing is done again.
func (c *compiler) compileRoles(before map[*def.Access]ownRights) {
	others := c.out
	c.out, c.own = nil, make(map[*def.Access]ownRights, len(c.roles.all))
	included := c.inclusions()
	for _, d := range c.roles.all {
		own, compiled := before[d]
		if !compiled {
			from := len(c.out)
			own.role = c.compileRole(d)
			own.list = slices.Clone(c.out[from:])
		} else {
			c.out = append(c.out, own.list...)
		}
		c.own[d] = own
		r := *own.role
		for _, i := range included[fold(d.Code)] {
			if o, ok := c.included(i); ok {
				r.Includes = append(r.Includes, o.Code)
			}
		}
		c.cat.Roles = append(c.cat.Roles, &r)
	}
	c.checkIncludes(included)
	c.foundInRoles, c.out = c.out, others
}

// compileRole compiles what a role's document gives.
func (c *compiler) compileRole(d *def.Access) *catalog.Role {
	r := &catalog.Role{Code: d.Code, Pack: d.Pack, Label: c.label(d.Node, d.Named, d.Code), At: d.Node.Pos().String()}
	r.Permissions, r.SecondFactor = d.Permissions, d.SecondFactor // the schema knows them
	for i, code := range d.Apps {
		if code == everything {
			r.Apps = append(r.Apps, code)
		} else if a, ok := lookup(c, &c.apps, code, d.Node.Get("apps").At(itoa(i)), "ACCESS003"); ok {
			r.Apps = append(r.Apps, a.Code)
		}
	}
	r.Actions = c.grantedActions(d)
	for _, g := range d.Models {
		if out, ok := c.grant(g, c.custom); ok {
			r.Grants = append(r.Grants, out)
		}
	}
	if !d.SecondFactor && len(d.Includes)+len(d.IncludedBy)+len(d.Apps)+len(d.Permissions)+len(d.Actions) == 0 && !slices.ContainsFunc(d.Models, grantsAny) {
		c.report("ACCESS018", d.Node, d.Code)
	}
	return r
}

// translateRoles shows the names of roles in the reader's language: their records keep the Chinese one only.
func (c *compiler) translateRoles() {
	m, _ := c.models.get("role")
	if m == nil {
		return
	}
	name := m.Model.Field("name")
	if name == nil {
		return
	}
	t, ok := name.Property.(property.Translator)
	if !ok {
		return
	}
	labels := make(map[string]plan.Label, len(c.cat.Roles))
	for _, r := range c.cat.Roles {
		if same, taken := labels[r.Label.Zh]; !taken {
			labels[r.Label.Zh] = r.Label
		} else if !maps.Equal(same.I18n, r.Label.I18n) {
			labels[r.Label.Zh] = plan.Label{Zh: r.Label.Zh} // of two roles with one name none is called as the other one
		}
	}
	name.Property = t.Translated(labels)
}

// inclusion is a role that another one has the rights of.
type inclusion struct {
	code string
	at   *source.Node // where it is written
	by   bool         // at is in the document of the other role, which exists
}

// included finds the role of an inclusion.
func (c *compiler) included(i inclusion) (*def.Access, bool) {
	if i.by {
		r, _ := c.roles.get(i.code)
		return r, r != nil
	}
	return lookup(c, &c.roles, i.code, i.at, "ACCESS001")
}

// inclusions are the roles that each role includes, by its folded code: those that it names, and those of other documents that name it in
// includedBy, by which a pack gives rights on its own models to the roles of a pack that it requires.
func (c *compiler) inclusions() map[string][]inclusion {
	out := map[string][]inclusion{}
	for _, d := range c.roles.all {
		for i, code := range d.Includes {
			out[fold(d.Code)] = append(out[fold(d.Code)], inclusion{code: code, at: d.Node.Get("includes").At(itoa(i))})
		}
	}
	for _, d := range c.roles.all {
		for i, code := range d.IncludedBy {
			at := d.Node.Get("includedBy").At(itoa(i))
			if by, ok := lookup(c, &c.roles, code, at, "ACCESS001"); ok {
				out[fold(by.Code)] = append(out[fold(by.Code)], inclusion{code: d.Code, at: at, by: true})
			}
		}
	}
	return out
}

// compileReasons binds the reasons of packs to roles.
func (c *compiler) compileReasons() {
	at := map[string]string{}
	for _, p := range c.packs {
		for _, d := range p.Reasons {
			if first, taken := at[fold(d.Code)]; taken {
				c.report("PACK026", member(d.Node, "code"), d.Code, first)
				continue
			}
			at[fold(d.Code)] = d.Node.Pos().String()
			if r, ok := lookup(c, &c.roles, d.Role, member(d.Node, "role"), "PACK027"); ok {
				c.cat.Reasons = append(c.cat.Reasons, &catalog.Reason{Code: d.Code, Pack: p.Code, Role: r.Code, Label: c.label(d.Node, d.Named, d.Code)})
			}
		}
	}
}

// grantsAny reports whether a grant says something; what is wrong with it is told elsewhere.
func grantsAny(g def.Grant) bool { return len(g.Actions) > 0 || g.Rows != "" || g.EditRows != "" }

// grantedActions are the actions of packs that a role may call.
func (c *compiler) grantedActions(d *def.Access) (out []string) {
	for i, code := range d.Actions {
		if _, ok := c.set.Actions.Get(code); !ok && code != everything {
			c.suggest("ACCESS014", d.Node.Get("actions").At(itoa(i)), code, c.set.Actions.Names())
			continue
		}
		out = append(out, code)
	}
	return out
}

// customActions gives the codes that lists, forms and routes add to the actions of their models; nil holds those of all models.
func (c *compiler) customActions() map[*catalog.Model][]string {
	out := map[*catalog.Model][]string{}
	runs := func(code string) bool { _, ok := c.set.Actions.Get(code); return ok }
	buttons := func(m *catalog.Model, actions []catalog.ListAction) {
		for _, a := range actions {
			var codes []string // of a button that passed its own check
			if a.Type == "custom" || a.Type == "" || c.word(a.Type).List || runs(a.Type) {
				codes = append(codes, a.Code)
			}
			if a.Association == associations["action"] && runs(a.AssociationCode) {
				codes = append(codes, a.AssociationCode)
			}
			for _, code := range codes {
				if code != "" && !c.word(code).List {
					out[m] = append(out[m], code)
					out[nil] = append(out[nil], code)
				}
			}
		}
	}
	for _, l := range c.cat.Lists {
		buttons(l.Model, l.Actions)
	}
	for _, f := range c.cat.Forms {
		buttons(f.Model, f.Buttons)
	}
	for _, r := range c.cat.Routes {
		if code := r.Action.Name(); r.Model != nil && r.Right == "" {
			out[r.Model] = append(out[r.Model], code)
			out[nil] = append(out[nil], code)
		}
	}
	granted := c.words(action.Word.Granted)
	for _, r := range c.cat.Routes {
		switch {
		case r.Right == "" || slices.Contains(granted, r.Right) || slices.Contains(out[r.Model], r.Right):
		case runs(r.Right):
			out[r.Model] = append(out[r.Model], r.Right)
			out[nil] = append(out[nil], r.Right)
		default:
			c.suggest("PACK035", c.rightsOfRoutes[r], r.Right, slices.Concat(granted, out[r.Model], c.set.Actions.Names()), r.Model.Code)
		}
	}
	return out
}

// checkIncludes reports roles that include themselves, each circle once.
func (c *compiler) checkIncludes(included map[string][]inclusion) {
	told := map[string]bool{} // roles of a circle that was told
	for _, d := range c.roles.all {
		for _, i := range included[fold(d.Code)] {
			if chain := c.includes(included, i.code, d.Code, nil); chain != nil && !told[fold(d.Code)] {
				for _, r := range chain {
					told[fold(r)] = true
				}
				c.report("ACCESS004", i.at, d.Code, strings.Join(append([]string{d.Code}, chain...), " → "))
			}
		}
	}
}

// includes returns the way from a role to another through includes, nil when there is none.
func (c *compiler) includes(included map[string][]inclusion, from, to string, passed []string) []string {
	if strings.EqualFold(from, to) {
		return append(slices.Clone(passed), to)
	}
	r, _ := c.roles.get(from)
	if r == nil || slices.Contains(passed, r.Code) {
		return nil
	}
	for _, next := range included[fold(r.Code)] {
		if chain := c.includes(included, next.code, to, append(passed, r.Code)); chain != nil {
			return chain
		}
	}
	return nil
}

func (c *compiler) grant(d def.Grant, custom map[*catalog.Model][]string) (catalog.Grant, bool) {
	g := catalog.Grant{RowsText: d.Rows, At: d.Node.Pos().String()}
	m := c.anyModel
	if d.SchemaCode != everything {
		var ok bool
		if m, ok = lookup(c, &c.models, d.SchemaCode, member(d.Node, "schemaCode"), "ACCESS005"); !ok {
			return g, false
		}
		g.Model = m.Model
	}
	legal := append(c.words(action.Word.Granted), custom[g.Model]...)
	for i, a := range d.Actions {
		if a != everything && !slices.Contains(legal, a) {
			c.suggest("ACCESS006", d.Node.Get("actions").At(itoa(i)), a, legal, d.SchemaCode, strings.Join(legal, ", "))
			continue
		}
		g.Actions = append(g.Actions, a)
	}
	c.grantRows(m, d, &g)
	c.grantFields(m, d, &g)
	return g, true
}

func (c *compiler) grantRows(m *model, d def.Grant, g *catalog.Grant) {
	views := slices.Contains(g.Actions, "view") || slices.Contains(g.Actions, everything)
	switch {
	case d.Rows == "" && d.EditRows != "":
		c.report("ACCESS008", d.Node.Get("editRows"))
	case d.Rows == "" && views:
		c.report("ACCESS009", d.Node, d.SchemaCode)
	case d.Rows != "" && !views:
		c.report("ACCESS010", d.Node.Get("rows"), d.SchemaCode)
	}
	g.Rows = c.rows(m, d, "rows", d.Rows)
	if g.EditRows = c.rows(m, d, "editRows", d.EditRows); g.EditRows == nil {
		g.EditRows = g.Rows
	}
}

var rowWords = []string{"all", "own", "department", "departmentTree"}

// rows compiles a row rule: one of the four words, or a condition on the model's records.
func (c *compiler) rows(m *model, d def.Grant, key, text string) plan.Expr {
	system := func(code string) plan.Expr {
		if f := m.Field(code); f != nil {
			return f.Column()
		}
		return plan.False // the type of the system property is not loaded, which is reported
	}
	switch text {
	case "":
		return nil
	case "all":
		return plan.True
	case "own":
		return &plan.Compare{Op: plan.EQ, A: system(catalog.Owner), B: &plan.Var{Name: "user.id", K: plan.ID}}
	case "department":
		return &plan.InSet{Op: plan.SetIntersects, F: system(catalog.OwnerDept), G: &plan.Var{Name: "user.departments", K: plan.Set}}
	case "departmentTree":
		return &plan.InSet{Op: plan.SetIntersects, F: system(catalog.OwnerDept), G: &plan.Var{Name: "user.departmentTree", K: plan.Set}}
	}
	if codePattern.MatchString(text) && !m.has(text) && text != "true" && text != "false" {
		c.suggest("ACCESS017", d.Node.Get(key), text, rowWords, key)
		return nil
	}
	return c.condition(d.Node.Get(key), text, c.env(m, envSQL), "ACCESS007")
}

func (c *compiler) grantFields(m *model, d def.Grant, g *catalog.Grant) {
	g.Rest = catalog.Readable
	for _, a := range []string{everything, "add", "edit", catalog.AmendAction} {
		if slices.Contains(g.Actions, a) {
			g.Rest = catalog.Writable
		}
	}
	g.Fields = map[string]catalog.FieldRight{}
	for _, n := range members(d.Node.Get("fields")) {
		if !fieldRight.MatchString(n.Text()) {
			continue // which the schema reports
		}
		right := catalog.ReadRight(n.Text())
		if n.Key == everything {
			g.Rest = right.Field() // of sub-tables with all that may be done with their rows
			if right.AddRows || right.DeleteRows {
				c.report("ACCESS021", n, n.Key)
			}
			continue
		}
		before := len(c.out)
		p, ok := c.path(m, n.Key, source.InKey(n), "ACCESS012")
		for i := before; i < len(c.out); i++ {
			c.out[i].Position = n.KeyPos()
		}
		switch {
		case !ok:
		case len(p.Steps) > 0 && !p.Sheet:
			prob := problem("ACCESS013", n, n.Key, p.Field.Model.Code)
			prob.Position = n.KeyPos()
			c.out = append(c.out, prob)
		case (right.AddRows || right.DeleteRows) && p.Field.Sheet == nil:
			c.report("ACCESS021", n, n.Key)
		default:
			g.Fields[p.Code] = right.Field()
			if p.Field.Sheet != nil {
				if g.Sheets == nil {
					g.Sheets = map[string]catalog.RowRights{}
				}
				g.Sheets[p.Code] = right.Rows()
			}
		}
	}
}
