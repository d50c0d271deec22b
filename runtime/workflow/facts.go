package workflow

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/sluice-platform/sluice/runtime/store"
)

// facts answers the reducer's questions in the transaction of its command: the record is as the command has just saved it.
type facts struct {
	ctx   context.Context
	s     *Service
	tx    *store.Tx
	w     *catalog.Workflow
	id    string // of the record
	who   string // the initiator
	name  string // of the instance
	notes *notes // of a rehearsal; nil = nobody keeps them

	state  *record.State
	judge  *record.Judge
	vars   map[string]any    // of judge
	leader map[string]string // of departments that were asked for
	// choosing: a person is there who has to choose the people of the next nodes.
	choosing bool
	asks     []Choice        // what that person has not chosen
	now      *flow.State     // of the command that runs; nil outside of one
	err      error           // of what the reducer cannot be told
	copies   map[string]bool // by the person who delegated: whether they see what their delegate has
}

var _ flow.Facts = (*facts)(nil)

// fresh reads the record again: something has changed it.
func (f *facts) fresh() (*record.State, *record.Judge, error) {
	f.state = nil
	return f.record()
}

// record reads the record once.
func (f *facts) record() (*record.State, *record.Judge, error) {
	if f.state != nil {
		f.nodes()
		return f.state, f.judge, nil
	}
	from, _ := f.s.cfg.People.Person(f.ctx, f.who)
	f.vars = map[string]any{
		"initiator.id": f.who, "initiator.name": from.Name, "initiator.dept": text(from.MainDepartment), "initiator.roles": list(from.Roles),
		"initiator.departments": list(from.Departments), "initiator.allDepartments": list(f.above(from.Departments)), "instance.name": f.name,
	}
	f.judge = record.NewJudge(f.ctx, f.tx, f.s.systemView()).With(f.vars).Among(f.belongs)
	st, err := f.judge.State(f.w.Model, f.id)
	if err != nil {
		return nil, nil, err
	}
	if st == nil {
		return nil, nil, fault.New(fault.RecordNotFound)
	}
	f.state = st
	f.nodes()
	return st, f.judge, nil
}

// above are departments with all that they lie below.
func (f *facts) above(departments []string) (out []string) {
	for _, d := range departments {
		for d != "" && !slices.Contains(out, d) {
			out = append(out, d)
			up, _ := f.s.cfg.People.Department(f.ctx, d)
			d = up.Parent
		}
	}
	return out
}

// belongs reports whether one of the people or departments belongs to one of the departments, or to one below.
func (f *facts) belongs(ids, departments []string) bool {
	below := f.s.cfg.People.Below(f.ctx, departments)
	return slices.ContainsFunc(ids, func(id string) bool {
		if slices.Contains(below, id) {
			return true
		}
		who, _ := f.s.cfg.People.Person(f.ctx, id)
		return slices.ContainsFunc(who.Departments, func(d string) bool { return slices.Contains(below, d) })
	})
}

// Observe implements flow.Observer.
func (f *facts) Observe(s *flow.State) { f.now = s }

// nodes gives expressions what the people of each node have made of it in its last round.
func (f *facts) nodes() {
	if f.now == nil || !f.w.NamesNodes {
		return
	}
	for id := range f.w.Nodes {
		var last *flow.Activity
		for i := range f.now.Activities {
			if f.now.Activities[i].Node == id {
				last = &f.now.Activities[i]
			}
		}
		if last == nil {
			continue
		}
		result, opinions := "", []string(nil)
		switch last.State {
		case flow.ActivityPassed:
			result = "agree"
		case flow.ActivityFailed:
			result = "disagree"
		}
		for _, i := range f.now.Items {
			if i.Activity != last.ID || i.Type == flow.ItemCirculate || i.Opinion == "" {
				continue
			}
			opinions = append(opinions, i.Opinion)
		}
		f.vars[catalog.NodeVar(id, "result")] = text(result)
		f.vars[catalog.NodeVar(id, "handlers")] = list(handlersOf(f.now, id))
		f.vars[catalog.NodeVar(id, "opinion")] = text(strings.Join(opinions, "\n"))
	}
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func list(of []string) any {
	if len(of) == 0 {
		return nil
	}
	return of
}

// Holds implements flow.Facts.
func (f *facts) Holds(when plan.Expr) (bool, error) {
	st, judge, err := f.record()
	if err != nil {
		return false, err
	}
	ok, err := judge.Holds(*st, when)
	f.notes.condition(f, when, ok, err)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		err = fault.Wrap(err, fault.ConditionFailed) // of the record: the instance waits for an administrator
	}
	return ok, err
}

// Missing implements flow.Facts.
func (f *facts) Missing(n *flow.Node) (bool, error) {
	fields, err := f.missing(n.ID)
	return len(fields) > 0, err
}

