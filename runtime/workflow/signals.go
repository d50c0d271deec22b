package workflow

import (
	"context"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// longestKey is how many characters the key of a signal may have.
const longestKey = 200

// listen writes down what a WAIT waits for; false = its key is empty or too long, so no signal could reach it.
func (r *running) listen(n *catalog.WorkflowNode, activity int) (bool, error) {
	st, judge, err := r.facts.fresh()
	if err != nil {
		return false, err
	}
	v, err := judge.Value(*st, n.Key)
	if err != nil {
		return false, fault.Wrap(err, fault.ConditionFailed)
	}
	key := plainText(v)
	if key == "" || utf8.RuneCountInString(key) > longestKey {
		return false, nil
	}
	row := signal{Instance: r.row.ID, Activity: activity, Name: strings.ToLower(n.Signal), Key: key}
	return true, r.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
}

// Signal lets go on what waits for a signal of that name and key, and returns how many instances that are. Those who administer workflows
// may send signals.
func (s *Service) Signal(ctx context.Context, view *authz.View, name, key string) (count int, err error) {
	if !administers(view) {
		return 0, fault.New(fault.Forbidden)
	}
	err = s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		count, err = s.SignalIn(tx, name, key)
		return err
	})
	return count, err
}

// SignalIn is Signal inside a transaction of the caller's, for code of packs: the instances go on when it is stored.
func (s *Service) SignalIn(tx *store.Tx, name, key string) (int, error) {
	if name == "" || key == "" || utf8.RuneCountInString(key) > longestKey {
		return 0, fault.New(fault.BadParameter, "key")
	}
	var rows []signal
	if err := tx.System().Where("name = ? AND key = ?", strings.ToLower(name), key).Find(&rows).Error; err != nil {
		return 0, err
	}
	for _, row := range rows {
		r := running{s: s, tx: tx, row: instance{ID: row.Instance}}
		if err := r.set(timer{Subject: row.Activity, Kind: string(flow.TimerWait), Due: s.cfg.Clock().UTC()}); err != nil {
			return 0, err
		}
		if err := tx.System().Delete(&signal{}, "instance = ? AND activity = ?", row.Instance, row.Activity).Error; err != nil {
			return 0, err
		}
	}
	if len(rows) > 0 {
		s.stir(tx)
	}
	return len(rows), nil
}
