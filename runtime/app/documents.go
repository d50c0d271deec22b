package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/schema"
)

// Documents says where definitions come from.
type Documents struct {
	Set        *pack.Set // every extension of the binary, with the embedded packs
	Dirs       []string  // packs on disk: pack folders or folders of pack folders
	NoEmbedded bool      // leave out embedded packs besides core and organisation
	Zone       *time.Location
	Places     property.Places
}

// always are the packs that are loaded whatever the configuration says.
var always = []string{"core", "organisation"}

// Compile loads all documents and compiles them. The catalog is nil when there are errors.
func (d Documents) Compile() (*catalog.Catalog, diag.List, error) {
	schemas, err := compile.Schemas(d.Set)
	if err != nil {
		return nil, nil, fmt.Errorf("compose the schemas: %w", err)
	}
	return d.compile(schemas)
}

// there refuses folders that do not exist.
func (d Documents) there() error {
	for _, dir := range d.Dirs {
		switch info, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("packs: there is no folder %s", dir)
		case err != nil:
			return fmt.Errorf("packs: %w", err)
		case !info.IsDir():
			return fmt.Errorf("packs: %s is a file; name the folder of the pack", dir)
		}
	}
	return nil
}

// compile is Compile; without schemas the documents pass as checked and their rows as written.
func (d Documents) compile(schemas *schema.Schemas) (*catalog.Catalog, diag.List, error) {
	if err := d.there(); err != nil {
		return nil, nil, err
	}
	folders, kinds := d.Set.Folders(), compile.Kinds(d.Set)
	embedded, problems := make([]*def.Pack, len(folders)), make([]diag.List, len(folders))
	var all sync.WaitGroup
	for i, f := range folders {
		all.Go(func() { embedded[i], problems[i] = compile.Load(f.FS, f.Path, kinds, schemas) })
	}
	var onDisk []*def.Pack
	var found diag.List
	for _, dir := range d.Dirs {
		loaded, list := compile.LoadAll(os.DirFS(dir), filepath.Clean(dir), kinds, schemas)
		onDisk, found = append(onDisk, loaded...), append(found, list...)
	}
	all.Wait()
	var packs []*def.Pack
	for i, p := range embedded {
		if !slices.Contains(always, p.Code) && (d.NoEmbedded || replaced(p, onDisk)) {
			continue
		}
		packs, found = append(packs, p), append(found, problems[i]...)
	}
	packs = append(packs, onDisk...)
	c, list := compile.Compile(d.Set, packs, compile.Options{Zone: d.Zone, Places: d.Places})
	found = found.With(list).Sorted()
	if found.HasErrors() {
		return nil, found, nil
	}
	return c, found, nil
}

// replaced tells whether a pack on disk takes the place of an embedded one: its documents can be edited without a build.
func replaced(embedded *def.Pack, onDisk []*def.Pack) bool {
	return slices.ContainsFunc(onDisk, func(p *def.Pack) bool { return strings.EqualFold(p.Code, embedded.Code) })
}

// Faulty is the error of documents that do not compile.
type Faulty struct{ List diag.List }

func (f *Faulty) Error() string {
	return diag.Fill("the documents have {0} {0|problem|problems}", []any{len(f.List)}, "en")
}