// missing are the fields that a node requires and that are empty.
func (f *facts) missing(node string) ([]fault.FieldError, error) {
	var out []fault.FieldError
	n := f.w.Nodes[node]
	if n == nil {
		return nil, nil
	}
	for _, field := range f.w.Model.Fields {
		right, named := rightTo(n, field.Code)
		if !named || !right.Required {
			continue
		}
		st, _, err := f.record()
		if err != nil {
			return nil, err
		}
		empty := record.ValueOf(st.Row, field) == nil
		if field.Sheet != nil {
			empty = len(st.Sheets[field.Code]) == 0
		}
		if empty {
			out = append(out, fault.FieldError{PropertyCode: field.Code, Code: fault.FieldRequired, Args: []any{field.Label}})
		}
	}
	for _, field := range f.w.Model.Fields {
		if field.Sheet == nil {
			continue
		}
		for _, column := range field.Sheet.Fields {
			right, named := rightTo(n, field.Code+"."+column.Code)
			if !named || !right.Required {
				continue
			}
			st, _, err := f.record()
			if err != nil {
				return nil, err
			}
			for i, row := range st.Sheets[field.Code] {
				if record.ValueOf(row, column) == nil {
					out = append(out, fault.FieldError{PropertyCode: field.Code + "." + column.Code, Row: fmt.Sprintf("#%d", i+1), Code: fault.FieldRequired, Args: []any{column.Label}})
				}
			}
		}
	}
	return out, nil
}

func rightTo(n *catalog.WorkflowNode, code string) (catalog.NodeRight, bool) {
	for name, right := range n.Fields {
		if strings.EqualFold(name, code) {
			return right, true
		}
	}
	return catalog.NodeRight{}, false
}

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
	return slices.DeleteFunc(people, func(id string) bool {
		who, known := f.s.cfg.People.Person(f.ctx, id)
		return !known || who.Disabled
	})
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

// whose are the people and departments whose leaders or superiors are meant.
func (f *facts) whose(of catalog.Whose, s *flow.State) (parties, error) {
	switch of.Kind {
	case "field":
		return f.inField(of.Path)
	case "previous":
		for i := len(s.Activities) - 1; i >= 0; i-- {
			if done := handlersOf(s, s.Activities[i].Node); len(done) > 0 && s.Activities[i].State == flow.ActivityPassed {
				return parties{people: done}, nil
			}
		}
	}
	return parties{people: []string{s.Initiator}}, nil
}

func (f *facts) leaders(p catalog.Participant, s *flow.State) ([]string, error) {
	of, err := f.whose(p.Of, s)
	if err != nil {
		return nil, err
	}
	departments := of.departments
	for _, id := range of.people {
		if who, known := f.s.cfg.People.Person(f.ctx, id); known && who.MainDepartment != "" {
			departments = append(departments, who.MainDepartment)
		}
	}
	var out []string
	for _, d := range departments {
		for range max(p.Level, 1) - 1 {
			above, _ := f.s.cfg.People.Department(f.ctx, d)
			d = above.Parent
		}
		for seen := 0; d != "" && seen < 100; seen++ {
			leader, err := f.leaderOf(d)
			if err != nil {
				return nil, err
			}
			if leader != "" {
				out = append(out, leader)
				break
			}
			if !p.WalkUp {
				break
			}
			above, _ := f.s.cfg.People.Department(f.ctx, d)
			d = above.Parent
		}
	}
	return out, nil
}

// superiors are the leaders above a person, the nearest first, each once: at most so many, and up to the first who has a role.
func (f *facts) superiors(person string, levels int, until string) ([]string, error) {
	who, known := f.s.cfg.People.Person(f.ctx, person)
	if !known {
		return nil, nil
	}
	var out []string
	for d, seen := who.MainDepartment, 0; d != "" && seen < 100 && (levels == 0 || len(out) < levels); seen++ {
		leader, err := f.leaderOf(d)
		if err != nil {
			return nil, err
		}
		if leader != "" && leader != person && !slices.Contains(out, leader) {
			out = append(out, leader)
			if boss, _ := f.s.cfg.People.Person(f.ctx, leader); until != "" && holds(boss.Roles, []string{until}) {
				break
			}
		}
		above, _ := f.s.cfg.People.Department(f.ctx, d)
		d = above.Parent
	}
	return out, nil
}

// leaderOf reads who leads a department; "" = nobody who may sign in.
func (f *facts) leaderOf(department string) (string, error) {
	if leader, known := f.leader[department]; known {
		return leader, nil
	}
	c := f.s.cfg.Policy().Catalog()
	m := c.Model(directory.Department)
	if m == nil || m.Field("leader") == nil {
		return "", nil
	}
	rows, err := f.tx.Names(f.ctx, c, m.Code, []string{department}, plan.True, m.Field("leader").Property.Columns()[0].Name)
	if err != nil {
		return "", err
	}
	leader := ""
	if row := rows[department]; len(row) > 0 {
		leader, _ = row[0].(string)
	}
	if who, known := f.s.cfg.People.Person(f.ctx, leader); !known || who.Disabled {
		leader = ""
	}
	if f.leader == nil {
		f.leader = map[string]string{}
	}
	f.leader[department] = leader
	return leader, nil
}

// steps are the relations that a path follows.
func steps(p catalog.Path) (out []string) {
	for _, f := range p.Steps {
		out = append(out, f.Code)
	}
	return out
}
