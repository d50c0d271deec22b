package importer

import (
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// one judges and writes a record.
func (w *run) one(ctx context.Context, tx *store.Tx, r *raw, t target, inChunk map[string]int) error {
	w.place.Next = int64(r.Row + r.rowCount())
	found, wrong := w.find(r, t, inChunk)
	if wrong != nil {
		return w.fail(r, []Verdict{*wrong})
	}
	ch := record.Change{Model: w.m.Code}
	if found != nil {
		ch.ID, ch.Version, ch.Touching = found.ID, &found.Version, true
	}
	if err := w.ownReferences(ctx, tx, r); err != nil {
		return err
	}
	done, err := w.judge.record(ctx, r, found == nil, w.judge.now(ctx, tx, ch.ID))
	if err != nil {
		return err
	}
	if len(done.errs) > 0 {
		return w.fail(r, done.errs)
	}
	ch.Set = done.set
	unique, wrong := w.onlyOnce(done.set)
	if wrong != nil {
		return w.fail(r, []Verdict{*wrong})
	}
	saved, err := w.lot.Save(ch)
	if errors.Is(err, record.ErrEach) {
		return err
	}
	if err != nil {
		errs, refused := verdicts(err, done.ids)
		if !refused {
			return err
		}
		return w.fail(r, errs)
	}
	w.result.unique = append(w.result.unique, unique...)
	switch {
	case found == nil:
		w.place.Added++
		w.plan(r)
	case saved.Version == found.Version:
		w.place.Same++
	default:
		w.place.Changed++
	}
	if w.imp.Phase == correcting {
		w.result.done = append(w.result.done, int64(r.Row))
	}
	if found == nil || saved.Version != found.Version {
		w.place.Sequence++
		w.result.written = append(w.result.written, written{ImportID: w.imp.ID, Sequence: w.place.Before.Sequence + w.place.Sequence, Record: saved.ID, Number: int64(r.Row), Version: saved.Version})
	}
	return nil
}

// onlyOnce refuses what a record of an earlier chunk of a dry run has, which was taken back, and only one record may have. It returns what the
// record has of this kind. The database looks at the record's own chunk.
func (w *run) onlyOnce(set map[string]json.RawMessage) ([]uint64, *Verdict) {
	if w.imp.Phase != checking {
		return nil, nil
	}
	var all []uint64
	for n, fields := range uniqueOf(w.m) {
		var h maphash.Hash
		h.SetSeed(w.seed)
		h.WriteString(strconv.Itoa(n))
		whole := true
		for _, f := range fields {
			v, given := set[f.Code]
			whole = whole && given && string(v) != "null" && string(v) != `""`
			h.WriteByte(0)
			h.Write(v)
		}
		if !whole {
			continue
		}
		sum := h.Sum64()
		if w.unique[sum] {
			wrong := refuse(fields[0].Code, nil, fault.FieldDuplicate, fields[0].Label)
			return nil, &wrong
		}
		all = append(all, sum)
	}
	return all, nil
}

// uniqueOf are the fields, and groups of fields, whose values only one record may have.
func uniqueOf(m *catalog.Model) [][]*catalog.Field {
	out := slices.Clone(m.Unique)
	for _, f := range m.Fields {
		if f.Unique {
			out = append(out, []*catalog.Field{f})
		}
	}
	return out
}

// plan remembers by what later rows of a dry run may name a record that is taken back.
func (w *run) plan(r *raw) {
	if w.imp.Phase != checking {
		return
	}
	if w.planned == nil {
		w.planned = map[uint64]bool{}
	}
	for _, f := range query.MatchFields(w.view, w.m, nil) {
		if text := property.Plain(r.Cells[f.Code].text()); text != "" {
			w.planned[maphash.String(w.seed, text)] = true
		}
	}
	for _, part := range w.m.Digest { // a name that is one property
		if part.Field != nil && len(w.m.Digest) == 1 {
			w.planned[maphash.String(w.seed, property.Plain(r.Cells[part.Field.Code].text()))] = true
		}
	}
}

// ownReferences asks again for records of the model itself that were not found: rows before this one may have added them.
func (w *run) ownReferences(ctx context.Context, tx *store.Tx, r *raw) error {
	if w.place.Added == 0 {
		return nil
	}
	asked := map[*catalog.Field][]string{}
	w.judge.texts(r, asked)
	for f := range asked {
		if f.Target != w.m {
			delete(asked, f)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	w.judge.look.forget(w.m)
	return w.judge.look.fetch(ctx, tx, asked)
}

// mostShown is how many rows of each kind a dry run keeps.
const mostShown = 1000

// fail keeps a row with what is wrong with it.
func (w *run) fail(r *raw, errs []Verdict) error {
	w.place.Failed++
	if w.imp.Phase == checking && w.shown[rowFailed] >= mostShown {
		return nil
	}
	w.shown[rowFailed]++
	content, err := json.Marshal(r)
	if err != nil {
		return err
	}
	why, err := json.Marshal(errs)
	if err != nil {
		return err
	}
	if w.imp.Phase == correcting {
		w.result.done = append(w.result.done, int64(r.Row))
	}
	w.result.kept = append(w.result.kept, keptRow{ImportID: w.imp.ID, Number: int64(r.Row), Kind: rowFailed, Content: string(content), Errors: string(why)})
	return nil
}

// differences keeps what a dry run would add and change, in words.
func (w *run) differences(ctx context.Context, tx *store.Tx) error {
	if w.imp.Phase != checking {
		return nil
	}
	versions := map[string]int64{}
	for _, x := range w.result.written {
		kind := rowChanged
		if x.Version == 1 {
			kind = rowAdded
		}
		if w.shown[kind] < mostShown {
			w.shown[kind]++
			versions[x.Record] = x.Version
		}
	}
	if len(versions) == 0 {
		return nil
	}
	made, err := w.s.Reader.Made(ctx, tx, w.view, w.m, versions)
	if err != nil {
		return err
	}
	for _, x := range w.result.written {
		e, ok := made[x.Record]
		if !ok {
			continue
		}
		content, err := json.Marshal(e.Changes)
		if err != nil {
			return err
		}
		k := keptRow{ImportID: w.imp.ID, Number: x.Number, Kind: rowChanged, Record: x.Record, Content: string(content), Errors: "[]"}
		if x.Version == 1 {
			k.Kind, k.Record = rowAdded, ""
		}
		if e.Title != nil {
			k.Name = *e.Title
		}
		w.result.kept = append(w.result.kept, k)
	}
	return nil
}

var _ property.Names = everyone{}
