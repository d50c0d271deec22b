package app

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// State is the catalog and its rights as they are now.
func (a *App) State() *State { return a.state.Load() }

func (a *App) policy() *authz.Policy { return a.State().Policy }

// Now is the time by the system's clock.
func (a *App) Now() time.Time { return a.cfg.Clock() }

// Zone is the installation's time zone.
func (a *App) Zone() *time.Location { return a.cfg.Zone }

// Store, Auth, Setup, People, Reader, Writer and Events are the services.
func (a *App) Store() *store.DB { return a.db }

// Auth signs people in.
func (a *App) Auth() *authn.Service { return a.auth }

// Setup makes the first administrator.
func (a *App) Setup() *authn.Setup { return a.setup }

// People is the directory.
func (a *App) People() *directory.Directory { return a.people }

// Reader reads records.
func (a *App) Reader() *query.Reader { return a.reader }

// SavedFilters keeps the filters that people name for themselves.
func (a *App) SavedFilters() *savedfilter.Service { return a.saved }

// Drafts keeps forms that people put aside.
func (a *App) Drafts() *draft.Service { return a.drafts }

// Writer writes records.
func (a *App) Writer() *record.Writer { return a.writer }

// Bulk changes many records at once.
func (a *App) Bulk() *bulk.Service { return a.bulk }

// Importer takes records from spreadsheets.
func (a *App) Importer() *importer.Service { return a.importer }

// Exports writes lists into files.
func (a *App) Exports() *exporter.Service { return a.export }

// Prints puts records on paper.
func (a *App) Prints() *printing.Service { return a.prints }

// Reports answers the data sets of reports.
func (a *App) Reports() *reporting.Service {
	return &reporting.Service{Reader: a.reader, Clock: a.cfg.Clock, Zone: a.cfg.Zone}
}

// Portals answers portal pages.
func (a *App) Portals() *portal.Service {
	return &portal.Service{DB: a.db, Reader: a.reader, Reports: a.Reports(), Edits: func(view *authz.View, pack string) bool { return a.MayAdminister(view, pack) }}
}

// Jobs are the work beside requests.
func (a *App) Jobs() *job.Queue { return a.jobs }

// Extensions are those of the program.
func (a *App) Extensions() *pack.Set { return a.cfg.Set }

// Events reaches the open pages.
func (a *App) Events() *Events { return a.events }

// Ready reports whether the system can serve: it has a catalog, and database and storage of files answer before ctx ends. However many ask,
// each is asked once at a time, and one that hangs keeps nobody waiting longer than ctx.
func (a *App) Ready(ctx context.Context) error {
	if a.State() == nil {
		return errors.New("no catalog")
	}
	if b := a.behind.Load(); b != nil {
		return b
	}
	database, files := a.askDatabase(), a.askFiles()
	return errors.Join(database.answer(ctx), files.answer(ctx))
}

// DatabaseUp reports whether the database answers before ctx ends.
func (a *App) DatabaseUp(ctx context.Context) error { return a.askDatabase().answer(ctx) }

// FilesUp reports whether files can be read and written, before ctx ends.
func (a *App) FilesUp(ctx context.Context) error { return a.askFiles().answer(ctx) }

func (a *App) askDatabase() *asked {
	return a.databaseReady.ask(func(ctx context.Context) error {
		_, _, err := a.db.Schema(ctx)
		return err
	})
}

func (a *App) askFiles() *asked {
	return a.filesReady.ask(func(ctx context.Context) error {
		if a.files == nil {
			return nil
		}
		return a.files.Probe(ctx)
	})
}

// readyWithin is how long the database and the storage of files may take to say that they are there.
const readyWithin = 2 * time.Second

// readiness is the question that is under way.
type readiness struct {
	mu  sync.Mutex
	now *asked
}

type asked struct {
	done chan struct{}
	err  error
}

// answer waits for the answer until ctx ends.
func (q *asked) answer(ctx context.Context) error {
	select {
	case <-q.done:
		return q.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *readiness) ask(whom func(context.Context) error) *asked {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		return r.now
	}
	q := &asked{done: make(chan struct{})}
	r.now = q
	go func() {
		within, cancel := context.WithTimeout(context.Background(), readyWithin)
		defer cancel()
		q.err = whom(within)
		r.mu.Lock()
		r.now = nil
		r.mu.Unlock()
		close(q.done)
	}()
	return q
}

// SystemConfig is what the application needs before anybody signs in. Which version serves, and whether a workbench is there for them, is told
// to those who have; view is nil before.
func (a *App) SystemConfig(dev bool, view *authz.View) map[string]any {
	look := a.Branding()
	out := map[string]any{"name": cmp.Or(look.Name, a.cfg.Name), "name_i18n": lookNames(look), "logoUrl": orNone(look.LogoAddress()), "theme": look.Chosen(),
		"appCode": orNone(a.cfg.HomeApp), "timezone": a.cfg.Zone.String(), "dev": dev, "digest": a.State().Catalog.Digest, "signInProviders": a.SignInProviders()}
	if view != nil {
		out["version"] = a.cfg.Version
		out["portal"] = a.Portals().Reads(view, catalog.DefaultPortal)
	}
	return out
}

// lookNames are those of a look in other languages, never null.
func lookNames(l *Branding) map[string]string {
	if l.NameI18n == nil {
		return map[string]string{}
	}
	return l.NameI18n
}

func orNone(s string) any {
	if s == "" {
		return nil
	}
	return s
}
