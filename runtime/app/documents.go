package app

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/schema"
)

// Documents says where definitions come from.
type Documents struct {
	Set        *pack.Set // every extension of the binary, with the embedded packs
	Dirs       []string  // packs on disk: pack folders or folders of pack folders
	With       []string  // offered packs that were switched on by name; Set has them
	NoEmbedded bool      // leave out embedded packs besides core and organisation that nobody asked for
	Zone       *time.Location
	Places     property.Places

	Published overlay.Documents             // over those of the packs
	Held      map[string]map[string]*string // over all of them: what `sluice dev` holds back, by pack and path; nil = no file
	Version   int64                         // of the published ones

	following *following        // by renames of the packs that are not applied yet; nil = none
	packWas   map[string]string // packs that have another code in the database

	cache *compile.Cache
	only  *asides    // what may be set aside or used alone; nil = whatever has to be
	packs []keptPack // take the place of the packs of Set and Dirs; nil = those
}

// always are the packs that are loaded whatever the configuration says.
var always = []string{"core", "organisation"}

// Compile loads all documents and compiles them. The catalog is nil when there are errors.
func (d Documents) Compile() (*catalog.Catalog, diag.List, error) {
	schemas, err := d.schemas()
	if err != nil {
		return nil, nil, err
	}
	return d.compile(schemas)
}

func (d Documents) schemas() (*schema.Schemas, error) {
	schemas, err := compile.Schemas(d.Set)
	if err != nil {
		return nil, fmt.Errorf("compose the schemas: %w", err)
	}
	return schemas, nil
}

// compiled is Compile with schemas that are composed once.
func (a *App) compiled(d Documents) (*catalog.Catalog, diag.List, error) {
	schemas, err := a.schemas()
	if err != nil {
		return nil, nil, err
	}
	return d.compile(schemas)
}

// checkFolders refuses folders that do not exist.
func (d Documents) checkFolders() error {
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

// Folder is a pack with its files, the published documents over them.
type Folder struct {
	compile.Folder
	Base     fs.FS // its own files alone
	Embedded bool
	Aside    map[string]bool // files of which FS has not all, for documents that were published before they came
	Unmerged map[string]bool // files of which FS has the published text, not merged with the pack's change
}

// Folders are the packs that are loaded, in the order of loading: those of the program, those on disk, and those that only the database
// has.
func (d Documents) Folders() ([]Folder, diag.List, error) {
	own, found, err := d.own()
	if err != nil {
		return nil, nil, err
	}
	var out []Folder
	add := func(f Folder) {
		over, list := overlay.Lay(f.Base, f.Dir, d.published(f.Code))
		if held := d.Held[f.Code]; len(held) > 0 {
			over = overlay.New(over, held)
		}
		f.FS, found = over, append(found, list...)
		out = append(out, f)
	}
	for _, f := range own {
		add(f)
	}
	if d.following != nil {
		found = append(found, d.following.told...)
	}
	for _, code := range slices.Sorted(maps.Keys(d.Published)) {
		switch {
		case slices.ContainsFunc(out, func(f Folder) bool { return strings.EqualFold(f.Code, code) }):
		case slices.ContainsFunc(d.Published[code], func(f overlay.Document) bool { return f.Path == "pack.json" && f.Text != nil && f.Base == nil }):
			add(Folder{Folder: compile.Folder{Code: code, Dir: path.Join("published", code)}, Base: overlay.None})
		case !slices.ContainsFunc(d.Published[code], func(f overlay.Document) bool { return f.Text != nil }): // all of it was deleted
		default:
			found = append(found, diag.New("PUB003", diag.Position{File: path.Join("published", code)}, code))
		}
	}
	return out, append(found, d.yield(out)...), nil
}

// own are the packs of the program and those on disk, with their own files alone.
func (d Documents) own() (out []Folder, found diag.List, err error) {
	for _, p := range d.packs {
		out = append(out, p.folder())
	}
	if d.packs != nil {
		return out, nil, nil
	}
	if err := d.checkFolders(); err != nil {
		return nil, nil, err
	}
	var onDisk []compile.Folder
	for _, dir := range d.Dirs {
		folders, list := compile.Folders(os.DirFS(dir), filepath.Clean(dir))
		onDisk, found = append(onDisk, folders...), append(found, list...)
	}
	for _, f := range d.Set.Folders() {
		code := compile.CodeOf(f.FS, f.Path)
		if slices.Contains(always, code) || (!d.NoEmbedded || d.Set.Took(code)) && !named(onDisk, code) {
			out = append(out, Folder{Folder: compile.Folder{Code: code, Dir: f.Path}, Base: f.FS, Embedded: true})
		}
	}
	for _, f := range onDisk {
		out = append(out, Folder{Folder: f, Base: f.FS})
	}
	return out, found, nil
}

// published are the documents that lie over a pack.
func (d Documents) published(code string) []overlay.Document {
	for of, documents := range d.Published {
		if strings.EqualFold(of, code) {
			return documents
		}
	}
	return nil
}

// named reports whether a pack on disk takes the place of an embedded one: its documents can be edited without a build.
func named(onDisk []compile.Folder, code string) bool {
	return slices.ContainsFunc(onDisk, func(f compile.Folder) bool { return strings.EqualFold(f.Code, code) })
}

// compile is Compile; without schemas the documents pass as checked and their rows as written.
func (d Documents) compile(schemas *schema.Schemas) (*catalog.Catalog, diag.List, error) {
	folders, found, err := d.Folders()
	if err != nil {
		return nil, nil, err
	}
	c, list := d.resolve(folders, found, schemas)
	return c, list, nil
}

// link compiles folders; found is what was said of them before. The catalog is nil when there are errors.
func (d Documents) link(folders []Folder, found diag.List, schemas *schema.Schemas) (*catalog.Catalog, diag.List) {
	kinds := compile.Kinds(d.Set)
	packs, problems := make([]*def.Pack, len(folders)), make([]diag.List, len(folders))
	var all sync.WaitGroup
	for i, f := range folders {
		all.Go(func() { packs[i], problems[i] = d.cache.Load(f.FS, f.Dir, kinds, schemas) })
	}
	all.Wait()
	found = slices.Clone(found)
	for _, list := range problems {
		found = append(found, list...)
	}
	c, list := compile.Compile(d.Set, packs, compile.Options{Zone: d.Zone, Places: d.Places, Cache: d.cache})
	found = found.With(list).Sorted()
	if found.HasErrors() {
		return nil, found
	}
	c.Version = d.Version
	return c, found
}

// Faulty is the error of documents that do not compile.
type Faulty struct{ List diag.List }

func (f *Faulty) Error() string {
	return diag.Fill("the documents have {0} {0|problem|problems}", []any{len(f.List)}, "en")
}
