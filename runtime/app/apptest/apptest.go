// Package apptest gives tests databases on which an application has been opened before.
package apptest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// Version is that of the program that opens a template. A test that opens a copy with the same version, folders and zone starts as a
// program starts again: its documents are known, and are not checked a second time.
const Version = "test"

// Installation is what a template holds.
type Installation struct {
	Register pack.Registrar // adds the packs
	Dirs     []string       // of others
	Zone     *time.Location // nil = CST, eight hours east
	People   map[string]string
}

// Of is a database with the tables and the data of the packs that register adds and of those in folders, and nobody in it.
// Tests that open an application on a copy of it need not load thousands of records first.
func Of(register pack.Registrar, dirs ...string) *storetest.Template {
	return Installation{Register: register, Dirs: dirs}.Template()
}

// Template is a database with the installation. Its people are called as they sign in, and have one role each.
func (i Installation) Template() *storetest.Template {
	if i.Zone == nil {
		i.Zone = time.FixedZone("CST", 8*3600)
	}
	return &storetest.Template{Fill: func(ctx context.Context, o store.Options) error {
		set := &pack.Set{}
		if err := i.Register(set); err != nil {
			return err
		}
		set.Freeze()
		a, err := app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Dirs: i.Dirs, Zone: i.Zone},
			URL: o.URL, Dir: o.Dir, Version: Version, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		for name, role := range i.People {
			_, e := a.AddUser(ctx, name, name, []string{role})
			err = errors.Join(err, e)
		}
		// Each copy makes keys of its own: these can only be opened with the key in the template's folder.
		e := a.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error { return tx.System().Exec("DELETE FROM sl_secret").Error })
		return errors.Join(err, e, a.Close())
	}}
}

// Person finds somebody of an installation.
func Person(ctx context.Context, a *app.App, name string) string {
	p, _ := a.People().PersonByName(ctx, name)
	return p.ID
}
