package workflow

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
)

// Delegate implements flow.Facts.
func (f *facts) Delegate(person string) string {
	to := f.standFor(person, person, f.w.MaxHops)
	if to == person {
		return ""
	}
	return to
}

// Admins implements flow.Facts.
func (f *facts) Admins() []string { return f.s.admins(f.ctx) }

// Superior implements flow.Facts.
func (f *facts) Superior(person string) string {
	chain, err := f.superiors(person, 1, "")
	if err != nil || len(chain) == 0 {
		return ""
	}
	return chain[0]
}

// People implements flow.Facts.
func (f *facts) People(n *flow.Node, s *flow.State) ([]flow.Seat, error) {
	node := f.w.Nodes[n.ID]
	if node == nil {
		return nil, nil
	}
	var out []flow.Seat
	f.notes.node(n.ID)
	for _, p := range node.Participants {
		found, err := f.peopleAt(n.ID, p, s)
		if err != nil {
			return nil, err
		}
		f.notes.participant(f, s, p, found)
		for _, id := range found {
			out = append(out, flow.Seat{Person: id, Weight: p.Weight})
		}
	}
	return out, nil
}

// peopleAt are those of one participant of a node.
func (f *facts) peopleAt(node string, p catalog.Participant, s *flow.State) ([]string, error) {
	if p.Kind != catalog.FromInitiatorChoice && p.Kind != catalog.FromPreviousChoice {
		return f.people(p, s)
	}
	found, err := f.chosen(node, p, s)
	if err != nil {
		return nil, err
	}
	return f.without(found, p, s)
}

// people are those of one participant.
func (f *facts) people(p catalog.Participant, s *flow.State) ([]string, error) {
	found, err := f.found(p, s)
	if err != nil {
		return nil, err
	}
	return f.without(found, p, s)
}

// without leaves out whom a participant excludes, and who may not sign in.
func (f *facts) without(found []string, p catalog.Participant, s *flow.State) ([]string, error) {
	out := map[string]bool{}
	for _, e := range p.Exclude {
		gone, err := f.people(e, s)
		if err != nil {
			return nil, err
		}
		for _, id := range gone {
			out[id] = true
		}
	}
	return slices.DeleteFunc(f.present(found), func(id string) bool { return out[id] }), nil
}

// Present implements flow.Facts.
func (f *facts) Present(people []string) []string { return f.present(f.named(people)) }

// present are the people of a list who may sign in.
func (f *facts) present(people []string) []string {
	return slices.DeleteFunc(people, func(id string) bool { return !f.s.able(f.ctx, id) })
}

func (f *facts) found(p catalog.Participant, s *flow.State) ([]string, error) {
	switch p.Kind {
	case catalog.FromPerson:
		return f.named(p.Values), nil
	case catalog.FromRole:
		return f.ofRole(p)
	case catalog.FromDept:
		return f.members(p.Values, p.Recursive), nil
	case catalog.FromDeptLeader:
		return f.leaders(p, s)
	case catalog.FromSuperiors:
		of, err := f.whose(p.Of, s)
		if err != nil {
			return nil, err
		}
		var out []string
		for _, person := range of.people {
			chain, err := f.superiors(person, p.Levels, p.Until)
			if err != nil {
				return nil, err
			}
			out = append(out, chain...)
		}
		return out, nil
	case catalog.FromInitiator:
		return []string{s.Initiator}, nil
	case catalog.FromPreviousHandler:
		return handlersOf(s, p.Node), nil
	case catalog.FromField:
		in, err := f.inField(p.Path)
		return append(in.people, f.members(in.departments, false)...), err
	case catalog.FromGroup, catalog.FromProjectMember:
		return f.known(p)
	case catalog.FromExpression:
		st, judge, err := f.record()
		if err != nil {
			return nil, err
		}
		v, err := judge.Value(*st, p.Formula)
		if err != nil {
			return nil, fault.Wrap(err, fault.ConditionFailed)
		}
		switch x := v.(type) {
		case string:
			return []string{x}, nil
		case []string:
			return slices.Clone(x), nil
		}
	}
	return nil, nil
}

