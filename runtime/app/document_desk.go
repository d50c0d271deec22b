package app

import (
	"context"
	"errors"
	"maps"
	"path"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// editedKind is a kind of documents that those who administer an application change one at a time, in an editor of its own.
type editedKind struct {
	kind    def.Kind   // of the catalog
	missing fault.Code // the application has no document of the code
	note    plan.Label // of a publication; the code follows
	// inside refuses what reaches beyond the pack of an application, from those who administer only that. Old is nil where there is no document yet.
	inside func(c *catalog.Catalog, pack string, old, now *edit.Node) error
}

// documentDesk is the desk of one document: it reads, checks and publishes it.
type documentDesk struct {
	*desk
	of      *editedKind
	view    *authz.View
	whole   bool // what reaches other applications may be changed too
	served  *catalog.App
	pack    *Folder
	kind    kind.Kind
	code    string // of the document, as its file has it; "" = none is named
	path    string // of its file in the pack
	created bool   // no document had the code
}

// Draft is a document on its way to publication.
type Draft struct {
	App  string
	Code string
	New  bool // no document has the code yet
	Text string
	Seen string // digest of the document that the author began with
}

// DesignDocument is a document for its editor.
type DesignDocument struct {
	Text    string `json:"text"`    // in its canonical form
	Seen    string `json:"seen"`    // digest that its publication has to name
	Version int64  `json:"version"` // that published it; 0 = it is the pack's own
}

// DesignDraftKept is what the caller has made of a document, on this or another machine, and not published.
type DesignDraftKept struct {
	Code string    `json:"code"`
	Text string    `json:"text"`
	Seen string    `json:"seen"` // digest of the document that it began with
	At   time.Time `json:"time"`
}

// DesignOther is somebody who has a draft of the same document.
type DesignOther struct {
	Name string    `json:"name"`
	At   time.Time `json:"time"` // they changed it last
}

// DesignCheck is what the compiler says to a draft.
type DesignCheck struct {
	Diagnostics diag.List `json:"diagnostics"` // of the draft, and errors of what refers to it
	Seen        string    `json:"seen"`        // digest of the document that is served now
	ChangedBy   string    `json:"changedBy"`   // who published that last, where it is not what the author began with

	Others []DesignOther `json:"others"` // who have a draft of it too, the last changed first
	Ways   []access.Way  `json:"ways"`   // to records besides roles that the draft opens or widens
}

// DesignChoice is something that a document may name.
type DesignChoice struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	Own   bool       `json:"own"`             // it belongs to the application
	Model string     `json:"model,omitempty"` // of a workflow or a print template
}

// designing is the application whose documents the caller may design.
func (a *App) designing(view *authz.View, code string) (*catalog.App, error) {
	x := view.Catalog.App(code)
	if err := a.administers(view, code); err != nil || code == "" {
		return nil, fault.New(fault.Forbidden)
	}
	if x == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	return x, nil
}

// designedModel is a model that documents of an application may be of.
func (a *App) designedModel(view *authz.View, application, code string) (*catalog.App, *catalog.Model, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, nil, err
	}
	m := view.Catalog.Model(code)
	if m == nil || !strings.EqualFold(m.Pack, x.Pack) && !a.MayAdminister(view, "") {
		return nil, nil, fault.New(fault.ModelNotFound, code)
	}
	return x, m, nil
}

// documentDesk opens the desk of a document that an application has; without a code, that of one which is not there yet.
func (a *App) documentDesk(ctx context.Context, view *authz.View, of *editedKind, application, code string) (*documentDesk, error) {
	return a.openDocument(ctx, view, of, application, code, false)
}

// savedDesk opens the desk of a document that an application has.
func (a *App) savedDesk(ctx context.Context, view *authz.View, of *editedKind, application, code string) (*documentDesk, error) {
	d, err := a.documentDesk(ctx, view, of, application, code)
	if err == nil && d.code == "" {
		return nil, fault.New(of.missing)
	}
	return d, err
}

