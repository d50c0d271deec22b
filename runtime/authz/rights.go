package authz

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
)

// View is a catalog as one principal sees it at one time: the definitions, and what the principal may do with them. Everything that
// reads or writes records takes one View, so that definitions and rights are always of the same version (docs/adr/0038). It is safe for
// concurrent use and lives as long as a request.
type View struct {
	*catalog.Catalog
	policy *Policy
	who    principal.Principal
	set    *roleSet
	roles  *View // without lenses; nil = there are none
	vars   map[string]any
	free   bool // of nobody in particular: conditions keep the variables that vars has not

	mu        sync.Mutex
	bound     map[plan.Expr]plan.Expr
	momentary bool
}

// View binds the roles of a principal to what is known of them now. today is the day of now in the zone.
func (p *Policy) View(pr principal.Principal, now time.Time, zone *time.Location) *View {
	r := &View{Catalog: p.catalog, policy: p, who: pr, bound: map[plan.Expr]plan.Expr{}}
	switch {
	case pr.System != "":
		r.set = &roleSet{system: true}
	case pr.UserID == "" && pr.Reason == "":
		r.set = p.set(nil)
	default:
		r.set = p.set(pr.Roles)
	}
	if pr.Apps != nil && !r.set.system {
		r.set = p.scoped(r.set, pr.Apps)
	}
	r.vars = map[string]any{
		"user.id": text(pr.UserID), "user.name": text(pr.Name), "user.mainDepartment": text(pr.MainDepartment),
		"user.roles": list(r.set.codes), "user.departments": list(pr.Departments), "user.departmentTree": list(pr.DepartmentTree),
		"today": now.In(zone).Format(time.DateOnly), "now": now.UTC().Truncate(time.Millisecond),
	}
	if r.set.scope != nil { // as through a lens: no plan made with it is kept
		r.roles = &View{Catalog: r.Catalog, policy: p, who: pr, set: r.set, vars: r.vars, bound: map[plan.Expr]plan.Expr{}}
	}
	return r
}

// Of binds the same policy to another principal.
func (r *View) Of(pr principal.Principal, now time.Time, zone *time.Location) *View {
	return r.policy.View(pr, now, zone)
}

// text and list keep the rule of plan.Kind: empty values are nil.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func list(s []string) any {
	if len(s) == 0 {
		return nil
	}
	return s
}

// Principal returns who the rights are of.
func (r *View) Principal() principal.Principal { return r.who }

// User is the id of the person whose view it is; "" for the system and for somebody who is not signed in.
func (r *View) User() string { return r.who.UserID }

// Vars are the principal's variables, by the names of plan.Var. The map is not to be changed.
func (r *View) Vars() map[string]any { return r.vars }

// Bind puts the principal's variables into a condition and folds what became constant.
func (r *View) Bind(e plan.Expr) plan.Expr {
	if e == nil || plan.IsTrue(e) || plan.IsFalse(e) {
		return e
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out, ok := r.bound[e]
	if !ok {
		bind := expression.Bind
		if r.free {
			bind = expression.BindSome
		}
		out = bind(e, r.vars)
		r.bound[e] = out
		plan.Walk(e, func(x plan.Expr) {
			if v, ok := x.(*plan.Var); ok && v.Name == expression.VarNow {
				r.momentary = true
			}
		})
	}
	return out
}

// Momentary reports whether a condition that was bound speaks of now, and so holds for no later request. One that speaks of
// today holds for the day.
func (r *View) Momentary() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.momentary
}

// Can reports whether the principal may do the action on records of the model (a sub-table counts as its record).
func (r *View) Can(m *catalog.Model, action string) bool {
	if r.set.system {
		return true
	}
	if sealed(m, action) {
		return false
	}
	if m != nil && r.set.speaks(root(m)) {
		return slices.ContainsFunc(r.set.of(root(m)).all, func(g grant) bool { return g.gives(action) })
	}
	return m != nil && r.policy.allows(r.set.bits, kindModel+strings.ToLower(root(m).Code), strings.ToLower(action))
}

