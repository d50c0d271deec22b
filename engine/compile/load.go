package compile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
)

var codePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// Folders of a pack that hold code, tests or files: Load passes them over.
var otherFolders = []string{"tests", "testdata", "ui", "property", "action", "kind", "widget", "element", "node", "internal", "files"}

// Files that may stand anywhere in a pack beside its documents.
var otherFiles = []string{".go", ".mod", ".sum", ".js", ".css", ".md", ".txt", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

// Load reads one pack folder, whose pack.json is at the root of fsys. Dir is the folder as its author wrote it; names in
// diagnostics begin with it. A document that cannot be read becomes a def.Broken and the others go on: the schema's
// diagnostics do not keep a document from being decoded, so later stages report theirs too. Without schemas the documents pass
// as checked, and the rows of the pack are left out. Kinds are those of the program (Kinds).
func Load(fsys fs.FS, dir string, kinds kind.List, s *schema.Schemas) (*def.Pack, diag.List) {
	return (*Cache)(nil).Load(fsys, dir, kinds, s)
}

// Load is Load for packs of which most documents were read before.
func (c *Cache) Load(fsys fs.FS, dir string, kinds kind.List, s *schema.Schemas) (*def.Pack, diag.List) {
	l := &loader{fsys: fsys, dir: dir, kinds: kinds, schemas: s, pack: &def.Pack{}, cache: c}
	l.manifest()
	for _, k := range kinds {
		if k.Folder == "" && k.Code != def.KindPack {
			l.document(k, k.Path(""), l.pack.Code)
		}
	}
	l.folders()
	l.loadSideFiles()
	l.bundle()
	l.codes()
	l.checks.Wait()
	var out diag.List
	from := 0
	for _, c := range l.found {
		out = append(append(out, l.out[from:c.at]...), c.list...)
		from = c.at
	}
	return l.pack, append(out, l.out[from:]...)
}

// LoadAll reads a pack folder, or every pack of a folder of pack folders.
func LoadAll(fsys fs.FS, dir string, kinds kind.List, s *schema.Schemas) ([]*def.Pack, diag.List) {
	folders, out := Folders(fsys, dir)
	var packs []*def.Pack
	for _, f := range folders {
		p, problems := Load(f.FS, f.Dir, kinds, s)
		packs, out = append(packs, p), append(out, problems...)
	}
	return packs, out
}

// Folder is the folder of one pack.
type Folder struct {
	Code string // of the pack, as Load finds it
	Dir  string // as its author wrote it
	FS   fs.FS
}

// Folders finds what LoadAll reads: a pack folder, or those in a folder of pack folders.
func Folders(fsys fs.FS, dir string) ([]Folder, diag.List) {
	if _, err := fs.Stat(fsys, "pack.json"); err == nil {
		return []Folder{{CodeOf(fsys, dir), dir, fsys}}, nil
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, diag.List{diag.New("DOC009", diag.Position{File: dir}, reason(err))}
	}
	var packs []Folder
	var out diag.List
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 && !inside(fsys, e.Name()) {
			if _, err := fs.Stat(fsys, path.Join(e.Name(), "pack.json")); err == nil {
				out = append(out, diag.New("DOC015", diag.Position{File: path.Join(dir, e.Name())}, e.Name()))
			}
			continue
		}
		if !e.IsDir() || hidden(e.Name()) {
			continue
		}
		sub, err := fs.Sub(fsys, e.Name())
		if err != nil {
			out = append(out, diag.New("DOC009", diag.Position{File: path.Join(dir, e.Name())}, reason(err)))
			continue
		}
		if _, err := fs.Stat(sub, "pack.json"); err != nil {
			continue
		}
		at := path.Join(dir, e.Name())
		packs = append(packs, Folder{CodeOf(sub, at), at, sub})
	}
	if len(packs) == 0 && len(out) == 0 {
		out = diag.List{diag.New("DOC008", diag.Position{File: dir})}
	}
	return packs, out
}

// Sum adds what LoadAll reads of a folder to h: names and contents.
func Sum(fsys fs.FS, h io.Writer) error {
	return fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name != "." && (hidden(e.Name()) || slices.Contains(otherFolders, e.Name())) {
				if manifest, err := fs.ReadFile(fsys, path.Join(name, "dist/manifest.json")); err == nil && e.Name() == "ui" {
					_, _ = h.Write(manifest) // which names the content of the bundle
				}
				return fs.SkipDir
			}
			return nil
		}
		var data []byte
		if e.Type()&fs.ModeSymlink == 0 || inside(fsys, name) {
			info, err := fs.Stat(fsys, name)
			if err != nil || info.IsDir() { // a link that leads nowhere, or to a folder that is read under its own name
				return nil
			}
			if data, err = fs.ReadFile(fsys, name); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(h, "%q %d\n%s", name, len(data), data)
		return err
	})
}

