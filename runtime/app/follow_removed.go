package app

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/overlay"
)

// movedRemoval is a file that a site took away and that its pack has under another code now: it stays away there.
type movedRemoval struct {
	folder Folder
	was    overlay.Document // published, without a text
	path   string           // in the pack, of now
	text   *string          // of the pack's file
}

// movedRemovals are the removals that have to follow a rename. The names that were applied last do not have what was taken away, so that no step leads from
// its former code: the pack's file that tells this code is looked for.
func (d *Documents) movedRemovals() (out []movedRemoval, err error) {
	takesAway := func(p overlay.Document) bool { return p.Text == nil && p.Base != nil }
	if !slices.ContainsFunc(slices.Collect(maps.Values(d.Published)), func(of []overlay.Document) bool { return slices.ContainsFunc(of, takesAway) }) {
		return nil, nil
	}
	own, _, err := d.own()
	if err != nil {
		return nil, err
	}
	for _, f := range own {
		of := d.published(f.Code)
		for _, p := range of {
			if !takesAway(p) || isFile(f.Base, p.Path) {
				continue
			}
			to := movedTo(d, f, p.Path)
			if to != "" && !slices.ContainsFunc(of, func(o overlay.Document) bool { return o.Path == to }) {
				text, err := overlay.Text(f.Base, to)
				if err != nil {
					return nil, err
				}
				out = append(out, movedRemoval{f, p, to, text})
			}
		}
	}
	return out, nil
}

// movedTo is the file of a pack that had another path, by the code that its document had; "" = there is none.
func movedTo(d *Documents, f Folder, was string) string {
	folder, name := path.Split(was)
	folder, ext := path.Clean(folder), path.Ext(was)
	code := strings.TrimSuffix(name, ext)
	for _, k := range compile.Kinds(d.Set) {
		if k.Folder != folder || k.Data {
			continue
		}
		entries, _ := fs.ReadDir(f.Base, folder) // what cannot be read, the loader reports
		for _, e := range entries {
			now, document := strings.CutSuffix(e.Name(), ".json")
			if e.IsDir() || !document {
				continue
			}
			text, err := overlay.Text(f.Base, path.Join(folder, e.Name()))
			is := func(c string) bool { return strings.EqualFold(c, code) }
			if to := path.Join(folder, now+ext); err == nil && slices.ContainsFunc(former(text), is) && isFile(f.Base, to) {
				return to
			}
		}
	}
	return ""
}

func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// takeAway publishes the removals of files under the paths that these have now.
func (f *following) takeAway(d *Documents, published overlay.Documents, all []movedRemoval) {
	for _, m := range all {
		now := m.was
		now.Path, now.Base = m.path, m.text // what the pack has changed with the code is no conflict: the file stays away
		for code, of := range published {
			if strings.EqualFold(code, m.folder.Code) {
				published[code] = append(slices.DeleteFunc(of, func(o overlay.Document) bool { return o.Path == m.was.Path }), now)
			}
		}
		pack := d.packInDatabase(m.folder.Code)
		f.documents[pack] = append(f.documents[pack], now, overlay.Document{Path: m.was.Path})
		f.told = append(f.told, diag.New("PUB011", diag.Position{File: path.Join(m.folder.Dir, m.path)}, m.was.Version))
	}
}
