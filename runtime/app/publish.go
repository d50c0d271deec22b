package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// authoring is the permission of those who publish documents. Roles are documents too, so it is that of administrators.
const authoring = "ADMIN"

// Limits of a changeset: files, and characters of its note.
const (
	maxFiles = 500
	maxNote  = 1000
)

// publishTries is how often a changeset is compiled again because others published other files meanwhile.
const publishTries = 10

// Change is a file of a changeset.
type Change struct {
	Pack string  `json:"pack"`
	Path string  `json:"path"`
	Text *string `json:"text"` // null takes the file away
	Seen string  `json:"seen"` // digest of the text that the author began with; "" = there was no such file
}

// Changeset is what is to be published together.
type Changeset struct {
	Note  string   `json:"note"`
	Files []Change `json:"files"`

	also     []store.Do // what else is done with the publication, in its transaction
	imported bool       // from another installation, whose uploads may have been gone when they left it
}

// Confirmation is what an author says to the steps of a changeset.
type Confirmation struct {
	Steps            string // the digest of the steps that were shown; "" = none were confirmed
	AllowDestructive bool
}

// Publication is what a changeset does, or did.
type Publication struct {
	Version     int64        `json:"version"` // it was compared with, or made
	Diagnostics diag.List    `json:"diagnostics"`
	Conflicts   []Conflict   `json:"conflicts"`
	Steps       []store.Step `json:"steps"`
	Class       store.Class  `json:"class"` // the gravest of the steps
	Digest      string       `json:"digest"`

	Workflows []WorkflowNote `json:"workflows"` // of Look: what becomes of running instances; only for people who administer everything

	Access *access.Report `json:"access"` // of Look: who gains or loses which rights; null where the documents have errors
}

// Conflict is a file that somebody changed since the author began.
type Conflict struct {
	Pack string             `json:"pack"`
	Path string             `json:"path"`
	Seen string             `json:"seen"` // digest of the text that stands there now
	By   *publish.Changeset `json:"by"`   // null: the pack's own file changed
}

// prepared is a changeset with all that applying it needs.
type prepared struct {
	Publication
	catalog *catalog.Catalog
	plan    *store.Plan
	own     overlay.Documents // of the changeset
	changed []changedFile
	follows *following // of documents that are not in the changeset; nil = none
}

// Look tells what publishing a changeset would do, and changes nothing.
func (a *App) Look(ctx context.Context, view *authz.View, set Changeset) (*Publication, error) {
	if err := mayAuthor(view, set.Files); err != nil {
		return nil, err
	}
	return a.lookAt(ctx, view, set)
}

// lookAt is Look for those whose right is known.
func (a *App) lookAt(ctx context.Context, view *authz.View, set Changeset) (*Publication, error) {
	if err := set.valid(); err != nil {
		return nil, err
	}
	for range publishTries {
		p, err := a.prepare(ctx, set)
		if errors.Is(err, store.ErrMoved) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p.catalog != nil {
			if err := a.owned(ctx, view, p); err != nil {
				return nil, err
			}
			if p.Access, err = a.accessChange(ctx, p.catalog); err != nil {
				return nil, err
			}
		}
		if p.catalog != nil && view.Has(authoring) {
			if p.Workflows, err = a.workflowNotes(ctx, p.catalog); err != nil {
				return nil, err
			}
		}
		p.hide(view)
		return &p.Publication, nil
	}
	return nil, fault.Later(fault.Unavailable, 1)
}

// WorkflowNote tells what becomes of the running instances of a workflow, in the words of `sluice plan`.
type WorkflowNote struct {
	Workflow string     `json:"workflowCode"`
	Count    int64      `json:"count"` // instances that run
	Text     plan.Label `json:"text"`  // a line each
}

func (a *App) workflowNotes(ctx context.Context, c *catalog.Catalog) ([]WorkflowNote, error) {
	of, err := workflow.ImpactOf(ctx, a.db, c)
	if err != nil {
		return nil, err
	}
	out := []WorkflowNote{}
	for _, one := range of {
		words := func(locale string) string {
			return strings.TrimSpace(workflow.ImpactText([]workflow.Impact{one}, locale))
		}
		out = append(out, WorkflowNote{Workflow: one.Workflow, Count: one.Count, Text: plan.Label{Zh: words("zh"), I18n: map[string]string{"en": words("en")}}})
	}
	return out, nil
}

