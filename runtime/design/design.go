package design

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
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
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// Host is the running system, as far as the desk needs it: it holds the documents and publishes them.
type Host interface {
	// Administers reports whether a caller may change an application; "" = all of them.
	Administers(view *authz.View, application string) bool
	// OwnsCode refuses a code that belongs to another application or to the platform.
	OwnsCode(ctx context.Context, view *authz.View, k kind.Kind, pack, code string, created bool) error
	// NewCode refuses what cannot be the code of a new document.
	NewCode(code string) error
	// Pack is a pack that is loaded, with what is published over its files; nil = there is none of the code.
	Pack(ctx context.Context, code string) (*Pack, error)
	// With compiles all documents with a text in place of that of one, and changes nothing. The diagnostics name files below their
	// packs. The catalog is nil when there are errors.
	With(ctx context.Context, pack, path, text string) (*catalog.Catalog, diag.List, error)
	// Look returns what publishing a change would do.
	Look(ctx context.Context, view *authz.View, change Change) (*Plan, error)
	// Publish publishes a change and returns its version. Data of a refusal is Refused.
	Publish(ctx context.Context, view *authz.View, change Change) (int64, error)
	// Layout is the canonical form of each kind of documents.
	Layout() (*schema.Schemas, error)
	// Served is the catalog of now.
	Served() *catalog.Catalog
	// Digest names a text; nil = there is none.
	Digest(text *string) string
}

// Pack is a pack with its files.
type Pack struct {
	Code string
	FS   fs.FS // with what is published over them
	Base fs.FS // its own alone
}

// Change is a document to be published.
type Change struct {
	Pack, Path string
	Text       string
	Seen       string // digest of the text that its author began with
	Note       string
	Also       store.Do // in the transaction that publishes
}

// Plan is what a publication would do, in words.
type Plan struct {
	Steps []plan.Label `json:"steps"` // to the tables, and what becomes of running instances
	Class store.Class  `json:"class"` // the gravest of the steps
}

// Refused is the data of a publication that was refused.
type Refused struct {
	Diagnostics diag.List
	Seen        string // digest of the document that is served, where somebody changed it meanwhile
}

// Kind is all that a kind of documents brings to have a designer.
type Kind struct {
	Of      def.Kind   // of the catalog; its name in calls
	Missing fault.Code // the application has no document of the code
	Note    plan.Label // of a publication; the code follows
	// All are the documents of the kind that are served; nil = those that the catalog keeps by its kind.
	All func(c *catalog.Catalog) []*catalog.Document
	// Free: documents belong to packs that have no application, too.
	Free bool
	// Edits reports whether a person who does not administer the application can edit a document; nil = nobody can.
	Edits func(view *authz.View, of *catalog.Document) bool
	// TakesOver reports whether one of the editors can take the lock over from another person; nil = all of them can.
	TakesOver func(view *authz.View, of *catalog.Document) bool
	// Inside refuses what reaches beyond the pack of an application, from those who administer only that. Old is nil where there is no
	// document yet. Nil = a document reaches nothing.
	Inside func(c *catalog.Catalog, pack string, old, now *edit.Node) error
	// Gone refuses a draft that names a file which its author may not read; 0 = documents of the kind name no files.
	Gone fault.Code
	// ReadOnly: the document is shown, and its file is the only place where it is changed.
	ReadOnly bool
	// Draw is what the canvas shows of a draft in addition to the document itself, as its author sees it; nil = nothing. The catalog has
	// the draft, and is nil where that has errors.
	Draw func(ctx context.Context, d *Desk, c *catalog.Catalog, in Proof) (any, error)
}

// Config is what a Service works with.
type Config struct {
	Host    Host
	DB      *store.DB
	People  *directory.Directory
	Reader  *query.Reader
	Set     *pack.Set
	Flows   *workflow.Service
	Prints  *printing.Service
	Portals func() *portal.Service
	Clock   func() time.Time
	Zone    *time.Location
	Address string // of the installation; "" = it does not know its own
}

