package app

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
)

// Two documents of one kind have the same code when a later version of a pack, or a pack that is loaded again, brings one that was published
// in another pack meanwhile. The published one is older and stays; the pack's is set aside, and so are those of its documents that
// do not compile without it, so that the system starts and somebody can resolve it in the browser (docs/adr/0069).

// packFiles are files of packs, by the lower-case code of the pack.
type packFiles map[string]map[string]bool

func (s packFiles) has(pack, file string) bool { return s[strings.ToLower(pack)][file] }

func (s packFiles) add(pack, file string) {
	pack = strings.ToLower(pack)
	if s[pack] == nil {
		s[pack] = map[string]bool{}
	}
	s[pack][file] = true
}

// asides are files that are set aside, and published ones that are used alone, not merged with their packs' changes.
type asides struct{ aside, unmerged packFiles }

// maySetAside reports whether a file of a pack may be set aside.
func (d Documents) maySetAside(pack, file string) bool {
	return d.only == nil || d.only.aside.has(pack, file)
}

// hide takes a file of a pack away, or puts another text in its place.
func (f *Folder) hide(file string, text *string) {
	f.Aside = maps.Clone(f.Aside)
	if f.Aside == nil {
		f.Aside = map[string]bool{}
	}
	f.Aside[file] = true
	f.FS = overlay.New(f.FS, map[string]*string{file: text})
}

// Folders of a pack.
const (
	accessFolder = "access" // roles
	modelFolder  = "models"
)

// holder is a file that has a code.
type holder struct {
	folder int
	file   string
	since  int64 // version that published it first; 0 = it is the pack's own
}

