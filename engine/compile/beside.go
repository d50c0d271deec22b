package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

var (
	errNotPlain = errors.New("not a plain file")
	errNotName  = errors.New("not a name")
	errTooLarge = errors.New("too large")
)

// loadSideFiles reads the scripts and styles that documents name.
func (l *loader) loadSideFiles() {
	for _, d := range l.pack.Documents {
		k, _ := l.kinds.Get(d.Kind)
		for _, f := range filesOf(k, d.Document) {
			*f.To = l.sideFile(k.Folder, f)
		}
	}
}

// filesOf are the files that stand beside a document.
func filesOf(k kind.Kind, d def.Document) []kind.File {
	if k.Files == nil {
		return nil
	}
	return k.Files(d)
}

// sideFile reads a file of a folder. Only a plain name is taken, and no link: what is served to browsers lies in the pack itself.
func (l *loader) sideFile(folder string, k kind.File) *def.File {
	if k.Name == "" {
		return nil
	}
	file := path.Join(folder, k.Name)
	f := &def.File{Name: path.Join(l.dir, file)}
	if strings.ContainsAny(k.Name, `/\`) || hidden(k.Name) || path.Ext(k.Name) != k.Ext || !fs.ValidPath(k.Name) {
		f.Err = errNotName
		return f
	}
	info, err := fs.Lstat(l.fsys, file)
	switch {
	case err != nil:
		f.Err = reason(err)
	case !info.Mode().IsRegular():
		f.Err = errNotPlain
	case info.Size() > k.Limit:
		f.Err = errTooLarge
	default:
		data, err := fs.ReadFile(l.fsys, file)
		if f.Text = string(data); err != nil {
			f.Err = reason(err)
		} else if int64(len(data)) > k.Limit {
			f.Err = errTooLarge
		}
	}
	return f
}

// readable reports why a file beside a document cannot be used.
func (c *compiler) readable(f *def.File, n *source.Node, name, ending string, limit int64) bool {
	switch {
	case f.Err == nil:
		return true
	case errors.Is(f.Err, errNotName):
		c.report("SCRIPT002", n, name, ending)
	case errors.Is(f.Err, errTooLarge):
		c.report("SCRIPT003", n, name, limit>>10)
	default:
		c.report("SCRIPT001", n, name, f.Err)
	}
	return false
}

// script compiles the script of a list or form.
func (c *compiler) script(f *def.File, n *source.Node, name string, kind script.Kind) *catalog.File {
	if f == nil || !c.readable(f, n, name, ".js", script.MaxScript) {
		return nil
	}
	return c.served(f.Text, script.Check(f.Name, f.Text, kind))
}

// style compiles the style of a list: the file's rules, below the list's root element.
func (c *compiler) style(f *def.File, n *source.Node, name, list string) *catalog.File {
	if f == nil || !c.readable(f, n, name, ".css", script.MaxStyle) {
		return nil
	}
	text, found := script.Style(f.Name, f.Text, script.ScopeOf(list))
	return c.served(text, found)
}

func (c *compiler) served(text string, found diag.List) *catalog.File {
	if c.out = append(c.out, found...); found.HasErrors() {
		return nil
	}
	sum := sha256.Sum256([]byte(text))
	return &catalog.File{Digest: hex.EncodeToString(sum[:16]), Text: text}
}
