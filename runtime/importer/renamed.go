package importer

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// renamed are records of the import's model that the import itself has given other names. The other rows of the file call them what they
// were called when the file was made, wherever somebody sorts them to: the old names come before those that records have now. They are kept
// with the import: after an interruption, and when refused rows are corrected, the rows of the file mean the same.
type renamed struct {
	was   map[string][]Entry  // by the plain form of an old name
	texts map[string][]string // plain forms of the old names, by id
	will  map[string][]Entry  // of a dry run, which takes new names back: by the plain form of a new name
}

func newRenamed() *renamed {
	return &renamed{map[string][]Entry{}, map[string][]string{}, map[string][]Entry{}}
}

// plan notes what a record would be called.
func (n *renamed) plan(id string, now []string) {
	for _, text := range now {
		plain := property.Plain(text)
		n.will[plain] = n.with(n.will[plain], []Entry{{ID: id, Name: text}}, nil)
	}
}

// add notes what a record was called before the import. Of several changes the first counts.
func (n *renamed) add(id string, old []string) {
	if n.texts[id] != nil {
		return
	}
	n.texts[id] = []string{}
	for _, text := range old {
		plain := property.Plain(text)
		if slices.Contains(n.texts[id], plain) {
			continue
		}
		n.texts[id] = append(n.texts[id], plain)
		n.was[plain] = append(n.was[plain], Entry{ID: id, Name: text})
	}
}

// mean is what a text means, of the records that it names now: those that were called so, and else those that are.
func (n *renamed) mean(text string, now []Entry) []Entry {
	plain := property.Plain(text)
	if len(now) == 0 && len(n.will) > 0 {
		return n.will[plain]
	}
	if len(n.texts) == 0 {
		return now
	}
	var out []Entry
	for _, e := range now {
		if old := n.texts[e.ID]; old == nil || slices.Contains(old, plain) {
			out = append(out, e)
		}
	}
	out = n.with(out, n.was[plain], nil)
	if len(out) == 0 { // with what told it apart
		for _, t := range property.Tellings(text) {
			out = n.with(out, n.was[property.Plain(t.Name)], []string{property.Plain(t.Detail), t.Detail})
		}
	}
	if len(out) == 0 {
		return now
	}
	return out
}

// with adds entries once: those of which a detail is another old name or the id, where details are given.
func (n *renamed) with(out, more []Entry, details []string) []Entry {
	for _, e := range more {
		told := details == nil || slices.ContainsFunc(details, func(d string) bool { return d == e.ID || slices.Contains(n.texts[e.ID], d) })
		if told && !slices.ContainsFunc(out, func(have Entry) bool { return have.ID == e.ID }) {
			out = append(out, e)
		}
	}
	return out
}

// selfNamed is the property by which rows of the file name other records of its model; nil = none.
func selfNamed(m *catalog.Model, asked map[*catalog.Field][]string) *catalog.Field {
	for f := range asked {
		if f.Target == m {
			return f
		}
	}
	return nil
}

// names reads what files call the records that a chunk may change, where rows of the file name records of its model.
func (w *run) names(ctx context.Context, tx *store.Tx, f *catalog.Field, ids []string) (map[string][]string, error) {
	if f == nil {
		return nil, nil
	}
	return w.s.Reader.Called(ctx, tx, w.view, w.m, f.Display, ids)
}

// rename compares what the records of a chunk are called with what they were called before it.
func (w *run) rename(ctx context.Context, tx *store.Tx, f *catalog.Field, before map[string][]string) error {
	if f == nil {
		return nil
	}
	var ids []string
	for _, x := range w.result.written {
		if before[x.Record] != nil {
			ids = append(ids, x.Record)
		}
	}
	now, err := w.names(ctx, tx, f, ids)
	for id, texts := range now {
		if !slices.Equal(before[id], texts) {
			w.result.renamed = append(w.result.renamed, renaming{id, before[id], texts})
		}
	}
	if err != nil || w.imp.Phase == checking {
		return err
	}
	return w.keepNames()
}

// firstName is the number of a kept row with the old names of the first record that an import writes: no row of a file has it, and no record
// that an undo keeps.
const firstName = math.MinInt64

// keepNames keeps the old names of the chunk's records with its other rows.
func (w *run) keepNames() error {
	for _, r := range w.result.renamed {
		i := slices.IndexFunc(w.result.written, func(x written) bool { return x.Record == r.id })
		text, err := json.Marshal(r.old)
		if err != nil {
			return err
		}
		w.result.kept = append(w.result.kept, keptRow{ImportID: w.imp.ID, Number: firstName + w.result.written[i].Sequence, Kind: rowNames, Record: r.id,
			Content: string(text), Errors: "[]"})
	}
	return nil
}

// named reads the old names that an import has kept.
func (imp *importRow) named(tx *store.Tx) (*renamed, error) {
	out := newRenamed()
	for after := int64(firstName); ; {
		var found []keptRow
		if err := tx.System().Where("import_id = ? AND kind = ? AND number > ?", imp.ID, rowNames, after).Order("number").Limit(chunk).Find(&found).Error; err != nil {
			return nil, err
		}
		for _, k := range found {
			var old []string
			if err := json.Unmarshal([]byte(k.Content), &old); err != nil {
				return nil, err
			}
			out.add(k.Record, old)
			after = k.Number
		}
		if len(found) < chunk {
			return out, nil
		}
	}
}

// renaming is what a record of a chunk was called, and is.
type renaming struct {
	id       string
	old, now []string
}

// renames notes the renamings of a chunk that is written. A dry run takes them back: it finds the old names.
func (w *run) renames() {
	if len(w.result.renamed) == 0 {
		return
	}
	for _, r := range w.result.renamed {
		if w.imp.Phase == checking {
			w.judge.look.renamed.plan(r.id, r.now)
		} else {
			w.judge.look.renamed.add(r.id, r.old)
		}
	}
	w.judge.look.drop(w.m)
}
