package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
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
	return change.Report(ctx)
}

// maySend refuses a publication whose rows give people roles that the author could not give them: with the rights of now, and for roles that come
// with it with those that the author has then.
func (a *App) maySend(view *authz.View, c *catalog.Catalog) error {
	var then *authz.View
	for _, way := range access.Ways(a.State().Catalog, c) {
		if way.Kind != access.ByData {
			continue
		}
		if then == nil {
			policy, err := authz.Compile(c)
			if err != nil {
				return fmt.Errorf("compile rights: %w", err)
			}
			then = policy.View(view.Principal(), a.Now(), a.cfg.Zone)
		}
		for _, role := range way.Roles {
			if view.KnowsRole(role) && !view.MayGrant(role) || !then.MayGrant(role) {
				return fault.New(fault.PublishGrants, role, strings.Join(way.People[:min(len(way.People), 5)], ", "))
			}
		}
	}
	return nil
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
