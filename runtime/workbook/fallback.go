package workbook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/runtime/temporary"
)

// fallback is the file as excelize writes it again, one file for each worksheet that was asked for, in a folder of its own.
type fallback struct {
	dir, in string
	books   map[int]*Book
	files   []*os.File
}

func (f *fallback) close() error {
	if f == nil {
		return nil
	}
	var all error
	for _, b := range f.books {
		all = errors.Join(all, b.Close())
	}
	for _, file := range f.files {
		all = errors.Join(all, file.Close())
	}
	return errors.Join(all, os.RemoveAll(f.dir))
}

var errNotReady = errors.New("workbook: main must call workbook.Child first, for files that the scanner does not know")

// usual is the book in which a worksheet has the usual form: excelize reads the worksheet and writes it again, in a process of its own. What takes
// too much memory or time, or falls, is that process. What comes back is checked like any file.
func (b *Book) usual(ctx context.Context, sheet int, limit time.Duration) (*Book, error) {
	if b.again {
		return nil, refuse(Broken, b.parts[sheet])
	}
	if b.fallback != nil && b.fallback.books[sheet] != nil {
		return b.fallback.books[sheet], nil
	}
	if !childReady.Load() {
		return nil, errNotReady
	}
	if err := b.copyOut(ctx); err != nil {
		return nil, err
	}
	out := filepath.Join(b.fallback.dir, fmt.Sprintf("sheet%d.xlsx", sheet))
	if err := b.runChild(ctx, request{Out: out, Sheet: b.sheets[sheet].Name}, limit); err != nil {
		return nil, err
	}
	usual, err := b.written(ctx, out)
	if err != nil {
		return nil, err
	}
	b.fallback.books[sheet] = usual
	if len(usual.sheets) != len(b.sheets) || usual.sheets[sheet] != b.sheets[sheet] {
		return nil, refuse(Broken, b.parts[sheet])
	}
	return usual, nil
}

// written opens what the other process wrote.
func (b *Book) written(ctx context.Context, out string) (*Book, error) {
	file, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	b.fallback.files = append(b.fallback.files, file)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	l := b.limits
	l.Ratio = max(l.Ratio, 2000) // that process packs as it likes; the total remains
	l.Packed = l.Unpacked
	usual, err := Open(ctx, out, file, info.Size(), l)
	if err != nil {
		return nil, err
	}
	usual.again = true
	return usual, nil
}

// openXLS has a file of Excel 97 to 2003 written as xlsx by another process, and reads that.
func (b *Book) openXLS(ctx context.Context) error {
	if !childReady.Load() {
		return errNotReady
	}
	if err := b.copyOut(ctx); err != nil {
		return err
	}
	out := filepath.Join(b.fallback.dir, "book.xlsx")
	err := b.runChild(ctx, request{Out: out, XLS: true}, b.limits.Time)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	usual, err := b.written(ctx, out)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	b.zip, b.sheets, b.parts, b.styles, b.is1904, b.again = usual.zip, usual.sheets, usual.parts, usual.styles, usual.is1904, true
	return nil
}

// runChild starts this program again for a file that copyOut has written, and waits.
func (b *Book) runChild(ctx context.Context, r request, limit time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	r.In, r.Temp, r.Unpacked, r.Memory = b.fallback.in, b.fallback.dir, b.limits.Unpacked, childMemory
	ask, err := json.Marshal(r)
	if err != nil {
		return err
	}
	timed, cancel := context.WithTimeout(ctx, max(limit, time.Millisecond))
	defer cancel()
	cmd := exec.CommandContext(timed, self, childCommand)
	// Nothing of the server's environment: it may hold secrets.
	cmd.Env = []string{fmt.Sprintf("GOMEMLIMIT=%d", childMemory/4*3), "GOGC=50", "GOMAXPROCS=1", "TMPDIR=" + b.fallback.dir, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	cmd.WaitDelay = time.Second
	cmd.Stdin = bytes.NewReader(ask)
	var said limitedBuffer
	cmd.Stderr = &said
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case timed.Err() != nil:
		return refuse(TooSlow)
	case !errors.As(err, &exit):
		return err
	case exit.ExitCode() == childRefuses:
		var no Refusal
		if err := json.Unmarshal(said.Bytes(), &no); err != nil {
			return refuse(Broken, "xls")
		}
		return &no
	case exit.ExitCode() == 1: // excelize doesn't know the file either
		line, _, _ := strings.Cut(said.String(), "\n")
		return refuse(Broken, line)
	}
	return refuse(TooLarge, childMemory)
}

// excelizeRows reads a worksheet that the scanner does not know.
func (b *Book) excelizeRows(ctx context.Context, sheet, from int, w *stopwatch) error {
	usual, err := b.usual(ctx, sheet, b.limits.Time-w.spent)
	if err != nil {
		return err
	}
	return usual.scanRows(ctx, sheet, from, w)
}

// copyOut writes the file where the other process finds it.
func (b *Book) copyOut(ctx context.Context) error {
	if b.fallback != nil {
		return nil
	}
	dir, err := temporary.Dir()
	if err != nil {
		return err
	}
	f := &fallback{dir: dir, in: filepath.Join(dir, "file.xlsx"), books: map[int]*Book{}}
	out, err := os.OpenFile(f.in, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(out, &sectionReader{ctx: ctx, in: io.NewSectionReader(b.file, 0, b.size)})
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return errors.Join(err, f.close())
	}
	b.fallback = f
	return nil
}

// limitedBuffer keeps the start of what a process says.
type limitedBuffer struct{ bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := 4096 - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
