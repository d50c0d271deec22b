package importer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// lookup finds the people, departments and records that texts mean, and remembers records for the length of a run.
type lookup struct {
	s       *Service
	view    *authz.View
	keys    directory.MatchKeys
	records map[*catalog.Field]map[string][]Entry // what was asked for, found or not
	known   int
	people  map[peopleText][]directory.Match // what the directory said, for the length of a chunk
	renamed *renamed                         // records of the import's model
	model   *catalog.Model
}

// peopleText is a text that may name people or departments.
type peopleText struct{ kind, text string }

// rememberedTexts bounds what a lookup remembers.
const rememberedTexts = 50000

// The types of entries (docs/formats.md).
var (
	typeDepartment = 1
	typePerson     = 3
)

func (s *Service) newLookup(view *authz.View, m *catalog.Model) *lookup {
	return &lookup{s: s, view: view, model: m, keys: query.PeopleKeys(view), records: map[*catalog.Field]map[string][]Entry{}, renamed: newRenamed()}
}

// refers reports whether a property refers to people, departments or records, and which of both the directory knows. The department above a
// department is looked for as a record first: the same file may have brought it.
func refers(f *catalog.Field) (kinds []string, record bool) {
	if _, ok := f.Property.(property.Referrer); !ok {
		return nil, false
	}
	switch {
	case f.Target == nil:
		return []string{directory.User, directory.Department}, false
	case directory.Knows(f.Target.Code) && f.Model != nil && f == f.Model.Tree:
		return []string{f.Target.Code}, true
	case directory.Knows(f.Target.Code):
		return []string{f.Target.Code}, false
	}
	return nil, true
}

// fetch asks for the records that texts of some properties may mean, in one query a property.
func (l *lookup) fetch(ctx context.Context, tx *store.Tx, asked map[*catalog.Field][]string) error {
	if l.known > rememberedTexts {
		l.records, l.known = map[*catalog.Field]map[string][]Entry{}, 0
	}
	for f, texts := range asked {
		have := l.records[f]
		if have == nil {
			have = map[string][]Entry{}
			l.records[f] = have
		}
		texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { _, known := have[text]; return known })
		slices.Sort(texts)
		texts = slices.Compact(texts)
		if len(texts) == 0 {
			continue
		}
		found, err := l.s.Reader.Meant(ctx, tx, l.view, f.Target, f.Display, texts)
		if err != nil {
			return err
		}
		apart, err := l.apart(ctx, tx, f, found)
		if err != nil {
			return err
		}
		for _, text := range texts {
			var entries []Entry
			for _, r := range found[text] {
				entries = append(entries, Entry{ID: r.ID, Name: r.Name, Detail: cmp.Or(apart[r.ID], r.Detail)})
			}
			if f.Target == l.model {
				entries = l.renamed.mean(text, entries)
			}
			have[text] = entries
			l.known++
		}
	}
	return nil
}

// named are the records that texts name, each text one, by the fields that were asked for.
func (l *lookup) named(asked map[*catalog.Field][]string) map[*catalog.Field][]string {
	out := map[*catalog.Field][]string{}
	for f, texts := range asked {
		for _, text := range texts {
			if found := l.records[f][text]; len(found) == 1 {
				out[f] = append(out[f], found[0].ID)
			}
		}
		slices.Sort(out[f])
		out[f] = slices.Compact(out[f])
	}
	return out
}

// apart is what tells the records apart of which a text names several.
func (l *lookup) apart(ctx context.Context, tx *store.Tx, f *catalog.Field, found map[string][]query.Matched) (map[string]string, error) {
	var ids []string
	for _, records := range found {
		if len(records) > 1 {
			for _, r := range records[:min(len(records), suggested)] {
				ids = append(ids, r.ID)
			}
		}
	}
	slices.Sort(ids)
	return l.s.Reader.Apart(ctx, tx, l.view, f.Target, f.Display, slices.Compact(ids))
}

// drop forgets all records of a model: what a transaction that was given up has added is not there.
func (l *lookup) drop(m *catalog.Model) {
	for f, have := range l.records {
		if f.Target == m {
			l.known -= len(have)
			delete(l.records, f)
		}
	}
}

