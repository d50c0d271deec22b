package app

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
)

// Limits of an answer about uses: places, and runes of a line on each side of a place.
const (
	mostPlaces = 1000
	besideUse  = 120
)

// NamedThing is a thing of an application that something else may name.
type NamedThing struct {
	Kind  string     `json:"kind"` // a word of rename.Words
	Name  string     `json:"name"` // "contract.items.amount"
	Label plan.Label `json:"label"`
	Pack  string     `json:"pack"` // whose document defines it
	Path  string     `json:"path"`
	Own   bool       `json:"own"` // the installation made it, and the caller may give it another code
}

// Usage is all that names a thing.
type Usage struct {
	NamedThing
	Documents []UsingDocument `json:"documents"` // the one that defines it first, then by pack and path; those in which the name may mean something else last
	Count     int             `json:"count"`     // of the places that the caller may see, listed or not, besides definitions
	Elsewhere int             `json:"elsewhere"` // places in what the caller does not administer
	Problems  diag.List       `json:"problems"`  // errors of documents that the caller sees: places in these may be missing
	Drafts    []DraftedFile   `json:"drafts"`    // of the caller, which were read in place of the documents
	Saved     []SavedUse      `json:"saved"`     // what people saved or entered, as it is served
}

// DraftedFile is a document of which the caller has a draft.
type DraftedFile struct {
	Pack string `json:"pack"`
	Path string `json:"path"`
}

// UsingDocument is a document, or something of the program, with the places at which it names a thing.
type UsingDocument struct {
	Pack   string     `json:"pack"` // "" = the program; path says what of it
	Path   string     `json:"path"`
	Kind   string     `json:"kind"` // of the document; "" = none, as of a script
	Label  plan.Label `json:"label"`
	Opens  string     `json:"opens"` // the editor that the caller may open it in, "text" for its text alone, "" = nothing
	Places []UsePlace `json:"places"`
}

// The editors of documents.
const (
	opensWorkflow = "workflow"
	opensPrint    = "print"
	opensPortal   = "portal"
	opensRole     = "role"
	opensText     = "text"
)

// UsePlace is a place in a document.
type UsePlace struct {
	How     rename.How `json:"how"`
	Line    int        `json:"line"`   // 0 = the document as a whole
	Column  int        `json:"column"` // in characters, from 1
	Text    string     `json:"text"`   // of the line, without what is far from the place
	From    int        `json:"from"`   // where in the text the name begins, in UTF-16 units as browsers count them
	Written string     `json:"written"`
	Pointer string     `json:"pointer"`
}

// Names lists what an application has that other things may name; "" = of all applications.
func (a *App) Names(ctx context.Context, view *authz.View, application string) ([]NamedThing, error) {
	r, err := a.named(ctx, view, application)
	if err != nil {
		return nil, err
	}
	out := []NamedThing{}
	for _, t := range r.Things() {
		one := r.thing(t)
		if application != "" && !strings.EqualFold(one.Pack, application) || !r.sees(one.Pack) {
			continue
		}
		out = append(out, one)
	}
	return out, nil
}

// Uses finds what names a thing, in the documents as they are served with the drafts of the caller over them.
func (a *App) Uses(ctx context.Context, view *authz.View, application, kind, name string) (*Usage, error) {
	r, err := a.named(ctx, view, application)
	if err != nil {
		return nil, err
	}
	k := rename.KindOf(kind)
	if k == "" {
		return nil, fault.New(fault.BadParameter, "kind")
	}
	t, ok := r.Thing(k, name)
	if !ok || !r.sees(r.thing(t).Pack) {
		return nil, fault.New(fault.NameNotFound, name)
	}
	uses, list := r.Uses(k, t.Path)
	if list.HasErrors() {
		return nil, fault.New(fault.NameNotFound, name)
	}
	out := &Usage{NamedThing: r.thing(t), Problems: diag.List{}, Drafts: r.drafts}
	out.Documents = r.listed(uses, out)
	for _, one := range inPacks(r.folders, r.Problems()) {
		if pack, _, _ := strings.Cut(one.File, "/"); r.sees(pack) {
			out.Problems = append(out.Problems, one)
		}
	}
	out.Saved, err = a.savedUses(ctx, view, k, t.Path)
	return out, err
}

