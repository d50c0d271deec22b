package rename

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
)

// Folder is a pack. Files of one that is part of the program cannot be changed.
type Folder struct {
	compile.Folder
	Embedded bool
	Fixed    func(file string) bool // further files, by their names in the folder, that a rename may not change; nil = none
}

// fixed reports whether a file of the folder is one that a rename may not change, besides those of the program.
func (f Folder) fixed(file string) bool {
	return f.Fixed != nil && f.Fixed(strings.TrimPrefix(file, path.Clean(f.Dir)+"/"))
}

// Packs are definitions that belong together.
type Packs struct {
	Set     *pack.Set
	Schemas *schema.Schemas
	Folders []Folder
	Options compile.Options
}

// compiled is what a compilation of all folders gives.
type compiled struct {
	packs   []*def.Pack
	catalog *catalog.Catalog
	found   diag.List
	uses    *compile.References
}

// compile compiles all packs, with texts over their files: by the name that diagnostics use, nil where a file is taken away.
func (p Packs) compile(over map[string]*string) compiled {
	kinds := compile.Kinds(p.Set)
	out := compiled{packs: make([]*def.Pack, len(p.Folders)), uses: &compile.References{}}
	found := make([]diag.List, len(p.Folders))
	var all sync.WaitGroup
	for i, f := range p.Folders {
		files := f.FS
		if own := below(over, f.Dir); len(own) > 0 {
			files = overlay.New(files, own)
		}
		all.Go(func() { out.packs[i], found[i] = p.Options.Cache.Load(files, f.Dir, kinds, p.Schemas) })
	}
	all.Wait()
	options := p.Options
	options.References = out.uses
	cat, list := compile.Compile(p.Set, out.packs, options)
	out.catalog, out.found = cat, slices.Concat(found...).With(list).Sorted()
	return out
}

// below are the files of a folder, by their paths in it.
func below(over map[string]*string, dir string) map[string]*string {
	out := map[string]*string{}
	for file, text := range over {
		if name, ok := strings.CutPrefix(file, path.Clean(dir)+"/"); ok {
			out[name] = text
		}
	}
	return out
}

// owner is the pack that a file belongs to: the innermost folder.
func (p Packs) owner(file string) (Folder, bool) {
	at := -1
	for i, f := range p.Folders {
		if strings.HasPrefix(file, path.Clean(f.Dir)+"/") && (at < 0 || len(f.Dir) > len(p.Folders[at].Dir)) {
			at = i
		}
	}
	if at < 0 {
		return Folder{}, false
	}
	return p.Folders[at], true
}

func (p Packs) read(file string) ([]byte, error) {
	f, ok := p.owner(file)
	if !ok {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(f.FS, strings.TrimPrefix(file, path.Clean(f.Dir)+"/"))
}

func (p Packs) exists(file string) bool {
	f, ok := p.owner(file)
	if !ok {
		return false
	}
	_, err := fs.Stat(f.FS, strings.TrimPrefix(file, path.Clean(f.Dir)+"/"))
	return err == nil
}

func (p Packs) kindOf(file string) (kind.Kind, bool) { return compile.Kinds(p.Set).OfFile(file) }
