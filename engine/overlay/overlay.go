// Package overlay lays documents over the files of a pack: those that were published into a database, or those that `sluice dev` holds
// back. The pack stays an fs.FS, so whatever reads one reads both.
package overlay

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/merge"
)

// Document is a file of a pack as it was published.
type Document struct {
	Path    string
	Text    *string // nil = the file is taken away
	Base    *string // the pack's own file that it was made from; nil = there was none
	Version int64   // in which it was published
	Since   int64   // in which a file of its path was published first; 0 = Version
}

// Documents are those of several packs, by the code of the pack.
type Documents map[string][]Document

// MaxText is how long a file that is laid over may be, in bytes.
const MaxText = 4 << 20

// extensions of files that may be laid over: what the loader reads.
var extensions = []string{".json", ".csv", ".js", ".css"}

// Valid reports whether a path can be that of a document: a file of the pack's root or of one of its folders, of a kind that is read.
func Valid(name string) bool {
	parts := strings.Split(name, "/")
	hidden := func(p string) bool { return strings.HasPrefix(p, ".") || strings.HasPrefix(p, "_") }
	return fs.ValidPath(name) && len(name) <= 200 && len(parts) <= 2 && !slices.ContainsFunc(parts, hidden) && !strings.ContainsAny(name, `\:`) &&
		strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0 && slices.Contains(extensions, path.Ext(name))
}

// MaxPicture is how large a picture that is laid over may be, in bytes.
const MaxPicture = 2 << 20

// pictures are the endings of pictures that lie beside documents.
var pictures = []string{".png", ".jpg", ".jpeg", ".gif", ".webp"}

// IsPicture reports whether a path has the ending of a picture, which is not a text.
func IsPicture(name string) bool { return slices.Contains(pictures, strings.ToLower(path.Ext(name))) }

// ValidPicture reports whether a path can be that of a picture beside documents.
func ValidPicture(name string) bool {
	ext := path.Ext(name)
	return IsPicture(name) && strings.Contains(name, "/") && Valid(strings.TrimSuffix(name, ext)+".json")
}

// Lay is a pack's files with documents over them. Where the pack's own file is no longer the one that a document was made from, both
// changes are merged; where both changed one value, that of the document stays, and a diagnostic names the place. Dir begins the names of
// files in diagnostics.
func Lay(base fs.FS, dir string, documents []Document) (fs.FS, diag.List) {
	over := map[string]*string{}
	var out diag.List
	for _, d := range documents {
		own, err := Text(base, d.Path)
		if err != nil {
			out = append(out, diag.New("DOC009", diag.Position{File: path.Join(dir, d.Path)}, err))
			continue
		}
		s := d.over(own)
		switch at := (diag.Position{File: path.Join(dir, d.Path)}); {
		case s.code == Merged:
			out = append(out, diag.New(Merged, at, d.Version))
		case s.code != "":
			out = append(out, diag.New(s.code, at, d.Version, s.places))
		}
		if !s.dropped {
			over[d.Path] = s.text
		}
	}
	if len(over) == 0 {
		return base, out
	}
	return New(base, over), out
}

// What became of a document whose pack's own file has changed too: it stays in use as it is, it is merged, or it is merged but for some values,
// which stay.
const (
	Stays        = "PUB001"
	Merged       = "PUB002"
	MergedPartly = "PUB009"
)

// settled is what is used of a document and its pack's own file.
type settled struct {
	text    *string
	dropped bool      // the pack's file is used
	code    string    // of the diagnostic; "" = there is nothing to tell
	places  diag.Text // the values that both sides changed; the whole file where it cannot be told better
}

// over compares three texts: the document's base, the document, and the pack's own file of now.
func (d Document) over(own *string) settled {
	stays := func(zh, en string) settled {
		return settled{text: d.Text, code: Stays, places: diag.Text{Zh: zh, En: en}}
	}
	switch {
	case equal(d.Text, own), equal(d.Text, d.Base):
		return settled{dropped: true}
	case equal(d.Base, own):
		return settled{text: d.Text}
	case own == nil:
		return stays("包中的文件已被删除", "the pack's file is gone")
	case d.Text == nil:
		return stays("已发布的版本删除了此文件", "the published version takes the file away")
	case d.Base == nil:
		return stays("包中现在也有此文件", "the pack has a file of this name now")
	case path.Ext(d.Path) == ".json":
		if merged, conflicts, ok := merge.JSON([]byte(*d.Base), []byte(*d.Text), []byte(*own)); ok {
			return d.merged(string(merged), conflicts)
		}
	}
	return stays("整个文件", "the whole file")
}

// merged is a document that was merged with its pack's own file.
func (d Document) merged(text string, conflicts []string) settled {
	at := make([]string, len(conflicts))
	for i, c := range conflicts {
		at[i] = cmp.Or(c, "/")
	}
	few := diag.Few(at)
	out := settled{text: &text, places: diag.Text{Zh: few, En: few}}
	switch {
	case len(conflicts) == 0 && text == *d.Text: // the pack's file is written differently
	case len(conflicts) == 0:
		out.code = Merged
	case text == *d.Text:
		out.code = Stays
	default:
		out.code = MergedPartly
	}
	return out
}

func equal(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// Text reads a file; nil when there is none.
func Text(fsys fs.FS, name string) (*string, error) {
	data, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text := string(data)
	return &text, nil
}
