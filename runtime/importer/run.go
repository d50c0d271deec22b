package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	firstOnes = 10  // records of the first transaction of a job
	chunk     = 200 // records of one transaction at most: on SQLite everybody waits for it
	conflicts = 5   // tries of a chunk that meets other transactions
)

// place is how far an import is: the progress of its job.
type place struct {
	Next     int64 `json:"next"` // row of the file behind the last record that was done
	Sequence int64 `json:"sequence"`
	Added    int64 `json:"added"`
	Changed  int64 `json:"changed"`
	Same     int64 `json:"same"`
	Failed   int64 `json:"failed"`
	Removed  int64 `json:"removed"` // rows of sub-tables
	Rounded  int64 `json:"rounded"` // numbers that count as the sheet shows them
	// Sheets are the counts of the worksheets.
	Sheets []sheetCount `json:"sheets,omitempty"`
	// Before is what the import had done when this phase began.
	Before *standing `json:"before,omitempty"`
}

// standing are the counts of an import.
type standing struct {
	Added    int64 `json:"added"`
	Changed  int64 `json:"changed"`
	Same     int64 `json:"same"`
	Removed  int64 `json:"removed"`
	Rounded  int64 `json:"rounded"`
	Sequence int64 `json:"sequence"`

	Sheets []sheetCount `json:"sheets,omitempty"`
}

// run is an import under way.
type run struct {
	s      *Service
	job    *job.Run
	imp    *importRow
	view   *authz.View
	m      *catalog.Model
	judge  *judge
	key    *catalog.Field
	keys   *query.Keys    // of records that were there, when a key of the file is spelled as none of them
	seen   map[uint64]int // keys of the file -> row
	seed   maphash.Seed
	shown  map[string]int // dry runs: rows that are kept, by kind
	place  place
	result chunkResult
	lot    *record.Lot // of the chunk
	sheets []reach     // of the file
	// careful is how many more chunks store each record by itself.
	careful int

	planned map[uint64]bool // texts of records that a dry run would have added
	unique  map[uint64]bool // values that only one record may have, of records that a dry run has taken back
}

// chunkResult is what became of a chunk.
type chunkResult struct {
	written []written
	kept    []keptRow
	done    []int64 // numbers of kept rows that are in order now
	unique  []uint64
	renamed []renaming
}

// refusedFile is why a file as a whole is not imported.
type refusedFile struct{ why *fault.Error }

func (r refusedFile) Error() string { return r.why.Error() }

// source gives the records of an import, in order; nil is the end.
type source interface {
	next(ctx context.Context) (*raw, error)
	total() int64 // rows, 0 = not known
	close()
}

// work is the job of dry runs, imports and second imports.
func (s *Service) work(ctx context.Context, r *job.Run) (any, error) {
	var pl payload
	if err := r.Decode(&pl); err != nil {
		return nil, err
	}
	imp, err := s.find(ctx, r.Owner, pl.Import)
	if err != nil {
		return nil, err
	}
	imp.Phase = pl.Phase
	w := &run{s: s, job: r, imp: imp, seen: map[uint64]int{}, seed: maphash.MakeSeed(), shown: map[string]int{}, unique: map[uint64]bool{}}
	if imp.Phase == checking { // a dry run that was interrupted begins again
		r.Whole()
	} else {
		if _, err := r.Progress(&w.place); err != nil {
			return nil, err
		}
	}
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	err = w.all(ctx)
	var no refusedFile
	if errors.As(err, &no) {
		return nil, s.refuse(ctx, r, imp, no)
	}
	if err != nil {
		return nil, err
	}
	if err := s.end(ctx, r, imp, w.done()); err != nil || imp.Phase != writing {
		return nil, err
	}
	return nil, s.release(ctx, imp)
}

// begin notes what the phases before this one have done.
func (w *run) begin(ctx context.Context) error {
	if w.place.Before != nil {
		return nil
	}
	w.place.Before = &standing{}
	if w.imp.Phase != correcting {
		return nil
	}
	w.place.Before.Added, w.place.Before.Changed, w.place.Before.Same = w.imp.Added, w.imp.Changed, w.imp.Same
	w.place.Before.Removed, w.place.Before.Rounded = w.imp.Removed, w.imp.Rounded
	var err error
	if w.place.Before.Sheets, err = w.imp.counts(); err != nil {
		return err
	}
	return w.s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&written{}).Where("import_id = ?", w.imp.ID).Select("coalesce(max(sequence), 0)").Scan(&w.place.Before.Sequence).Error
	})
}

