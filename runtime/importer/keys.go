package importer

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// target are the records that ids and keys of a chunk name.
type target struct {
	byID  map[string]query.Matched
	byKey map[string][]query.Matched
	held  map[string]*query.Held // what they have, by id
	alike map[string]bool        // keys that are spelled otherwise in their records
}

// ids are those of the records.
func (t target) ids() []string {
	var out []string
	for id := range t.byID {
		out = append(out, id)
	}
	for _, hits := range t.byKey {
		if len(hits) == 1 {
			out = append(out, hits[0].ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (w *run) targets(ctx context.Context, tx *store.Tx, records []*raw) (out target, err error) {
	var ids, keys []string
	for _, r := range records {
		if id, err := uuid.Parse(r.ID); err == nil {
			ids = append(ids, id.String())
		}
		if w.key != nil {
			if key := w.keyOf(r); key != "" {
				keys = append(keys, key)
			}
		}
	}
	if out.byID, err = w.s.Reader.Versions(ctx, tx, w.view, w.m, ids); err != nil || w.key == nil {
		return out, err
	}
	if out.byKey, err = w.s.Reader.Match(ctx, tx, w.view, w.m, []*catalog.Field{w.key}, keys); err != nil {
		return out, err
	}
	out.alike = map[string]bool{}
	keys = slices.DeleteFunc(keys, func(key string) bool { return len(out.byKey[key]) > 0 })
	if len(keys) == 0 {
		return out, nil
	}
	if w.keys == nil {
		if w.keys, err = w.s.Reader.Keys(ctx, tx, w.view, w.m, w.key); err != nil {
			return out, err
		}
	}
	found, err := w.keys.Alike(ctx, tx, w.view, keys)
	for key, all := range found {
		out.byKey[key], out.alike[key] = all, true
	}
	return out, err
}

// news is how many records of a chunk may be new ones.
func (w *run) news(records []*raw, t target) int {
	n := 0
	for _, r := range records {
		if r.ID == "" && len(t.byKey[w.keyOf(r)]) == 0 {
			n++
		}
	}
	return n
}

// keyOf is the key of a record as its property keeps it: trimmed.
func (w *run) keyOf(r *raw) string {
	if w.key == nil {
		return ""
	}
	in := r.Cells[w.key.Code]
	if v, _, err := parse(w.key, in); err == nil && record.Settable(w.key) {
		text, _ := v.(string)
		return text
	}
	return in.text()
}

// find says which record a row changes, nil for a new one, or why it cannot be told.
func (w *run) find(r *raw, t target, inChunk map[string]int) (*query.Matched, *Verdict) {
	no := func(column string, code fault.Code, args ...any) (*query.Matched, *Verdict) {
		v := refuse(column, nil, code, args...)
		return nil, &v
	}
	if r.ID != "" {
		found, ok := t.byID[strings.ToLower(r.ID)]
		switch {
		case !ok:
			return no("", fault.KeyNotFound)
		case w.imp.Mode == Add:
			return no("", fault.KeyExists)
		}
		if at, twice := w.twice("id "+found.ID, r, inChunk); twice {
			return no("", fault.KeyTwice, w.judge.sheets.told(at))
		}
		return &found, nil
	}
	key := w.keyOf(r)
	if key == "" {
		if w.imp.Mode == Update {
			return no(w.imp.KeyField, fault.KeyMissing)
		}
		return nil, nil
	}
	hits := t.byKey[key]
	if at, twice := w.twice(key, r, inChunk); twice {
		return no(w.imp.KeyField, fault.KeyTwice, w.judge.sheets.told(at))
	}
	if len(hits) == 0 || t.alike[key] { // what is spelled so in a record is that record's, whatever others are alike
		if at, twice := w.twice(plainKey(key), r, inChunk); twice {
			return no(w.imp.KeyField, fault.KeyTwice, w.judge.sheets.told(at))
		}
	}
	switch {
	case len(hits) > 0 && w.imp.Mode == Add:
		return no(w.imp.KeyField, fault.KeyExists)
	case len(hits) > 1:
		return no(w.imp.KeyField, fault.KeyAmbiguous)
	case len(hits) == 1:
		if at, twice := w.twice("id "+hits[0].ID, r, inChunk); twice { // another row has named it by its id
			return no(w.imp.KeyField, fault.KeyTwice, w.judge.sheets.told(at))
		}
		r.found = hits[0].ID
		if t.alike[key] { // a key that is spelled otherwise finds its record and does not change it
			r.Cells[w.key.Code] = input{cell: property.Cell{Kind: property.CellText, Text: hits[0].Key}}
		}
		return &hits[0], nil
	case w.imp.Mode == Update:
		return no(w.imp.KeyField, fault.KeyNotFound)
	}
	return nil, nil
}

// plainKey is the form in which keys of new records are compared.
func plainKey(key string) string { return "plain " + property.Plain(key) }

// twice reports in which earlier row of the file a key was.
func (w *run) twice(key string, r *raw, inChunk map[string]int) (int, bool) {
	if at, ok := w.seen[maphash.String(w.seed, key)]; ok && at != r.Row {
		return at, true
	}
	if at, ok := inChunk[key]; ok && at != r.Row {
		return at, true
	}
	inChunk[key] = r.Row
	return 0, false
}

// note remembers the keys of a record that was done.
func (w *run) note(r *raw) {
	key := w.keyOf(r)
	keys := []string{key}
	if key != "" {
		keys = append(keys, plainKey(key))
	}
	if r.ID != "" {
		keys = []string{"id " + strings.ToLower(r.ID)}
	} else if r.found != "" {
		keys = append(keys, "id "+r.found)
	}
	for _, key := range keys {
		if key == "" {
			continue
		}
		h := maphash.String(w.seed, key)
		if _, known := w.seen[h]; !known {
			w.seen[h] = r.Row
		}
	}
}
