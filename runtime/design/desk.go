package design

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Desk is the desk of one document, for a person who can edit it.
type Desk struct {
	*Service
	of     *Kind
	kind   kind.Kind
	view   *authz.View
	whole  bool         // what reaches other applications may be changed too
	app    *catalog.App // its code is "" where the pack has no application
	pack   *Pack
	layout *schema.Schemas
	served *catalog.Document // nil = nobody has published it yet
	code   string            // as its file has it
	path   string            // of its file in the pack
}

// Document is a document for its designer (api.yaml DesignDocument).
type Document struct {
	Kind     string      `json:"kind"`
	Code     string      `json:"code"`
	App      *string     `json:"appCode"`
	AppLabel *plan.Label `json:"appLabel"`
	New      bool        `json:"new"`      // no document has the code yet
	Whole    bool        `json:"whole"`    // what reaches other applications may be changed too
	ReadOnly bool        `json:"readOnly"` // it is changed in its file alone
	Text     string      `json:"text"`     // in its canonical form; "" = of a new one
	Seen     string      `json:"seen"`     // digest that its publication has to name
	Version  int64       `json:"version"`  // that published it; 0 = it is the pack's own
	Draft    *Kept       `json:"draft"`    // what was made of it and not published
	Older    []Kept      `json:"older"`    // drafts that others left behind, the last changed first
	Lock     Lock        `json:"lock"`
}

// Kept is a draft that the server keeps.
type Kept struct {
	Text   string    `json:"text"`
	Seen   string    `json:"seen"` // digest of the document that it began with
	At     time.Time `json:"time"`
	By     string    `json:"by"`
	ByName string    `json:"byName"`
}

// Lock is who edits a document, for its readers.
type Lock struct {
	Locked    bool    `json:"locked"`
	Mine      bool    `json:"mine"`
	Owner     *string `json:"owner"`
	OwnerName *string `json:"ownerName"`
	ExpireIn  int     `json:"expireIn"` // seconds
	MayTake   bool    `json:"mayTake"`  // the caller may take it over from somebody else
}

// Check is what the compiler says to a draft.
type Check struct {
	Diagnostics diag.List    `json:"diagnostics"` // of the draft, and errors of what refers to it
	Seen        string       `json:"seen"`        // digest of the document that is served now
	ChangedBy   string       `json:"changedBy"`   // who published that last, where it is not what the author began with
	Ways        []access.Way `json:"ways"`        // to records besides roles that the draft opens or widens
	Drawn       any          `json:"drawn"`       // what the canvas of the kind shows of it
}

// Published is a document that was published.
type Published struct {
	Text    string `json:"text"`
	Seen    string `json:"seen"`
	Version int64  `json:"version"`
}

// Version is a version of a document.
type Version struct {
	publish.Changeset
	Name string `json:"name"` // of its author
}

// own reports whether something of a pack belongs to the application of the document.
func (d *Desk) own(pack string) bool { return strings.EqualFold(pack, d.app.Pack) }

// now is the text of the document that is served; nil = there is none.
func (d *Desk) now() (*string, error) { return overlay.Text(d.pack.FS, d.path) }

// canonical is a text in the form of its kind.
func (d *Desk) canonical(text string) (string, error) {
	node, err := edit.Parse(text)
	if err != nil {
		return "", err
	}
	return node.JSON(d.layout.Layout(d.of.Of))
}

// Document reads a document for its designer.
func (s *Service) Document(ctx context.Context, view *authz.View, n Name) (*Document, error) {
	d, err := s.open(ctx, view, n)
	if err != nil {
		return nil, err
	}
	return d.read(ctx)
}

func (d *Desk) read(ctx context.Context) (*Document, error) {
	out := &Document{Kind: string(d.of.Of), Code: d.code, New: d.served == nil, Whole: d.whole, ReadOnly: d.of.ReadOnly, Older: []Kept{}}
	if d.app.Code != "" {
		out.App, out.AppLabel = &d.app.Code, &d.app.Label
	}
	if d.served != nil {
		text, err := d.now()
		if err != nil {
			return nil, err
		}
		if text == nil {
			return nil, fault.New(d.of.Missing)
		}
		out.Seen = d.Host.Digest(text)
		if out.Text, err = d.canonical(*text); err != nil {
			return nil, err
		}
		by, err := publish.Last(ctx, d.DB, d.pack.Code, d.path)
		if err != nil {
			return nil, err
		}
		if by != nil {
			out.Version = by.Version
		}
	}
	kept, err := d.drafts(ctx)
	if err != nil {
		return nil, err
	}
	if len(kept) > 0 {
		out.Draft, out.Older = &kept[0], kept[1:]
	}
	out.Lock, err = d.lock(ctx)
	return out, err
}