// draftDesk opens the desk of a draft. A new document needs a code that none has.
func (a *App) draftDesk(ctx context.Context, view *authz.View, of *editedKind, in Draft) (*documentDesk, error) {
	if !in.New && in.Code == "" {
		return nil, fault.New(of.missing)
	}
	if len(in.Text) > overlay.MaxText {
		return nil, fault.New(fault.BadParameter, "text")
	}
	return a.openDocument(ctx, view, of, in.App, in.Code, in.New)
}

func (a *App) openDocument(ctx context.Context, view *authz.View, of *editedKind, application, code string, created bool) (*documentDesk, error) {
	x, err := a.designing(view, application)
	if err != nil {
		return nil, err
	}
	served := view.Catalog.Document(string(of.kind), code)
	switch {
	case created && served != nil:
		return nil, fault.New(fault.AppCodeTaken, code)
	case created:
		if err := newCode(code); err != nil {
			return nil, err
		}
	case code == "":
	case served == nil || !strings.EqualFold(served.Pack, x.Pack):
		return nil, fault.New(of.missing)
	default:
		code = served.Code
	}
	d, err := a.newDesk(ctx)
	if err != nil {
		return nil, err
	}
	out := &documentDesk{desk: d, of: of, view: view, whole: a.MayAdminister(view, ""), served: x, pack: d.folder(x.Pack), code: code, created: created}
	if out.pack == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	k, _ := compile.Kinds(a.cfg.Set).Get(of.kind)
	out.kind, out.path = k, k.Path(code)
	if code == "" {
		return out, nil
	}
	return out, a.ownsCode(ctx, view, k, out.pack.Code, code, created)
}

// own reports whether something of a pack belongs to the application.
func (d *documentDesk) own(pack string) bool { return strings.EqualFold(pack, d.served.Pack) }

// models are those that a document of the application may be of.
func (d *documentDesk) models() []DesignChoice {
	out := []DesignChoice{}
	for _, m := range d.view.Catalog.Models {
		if own := d.own(m.Pack); m.Parent == nil && (own || d.whole) {
			out = append(out, DesignChoice{Code: m.Code, Label: m.Label, Own: own})
		}
	}
	return out
}

// now is the text of the document that is served; nil = there is none.
func (d *documentDesk) now() (*string, error) { return overlay.Text(d.pack.FS, d.path) }

// read is the document for its editor; none is named: an empty one.
func (d *documentDesk) read() (out DesignDocument, err error) {
	if d.code == "" {
		return out, nil
	}
	text, err := d.now()
	if err != nil {
		return out, err
	}
	if text == nil {
		return out, fault.New(d.of.missing)
	}
	out.Seen = DigestOf(text)
	if out.Text, err = d.canonical(*text); err != nil {
		return out, err
	}
	by, err := publish.Last(d.ctx, d.app.db, d.pack.Code, d.path)
	if by != nil {
		out.Version = by.Version
	}
	return out, err
}

// canonical is a text in the form of its kind.
func (d *documentDesk) canonical(text string) (string, error) {
	node, err := edit.Parse(text)
	if err != nil {
		return "", err
	}
	return node.JSON(d.layout.Layout(d.of.kind))
}

// check compiles a draft with the other documents as they are now, and changes nothing. The catalog is nil when there are errors.
func (d *documentDesk) check(in Draft) (*DesignCheck, *catalog.Catalog, error) {
	now, err := d.now()
	if err != nil {
		return nil, nil, err
	}
	out := &DesignCheck{Seen: DigestOf(now)}
	if out.Seen != in.Seen {
		if out.ChangedBy, err = d.lastAuthor(); err != nil {
			return nil, nil, err
		}
	}
	c, list, err := d.compiledWith(in.Text)
	if err != nil {
		return nil, nil, err
	}
	out.Diagnostics = d.told(list)
	if out.Ways = []access.Way{}; c != nil {
		out.Ways = access.Ways(d.view.Catalog, c)
		access.CallPeople(out.Ways, d.app.people.Names(d.ctx))
	}
	out.Others, err = d.others()
	return out, c, err
}

