package directory

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/phone"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// atTop is what tells a department that has none above it from others of its name.
const atTop = "/"

// Match is a person or department that a text may mean.
type Match struct {
	Found
	Disabled bool // of a person: pickers do not offer it
}

// MatchKeys say by what people are found besides their name and username: properties of the model user that the one who asks may read.
type MatchKeys struct{ Mobile, Email, EmployeeNo bool }

// Match returns the people or departments that a text written by hand means: exactly one of a person's name, username, employee number,
// mobile or email; a department's name, or its path from some department above it ("Project/Quality"). A name may be followed by what
// tells them apart, in brackets: "Li Lei (lilei)", "李雷【质量部】", "Li Lei <li@example.com>", "Quality (Project)". Names are compared as property.Meant does; several matches are as good
// as each other.
func (d *Directory) Match(ctx context.Context, kind, text string, keys MatchKeys) []Match {
	return d.searchable(ctx).match(kind, text, keys)
}

func (s *snapshot) match(kind, text string, keys MatchKeys) []Match {
	if property.Plain(text) == "" {
		return nil
	}
	if kind == Department {
		return s.matchDepartments(text)
	}
	if found := s.matchPeople(text, keys); len(found) > 0 {
		return found
	}
	if number := phone.Mobile(text); keys.Mobile && number != text { // "+86 138 0013 8000"
		if found := s.matchPeople(number, MatchKeys{Mobile: true}); len(found) > 0 {
			return found
		}
	}
	for _, t := range property.Tellings(text) {
		found := slices.DeleteFunc(s.matchPeople(t.Name, MatchKeys{}), func(m Match) bool { return !s.tellsApart(m.Found, t, keys) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func (s *snapshot) matchPeople(text string, keys MatchKeys) []Match {
	var people []principal.Person
	for _, id := range s.peopleByText().ids(property.Plain(text)) {
		if p, known := s.people[id]; known {
			people = append(people, p)
		}
	}
	var out []Match
	for _, p := range property.Meant(text, people, keys.texts) {
		out = append(out, Match{Found: s.found(entry{kind: User, id: p.ID}), Disabled: p.Disabled})
	}
	return out
}

// texts are those by which a person is found.
func (k MatchKeys) texts(p principal.Person) []string {
	return append(k.details(p), p.ID, p.Name, p.Username)
}

// details are those of a person that the one who asks may read.
func (k MatchKeys) details(p principal.Person) (out []string) {
	if k.Mobile {
		out = append(out, p.Mobile)
	}
	if k.Email {
		out = append(out, p.Email)
	}
	if k.EmployeeNo {
		out = append(out, p.EmployeeNo)
	}
	return out
}

// tellsApart reports whether what is in brackets behind a person's name is theirs; behind their username it may be their name.
func (s *snapshot) tellsApart(f Found, t property.Telling, keys MatchKeys) bool {
	p := s.people[f.ID]
	of := []string{p.ID, p.Username, f.Detail, s.departments[p.MainDepartment].Name}
	if property.Plain(t.Name) != property.Plain(p.Name) {
		of = append(of, p.Name)
	}
	for _, d := range p.Departments {
		of = append(of, s.departments[d].Name)
	}
	of = append(of, keys.details(p)...)
	detail := property.Plain(t.Detail)
	return slices.ContainsFunc(of, func(text string) bool { return text != "" && property.Plain(text) == detail })
}

func (s *snapshot) matchDepartments(text string) []Match {
	byText := s.departmentsByText()
	called := func(id string) []string { return []string{id, s.departments[id].Name} }
	ids := property.Meant(text, byText[property.Plain(text)], called)
	if steps := steps(text); len(steps) > 1 {
		for _, id := range byText[steps[len(steps)-1]] {
			if s.lies(id, steps) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, t := range property.Tellings(text) {
		if len(ids) > 0 {
			break
		}
		ids = slices.DeleteFunc(property.Meant(t.Name, byText[property.Plain(t.Name)], called), func(id string) bool { return !s.departmentApart(id, t.Detail) })
	}
	var out []Match
	for _, id := range ids {
		out = append(out, Match{Found: s.found(entry{kind: Department, id: id})})
	}
	return out
}

// steps are the names of a path, in plain form.
func steps(path string) []string {
	return strings.FieldsFunc(property.Plain(path), func(r rune) bool { return r == '/' || r == '\\' || r == '>' })
}

// departmentApart reports whether what is in parentheses behind a department's name is its own: its id, the departments above it from some one
// down, or a slash for one with none above.
func (s *snapshot) departmentApart(id, detail string) bool {
	above := s.departments[id].Parent
	if path := steps(detail); len(path) > 0 {
		return strings.EqualFold(id, detail) || s.lies(above, path) || property.Plain(s.departments[above].Name) == property.Plain(detail)
	}
	_, below := s.departments[above]
	return !below && detail == atTop
}

// lies reports whether a department and those above it are called as the steps of a path say, from its end.
func (s *snapshot) lies(id string, path []string) bool {
	for i := len(path) - 1; i >= 0; i-- {
		dep, known := s.departments[id]
		if !known || property.Plain(dep.Name) != path[i] {
			return false
		}
		id = dep.Parent
	}
	return true
}
