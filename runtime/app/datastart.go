package app

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// startRows starts the workflows that data files name, once for each row, as soon as somebody administers workflows: before, nobody would
// get the tasks of steps without people. Commands start nothing. A start that is refused does not stop the server: it is logged, and tried again at the next
// start of the server, for which pending keeps the documents from counting as written.
func (a *App) startRows(ctx context.Context, c *catalog.Catalog) {
	pending, administered := false, false
	for _, p := range c.Packs {
		for _, d := range p.Data {
			if len(d.Start) > 0 && !administered {
				if administered = a.cfg.Serving && a.flows.Administered(ctx); !administered {
					a.pending.Store(true)
					return
				}
			}
			for _, s := range d.Start {
				if err := a.startRow(ctx, d, s); err != nil {
					pending = true
					a.cfg.Log.Warn("a data file could not start a workflow", "file", d.File, "workflow", s.Workflow, "row", strings.Join(s.Key, ", "), "error", err)
				}
			}
		}
	}
	a.pending.Store(pending)
}

func (a *App) startRow(ctx context.Context, d catalog.Data, s catalog.DataStart) error {
	id := record.DataID(d.Pack, d.Model.Code, s.Key...)
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
		_, err := a.flows.StartIn(ctx, tx, view, s.Workflow, id)
		return err
	})
}
