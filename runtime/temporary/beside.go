package temporary

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// part begins the names of files that are written beside their place, where they cannot do without a name.
const part = ".sluice-part-"

// Beside is a file that gets its name when all of it is written. A process that is killed before leaves none of it: it has no other name
// where the system allows that, and else the next one in the same folder is removed with it.
type Beside struct {
	*os.File
	path string
	name string // that it has meanwhile; "" = none
}

// CreateBeside makes a file that is to be at a path, readable by its owner alone.
func CreateBeside(path string) (*Beside, error) {
	if f, err := unnamed(filepath.Dir(path)); err == nil {
		return &Beside{File: f, path: path}, nil
	}
	return createPart(path)
}

// createPart makes one that has a name meanwhile.
func createPart(path string) (*Beside, error) {
	dir := filepath.Dir(path)
	sweepParts(dir)
	for {
		f, err := os.CreateTemp(dir, part+"*")
		if err != nil {
			return nil, err
		}
		held, err := hold(f)
		if held && err == nil && named(f) {
			return &Beside{File: f, path: path, name: f.Name()}, nil
		}
		if err = errors.Join(err, f.Close()); err != nil { // else another process took it for one that was left
			return nil, errors.Join(err, os.Remove(f.Name()))
		}
	}
}

// sweepParts removes what nobody holds any more.
func sweepParts(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		digits, is := strings.CutPrefix(e.Name(), part)
		if !is || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		if held, err := hold(f); held && err == nil {
			_ = os.Remove(f.Name())
		}
		_ = f.Close()
	}
}

// named reports whether a file still has its name.
func named(f *os.File) bool {
	mine, err := f.Stat()
	there, e := os.Stat(f.Name())
	return err == nil && e == nil && os.SameFile(mine, there)
}

// Name makes the file last and gives it its name, which no other file may have: os.ErrExist.
func (b *Beside) Name() error {
	if err := b.Sync(); err != nil {
		return err
	}
	var err error
	if b.name == "" {
		err = link(b.File, b.path)
	} else if err = os.Link(b.name, b.path); err != nil && !errors.Is(err, os.ErrExist) { // not every file system has links
		if _, there := os.Lstat(b.path); there == nil {
			return &os.PathError{Op: "rename", Path: b.path, Err: os.ErrExist}
		}
		err = os.Rename(b.name, b.path)
	}
	if err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(b.path)); err == nil { // the name lasts too, where the system can do that
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// Close ends the work; without Name nothing of it is left.
func (b *Beside) Close() error {
	err := b.File.Close()
	if b.name != "" {
		if e := os.Remove(b.name); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
