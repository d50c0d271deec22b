package workflow

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
)

// handlersOfAll are the current handlers of all records whose workflows run.
const handlersOfAll = `SELECT i.record AS v, t.person AS id, MIN(t.number) AS ordinal FROM sl_wf_instance i JOIN sl_wf_item t ON t.instance = i.id
WHERE i.status IN ? AND t.state IN ? AND t.type <> ? AND t.person <> '' GROUP BY i.record, t.person`

// CatchUp brings what an older program kept of instances to what this one reads: current handlers, departments of initiators. It is done at
// each start, and finds nothing to do after the first.
func (s *Service) CatchUp(ctx context.Context) error {
	var initiators []string
	due := false
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		if err := tx.System().Model(&instance{}).Where("dept IS NULL").Distinct().Pluck("initiator", &initiators).Error; err != nil {
			return err
		}
		due, err = leftovers(tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("catch up with workflows: %w", err)
	}
	if len(initiators) == 0 && !due { // commands that only look need no lock
		return nil
	}
	err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.Lock(ctx, "workflow catch up"); err != nil {
			return err
		}
		// An index of before, which misled SQLite (bench/RESULTS.md).
		if err := tx.System().Exec("DROP INDEX IF EXISTS sl_wf_timer_due").Error; err != nil {
			return err
		}
		for _, person := range initiators {
			who, _ := s.cfg.People.Person(ctx, person)
			if err := tx.System().Model(&instance{}).Where("initiator = ? AND dept IS NULL", person).UpdateColumn("dept", who.MainDepartment).Error; err != nil {
				return err
			}
		}
		return s.fillHandlers(tx)
	})
	if err != nil {
		return fmt.Errorf("catch up with workflows: %w", err)
	}
	return nil
}

// ReadOpened marks copies as read that their people have opened after the end of the instance: an older program answered that they were, and kept
// them unread. It is done beside requests, and finds nothing to do after the first time.
func (s *Service) ReadOpened(ctx context.Context) error {
	var stuck []item
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		ended := tx.System().Model(&instance{}).Select("id").Where("finished IS NOT NULL")
		return tx.System().Where("list = ? AND opened IS NOT NULL AND instance IN (?)", listUnread, ended).Order("id").Find(&stuck).Error
	})
	if err != nil {
		return fmt.Errorf("copies that are opened: %w", err)
	}
	for _, one := range stuck {
		err := s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			r, err := s.hold(ctx, tx, s.systemView(), one.Instance)
			if err != nil {
				return err
			}
			return r.do(flow.Command{Do: flow.OpRead, By: one.Person, Item: one.Number, At: *one.Opened})
		})
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("mark an opened copy as read", "item", one.ID, "error", err)
		}
	}
	return ctx.Err()
}

// leftovers reports whether an older program left something behind: what it kept elsewhere, or instances whose handlers nobody wrote.
func leftovers(tx *store.Tx) (bool, error) {
	db := tx.System()
	if m := db.Migrator(); m.HasIndex(&timer{}, "sl_wf_timer_due") || m.HasTable("sl_wf_handler") {
		return true, nil
	}
	var some []handler
	if err := db.Limit(1).Find(&some).Error; err != nil || len(some) > 0 {
		return false, err
	}
	err := db.Raw(handlersOfAll+" LIMIT 1", []string{string(flow.Processing), string(flow.Exception)}, []string{string(flow.ItemTodo), string(flow.ItemDoing)}, string(flow.ItemCirculate)).Scan(&some).Error
	return len(some) > 0, err
}

// fillHandlers writes the current handlers where nothing was ever written of them: nobody handles anything yet, or an older program ran here.
func (s *Service) fillHandlers(tx *store.Tx) error {
	var some []handler
	if err := tx.System().Limit(1).Find(&some).Error; err != nil || len(some) > 0 {
		return err
	}
	var all []handler
	err := tx.System().Raw(handlersOfAll, []string{string(flow.Processing), string(flow.Exception)}, []string{string(flow.ItemTodo), string(flow.ItemDoing)}, string(flow.ItemCirculate)).Scan(&all).Error
	if err == nil && len(all) > 0 {
		tx.Touch(catalog.HandlersTable)
		err = tx.System().CreateInBatches(all, 500).Error
	}
	// What an older program kept, with the record's id as a text: PostgreSQL read whole tables of records for it.
	return errors.Join(err, tx.System().Exec("DROP TABLE IF EXISTS sl_wf_handler").Error)
}
