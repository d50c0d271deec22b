package importer

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// survey is what a first pass over a worksheet finds out before anything is written: its head, how many rows it has, and what is not as it looks.
type survey struct {
	head head
	rows int // with content, below the head
	last int // number of the last one
}

// found is what the head keeps of it.
type found struct {
	Hidden int   `json:"hidden,omitempty"` // rows that are not shown and come in all the same
	Merged int   `json:"merged,omitempty"` // merged cells whose value was taken for all their rows
	Totals []int `json:"totals,omitempty"` // numbers of the rows at the end that are totals and left out
}

// headReader reads the head out of the first rows of a worksheet, with its merged cells.
type headReader func([]workbook.Row, []workbook.Range) (head, error)

// surveyed reads a worksheet once. readHead is given at least the first most rows.
func surveyed(ctx context.Context, book *workbook.Book, sheet, most int, readHead headReader) (survey, []workbook.Range, error) {
	merged, err := book.Merged(ctx, sheet)
	if err != nil {
		return survey{}, nil, refusal(err)
	}
	for {
		out, err := surveyOnce(ctx, book, sheet, most, merged, readHead)
		var no *workbook.Refusal
		if errors.As(err, &no) && no.Why == workbook.Broken && book.Unsorted(sheet) && !out.sorted {
			continue // its rows are out of order: another pass has them sorted
		}
		if err != nil {
			return survey{}, nil, refusal(err)
		}
		return out.survey, merged, nil
	}
}

type surveying struct {
	survey
	sorted bool // the rows came sorted, so that another pass has nothing to mend
}

func surveyOnce(ctx context.Context, book *workbook.Book, sheet, most int, merged []workbook.Range, readHead headReader) (surveying, error) {
	out := surveying{sorted: book.Unsorted(sheet)}
	var top []workbook.Row
	var s *shaper
	var t *tally
	var wrong error
	see := func(r workbook.Row) {
		r = s.shape(r)
		if r.Number < out.head.First || workbook.IsExample(r) || t.ours(r) {
			return
		}
		out.rows++
		out.last = r.Number
		if r.Hidden {
			out.head.Hidden++
		}
		t.see(r)
	}
	begin := func() {
		if out.head, wrong = readHead(top, merged); wrong != nil {
			return
		}
		s, t = newShaper(out.head, merged), newTally(out.head)
		for _, r := range top {
			see(r)
		}
	}
	err := book.Rows(ctx, sheet, 1, func(r workbook.Row) bool {
		if s != nil {
			see(r)
			return true
		}
		r.Cells = append(r.Cells[:0:0], r.Cells...)
		if top = append(top, r); len(top) == most+2 {
			begin()
		}
		return wrong == nil
	})
	if err == nil && s == nil && wrong == nil {
		begin()
	}
	if wrong != nil {
		return out, wrong
	}
	if err != nil {
		return out, err
	}
	out.head.Merged, out.head.Totals = s.used, t.atEnd()
	return out, nil
}

// tooMany refuses a file with more rows than an import can have.
func tooMany(rows int) error {
	if rows > mostRows {
		return fault.New(fault.ImportTooManyRows, mostRows, rows)
	}
	return nil
}

// tooManyRows says the same of a worksheet that has more rows than are counted.
func tooManyRows(err error, counted any) error {
	return fault.Wrap(err, fault.ImportTooManyRows, mostRows, fmt.Sprint(counted, "+"))
}
