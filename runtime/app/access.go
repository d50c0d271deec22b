package app

import (
	"context"
	"fmt"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// accessChange says who gains or loses which rights when the catalog takes the place of the one that is served.
func (a *App) accessChange(ctx context.Context, c *catalog.Catalog) (*access.Report, error) {
	after, err := authz.Compile(c)
	if err != nil {
		return nil, fmt.Errorf("compile rights: %w", err)
	}
	change := access.Change{Before: a.State().Policy, After: after, DB: a.db, People: a.people.People(ctx), Now: a.Now(), Zone: a.cfg.Zone,
		Below: func(departments []string) []string { return a.people.Below(ctx, departments) }}
	report, err := change.Report(ctx)
	if err != nil {
		return nil, err
	}
	access.CallPeople(report.Ways, a.people.Names(ctx))
	return report, nil
}

// AccessChange says who gains or loses which rights when a database gets a catalog that was compiled from the documents of a
// configuration. It compares it with the documents that the database was last served with; nil where it keeps none that this program
// can compile.
func AccessChange(ctx context.Context, cfg Config, db *store.DB, c *catalog.Catalog) (*access.Report, error) {
	kept, ok, err := cfg.Kept(ctx, db)
	if err != nil || !ok {
		return nil, err
	}
	before, _, err := kept.compile(nil)
	if err != nil || before == nil {
		return nil, err
	}
	was, err := authz.Compile(before)
	if err != nil {
		return nil, fmt.Errorf("compile rights: %w", err)
	}
	is, err := authz.Compile(c)
	if err != nil {
		return nil, fmt.Errorf("compile rights: %w", err)
	}
	people, err := directory.New(ctx, db, before)
	if err != nil {
		return nil, err
	}
	change := access.Change{Before: was, After: is, DB: db, People: people.People(ctx), Now: cfg.Clock(), Zone: cfg.Zone,
		Below: func(departments []string) []string { return people.Below(ctx, departments) }}
	return change.Report(ctx)
}
