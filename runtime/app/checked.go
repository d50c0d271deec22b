package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
)

const checkedSetting = "checked"

// checked is what a database keeps of the documents whose rows it has: a program that meets the same ones again need neither
// check them against the schemas nor look at their rows, which is most of the time of a start.
type checked struct {
	Program   string // that checked them: another one may know more types or rules
	Documents string // digest of the files on disk
	Catalog   string // digest of what they were compiled to
	Pending   bool   `json:",omitempty"` // their rows have workflows to start, for which they are read again
}

// known returns the mark of the program and the documents as they are; its Catalog is empty.
func (d Documents) known(version string) (checked, error) {
	path, err := os.Executable()
	if err != nil {
		return checked{}, err
	}
	program, err := os.Stat(path)
	if err != nil {
		return checked{}, err
	}
	sum := sha256.New()
	for _, dir := range d.Dirs {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return checked{}, err
		}
		fmt.Fprintf(sum, "%q\n", whole)
		if err := compile.Sum(os.DirFS(dir), sum); err != nil {
			return checked{}, err
		}
	}
	for _, f := range d.Set.Folders() { // which offered packs take part
		fmt.Fprintf(sum, "%q\n", f.Path)
	}
	fmt.Fprintf(sum, "%v %v %d", d.NoEmbedded, d.Zone, d.Version)
	return checked{
		Program:   fmt.Sprint(version, " ", program.Size(), " ", program.ModTime().UnixNano()),
		Documents: hex.EncodeToString(sum.Sum(nil)),
	}, nil
}

// compile compiles the documents, by the short way when the database knows them, as their marks tell. Mark is what to remember once their rows
// are written; its Catalog is empty when nothing is.
func (a *App) compile(now, old checked) (c *catalog.Catalog, list diag.List, mark checked, err error) {
	if !a.cfg.Dev { // an author wants to see every warning at each start
		mark = now
		// A command that attaches compiles only what is in the program, which every start checks with its documents.
		same := mark.Documents == old.Documents && !old.Pending || a.cfg.Attach
		if mark.Program != "" && mark.Program == old.Program && same {
			if c, list, err = a.cfg.compile(nil); c != nil {
				c.Digest = old.Catalog
				return c, list, checked{}, nil
			}
		}
	}
	if c, list, err = a.compiled(a.cfg.Documents); c != nil && mark.Program != "" {
		mark.Catalog = c.Digest
	}
	return c, list, mark, err
}

// marks are the one of the documents as they are, zero when they cannot be read or an author changes them, and the remembered one.
func (a *App) marks(ctx context.Context) (now, old checked, err error) {
	if a.cfg.Dev {
		return checked{}, checked{}, nil
	}
	if now, err = a.cfg.known(a.cfg.Version); err != nil {
		return checked{}, checked{}, nil // Compile reports it in words for authors
	}
	text, err := readSetting(ctx, a.db, checkedSetting)
	if err != nil || text == "" {
		return now, checked{}, err
	}
	if err := json.Unmarshal([]byte(text), &old); err != nil {
		return now, checked{}, fmt.Errorf("the setting %s: %w", checkedSetting, err)
	}
	return now, old, nil
}

// remember keeps the mark of documents whose rows are written.
func (a *App) remember(ctx context.Context, mark checked) error {
	if mark.Catalog == "" || a.cfg.Attach || a.cfg.Existing {
		return nil
	}
	mark.Pending = a.pending.Load()
	text, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	if !mark.Pending {
		if err := RememberDocuments(ctx, a.db, a.cfg.Documents); err != nil {
			return err
		}
	}
	return keepSetting(ctx, a.db, checkedSetting, string(text))
}
