package organisation

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

// definedDepartment is a group of people beside the tree of departments.
var definedDepartment = codes.DefinedDepartment

// projectOffice is the kind of a department that carries a project out.
var projectOffice = codes.OptionProject

// sources answer for workflows who is in a defined department, and who works on a project.
var sources = []world.ParticipantSource{
	{Code: "organisation.groups", Kind: string(catalog.FromGroup), Models: []string{definedDepartment}, People: inGroups},
	{Code: "organisation.projects", Kind: string(catalog.FromProjectMember), Models: []string{definedDepartment}, People: inProject},
}

// member is a row of a defined department.
type member struct {
	Person struct{ ID string }
	Roles  []struct{ ID string }
}

// inGroups are the members of defined departments, by their codes or ids.
func inGroups(ctx context.Context, w world.World, of world.Participants) (out []string, err error) {
	for _, value := range of.Values {
		ids, err := w.Find(ctx, definedDepartment, map[string]any{codes.Code: value}, 1)
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			ids = []string{value}
		}
		members, err := membersOf(ctx, w, ids[0])
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			out = append(out, m.Person.ID)
		}
	}
	return out, nil
}

// membersOf are the members of a defined department; of one that is missing or disabled, nobody.
func membersOf(ctx context.Context, w world.World, id string) (out []member, err error) {
	found, err := w.Get(ctx, definedDepartment, id)
	if fault.Of(err) == fault.RecordNotFound {
		return nil, nil
	}
	if err != nil || found.Values[codes.Disabled] == true {
		return nil, err
	}
	return out, found.Decode(codes.Members, &out)
}

// inProject are the people who work on the project of a record and have one of the roles there: those of the project office with the role, and
// the members of its defined departments who have it in the project.
func inProject(ctx context.Context, w world.World, of world.Participants) (out []string, err error) {
	office, err := officeOf(ctx, w, of)
	if err != nil || office == "" {
		return nil, err
	}
	var roles []string
	for _, code := range of.Values {
		ids, err := w.Find(ctx, role, map[string]any{codes.Code: code}, 1)
		if err != nil {
			return nil, err
		}
		roles = append(roles, ids...)
	}
	below, err := withBelow(ctx, w, office)
	if err != nil {
		return nil, err
	}
	for _, one := range below {
		in := world.Filter{Property: codes.Departments, Operator: "Contains", Value: []string{one}}
		for row, err := range w.List(ctx, user, world.ListOptions{Filters: []world.Filter{in}}) {
			if err != nil {
				return nil, err
			}
			person, err := w.Get(ctx, user, row.ID)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(entries(person.Values[codes.Roles]), func(r string) bool { return slices.Contains(roles, r) }) {
				out = append(out, row.ID)
			}
		}
	}
	groups, err := w.Find(ctx, definedDepartment, map[string]any{codes.Project: office}, world.All)
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		members, err := membersOf(ctx, w, group)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			if slices.ContainsFunc(m.Roles, func(r struct{ ID string }) bool { return slices.Contains(roles, r.ID) }) {
				out = append(out, m.Person.ID)
			}
		}
	}
	return out, nil
}

// officeOf is the project office that a record belongs to: the nearest one above its department, else above the initiator's; "" = none.
func officeOf(ctx context.Context, w world.World, of world.Participants) (string, error) {
	var from []string
	if of.Record != "" {
		record, err := w.Get(ctx, of.Model, of.Record)
		if err != nil {
			return "", err
		}
		from = append(from, id(record.Values[catalog.OwnerDept]))
	}
	if of.Initiator != "" {
		person, err := w.Get(ctx, user, of.Initiator)
		if err != nil {
			return "", err
		}
		from = append(from, id(person.Values[codes.MainDepartment]))
	}
	for _, at := range from {
		for seen := map[string]bool{}; at != "" && !seen[at]; {
			seen[at] = true
			found, err := w.Get(ctx, department, at)
			if err != nil {
				return "", err
			}
			if found.Values[codes.Kind] == projectOffice {
				return at, nil
			}
			at = id(found.Values[codes.Parent])
		}
	}
	return "", nil
}

// withBelow are a department and all below it.
func withBelow(ctx context.Context, w world.World, top string) ([]string, error) {
	out := []string{top}
	for k := 0; k < len(out); k++ {
		below, err := w.Find(ctx, department, map[string]any{codes.Parent: out[k]}, world.All)
		if err != nil {
			return nil, err
		}
		for _, one := range below {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out, nil
}
