package importer

import (
	"context"
	"iter"
	"slices"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

// looking looks through the worksheets of an import before anything is read.
type looking struct {
	book   *workbook.Book
	sheets Sheets
	said   assignment
	k      *known
	locale string

	lead  lead
	plain headings // how the first worksheet is headed, whatever somebody said
}

// looked is what it found.
type looked struct {
	names   []string
	heads   []head
	merged  [][]workbook.Range
	reaches []reach
	rows    int   // with content
	extent  int64 // rows, also empty ones
}

func (l *looking) all(ctx context.Context) (out looked, err error) {
	if err := l.sheets.noSheet(len(l.book.Sheets())); err != nil {
		return out, err
	}
	for i, at := range l.sheets {
		name := l.book.Sheets()[at].Name
		seen, merged, err := surveyed(ctx, l.book, at, max(headRows, l.said.HeadRow), func(top []workbook.Row, merged []workbook.Range) (head, error) {
			h, err := l.head(i, name, top, merged)
			return h.head(l.k).without(), err
		})
		if err != nil {
			return out, err
		}
		out.names, out.heads, out.merged = append(out.names, name), append(out.heads, seen.head), append(out.merged, merged)
		out.reaches = append(out.reaches, reach{seen.head.First, out.extent})
		out.rows += seen.rows
		out.extent += int64(max(seen.last-seen.head.First+1, 0))
	}
	return out, nil
}

// head reads the head of the worksheet i of the import.
func (l *looking) head(i int, name string, top []workbook.Row, merged []workbook.Range) (headings, error) {
	if i > 0 {
		return l.lead.read(name, top, merged)
	}
	if l.said.Columns != nil {
		l.plain = l.k.find(top, merged, l.said.HeadRow)
	}
	h, err := readHead(top, merged, l.k, l.said, l.locale)
	l.lead = lead{name: name, headings: h, k: l.k, said: l.said.HeadRow > 0}
	return h, err
}

// sheetSource reads a worksheet.
type sheetSource struct {
	book   *workbook.Book
	sheet  int // of the book
	merged []workbook.Range
	g      gatherer
	shape  *shaper
	rows   func() (workbook.Row, bool)
	stop   func()
	failed error
	ended  bool
}

// begin goes to the first row.
func (s *sheetSource) begin(ctx context.Context) error {
	if s.g.grouped() {
		if err := s.look(ctx); err != nil {
			return err
		}
	}
	s.shape = newShaper(s.g.head, s.merged)
	s.rows, s.stop = iter.Pull(func(yield func(workbook.Row) bool) {
		s.failed = s.book.Rows(ctx, s.sheet, s.g.head.First, yield)
	})
	return nil
}

// look goes through the rows once before they are read: a sheet that was sorted has the rows of a record apart.
func (s *sheetSource) look(ctx context.Context) error {
	c, shape := s.g.census(), newShaper(s.g.head, s.merged)
	err := s.book.Rows(ctx, s.sheet, s.g.head.First, func(r workbook.Row) bool {
		if r = shape.shape(r); !slices.Contains(s.g.head.Totals, r.Number) {
			c.see(r)
		}
		return true
	})
	c.end()
	return refusal(err)
}

// next gives a record; nil is the end of the worksheet.
func (s *sheetSource) next(ctx context.Context) (*raw, error) {
	if s.rows == nil {
		if err := s.begin(ctx); err != nil {
			return nil, asRefused(err)
		}
	}
	for {
		if one := s.g.next(); one != nil {
			return one, nil
		}
		if s.ended {
			return nil, ctx.Err()
		}
		r, ok := s.rows()
		if !ok {
			s.ended = true
			if s.failed != nil {
				return nil, asRefused(refusal(s.failed))
			}
			s.g.done()
			continue
		}
		r = s.shape.shape(r)
		if slices.Contains(s.g.head.Totals, r.Number) {
			continue
		}
		if err := s.g.take(r); err != nil {
			return nil, err
		}
	}
}

func (s *sheetSource) close() {
	if s.stop != nil {
		s.stop()
	}
}
