package overlay

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// files is a file system with texts over it.
type files struct {
	base fs.FS
	over map[string]*string // nil: the file is taken away
}

// None is an empty file system, for packs that have no files of their own.
var None fs.FS = none{}

type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// New is base with files over it, whose text is nil where they are taken away.
func New(base fs.FS, over map[string]*string) fs.FS { return files{base, over} }

var (
	_ fs.ReadDirFS  = files{}
	_ fs.ReadFileFS = files{}
	_ fs.ReadLinkFS = files{}
)

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if text, ok := f.over[name]; ok {
		if text == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return &file{info: info{path.Base(name), len(*text), 0}, Reader: strings.NewReader(*text)}, nil
	}
	if f.folder(name) {
		if stat, err := fs.Stat(f.base, name); err != nil || stat.IsDir() {
			return &folder{info: info{path.Base(name), 0, fs.ModeDir | 0o555}, of: f, name: name}, nil
		}
	}
	return f.base.Open(name)
}

// folder reports whether the overlay has files below a folder.
func (f files) folder(name string) bool {
	for at := range f.over {
		if name == "." || strings.HasPrefix(at, name+"/") {
			return true
		}
	}
	return false
}

// ReadFile implements fs.ReadFileFS.
func (f files) ReadFile(name string) ([]byte, error) {
	switch text, ok := f.over[name]; {
	case !ok:
		return fs.ReadFile(f.base, name)
	case text == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	default:
		return []byte(*text), nil
	}
}

// ReadDir implements fs.ReadDirFS.
func (f files) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.base, name)
	if !f.folder(name) {
		return entries, err
	}
	if err != nil {
		entries = nil // the folder has only files that lie over
	}
	put := func(e fs.DirEntry) {
		if i, found := slices.BinarySearchFunc(entries, e.Name(), func(a fs.DirEntry, n string) int { return strings.Compare(a.Name(), n) }); found {
			entries[i] = e
		} else {
			entries = slices.Insert(entries, i, e)
		}
	}
	entries = slices.Clone(entries)
	for at, text := range f.over {
		rest := at
		if name != "." {
			var in bool
			if rest, in = strings.CutPrefix(at, name+"/"); !in {
				continue
			}
		}
		first, _, deeper := strings.Cut(rest, "/")
		switch {
		case deeper && text == nil:
		case deeper:
			if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == first }) {
				put(fs.FileInfoToDirEntry(info{first, 0, fs.ModeDir | 0o555}))
			}
		case text == nil:
			entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == first })
		default:
			put(fs.FileInfoToDirEntry(info{first, len(*text), 0}))
		}
	}
	return entries, nil
}

// Lstat implements fs.ReadLinkFS.
func (f files) Lstat(name string) (fs.FileInfo, error) {
	switch text, ok := f.over[name]; {
	case ok && text == nil:
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	case ok:
		return info{path.Base(name), len(*text), 0}, nil
	}
	stat, err := fs.Lstat(f.base, name)
	if err != nil && f.folder(name) {
		return info{path.Base(name), 0, fs.ModeDir | 0o555}, nil
	}
	return stat, err
}

// ReadLink implements fs.ReadLinkFS.
func (f files) ReadLink(name string) (string, error) { return fs.ReadLink(f.base, name) }

// info describes a file that lies over, or a folder that has only such.
type info struct {
	name string
	size int
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(i.size) }
func (i info) Mode() fs.FileMode  { return i.mode | 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type file struct {
	info
	*strings.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.info.Size() }

type folder struct {
	info
	of   files
	name string
	rest []fs.DirEntry
	read bool
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if !f.read {
		all, err := f.of.ReadDir(f.name)
		if err != nil {
			return nil, err
		}
		f.rest, f.read = all, true
	}
	if n <= 0 {
		n = len(f.rest)
	} else if len(f.rest) == 0 {
		return nil, io.EOF
	}
	out := f.rest[:min(n, len(f.rest))]
	f.rest = f.rest[len(out):]
	return out, nil
}