// Publish makes a changeset the definitions of all nodes: documents, tables and the version in one transaction. Steps that are not safe
// must have been confirmed. Refusals are fault.Errors whose data is the Publication.
func (a *App) Publish(ctx context.Context, view *authz.View, set Changeset, yes Confirmation) (*Publication, error) {
	if err := mayAuthor(view, set.Files); err != nil {
		return nil, err
	}
	return a.publish(ctx, view, set, yes)
}

// publish is Publish for those whose right is known.
func (a *App) publish(ctx context.Context, view *authz.View, set Changeset, yes Confirmation) (*Publication, error) {
	if err := set.valid(); err != nil {
		return nil, err
	}
	a.swap.Lock()
	defer a.swap.Unlock()
	for range publishTries {
		p, err := a.prepare(ctx, set)
		if err == nil {
			p.hide(view)
			if err = p.refused(yes); err != nil {
				return nil, err
			}
			if err = a.owned(ctx, view, p); err != nil {
				return nil, err
			}
			if err = a.pictured(ctx, view, p.catalog, set); err != nil {
				return nil, err
			}
			err = a.apply(ctx, view, set, p, yes)
		}
		switch {
		case errors.Is(err, store.ErrMoved), errors.Is(err, store.ErrDuplicates): // the plan of now refuses the duplicates with its steps
			continue
		case errors.Is(err, store.ErrNoValue):
			return nil, &fault.Error{Code: fault.PublishNoValue, Args: []any{strings.TrimPrefix(err.Error(), "apply: ")}, Data: p.Publication, Err: err}
		case err != nil:
			return nil, err
		}
		return &p.Publication, nil
	}
	return nil, fault.Later(fault.Unavailable, 1)
}

// valid checks what a changeset is made of.
func (set Changeset) valid() error {
	if len(set.Files) == 0 || len(set.Files) > maxFiles {
		return fault.New(fault.BadParameter, "files")
	}
	if utf8.RuneCountInString(set.Note) > maxNote {
		return fault.New(fault.BadParameter, "note")
	}
	seen := map[string]bool{}
	for i, f := range set.Files {
		at := fmt.Sprintf("files[%d]", i)
		switch name := strings.ToLower(f.Pack) + "/" + f.Path; {
		case !packCode.MatchString(f.Pack):
			return fault.New(fault.BadParameter, at+".pack")
		case !overlay.Valid(f.Path) && !overlay.ValidPicture(f.Path) || seen[name]:
			return fault.New(fault.BadParameter, at+".path")
		case overlay.IsPicture(f.Path) && f.Text != nil:
			if len(*f.Text) > overlay.MaxPicture || !blob.Drawable([]byte(*f.Text)) {
				return fault.New(fault.PortalPicture, f.Path, blob.TypeNames(blob.Pictures), blob.SizeText(overlay.MaxPicture))
			}
			seen[name] = true
		case f.Text != nil && (len(*f.Text) > overlay.MaxText || !utf8.ValidString(*f.Text) || strings.ContainsRune(*f.Text, 0)):
			return fault.New(fault.BadParameter, at+".text")
		default:
			seen[name] = true
		}
	}
	return nil
}

