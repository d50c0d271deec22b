package importer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// source opens what the phase reads: the file, or the rows that wait to be imported again.
func (w *run) source(ctx context.Context) (source, error) {
	if w.imp.Phase == correcting {
		return &keptSource{s: w.s, imp: w.imp, after: w.place.Next - 1}, nil
	}
	book, done, err := w.s.open(ctx, w.imp)
	if err != nil {
		return nil, asRefused(err)
	}
	src, err := w.openFile(ctx, book)
	if err != nil {
		done()
		return nil, asRefused(err)
	}
	src.done = done
	return readAhead(ctx, src, *w.judge), nil
}

// asRefused makes what a user did wrong the end of the import, and not of its job.
func asRefused(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code != fault.Internal && f.Code != fault.Forbidden {
		return refusedFile{f}
	}
	return err
}

// fileSource reads the worksheets of an import, one after another.
type fileSource struct {
	sheets []*sheetSource
	extent int64
	done   func()
}

// openFile looks through the worksheets, reads their heads and goes to the row that was reached.
func (w *run) openFile(ctx context.Context, book *workbook.Book) (*fileSource, error) {
	said, err := w.s.said(w.imp, w.m)
	if err != nil {
		return nil, err
	}
	look := &looking{book: book, said: said, locale: w.imp.Locale, k: newHeadings(w.m, withKey(w.judge.columns, w.key))}
	if look.sheets, err = w.imp.sheets(); err != nil {
		return nil, err
	}
	found, err := look.all(ctx)
	if err != nil {
		return nil, err
	}
	h := joinedHead(found.names, found.heads)
	if encodings := book.Encodings(); len(encodings) > 0 {
		h.Encoding = encodings[0]
	}
	if err := w.fits(h); err != nil {
		return nil, err
	}
	if err := tooMany(found.rows); err != nil {
		return nil, errors.Join(w.keepHead(ctx, h, int64(found.rows)), err)
	}
	w.judge.only(h)
	w.judge.sheets = h.names()
	if err := w.keepHead(ctx, h, found.extent); err != nil {
		return nil, err
	}
	if err := w.learn(ctx, look.plain, said); err != nil {
		return nil, err
	}
	w.sheets = found.reaches
	f := &fileSource{extent: found.extent, done: func() {}}
	for i, one := range found.heads {
		s := &sheetSource{book: book, sheet: look.sheets[i], merged: found.merged[i], g: gatherer{head: one, sheet: i}}
		if one.has(w.imp.KeyField) {
			s.g.key = w.imp.KeyField
		}
		f.sheets = append(f.sheets, s)
	}
	return f, w.skip(ctx, f)
}

// learn remembers what the person said of the columns, once the file is imported by it.
func (w *run) learn(ctx context.Context, plain headings, said assignment) error {
	l := w.view.List(w.imp.List)
	if said.Columns == nil || w.imp.Phase != writing || l == nil || w.place.Next > 0 {
		return nil
	}
	return w.s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error { return w.s.remember(tx, w.imp, l, plain, said.Columns) })
}

// withKey are the columns with the one by which rows find their records.
func withKey(columns []Column, key *catalog.Field) []Column {
	if key == nil {
		return columns
	}
	if _, ok := fieldOf(columns, key.Code); ok {
		return columns
	}
	return append([]Column{{Field: key}}, columns...)
}

// fits refuses a file that cannot do what the import is to do.
func (w *run) fits(h head) error {
	named := h.has(rowID) || w.imp.KeyField != "" && h.has(w.imp.KeyField)
	if w.imp.Mode == Update && !named || w.imp.Mode != Add && w.imp.KeyField != "" && !named {
		return fault.New(fault.ImportNoKey)
	}
	lacking := missing(columnsOf(w.view, w.m), h)
	if w.imp.Mode != Add || len(lacking) == 0 {
		return nil
	}
	return fault.New(fault.ImportColumnMissing, newHeadings(w.m, columnsOf(w.view, w.m)).labels(lacking, w.imp.Locale))
}

// keepHead stores what the columns mean, and takes away what an interrupted dry run has left.
func (w *run) keepHead(ctx context.Context, h head, rows int64) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	w.imp.Head = string(text)
	return w.job.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
		if w.imp.Phase == checking {
			if err := tx.System().Where("import_id = ?", w.imp.ID).Delete(&keptRow{}).Error; err != nil {
				return nil, err
			}
		}
		return &w.place, tx.System().Model(&importRow{}).Where("id = ?", w.imp.ID).UpdateColumns(map[string]any{"head": w.imp.Head, "rows": rows}).Error
	})
}

// skip passes over the records that were done before, and remembers their keys.
func (w *run) skip(ctx context.Context, f *fileSource) error {
	for w.place.Next > 0 {
		one, err := f.next(ctx)
		if err != nil || one == nil {
			return err
		}
		if int64(one.last) >= w.place.Next {
			g := &f.sheets[0].g
			g.ready = append([]*raw{one}, g.ready...)
			return nil
		}
		w.note(one)
	}
	return nil
}

func (f *fileSource) next(ctx context.Context) (*raw, error) {
	for len(f.sheets) > 0 {
		one, err := f.sheets[0].next(ctx)
		if one != nil || err != nil {
			return one, err
		}
		f.sheets[0].close()
		f.sheets = f.sheets[1:]
	}
	return nil, ctx.Err()
}

func (f *fileSource) total() int64 { return f.extent }

func (f *fileSource) close() {
	if len(f.sheets) > 0 {
		f.sheets[0].close()
	}
	f.done()
}

// keptSource reads the rows that were refused and come again.
type keptSource struct {
	s     *Service
	imp   *importRow
	after int64
	rows  []keptRow
	ended bool
	count int64
}

func (k *keptSource) next(ctx context.Context) (*raw, error) {
	if len(k.rows) == 0 && !k.ended {
		err := k.s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			of := tx.System().Where("import_id = ? AND kind = ? AND number > ?", k.imp.ID, rowPending, k.after)
			if k.count == 0 {
				if err := tx.System().Model(&keptRow{}).Where("import_id = ? AND kind = ?", k.imp.ID, rowPending).Count(&k.count).Error; err != nil {
					return err
				}
			}
			return of.Order("number").Limit(chunk).Find(&k.rows).Error
		})
		if err != nil {
			return nil, err
		}
		k.ended = len(k.rows) < chunk
	}
	if len(k.rows) == 0 {
		return nil, nil
	}
	row := k.rows[0]
	k.rows, k.after = k.rows[1:], row.Number
	return decodeRaw(row.Content)
}

func decodeRaw(text string) (*raw, error) {
	var r raw
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return &r, d.Decode(&r)
}

func (k *keptSource) total() int64 { return k.count }

func (k *keptSource) close() {}
