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
	w.pass(r)
	if wrong := r.strayed(w.key); wrong != nil {
		return w.fail(r, []Verdict{*wrong})
	}
	found, wrong := w.find(r, t, inChunk)
	if wrong != nil {
		return w.fail(r, []Verdict{*wrong})
	}
	if err := w.ownReferences(ctx, tx, r); err != nil {
		return err
	}
	ch, now := record.Change{Model: w.m.Code}, (*held)(nil)
	if found != nil {
		ch.ID, ch.Version, ch.Touching = found.ID, &found.Version, true
		if of := t.held[found.ID]; of != nil {
			now = &held{of}
		}
	}
	done, err := w.judge.record(ctx, r, found == nil, now)
	if err != nil {
		return err
	}
	if len(done.errs) > 0 {
		return w.fail(r, done.errs)
	}
	unique, wrong := w.onlyOnce(done.set)
	if wrong != nil {
		return w.fail(r, []Verdict{*wrong})
	}
	if w.judge.differing(done.set, now); found != nil && len(done.set) == 0 {
		w.same(r, unique)
		return nil
	}
	ch.Set = done.set
	saved, err := w.lot.Save(ch)
	if fault.Of(err) == fault.VersionStale && !errors.Is(err, record.ErrEach) {
		saved, done, err = w.again(ctx, tx, r, ch, done)
	}
	if errors.Is(err, record.ErrEach) {
		return err
	}
	if err != nil {
		errs, refused := verdicts(err, done.lines)
		if !refused {
			return err
		}
		return w.fail(r, errs)
	}
	if len(done.errs) > 0 {
		return w.fail(r, done.errs)
	}
	if found != nil && saved.Version == found.Version {
		w.same(r, unique)
		return nil
	}
	w.wrote(r, found == nil, saved, done, unique)
	return nil
}

// pass notes how far the source is when a record is done.
func (w *run) pass(r *raw) {
	w.place.Next = int64(max(r.last, r.Row)) + 1
	if w.imp.Phase == correcting { // kept rows come in the order of their numbers
		w.place.Next = int64(r.Row) + 1
	}
}

// same notes a record that has all that the file says already.
func (w *run) same(r *raw, unique []uint64) {
	w.place.Same++
	w.count(r).Same++
	w.settled(r, unique)
}

// settled notes a record that was not refused.
func (w *run) settled(r *raw, unique []uint64) {
	w.result.unique = append(w.result.unique, unique...)
	if w.imp.Phase == correcting {
		w.result.done = append(w.result.done, int64(r.Row))
	}
}

// wrote notes a record that was added or changed.
func (w *run) wrote(r *raw, added bool, saved record.Saved, done judged, unique []uint64) {
	w.settled(r, unique)
	if added {
		w.place.Added++
		w.count(r).Added++
		w.plan(r)
	} else {
		w.place.Changed++
		w.count(r).Changed++
	}
	removed := 0
	for code := range done.rounded {
		if _, changes := done.set[code]; changes {
			w.place.Rounded++
		}
	}
	for _, l := range done.lines {
		removed += l.removed
		w.place.Rounded += int64(l.rounded)
	}
	w.place.Removed += int64(removed)
	w.place.Sequence++
	w.result.written = append(w.result.written, written{ImportID: w.imp.ID, Sequence: w.place.Before.Sequence + w.place.Sequence, Record: saved.ID, Number: int64(r.Row),
		Version: saved.Version, removes: removed > 0})
}

// again saves a record that has changed since the chunk began: code of packs that ran for a record before it wrote it. What the file changes of
// the record is changed; what is as it was when the chunk began stays as it is now.
func (w *run) again(ctx context.Context, tx *store.Tx, r *raw, ch record.Change, first judged) (record.Saved, judged, error) {
	versions, err := w.s.Reader.Versions(ctx, tx, w.view, w.m, []string{ch.ID})
	if err != nil {
		return record.Saved{}, first, err
	}
	of, err := w.judge.hold(ctx, tx, []string{ch.ID})
	if err != nil {
		return record.Saved{}, first, err
	}
	found, there := versions[ch.ID]
	if of[ch.ID] == nil || !there {
		return record.Saved{}, first, fault.New(fault.RecordNotFound)
	}
	now := &held{of[ch.ID]}
	done, err := w.judge.record(ctx, r, false, now)
	if err != nil || len(done.errs) > 0 {
		return record.Saved{}, done, err
	}
	w.judge.differing(done.set, now)
	for code := range done.set {
		if _, changes := first.set[code]; !changes {
			delete(done.set, code)
			delete(done.lines, code)
		}
	}
	if len(done.set) == 0 { // that code has written the same
		return record.Saved{ID: ch.ID, Version: *ch.Version}, done, nil
	}
	ch.Version, ch.Set = &found.Version, done.set
	saved, err := w.lot.Save(ch)
	return saved, done, err
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
	if w.place.Added == 0 || !slices.ContainsFunc(w.judge.columns, func(c Column) bool { return c.Field.Target == w.m }) {
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
	w.count(r).Failed++
	if w.imp.Phase == checking && w.shown[rowFailed] >= mostShown {
		return nil
	}
	w.shown[rowFailed]++
	w.judge.settle(r)
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
		switch {
		case x.Version == 1:
			kind = rowAdded
		case x.removes:
			kind = rowRemoved
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
		} else if x.removes {
			k.Kind = rowRemoved
		}
		if e.Title != nil {
			k.Name = *e.Title
		}
		w.result.kept = append(w.result.kept, k)
	}
	return nil
}

var _ property.Names = everyone{}
