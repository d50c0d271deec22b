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

// Of is a database with the tables and the data of the packs that register adds and of those in folders, and nobody in it.
// Tests that open an application on a copy of it need not load thousands of records first.
func Of(register pack.Registrar, dirs ...string) *storetest.Template {
	return &storetest.Template{Fill: func(ctx context.Context, o store.Options) error {
		set := &pack.Set{}
		if err := register(set); err != nil {
			return err
		}
		set.Freeze()
		a, err := app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Dirs: dirs, Zone: time.FixedZone("CST", 8*3600)},
			URL: o.URL, Dir: o.Dir, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		// Each copy makes keys of its own: these can only be opened with the key in the template's folder.
		err = a.Store().Write(ctx, func(tx *store.Tx) error { return tx.System().Exec("DELETE FROM sl_secret").Error })
		return errors.Join(err, a.Close())
	}}
}
