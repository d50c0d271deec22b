package workbook

import (
	"context"
	"errors"
	"time"
)

// stopwatch bounds the time of a pass, without that of the caller's function.
type stopwatch struct {
	limit time.Duration
	each  func(Row) bool
	spent time.Duration
	since time.Time
	rows  int
	last  int // number of the last row that was handed over
	done  bool
}

var errStopped = errors.New("workbook: the caller has seen enough")

// hand gives a row to the caller.
func (w *stopwatch) hand(ctx context.Context, r Row) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now()
	if !w.since.IsZero() {
		if w.spent += now.Sub(w.since); w.spent > w.limit {
			return refuse(TooSlow)
		}
	}
	w.last = r.Number
	w.rows++
	more := w.each(r)
	w.since = time.Now()
	if !more {
		w.done = true
		return errStopped
	}
	return nil
}

// begin starts the time of a pass.
func (w *stopwatch) begin() {
	if w.since.IsZero() {
		w.since = time.Now()
	}
}

// tick looks at the time without a row: blank rows cost time, too.
func (w *stopwatch) tick(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.spent+time.Since(w.since) > w.limit {
		return refuse(TooSlow)
	}
	return nil
}

// result is the error of a pass for its caller.
func (w *stopwatch) result(ctx context.Context, err error) error {
	if w.done || errors.Is(err, errStopped) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