// prepare compiles the documents with a changeset and plans its steps.
func (a *App) prepare(ctx context.Context, set Changeset) (*prepared, error) {
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	p := &prepared{Publication: Publication{Version: d.Version, Diagnostics: diag.List{}, Conflicts: []Conflict{}, Steps: []store.Step{}, Class: store.Safe, Workflows: []WorkflowNote{}}, own: overlay.Documents{}}
	if d.only, err = a.aside(d); err != nil {
		return nil, err
	}
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	merged := overlay.Documents{}
	for code, of := range d.Published {
		merged[code] = slices.Clone(of)
	}
	for _, f := range set.Files {
		folder := Folder{Base: overlay.None}
		folder.Code, folder.FS = f.Pack, overlay.None
		if i := slices.IndexFunc(folders, func(o Folder) bool { return strings.EqualFold(o.Code, f.Pack) }); i >= 0 {
			folder = folders[i]
		}
		base, err := overlay.Text(folder.Base, f.Path)
		if err != nil {
			return nil, err
		}
		now, err := overlay.Text(folder.FS, f.Path)
		if err != nil {
			return nil, err
		}
		if seen := DigestOf(now); seen != f.Seen {
			by, err := publish.Last(ctx, a.db, folder.Code, f.Path)
			if err != nil {
				return nil, err
			}
			p.Conflicts = append(p.Conflicts, Conflict{Pack: folder.Code, Path: f.Path, Seen: seen, By: by})
		}
		document := overlay.Document{Path: f.Path, Text: f.Text, Base: base, Version: d.Version + 1}
		if i := slices.IndexFunc(merged[folder.Code], func(o overlay.Document) bool { return o.Path == f.Path }); i >= 0 {
			document.Since = merged[folder.Code][i].Since
		}
		p.own[folder.Code] = append(p.own[folder.Code], document)
		merged[folder.Code] = append(slices.DeleteFunc(merged[folder.Code], func(o overlay.Document) bool { return o.Path == f.Path }), document)
	}
	if d.Published = merged; d.writesFollowing() {
		p.follows = d.following
	}
	c, list, err := a.compiled(d)
	if err != nil {
		return nil, err
	}
	after, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	removed, err := a.removals(d, folders, after, c)
	if err != nil {
		return nil, err
	}
	recoded := p.otherCodes(folders)
	list = list.With(removed).With(recoded).Sorted()
	p.Diagnostics = append(p.Diagnostics, inPacks(folders, list)...)
	if c == nil || removed.HasErrors() || recoded.HasErrors() || len(p.Conflicts) > 0 {
		return p, nil
	}
	writer := func() (*record.Writer, error) { return a.writer, nil }
	if p.plan, err = planned(ctx, a.cfg, a.db, c, store.PlanOptions{Dev: a.cfg.Dev, Version: d.Version}, writer); err != nil {
		return nil, err
	}
	if p.changed, err = resulting(folders, after, set.Files); err != nil {
		return nil, err
	}
	p.catalog, p.Steps, p.Class = c, append(p.Steps, p.plan.Steps...), p.plan.Class()
	p.Digest = digestOfSteps(p.Steps)
	return p, nil
}

// hide takes the values of records out of the steps for those who may not read all of them.
func (p *prepared) hide(view *authz.View) {
	if view.Has(authoring) {
		return
	}
	for i := range p.Steps {
		p.Steps[i] = p.Steps[i].WithoutExamples()
	}
}

// refused is why a changeset is not applied.
func (p *prepared) refused(yes Confirmation) error {
	refuse := func(c fault.Code, args ...any) error {
		return &fault.Error{Code: c, Args: args, Data: p.Publication}
	}
	switch {
	case len(p.Conflicts) > 0:
		return refuse(fault.PublishConflict, p.Conflicts[0].Pack+"/"+p.Conflicts[0].Path)
	case p.catalog == nil:
		return refuse(fault.PublishFaulty, p.Diagnostics.Errors())
	case p.Class == store.Impossible:
		i := slices.IndexFunc(p.Steps, func(s store.Step) bool { return s.Class == store.Impossible })
		return refuse(fault.PublishImpossible, p.Steps[i].Text)
	case p.Class == store.Destructive && !yes.AllowDestructive:
		return refuse(fault.PublishDestructive)
	case p.Class != store.Safe && yes.Steps != p.Digest:
		return refuse(fault.PublishConfirm)
	}
	return nil
}

// brings reports whether a file of data is one of the changeset.
func (p *prepared) brings(file string) bool {
	for code, of := range p.own {
		for _, d := range of {
			if d.Text != nil && strings.EqualFold(file, code+"/"+d.Path) {
				return true
			}
		}
	}
	return false
}

