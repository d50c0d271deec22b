package app

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Files of an application.
const (
	appFile  = "app.json"
	packFile = "pack.json"
)

// managing are the permissions of those who administer every application.
var managing = []string{"SYS_MNG", authoring}

// MayAdminister reports whether a caller may change an application and its menu; "" = the applications as a whole: adding, ordering and
// deleting them, and models, whose records other packs may reach.
func (a *App) MayAdminister(view *authz.View, application string) bool {
	return slices.ContainsFunc(managing, view.Has) || application != "" && view.Administers(application)
}

func (a *App) administers(view *authz.View, application string) error {
	if !a.MayAdminister(view, application) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// Managed is what a change of applications does, or did.
type Managed struct {
	Publication
	References []Reference `json:"references"` // what keeps something from being deleted
	Records    int64       `json:"records"`    // that are deleted with it
}

// Reference is a document that refers to what is to be deleted.
type Reference struct {
	Pack string     `json:"pack"`
	Path string     `json:"path"`
	Kind plan.Label `json:"kind"`
	Name plan.Label `json:"name"`
	Text plan.Label `json:"text"` // why, in the words of the compiler
}

// Intent says how far a change goes.
type Intent struct {
	Check            bool   `json:"check"`   // tell what it would do, and do nothing
	Confirm          string `json:"confirm"` // digest of the steps that were shown
	AllowDestructive bool   `json:"allowDestructive"`
}

// desk is where documents are changed before they are published.
type desk struct {
	app     *App
	ctx     context.Context
	folders []Folder
	layout  *schema.Schemas
	set     Changeset
}

func (a *App) newDesk(ctx context.Context) (*desk, error) {
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	out := &desk{app: a, ctx: ctx}
	if out.folders, _, err = d.Folders(); err != nil {
		return nil, err
	}
	out.layout, err = a.schemas()
	return out, err
}

// folder is the pack of a code; nil when it is not loaded.
func (d *desk) folder(code string) *Folder {
	for i := range d.folders {
		if strings.EqualFold(d.folders[i].Code, code) {
			return &d.folders[i]
		}
	}
	return nil
}

// application is the pack of an application with its document. Seen is the digest of the document that the caller changed; "" = any.
func (d *desk) application(code, seen string) (*Folder, *edit.Node, error) {
	f := d.folder(code)
	if f == nil {
		return nil, nil, fault.New(fault.AppNotFound)
	}
	text, err := overlay.Text(f.FS, appFile)
	if err != nil {
		return nil, nil, err
	}
	if text == nil {
		return nil, nil, fault.New(fault.AppNotFound)
	}
	if now := DigestOf(text); seen != "" && seen != now {
		by, err := publish.Last(d.ctx, d.app.db, f.Code, appFile)
		if err != nil {
			return nil, nil, err
		}
		p := Publication{Conflicts: []Conflict{{Pack: f.Code, Path: appFile, Seen: now, By: by}}, Steps: []store.Step{}, Class: store.Safe}
		return nil, nil, &fault.Error{Code: fault.PublishConflict, Args: []any{f.Code + "/" + appFile}, Data: managed(&p)}
	}
	node, err := edit.Parse(*text)
	return f, node, err
}

// put changes a file; a nil node takes it away.
func (d *desk) put(f *Folder, path string, node *edit.Node) error {
	if node == nil {
		return d.write(f, path, nil)
	}
	kind, _ := d.app.kindOf(path)
	text, err := node.JSON(d.layout.Layout(kind))
	if err != nil {
		return err
	}
	return d.write(f, path, &text)
}

func (d *desk) write(f *Folder, path string, text *string) error {
	now, err := overlay.Text(f.FS, path)
	if err != nil {
		return err
	}
	if DigestOf(now) != DigestOf(text) {
		d.set.Files = append(d.set.Files, Change{Pack: f.Code, Path: path, Text: text, Seen: DigestOf(now)})
	}
	return nil
}

// documentsOf are the files of a pack that its documents may be, and the pictures beside them.
func documentsOf(f *Folder) (out []string, err error) {
	err = fs.WalkDir(f.FS, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case name == "." && errors.Is(err, fs.ErrNotExist): // a pack that is not there yet
			return nil
		case err != nil:
			return err
		case e.IsDir() && name != "." && strings.Contains(name, "/"):
			return fs.SkipDir
		case !e.IsDir() && (overlay.Valid(name) || overlay.ValidPicture(name)):
			out = append(out, name)
		}
		return nil
	})
	return out, err
}

// done publishes what is on the desk, or tells what that would do.
func (d *desk) done(view *authz.View, note plan.Label, in Intent) (*Managed, error) {
	d.set.Note = note.In(view.Principal().Locale)
	if len(d.set.Files) == 0 {
		return managed(&Publication{Version: d.app.State().Catalog.Version, Steps: []store.Step{}, Conflicts: []Conflict{}, Class: store.Safe}), nil
	}
	var p *Publication
	var err error
	if in.Check {
		p, err = d.app.lookAt(d.ctx, view, d.set)
	} else {
		p, err = d.app.publish(d.ctx, view, d.set, Confirmation{Steps: in.Confirm, AllowDestructive: in.AllowDestructive})
	}
	if err != nil {
		return nil, err
	}
	return managed(p), nil
}

func managed(p *Publication) *Managed {
	if p.Diagnostics == nil {
		p.Diagnostics = diag.List{}
	}
	out := &Managed{Publication: *p, References: []Reference{}}
	for _, s := range p.Steps {
		if s.Action == store.DropTable {
			out.Records += s.Count
		}
	}
	return out
}

// codePattern is what codes of definitions are.
var codePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,62}$`)

// newCode checks a code that somebody chose.
func newCode(code string) error {
	switch {
	case strings.TrimSpace(code) == "":
		return fault.New(fault.AppCodeEmpty)
	case !codePattern.MatchString(code):
		return fault.New(fault.AppCodeInvalid, code)
	}
	return nil
}

// Names are the texts of something in a document: Chinese, and the other locales.
type Names struct {
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

func (n Names) valid() error {
	if strings.TrimSpace(n.Name) == "" {
		return fault.New(fault.EmptyParameter, "name")
	}
	return nil
}

// put writes the texts into a document; locales without a text are left out.
func (n Names) put(into *edit.Node, key string) {
	put(into, key, strings.TrimSpace(n.Name))
	texts := map[string]string{}
	for locale, text := range n.NameI18n {
		if text = strings.TrimSpace(text); text != "" {
			texts[locale] = text
		}
	}
	if len(texts) == 0 {
		into.Set(key+"_i18n", nil)
		return
	}
	into.Set(key+"_i18n", edit.Value(texts))
}

// put sets a key of a document; "" and false are left out, as defaults are.
func put[T comparable](into *edit.Node, key string, v T) {
	var none T
	if v == none {
		into.Set(key, nil)
		return
	}
	into.Set(key, edit.Value(v))
}

func count(in []*catalog.Menu) (n int) {
	for _, m := range in {
		if m.Type != "Folder" {
			n++
		}
		n += count(m.Children)
	}
	return n
}

// kindOf names the kind of a file of a pack.
func (a *App) kindOf(path string) (def.Kind, plan.Label) {
	kinds := compile.Kinds(a.cfg.Set)
	if folder, _, inside := strings.Cut(path, "/"); inside { // a model may be called app
		k, _ := kinds.InFolder(folder)
		return k.Code, k.Label
	}
	k, _ := kinds.OfFile(path)
	return k.Code, k.Label
}
