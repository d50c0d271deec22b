package organisation

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

// departments is the lock of what no two transactions may decide at once: names among siblings, and merges.
const departments = "organisation.departments"

// beforeDepartment refuses a name that another department with the same parent has (roots have no parent, so no index of the database can
// tell), and departments in use below one that is disabled.
func beforeDepartment(ctx context.Context, e *hook.Record, next func() error) error {
	if err := disabling(ctx, e); err != nil {
		return err
	}
	_, named := e.Set[codes.Name]
	_, moved := e.Set[codes.Parent]
	now := e.New()
	name, _ := now[codes.Name].(string)
	if e.Delete || !named && !moved || name == "" {
		return next()
	}
	if trimmed := strings.TrimSpace(name); trimmed != name {
		name, e.Set[codes.Name] = trimmed, trimmed
		if trimmed == "" {
			return refuse(codes.Name, fault.DepartmentNameEmpty)
		}
	}
	if err := unique(ctx, e, departments, department, fault.DepartmentNameExists, map[string]any{codes.Name: name, codes.Parent: now[codes.Parent]}); err != nil {
		return err
	}
	return next()
}

// disabling refuses what would leave a department in use below a disabled one: lists would not show it.
func disabling(ctx context.Context, e *hook.Record) error {
	if e.Delete || e.World == nil || e.Principal.System != "" {
		return nil
	}
	now := e.New()
	if now[codes.Disabled] != true {
		_, moved := e.Set[codes.Parent]
		_, enabled := e.Set[codes.Disabled]
		parent, _ := now[codes.Parent].(string)
		if parent == "" || !moved && !enabled {
			return nil
		}
		above, err := e.World.Get(ctx, department, parent)
		if err == nil && above.Values[codes.Disabled] == true {
			return refuse(codes.Parent, fault.DepartmentDisabled)
		}
		return nil // one that is not there is refused with the other references
	}
	if e.Set[codes.Disabled] != true || e.Create {
		return nil
	}
	below, err := e.World.Find(ctx, department, map[string]any{codes.Parent: e.ID}, world.All)
	if err != nil {
		return err
	}
	for _, one := range below {
		found, err := e.World.Get(ctx, department, one)
		if err != nil {
			return err
		}
		if found.Values[codes.Disabled] != true {
			return refuse(codes.Disabled, fault.DepartmentHasChildren)
		}
	}
	return nil
}

// beforeRole refuses a name that another role has. The roles of access documents are called as those say.
func beforeRole(ctx context.Context, e *hook.Record, next func() error) error {
	name, named := e.Set[codes.Name].(string)
	if e.Delete || !named || e.Principal.System != "" {
		return next()
	}
	if err := unique(ctx, e, "organisation.roles", role, fault.RoleNameExists, map[string]any{codes.Name: name}); err != nil {
		return err
	}
	return next()
}

// unique refuses the name of a record when another has the same values.
func unique(ctx context.Context, e *hook.Record, lock, model string, code fault.Code, equal map[string]any) error {
	if e.World == nil { // of a writer that has none, in tests
		return nil
	}
	if err := e.World.Lock(ctx, lock); err != nil {
		return err
	}
	found, err := e.World.Find(ctx, model, equal, 2)
	if err != nil {
		return err
	}
	for _, other := range found {
		if other != e.ID {
			return refuse(codes.Name, code)
		}
	}
	return nil
}

// merge carries out the merge that a new record asks for, and notes what was moved. A merge is not changed afterwards.
func merge(ctx context.Context, e *hook.Record, next func() error) error {
	if !e.Create || e.Restore {
		return fault.New(fault.Forbidden)
	}
	source, _ := e.Set[codes.Source].(string)
	target, _ := e.Set[codes.Target].(string)
	delete(e.Set, codes.People)
	delete(e.Set, codes.Departments)
	delete(e.Set, codes.Records)
	if source == "" || target == "" {
		return next() // which refuses what is required
	}
	org, ok := e.World.(world.Organisation)
	if !ok {
		return fault.New(fault.Forbidden)
	}
	if err := e.World.Lock(ctx, departments); err != nil {
		return err
	}
	if err := mergeable(ctx, e.World, source, target); err != nil {
		return err
	}
	records, err := org.Succeed(ctx, department, source, target)
	if err != nil {
		return err
	}
	below, err := moveChildren(ctx, e.World, source, target)
	if err != nil {
		return err
	}
	people, err := movePeople(ctx, e.World, source, target)
	if err != nil {
		return err
	}
	if err := update(ctx, e.World, department, source, map[string]any{codes.Disabled: true}); err != nil {
		return err
	}
	e.Set[codes.People], e.Set[codes.Departments], e.Set[codes.Records] = whole(people), whole(below), whole(records)
	return next()
}

// mergeable refuses a merge into the department itself, into one below it, and of or into one that is disabled.
func mergeable(ctx context.Context, w world.World, source, target string) error {
	for property, code := range map[string]string{codes.Source: source, codes.Target: target} {
		found, err := w.Get(ctx, department, code)
		if err != nil {
			return err
		}
		if found.Values[codes.Disabled] == true {
			return refuse(property, fault.DepartmentDisabled)
		}
	}
	for at, seen := target, map[string]bool{}; at != "" && !seen[at]; {
		if at == source {
			return refuse(codes.Target, fault.DepartmentCycle)
		}
		seen[at] = true
		above, err := w.Get(ctx, department, at)
		if err != nil {
			return err
		}
		at = id(above.Values[codes.Parent])
	}
	return nil
}

func moveChildren(ctx context.Context, w world.World, source, target string) (int, error) {
	below, err := w.Find(ctx, department, map[string]any{codes.Parent: source}, world.All)
	if err != nil {
		return 0, err
	}
	for _, child := range below {
		if err := update(ctx, w, department, child, map[string]any{codes.Parent: target}); err != nil {
			if refusedFor(err, fault.DepartmentNameExists) {
				return 0, refuse(codes.Target, fault.DepartmentNameExists)
			}
			return 0, err
		}
	}
	return len(below), nil
}

// movePeople puts the target in the place of the source, in the order of each person's departments.
func movePeople(ctx context.Context, w world.World, source, target string) (int, error) {
	members, err := w.Find(ctx, user, map[string]any{codes.MainDepartment: source}, world.All)
	if err != nil {
		return 0, err
	}
	in := world.Filter{Property: codes.Departments, Operator: "Contains", Value: []string{source}}
	for row, err := range w.List(ctx, user, world.ListOptions{Filters: []world.Filter{in}}) {
		if err != nil {
			return 0, err
		}
		if !slices.Contains(members, row.ID) {
			members = append(members, row.ID)
		}
	}
	for _, one := range members {
		now, err := w.Get(ctx, user, one)
		if err != nil {
			return 0, err
		}
		values := map[string]any{codes.Departments: replaced(entries(now.Values[codes.Departments]), source, target)}
		if id(now.Values[codes.MainDepartment]) == source {
			values[codes.MainDepartment] = target
		}
		if _, err := w.Update(ctx, user, one, now.Version, values); err != nil {
			return 0, err
		}
	}
	return len(members), nil
}

// replaced is a set with one member in the place of another, each once.
func replaced(set []string, from, to string) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, one := range set {
		if one == from {
			one = to
		}
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}