// Service is the desk of all documents that have a designer.
type Service struct {
	Config
	kinds   []*Kind
	drafted drafted
}

// New makes the desk of the kinds that the platform has designers for.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.kinds = []*Kind{workflowKind(), printKind(s), portalKind(s), reportKind(), dictionaryKind()}
	return s
}

// Name names a document in calls.
type Name struct {
	Kind string `json:"kind"`
	App  string `json:"appCode"` // application of a new document; "" = that which the document has
	Code string `json:"code"`
}

// Draft is a document on its way to publication.
type Draft struct {
	Name
	New  bool   `json:"new"` // no document has the code yet
	Text string `json:"text"`
	Seen string `json:"seen"` // digest of the document that the author began with
}

// Proof is a draft, and what its kind draws it with.
type Proof struct {
	Draft
	Record  string `json:"objectId"` // a record to draw; "" = none
	Address string `json:"-"`        // at which the caller reaches the system
}

// Choice is something that a document may name.
type Choice struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	Own   bool       `json:"own"`             // it belongs to the application
	Model string     `json:"model,omitempty"` // of a workflow or a print template
}

func (s *Service) now() time.Time { return s.Clock() }

// kind is a kind by its name in calls.
func (s *Service) kind(name string) (*Kind, error) {
	for _, k := range s.kinds {
		if string(k.Of) == name {
			return k, nil
		}
	}
	return nil, fault.New(fault.BadParameter, "kind")
}

// servedOf is the document of a code, or of the code that it has got since; nil = there is none.
func servedOf(c *catalog.Catalog, k *Kind, code string) *catalog.Document {
	if k.All == nil {
		return c.Document(string(k.Of), code)
	}
	for _, d := range k.All(c) {
		if strings.EqualFold(d.Code, code) {
			return d
		}
	}
	return nil
}

// allOf are the documents of a kind that are served.
func allOf(c *catalog.Catalog, k *Kind) []*catalog.Document {
	if k.All != nil {
		return k.All(c)
	}
	return slices.DeleteFunc(slices.Clone(c.Documents), func(d *catalog.Document) bool { return d.Kind != string(k.Of) })
}

// kindOf is a kind as the compiler knows it.
func (s *Service) kindOf(k *Kind) kind.Kind {
	of, _ := compile.Kinds(s.Set).Get(k.Of)
	return of
}

// folder has the documents of a kind in their packs.
func (s *Service) folder(k *Kind) string { return path.Dir(s.kindOf(k).Path("x")) }

// codeOf is the code of the document in a file; "" = it is none of the kind.
func (s *Service) codeOf(k *Kind, file string) string {
	code := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if s.kindOf(k).Path(code) != file {
		return ""
	}
	return code
}

// designing is the application whose documents the caller may design.
func (s *Service) designing(view *authz.View, application string) (*catalog.App, error) {
	if application == "" || !s.Host.Administers(view, application) {
		return nil, fault.New(fault.Forbidden)
	}
	if x := view.Catalog.App(application); x != nil {
		return x, nil
	}
	return nil, fault.New(fault.AppNotFound)
}

// designedModel is a model that documents of an application may be of.
func (s *Service) designedModel(view *authz.View, application, code string) (*catalog.App, *catalog.Model, error) {
	x, err := s.designing(view, application)
	if err != nil {
		return nil, nil, err
	}
	m := view.Catalog.Model(code)
	if m == nil || !strings.EqualFold(m.Pack, x.Pack) && !s.Host.Administers(view, "") {
		return nil, nil, fault.New(fault.ModelNotFound, code)
	}
	return x, m, nil
}

// edits reports whether the caller may edit a document of a pack; of is nil where there is none yet.
func (s *Service) edits(view *authz.View, k *Kind, pack string, of *catalog.Document) bool {
	if view.User() == "" {
		return false
	}
	return s.Host.Administers(view, pack) || k.Edits != nil && of != nil && k.Edits(view, of)
}

