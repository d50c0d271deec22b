package workbook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/xuri/excelize/v2"
)

// childCommand is the hidden command with which a program works for its parent.
const childCommand = "workbook-read"

// childRefuses is how the process ends when it says why the file is not read.
const childRefuses = 3

// childReady: this program calls Child first, so it can be started again to read.
var childReady atomic.Bool

// childMemory are the bytes that the process in which excelize reads may have. Its runtime keeps the heap well below.
var childMemory int64 = 1 << 30

// Child must be the first call of a program's main, and of TestMain where tests read odd files: it returns at once, unless the program was
// started again for a file that the scanner doesn't know. Then it does that work and never returns.
func Child() {
	childReady.Store(true)
	if len(os.Args) != 2 || os.Args[1] != childCommand {
		return
	}
	err := serveChild(os.Stdin)
	var no *Refusal
	if errors.As(err, &no) {
		_ = json.NewEncoder(os.Stderr).Encode(no)
		os.Exit(childRefuses)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// request is what the parent asks for: the worksheet of a file, in a file that is as usual files are; or with XLS all visible worksheets of a file
// of Excel 97 to 2003.
type request struct {
	In, Out, Temp    string
	Sheet            string
	XLS              bool
	Unpacked, Memory int64
}

// serveChild has excelize read a worksheet and write it again.
func serveChild(in io.Reader) error {
	var r request
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return err
	}
	if err := limitProcess(uint64(r.Memory)); err != nil {
		return err
	}
	if r.XLS {
		return rewriteXLS(r.In, r.Out, r.Unpacked)
	}
	f, err := excelize.OpenFile(r.In, excelize.Options{UnzipSizeLimit: r.Unpacked, TmpDir: r.Temp})
	if err != nil {
		return err
	}
	// Excelize writes again what it has decoded, and other parts as they were.
	if _, err := f.GetMergeCells(r.Sheet, true); err != nil {
		return err
	}
	if err := f.SaveAs(r.Out); err != nil {
		return err
	}
	return f.Close()
}
