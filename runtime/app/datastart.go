package app

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// startRows starts the workflows that data files name, once for each row, as soon as somebody administers workflows: before, nobody would
// get the tasks of steps without people. Commands start nothing. A start that is refused does not stop the server: it is returned, logged once, and tried again
// by keepStarting and at the next start of the server, for which pending keeps the documents from counting as written.
//
// Starts are not part of the transaction of a publication: they run with the rights and workflows of the definitions that it brings, which are served only
// when it is committed, and one row that is refused would refuse the publication.
func (a *App) startRows(ctx context.Context, c *catalog.Catalog) (refused diag.List) {
	administered := false
	for _, p := range c.Packs {
		for _, d := range p.Data {
			if len(d.Start) > 0 && !administered {
				if administered = a.cfg.Serving && a.flows.Administered(ctx); !administered {
					a.pending.Store(true)
					return nil
				}
			}
			for _, s := range d.Start {
				if err := a.startRow(ctx, d, s); err != nil {
					row := strings.Join(s.Key, ", ")
					refused = append(refused, diag.New("PUB007", diag.Position{File: d.Pack + "/data/" + path.Base(filepath.ToSlash(d.File))}, s.Workflow, row, err.Error()))
				}
			}
		}
	}
	a.pending.Store(len(refused) > 0)
	was := a.refused.Swap(&refused)
	for _, d := range refused {
		if was == nil || !slices.Contains(*was, d) {
			a.cfg.Log.Error(d.En, "code", d.Code, "at", d.File)
		}
	}
	return refused
}

// startAgain is how long refused starts wait, and starts for which nobody administers workflows yet.
const startAgain = time.Minute

// keepStarting tries again what could not be started. Each row is started once, whichever node does it.
func (a *App) keepStarting() {
	beat := time.NewTicker(cmp.Or(a.cfg.StartAgain, startAgain))
	defer beat.Stop()
	for {
		select {
		case <-a.background.Done():
			return
		case <-beat.C:
			if a.pending.Load() {
				a.startRows(a.background, a.State().Catalog)
			}
		}
	}
}

func (a *App) startRow(ctx context.Context, d catalog.Data, s catalog.DataStart) error {
	id := record.DataID(a.db.NameLog(), d.Pack, d.Model.Code, s.Key...)
	done := record.Meta{Key: "start:" + s.Workflow + "/" + id}
	known := false
	err := a.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var have int64
		err := tx.System().Model(&record.Meta{}).Where("key = ?", done.Key).Count(&have).Error
		known = have > 0
		return err
	})
	if known || err != nil {
		return err
	}
	person, found := a.people.PersonByName(ctx, s.Initiator)
	if !found {
		return fmt.Errorf("nobody has the sign-in name %q", s.Initiator)
	}
	view, active := a.viewOf(ctx, person.ID, "")
	if !active {
		return fmt.Errorf("%q is disabled", s.Initiator)
	}
	return a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		first := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&done)
		if first.Error != nil || first.RowsAffected == 0 { // another node was first
			return first.Error
		}
		return a.flows.StartOfData(ctx, tx, view, s.Workflow, id)
	})
}