// refuse notes why the file was not imported.
func (s *Service) refuse(ctx context.Context, r *job.Run, imp *importRow, no refusedFile) error {
	args, err := json.Marshal(no.why.Args)
	if err != nil {
		return err
	}
	at := s.Clock().UTC()
	return r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
		return nil, tx.System().Model(&importRow{}).Where("id = ?", imp.ID).
			UpdateColumns(map[string]any{"reason": int(no.why.Code), "args": string(args), "ended": &at}).Error
	})
}

// end notes the end of a phase that has come to all rows: how many there were is known now.
func (s *Service) end(ctx context.Context, r *job.Run, imp *importRow, rows int64) error {
	at := s.Clock().UTC()
	return r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
		r.Report(rows, rows)
		return nil, tx.System().Model(&importRow{}).Where("id = ?", imp.ID).UpdateColumn("ended", &at).Error
	})
}

// all works on every record of the source.
func (w *run) all(ctx context.Context) error {
	if err := w.renew(ctx); err != nil {
		return err
	}
	src, err := w.source(ctx)
	if err != nil {
		return err
	}
	defer src.close()
	sizes := w.s.DB.Sizes(ctx, firstOnes, chunk)
	read := 0
	for more := true; more; {
		if err := w.renew(ctx); err != nil {
			return err
		}
		most := sizes.Next()
		var records []*raw
		for len(records) < most && more {
			one, err := src.next(ctx)
			if err != nil {
				return err
			}
			if more = one != nil; more {
				records = append(records, one)
			}
		}
		if len(records) == 0 {
			break
		}
		if read += len(records); read > longRows { // a first phase does not know how many there are when it is enqueued, and a file need not say so
			if err := w.job.Belongs(job.Long); err != nil {
				return err
			}
		}
		held, err := w.chunk(ctx, records, src.total())
		if err != nil {
			return err
		}
		sizes.Took(held)
	}
	return ctx.Err()
}

// renew loads the rights and the definitions of this moment.
func (w *run) renew(ctx context.Context) error {
	who, ok := w.s.Caller(ctx, w.job.Owner)
	if !ok {
		return job.ErrOwner
	}
	who.Locale = w.imp.Locale
	view := w.s.Policy().View(who, w.s.Clock(), w.s.Zone)
	l, err := query.Offers(view, w.imp.Model, w.imp.List, Right)
	if err != nil {
		return err
	}
	same := w.view != nil && w.view.Catalog == view.Catalog
	w.view = view
	if same {
		w.judge.look.view = view
		return nil
	}
	w.m, w.key, w.keys = l.Model, nil, nil
	if w.imp.KeyField != "" {
		w.key = w.m.Field(w.imp.KeyField)
		if !slices.Contains(keyFields(view, w.m), w.key) { // the definitions or the rights have changed: rows must not become new records for that
			return refusedFile{fault.New(fault.ImportNoKey)}
		}
	}
	look := w.s.newLookup(view, w.m)
	switch {
	case w.judge != nil:
		look.renamed = w.judge.look.renamed
	case w.imp.Phase != checking:
		if err := w.s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) { look.renamed, err = w.imp.named(tx); return err }); err != nil {
			return err
		}
	}
	w.judge = &judge{look: look, m: w.m, columns: columnsOf(view, w.m), clear: w.imp.Clear, replace: w.imp.Replace}
	if w.imp.Phase == checking {
		w.judge.planned = func(text string) bool { return w.planned[maphash.String(w.seed, property.Plain(text))] }
	}
	if h, err := w.imp.head(); err == nil && len(h.Columns) > 0 {
		w.judge.only(h)
		w.judge.sheets = h.names()
	}
	return nil
}

// only leaves the columns that the file has.
func (j *judge) only(h head) {
	var out []Column
	for _, c := range j.columns {
		if h.has(c.Code()) {
			out = append(out, c)
		}
	}
	j.columns = out
}

// errTakenBack ends the transaction of a dry run.
var errTakenBack = errors.New("a dry run writes nothing")

// careful is how many chunks store each record by itself after the database refused one that was stored with others: a file with one such
// record often has more.
const careful = 4

// chunk works on some records in one transaction, with the progress. It tells how long that held the writer.
func (w *run) chunk(ctx context.Context, records []*raw, total int64) (held time.Duration, err error) {
	before, shown := w.place, w.shown
	for attempt := 0; attempt < conflicts; attempt++ {
		w.place, w.shown, w.result = before, maps.Clone(shown), chunkResult{}
		w.place.Sheets = slices.Clone(before.Sheets)
		if attempt > 0 || w.imp.Phase == checking {
			w.judge.look.drop(w.m)
		}
		if w.imp.Phase == checking {
			held, err = w.dry(ctx, records, total)
		} else {
			err = w.job.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				begun := time.Now()
				defer func() { held = time.Since(begun) }()
				if err := w.records(ctx, tx, records); err != nil {
					return nil, err
				}
				return w.save(ctx, tx, total)
			})
		}
		switch {
		case ctx.Err() != nil:
			return held, err
		case errors.Is(err, store.ErrConflict):
			continue
		case errors.Is(err, record.ErrEach) && w.careful == 0:
			w.careful = careful
			continue
		}
		break
	}
	if err == nil {
		w.careful = max(0, w.careful-1)
		for _, r := range records {
			w.note(r)
		}
		w.renames()
		for _, sum := range w.result.unique {
			w.unique[sum] = true
		}
	}
	return held, err
}