// forget drops what was not found of a model: records have been added.
func (l *lookup) forget(m *catalog.Model) {
	for f, have := range l.records {
		if f.Target != m {
			continue
		}
		for text, entries := range have {
			if len(entries) == 0 {
				delete(have, text)
				l.known--
			}
		}
	}
}

// find returns what a text may mean for a property. Disabled people are named only when the record has them already.
func (l *lookup) find(ctx context.Context, f *catalog.Field, text string) (found, disabled []Entry) {
	kinds, record := refers(f)
	if record {
		if entries := l.records[f][text]; kinds == nil || len(entries) > 0 {
			return entries, nil
		}
	}
	for _, kind := range kinds {
		for _, m := range l.match(ctx, kind, text) {
			if m.Disabled {
				disabled = append(disabled, entryOf(kind, m.Found))
			} else {
				found = append(found, entryOf(kind, m.Found))
			}
		}
	}
	return found, disabled
}

// match asks the directory, once for each text of a chunk.
func (l *lookup) match(ctx context.Context, kind, text string) []directory.Match {
	of := peopleText{kind, text}
	out, asked := l.people[of]
	if !asked {
		if l.people == nil {
			l.people = map[peopleText][]directory.Match{}
		}
		out = l.s.People.Match(ctx, kind, text, l.keys)
		l.people[of] = out
	}
	return out
}

func entryOf(kind string, f directory.Found) Entry {
	e := Entry{ID: f.ID, Name: f.Name, Type: &typePerson, ImageURL: f.ImageURL, Detail: f.Detail}
	if kind == directory.Department {
		e.Type = &typeDepartment
	}
	return e
}

// toldApart gives people and departments that look alike what tells them apart, as files write it.
func (l *lookup) toldApart(ctx context.Context, found []Entry) []Entry {
	alike := map[[2]string]int{}
	of := func(e Entry) [2]string { return [2]string{property.Plain(e.Name), property.Plain(e.Detail)} }
	for _, e := range found {
		alike[of(e)]++
	}
	out := slices.Clone(found)
	for i, e := range found {
		if alike[of(e)] < 2 || e.Type == nil {
			continue
		}
		kind := directory.User
		if *e.Type == typeDepartment {
			kind = directory.Department
		}
		told := l.s.People.Told(ctx, []string{kind}, plan.Ref{Model: kind, ID: e.ID}, query.Usernames(l.view))
		for _, t := range property.Tellings(told) {
			if t.Name == strings.TrimSpace(e.Name) {
				out[i].Detail = t.Detail
			}
		}
	}
	return out
}

// suggested is how many entries a refused cell offers.
const suggested = 10

// like are entries that somebody may have meant by a text that means none.
func (l *lookup) like(ctx context.Context, f *catalog.Field, text string) []Entry {
	kinds, _ := refers(f)
	var out []Entry
	for _, kind := range kinds {
		found, _ := l.s.People.Search(ctx, directory.Wanted{Kind: kind, Text: text, Keys: l.keys, Limit: suggested})
		for _, one := range found {
			out = append(out, entryOf(kind, one))
		}
	}
	if c, ok := f.Property.(property.Chooser); ok {
		out = append(out, l.options(c.Choices(), text)...)
	}
	return out[:min(len(out), suggested)]
}

// options are the options that have something of a text, or all of few; those that are called the same with their codes.
func (l *lookup) options(all []property.Option, text string) (out []Entry) {
	locale, plain := l.view.Principal().Locale, property.Plain(text)
	called := map[string]int{}
	for _, o := range all {
		called[property.Plain(o.Label.In(locale))]++
	}
	for _, o := range all {
		label := property.Plain(o.Label.In(locale))
		if o.Disabled || len(all) > suggested && !strings.Contains(label, plain) && !strings.Contains(plain, label) {
			continue
		}
		one := Entry{ID: o.Code, Name: o.Label.In(locale)}
		if called[label] > 1 {
			one.Detail = o.Code
		}
		out = append(out, one)
	}
	return out
}
