package query

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// told finds the texts by which files name people, departments and records: what Match and Meant take back as the same one. It remembers them for
// the length of a file.
type told struct {
	r         *Reader
	ctx       context.Context
	view      *authz.View
	usernames bool

	known map[want]map[string]property.Named // by id
	twins map[want]map[string]bool           // names that several records have, or none is found by
	asked map[want]int                       // names that were asked for
	all   map[want]*census

	mu      sync.Mutex // pages are written while others are read
	parties map[party]string
}

// party is a person or department in a field that holds one kind, or both.
type party struct {
	plan.Ref
	mixed bool
}

func (r *Reader) told(ctx context.Context, view *authz.View) *told {
	return &told{r: r, ctx: ctx, view: view, usernames: readsOfAll(view, view.Model(directory.User), "username"),
		known: map[want]map[string]property.Named{}, twins: map[want]map[string]bool{}, asked: map[want]int{}, all: map[want]*census{}, parties: map[party]string{}}
}

// party is the text of a person or department.
func (t *told) party(ref plan.Ref, mixed bool) string {
	key := party{ref, mixed}
	t.mu.Lock()
	defer t.mu.Unlock()
	text, known := t.parties[key]
	if !known {
		kinds := []string{directory.User, directory.Department}
		if !mixed && strings.EqualFold(ref.Model, directory.User) {
			kinds = kinds[:1]
		} else if !mixed {
			kinds = kinds[1:]
		}
		text = t.r.people.Told(t.ctx, kinds, ref, t.usernames)
		t.parties[key] = text
	}
	return text
}

