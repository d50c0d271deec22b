package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/overlay"
)

var packCode = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// file is one file of a pack as it is served.
func (d Documents) file(f Folder, name string) (Document, error) {
	out := Document{Pack: f.Code, Path: name}
	var err error
	if out.Text, err = overlay.Text(f.FS, name); err != nil {
		return out, err
	}
	if out.Base, err = overlay.Text(f.Base, name); err != nil {
		return out, err
	}
	out.Own, out.Seen = out.Base != nil, DigestOf(out.Text)
	if i := slices.IndexFunc(d.published(f.Code), func(o overlay.Document) bool { return o.Path == name }); i >= 0 && DigestOf(out.Base) != out.Seen {
		out.Published = d.published(f.Code)[i].Version
	}
	return out, nil
}

// holdsDocuments reports whether a folder of a pack is one of documents.
func (d Documents) holdsDocuments(folder string) bool {
	_, ok := compile.Kinds(d.Set).InFolder(folder)
	return ok
}

// files are the documents of a pack, by path; those that were taken away have no text.
func (d Documents) files(f Folder) (out []Document, err error) {
	var names []string
	for _, of := range []fs.FS{f.FS, f.Base} {
		if of == overlay.None {
			continue
		}
		err := fs.WalkDir(of, ".", func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && name != "." && (name[0] == '.' || name[0] == '_' || !d.holdsDocuments(name)):
				return fs.SkipDir
			case !e.IsDir() && overlay.Valid(name) && !slices.Contains(names, name):
				names = append(names, name)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	slices.Sort(names)
	for _, name := range names {
		document, err := d.file(f, name)
		if err != nil {
			return nil, err
		}
		out = append(out, document)
	}
	return out, nil
}

// pictures are those beside the documents of a pack, by path; those that were taken away have no text.
func (d Documents) pictures(f Folder) (out []Document, err error) {
	var names []string
	for _, of := range []fs.FS{f.FS, f.Base} {
		if of == overlay.None {
			continue
		}
		err := fs.WalkDir(of, ".", func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && name != "." && (name[0] == '.' || name[0] == '_' || !d.holdsDocuments(name)):
				return fs.SkipDir
			case !e.IsDir() && overlay.ValidPicture(name) && !slices.Contains(names, name):
				names = append(names, name)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, name := range names {
		text, err := overlay.Text(f.FS, name)
		if err != nil {
			return nil, err
		}
		out = append(out, Document{Path: name, Text: text})
	}
	return out, nil
}

// Export writes the documents of packs, and the pictures beside them, into a folder, one folder a pack: as they are served, byte for byte. What was taken away is removed
// there. It returns how many files it wrote or removed that were not as they should be.
func (d Documents) Export(to string, wanted func(Folder) bool) (changed int, err error) {
	folders, _, err := d.Folders()
	if err != nil {
		return 0, err
	}
	for _, f := range folders {
		if !wanted(f) {
			continue
		}
		files, err := d.files(f)
		if err != nil {
			return changed, err
		}
		pictures, err := d.pictures(f)
		if err != nil {
			return changed, err
		}
		files = append(files, pictures...)
		dir := filepath.Join(to, f.Code)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return changed, err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return changed, err
		}
		for _, file := range files {
			if f.Aside[file.Path] {
				continue // it is the pack's, and comes back
			}
			wrote, e := write(root, filepath.FromSlash(file.Path), file.Text)
			if wrote {
				changed++
			}
			err = errors.Join(err, e)
		}
		if err = errors.Join(err, root.Close()); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// write brings a file to a text; nil removes it.
func write(root *os.Root, name string, text *string) (changed bool, err error) {
	now, err := root.ReadFile(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	case text == nil && err != nil, text != nil && err == nil && string(now) == *text:
		return false, nil
	case text == nil:
		return true, root.Remove(name)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return false, err
	}
	return true, root.WriteFile(name, []byte(*text), 0o644)
}