// sealed reports whether the action would change records of a model that are final, whatever roles grant.
func sealed(m *catalog.Model, action string) bool {
	if m == nil || !root(m).Final {
		return false
	}
	switch strings.ToLower(action) {
	case "edit", "delete", "batch_update", "change_owner", catalog.AmendAction:
		return true
	}
	return false
}

// Offers reports whether an action on records of the model is worth a button: it is granted, and not on rows that no record can be among, as where a
// condition asks for a department of somebody who has none.
func (r *View) Offers(m *catalog.Model, action string) bool {
	return r.Can(m, action) && !plan.IsFalse(r.EditRows(m, action))
}

// Call reports whether the principal may call a route: by a grant of its action, or by one of its word on records of its model.
func (r *View) Call(route *catalog.Route) bool {
	name := route.Action.Name()
	if in := r.set.scope; in != nil {
		whole := &View{Catalog: r.Catalog, policy: r.policy, set: in.whole}
		return in.calls(route) && whole.Call(route)
	}
	return r.set.system || r.policy.allows(r.set.bits, kindAction+strings.ToLower(name), run) || route.Model != nil && r.Can(route.Model, route.Word())
}

// Opens reports whether the principal may open the application.
func (r *View) Opens(code string) bool {
	return r.set.system || r.policy.allows(r.set.bits, kindApp+strings.ToLower(code), open)
}

// Administers reports whether the principal administers the application: by a role with APP_MNG whose own document names it (docs/adr/0052).
func (r *View) Administers(application string) bool {
	if r.set.system {
		return true
	}
	if r.set.scope != nil {
		return false
	}
	return slices.ContainsFunc(r.set.codes, func(code string) bool {
		role := r.Role(code)
		named := func(app string) bool { return app == every || strings.EqualFold(app, application) }
		return role != nil && slices.Contains(role.Permissions, "APP_MNG") && slices.ContainsFunc(role.Apps, named)
	})
}

// Permissions lists the platform permissions (APP_MNG, SYS_MNG, ...) in alphabetical order.
func (r *View) Permissions() []string {
	out := []string{}
	for _, code := range r.policy.perms {
		if r.Has(code) {
			out = append(out, code)
		}
	}
	return out
}

// Has reports whether the principal has a platform permission.
func (r *View) Has(permission string) bool {
	return r.set.system || r.policy.allows(r.set.bits, kindPermission+strings.ToLower(permission), have)
}

// Holds reports whether the principal has the role, assigned or included by an assigned one.
func (r *View) Holds(role string) bool {
	return r.set.system || slices.ContainsFunc(r.set.codes, func(c string) bool { return strings.EqualFold(c, role) })
}

// HoldsOne reports whether the principal has one of some roles.
func (r *View) HoldsOne(roles []string) bool { return slices.ContainsFunc(roles, r.Holds) }

// Reads reports whether the principal may open a document of a registered kind. Who may not is answered as if there were none.
func (r *View) Reads(d *catalog.Document) bool {
	return d != nil && (len(d.Read) == 0 || r.HoldsOne(d.Read))
}

// Report is the report of a code that the principal may open, without case; nil when there is none.
func (r *View) Report(code string) *catalog.Report {
	if !r.Reads(r.Document(catalog.KindReport, code)) {
		return nil
	}
	return r.Catalog.Report(code)
}

// Rows is the condition of the rows that the principal sees; plan.False = none. For a sub-table it is that of its record.
func (r *View) Rows(m *catalog.Model) plan.Expr {
	if r.set.system {
		return plan.True
	}
	if m == nil {
		return plan.False
	}
	return r.anyRows(r.set.of(root(m)).view)
}

func (r *View) anyRows(grants []grant) plan.Expr {
	var of []plan.Expr
	for _, g := range grants {
		if e := r.Bind(g.Rows); e != nil && !contains(of, e) {
			of = append(of, e)
		}
	}
	return plan.AnyOf(of...)
}

// EditRows is the condition of the rows on which the principal may do the action: rows that some grant with the action
// gives (by its editRows, unless the word is RowsOnly) and that the principal sees.
func (r *View) EditRows(m *catalog.Model, action string) plan.Expr {
	return r.actionRows(m, action, func(grant) bool { return true })
}

