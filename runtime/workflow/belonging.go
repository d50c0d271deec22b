package workflow

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TasksOf are the instances in which something is open for a person, and the drafts of instances. A job hands them over one by one (HandOverIn).
func (s *Service) TasksOf() belonging.Things {
	return belonging.Things{Count: func(_ context.Context, tx *store.Tx, person string) (int, error) {
		found, err := s.waitingFor(tx, person)
		return len(found), err
	}}
}

// DelegationsBy are the delegations of a person that are not over, DelegationsTo those to a person. One that ends is over at this moment: both
// people are told, and open tasks come back where the delegation says so.
func (s *Service) DelegationsBy() belonging.Things { return s.delegationsOf("delegator") }

// DelegationsTo are the delegations to a person.
func (s *Service) DelegationsTo() belonging.Things { return s.delegationsOf("delegate") }

func (s *Service) delegationsOf(column string) belonging.Things {
	open := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&delegation{}).Where(column+" = ? AND enabled = ? AND removed = ? AND ends > ?", person, true, false, s.cfg.Clock().UTC())
	}
	return belonging.Things{Count: belonging.Counted(open), End: func(ctx context.Context, tx *store.Tx, person string) (int, error) {
		if err := tx.Lock(ctx, "workflow delegations"); err != nil {
			return 0, err
		}
		done := endNow(open(tx, person), s.cfg.Clock().UTC())
		return int(done.RowsAffected), done.Error
	}}
}

// endNow lets delegations be over at a moment: their people are told with the next look.
func endNow(of *gorm.DB, at time.Time) *gorm.DB {
	return of.UpdateColumns(map[string]any{"ends": at, "told": false, "revision": gorm.Expr("revision + 1"), "starts": gorm.Expr("CASE WHEN starts < ? THEN starts ELSE ? END", at, at)})
}