// corePack is the pack that is always loaded.
const corePack = "core"

// open opens the desk of a document for a person who can edit it. A document that nobody has yet needs a code that can be one.
func (s *Service) open(ctx context.Context, view *authz.View, n Name) (*Desk, error) {
	k, err := s.kind(n.Kind)
	if err != nil {
		return nil, err
	}
	served := servedOf(view.Catalog, k, n.Code)
	in, code := n.App, n.Code
	switch {
	case served != nil && (k.Free || n.App == ""):
		in, code = served.Pack, served.Code
	case served != nil:
		code = served.Code
	case k.Free:
		in = cmp.Or(in, corePack)
	}
	x := view.Catalog.App(in)
	if x != nil {
		in = x.Pack
	}
	if in == "" || !s.edits(view, k, in, served) {
		return nil, fault.New(fault.Forbidden)
	}
	switch {
	case x == nil && !k.Free:
		return nil, fault.New(fault.AppNotFound)
	case served != nil && !strings.EqualFold(served.Pack, in):
		return nil, fault.New(k.Missing)
	case served == nil && code == "":
		return nil, fault.New(k.Missing)
	case served == nil:
		if err := s.Host.NewCode(code); err != nil {
			return nil, err
		}
	}
	p, err := s.Host.Pack(ctx, in)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fault.New(fault.AppNotFound)
	}
	layout, err := s.Host.Layout()
	if err != nil {
		return nil, err
	}
	if x == nil {
		x = &catalog.App{Pack: p.Code} // a pack without an application
	}
	of := s.kindOf(k)
	d := &Desk{Service: s, of: k, kind: of, view: view, whole: s.Host.Administers(view, ""), app: x, pack: p, layout: layout,
		served: served, code: code, path: of.Path(code)}
	return d, s.Host.OwnsCode(ctx, view, of, p.Code, code, served == nil)
}

// saved opens the desk of a document that is there.
func (s *Service) saved(ctx context.Context, view *authz.View, n Name) (*Desk, error) {
	d, err := s.open(ctx, view, n)
	if err == nil && d.served == nil {
		return nil, fault.New(d.of.Missing)
	}
	return d, err
}

// drafting opens the desk of a draft.
func (s *Service) drafting(ctx context.Context, view *authz.View, in Draft) (*Desk, error) {
	if len(in.Text) > overlay.MaxText {
		return nil, fault.New(fault.BadParameter, "text")
	}
	d, err := s.open(ctx, view, in.Name)
	switch {
	case err != nil:
		return nil, err
	case d.of.ReadOnly:
		return nil, fault.New(fault.Forbidden)
	case d.served == nil && !in.New:
		return nil, fault.New(d.of.Missing)
	case d.served != nil && in.New:
		return nil, fault.New(fault.AppCodeTaken, d.code)
	}
	return d, nil
}

// Begun is a document of which there is only a draft.
type Begun struct {
	Code  string     `json:"code"`
	App   string     `json:"appCode"` // pack that it will belong to
	Label plan.Label `json:"label"`
	Model string     `json:"schemaCode"` // "" = it has none, or does not say which
	State
}

// State is what there is of a document in addition to what is served.
type State struct {
	DraftTime *time.Time `json:"draftTime"` // the draft was changed last; nil = there is none
	DraftBy   *string    `json:"draftBy"`   // name
	Mine      bool       `json:"mine"`      // it is the caller's
	LockedBy  *string    `json:"lockedBy"`  // name of who edits it
}

// Listed is a document in the list of its kind.
type Listed struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
	State
}

