package workflow

import (
	"context"
	"fmt"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
)

// missingHandlers are the current handlers of records whose workflows ran before the program kept them.
const missingHandlers = `INSERT INTO sl_wf_handler (v, id, ordinal)
SELECT i.record, t.person, MIN(t.number) FROM sl_wf_instance i JOIN sl_wf_item t ON t.instance = i.id
WHERE i.status IN ? AND t.state IN ? AND t.type <> ? AND t.person <> '' AND NOT EXISTS (SELECT 1 FROM sl_wf_handler h WHERE h.v = i.record)
GROUP BY i.record, t.person ON CONFLICT DO NOTHING`

// CatchUp brings what an older program kept of instances to what this one reads: current handlers, departments of initiators. It is done at
// each start, and finds nothing to do after the first.
func (s *Service) CatchUp(ctx context.Context) error {
	var initiators []string
	err := s.cfg.DB.Read(ctx, func(tx *store.Tx) error {
		return tx.System().Model(&instance{}).Where("dept IS NULL").Distinct().Pluck("initiator", &initiators).Error
	})
	if err != nil {
		return fmt.Errorf("catch up with workflows: %w", err)
	}
	err = s.cfg.DB.Write(ctx, func(tx *store.Tx) error {
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
		filled := tx.System().Exec(missingHandlers, []string{string(flow.Processing), string(flow.Exception)}, []string{string(flow.ItemTodo), string(flow.ItemDoing)}, string(flow.ItemCirculate))
		if filled.RowsAffected > 0 {
			tx.Touch(catalog.HandlersTable)
		}
		return filled.Error
	})
	if err != nil {
		return fmt.Errorf("catch up with workflows: %w", err)
	}
	return nil
}