// yield sets aside the documents whose code one that was published before them has.
func (d Documents) yield(folders []Folder) (out diag.List) {
	if len(d.Published) == 0 {
		return nil
	}
	for _, k := range compile.Kinds(d.Set) {
		if k.Folder == "" || k.Data {
			continue
		}
		of := map[string][]holder{}
		var codes []string
		for i, f := range folders {
			entries, _ := fs.ReadDir(f.FS, k.Folder) // what cannot be read, the loader reports
			for _, e := range entries {
				code := strings.ToLower(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
				if e.IsDir() || !k.Reads(path.Ext(e.Name())) || !codePattern.MatchString(code) {
					continue
				}
				if of[code] == nil {
					codes = append(codes, code)
				}
				file := path.Join(k.Folder, e.Name())
				of[code] = append(of[code], holder{i, file, d.since(f.Code, file)})
			}
		}
		for _, code := range codes {
			out = append(out, d.oldest(folders, of[code])...)
		}
	}
	return out
}

// since is the version that published a file first; 0 = none has.
func (d Documents) since(pack, file string) int64 {
	for _, p := range d.published(pack) {
		if p.Path == file && p.Text != nil {
			return cmp.Or(p.Since, p.Version)
		}
	}
	return 0
}

// oldest leaves of the holders of one code the one that was published first; two that are packs' own are the compiler's to report.
func (d Documents) oldest(folders []Folder, all []holder) (out diag.List) {
	first := slices.IndexFunc(all, func(h holder) bool { return h.since > 0 })
	if len(all) < 2 || first < 0 {
		return nil
	}
	for i, h := range all {
		if h.since > 0 && h.since < all[first].since {
			first = i
		}
	}
	name := func(h holder) string { return folders[h.folder].Code + "/" + h.file }
	at := func(h holder) diag.Position {
		return diag.Position{File: path.Join(folders[h.folder].Dir, h.file)}
	}
	for i, h := range all {
		if i == first || !d.maySetAside(folders[h.folder].Code, h.file) {
			continue
		}
		folders[h.folder].hide(h.file, nil)
		out = append(out, diag.New("PUB004", at(h), name(all[first])), diag.New("PUB005", at(all[first]), name(h)))
	}
	return out
}

// resolve compiles folders. Published documents that have errors only since they were merged with their packs' changes are used alone; where a
// published document stays in place of a pack's newer one, documents of packs that have errors for it are set aside until the rest compiles.
func (d Documents) resolve(folders []Folder, found diag.List, schemas *schema.Schemas) (*catalog.Catalog, diag.List) {
	c, list := d.link(folders, found, schemas)
	if c == nil && d.unmerge(folders, found, list, schemas) {
		found = d.tellUnmerged(folders, found, list)
		c, list = d.link(folders, found, schemas)
	}
	again := func(aside func(diag.List) diag.List) {
		for c == nil {
			more := aside(list)
			if len(more) == 0 {
				return
			}
			found = append(found, more...)
			c, list = d.link(folders, found, schemas)
		}
	}
	if c == nil && slices.ContainsFunc(found, stays) {
		faulty := d.faulty(folders, found, schemas)
		again(func(list diag.List) diag.List { return d.setAside(folders, list, faulty) })
	}
	if c == nil && len(d.Published) > 0 {
		again(func(list diag.List) diag.List { return d.setAsidePublished(folders, list) })
	}
	if c != nil {
		d.keepAside(folders, c.Storage.Names)
	}
	return c, list
}

// keepAside adds the documents that are set aside to the names: they have not gone, and what people have of them is there when they come again.
func (d Documents) keepAside(folders []Folder, to names.Set) {
	for _, f := range folders {
		for file := range f.Aside {
			for _, k := range compile.Kinds(d.Set) {
				code := strings.TrimSuffix(path.Base(file), ".json")
				is := func(e names.Entry) bool { return strings.EqualFold(e.Code, code) }
				if of := names.Kind(k.Code); k.Folder == path.Dir(file) && !k.Data && path.Ext(file) == ".json" && !slices.ContainsFunc(to[of], is) {
					to[of] = append(to[of], names.Entry{Code: code, Pack: f.Code, Kept: true})
				}
			}
		}
	}
	to.Sorted()
}

// setAsidePublished uses the packs' own files in place of published ones that do not compile any more, as when a later version of a pack has
// removed what they name. Of menus and roles only the entries go that have errors: a role never gets what the published one took away. A model
// is not set aside, for what its records have would go with it.
func (d Documents) setAsidePublished(folders []Folder, list diag.List) (out diag.List) {
	for i := range folders {
		f, done := &folders[i], map[string]bool{}
		for _, e := range list {
			file, inside := strings.CutPrefix(e.File, path.Clean(f.Dir)+"/")
			if !inside || e.Severity != diag.Error || done[file] || !overlay.Valid(file) || file == packFile || strings.HasPrefix(file, modelFolder+"/") || d.since(f.Code, file) == 0 ||
				!d.maySetAside(f.Code, file) {
				continue
			}
			now, err := overlay.Text(f.FS, file)
			if err != nil || now == nil {
				continue
			}
			rest, err := overlay.Text(f.Base, file)
			if err != nil {
				continue
			}
			if file == appFile || strings.HasPrefix(file, accessFolder+"/") {
				rest = withoutItem(*now, e.Pointer)
			}
			if rest != nil && *rest == *now {
				continue // it is the pack's own that has the error
			}
			done[file] = true
			f.hide(file, rest)
			out = append(out, diag.New("PUB008", diag.Position{File: e.File, Line: e.Line, Col: e.Col}, diag.Text{Zh: e.Zh, En: e.En}))
		}
	}
	return out
}

// faulty are the files that have errors also where the packs' documents are used in place of the published ones: those are their authors' to
// mend, and stop a start as ever.
func (d Documents) faulty(folders []Folder, found diag.List, schemas *schema.Schemas) map[string]bool {
	published := overlay.Documents{}
	for code, all := range d.Published {
		i := slices.IndexFunc(folders, func(f Folder) bool { return strings.EqualFold(f.Code, code) })
		published[code] = slices.DeleteFunc(slices.Clone(all), func(o overlay.Document) bool {
			return i >= 0 && slices.ContainsFunc(found, func(one diag.Diagnostic) bool {
				return (one.Code == "PUB005" || one.Code != "PUB004" && stays(one)) && one.File == path.Join(folders[i].Dir, o.Path)
			})
		})
	}
	d.Published = published
	out := map[string]bool{}
	own, of, err := d.Folders()
	if err != nil {
		return out
	}
	_, list := d.link(own, of, schemas)
	for _, e := range list {
		if e.Severity == diag.Error {
			out[e.File] = true
		}
	}
	return out
}

// setAside takes away the packs' own files that have errors; of menus and roles, the entries that have: nobody gains by what is missing there.
func (d Documents) setAside(folders []Folder, list diag.List, faulty map[string]bool) (out diag.List) {
	for i := range folders {
		f, done := &folders[i], map[string]bool{}
		for _, e := range list {
			file, inside := strings.CutPrefix(e.File, path.Clean(f.Dir)+"/")
			if !inside || e.Severity != diag.Error || done[file] || faulty[e.File] || !overlay.Valid(file) || file == packFile || f.Code == corePack || d.since(f.Code, file) > 0 ||
				!d.maySetAside(f.Code, file) {
				continue
			}
			text, err := overlay.Text(f.FS, file)
			if err != nil || text == nil {
				continue
			}
			done[file] = true
			var rest *string
			if file == appFile || strings.HasPrefix(file, accessFolder+"/") {
				rest = withoutItem(*text, e.Pointer)
			}
			f.hide(file, rest)
			out = append(out, diag.New("PUB006", diag.Position{File: e.File, Line: e.Line, Col: e.Col}, diag.Text{Zh: e.Zh, En: e.En}))
		}
	}
	return out
}

// withoutItem is a document without the innermost entry of a list that a pointer leads into; nil where it leads into none.
func withoutItem(text, pointer string) *string {
	root, err := edit.Parse(text)
	if err != nil {
		return nil
	}
	var from *edit.Node
	var item *edit.Node
	at := root
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if at == nil {
			break
		}
		if at.Kind != source.Array {
			at = at.Get(step)
			continue
		}
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(at.Items()) {
			break
		}
		from, item = at, at.Items()[i]
		at = item
	}
	if item == nil {
		return nil
	}
	from.Remove(func(n *edit.Node) bool { return n == item })
	out, err := root.JSON(bare{})
	if err != nil {
		return nil
	}
	return &out
}