// dry writes the records, looks at what that did, and takes it back.
func (w *run) dry(ctx context.Context, records []*raw, total int64) (held time.Duration, err error) {
	err = w.s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		begun := time.Now()
		defer func() { held = time.Since(begun) }()
		if err := w.records(ctx, tx, records); err != nil {
			return err
		}
		return errTakenBack
	})
	if !errors.Is(err, errTakenBack) {
		return held, err
	}
	return held, w.job.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) { return w.save(ctx, tx, total) })
}

// save stores what became of a chunk.
func (w *run) save(ctx context.Context, tx *store.Tx, total int64) (any, error) {
	if len(w.result.written) > 0 && w.imp.Phase != checking {
		rows := make([][]any, len(w.result.written))
		for i, x := range w.result.written {
			rows[i] = []any{x.ImportID, x.Sequence, x.Record, x.Number, x.Version, false}
		}
		if err := tx.Note(ctx, written{}.TableName(), writtenColumns, rows...); err != nil {
			return nil, err
		}
	}
	if len(w.result.done) > 0 {
		if err := tx.System().Where("import_id = ? AND number IN ?", w.imp.ID, w.result.done).Delete(&keptRow{}).Error; err != nil {
			return nil, err
		}
	}
	if len(w.result.kept) > 0 {
		if err := tx.System().CreateInBatches(&w.result.kept, 100).Error; err != nil {
			return nil, err
		}
	}
	p := w.place
	set := map[string]any{"added": p.Before.Added + p.Added, "changed": p.Before.Changed + p.Changed, "same": p.Before.Same + p.Same, "failed": p.Failed,
		"removed": p.Before.Removed + p.Removed, "rounded": p.Before.Rounded + p.Rounded}
	if w.imp.Phase == correcting {
		var left int64
		if err := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind IN ?", w.imp.ID, []string{rowFailed, rowPending}).Count(&left).Error; err != nil {
			return nil, err
		}
		set["failed"] = left
	}
	if counts, err := w.sheetCounts(); err != nil {
		return nil, err
	} else if counts != "" {
		set["counts"] = counts
	}
	done := w.done()
	w.job.Report(done, max(total, done))
	return &w.place, tx.System().Model(&importRow{}).Where("id = ?", w.imp.ID).UpdateColumns(set).Error
}

// done is how many rows are done: of a file those below its head.
func (w *run) done() int64 {
	p := w.place
	if w.imp.Phase == correcting {
		return p.Added + p.Changed + p.Same + p.Failed
	}
	return rowsBefore(w.sheets, p.Next)
}

// records judges and writes the records of a chunk, each by itself: what is refused is kept, and the others are written.
func (w *run) records(ctx context.Context, tx *store.Tx, records []*raw) error {
	w.judge.look.people = nil
	if w.key != nil {
		if err := tx.Lock(ctx, "import "+w.m.Code); err != nil { // two imports must not both add the record of a key
			return err
		}
	}
	targets, err := w.targets(ctx, tx, records)
	if err != nil {
		return err
	}
	if targets.held, err = w.judge.hold(ctx, tx, targets.ids()); err != nil {
		return err
	}
	asked := map[*catalog.Field][]string{}
	for _, r := range records {
		w.judge.texts(r, asked)
	}
	if err := w.judge.look.fetch(ctx, tx, asked); err != nil {
		return err
	}
	self := selfNamed(w.m, asked)
	names, err := w.names(ctx, tx, self, targets.ids())
	if err != nil {
		return err
	}
	err = w.s.Writer.Lot(ctx, tx, w.view, record.LotOf{Model: w.m.Code, Creates: w.news(records, targets), Each: w.careful > 0}, func(l *record.Lot) error {
		w.lot = l
		if err := l.Expect(w.judge.look.named(asked)); err != nil {
			return err
		}
		inChunk := map[string]int{}
		for _, r := range records {
			if err := w.one(ctx, tx, r, targets, inChunk); err != nil {
				return fmt.Errorf("row %d: %w", r.Row, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.rename(ctx, tx, self, names); err != nil {
		return err
	}
	return w.differences(ctx, tx)
}
