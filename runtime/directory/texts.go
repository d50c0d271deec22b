package directory

import (
	"maps"
	"slices"
	"sync"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
)

// peopleIndex finds people by the texts that may mean them. It may name people who have other texts by now, or who are gone: the caller
// compares.
type peopleIndex struct {
	base    map[string][]string // made when an earlier snapshot was asked first
	recent  map[string][]string // people who changed since
	changed map[string]bool     // their ids
}

// mostRecent is of how many changed people a snapshot keeps the texts beside those of all; of more, the texts of all are made again.
const mostRecent = 1000

// ids are the people whom a text may mean, each once and in order.
func (x *peopleIndex) ids(text string) []string {
	out := slices.Concat(x.base[text], x.recent[text])
	slices.Sort(out)
	return slices.Compact(out)
}

// after is the index as a later snapshot takes it, in which more people changed; nil when the texts of all are to be made again.
func (x *peopleIndex) after(changed []string) *peopleIndex {
	if x == nil || len(x.changed)+len(changed) > mostRecent {
		return nil
	}
	out := &peopleIndex{base: x.base, changed: make(map[string]bool, len(x.changed)+len(changed))}
	maps.Copy(out.changed, x.changed)
	for _, id := range changed {
		out.changed[id] = true
	}
	return out
}

// peopleByText is the index of a snapshot's people. It is made when it is first asked for, out of what an earlier snapshot had.
func (s *snapshot) peopleByText() *peopleIndex {
	s.texts.Do(func() {
		x := s.byText.Load().after(nil)
		if x == nil {
			x = &peopleIndex{base: make(map[string][]string, 4*len(s.people))}
			for id, p := range s.people {
				addTexts(x.base, id, textsOf(p)...)
			}
		}
		x.recent = make(map[string][]string, 4*len(x.changed))
		for id := range x.changed {
			if p, is := s.people[id]; is {
				addTexts(x.recent, id, textsOf(p)...)
			}
		}
		s.byText.Store(x)
	})
	return s.byText.Load()
}

func textsOf(p principal.Person) []string {
	return []string{p.ID, p.Name, p.Username, p.EmployeeNo, p.Mobile, p.Email}
}

// addTexts notes by what one person or department is found.
func addTexts(to map[string][]string, id string, texts ...string) {
	for _, text := range texts {
		text = property.Plain(text)
		if ids := to[text]; text != "" && (len(ids) == 0 || ids[len(ids)-1] != id) {
			to[text] = append(ids, id)
		}
	}
}

// departmentIndex finds departments by name and id. Snapshots with the same departments share one.
type departmentIndex struct {
	once   sync.Once
	byText map[string][]string
}

func (s *snapshot) departmentsByText() map[string][]string {
	s.places.once.Do(func() {
		byText := make(map[string][]string, 2*len(s.departments))
		for id, dep := range s.departments {
			addTexts(byText, id, id, dep.Name)
		}
		for _, ids := range byText {
			slices.Sort(ids)
		}
		s.places.byText = byText
	})
	return s.places.byText
}