// nameDesk are the documents that somebody asks about, with their drafts over them.
type nameDesk struct {
	*rename.Reading
	app       *App
	view      *authz.View
	documents Documents    // as they are served
	folders   []Folder     // of these
	served    rename.Packs // of these
	drafted   rename.Packs // with the drafts
	kept      []publish.Draft
	drafts    []DraftedFile
}

// named reads the documents for somebody who administers an application, or all of them, with their drafts.
func (a *App) named(ctx context.Context, view *authz.View, application string) (*nameDesk, error) {
	if !a.MayAdminister(view, application) {
		return nil, fault.New(fault.Forbidden)
	}
	if application != "" && view.Catalog.App(application) == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	if d.only, err = a.aside(d); err != nil {
		return nil, err
	}
	out := &nameDesk{app: a, view: view, documents: d, drafts: []DraftedFile{}}
	if out.folders, _, err = d.Folders(); err != nil {
		return nil, err
	}
	if out.served, err = a.packs(d, out.folders); err != nil {
		return nil, err
	}
	for i, f := range out.folders {
		out.served.Folders[i].Fixed = out.fixed(f)
	}
	out.drafted = out.served
	if out.kept, err = a.draftsOf(ctx, view, &d); err != nil {
		return nil, err
	}
	if len(out.kept) > 0 {
		over, _, err := d.Folders()
		if err != nil {
			return nil, err
		}
		if out.drafted, err = a.packs(d, over); err != nil {
			return nil, err
		}
	}
	for _, one := range out.kept {
		out.drafts = append(out.drafts, DraftedFile{one.Pack, one.Path})
	}
	out.Reading = out.drafted.Read()
	return out, nil
}

// draftsOf lays the drafts of a person over documents, those of packs that they administer.
func (a *App) draftsOf(ctx context.Context, view *authz.View, d *Documents) ([]publish.Draft, error) {
	all, err := publish.DraftsBy(ctx, a.db, view.User())
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(one publish.Draft) bool { return !a.MayAdminister(view, one.Pack) || !overlay.Valid(one.Path) })
	held := texts{}.with(d.Held)
	for i := range all {
		held.set(all[i].Pack, all[i].Path, &all[i].Text)
	}
	d.Held = held
	return all, nil
}

// packs are folders for questions about names. Scripts of the program's packs are searched as well.
func (a *App) packs(d Documents, folders []Folder) (rename.Packs, error) {
	schemas, err := a.schemas()
	if err != nil {
		return rename.Packs{}, err
	}
	out := rename.Packs{Set: d.Set, Schemas: schemas, Options: compile.Options{Zone: d.Zone, Places: d.Places, Cache: d.cache}}
	for _, f := range folders {
		out.Folders = append(out.Folders, rename.Folder{Folder: f.Folder})
	}
	return out, nil
}

// removals tells what a change takes away that something names still. The catalog is what the documents are compiled to after it; nil where they
// have errors.
func (a *App) removals(d Documents, before, after []Folder, c *catalog.Catalog) (diag.List, error) {
	if c != nil && !slices.ContainsFunc(names.Diff(a.State().Catalog.Storage.Names, c.Storage.Names), func(s names.Step) bool { return s.New == "" }) {
		return nil, nil
	}
	was, err := a.packs(d, before)
	if err != nil {
		return nil, err
	}
	is, err := a.packs(d, after)
	if err != nil {
		return nil, err
	}
	return rename.Removed(was.Read(), is.Read()), nil
}

// sees reports whether the caller may read what a pack has; "" = the program.
func (n *nameDesk) sees(pack string) bool { return n.app.MayAdminister(n.view, pack) }

func (n *nameDesk) thing(t rename.Thing) NamedThing {
	out := NamedThing{Kind: rename.WordOf(t.Kind), Name: t.Path, Label: t.Label}
	out.Pack, out.Path, _ = n.Within(t.File)
	out.Own = n.own(t)
	return out
}

