package directory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/finder"
)

// entry is a person or department as pickers search for one.
type entry struct {
	kind   string // User or Department
	id     string
	folded string
	sounds string // of every common reading, with the username
	number string // folded employee number; "" = none
}

// Found is a hit of a search.
type Found struct {
	ID, Name, ImageURL string
	Detail             string // of a person: the main department, and the employee number when others are called the same; of a department: the one above
	Leaf               bool
	Named              finder.Named // how the text of a search names it
}

// Wanted is what a search asks for.
type Wanted struct {
	Kind, Text  string
	Below       *string         // departments right below one ("" = roots), people who are members of one; nil = all
	Among       map[string]bool // some ids; nil = all
	Keys        MatchKeys       // by EmployeeNo alone people are found besides their names
	Skip, Limit int
}

// earlier is what was searched at an earlier time.
type earlier struct {
	search  []entry
	names   map[string]int
	changed map[string]bool // people since; nil = anything may have
}

// order is what a snapshot gives to one that comes after it, in which some people changed; nil = anything may have.
func (s *snapshot) order(changed []string) *earlier {
	out := &earlier{changed: map[string]bool{}}
	if e := s.earlier.Load(); s.indexed.Load() {
		out.search, out.names = s.search, s.names
	} else if e != nil {
		out.search, out.names = e.search, e.names
		maps.Copy(out.changed, e.changed)
		if e.changed == nil {
			changed = nil
		}
	} else {
		return nil
	}
	if changed == nil {
		out.changed = nil
		return out
	}
	for _, id := range changed {
		out.changed[id] = true
	}
	return out
}

// index makes what pickers search. Rights need none of it, so it is made when somebody searches first, out of what an earlier snapshot had.
func (s *snapshot) index(sound func(name string) string) {
	switch e := s.earlier.Load(); {
	case e == nil:
		s.indexAll(nil, sound)
	case e.changed == nil:
		s.indexAll(e.search, sound)
	default:
		s.indexSome(e, sound)
	}
	s.indexed.Store(true)
	s.earlier.Store(nil)
}

func personEntry(p principal.Person, sound func(name string) string) entry {
	return entry{kind: User, id: p.ID, folded: finder.Plain(p.Name), sounds: sound(p.Name) + " " + fold(p.Username), number: finder.Plain(p.EmployeeNo)}
}

func byName(a, b entry) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.sounds, b.sounds), cmp.Compare(a.id, b.id))
}

// indexAll begins with the order of before, in which few have another place.
func (s *snapshot) indexAll(before []entry, sound func(name string) string) {
	all := make(map[string]entry, len(s.people)+len(s.departments))
	s.names = make(map[string]int, len(s.people))
	for _, p := range s.people {
		if !p.Disabled {
			s.names[finder.Plain(p.Name)]++
			all[p.ID] = personEntry(p, sound)
		}
	}
	for _, d := range s.departments {
		if !s.shut[d.ID] {
			all[d.ID] = entry{kind: Department, id: d.ID, folded: finder.Plain(d.Name), sounds: sound(d.Name)}
		}
	}
	s.search = make([]entry, 0, len(all))
	for _, old := range before {
		if e, still := all[old.id]; still {
			s.search = append(s.search, e)
			delete(all, old.id)
		}
	}
	for _, e := range all {
		s.search = append(s.search, e)
	}
	slices.SortFunc(s.search, byName)
}

// indexSome takes all but the people who changed from an earlier index.
func (s *snapshot) indexSome(e *earlier, sound func(name string) string) {
	s.names = maps.Clone(e.names)
	var changed []entry
	for id := range e.changed {
		if p, is := s.people[id]; is && !p.Disabled {
			s.names[finder.Plain(p.Name)]++
			changed = append(changed, personEntry(p, sound))
		}
	}
	slices.SortFunc(changed, byName)
	s.search = make([]entry, 0, len(e.search)+len(changed))
	for _, old := range e.search {
		if e.changed[old.id] {
			s.names[old.folded]--
			continue
		}
		for len(changed) > 0 && byName(changed[0], old) < 0 {
			s.search, changed = append(s.search, changed[0]), changed[1:]
		}
		s.search = append(s.search, old)
	}
	s.search = append(s.search, changed...)
}

// Search finds people or departments by name, pinyin or initials, people also by username and, where Keys say so, by employee number; the
// best first. total counts all that fit.
func (d *Directory) Search(ctx context.Context, w Wanted) (found []Found, total int) {
	s := d.searchable(ctx)
	text := finder.Typed(w.Text)
	var fits []finder.Ranked[entry]
	for _, e := range s.search {
		if e.kind != w.Kind || w.Below != nil && !s.below(e, *w.Below) || w.Among != nil && !w.Among[e.id] {
			continue
		}
		if text.Empty() {
			if total++; total > w.Skip && len(found) < w.Limit {
				found = append(found, s.found(e))
			}
		} else if s.mayFit(e, text, w.Keys) {
			if fit := text.Fit(s.subject(e, w.Keys)); fit != finder.None {
				fits = append(fits, finder.Ranked[entry]{Of: e, Fit: fit})
			}
		}
	}
	if text.Empty() {
		return found, total
	}
	slices.SortStableFunc(fits, func(a, b finder.Ranked[entry]) int { return cmp.Compare(a.Fit, b.Fit) })
	for _, r := range fits[min(len(fits), w.Skip):min(len(fits), w.Skip+w.Limit)] {
		one := s.found(r.Of)
		one.Named = text.Named(r.Fit)
		found = append(found, one)
	}
	return found, len(fits)
}

