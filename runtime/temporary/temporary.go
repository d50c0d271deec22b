// Package temporary has the files that are needed for as long as something is under way: the upload that is being read, the answer that is being
// made. A process that is killed leaves none of them: where the system allows it they have no name from the start, and what must have one
// (another process opens it) is swept. It is the only place that makes such files for a system that serves.
package temporary

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prefix begins the names of all files and folders; old ones are those of earlier versions.
const prefix = "sluice-tmp-"

var old = []string{"sluice-import-", "sluice-workbook-", "sluice-export-", "sluice-answer-"}

// Age is when nothing uses a file or folder any more. What they are made for takes minutes; an import of a million rows may take hours.
const Age = 24 * time.Hour

// File is a temporary file. Close removes it.
type File struct{ *os.File }

// Create makes a file.
func Create() (*File, error) {
	f, err := os.CreateTemp("", prefix+"*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // elsewhere than on Unix it is in use, and removed when it is closed
	return &File{f}, nil
}

// Close implements io.Closer.
func (f *File) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name())
	return err
}

// Dir makes a folder whose files another process opens by their names. Its maker removes it.
func Dir() (string, error) { return os.MkdirTemp("", prefix+"*") }

// Sweep removes what processes that were killed have left: what is older than an age. It returns how much that was.
func Sweep(age time.Duration, now time.Time) (n int, err error) {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if !ours(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < age {
			continue
		}
		if os.RemoveAll(filepath.Join(os.TempDir(), e.Name())) == nil { // somebody else's stays
			n++
		}
	}
	return n, nil
}

func ours(name string) bool {
	for _, p := range append([]string{prefix}, old...) {
		if digits, is := strings.CutPrefix(name, p); is && digits != "" && strings.Trim(digits, "0123456789") == "" {
			return true
		}
	}
	return false
}