// drafts are those that the caller has of the document; where none is named, of documents that the application does not have.
func (d *documentDesk) drafts() ([]DesignDraftKept, error) {
	out := []DesignDraftKept{}
	all, err := publish.DraftsOf(d.ctx, d.app.db, d.view.User(), d.pack.Code)
	for _, one := range all {
		code := strings.TrimSuffix(path.Base(one.Path), path.Ext(one.Path))
		if one.Path != d.kind.Path(code) || d.code != "" && one.Path != d.path || d.code == "" && d.view.Catalog.Document(string(d.of.kind), code) != nil {
			continue
		}
		out = append(out, DesignDraftKept{code, one.Text, one.Seen, one.At})
	}
	return out, err
}

// others are those who have a draft of the document too.
func (d *documentDesk) others() ([]DesignOther, error) {
	out := []DesignOther{}
	all, err := publish.DraftsOfOthers(d.ctx, d.app.db, d.view.User(), d.pack.Code, d.path)
	for _, one := range all {
		if p, ok := d.app.people.Person(d.ctx, one.Owner); ok {
			out = append(out, DesignOther{p.Name, one.At})
		}
	}
	return out, err
}

// keepDraft keeps a draft for the caller. One that says what is served is none.
func (d *documentDesk) keepDraft(in Draft) error {
	text, err := d.canonical(in.Text)
	if err != nil {
		return fault.New(fault.BadParameter, "text")
	}
	now, err := d.now()
	if err != nil {
		return err
	}
	if DigestOf(now) == DigestOf(&text) {
		return d.dropDraft()
	}
	return publish.KeepDraft(d.ctx, d.app.db, publish.Draft{Owner: d.view.User(), Pack: d.pack.Code, Path: d.path, Text: in.Text, Seen: in.Seen, At: d.app.Now()})
}

func (d *documentDesk) dropDraft() error { return d.app.db.Write(d.ctx, d.forget) }

// forget drops the caller's draft in a transaction.
func (d *documentDesk) forget(_ context.Context, tx *store.Tx) error {
	return publish.DropDraft(tx, d.view.User(), d.pack.Code, d.path)
}

// forgetAll drops the drafts that anybody has of the document.
func (d *documentDesk) forgetAll(_ context.Context, tx *store.Tx) error {
	return publish.DropDrafts(tx, d.pack.Code, d.path)
}

// keepDesignDraft keeps what the caller has made of a document; an empty text forgets it.
func (a *App) keepDesignDraft(ctx context.Context, view *authz.View, of *editedKind, in Draft) error {
	d, err := a.draftDesk(ctx, view, of, in)
	if err != nil {
		return err
	}
	if in.Text == "" {
		return d.dropDraft()
	}
	return d.keepDraft(in)
}

// compiledWith compiles all documents with a text in place of that of this one.
func (d *documentDesk) compiledWith(text string) (*catalog.Catalog, diag.List, error) {
	with, err := d.app.cfg.WithPublished(d.ctx, d.app.db)
	if err != nil {
		return nil, nil, err
	}
	if with.only, err = d.app.aside(with); err != nil {
		return nil, nil, err
	}
	with.Held = maps.Clone(with.Held)
	if with.Held == nil {
		with.Held = map[string]map[string]*string{}
	}
	held := maps.Clone(with.Held[d.pack.Code])
	if held == nil {
		held = map[string]*string{}
	}
	held[d.path], with.Held[d.pack.Code] = &text, held
	c, list, err := d.app.compiled(with)
	if err != nil {
		return nil, nil, err
	}
	after, _, err := with.Folders()
	if err != nil {
		return nil, nil, err
	}
	removed, err := d.app.removals(with, d.folders, after, c)
	if removed.HasErrors() {
		c = nil
	}
	return c, inPacks(d.folders, list.With(removed).Sorted()), err
}

// told are the diagnostics that the author of the document gets, of those with named files: its own, and errors of what refers to it.
func (d *documentDesk) told(list diag.List) diag.List {
	out := diag.List{}
	for _, one := range list {
		at := one.File
		inside, own := strings.CutPrefix(at, d.pack.Code+"/")
		switch {
		case own && inside == d.path:
			one.File = d.path
		case one.Severity != diag.Error && one.Code != "REMOVE003":
			continue
		case own:
		case !d.whole:
			one.File = ""
		}
		out = append(out, one)
	}
	return out
}