// loader reads one pack.
type loader struct {
	fsys    fs.FS
	dir     string
	kinds   kind.List
	schemas *schema.Schemas
	pack    *def.Pack
	out     diag.List
	cache   *Cache
	checks  sync.WaitGroup // against the schemas: most of the time of loading, and each for itself
	found   []*check
}

// check is what the schema says of one document; at is its place in the list of the other diagnostics.
type check struct {
	at   int
	list diag.List
}

func (l *loader) report(code, file string, args ...any) {
	l.out = append(l.out, diag.New(code, diag.Position{File: path.Join(l.dir, file)}, args...))
}

// CodeOf is the code of a pack: that of its pack.json, or else the name of its folder.
func CodeOf(fsys fs.FS, dir string) string {
	if data, err := fs.ReadFile(fsys, "pack.json"); err == nil && inside(fsys, "pack.json") {
		if root, _ := source.Parse("pack.json", data); codePattern.MatchString(root.Get("code").Text()) {
			return root.Get("code").Text()
		}
	}
	return folderName(dir)
}

func folderName(dir string) string {
	return path.Base(path.Clean("/" + strings.ReplaceAll(dir, `\`, "/")))
}

// manifest reads pack.json. Without a usable code the pack is called like its folder, so that its documents are read.
func (l *loader) manifest() {
	fallback := folderName(l.dir)
	if _, err := fs.Stat(l.fsys, "pack.json"); errors.Is(err, fs.ErrNotExist) {
		l.report("DOC008", "")
		l.pack.Code, l.pack.Pack = fallback, fallback
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: def.KindPack, Code: fallback, File: path.Join(l.dir, "pack.json")})
		return
	}
	if p := l.parse(packKind.Kind, "pack.json", fallback); p != nil {
		l.pack.Head = def.Head{Code: fallback, Pack: fallback, Node: p.root}
		source.Decode(p.root, l.pack)
	}
	l.pack.Code = fallback
	if codePattern.MatchString(l.pack.OwnCode) {
		l.pack.Code = l.pack.OwnCode
	}
	l.pack.Pack = l.pack.Code
}

// document reads one file when it exists and decodes it.
func (l *loader) document(k kind.Kind, file, code string) {
	if p := l.parse(k, file, code); p != nil {
		d := p.decoded(k, def.Head{Code: code, Pack: l.pack.Code, Node: p.root})
		l.pack.Documents = append(l.pack.Documents, def.Entry{Kind: k.Code, Document: d})
	}
}

// parse reads a file and checks it against its schema; nil when there is none or nothing of it can be decoded.
func (l *loader) parse(k kind.Kind, file, code string) *parsed {
	name := path.Join(l.dir, file)
	if !inside(l.fsys, file) {
		l.report("DOC015", file, file)
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: k.Code, Code: code, File: name})
		return nil
	}
	data, err := fs.ReadFile(l.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.report("DOC009", file, reason(err))
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: k.Code, Code: code, File: name})
		return nil
	}
	p := l.cache.parsed(k, name, data, l.schemas)
	root := p.root
	l.out = append(l.out, p.problems...)
	if root != nil && l.schemas != nil {
		c := &check{at: len(l.out)}
		l.found = append(l.found, c)
		l.checks.Go(func() { c.list = p.validated(k, l.schemas) })
	}
	if root == nil || root.Kind != source.Object {
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: k.Code, Code: code, File: name})
		return nil
	}
	return p
}

// shapes is a data document with one row of each set of keys: the schema speaks of a row's keys only (values are the model's), and
// there may be thousands of rows.
func shapes(k kind.Kind, root *source.Node) *source.Node {
	rows := root.Get("rows")
	if !k.Data || rows == nil || rows.Kind != source.Array {
		return root
	}
	seen := map[string]bool{}
	some := *rows
	some.Members = nil
	for _, row := range rows.Members {
		if row.Kind != source.Object {
			return root
		}
		var keys strings.Builder
		for _, cell := range row.Members {
			keys.WriteString(cell.Key + "\x00")
		}
		if !seen[keys.String()] {
			seen[keys.String()] = true
			some.Members = append(some.Members, row)
		}
	}
	out := *root
	out.Members = slices.Clone(root.Members)
	out.Members[slices.Index(out.Members, rows)] = &some
	return &out
}

// folders reads everything below the pack's root, and warns of what is not a part of a pack.
func (l *loader) folders() {
	entries, err := fs.ReadDir(l.fsys, ".")
	if err != nil {
		l.report("DOC009", "", reason(err))
	}
	for _, e := range entries {
		name := e.Name()
		k, known := l.kinds.InFolder(name)
		_, single := l.kinds.OfFile(name)
		switch {
		case hidden(name) || single:
		case e.IsDir() && known:
			l.folder(k)
		case e.Type()&fs.ModeSymlink != 0 && !inside(l.fsys, name):
			l.report("DOC015", name, name)
		case e.IsDir() && code(l.fsys, name, 2):
		case e.IsDir() && !slices.Contains(otherFolders, name) && l.misnamed(name):
		case e.IsDir() && slices.Contains(otherFolders, name), !e.IsDir() && passedOver(name):
		default:
			l.ignored(name, name, l.kinds.Folders())
		}
	}
}

// code reports whether a folder holds Go code, in itself or, with more than one level, below: such folders stand beside the documents of a pack
// with code and are its author's.
func code(fsys fs.FS, folder string, levels int) bool {
	entries, err := fs.ReadDir(fsys, folder)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		if e.IsDir() {
			return levels > 1 && code(fsys, path.Join(folder, e.Name()), levels-1)
		}
		return path.Ext(e.Name()) == ".go"
	})
}

// misnamed tells of a folder that holds documents and is called as no folder of documents is. Where the name is near one, the codes
// are known, so that nothing is said of what refers to them.
func (l *loader) misnamed(folder string) bool {
	folders := l.kinds.Folders()
	meant, near := l.kinds.InFolder(diag.Nearest(folder, folders))
	entries, err := fs.ReadDir(l.fsys, folder)
	if err != nil {
		return false
	}
	n := 0
	for _, e := range entries {
		if code, ok := strings.CutSuffix(e.Name(), ".json"); ok && !e.IsDir() && !hidden(e.Name()) && codePattern.MatchString(code) {
			n++
			if near {
				l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: meant.Code, Code: code, File: path.Join(l.dir, folder, e.Name()), Misplaced: true})
			}
		}
	}
	if n > 0 {
		l.report("DOC014", folder, folder, n, strings.Join(folders, ", "))
		last := &l.out[len(l.out)-1]
		*last = last.Suggest(folder, folders)
	}
	return n > 0
}

// ignored warns of a file or folder that is not a part of a pack, and may have been meant as one of the candidates.
func (l *loader) ignored(file, name string, candidates []string) {
	l.report("DOC007", file, name)
	if last := &l.out[len(l.out)-1]; !slices.Contains(candidates, name) { // a link may be called as a folder is
		*last = last.Suggest(name, candidates)
	}
}

func (l *loader) folder(k kind.Kind) {
	entries, err := fs.ReadDir(l.fsys, k.Folder)
	if err != nil {
		l.report("DOC009", k.Folder, reason(err))
	}
	var before string // of a kind with tables: the code of the file before
	for _, e := range entries {
		file := path.Join(k.Folder, e.Name())
		ext := path.Ext(e.Name())
		code := strings.TrimSuffix(e.Name(), ext)
		switch {
		case hidden(e.Name()) || !e.IsDir() && !k.Reads(ext) && passedOver(e.Name()):
		case e.IsDir():
			l.ignored(file, e.Name(), nil)
		case !k.Reads(ext):
			l.report("DOC013", file, e.Name(), code+".json")
		case !codePattern.MatchString(code):
			l.report("DOC006", file, code)
		case k.CSV && strings.EqualFold(code, before):
			l.report("DOC012", file, code)
		case k.Data && l.schemas == nil:
		default:
			l.document(k, file, code)
			before = code
		}
	}
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

func passedOver(name string) bool {
	return slices.Contains(otherFiles, strings.ToLower(path.Ext(name))) || strings.HasPrefix(name, "README") ||
		strings.HasPrefix(name, "NOTICE") || strings.HasPrefix(name, "LICENSE")
}

// reason is an error without the path that the diagnostic names already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