// named are people by id or sign-in name, as definitions write them.
func (f *facts) named(values []string) []string {
	var out []string
	for _, v := range values {
		if who, known := f.s.cfg.People.Person(f.ctx, v); known {
			out = append(out, who.ID)
		} else if who, known := f.s.cfg.People.PersonByName(f.ctx, v); known {
			out = append(out, who.ID)
		}
	}
	return out
}

func (f *facts) ofRole(p catalog.Participant) ([]string, error) {
	var among map[string]bool
	if p.Scope.Kind == "byDept" || p.Scope.Kind == "byField" {
		in, err := f.inField(p.Scope.Path)
		if err != nil {
			return nil, err
		}
		among = map[string]bool{}
		for _, id := range in.people {
			among[id] = true
		}
		for _, id := range f.members(in.departments, true) {
			among[id] = true
		}
	}
	var out []string
	for _, person := range f.sorted() {
		if holds(person.Roles, p.Values) && (among == nil || among[person.ID]) {
			out = append(out, person.ID)
		}
	}
	return out, nil
}

// sorted are all people in the order of their names, so that what is found comes in the same order every time.
func (f *facts) sorted() []principal.Person {
	all := slices.Clone(f.s.cfg.People.People(f.ctx))
	slices.SortFunc(all, func(a, b principal.Person) int {
		if a.Username != b.Username {
			return strings.Compare(a.Username, b.Username)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

func (f *facts) members(departments []string, below bool) []string {
	if len(departments) == 0 {
		return nil
	}
	if below {
		departments = f.s.cfg.People.Below(f.ctx, departments)
	}
	var out []string
	for _, p := range f.sorted() {
		if slices.ContainsFunc(p.Departments, func(d string) bool { return slices.Contains(departments, d) }) {
			out = append(out, p.ID)
		}
	}
	return out
}

// handlersOf are the people who finished the last round of a node.
func handlersOf(s *flow.State, node string) (out []string) {
	last := 0
	for _, a := range s.Activities {
		if strings.EqualFold(a.Node, node) {
			last = a.ID
		}
	}
	for _, i := range s.Items {
		if i.Activity == last && i.State == flow.ItemDone && i.Person != "" && i.Type != flow.ItemCirculate && i.Type != flow.ItemAssist {
			out = append(out, i.Person)
		}
	}
	return out
}

// parties are people and departments.
type parties struct{ people, departments []string }

// inField reads the people and departments at the end of a path.
func (f *facts) inField(p catalog.Path) (parties, error) {
	var out parties
	st, judge, err := f.record()
	if err != nil || p.Field == nil {
		return out, err
	}
	referrer, ok := p.Field.Property.(property.Referrer)
	if !ok {
		return out, nil
	}
	values := map[string]any{}
	for _, c := range p.Field.Property.Columns() {
		if values[c.Name], err = judge.Value(*st, &plan.Field{Path: steps(p), Column: c.Name, K: c.Kind}); err != nil {
			return out, err
		}
	}
	for _, ref := range referrer.Refs(record.ValueOf(values, p.Field)) {
		switch {
		case strings.EqualFold(ref.Model, directory.User):
			out.people = append(out.people, ref.ID)
		case strings.EqualFold(ref.Model, directory.Department):
			out.departments = append(out.departments, ref.ID)
		default: // a record: who is responsible for it
			m := f.s.cfg.Policy().Catalog().Model(ref.Model)
			if m == nil || m.Field(catalog.Owner) == nil || m.Field(catalog.OwnerDept) == nil {
				continue
			}
			rows, err := f.tx.Names(f.ctx, f.s.cfg.Policy().Catalog(), m.Code, []string{ref.ID}, plan.True, catalog.Owner, catalog.OwnerDept)
			if err != nil {
				return out, err
			}
			if row := rows[ref.ID]; len(row) == 2 {
				if id, _ := row[0].(string); id != "" {
					out.people = append(out.people, id)
				}
				if id, _ := row[1].(string); id != "" {
					out.departments = append(out.departments, id)
				}
			}
		}
	}
	return out, nil
}
