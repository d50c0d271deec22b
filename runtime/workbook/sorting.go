package workbook

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// errDisorder: a row comes behind one with a greater number.
var errDisorder = errors.New("workbook: rows out of order")

// sorting keeps the rows of a worksheet until all have come. Programs that write them out of order write small files.
type sorting struct {
	rows  []Row
	bytes int
}

// mostSorted bounds what is kept: the texts, and a fixed size for each cell.
const (
	mostSorted = 128 << 20
	cellSize   = 112
)

func (s *sorting) keep(r Row, text int) error {
	if s.bytes += text + cellSize*len(r.Cells); s.bytes > mostSorted {
		return refuse(TooLarge, mostSorted)
	}
	r.Cells = slices.Clone(r.Cells)
	s.rows = append(s.rows, r)
	return nil
}

func (s *sorting) hand(ctx context.Context, w *stopwatch) error {
	slices.SortStableFunc(s.rows, func(a, b Row) int { return a.Number - b.Number })
	for i, r := range s.rows {
		if i > 0 && s.rows[i-1].Number == r.Number {
			return refuse(Broken, "row "+strconv.Itoa(r.Number))
		}
		if err := w.hand(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
