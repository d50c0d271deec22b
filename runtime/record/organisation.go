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

	departmentParent = "parent"
)

// powers are the properties of a person that decide who signs in and with which rights. Who looks after an account without having its rights
// does not change them: a name to sign in with or an address that a provider knows would give the account to somebody else.
var powers = []string{userName, userRoles, "departments", "mainDepartment", "email"}

// accounting are those that belong to looking after an account.
var accounting = []string{catalog.Name, "disabled"}

// places are those by which roles give different records to different people.
var places = []string{"departments", "mainDepartment"}

// organisation checks what the reserved models mean beyond their definitions: nobody grants more than they may do themselves,
// by roles, by what a role's record represents or by departments that come under their own; nobody takes rights from those above them; and a sign-in name is one
// person's, letter case aside.
func (c *change) organisation() error {
	switch c.m.Code {
	case userModel:
		if err := c.checkGrantable(c.manages, powers...); err != nil {
			return err
		}
		if err := c.checkGrantable(c.keepsAccount, accounting...); err != nil {
			return err
		}
		if c.id == c.view.User() {
			if err := c.checkGrantable(c.surpasses, places...); err != nil {
				return err
			}
		}
		if err := c.grants(); err != nil {
			return err
		}
		return c.signInName()
	case departmentModel:
		to, f := c.text(c.row, departmentParent)
		if was, _ := c.text(c.old, departmentParent); c.create || f == nil || to == was {
			return nil
		}
		gains, err := c.annexes(c.m, c.id, to)
		if gains {
			c.refuse(f.Code, fault.DepartmentGains)
		}
		return err
	case roleModel:
		if err := c.checkGrantable(c.manages, roleCode); err != nil {
			return err
		}
		code, f := c.text(c.row, roleCode)
		was, _ := c.text(c.old, roleCode)
		switch {
		case code == was || c.view.MayGrant(code):
		case c.view.KnowsRole(code):
			c.refuse(f.Code, fault.FieldAbove, f.Label)
		default:
			c.refuse(f.Code, fault.FieldRole, code)
		}
	}
	return nil
}

// checkGrantable refuses changes to properties of a person whom the principal may not change as may says, and of the records of such roles.
func (c *change) checkGrantable(may func(*catalog.Model, map[string]any) (bool, error), codes ...string) error {
	if c.create {
		return nil
	}
	ok, err := may(c.m, c.old)
	if err != nil || ok {
		return err
	}
	for _, code := range codes {
		if f := c.m.Field(code); f != nil && !equal(get(c.old, f), get(c.row, f)) {
			c.refuse(f.Code, fault.FieldAbove, f.Label)
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
	f := c.m.Field(userRoles)
	if f == nil {
		return nil
	}
	had, _ := get(c.old, f).([]string)
	now, _ := get(c.row, f).([]string)
	added, err := c.roleCodes(f, slices.DeleteFunc(slices.Clone(now), func(id string) bool { return slices.Contains(had, id) }))
	for _, code := range added {
		switch {
		case c.view.MayGrant(code):
		case !c.view.KnowsRole(code):
			c.refuse(f.Code, fault.FieldRole, code)
			return err
		default:
			c.refuse(f.Code, fault.FieldReference, f.Label)
			return err
		}
	}
	return err
}

// roleCodes are the codes behind the ids in a person's roles.
func (s *session) roleCodes(f *catalog.Field, ids []string) (codes []string, err error) {
	if len(ids) == 0 || f.Target == nil || f.Target.Field(roleCode) == nil {
		return nil, nil
	}
	q := &plan.Query{Model: f.Target.Code, Where: idIn(ids), Select: []plan.Expr{f.Target.Field(roleCode).Column()}, Order: []plan.Order{{By: idField}}}
	err = s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
		code, _ := row[0].(string)
		codes = append(codes, code)
		return nil
	})
	return codes, err
}

// manages reports whether the principal could give all roles of a person, or the role that a record represents.
func (s *session) manages(m *catalog.Model, row map[string]any) (bool, error) {
	return s.over(m, row, s.view.MayManage)
}

// keepsAccount reports whether the principal may look after the account of a person.
func (s *session) keepsAccount(m *catalog.Model, row map[string]any) (bool, error) {
	return s.over(m, row, s.view.MayAdminister)
}

// surpasses reports whether the principal has on all records what the roles of a person give on some.
func (s *session) surpasses(m *catalog.Model, row map[string]any) (bool, error) {
	return s.over(m, row, s.view.Surpasses)
}

// annexes reports whether a department that comes under or into another one would bring its records to the principal, whose roles give those of
// their own departments: it is nowhere below these now. The tree is the transaction's, which may just have got another department.
func (s *session) annexes(m *catalog.Model, id, to string) (bool, error) {
	who := s.view.Principal()
	if to == "" || len(who.Departments) == 0 || s.view.Surpasses(who.Roles...) {
		return false, nil
	}
	will, err := s.under(m, to, who.Departments)
	if err != nil || !will {
		return false, err
	}
	is, err := s.under(m, id, who.Departments)
	return !is, err
}

// under reports whether a department is one of others or below.
func (s *session) under(m *catalog.Model, id string, others []string) (bool, error) {
	parent := m.Field(departmentParent)
	for met := map[string]bool{}; id != "" && parent != nil && !met[id]; {
		if slices.Contains(others, id) {
			return true, nil
		}
		met[id] = true
		row, err := s.one(m, id, plan.True)
		if err != nil || row == nil {
			return false, err
		}
		id, _ = get(row, parent).(string)
	}
	return false, nil
}

// over asks about the roles of a person, or the role that a record represents; records of other models are in reach of everybody.
func (s *session) over(m *catalog.Model, row map[string]any, may func(roles ...string) bool) (bool, error) {
	field := map[string]string{userModel: userRoles, roleModel: roleCode}[m.Code]
	f := m.Field(field)
	if f == nil {
		return true, nil
	}
	switch v := get(row, f).(type) {
	case string:
		return may(v), nil
	case []string:
		codes, err := s.roleCodes(f, v)
		return err == nil && may(codes...), err
	}
	return true, nil
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