// listed are the places of uses by their documents; it counts them in the answer.
func (n *nameDesk) listed(uses []rename.Use, count *Usage) []UsingDocument {
	type at struct {
		file string
		sure bool
	}
	of := map[at]*UsingDocument{}
	var order []at
	lines := map[string][]string{}
	listed := 0
	for _, u := range uses {
		pack, _, known := n.Within(u.File)
		if !n.sees(pack) {
			count.Elsewhere++
			continue
		}
		if u.How != rename.Defines {
			count.Count++
		}
		if listed++; listed > mostPlaces {
			continue
		}
		key := at{u.File, u.How != rename.Possible}
		if of[key] == nil {
			of[key] = n.document(u.File, known)
			order = append(order, key)
		}
		if _, read := lines[u.File]; !read && u.Line > 0 {
			lines[u.File] = n.Lines(u.File)
		}
		of[key].Places = append(of[key].Places, placeOf(u, lines[u.File]))
	}
	defines := func(d *UsingDocument) bool { return d.Places[0].How == rename.Defines }
	slices.SortStableFunc(order, func(a, b at) int {
		x, y := of[a], of[b]
		switch {
		case a.sure != b.sure:
			return map[bool]int{true: -1, false: 1}[a.sure]
		case defines(x) != defines(y):
			return map[bool]int{true: -1, false: 1}[defines(x)]
		}
		return strings.Compare(x.Pack+"/"+x.Path, y.Pack+"/"+y.Path)
	})
	out := make([]UsingDocument, len(order))
	for i, key := range order {
		out[i] = *of[key]
	}
	return out
}

// document says what a file is; a file that no pack has is something of the program.
func (n *nameDesk) document(file string, known bool) *UsingDocument {
	if !known {
		return &UsingDocument{Path: file, Label: plan.Label{Zh: file}}
	}
	out := &UsingDocument{}
	out.Pack, out.Path, _ = n.Within(file)
	out.Label = plan.Label{Zh: path.Base(file)}
	kind, _ := n.app.kindOf(out.Path)
	if k, ok := compile.Kinds(n.app.cfg.Set).Get(kind); ok && k.Reads(path.Ext(file)) {
		out.Kind, out.Label = string(kind), n.Document(file)
	}
	out.Opens = n.opens(out)
	return out
}

// editors are the editors of documents by their folders.
var editors = map[string]string{"workflows": opensWorkflow, "prints": opensPrint, "portals": opensPortal, accessFolder: opensRole}

// opens is what the caller may open a document in.
func (n *nameDesk) opens(d *UsingDocument) string {
	folder, _, _ := strings.Cut(d.Path, "/")
	editor := editors[folder]
	switch {
	case d.Kind == "" || editor == "" || editor == opensRole && !n.view.Has(authoring) || editor != opensRole && n.view.Catalog.App(d.Pack) == nil:
	case editor == opensPrint && n.external(d.Path): // another program writes it
	default:
		return editor
	}
	if mayWrite(n.view, d.Pack, d.Path) && overlay.Valid(d.Path) {
		return opensText
	}
	return ""
}

// external reports whether a print template is one for another program.
func (n *nameDesk) external(file string) bool {
	p := n.view.Catalog.Print(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	return p != nil && p.External != nil
}

// placeOf is a place with its line.
func placeOf(u rename.Use, lines []string) UsePlace {
	out := UsePlace{How: u.How, Line: u.Line, Column: u.Col, Written: u.Written, Pointer: u.Pointer}
	if u.Line < 1 || u.Line > len(lines) {
		return out
	}
	line := []rune(strings.TrimRight(lines[u.Line-1], "\r"))
	at := min(max(u.Col-1, 0), len(line))
	begin, end := max(0, at-besideUse), min(len(line), at+utf8.RuneCountInString(u.Written)+besideUse)
	before, after := string(line[begin:at]), string(line[at:end])
	if begin == 0 {
		before = strings.TrimLeft(before, " \t")
	} else {
		before = "…" + before
	}
	if end < len(line) {
		after += "…"
	}
	out.Text = before + after
	for _, r := range before {
		out.From += utf16.RuneLen(r)
	}
	return out
}
