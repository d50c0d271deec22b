package record

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Fields of the reserved models that sign-in and rights hang on.
const (
	userName  = "username"
	userRoles = "roles"
	roleCode  = "code"
)

// organisation checks what the reserved models mean beyond their definitions: nobody gives away more than he may do himself,
// by roles or by what a role's record stands for, and a sign-in name is one person's, letter case aside.
func (c *change) organisation() error {
	switch c.m.Code {
	case userModel:
		if err := c.grants(); err != nil {
			return err
		}
		return c.signInName()
	case roleModel:
		code, f := c.text(c.row, roleCode)
		if was, _ := c.text(c.old, roleCode); code != was && !c.rt.MayGrant(code) {
			c.refuse(f.Code, fault.FieldUnknown, f.Code)
		}
	}
	return nil
}

// text is a one-column property of a row.
func (c *change) text(row map[string]any, code string) (string, *catalog.Field) {
	f := c.m.Field(code)
	if f == nil {
		return "", nil
	}
	v, _ := get(row, f).(string)
	return v, f
}

// grants refuses new roles that the principal may not give.
func (c *change) grants() error {
	f, code := c.m.Field(userRoles), (*catalog.Field)(nil)
	if f != nil && f.Target != nil {
		code = f.Target.Field(roleCode)
	}
	if code == nil {
		return nil
	}
	had, _ := get(c.old, f).([]string)
	now, _ := get(c.row, f).([]string)
	added := slices.DeleteFunc(slices.Clone(now), func(id string) bool { return slices.Contains(had, id) })
	if len(added) == 0 {
		return nil
	}
	refused := false
	q := &plan.Query{Model: f.Target.Code, Where: idIn(added), Select: []plan.Expr{code.Column()}}
	err := c.tx.Query(c.ctx, c.c, q, func(row []any) error {
		role, _ := row[0].(string)
		refused = refused || !c.rt.MayGrant(role)
		return nil
	})
	if refused {
		c.refuse(f.Code, fault.FieldReference, f.Label)
	}
	return err
}

// signInName refuses a name that differs from another person's in letter case only: sign-in compares without it.
func (c *change) signInName() error {
	name, f := c.text(c.row, userName)
	if was, _ := c.text(c.old, userName); f == nil || name == was {
		return nil
	}
	if other, ok := c.w.people.PersonByName(c.ctx, name); ok && other.ID != c.id {
		c.refuse(f.Code, fault.FieldDuplicate, f.Label)
	}
	return nil
}
