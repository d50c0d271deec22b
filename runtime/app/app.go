package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// Config of a running system.
type Config struct {
	Documents
	Name        string // of the installation, in page titles; "" = Sluice
	HomeApp     string // code of the application that the start page opens; "" = the list of all
	URL         string // "postgres://..."; "" = SQLite in Dir
	Dir         string
	Files       string // place of uploaded files, a folder or s3://bucket; "" = the folder files in Dir
	Dev         bool   // renames are safe, pages follow the files
	Idle        bool   // nothing goes on beside what the caller asks for: for commands that build indexes themselves
	Attach      bool   // take the tables as they are: for commands that know only the packs core and organisation
	Serving     bool   // on SQLite no other process serves the folder meanwhile
	Existing    bool   // the database must be there and fit the documents: nothing is made and no step taken
	Hold        bool   // leave steps of the engine's tables, too, to a plan that a person looks at
	SetupSecret secret.Text
	Key         secret.Text // seals the keys in the database; "" = that of KeyFile
	KeyFile     string      // "" = the file sluice.key in Dir, made when missing
	Version     string
	RecycleDays int                   // how long deleted records can be brought back; 0 = 30 days, less = not at all
	Workers     int                   // background jobs that this process runs at once; 0 = none
	Jobs        map[string]job.Worker // by kind, beside those of the services

	Address      string          // at which browsers reach the system, for links in files: "https://sluice.example.com"; "" = files link to nothing
	Providers    []oidc.Provider // where people can prove who they are, beside the password; need Address
	Channels     Channels        // by which people hear of messages beside the message center
	StartAgain   time.Duration   // between two tries to start workflows of data files that were refused; 0 = 1 min
	KeepExports  time.Duration   // how long the files of exports stay; 0 = 30 days
	KeepAudit    time.Duration   // how long entries of the audit log stay; 0 = for good
	KeepMessages time.Duration   // how long messages stay after they were read; 0 = for ever
	Busy         time.Duration   // to wait for another process that writes into SQLite; 0 = five seconds
	Readers      int             // transactions that read SQLite at once; 0 = twice the processors, at least four
	Patience     time.Duration   // how long writes go on waiting for such a process, which is logged; 0 = no longer

	Clock  func() time.Time
	Log    *slog.Logger
	Recent *Recent // the last errors of Log; nil = they are not kept
}

// State is the catalog with the rights compiled from it. It is never changed; the App swaps it whole.
type State struct {
	Catalog *catalog.Catalog
	Policy  *authz.Policy
}

// App is the running system.
type App struct {
	cfg      Config
	db       *store.DB
	people   *directory.Directory
	pending  atomic.Bool               // workflows that data files start are not all started
	refused  atomic.Pointer[diag.List] // of them at the last try
	places   *directory.Places
	auth     *authn.Service
	setup    *authn.Setup
	reader   *query.Reader
	saved    *savedfilter.Service
	drafts   *draft.Service
	home     *home.Service
	branding atomic.Pointer[Branding]
	branded  chan struct{}
	writer   *record.Writer
	bulk     *bulk.Service
	importer *importer.Service
	export   *exporter.Service
	prints   *printing.Service
	designs  *design.Service
	jobs     *job.Queue
	files    *blob.Service

	messages *notify.Service
	channels *channel.Service
	comments *comment.Service
	flows    *workflow.Service

	events                    *Events
	opened                    time.Time // before anybody could listen or write
	databaseReady, filesReady readiness
	node                      node // this process, where it serves
	space                     space

	checking atomic.Bool // the streams are about to be checked

	state    atomic.Pointer[State]
	swap     sync.Mutex // one reload, publication or taking over at a time
	look     chan struct{}
	behind   atomic.Pointer[Behind]
	told     atomic.Pointer[diag.List] // what tellConflicts was given last of published documents
	catching atomic.Int32              // calls of catchUp that have not been answered
	schemas  func() (*schema.Schemas, error)
	swapped  bell
	dev      development
	work     sync.WaitGroup
	unlock   func() error

	background context.Context // of work beside requests, to which it yields
	stop       context.CancelFunc
}