// drafts are what was made of the document, the last changed first. Who edits it has the lock, so the first one is that of all.
func (d *Desk) drafts(ctx context.Context) ([]Kept, error) {
	all, err := publish.DraftsOfOthers(ctx, d.DB, "", d.pack.Code, d.path)
	out := []Kept{}
	for _, one := range all {
		kept := Kept{Text: one.Text, Seen: one.Seen, At: one.At, By: one.Owner}
		if name := d.personName(ctx, one.Owner); name != nil {
			kept.ByName = *name
		}
		out = append(out, kept)
	}
	return out, err
}

// Check compiles a draft with the other documents as they are now, and changes nothing.
func (s *Service) Check(ctx context.Context, view *authz.View, in Proof) (*Check, error) {
	d, err := s.drafting(ctx, view, in.Draft)
	if err != nil {
		return nil, err
	}
	now, err := d.now()
	if err != nil {
		return nil, err
	}
	out := &Check{Seen: d.Host.Digest(now), Ways: []access.Way{}}
	if out.Seen != in.Seen {
		if out.ChangedBy, err = d.lastAuthor(ctx); err != nil {
			return nil, err
		}
	}
	c, list, err := d.with(ctx, in.Text)
	if err != nil {
		return nil, err
	}
	out.Diagnostics = d.told(list)
	if c != nil {
		out.Ways = access.Ways(view.Catalog, c)
		access.CallPeople(out.Ways, s.People.Names(ctx))
	}
	if d.of.Draw != nil {
		out.Drawn, err = d.of.Draw(ctx, d, c, in)
	}
	return out, err
}

// with compiles all documents with a text in place of that of this one.
func (d *Desk) with(ctx context.Context, text string) (*catalog.Catalog, diag.List, error) {
	return d.Host.With(ctx, d.pack.Code, d.path, text)
}