// FieldRows is the condition of the rows on which the action may set the field: those of grants with the action that may
// write it.
func (r *View) FieldRows(f *catalog.Field, action string) plan.Expr {
	if f.System {
		return plan.False
	}
	return r.actionRows(f.Model, action, func(g grant) bool { return g.Right(f) == catalog.Writable })
}

func (r *View) actionRows(m *catalog.Model, action string, use func(grant) bool) plan.Expr {
	if r.set.system {
		return plan.True
	}
	if m == nil || sealed(m, action) {
		return plan.False
	}
	all := r.set.of(root(m)).all
	var of []plan.Expr
	for _, g := range all {
		if g.Rows == nil || !g.gives(action) || !use(g) {
			continue
		}
		e := r.Bind(g.Rows)
		if edit := r.Bind(g.EditRows); edit != nil && !r.policy.catalog.Words[strings.ToLower(action)].RowsOnly && !same(e, edit) {
			e = plan.AllOf(e, edit)
		}
		if !g.gives("view") {
			e = plan.AllOf(r.Rows(m), e)
		}
		if !contains(of, e) {
			of = append(of, e)
		}
	}
	return plan.AnyOf(of...)
}

// Field is the principal's best right to a field and the condition of the visible rows on which its value shows. The guard
// is plan.True when the field shows on every row that the principal sees, plan.False when it shows on none.
func (r *View) Field(f *catalog.Field) (catalog.FieldRight, plan.Expr) {
	if r.set.system {
		if f.System {
			return catalog.Readable, plan.True
		}
		return catalog.Writable, plan.True
	}
	mg := r.set.of(root(f.Model))
	fg := mg.fields[f]
	best := catalog.Hidden
	for i, g := range fg.showing {
		if !plan.IsFalse(r.Bind(g.Rows)) {
			best = max(best, fg.rights[i])
		}
	}
	if best == catalog.Hidden {
		return catalog.Hidden, plan.False
	}
	if len(fg.showing) == len(mg.view) {
		return best, plan.True
	}
	return best, r.guard(mg.view, fg.showing)
}

// SheetRows is the condition of the records on which the action may do something with the rows of a sub-table: those of grants with the action
// that may write the sub-table and have that right to its rows.
func (r *View) SheetRows(sheet *catalog.Field, right catalog.RowRights, action string) plan.Expr {
	return r.actionRows(sheet.Model, action, func(g grant) bool {
		return g.Right(sheet) == catalog.Writable && g.RowRights(sheet)&right == right
	})
}

// RowRights is what the action may do with the rows of a sub-table on some record.
func (r *View) RowRights(sheet *catalog.Field, action string) (out catalog.RowRights) {
	for _, right := range []catalog.RowRights{catalog.AddRows, catalog.EditRows, catalog.DeleteRows} {
		if !plan.IsFalse(r.SheetRows(sheet, right, action)) {
			out |= right
		}
	}
	return out
}

// guard joins the rows of the grants that show a field. It is True when the rows of every other grant are among them.
func (r *View) guard(view, showing []grant) plan.Expr {
	var of []plan.Expr
	for _, g := range showing {
		if e := r.Bind(g.Rows); !contains(of, e) {
			of = append(of, e)
		}
	}
	out := plan.AnyOf(of...)
	if plan.IsTrue(out) {
		return plan.True
	}
	for _, g := range view {
		if e := r.Bind(g.Rows); !plan.IsFalse(e) && !contains(of, e) {
			return out
		}
	}
	return plan.True
}

// root is the model of records: m itself or, for a sub-table, the model that holds it.
func root(m *catalog.Model) *catalog.Model {
	for m.Parent != nil {
		m = m.Parent
	}
	return m
}

func same(a, b plan.Expr) bool { return a == b || reflect.DeepEqual(a, b) }

func contains(of []plan.Expr, e plan.Expr) bool {
	return slices.ContainsFunc(of, func(o plan.Expr) bool { return same(o, e) })
}