// Open compiles the documents, brings the database to their storage by safe steps, writes the packs' data and starts the
// services. Errors of documents are *Faulty, steps that need a person *Blocked.
func Open(ctx context.Context, cfg Config) (*App, error) {
	if cfg.Name == "" {
		cfg.Name = "Sluice"
	}
	if err := cfg.checkFolders(); err != nil { // before anything is made
		return nil, err
	}
	cfg.cache = &compile.Cache{}
	a := &App{cfg: cfg, events: newEvents(), look: make(chan struct{}, 1), branded: make(chan struct{}, 1), unlock: func() error { return nil },
		schemas: sync.OnceValues(cfg.schemas)}
	var err error
	if cfg.Serving && cfg.URL == "" {
		if a.unlock, err = store.Hold(ctx, cfg.Dir); err != nil {
			return nil, err
		}
	}
	cfg.sweepRestores(ctx)
	if a.db, err = OpenStore(ctx, cfg); err != nil {
		return nil, errors.Join(err, a.unlock())
	}
	if err := a.open(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Initialized reports whether definitions have been applied to the database; it makes none.
func Initialized(ctx context.Context, cfg Config) (bool, error) {
	return store.Exists(ctx, cfg.store())
}

func (cfg Config) store() store.Options {
	tables := append(authn.Tables(), record.Tables()...)
	tables = slices.Concat(tables, publish.Tables(), blob.Tables(), job.Tables(), bulk.Tables(), importer.Tables(), exporter.Tables(), printing.Tables(), portal.Tables(), design.Tables(), savedfilter.Tables(), draft.Tables(), notify.Tables(), channel.Tables(), comment.Tables(), audit.Tables(), home.Tables(), workflow.Tables(), []any{&setting{}, &scheduled{}, &node{}})
	return store.Options{URL: cfg.URL, Dir: cfg.Dir, Log: cfg.Log, Clock: cfg.Clock, System: tables, Busy: cfg.Busy, Readers: cfg.Readers, Patience: cfg.Patience, Hold: cfg.Hold,
		Renamed: followNames, Nodes: workflow.KeptNodes}
}

// OpenStore opens the database with the engine's tables of all services. Steps of these that need a person are *Blocked.
func OpenStore(ctx context.Context, cfg Config) (*store.DB, error) {
	o := cfg.store()
	if cfg.Existing {
		if ok, err := store.Exists(ctx, o); err != nil || !ok {
			return nil, cmp.Or(err, error(&NoDatabase{Dir: cfg.Dir, Server: cfg.URL != ""}))
		}
	}
	db, err := store.Open(ctx, o)
	if held := (*store.UnconfirmedError)(nil); errors.As(err, &held) {
		err = &Blocked{Plan: held.Plan}
	}
	return db, err
}

func (a *App) open(ctx context.Context) error {
	a.places = directory.NewPlaces(a.db)
	a.cfg.Places = a.places
	c, mark, err := a.begin(ctx)
	if err != nil {
		return err
	}
	if a.people, err = directory.New(ctx, a.db, c); err != nil {
		return err
	}
	providers, err := oidc.New(a.cfg.Providers, a.cfg.Address, a.cfg.Clock)
	if err != nil {
		return err
	}
	if a.auth, err = authn.New(ctx, authn.Options{DB: a.db, People: a.people, Clock: a.cfg.Clock, Log: a.cfg.Log, Master: a.cfg.master,
		Providers: providers, Demands: a.demandsFactor, ByEmail: a.people.ByEmail, Guarded: a.administrates, Create: a.personFor}); err != nil {
		return err
	}
	a.db.OnChange(a.checkStreams)
	a.writer = record.New(a.db, a.cfg.Set, a.people, a.cfg.Zone, a.cfg.Clock, a.followPeople, a.followRights, a.followRecords)
	a.writer.AfterData(a.places.Written)
	if days := a.cfg.RecycleDays; days != 0 {
		a.writer.KeepDeleted(time.Duration(max(days, 0)) * 24 * time.Hour)
	}
	a.reader = query.New(a.db, a.people, a.places, a.cfg.Zone, a.cfg.Clock, a.auth.CursorKey())
	a.writer.CopyFiles(a.reader.ReadsFile)
	a.writer.Worlds(a.within)
	a.bulk = bulk.New(bulk.Config{DB: a.db, Reader: a.reader, Writer: a.writer, People: a.people, Clock: a.cfg.Clock, Zone: a.cfg.Zone, Caller: a.caller,
		Policy: a.policy})
	a.importer = importer.New(importer.Config{DB: a.db, Reader: a.reader, Writer: a.writer, People: a.people, Files: a.Files, Clock: a.cfg.Clock, Zone: a.cfg.Zone, Caller: a.caller,
		Policy: a.policy})
	a.export = exporter.New(exporter.Config{DB: a.db, Reader: a.reader, Policy: a.policy, Caller: a.caller, Clock: a.cfg.Clock, Zone: a.cfg.Zone,
		Address: a.cfg.Address, Keep: a.cfg.KeepExports})
	a.saved = savedfilter.New(a.db, a.reader, a.cfg.Clock)
	a.drafts = draft.New(a.db, a.cfg.Clock, func(view *authz.View, code string) error { return a.Workflows().Starts(view, code) })
	a.home = home.New(a.db, a.reader, a.cfg.Clock)
	a.initNotifications()
	a.makeWorkflows()
	a.prints = &printing.Service{DB: a.db, Reader: a.reader, Workflows: a.flows, Exports: a.export, Clock: a.cfg.Clock, Zone: a.cfg.Zone, Address: a.cfg.Address, Key: a.auth.PaperKey(),
		Logo: func() []byte { return a.Branding().Logo }, TellsTime: a.tellsTime}
	a.export.Add(a.prints.Maker())
	a.makeDesigns()
	a.reader.LetReadFiles(func(_ context.Context, tx *store.Tx, view *authz.View, id string) (bool, error) {
		if a.Portals().ShowsFile(view, id) || a.printShows(view, id) {
			return true, nil
		}
		return a.designs.DraftShows(tx, view, id)
	})
	if _, err := a.use(ctx, c); err != nil {
		return err
	}
	if err := a.readBranding(ctx); err != nil {
		return err
	}
	if err := a.remember(ctx, mark); err != nil {
		return fmt.Errorf("remember the documents: %w", err)
	}
	if !a.cfg.Attach && !a.cfg.Existing { // commands that look after people make no folder
		place, err := a.cfg.filesAt()
		if err != nil {
			return err
		}
		if a.files, err = blob.Open(ctx, a.db, place, a.cfg.Clock); err != nil {
			return err
		}
		a.prints.Files = a.files
		a.files.SpareThose(a.holdsFile)
	}
	a.setup = a.auth.NewSetup(a.cfg.SetupSecret, a.firstAdministrator)
	a.background, a.stop = context.WithCancel(store.Background(context.WithoutCancel(ctx)))
	a.opened = a.Now()
	if a.cfg.Idle {
		return nil
	}
	if err := errors.Join(a.flows.CatchUp(ctx), design.Retire(ctx, a.db)); err != nil {
		return err
	}
	if a.cfg.Serving { // to others nobody signs in
		a.auth.KeysAhead()
	}
	a.catchUp()
	a.db.OnChange(a.tablesChanged)
	a.work.Go(a.followBranding)
	a.db.Follows()
	a.work.Go(a.followPublished)
	a.work.Go(a.followChanges)
	a.followTalk()
	a.work.Go(a.fireTimers)
	if a.files != nil {
		a.files.DrawAhead(a.background)
		a.work.Go(a.sweepFiles)
	}
	if a.cfg.Serving {
		a.tellAddress(a.State().Catalog)
		a.node = a.thisNode()
		a.work.Go(a.keepStarting)
		a.work.Go(a.keepNode)
	}
	return a.startJobs(ctx)
}

// begin compiles the documents and brings the database to them; others may publish meanwhile.
func (a *App) begin(ctx context.Context) (c *catalog.Catalog, mark checked, err error) {
	for range publishTries {
		if err := a.cfg.readPublished(ctx, a.db); err != nil {
			return nil, checked{}, err
		}
		now, old, err := a.marks(ctx)
		if err != nil {
			return nil, checked{}, err
		}
		if now.Documents == "" || now.Documents != old.Documents { // those that were applied last rename nothing
			if err := a.cfg.followRenames(ctx, a.db); err != nil {
				return nil, checked{}, err
			}
		}
		var list diag.List
		if c, list, mark, err = a.compile(now, old); err != nil {
			return nil, checked{}, err
		}
		if c == nil {
			a.logWarnings(list)
			return nil, checked{}, &Faulty{List: list}
		}
		if err = a.rolesStay(ctx, c); err == nil {
			err = a.migrate(ctx, c)
		}
		if errors.Is(err, store.ErrMoved) {
			continue
		}
		if blocked := (*Blocked)(nil); a.cfg.Dev && errors.As(err, &blocked) {
			c, list, err = a.beginHolding(ctx, blocked)
		}
		folders, _, _ := a.cfg.Documents.Folders() // which were read for the list
		a.tellConflicts(folders, list)
		a.logWarnings(list)
		return c, mark, err
	}
	return nil, checked{}, err
}

// catchUp builds indexes and computes by new formulas while the system serves; Close ends it. While it is under way, another call makes it
// begin once more.
func (a *App) catchUp() {
	if a.catching.Add(1) > 1 {
		return
	}
	a.work.Go(func() {
		for {
			asked := a.catching.Load()
			if a.cfg.Serving {
				debug.FreeOSMemory() // what the documents' compilation has left
			}
			err := a.bringUp(a.background, a.cfg.Serving)
			if err != nil && a.background.Err() == nil && !errors.Is(err, store.ErrSchemaMoved) { // what takes those over catches up, too
				a.cfg.Log.Error("catch up with the documents", "error", err)
			}
			if a.catching.CompareAndSwap(asked, 0) {
				return
			}
		}
	})
}

// CatchUp builds the indexes that are pending, computes what has no values of today's formulas, writes by what names are found and tells of what removals have
// ended: what a system that serves does beside its requests.
func (a *App) CatchUp(ctx context.Context) error { return a.bringUp(ctx, true) }

// bringUp is CatchUp. What rewrites much that was kept is for a system that serves: commands of a moment hold nobody up with it.
func (a *App) bringUp(ctx context.Context, kept bool) error {
	err := a.db.EnsureIndexes(ctx)
	if err != nil {
		err = fmt.Errorf("build indexes: %w", err)
	}
	s := a.State()
	view := s.Policy.View(principal.System("formulas"), a.Now(), a.cfg.Zone)
	err = errors.Join(err, a.writer.Recompute(ctx, view))
	if !kept {
		return err
	}
	return errors.Join(err, a.writer.IndexNames(ctx, view), a.flows.ReadOpened(ctx), a.tellRemovals(ctx))
}

// migrate applies the safe steps between the database and a catalog's storage; others are refused by name.
func (a *App) migrate(ctx context.Context, c *catalog.Catalog) error {
	if a.cfg.Attach {
		if adopted, err := a.db.Adopt(ctx); err != nil || adopted {
			return err
		}
	}
	o := PlanOptions(c)
	o.Dev = a.cfg.Dev
	p, err := a.db.Plan(ctx, c.Storage, o)
	if err != nil {
		return err
	}
	if a.cfg.Existing {
		if len(p.Steps) > 0 {
			return &Pending{Plan: p}
		}
		_, err := a.db.Adopt(ctx)
		return err
	}
	if p.Class() != store.Safe {
		return &Blocked{Plan: p}
	}
	if err := a.db.Apply(ctx, p, store.ApplyOptions{Publish: a.cfg.Following()}); err != nil {
		return fmt.Errorf("bring the database to the documents: %w", err)
	}
	if a.cfg.writesFollowing() {
		c.Version++
	}
	for _, k := range p.Kept {
		level := slog.LevelInfo
		if k.New {
			level = slog.LevelWarn
		}
		a.cfg.Log.Log(ctx, level, strings.TrimSuffix(KeptText([]store.Kept{k}, a.cfg.Documents.Set, "en"), "\n"))
	}
	return nil
}

// use writes the data that the packs bring and then, when nothing can fail any more, swaps the catalog.
func (a *App) use(ctx context.Context, c *catalog.Catalog) (refused diag.List, err error) {
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, fmt.Errorf("compile rights: %w", err)
	}
	a.places.Use(c) // the data may name places, which come with the data
	if err := a.load(ctx, c, policy); err != nil {
		if old := a.State(); old != nil {
			a.places.Use(old.Catalog)
		}
		return nil, err
	}
	a.people.Use(c)
	c.Lead(a.db.NameLog())
	a.state.Store(&State{Catalog: c, Policy: policy})
	a.behind.Store(nil)
	a.swapped.ring()
	if !a.cfg.Attach && !a.cfg.Existing {
		refused = a.startRows(ctx, c)
	}
	return refused, nil
}

func (a *App) load(ctx context.Context, c *catalog.Catalog, policy *authz.Policy) error {
	view := policy.View(principal.System("pack data"), a.Now(), a.cfg.Zone)
	if err := a.writer.LoadData(ctx, view); err != nil {
		return fmt.Errorf("write the packs' data: %w", err)
	}
	if a.cfg.Attach || a.cfg.Existing {
		return nil
	}
	if a.cfg.Dev { // whose files change while it serves
		if err := RememberDocuments(ctx, a.db, a.cfg.Documents); err != nil {
			return err
		}
	}
	if err := RememberPacks(ctx, a.db, a.cfg.Dirs); err != nil {
		return err
	}
	return RememberWith(ctx, a.db, a.cfg.With)
}

// Reload compiles the documents again. Files with errors, and those whose change nobody has confirmed, are served as they were, and the open
// pages are shown why.
func (a *App) Reload(ctx context.Context) (diag.List, error) {
	a.swap.Lock()
	defer a.swap.Unlock()
	return a.reloadDev(ctx)
}

// announce sends an event to the open pages.
func (a *App) announce(name string, data any) {
	if list, ok := data.(diag.List); ok && list == nil {
		data = diag.List{}
	}
	text, err := json.Marshal(data)
	if err != nil {
		a.cfg.Log.Error("encode an event", "event", name, "error", err)
		return
	}
	a.events.Send(Event{Name: name, Data: string(text)}, name == "diagnostics")
}

// logWarnings tells the warnings of documents; many are told by their number, for they would hide what else is said.
func (a *App) logWarnings(list diag.List) {
	var warnings diag.List
	for _, d := range list {
		if d.Severity == diag.Warning && !ofPublished(d) {
			warnings = append(warnings, d)
		}
	}
	if len(warnings) > fewWarnings && !a.cfg.Dev {
		a.cfg.Log.Warn("definitions have warnings; run sluice check", "count", len(warnings))
		return
	}
	for _, d := range warnings {
		a.cfg.Log.Warn(d.En, "code", d.Code, "at", d.Position.String())
	}
}

const fewWarnings = 3

// Close ends the services and the database.
func (a *App) Close() error {
	a.events.Close()
	var stopped error
	if a.jobs != nil {
		stopped = a.jobs.Stop(context.Background())
	}
	if a.stop != nil {
		a.stop()
	}
	a.work.Wait()
	if a.auth != nil {
		a.auth.Close()
	}
	if a.files != nil {
		stopped = errors.Join(stopped, a.files.Close())
	}
	return errors.Join(stopped, a.db.Close(), a.unlock())
}