// records completes the names of records.
func (t *told) records(tx *store.Tx, w want, named map[string]property.Named) error {
	if named == nil {
		return nil
	}
	known := t.known[w]
	if known == nil || len(known) > keptNames {
		known = map[string]property.Named{}
		t.known[w], t.twins[w] = known, map[string]bool{}
	}
	fresh := map[string]string{}
	for id, n := range named {
		if have, is := known[id]; is && have.Name == n.Name {
			named[id] = have
		} else {
			fresh[id] = strings.TrimSpace(n.Name)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	texts, err := t.texts(tx, w, fresh)
	if err != nil {
		return err
	}
	for id := range fresh {
		n := named[id]
		n.Written = texts[id]
		named[id], known[id] = n, n
	}
	return nil
}

// texts are what files have of some records: their names where these mean them alone, else what is tried after them.
func (t *told) texts(tx *store.Tx, w want, names map[string]string) (map[string]string, error) {
	out := map[string]string{}
	fields := MatchFields(t.view, w.model, w.display)
	twins, asked := t.twins[w], []string{}
	for _, name := range names {
		if name != "" && !twins[name] {
			asked = append(asked, name)
		}
	}
	slices.Sort(asked)
	if len(asked) > 0 && slices.Contains(fields, w.display) {
		only, err := t.only(tx, w, fields, slices.Compact(asked))
		if err != nil {
			return nil, err
		}
		for id, name := range names {
			if only(name) == id {
				out[id] = name
			} else {
				twins[name] = true
			}
		}
	}
	rest := maps.Clone(names)
	maps.DeleteFunc(rest, func(id, _ string) bool { return out[id] != "" })
	return out, t.tell(tx, w, rest, out)
}

// mostAsked is of how many names pages are asked one by one: for more of them one look at all records costs less. In models with few records names
// have no index, so that each question is such a look.
const (
	mostAsked      = 500
	mostAskedOfFew = 100
)

// census are the records of a model by all that they are called: about 50 bytes a text.
type census struct {
	seed maphash.Seed
	ids  map[uint64]uuid.UUID // the nil id is several
}

// only tells which record alone a name means; "" = none, or several.
func (t *told) only(tx *store.Tx, w want, fields []*catalog.Field, names []string) (func(name string) string, error) {
	most := mostAskedOfFew
	if newGraph(t.view, w.model).large() {
		most = mostAsked
	}
	if t.asked[w] += len(names); t.asked[w] <= most {
		found, err := t.r.Match(t.ctx, tx, t.view, w.model, fields, names)
		return func(name string) string {
			if len(found[name]) != 1 {
				return ""
			}
			return found[name][0].ID
		}, err
	}
	c := t.all[w]
	if c == nil {
		c = &census{maphash.MakeSeed(), map[uint64]uuid.UUID{}}
		if err := t.r.match(t.ctx, tx, t.view, w.model, matching{fields: fields, each: c.add}, nil); err != nil {
			return nil, err
		}
		t.all[w] = c
	}
	return func(name string) string {
		if id := c.ids[maphash.String(c.seed, name)]; id != uuid.Nil {
			return id.String()
		}
		return ""
	}, nil
}

func (c *census) add(one Matched) {
	id, _ := uuid.Parse(one.ID)
	for _, text := range one.called {
		sum := maphash.String(c.seed, text)
		if other, known := c.ids[sum]; known && other != id { // and stays several
			c.ids[sum] = uuid.Nil
		} else {
			c.ids[sum] = id
		}
	}
}

// tell finds texts for records whose names alone do not mean them, each with what Meant takes back: a code of the record, what Apart says, and at
// last the id.
func (t *told) tell(tx *store.Tx, w want, names map[string]string, out map[string]string) error {
	for _, details := range []func(*store.Tx, want, []string) (map[string]string, error){t.codes, t.apart} {
		if len(names) == 0 {
			return nil
		}
		of, err := details(tx, w, slices.Sorted(maps.Keys(names)))
		if err != nil {
			return err
		}
		tried := map[string][]string{}
		for id, detail := range of {
			if names[id] != "" {
				tried[id] = append(tried[id], property.Told(names[id], detail))
			}
			tried[id] = append(tried[id], detail)
		}
		var texts []string
		for _, all := range tried {
			texts = append(texts, all...)
		}
		slices.Sort(texts)
		meant, err := t.r.Meant(t.ctx, tx, t.view, w.model, w.display, slices.Compact(texts))
		if err != nil {
			return err
		}
		for id, all := range tried {
			i := slices.IndexFunc(all, func(text string) bool { return len(meant[text]) == 1 && meant[text][0].ID == id })
			if i >= 0 {
				out[id] = all[i]
				delete(names, id)
			}
		}
	}
	for id, name := range names {
		if out[id] = id; name != "" {
			out[id] = property.Told(name, id)
		}
	}
	return nil
}

// codes are a unique text or the number of each record that has one.
func (t *told) codes(tx *store.Tx, w want, ids []string) (map[string]string, error) {
	g := newGraph(t.view, w.model)
	q := &plan.Query{Model: w.model.Code, Where: oneOf(catalog.ID, ids), Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}}
	var unique, numbers []node
	for _, f := range MatchFields(t.view, w.model, nil) {
		n, err := g.resolve(f.Code)
		switch {
		case err != nil:
		case f.Unique:
			unique = append(unique, n)
		case f.Code == catalog.SequenceNo:
			numbers = append(numbers, n)
		}
	}
	nodes := append(unique, numbers...)
	out := map[string]string{}
	if len(nodes) == 0 {
		return out, nil
	}
	for _, n := range nodes {
		q.Select = append(q.Select, n.columns()[0])
	}
	q.Joins = g.joins
	return out, tx.Query(t.ctx, t.view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		for _, v := range row[1:] {
			if code, _ := v.(string); strings.TrimSpace(code) != "" && out[id] == "" {
				out[id] = strings.TrimSpace(code)
			}
		}
		return nil
	})
}

// apart is what Apart says of records.
func (t *told) apart(tx *store.Tx, w want, ids []string) (map[string]string, error) {
	return t.r.Apart(t.ctx, tx, t.view, w.model, w.display, ids)
}
