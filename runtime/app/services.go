package app

import (
	"context"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// State is the catalog and its rights as they are now.
func (a *App) State() *State { return a.state.Load() }

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

// Jobs are the work beside requests.
func (a *App) Jobs() *job.Queue { return a.jobs }

// Events reaches the open pages.
func (a *App) Events() *Events { return a.events }

// Ready tells whether the system can serve.
func (a *App) Ready(ctx context.Context) error {
	if a.State() == nil {
		return errors.New("no catalog")
	}
	_, _, err := a.db.Schema(ctx)
	return err
}

// SystemConfig is what the application needs before anybody signs in.
func (a *App) SystemConfig(dev bool) map[string]any {
	return map[string]any{"name": a.cfg.Name, "timezone": a.cfg.Zone.String(), "version": a.cfg.Version, "dev": dev, "digest": a.State().Catalog.Digest}
}
