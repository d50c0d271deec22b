package workflow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/directory"
)

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
	if !f.s.able(f.ctx, leader) {
		leader = ""
	}
	if f.leader == nil {
		f.leader = map[string]string{}
	}
	f.leader[department] = leader
	return leader, nil
}
