package access

import (
	"context"
	"errors"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// counter counts the records that people gain and lose, within the limits of a report.
type counter struct {
	change *Change
	left   int
}

// count fills the counts of a group from the people of a combination. What cannot be counted has none.
func (c *counter) count(ctx context.Context, of combination, changes *authz.Changes, g *Group) {
	if c.change.DB == nil {
		return
	}
	for i, m := range changes.Models {
		for j, r := range m.Rows {
			people := of.people[:min(len(of.people), counted)]
			if !personal(r.Before) && !personal(r.After) { // the same for everybody
				people = []principal.Person{{}}
			}
			for _, p := range people {
				if c.left == 0 || ctx.Err() != nil {
					return
				}
				c.left--
				n, err := c.of(ctx, p, m.Code, r)
				if err != nil {
					break
				}
				g.Models[i].Rows[j].Counts = append(g.Models[i].Rows[j].Counts, n)
			}
		}
	}
}

var errNoTable = errors.New("the model has no table yet")

// of counts for one person, on the tables as they are.
func (c *counter) of(ctx context.Context, p principal.Person, model string, r authz.RowChange) (Count, error) {
	out := Count{Name: p.Name}
	catalog := c.change.Before.Catalog()
	if m := catalog.Model(model); m == nil { // its table is not there yet
		return out, errNoTable
	}
	who := principal.Principal{UserID: p.ID, Name: p.Name, Roles: p.Roles, Departments: p.Departments, MainDepartment: p.MainDepartment}
	if c.change.Below != nil {
		who.DepartmentTree = c.change.Below(p.Departments)
	}
	vars := c.change.After.View(who, c.change.Now, c.change.Zone).Vars()
	before, after := expression.Bind(r.Before, c.change.Before.View(who, c.change.Now, c.change.Zone).Vars()), expression.Bind(r.After, vars)
	err := c.change.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		count := func(with, without plan.Expr) (int64, error) {
			where := expression.Bind(plan.AllOf(with, plan.Negate(without)), nil)
			if plan.IsFalse(where) {
				return 0, nil
			}
			return tx.Count(ctx, catalog, &plan.Query{Model: model, Where: &plan.Rule{X: where}})
		}
		if out.Gained, err = count(after, before); err != nil {
			return err
		}
		out.Lost, err = count(before, after)
		return err
	})
	return out, err
}

// personal reports whether a condition depends on who asks.
func personal(e plan.Expr) bool {
	found := false
	plan.Walk(e, func(x plan.Expr) {
		if _, ok := x.(*plan.Var); ok {
			found = true
		}
	})
	return found
}
