package directory

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/width"
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
// tells people apart, in parentheses: "Li Lei (lilei)", "李雷（质量部）". Several matches are as good as each other.
func (d *Directory) Match(ctx context.Context, kind, text string, keys MatchKeys) []Match {
	s := d.searchable(ctx)
	text = matchForm(text)
	if text == "" {
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

// matchForm is how texts of people are compared: without case and width, with single spaces.
func matchForm(text string) string {
	return fold(strings.Join(strings.Fields(width.Fold.String(text)), " "))
}

// cutDetail parts "name (detail)". The parentheses have their narrow form.
func cutDetail(text string) (name, detail string, ok bool) {
	open := strings.LastIndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return "", "", false
	}
	return strings.TrimSpace(text[:open]), strings.TrimSpace(text[open+1 : len(text)-1]), true
}

func (s *snapshot) matchPeople(text string, keys MatchKeys) []Match {
	var out []Match
	for _, id := range s.peopleByText().ids(text) {
		p, known := s.people[id]
		if !known {
			continue
		}
		named := matchForm(p.Name) == text || matchForm(p.Username) == text || p.ID == text
		if named || keys.Mobile && matchForm(p.Mobile) == text || keys.Email && matchForm(p.Email) == text || keys.EmployeeNo && matchForm(p.EmployeeNo) == text {
			out = append(out, Match{Found: s.found(entry{kind: User, id: id}), Disabled: p.Disabled})
		}
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
	for text, may := range map[string]bool{p.Mobile: keys.Mobile, p.Email: keys.Email, p.EmployeeNo: keys.EmployeeNo} {
		if may {
			of = append(of, text)
		}
	}
	return slices.ContainsFunc(of, func(text string) bool { return text != "" && matchForm(text) == detail })
}

func (s *snapshot) matchDepartments(text string) []Match {
	steps := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\\' || r == '>' })
	for i := range steps {
		steps[i] = strings.TrimSpace(steps[i])
	}
	named := s.departmentsByText()
	ids := named[text]
	if len(steps) > 1 {
		ids = append(slices.Clone(ids), named[steps[len(steps)-1]]...)
	}
	var out []Match
	for _, id := range ids {
		dep, known := s.departments[id]
		if known && (id == text || matchForm(dep.Name) == text || s.lies(dep.ID, steps)) && !slices.ContainsFunc(out, func(m Match) bool { return m.ID == id }) {
			out = append(out, Match{Found: s.found(entry{kind: Department, id: id})})
		}
	}
	return out
}

// lies reports whether a department and those above it are called as the steps of a path say, from its end.
func (s *snapshot) lies(id string, path []string) bool {
	for i := len(path) - 1; i >= 0; i-- {
		dep, known := s.departments[id]
		if !known || matchForm(dep.Name) != path[i] {
			return false
		}
		id = dep.Parent
	}
	return true
}
