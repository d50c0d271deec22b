package importer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// topRows are the first rows of the worksheets of an upload. The dialog asks for its head at each choice; to open a file of 60 MB each time takes seconds, for the merged
// cells of a worksheet are named behind its rows. An upload never changes, so what was read once is right as long as the upload is there.
type topRows struct {
	encodings []string
	names     []string
	sheets    map[int]sheetTop
	bytes     int // of the rows, roughly
	turn      chan struct{}
}

// sheetTop are the first rows of a worksheet, mostTop at most, and the merged cells in them.
type sheetTop struct {
	rows   []workbook.Row
	merged []workbook.Range
}

// mostTop is how many rows the step "assign columns" can ask for.
const mostTop = mostHeadRow + max(previewRows, sampledRows)

// topCache keeps the first rows of the uploads that were asked for last.
type topCache struct {
	mu   sync.Mutex
	keys []string // the latest last
	of   map[string]*topRows
}

// Limits of what is kept: the rows of one upload and those of all, in bytes, and how many uploads.
const (
	mostTopBytes = 4 << 20
	mostTopsHeld = 32 << 20
	mostTopFiles = 100
)

// get gives the rows of a file as it is read in an encoding; empty when they are not known yet.
func (c *topCache) get(key string) *topRows {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.of[key]
	if t == nil {
		t = &topRows{turn: make(chan struct{}, 1), sheets: map[int]sheetTop{}}
		if c.of == nil {
			c.of = map[string]*topRows{}
		}
		c.of[key] = t
	}
	c.keys = append(slices.DeleteFunc(c.keys, func(k string) bool { return k == key }), key)
	return t
}

// grown notes how many bytes the rows of a file take now, and lets go of those that were not asked for longest, or of these when they are too many.
func (c *topCache) grown(key string, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.of[key]; t != nil {
		t.bytes = bytes
	}
	if bytes > mostTopBytes {
		c.drop(key)
	}
	held := 0
	for _, t := range c.of {
		held += t.bytes
	}
	for held > mostTopsHeld || len(c.keys) > mostTopFiles {
		held -= c.of[c.keys[0]].bytes
		c.drop(c.keys[0])
	}
}

func (c *topCache) drop(key string) {
	delete(c.of, key)
	c.keys = slices.DeleteFunc(c.keys, func(k string) bool { return k == key })
}

// tops reads the first rows of the worksheets of an upload for one request. It opens the file when it needs what nobody has read before.
type tops struct {
	*topRows
	s    *Service
	imp  *importRow
	key  string
	book *workbook.Book
	done func()
}

// topsOf waits for its turn: of two requests for one new file the second finds what the first has read.
func (s *Service) topsOf(ctx context.Context, imp *importRow, f blob.File) (*tops, error) {
	t := &tops{s: s, imp: imp, key: f.ID + " " + imp.Encoding, done: func() {}}
	t.topRows = s.tops.get(t.key)
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t.names == nil {
		if err := t.open(ctx); err != nil {
			t.close()
			return nil, err
		}
		for _, sheet := range t.book.Sheets() {
			t.names = append(t.names, sheet.Name)
		}
		t.encodings = t.book.Encodings()
	}
	return t, nil
}

func (t *tops) open(ctx context.Context) (err error) {
	if t.book == nil {
		book, done, err := t.s.open(ctx, t.imp)
		if err != nil {
			return err
		}
		t.book, t.done = book, done
	}
	return nil
}

// close ends the turn.
func (t *tops) close() {
	t.done()
	bytes := 0
	for _, sheet := range t.sheets {
		for _, r := range sheet.rows {
			for _, c := range r.Cells {
				bytes += len(c.Text) + len(c.Format) + 96
			}
		}
	}
	<-t.turn
	t.s.tops.grown(t.key, bytes)
}

// top gives the first rows of a worksheet.
func (t *tops) top(ctx context.Context, sheet int) (out sheetTop, err error) {
	if out, known := t.sheets[sheet]; known {
		return out, nil
	}
	if err := t.open(ctx); err != nil {
		return out, err
	}
	merged, err := t.book.Merged(ctx, sheet)
	if err != nil {
		return out, refusal(err)
	}
	for {
		sorted := t.book.Unsorted(sheet)
		out.rows = nil
		err := t.book.Rows(ctx, sheet, 1, func(r workbook.Row) bool {
			r.Cells = slices.Clone(r.Cells)
			for i := range r.Cells {
				r.Cells[i].Text = strings.Clone(r.Cells[i].Text)
			}
			out.rows = append(out.rows, r)
			return len(out.rows) < mostTop
		})
		var no *workbook.Refusal
		if errors.As(err, &no) && no.Why == workbook.Broken && t.book.Unsorted(sheet) && !sorted {
			continue // its rows are out of order: another pass has them sorted
		}
		if err != nil {
			return out, refusal(err)
		}
		break
	}
	for _, m := range merged {
		if len(out.rows) > 0 && m.Row <= out.rows[len(out.rows)-1].Number {
			out.merged = append(out.merged, m)
		}
	}
	t.sheets[sheet] = out
	return out, nil
}