// mayFit passes over most of what a text does not fit, without looking closer.
func (s *snapshot) mayFit(e entry, text finder.Text, keys MatchKeys) bool {
	return text.Within(e.folded, e.sounds) || keys.EmployeeNo && text.Within(e.number)
}

func (s *snapshot) subject(e entry, keys MatchKeys) finder.Subject {
	if e.kind != User {
		return finder.Subject{Names: []string{s.departments[e.id].Name}}
	}
	p := s.people[e.id]
	out := finder.Subject{Names: []string{p.Name}, Codes: []string{p.Username}, Person: true}
	if keys.EmployeeNo && p.EmployeeNo != "" {
		out.Codes = append(out.Codes, p.EmployeeNo)
	}
	return out
}

// Some are those of given people or departments who can be found, in the order of their ids.
func (d *Directory) Some(ctx context.Context, kind string, ids []string) []Found {
	s := d.searchable(ctx)
	found := []Found{}
	for _, id := range ids {
		if i := slices.IndexFunc(s.search, func(e entry) bool { return e.kind == kind && e.id == id }); i >= 0 {
			found = append(found, s.found(s.search[i]))
		}
	}
	return found
}

func (s *snapshot) below(e entry, department string) bool {
	if e.kind == User {
		return slices.Contains(s.people[e.id].Departments, department)
	}
	return s.departments[e.id].Parent == department
}

// searchable is the organization as it is now, ready to be searched.
func (d *Directory) searchable(ctx context.Context) *snapshot {
	s := d.snapshot(ctx)
	s.indexing.Do(func() { s.index(d.sounds.of) })
	return s
}

func (s *snapshot) found(e entry) Found {
	if e.kind == User {
		p := s.people[e.id]
		detail := s.departments[p.MainDepartment].Name
		if s.names[finder.Plain(p.Name)] > 1 && p.EmployeeNo != "" {
			if detail != "" {
				detail += " · "
			}
			detail += p.EmployeeNo
		}
		return Found{ID: p.ID, Name: p.Name, ImageURL: p.ImageURL, Detail: detail, Leaf: true}
	}
	dep := s.departments[e.id]
	return Found{ID: dep.ID, Name: dep.Name, Detail: s.departments[dep.Parent].Name, Leaf: len(s.children[dep.ID]) == 0}
}

// Knows reports whether a model is one whose records everybody may see the names of: people and departments.
func Knows(code string) bool {
	return strings.EqualFold(code, User) || strings.EqualFold(code, Department)
}

// Name returns the display name of a person or department; it works as property.Names for the two.
func (d *Directory) Name(ctx context.Context, ref plan.Ref) (property.Named, bool) {
	return d.Names(ctx).Name(ref)
}

// Names are the display names as they are now: for a whole page, which then asks but once whether they changed.
func (d *Directory) Names(ctx context.Context) property.Names { return d.snapshot(ctx) }

// Name implements property.Names.
func (s *snapshot) Name(ref plan.Ref) (property.Named, bool) {
	switch {
	case strings.EqualFold(ref.Model, User):
		p, ok := s.people[ref.ID]
		return property.Named{Name: p.Name, ImageURL: p.ImageURL}, ok
	case strings.EqualFold(ref.Model, Department):
		dep, ok := s.departments[ref.ID]
		return property.Named{Name: dep.Name}, ok
	}
	return property.Named{}, false
}

// Members tells for each id whether it is a person of, or a department at or below, one of the departments: the
// evaluation of "Of" in memory.
func (d *Directory) Members(ctx context.Context, departments []string) map[string]bool {
	s := d.snapshot(ctx)
	out := map[string]bool{}
	for _, dep := range d.Below(ctx, departments) {
		out[dep] = true
		for _, p := range s.members[dep] {
			out[p] = true
		}
	}
	return out
}

// hearing remembers what names sound like, over all snapshots: few names change.
type hearing struct {
	mu   sync.Mutex
	said map[string]string
}

// mostSounds bounds the names that are remembered.
const mostSounds = 200_000

func (s *hearing) of(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	said, known := s.said[name]
	if !known {
		if s.said == nil || len(s.said) >= mostSounds {
			s.said = map[string]string{}
		}
		said = Sounds(name)
		s.said[name] = said
	}
	return said
}