// aside is what is set aside of the documents as they are, and so all that a change of them may leave set aside: a change that makes another
// document fail is refused as ever.
func (a *App) aside(d Documents) (*asides, error) {
	out := &asides{aside: packFiles{}, unmerged: packFiles{}}
	folders, found, err := d.Folders()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(found, stays) || len(d.Published) > 0 && !a.served(d) {
		schemas, err := a.schemas()
		if err != nil {
			return nil, err
		}
		d.resolve(folders, found, schemas)
	}
	for _, f := range folders {
		for file := range f.Aside {
			out.aside.add(f.Code, file)
		}
		for file := range f.Unmerged {
			out.unmerged.add(f.Code, file)
		}
	}
	return out, nil
}

// served reports whether the documents are those that are served, with nothing set aside or used alone.
func (a *App) served(d Documents) bool {
	s, told := a.State(), a.told.Load()
	return s != nil && told != nil && s.Catalog.Version == d.Version && !slices.ContainsFunc(*told, func(one diag.Diagnostic) bool { return setsAside(one) || one.Code == unmergedCode })
}

func setsAside(d diag.Diagnostic) bool {
	return d.Code == "PUB004" || d.Code == "PUB006" || d.Code == "PUB008"
}

// stays reports whether a diagnostic says that a published document is used in place of one of a pack, wholly or in part.
func stays(d diag.Diagnostic) bool {
	return slices.Contains([]string{overlay.Stays, overlay.MergedPartly, unmergedCode, "PUB004"}, d.Code)
}

// OfPublished is what a compilation says of published documents and those of packs that do not agree.
func OfPublished(list diag.List) (out diag.List) {
	for _, d := range list {
		if ofPublished(d) {
			out = append(out, d)
		}
	}
	return out
}

// ofPublished reports whether a diagnostic is about published documents and those of packs that do not agree.
func ofPublished(d diag.Diagnostic) bool { return strings.HasPrefix(d.Code, "PUB") }

// tellConflicts keeps what diagnostics say of published documents for the list of documents, and logs what is new: as an error, which the operation page
// shows, where something is set aside.
//
// Files are called as packs call them: a publication has no other names for them.
func (a *App) tellConflicts(folders []Folder, list diag.List) {
	now := OfPublished(inPacks(folders, list))
	was := a.told.Swap(&now)
	for _, d := range now {
		if was != nil && slices.Contains(*was, d) {
			continue
		}
		say := a.cfg.Log.Warn
		if setsAside(d) {
			say = a.cfg.Log.Error
		}
		say(d.En, "code", d.Code, "at", d.Position.String())
	}
}

// toldOf is what was told of a file of a pack.
func (a *App) toldOf(f Folder, file string) diag.List {
	out := diag.List{}
	told := a.told.Load()
	if told == nil {
		return out
	}
	for _, d := range *told {
		if d.File == path.Join(f.Code, file) || f.Dir == "." && d.File == file {
			d.File = file
			out = append(out, d)
		}
	}
	return out
}

// corePack is the pack that is always loaded.
const corePack = "core"

// bare is the layout of documents whose form does not matter.
type bare struct{}

func (bare) Keys(*source.Node) []string { return nil }
func (bare) Short(*source.Node) string  { return "" }