// lastAuthor names who published the document last; "" = nobody, or the command line.
func (d *documentDesk) lastAuthor() (string, error) {
	by, err := publish.Last(d.ctx, d.app.db, d.pack.Code, d.path)
	if err != nil || by == nil {
		return "", err
	}
	p, _ := d.app.people.Person(d.ctx, by.Author)
	return p.Name, nil
}

// publish publishes a draft, which forget drops with the same transaction. Data of a refusal for a conflict names who changed the document.
func (d *documentDesk) publish(in Draft, forget store.Do) (*DesignDocument, error) {
	node, err := edit.Parse(in.Text)
	if err != nil {
		return nil, fault.New(fault.BadParameter, "text")
	}
	now, err := d.now()
	if err != nil {
		return nil, err
	}
	if err := d.staysInside(now, node); err != nil {
		return nil, err
	}
	text, err := node.JSON(d.layout.Layout(d.of.kind))
	if err != nil {
		return nil, err
	}
	out := &DesignDocument{Version: d.app.State().Catalog.Version, Text: text, Seen: DigestOf(&text)}
	if in.Seen == out.Seen && DigestOf(now) == out.Seen {
		return out, d.app.db.Write(d.ctx, forget) // as it is
	}
	d.set.Files = []Change{{Pack: d.pack.Code, Path: d.path, Text: &text, Seen: in.Seen}}
	d.set.also = append(d.set.also, forget)
	d.set.Note = d.of.note.In(d.view.Principal().Locale) + " " + d.pack.Code + "/" + d.code
	p, err := d.app.publish(d.ctx, d.view, d.set, Confirmation{})
	if err != nil {
		return nil, d.refusal(err)
	}
	out.Version = p.Version
	return out, nil
}

// staysInside refuses what the caller may not change: what reaches beyond the application, unless they administer all of them.
func (d *documentDesk) staysInside(now *string, next *edit.Node) error {
	if d.whole {
		return nil
	}
	var old *edit.Node
	if now != nil {
		var err error
		if old, err = edit.Parse(*now); err != nil {
			return err
		}
	}
	return d.of.inside(d.view.Catalog, d.served.Pack, old, next)
}

// modelInside refuses a document of a model of another pack.
func modelInside(c *catalog.Catalog, pack string, _, now *edit.Node) error {
	if m := c.Model(now.Get("schemaCode").Text()); m != nil && !strings.EqualFold(m.Pack, pack) {
		return fault.New(fault.WorkflowReach, m.Code)
	}
	return nil
}

// refusal gives a refused publication the data that its author may see.
func (d *documentDesk) refusal(err error) error {
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return err
	}
	p, ok := refused.Data.(Publication)
	if !ok {
		return err
	}
	out := DesignCheck{Diagnostics: d.told(p.Diagnostics), Others: []DesignOther{}, Ways: []access.Way{}}
	if len(p.Conflicts) > 0 {
		out.Seen = p.Conflicts[0].Seen
		if out.ChangedBy, err = d.lastAuthor(); err != nil {
			return err
		}
	}
	return &fault.Error{Code: refused.Code, Args: refused.Args, Data: out, Err: refused.Err}
}

// history lists the versions of the document, the newest first.
func (d *documentDesk) history() ([]AppVersion, error) {
	sets, err := publish.Versions(d.ctx, d.app.db, d.pack.Code, d.path, historyOf)
	if err != nil {
		return nil, err
	}
	out := []AppVersion{}
	for _, s := range sets {
		one := AppVersion{Changeset: s}
		if p, ok := d.app.people.Person(d.ctx, s.Author); ok {
			one.Name = p.Name
		}
		out = append(out, one)
	}
	return out, nil
}

// version is the document as a version published it; 0 = the pack's own.
func (d *documentDesk) version(of int64) (string, error) {
	var text *string
	var err error
	if of == 0 {
		text, err = overlay.Text(d.pack.Base, d.path)
	} else {
		text, _, err = publish.Text(d.ctx, d.app.db, d.pack.Code, d.path, of)
	}
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", fault.New(fault.DocumentNotFound)
	}
	return d.canonical(*text)
}
