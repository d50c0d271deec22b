package compile

import (
	"io/fs"
	"path"
	"strings"
)

// manyLinks ends circles of links.
const manyLinks = 40

// inside reports whether a name leads to something of the pack itself: links are followed (folders of mounted settings consist of
// them), but not those that leave it. What is not there is inside.
func inside(fsys fs.FS, name string) bool {
	parts := strings.Split(name, "/")
	at := "."
	for links := 0; len(parts) > 0; {
		next := path.Join(at, parts[0])
		if next == ".." || strings.HasPrefix(next, "../") {
			return false
		}
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return true
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at, parts = next, parts[1:]
			continue
		}
		target, err := fs.ReadLink(fsys, next)
		target = strings.ReplaceAll(target, `\`, "/")
		if links++; err != nil || links > manyLinks || path.IsAbs(target) || strings.Contains(target, ":") {
			return false
		}
		parts = append(strings.Split(target, "/"), parts[1:]...)
	}
	return true
}
