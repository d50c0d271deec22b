package directory

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// Match is a person or department that a text may mean.
type Match struct {
	Found
	Disabled bool // of a person: pickers do not offer it
}

// MatchKeys say by what people are found besides their name and username: properties of the model user that the one who asks may read.
type MatchKeys struct{ Mobile, Email, EmployeeNo bool }

// Match returns the people or departments that a text written by hand means: exactly one of a person's name, username, employee number,
// mobile or email; a department's name, or its path from some department above it ("Project/Quality"). A name may be followed by what
// tells people apart, in parentheses: "Li Lei (lilei)", "李雷（质量部）". Names are compared as property.Meant does; several matches are as good
// as each other.
func (d *Directory) Match(ctx context.Context, kind, text string, keys MatchKeys) []Match {
	s := d.searchable(ctx)
	if property.Plain(text) == "" {
		return nil
	}
	if kind == Department {
		return s.matchDepartments(text)
	}
	found := s.matchPeople(text, keys)
	if name, detail, ok := cutDetail(text); ok && len(found) == 0 {
		found = slices.DeleteFunc(s.matchPeople(name, MatchKeys{}), func(m Match) bool { return !s.tellsApart(m.ID, detail, keys) })
	}
	return found
}

// narrow gives parentheses their narrow form.
var narrow = strings.NewReplacer("（", "(", "）", ")")

// cutDetail parts "name (detail)".
func cutDetail(text string) (name, detail string, ok bool) {
	text = strings.TrimSpace(narrow.Replace(text))
	open := strings.LastIndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return "", "", false
	}
	return strings.TrimSpace(text[:open]), strings.TrimSpace(text[open+1 : len(text)-1]), true
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

// tellsApart reports whether what is in parentheses behind a person's name is theirs.
func (s *snapshot) tellsApart(id, detail string, keys MatchKeys) bool {
	p := s.people[id]
	of := []string{p.Username, s.departments[p.MainDepartment].Name}
	for _, d := range p.Departments {
		of = append(of, s.departments[d].Name)
	}
	of = append(of, keys.details(p)...)
	detail = property.Plain(detail)
	return slices.ContainsFunc(of, func(text string) bool { return text != "" && property.Plain(text) == detail })
}

func (s *snapshot) matchDepartments(text string) []Match {
	byText := s.departmentsByText()
	called := func(id string) []string { return []string{id, s.departments[id].Name} }
	ids := property.Meant(text, byText[property.Plain(text)], called)
	steps := strings.FieldsFunc(property.Plain(text), func(r rune) bool { return r == '/' || r == '\\' || r == '>' })
	if len(steps) > 1 {
		for _, id := range byText[steps[len(steps)-1]] {
			if s.lies(id, steps) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	var out []Match
	for _, id := range ids {
		out = append(out, Match{Found: s.found(entry{kind: Department, id: id})})
	}
	return out
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
