package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/store"
)

const documentsSetting = "documents"

// keptPack is a pack as a database was last served with it: what `sluice plan` compares the rights of edited files with. Files holds the
// pack's own documents without the rows that it brings; what was published over them is in the database anyway.
type keptPack struct {
	Code, Dir string
	Embedded  bool
	Files     map[string]string
	Pictures  map[string][]byte `json:",omitempty"` // and other files that are no text
}

// maxKept bounds what is kept of all packs, before it is packed; beyond it nothing is kept.
const maxKept = 32 << 20

// RememberDocuments keeps the documents that a database is served with.
func RememberDocuments(ctx context.Context, db *store.DB, d Documents) error {
	packs, err := d.kept()
	if err != nil || packs == nil {
		return err
	}
	plain, err := json.Marshal(packs)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if _, err := zip.Write(plain); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return keepSetting(ctx, db, documentsSetting, base64.StdEncoding.EncodeToString(out.Bytes()))
}

// Kept is the documents with the packs as the database was last served with them; ok is false where it kept none.
func (d Documents) Kept(ctx context.Context, db *store.DB) (out Documents, ok bool, err error) {
	text, err := readSetting(ctx, db, documentsSetting)
	if err != nil || text == "" {
		return d, false, err
	}
	zipped, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return d, false, fmt.Errorf("the setting %s: %w", documentsSetting, err)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return d, false, fmt.Errorf("the setting %s: %w", documentsSetting, err)
	}
	plain, err := io.ReadAll(io.LimitReader(unzip, maxKept))
	if err != nil {
		return d, false, fmt.Errorf("the setting %s: %w", documentsSetting, err)
	}
	d.packs = []keptPack{}
	if err := json.Unmarshal(plain, &d.packs); err != nil {
		return d, false, fmt.Errorf("the setting %s: %w", documentsSetting, err)
	}
	return d, true, nil
}

// kept reads the packs; nil where they are too large to be kept.
func (d Documents) kept() ([]keptPack, error) {
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	out, size := []keptPack{}, 0
	for _, f := range folders {
		if f.Base == overlay.None { // its documents are published ones only
			continue
		}
		pack := keptPack{Code: f.Code, Dir: f.Dir, Embedded: f.Embedded, Files: map[string]string{}, Pictures: map[string][]byte{}}
		err := fs.WalkDir(f.Base, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasPrefix(name, "data/") || !overlay.Valid(name) && name != "ui/dist/manifest.json" && !overlay.IsPicture(name) {
				return err
			}
			text, err := fs.ReadFile(f.Base, name)
			if err != nil {
				return nil // a link that leads nowhere, which check reports
			}
			size += len(text)
			if !utf8.Valid(text) { // a picture: JSON texts would change it
				pack.Pictures[name] = text
				return nil
			}
			pack.Files[name] = string(text)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if size > maxKept/2 { // JSON escapes
			return nil, nil
		}
		out = append(out, pack)
	}
	return out, nil
}

// folder is a pack that was kept.
func (p keptPack) folder() Folder {
	files := make(map[string]*string, len(p.Files)+len(p.Pictures))
	for name, text := range p.Files {
		files[name] = &text
	}
	for name, bytes := range p.Pictures {
		text := string(bytes)
		files[name] = &text
	}
	return Folder{Folder: compile.Folder{Code: p.Code, Dir: p.Dir}, Base: overlay.New(overlay.None, files), Embedded: p.Embedded}
}
