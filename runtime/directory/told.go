package directory

import (
	"context"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Told is a text that means one person or department alone where those of some kinds may be meant (Match), whatever people are found by: the
// name, or the name with what tells it apart, or the id. usernames says that the one who asks may read these.
func (d *Directory) Told(ctx context.Context, kinds []string, ref plan.Ref, usernames bool) string {
	s := d.searchable(ctx)
	everything := MatchKeys{Mobile: true, Email: true, EmployeeNo: true}
	for _, text := range s.tellings(ref, usernames) {
		if found := s.meant(kinds, text, everything); len(found) == 1 && found[0].ID == ref.ID {
			return text
		}
	}
	return ref.ID
}

// meant are all whom a text means.
func (s *snapshot) meant(kinds []string, text string, keys MatchKeys) (out []Match) {
	for _, kind := range kinds {
		out = append(out, s.match(kind, text, keys)...)
	}
	return out
}

// tellings are texts that may tell a person or department, the shortest first.
func (s *snapshot) tellings(ref plan.Ref, usernames bool) []string {
	if p, is := s.people[ref.ID]; is {
		name := strings.TrimSpace(p.Name)
		out := []string{name}
		if usernames {
			out = append(out, property.Told(name, p.Username))
		}
		return append(out, property.Told(name, s.found(entry{kind: User, id: p.ID}).Detail), property.Told(name, p.ID))
	}
	dep := s.departments[ref.ID]
	name := strings.TrimSpace(dep.Name)
	out := []string{name}
	path := ""
	for n, at := 0, dep.Parent; n < mostAbove; n++ {
		above, known := s.departments[at]
		if !known {
			break
		}
		if path != "" {
			path = " / " + path
		}
		path, at = above.Name+path, above.Parent
		out = append(out, property.Told(name, path))
	}
	if path == "" {
		out = append(out, property.Told(name, atTop))
	}
	return append(out, property.Told(name, ref.ID))
}

// mostAbove bounds the departments above one that its path names.
const mostAbove = 20