// apply does it all in one transaction, and then serves it.
func (a *App) apply(ctx context.Context, view *authz.View, set Changeset, p *prepared, yes Confirmation) error {
	ways := access.Ways(a.State().Catalog, p.catalog)
	access.CallPeople(ways, a.people.Names(ctx))
	err := a.db.Apply(ctx, p.plan, store.ApplyOptions{Yes: true, AllowDestructive: yes.AllowDestructive, At: a.Now(), Publish: func(ctx context.Context, tx *store.Tx, version int64) error {
		p.Version = version
		kept := publish.Changeset{Version: version, Author: view.Principal().UserID, At: a.Now(), Note: set.Note}
		all := p.own
		if p.follows != nil {
			if all = p.follows.beside(p.own); kept.Note == "" {
				kept.Note = p.follows.note
			}
			if err := p.follows.changeDrafts(tx); err != nil {
				return err
			}
		}
		if err := publish.Keep(tx, kept, all); err != nil {
			return err
		}
		if err := audit.Write(ctx, tx, publication(version, all)); err != nil {
			return err
		}
		for _, e := range openedWays(version, ways) {
			if err := audit.Write(ctx, tx, e); err != nil {
				return err
			}
		}
		for _, do := range set.also {
			if err := do(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	store.Published(ctx, p.Version)
	over := store.AtVersion(context.WithoutCancel(ctx), p.Version) // it is published, whoever waits for the answer
	p.catalog.Version = p.Version
	refused, err := a.use(over, p.catalog)
	if errors.Is(err, store.ErrSchemaMoved) { // somebody has published since, and that is served next
		a.lookAgain()
		return nil
	}
	if err != nil {
		_ = a.fallBehind(&Behind{Version: p.Version, Err: err})
		a.lookAgain()
		return err
	}
	a.tellConflicts(nil, p.Diagnostics)
	for _, d := range refused {
		if d.File != "" && p.brings(d.File) {
			p.Diagnostics = append(p.Diagnostics, d)
		}
	}
	a.cfg.Log.Info("published", "version", p.Version, "author", view.Principal().UserID, "files", len(set.Files))
	a.announce("catalog", p.catalog.Digest)
	a.catchUp()
	return nil
}

// digestOfSteps names what steps do, without how many rows they meet.
func digestOfSteps(steps []store.Step) string {
	sum := sha256.New()
	for _, s := range steps {
		text, _ := json.Marshal([]string{string(s.Action), string(s.Class), s.Table, s.Column, s.Model, s.Property, s.From, s.To}) // of texts it does not fail
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// DigestOf names a text; "" is that of a file that is not there.
func DigestOf(text *string) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(*text))
	return hex.EncodeToString(sum[:])
}

// Document is a file of a pack as it is served, for its author.
type Document struct {
	Pack      string  `json:"pack"`
	Path      string  `json:"path"`
	Published int64   `json:"published"` // the version that published it; 0 = it is the pack's own
	Own       bool    `json:"own"`       // the pack has a file of its own there
	Seen      string  `json:"seen"`      // digest of the text, "" where the file was taken away
	Text      *string `json:"text,omitempty"`
	Base      *string `json:"base,omitempty"` // the pack's own text

	Warnings diag.List `json:"warnings"` // of documents that were published and changed in their pack too, or have a code that another has
}

// DocumentList lists the files of all packs.
func (a *App) DocumentList(ctx context.Context, view *authz.View) ([]Document, error) {
	if !authors(view) {
		return nil, fault.New(fault.Forbidden)
	}
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	out := []Document{}
	for _, f := range folders {
		files, err := d.files(f)
		if err != nil {
			return nil, err
		}
		files = slices.DeleteFunc(files, func(one Document) bool { return !mayWrite(view, f.Code, one.Path) })
		for i := range files {
			files[i].Text, files[i].Base = nil, nil
			files[i].Warnings = a.toldOf(f, files[i].Path)
		}
		out = append(out, files...)
	}
	return out, nil
}

// DocumentText reads a file as it is served, or with a version as that published it.
func (a *App) DocumentText(ctx context.Context, view *authz.View, pack, path string, version int64) (*Document, error) {
	if !mayWrite(view, pack, path) {
		return nil, fault.New(fault.Forbidden)
	}
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	folders, _, err := d.Folders()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(folders, func(f Folder) bool { return strings.EqualFold(f.Code, pack) })
	if i < 0 || !overlay.Valid(path) {
		return nil, fault.New(fault.DocumentNotFound)
	}
	out, err := d.file(folders[i], path)
	if err != nil {
		return nil, err
	}
	out.Warnings = a.toldOf(folders[i], path)
	if version > 0 {
		text, ok, err := publish.Text(ctx, a.db, folders[i].Code, path, version)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fault.New(fault.DocumentNotFound)
		}
		out.Text, out.Published = text, version
	} else if out.Text == nil && out.Base == nil && out.Published == 0 {
		return nil, fault.New(fault.DocumentNotFound)
	}
	return &out, nil
}

// History lists what was published, the newest first.
func (a *App) History(ctx context.Context, view *authz.View, below int64, most int) ([]publish.Changeset, error) {
	if !view.Has(authoring) {
		return nil, fault.New(fault.Forbidden)
	}
	return publish.History(ctx, a.db, below, most)
}
