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
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
)

var codePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// Folders of a pack whose documents are not compiled by this version, or that hold code: Load passes them over.
var otherFolders = []string{"prints", "workflows", "portals", "reports", "tests", "testdata", "ui", "property", "action", "widget", "element", "node", "internal", "files"}

// Files that may stand anywhere in a pack beside its documents.
var otherFiles = []string{".go", ".js", ".css", ".md", ".txt", ".svg", ".png"}

// Load reads one pack folder, whose pack.json stands at the root of fsys. Dir is the folder as its author wrote it; names in
// diagnostics begin with it. A document that cannot be read becomes a def.Broken and the others go on: the schema's
// diagnostics do not keep a document from being decoded, so later stages report theirs too. Without schemas the documents pass
// as checked, and the rows of the pack are left out.
func Load(fsys fs.FS, dir string, s *schema.Schemas) (*def.Pack, diag.List) {
	l := &loader{fsys: fsys, dir: dir, schemas: s, pack: &def.Pack{}}
	l.manifest()
	l.document(def.KindApp, "app.json", l.pack.Code, func(h def.Head) any { l.pack.App = &def.App{Head: h}; return l.pack.App })
	l.folders()
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
func LoadAll(fsys fs.FS, dir string, s *schema.Schemas) ([]*def.Pack, diag.List) {
	if _, err := fs.Stat(fsys, "pack.json"); err == nil {
		p, out := Load(fsys, dir, s)
		return []*def.Pack{p}, out
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, diag.List{diag.New("DOC009", diag.Position{File: dir}, reason(err))}
	}
	var packs []*def.Pack
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
		p, problems := Load(sub, path.Join(dir, e.Name()), s)
		packs, out = append(packs, p), append(out, problems...)
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
	schemas *schema.Schemas
	pack    *def.Pack
	out     diag.List
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

// manifest reads pack.json. Without a usable code the pack is called like its folder, so that its documents are read.
func (l *loader) manifest() {
	fallback := path.Base(path.Clean("/" + strings.ReplaceAll(l.dir, `\`, "/")))
	if _, err := fs.Stat(l.fsys, "pack.json"); errors.Is(err, fs.ErrNotExist) {
		l.report("DOC008", "")
		l.pack.Code, l.pack.Pack = fallback, fallback
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: def.KindPack, Code: fallback, File: path.Join(l.dir, "pack.json")})
		return
	}
	l.document(def.KindPack, "pack.json", fallback, func(h def.Head) any { l.pack.Head = h; return l.pack })
	l.pack.Code = fallback
	if codePattern.MatchString(l.pack.OwnCode) {
		l.pack.Code = l.pack.OwnCode
	}
	l.pack.Pack = l.pack.Code
}

// document reads one JSON file when it exists and decodes it into what make returns.
func (l *loader) document(kind def.Kind, file, code string, make func(def.Head) any) {
	root := l.parse(kind, file, code, source.Parse)
	if root != nil {
		source.Decode(root, make(def.Head{Code: code, Pack: l.pack.Code, Node: root}))
	}
}

// parse reads a file and checks it against its schema; nil when there is none or nothing of it can be decoded.
func (l *loader) parse(kind def.Kind, file, code string, read func(string, []byte) (*source.Node, diag.List)) *source.Node {
	name := path.Join(l.dir, file)
	if !inside(l.fsys, file) {
		l.report("DOC015", file, file)
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: kind, Code: code, File: name})
		return nil
	}
	data, err := fs.ReadFile(l.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.report("DOC009", file, reason(err))
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: kind, Code: code, File: name})
		return nil
	}
	root, problems := read(name, data)
	l.out = append(l.out, problems...)
	if root != nil && l.schemas != nil {
		c := &check{at: len(l.out)}
		l.found = append(l.found, c)
		l.checks.Go(func() { c.list = l.schemas.Validate(kind, shapes(kind, root)) })
	}
	if root == nil || root.Kind != source.Object {
		l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: kind, Code: code, File: name})
		return nil
	}
	return root
}

// shapes is a data document with one row of each set of keys: the schema speaks of a row's keys only (values are the model's), and
// there may be thousands of rows.
func shapes(kind def.Kind, root *source.Node) *source.Node {
	rows := root.Get("rows")
	if kind != schema.KindData || rows == nil || rows.Kind != source.Array {
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

// kindOf is the kind of documents that a folder holds.
func kindOf(folder string) (def.Kind, bool) {
	if folder == "data" {
		return schema.KindData, true
	}
	for kind, name := range def.Folder {
		if name == folder {
			return kind, true
		}
	}
	return "", false
}

// folders reads everything below the pack's root, and warns of what is no part of a pack.
func (l *loader) folders() {
	entries, err := fs.ReadDir(l.fsys, ".")
	if err != nil {
		l.report("DOC009", "", reason(err))
	}
	for _, e := range entries {
		name := e.Name()
		kind, known := kindOf(name)
		switch {
		case hidden(name) || name == "pack.json" || name == "app.json":
		case e.IsDir() && known:
			l.folder(kind, name)
		case e.Type()&fs.ModeSymlink != 0 && !inside(l.fsys, name):
			l.report("DOC015", name, name)
		case e.IsDir() && !slices.Contains(otherFolders, name) && l.misnamed(name):
		case e.IsDir() && slices.Contains(otherFolders, name), !e.IsDir() && passedOver(name):
		default:
			l.ignored(name, name, folderNames())
		}
	}
	l.besides()
}

// misnamed tells of a folder whose name is nearly that of one that holds documents: they are missing as a whole, and nothing is
// said of what refers to them.
func (l *loader) misnamed(folder string) bool {
	meant, known := kindOf(diag.Nearest(folder, folderNames()))
	if !known {
		return false
	}
	entries, err := fs.ReadDir(l.fsys, folder)
	if err != nil {
		return false
	}
	before := len(l.pack.Broken)
	for _, e := range entries {
		if code, ok := strings.CutSuffix(e.Name(), ".json"); ok && !e.IsDir() && !hidden(e.Name()) && codePattern.MatchString(code) {
			l.pack.Broken = append(l.pack.Broken, def.Broken{Kind: meant, Code: code, File: path.Join(l.dir, folder, e.Name()), Misplaced: true})
		}
	}
	n := len(l.pack.Broken) - before
	if n > 0 {
		l.report("DOC014", folder, folder, n, strings.Join(folderNames(), ", "))
		last := &l.out[len(l.out)-1]
		*last = last.Suggest(folder, folderNames())
	}
	return n > 0
}

// ignored warns of a file or folder that is no part of a pack, and may have been meant as one of the candidates.
func (l *loader) ignored(file, name string, candidates []string) {
	l.report("DOC007", file, name)
	if last := &l.out[len(l.out)-1]; !slices.Contains(candidates, name) { // a link may be called as a folder is
		*last = last.Suggest(name, candidates)
	}
}

// folderNames are the folders that hold documents.
func folderNames() []string {
	out := []string{"data"}
	for _, name := range def.Folder {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (l *loader) folder(kind def.Kind, folder string) {
	entries, err := fs.ReadDir(l.fsys, folder)
	if err != nil {
		l.report("DOC009", folder, reason(err))
	}
	var before string // data: the model of the file before
	for _, e := range entries {
		file := path.Join(folder, e.Name())
		ext := path.Ext(e.Name())
		code := strings.TrimSuffix(e.Name(), ext)
		readable := ext == ".json" || kind == schema.KindData && ext == ".csv"
		switch {
		case hidden(e.Name()) || !e.IsDir() && !readable && passedOver(e.Name()):
		case e.IsDir():
			l.ignored(file, e.Name(), nil)
		case !readable:
			l.report("DOC013", file, e.Name(), code+".json")
		case !codePattern.MatchString(code):
			l.report("DOC006", file, code)
		case kind == schema.KindData && strings.EqualFold(code, before):
			l.report("DOC012", file, code)
		default:
			l.one(kind, file, code)
			before = code
		}
	}
}

func (l *loader) one(kind def.Kind, file, code string) {
	p := l.pack
	switch kind {
	case def.KindModel:
		l.document(kind, file, code, func(h def.Head) any { return add(&p.Models, &def.Model{Head: h}) })
	case def.KindList:
		l.document(kind, file, code, func(h def.Head) any { return add(&p.Lists, &def.List{Head: h}) })
	case def.KindForm:
		l.document(kind, file, code, func(h def.Head) any { return add(&p.Forms, &def.Form{Head: h}) })
	case def.KindAccess:
		l.document(kind, file, code, func(h def.Head) any { return add(&p.Access, &def.Access{Head: h}) })
	case def.KindDictionary:
		l.document(kind, file, code, func(h def.Head) any { return add(&p.Dictionaries, &def.Dictionary{Head: h}) })
	case schema.KindData:
		if l.schemas == nil {
			return
		}
		read := source.Parse
		if path.Ext(file) == ".csv" {
			read = source.ParseCSV
		}
		if root := l.parse(kind, file, code, read); root != nil {
			source.Decode(root, add(&p.Data, &def.Data{Head: def.Head{Code: code, Pack: p.Code, Node: root}}))
		}
	}
}

func add[T any](to *[]*T, v *T) *T { *to = append(*to, v); return v }

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
