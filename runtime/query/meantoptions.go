package query

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// maxMeant is how long a text may be of which it is asked what it means: that of a cell with a list of names.
const maxMeant = 2000

// meantOptions are the people, departments or records that a text means in a field as files have it (ADR 78), of those that may be chosen: the one, or
// those of a list in its order. None when a part of it means none, or several.
func (r *Reader) meantOptions(ctx context.Context, view *authz.View, n node, req OptionsRequest) (*Entries, error) {
	f := n.field
	words := property.ListWords(req.Keyword)
	found := map[string][]Entry{}
	if f.Target != nil && !directory.Knows(f.Target.Code) {
		if err := r.meantRecords(ctx, view, n, req, words, found); err != nil {
			return nil, err
		}
	} else if err := r.meantParties(ctx, view, n, req, words, found); err != nil {
		return nil, err
	}
	out := &Entries{Content: []Entry{}}
	for _, part := range meantParts(f, req.Keyword, func(word string) bool { return len(found[word]) > 0 }) {
		if len(found[part]) != 1 {
			return &Entries{Content: []Entry{}}, nil
		}
		one := found[part][0]
		if !slices.ContainsFunc(out.Content, func(e Entry) bool { return e.ID == one.ID }) {
			out.Content = append(out.Content, one)
		}
	}
	out.Total = int64(len(out.Content))
	return out, nil
}

// meantParts are the texts of a cell that each mean one thing: in a field of one the whole.
func meantParts(f *catalog.Field, text string, known func(string) bool) []string {
	if cols := f.Columns(); len(cols) == 1 && cols[0].Kind == plan.Set {
		return property.PartList(text, known)
	}
	whole := strings.TrimSpace(text)
	if plain := property.Unquoted(whole); plain != whole && !known(whole) {
		return []string{plain}
	}
	return []string{whole}
}

func (r *Reader) meantRecords(ctx context.Context, view *authz.View, n node, req OptionsRequest, words []string, found map[string][]Entry) error {
	var meant map[string][]Matched
	err := r.read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		meant, err = r.Meant(ctx, tx, view, n.field.Target, n.field.Display, words)
		return err
	})
	if err != nil {
		return err
	}
	ids := map[string][]string{}
	for word, all := range meant {
		for _, one := range all {
			ids[word] = append(ids[word], one.ID)
		}
	}
	return r.choosable(ids, found, func(some []string) (*Entries, error) {
		req.Keyword, req.IDs, req.Page, req.Size = "", some, 0, len(some)
		return r.records(ctx, view, n, req)
	})
}

func (r *Reader) meantParties(ctx context.Context, view *authz.View, n node, req OptionsRequest, words []string, found map[string][]Entry) error {
	kinds := []string{directory.User, directory.Department}
	if n.field.Target != nil {
		kinds = []string{n.field.Target.Code}
	}
	keys := PeopleKeys(view)
	for _, kind := range kinds {
		ids := map[string][]string{}
		for _, word := range words {
			for _, m := range r.people.Match(ctx, kind, word, keys) {
				if !m.Disabled {
					ids[word] = append(ids[word], m.ID)
				}
			}
		}
		err := r.choosable(ids, found, func(some []string) (*Entries, error) {
			req.Keyword, req.IDs = "", some
			return r.organisation(ctx, view, n, req, kind)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// choosable adds to what words mean the entries of those ids that may be chosen; some of them are asked for at a time.
func (r *Reader) choosable(ids map[string][]string, found map[string][]Entry, ask func(some []string) (*Entries, error)) error {
	var all []string
	for _, some := range ids {
		all = append(all, some...)
	}
	slices.Sort(all)
	offered := map[string]Entry{}
	for some := range slices.Chunk(slices.Compact(all), MaxPageSize) {
		entries, err := ask(some)
		if err != nil {
			return err
		}
		for _, e := range entries.Content {
			offered[e.ID] = e
		}
	}
	for word, some := range ids {
		for _, id := range some {
			if e, may := offered[id]; may {
				found[word] = append(found[word], e)
			}
		}
	}
	return nil
}
