package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// sheetColumns are the columns of the spreadsheets that are measured: texts, numbers, dates and repeated texts.
const sheetColumns = 20

// sheetTasks are what a process of its own does with a spreadsheet: the package, a bare program, and excelize.
var sheetTasks = map[string]func(path string, rows int) error{
	"write": writeOurs, "write bare": writeBare, "write excelize": writeExcelize, "write csv": writeCSV, "write shared": writeShared,
	"nothing": func(string, int) error { return nil },
	"read":    readOurs, "read bare": readBare, "read excelize": readExcelize, "read csv": readOurs,
}

// spent is what a process took.
type spent struct {
	wall, cpu time.Duration
	mebibytes float64
}

// measureSheets prints reading and writing against the bare programs and against excelize, in turn, and the memory of each process.
func measureSheets(ctx context.Context, o options, t *table) error {
	if err := os.MkdirAll(o.dir, 0o750); err != nil {
		return err
	}
	const rows, many = 100_000, 1_000_000
	inline, shared, csv := filepath.Join(o.dir, "inline.xlsx"), filepath.Join(o.dir, "shared.xlsx"), filepath.Join(o.dir, "rows.csv")
	scratch := filepath.Join(o.dir, "scratch.xlsx")
	for _, f := range []struct{ task, path string }{{"write", inline}, {"write shared", shared}, {"write csv", csv}} {
		if _, err := inProcess(ctx, f.task, f.path, rows); err != nil {
			return err
		}
	}
	for _, m := range []struct{ what, task, path, suffix string }{
		{"write 100,000 x 20", "write", scratch, ""}, {"read 100,000 x 20", "read", inline, ""}, {"read 100,000 x 20, shared texts", "read", shared, ""},
	} {
		ours, bare, peer, err := inTurn(ctx, m.task, m.path, rows)
		if err != nil {
			return err
		}
		t.add(m.what+": wall time, floor is the bare program", ours.wall.String(), bare.wall.String(), ours.wall.Seconds()/bare.wall.Seconds(), "2")
		t.add(m.what+": CPU", ours.cpu.String(), bare.cpu.String(), ours.cpu.Seconds()/bare.cpu.Seconds(), "2")
		t.add(m.what+": CPU, floor is excelize", ours.cpu.String(), peer.cpu.String(), ours.cpu.Seconds()/peer.cpu.Seconds(), map[string]string{"write": "0.5", "read": "0.2"}[m.task])
		t.add(m.what+": peak memory, floor is excelize", mib(ours), mib(peer), ours.mebibytes/peer.mebibytes, "")
	}
	for _, task := range []string{"nothing", "write csv", "read csv"} {
		s, err := inProcess(ctx, task, csv, rows)
		if err != nil {
			return err
		}
		t.add(task+" 100,000 x 20: wall time and peak memory", s.wall.String()+", "+mib(s), "-", 0, "")
	}
	for _, task := range []string{"write", "read"} {
		s, err := inProcess(ctx, task, scratch, many)
		if err != nil {
			return err
		}
		t.add(task+" 1,000,000 x 20: wall time and peak memory", s.wall.String()+", "+mib(s), "-", 0, "64 MiB")
	}
	return os.Remove(scratch)
}

func mib(s spent) string { return fmt.Sprintf("%.0f MiB", s.mebibytes) }

// inTurn runs a task three times as the package, the bare program and excelize do it, one after another, and returns the medians.
func inTurn(ctx context.Context, task, path string, rows int) (ours, bare, peer spent, err error) {
	var all [3][]spent
	for range 3 {
		for i, how := range []string{"", " bare", " excelize"} {
			s, err := inProcess(ctx, task+how, path, rows)
			if err != nil {
				return ours, bare, peer, err
			}
			all[i] = append(all[i], s)
		}
	}
	for i := range all {
		slices.SortFunc(all[i], func(a, b spent) int { return int(a.wall - b.wall) })
	}
	return all[0][1], all[1][1], all[2][1], nil
}

// inProcess runs a task in a process of its own, so that its memory is its own.
func inProcess(ctx context.Context, task, path string, rows int) (spent, error) {
	self, err := os.Executable()
	if err != nil {
		return spent{}, err
	}
	cmd := exec.CommandContext(ctx, self, "spreadsheet", task, path, strconv.Itoa(rows))
	cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return spent{}, fmt.Errorf("%s: %w", task, err)
	}
	s := spent{wall: time.Since(begin).Round(time.Millisecond), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.mebibytes = float64(usage.Maxrss) / 1024
	}
	return s, nil
}

// spreadsheetTask is the other side of inProcess.
func spreadsheetTask(args []string) error {
	rows, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return sheetTasks[args[0]](args[1], rows)
}

// sheetValue is the value of a cell: its kind by the column.
func sheetValue(b []byte, row, column int) ([]byte, property.CellKind) {
	switch column % 5 {
	case 0:
		return strconv.AppendInt(append(b, "检验批 "...), int64(row*7+column), 10), property.CellText
	case 1:
		return append(strconv.AppendInt(b, int64(row*31+column), 10), ".5"...), property.CellNumber
	case 2:
		return strconv.AppendInt(b, int64(45_000+row%700), 10), property.CellTime
	case 3:
		return append(b, "open"...), property.CellText
	}
	return strconv.AppendInt(append(b, "A longer text of some words in row "...), int64(row), 10), property.CellText
}

// toFile runs a writer over a buffered file.
func toFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	return errors.Join(write(w), w.Flush(), f.Close())
}

func writeOurs(path string, rows int) error {
	return toFile(path, func(w io.Writer) error { return writeRows(workbook.NewWriter(w, workbook.Options{}), rows) })
}

func writeCSV(path string, rows int) error {
	return toFile(path, func(w io.Writer) error { return writeRows(workbook.NewCSV(w), rows) })
}

func writeRows(w workbook.RowWriter, rows int) error {
	w.Sheet(workbook.SheetOptions{Name: "Data", FreezeRows: 1, Rows: rows})
	cells := make([]workbook.Out, sheetColumns)
	first := time.Date(2023, 3, 15, 0, 0, 0, 0, time.UTC) // day 45,000
	var b []byte
	for i := range rows {
		for c := range cells {
			var kind property.CellKind
			b, kind = sheetValue(b[:0], i, c)
			cells[c].Cell = property.Cell{Kind: kind}
			if kind == property.CellTime {
				cells[c].Time, cells[c].Format = first.AddDate(0, 0, i%700), "yyyy-mm-dd"
			} else {
				cells[c].Text = string(b)
			}
		}
		if err := w.Row(cells, 0); err != nil {
			return err
		}
	}
	return w.Close()
}

func readOurs(path string, rows int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	ctx := context.Background()
	l := workbook.Usual
	l.Packed = max(l.Packed, info.Size())
	book, err := workbook.Open(ctx, path, f, info.Size(), l)
	if err != nil {
		return err
	}
	cells := 0
	err = book.Rows(ctx, 0, 1, func(r workbook.Row) bool { cells += len(r.Cells); return true })
	return errors.Join(err, counted(cells, rows), book.Close(), f.Close())
}

func counted(cells, rows int) error {
	if cells != rows*sheetColumns {
		return fmt.Errorf("%d cells of %d rows", cells, rows)
	}
	return nil
}

// appendEscaped is the least that XML asks for.
func appendEscaped(b, text []byte) []byte {
	if bytes.IndexByte(text, '&') < 0 && bytes.IndexByte(text, '<') < 0 {
		return append(b, text...)
	}
	for _, c := range text {
		switch c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		default:
			b = append(b, c)
		}
	}
	return b
}
