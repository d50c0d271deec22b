package importer

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// ahead reads the records of a source, and the cells that need no database, while others are written.
type ahead struct {
	source
	records chan aheadOne
	stop    context.CancelFunc
}

// aheadOne is what the source gave; nothing is the end.
type aheadOne struct {
	record *raw
	err    error
	broken any // what a panic said, with its stack
}

// readAhead reads at most a chunk ahead, for the definitions that the judge has now.
func readAhead(ctx context.Context, src source, j judge) *ahead {
	ctx, stop := context.WithCancel(ctx)
	a := &ahead{source: src, records: make(chan aheadOne, chunk), stop: stop}
	go func() {
		defer close(a.records)
		for {
			one := readOne(ctx, src, &j)
			select {
			case a.records <- one:
			case <-ctx.Done():
				return
			}
			if one.record == nil || one.err != nil {
				return
			}
		}
	}()
	return a
}

// readOne reads a record and its cells. A panic is for the job that asks for the record, which ends by it, and not for the process.
func readOne(ctx context.Context, src source, j *judge) (out aheadOne) {
	defer func() {
		if p := recover(); p != nil {
			out = aheadOne{broken: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	if out.record, out.err = src.next(ctx); out.record != nil {
		j.readCells(out.record)
	}
	return out
}

func (a *ahead) next(ctx context.Context) (*raw, error) {
	select {
	case one := <-a.records:
		if one.broken != nil {
			panic(one.broken)
		}
		return one.record, one.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close waits for the reading to end: the source is not for two at once.
func (a *ahead) close() {
	a.stop()
	for range a.records { //nolint:revive // until it is closed
	}
	a.source.close()
}

// readCells reads the cells of a record that mean the same whatever the database holds. What is wrong with others is said when they are judged.
func (j *judge) readCells(r *raw) {
	for _, c := range j.columns {
		if c.Sheet == nil {
			j.readCell(c, r.Cells)
			continue
		}
		for _, sub := range r.Rows[c.Sheet.Code] {
			j.readCell(c, sub.Cells)
		}
	}
}

func (j *judge) readCell(c Column, cells map[string]input) {
	in, given := cells[c.Field.Code]
	if !given || in.empty() {
		return
	}
	if kinds, record := refers(c.Field); record || kinds != nil || in.cell.Kind == property.CellError || in.cell.Kind == property.CellUnknown {
		return
	}
	v, rounded, err := parse(c.Field, in)
	if err != nil || workbook.IsCut(in.cell.Text) {
		return
	}
	in.read, in.readOf = read{value: stored(c.Field, v), rounded: rounded}, c.Field
	cells[c.Field.Code] = in
}
