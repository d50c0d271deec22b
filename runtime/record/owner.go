package record

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// OwnerRight is the action of access documents that lets somebody give a record to another owner.
const OwnerRight = "change_owner"

// MaxRemark of a change of owner, in characters.
const MaxRemark = 1000

// Owner is who a record shall belong to. Dept "" = the person's main department.
type Owner struct {
	User, Dept string
	Remark     string
}

// CheckOwner refuses an owner that is not an active person, or a department that is not that person's. It returns the owner
// with the department filled in.
func (w *Writer) CheckOwner(ctx context.Context, o Owner) (Owner, error) {
	p, known := w.people.Person(ctx, o.User)
	switch {
	case o.User == "":
		return o, fault.New(fault.OwnerMissing)
	case !known || p.Disabled:
		return o, fault.New(fault.UserNotFound)
	case o.Dept == "":
		o.Dept = p.MainDepartment
	case !slices.Contains(p.Departments, o.Dept) && o.Dept != p.MainDepartment:
		return o, fault.New(fault.BadParameter, "ownerDeptId")
	}
	if len([]rune(o.Remark)) > MaxRemark {
		return o, fault.New(fault.FieldTooLong, MaxRemark)
	}
	return o, nil
}

// ChangeOwnerIn gives a record to another owner inside a transaction of the caller's, who has checked the owner. The right
// is looked for on the record as it is: afterwards it may well be out of the principal's reach. Nothing that authors
// declare changes, so no data rule is asked; what is computed from the owner is computed again, and hooks run.
func (w *Writer) ChangeOwnerIn(ctx context.Context, tx *store.Tx, view *authz.View, model, id string, version int64, o Owner) error {
	m := view.Model(model)
	if m == nil || m.Parent != nil || m.Field(catalog.Owner) == nil || !view.Can(m, "view") {
		return fault.New(fault.ModelNotFound, model)
	}
	ch := &change{session: w.session(ctx, tx, view), m: m, id: id, act: OwnerRight, remark: o.Remark, set: map[string]any{}, sheets: map[string]*sheetChange{}}
	if err := ch.begin(&version); err != nil {
		return err
	}
	if err := ch.around(&hook.Record{Old: ch.values(ch.old), Set: ch.set}, func() error { return ch.give(o) }); err != nil {
		return ch.refused(err)
	}
	return ch.flush()
}

// give writes the new owner.
func (c *change) give(o Owner) error {
	if err := c.takeHooks(); err != nil {
		return err
	}
	c.putSystem(catalog.Owner, o.User)
	c.putSystem(catalog.OwnerDept, orNil(o.Dept))
	c.putSystem(catalog.OwnerDeptQueryCode, c.departmentPath(o.Dept))
	if err := c.loadSheets(); err != nil {
		return err
	}
	if err := c.compute(); err != nil {
		return err
	}
	if c.unchanged() {
		return nil
	}
	return c.store()
}
