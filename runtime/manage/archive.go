package manage

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
)

// Limits of a package: bytes of the file, files, and bytes of all texts together.
const (
	MaxArchive = 16 << 20
	maxEntries = 500
	maxTexts   = 32 << 20
)

// Formats of a package; a program reads those up to its own. The second one has pictures.
const (
	textsOnly = 1
	format    = 2
)

const (
	manifestName = "manifest.json"
	maxManifest  = 256 << 10
	documents    = "documents/"
)

// Package is an application on its way between installations: documents, and nothing of its data, its people or its settings.
type Package struct {
	Format  int               `json:"format"`
	Code    string            `json:"code"`
	Name    string            `json:"name"`
	Version string            `json:"version"`
	Program string            `json:"program"` // version of the program that exported it
	Files   map[string]string `json:"files"`   // SHA-256 of each document, by path
	Texts   map[string]string `json:"-"`       // pictures too, byte for byte
}

// formatOf is the format of a package with these documents.
func formatOf(texts map[string]string) int {
	for name := range texts {
		if overlay.IsPicture(name) {
			return format
		}
	}
	return textsOnly
}

// Write makes the file of a package. The same documents give the same bytes.
func (p Package) Write() ([]byte, error) {
	p.Format, p.Files = formatOf(p.Texts), map[string]string{}
	for name, text := range p.Texts {
		p.Files[name] = digest([]byte(text))
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	manifest, err := json.MarshalIndent(p, "", "  ")
	put := func(name string, text []byte) {
		if err != nil {
			return
		}
		var w io.Writer
		if w, err = z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}); err == nil {
			_, err = w.Write(text)
		}
	}
	put(manifestName, manifest)
	for _, name := range slices.Sorted(maps.Keys(p.Texts)) {
		put(documents+name, []byte(p.Texts[name]))
	}
	if err != nil {
		return nil, fmt.Errorf("write package: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("write package: %w", err)
	}
	return b.Bytes(), nil
}

// Read opens a package. Nothing in it is believed before it is checked: sizes are counted while reading, each document is named by the
// manifest and has its checksum, and paths are those of documents.
func Read(data []byte) (*Package, error) {
	if len(data) > MaxArchive {
		return nil, fault.New(fault.PackageTooLarge, fmt.Sprintf("%d MB", MaxArchive>>20))
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fault.Wrap(err, fault.PackageInvalid, "zip")
	}
	if len(z.File) > maxEntries+1 {
		return nil, fault.New(fault.PackageTooLarge, fmt.Sprintf("%d / %d", len(z.File), maxEntries))
	}
	r := reader{left: maxTexts, texts: map[string][]byte{}}
	for _, f := range z.File {
		if err := r.read(f); err != nil {
			return nil, err
		}
	}
	return r.checked()
}

type reader struct {
	left  int64 // bytes that may still come
	texts map[string][]byte
}

func (r *reader) read(f *zip.File) error {
	most := int64(overlay.MaxText)
	name := strings.TrimPrefix(f.Name, documents)
	picture := overlay.ValidPicture(name)
	switch {
	case f.Name == manifestName:
		most = maxManifest
	case !strings.HasPrefix(f.Name, documents) || !overlay.Valid(name) && !picture || !f.Mode().IsRegular():
		return fault.New(fault.PackageForeign, clean(f.Name))
	}
	for name := range r.texts {
		if strings.EqualFold(name, f.Name) {
			return fault.New(fault.PackageForeign, clean(f.Name))
		}
	}
	most = min(most, r.left)
	in, err := f.Open()
	if err != nil {
		return fault.Wrap(err, fault.PackageInvalid, clean(f.Name))
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, most+1)) // what the archive says of its sizes is not asked
	switch {
	case errors.Is(err, zip.ErrChecksum):
		return fault.New(fault.PackageDamaged, clean(f.Name))
	case err != nil:
		return fault.Wrap(err, fault.PackageInvalid, clean(f.Name))
	case int64(len(text)) > most:
		return fault.New(fault.PackageTooLarge, clean(f.Name))
	case !picture && (!utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0):
		return fault.New(fault.PackageForeign, clean(f.Name))
	}
	r.left -= int64(len(text))
	r.texts[f.Name] = text
	return nil
}

func (r *reader) checked() (*Package, error) {
	manifest, ok := r.texts[manifestName]
	if !ok {
		return nil, fault.New(fault.PackageInvalid, manifestName)
	}
	p := &Package{Texts: map[string]string{}}
	in := json.NewDecoder(bytes.NewReader(manifest))
	if err := in.Decode(p); err != nil {
		return nil, fault.Wrap(err, fault.PackageInvalid, manifestName)
	}
	switch {
	case p.Format > format:
		return nil, fault.New(fault.PackageNewer, p.Format)
	case p.Format < 1:
		return nil, fault.New(fault.PackageInvalid, manifestName)
	}
	for name, text := range r.texts {
		path, isDocument := strings.CutPrefix(name, documents)
		switch sum, named := p.Files[path]; {
		case !isDocument:
		case !named:
			return nil, fault.New(fault.PackageForeign, clean(name))
		case sum != digest(text):
			return nil, fault.New(fault.PackageDamaged, path)
		default:
			p.Texts[path] = string(text)
		}
	}
	if p.Format != formatOf(p.Texts) {
		return nil, fault.New(fault.PackageInvalid, fmt.Sprintf("%s (format %d)", manifestName, p.Format))
	}
	for path := range p.Files {
		if _, there := p.Texts[path]; !there {
			return nil, fault.New(fault.PackageDamaged, clean(path))
		}
	}
	for _, needed := range []string{"pack.json", "app.json"} {
		if _, there := p.Texts[needed]; !there {
			return nil, fault.New(fault.PackageInvalid, needed)
		}
	}
	return p, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// clean makes a name that somebody else chose fit for a message.
func clean(name string) string {
	const most = 100
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return '?'
		}
		return r
	}, name)
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "…"
	}
	return name
}