// told are the diagnostics that the author of the document gets, of those with files below their packs: its own, and errors of what refers
// to it.
func (d *Desk) told(list diag.List) diag.List {
	out := diag.List{}
	for _, one := range list {
		inside, own := strings.CutPrefix(one.File, d.pack.Code+"/")
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
func (d *Desk) lastAuthor(ctx context.Context) (string, error) {
	by, err := publish.Last(ctx, d.DB, d.pack.Code, d.path)
	if err != nil || by == nil {
		return "", err
	}
	p, _ := d.People.Person(ctx, by.Author)
	return p.Name, nil
}

// Lock takes or renews the edit lock of a document, and returns who has it. over takes it from another person.
func (s *Service) Lock(ctx context.Context, view *authz.View, n Name, over bool) (Lock, error) {
	d, err := s.open(ctx, view, n)
	if err != nil {
		return Lock{}, err
	}
	if d.of.ReadOnly || over && !d.mayTake() {
		return Lock{}, fault.New(fault.Forbidden)
	}
	l, err := TakeLock(ctx, s.DB, d.of.Of, d.code, view.User(), over, s.now())
	return d.toldLock(ctx, l), err
}

// Unlock gives the edit lock of a document back.
func (s *Service) Unlock(ctx context.Context, view *authz.View, n Name) error {
	k, err := s.kind(n.Kind)
	if err != nil {
		return err
	}
	return DropLock(ctx, s.DB, k.Of, n.Code, view.User())
}

func (d *Desk) mayTake() bool {
	return d.of.TakesOver == nil || d.Host.Administers(d.view, d.pack.Code) || d.served != nil && d.of.TakesOver(d.view, d.served)
}

func (d *Desk) lock(ctx context.Context) (Lock, error) {
	l, err := LockOf(ctx, d.DB, d.of.Of, d.code, d.Service.now())
	return d.toldLock(ctx, l), err
}

func (d *Desk) toldLock(ctx context.Context, l Holder) Lock {
	out := Lock{ExpireIn: int(LockKept.Seconds()), MayTake: d.mayTake()}
	if l.Owner != "" {
		out.Locked, out.Mine = true, l.Owner == d.view.User()
		name := ""
		if of := d.personName(ctx, l.Owner); of != nil {
			name = *of
		}
		out.Owner, out.OwnerName = &l.Owner, &name
		out.ExpireIn = max(0, int(l.Until.Sub(d.Service.now()).Seconds()))
	}
	return out
}

// holding opens the desk of a draft for who has the edit lock of the document.
func (s *Service) holding(ctx context.Context, view *authz.View, in Draft) (*Desk, error) {
	d, err := s.drafting(ctx, view, in)
	if err != nil {
		return nil, err
	}
	return d, d.holds(ctx)
}

// holds refuses a change by a person who does not have the edit lock.
func (d *Desk) holds(ctx context.Context) error {
	l, err := d.lock(ctx)
	if err != nil || l.Mine {
		return err
	}
	name := ""
	if l.OwnerName != nil {
		name = *l.OwnerName
	}
	return &fault.Error{Code: fault.EditLockLost, Args: []any{name}, Data: l}
}

// Keep keeps the draft of a document and returns when. The caller has the edit lock. A text that says what is served is forgotten,
// where nobody has another one.
func (s *Service) Keep(ctx context.Context, view *authz.View, in Draft) (time.Time, error) {
	at := s.now().UTC().Truncate(time.Millisecond)
	d, err := s.holding(ctx, view, in)
	if err != nil {
		return at, err
	}
	if err := d.mayName(ctx, in.Text); err != nil {
		return at, err
	}
	same, err := d.isServed(in.Text)
	if err != nil {
		return at, err
	}
	if same {
		all, err := d.drafts(ctx)
		if err != nil {
			return at, err
		}
		if !slices.ContainsFunc(all, func(o Kept) bool { return o.By != view.User() }) {
			return at, s.DB.Write(ctx, d.forget)
		}
	}
	kept := publish.Draft{Owner: view.User(), Pack: d.pack.Code, Path: d.path, Text: in.Text, Seen: in.Seen, At: at}
	return at, publish.KeepDraft(ctx, s.DB, kept)
}

// isServed reports whether a text says what is served. What is no JSON says nothing.
func (d *Desk) isServed(text string) (bool, error) {
	now, err := d.now()
	if err != nil || now == nil {
		return false, err
	}
	is, err := d.canonical(*now)
	if err != nil {
		return false, err
	}
	of, err := d.canonical(text)
	return err == nil && of == is, nil //nolint:nilerr // a draft may be anything
}

// forget drops the drafts that anybody has of the document, in a transaction.
func (d *Desk) forget(_ context.Context, tx *store.Tx) error {
	return publish.DropDrafts(tx, d.pack.Code, d.path)
}

// mostIDs is how many ids a draft may name.
const mostIDs = 1000

var anID = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// mayName refuses a draft that names a file which its author may not read: who takes the draft over may read what it names.
func (d *Desk) mayName(ctx context.Context, text string) error {
	if d.of.Gone == 0 {
		return nil
	}
	ids := anID.FindAllString(text, -1)
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) > mostIDs {
		return fault.New(fault.BadParameter, "text")
	}
	for _, id := range ids {
		_, err := d.Reader.Kept(ctx, id)
		if fault.Of(err) == fault.FileNotFound { // the id of something else, or a picture that is gone, which its publication tells
			continue
		}
		if err == nil {
			_, err = d.Reader.File(ctx, d.view, id)
		}
		if fault.Of(err) == fault.FileNotFound {
			return fault.New(d.of.Gone, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Discard forgets what was made of a document and not published. The caller has the edit lock.
func (s *Service) Discard(ctx context.Context, view *authz.View, n Name) error {
	d, err := s.open(ctx, view, n)
	if err != nil {
		return err
	}
	if err := d.holds(ctx); err != nil {
		return err
	}
	return s.DB.Write(ctx, d.forget)
}

// Plan returns what publishing a draft would do.
func (s *Service) Plan(ctx context.Context, view *authz.View, in Draft) (*Plan, error) {
	d, err := s.drafting(ctx, view, in)
	if err != nil {
		return nil, err
	}
	change, err := d.change(in)
	if err != nil {
		return nil, err
	}
	return s.Host.Look(ctx, view, *change)
}

// change is a draft as it is published.
func (d *Desk) change(in Draft) (*Change, error) {
	node, err := edit.Parse(in.Text)
	if err != nil {
		return nil, fault.New(fault.BadParameter, "text")
	}
	if err := d.staysInside(node); err != nil {
		return nil, err
	}
	text, err := node.JSON(d.layout.Layout(d.of.Of))
	if err != nil {
		return nil, err
	}
	note := d.of.Note.In(d.view.Principal().Locale) + " " + d.pack.Code + "/" + d.code
	return &Change{Pack: d.pack.Code, Path: d.path, Text: text, Seen: in.Seen, Note: note, Also: d.forget}, nil
}

// Publish publishes a draft, which is forgotten with it. The caller has the edit lock. Data of a refusal is a Check.
func (s *Service) Publish(ctx context.Context, view *authz.View, in Draft) (*Published, error) {
	d, err := s.holding(ctx, view, in)
	if err != nil {
		return nil, err
	}
	change, err := d.change(in)
	if err != nil {
		return nil, err
	}
	now, err := d.now()
	if err != nil {
		return nil, err
	}
	out := &Published{Text: change.Text, Seen: s.Host.Digest(&change.Text), Version: s.Host.Served().Version}
	if in.Seen == out.Seen && s.Host.Digest(now) == out.Seen {
		return out, s.DB.Write(ctx, d.forget) // as it is
	}
	out.Version, err = s.Host.Publish(ctx, view, *change)
	if err != nil {
		return nil, d.refusal(ctx, err)
	}
	return out, nil
}

// staysInside refuses what the caller may not change: what reaches beyond the application, unless they administer all of them.
func (d *Desk) staysInside(next *edit.Node) error {
	if d.whole || d.of.Inside == nil {
		return nil
	}
	now, err := d.now()
	if err != nil {
		return err
	}
	var old *edit.Node
	if now != nil {
		if old, err = edit.Parse(*now); err != nil {
			return err
		}
	}
	return d.of.Inside(d.view.Catalog, d.app.Pack, old, next)
}

// refusal gives a refused publication the data that its author may see.
func (d *Desk) refusal(ctx context.Context, err error) error {
	var refused *fault.Error
	if !errors.As(err, &refused) {
		return err
	}
	data, ok := refused.Data.(Refused)
	if !ok {
		return err
	}
	out := Check{Diagnostics: d.told(data.Diagnostics), Seen: data.Seen, Ways: []access.Way{}}
	if data.Seen != "" {
		if out.ChangedBy, err = d.lastAuthor(ctx); err != nil {
			return err
		}
	}
	return &fault.Error{Code: refused.Code, Args: refused.Args, Data: out, Err: refused.Err}
}

// mostVersions is how many versions a history has.
const mostVersions = 100

// History lists the versions of a document, the newest first.
func (s *Service) History(ctx context.Context, view *authz.View, n Name) ([]Version, error) {
	d, err := s.saved(ctx, view, n)
	if err != nil {
		return nil, err
	}
	sets, err := publish.Versions(ctx, s.DB, d.pack.Code, d.path, mostVersions)
	if err != nil {
		return nil, err
	}
	out := []Version{}
	for _, set := range sets {
		one := Version{Changeset: set}
		if name := s.personName(ctx, set.Author); name != nil {
			one.Name = *name
		}
		out = append(out, one)
	}
	return out, nil
}

// Version is a document as a version published it, in its canonical form; 0 = the pack's own.
func (s *Service) Version(ctx context.Context, view *authz.View, n Name, version int64) (string, error) {
	d, err := s.saved(ctx, view, n)
	if err != nil {
		return "", err
	}
	var text *string
	if version == 0 {
		text, err = overlay.Text(d.pack.Base, d.path)
	} else {
		text, _, err = publish.Text(ctx, s.DB, d.pack.Code, d.path, version)
	}
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", fault.New(fault.DocumentNotFound)
	}
	return d.canonical(*text)
}
