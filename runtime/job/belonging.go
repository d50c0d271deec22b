package job

import (
	"context"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Of are the jobs of a person that have not ended. They work with the person's rights, so they are nobody else's: those that wait are cancelled, and
// those that run stop before they write again.
func (q *Queue) Of() belonging.Things {
	live := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&row{}).Where("owner = ? AND state IN ?", person, []State{Queued, Running})
	}
	return belonging.Things{Count: belonging.Counted(live), End: func(_ context.Context, tx *store.Tx, person string) (int, error) {
		if q == nil { // a process without a queue: the next one that takes the job up finds its owner disabled
			return 0, nil
		}
		set, err := q.ended(outcome{state: Cancelled, code: fault.OwnerDisabled, err: ErrOwner})
		if err != nil {
			return 0, err
		}
		waiting := live(tx, person).Where("state = ?", Queued).UpdateColumns(set)
		if waiting.Error != nil {
			return 0, waiting.Error
		}
		running := live(tx, person).UpdateColumn("cancel", true)
		return int(waiting.RowsAffected + running.RowsAffected), running.Error
	}}
}