// List lists the documents of a kind that an application serves, for those who administer it.
func (s *Service) List(ctx context.Context, view *authz.View, kindName, application string) ([]Listed, error) {
	k, err := s.kind(kindName)
	if err != nil {
		return nil, err
	}
	x, err := s.designing(view, application)
	if err != nil {
		return nil, err
	}
	states, _, err := s.states(ctx, view, k, x.Pack)
	out := []Listed{}
	for _, d := range allOf(view.Catalog, k) {
		if strings.EqualFold(d.Pack, x.Pack) {
			out = append(out, Listed{Code: d.Code, Label: d.Label, State: states[strings.ToLower(d.Code)]})
		}
	}
	return out, err
}

// Begun lists the documents of a kind that were begun and not published, of an application or of all, as far as the caller may edit them.
func (s *Service) Begun(ctx context.Context, view *authz.View, kindName, application string) ([]Begun, error) {
	k, err := s.kind(kindName)
	if err != nil {
		return nil, err
	}
	_, begun, err := s.states(ctx, view, k, application)
	return begun, err
}

// states are the drafts and locks of the documents of a kind that are served, by their codes in small letters, and the documents of which
// there is only a draft.
func (s *Service) states(ctx context.Context, view *authz.View, k *Kind, application string) (map[string]State, []Begun, error) {
	drafts, err := publish.DraftsIn(ctx, s.DB, s.folder(k))
	if err != nil {
		return nil, nil, err
	}
	locks, err := locksOf(ctx, s.DB, k.Of, s.now())
	if err != nil {
		return nil, nil, err
	}
	states, begun := map[string]State{}, []Begun{}
	for code, l := range locks {
		states[code] = State{LockedBy: s.personName(ctx, l.Owner)}
	}
	seen := map[string]bool{}
	for _, d := range drafts { // the last changed first
		code := s.codeOf(k, d.Path)
		key := strings.ToLower(code)
		if code == "" || seen[key+"/"+strings.ToLower(d.Pack)] {
			continue
		}
		seen[key+"/"+strings.ToLower(d.Pack)] = true
		of := State{DraftTime: &d.At, DraftBy: s.personName(ctx, d.Owner), Mine: d.Owner == view.User(), LockedBy: states[key].LockedBy}
		served := servedOf(view.Catalog, k, code)
		switch {
		case served != nil && strings.EqualFold(served.Pack, d.Pack):
			states[key] = of
		case served != nil: // of another application by now
		case application != "" && !strings.EqualFold(d.Pack, application) || !s.edits(view, k, d.Pack, nil):
		default:
			label, model := whatItSays(view.Catalog, code, d.Text)
			begun = append(begun, Begun{Code: code, App: d.Pack, Label: label, Model: model, State: of})
		}
	}
	return states, begun, nil
}

func (s *Service) personName(ctx context.Context, id string) *string {
	if p, ok := s.People.Person(ctx, id); ok {
		return &p.Name
	}
	return nil
}

// whatItSays are the name and the model of a document that is not published, as far as its text says.
func whatItSays(c *catalog.Catalog, code, text string) (label plan.Label, model string) {
	label = plan.Label{Zh: code}
	draft, err := edit.Parse(text)
	if err != nil {
		return label, ""
	}
	if name := draft.Get("name").Text(); name != "" {
		label = plan.Label{Zh: name, I18n: map[string]string{}}
		if english := draft.Get("name_i18n").Get("en").Text(); english != "" {
			label.I18n["en"] = english
		}
	}
	if m := c.Model(draft.Get("schemaCode").Text()); m != nil {
		model = m.Code
	}
	return label, model
}

// DraftShows reports whether the draft of a document that the principal may edit shows an upload.
func (s *Service) DraftShows(tx *store.Tx, view *authz.View, id string) (bool, error) {
	if view.User() == "" {
		return false, nil
	}
	for _, k := range s.kinds {
		if k.Gone == 0 {
			continue
		}
		drafts, err := publish.DraftsWith(tx, s.folder(k), id)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(drafts, func(d publish.Draft) bool {
			return s.edits(view, k, d.Pack, servedOf(view.Catalog, k, s.codeOf(k, d.Path)))
		}) {
			return true, nil
		}
	}
	return false, nil
}
