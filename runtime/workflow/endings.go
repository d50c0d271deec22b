package workflow

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// openDelegations are the delegations that are not over. No service works with it: it is asked for while workflows are removed.
func openDelegations(tx *store.Tx) (rows []delegation, err error) {
	err = tx.System().Where("enabled = ? AND removed = ? AND ends > ?", true, false, tx.Now().UTC()).Find(&rows).Error
	return rows, err
}

// names reports whether a delegation is for a workflow by its code, and not for all.
func (d delegation) names(code string) bool {
	return slices.ContainsFunc(d.codes(), func(c string) bool { return strings.EqualFold(c, code) })
}

// isGone reports whether a code of a delegation is the mark of a workflow that was removed.
func isGone(code string) bool { _, gone := names.WasGone(code); return gone }

// allGone reports whether a delegation names workflows that were removed, and no others.
func allGone(codes []string) bool {
	return len(codes) > 0 && !slices.ContainsFunc(codes, func(c string) bool { return !isGone(c) })
}

// goneLabel names a workflow that was removed. Its documents may be those of another one that got its code.
func goneLabel(mark string) plan.Label {
	code, _ := names.WasGone(mark)
	return plan.Label{Zh: code + "（已删除）", I18n: map[string]string{"en": code + " (removed)"}}
}

// DelegationsFor are the delegations that are not over and name a workflow, by the names of both people.
func DelegationsFor(tx *store.Tx, code string) (people []string, err error) {
	rows, err := openDelegations(tx)
	if err != nil {
		return nil, err
	}
	for _, d := range rows {
		if !d.names(code) {
			continue
		}
		from, err := tx.RecordName("user", d.From)
		if err != nil {
			return nil, err
		}
		to, err := tx.RecordName("user", d.To)
		if err != nil {
			return nil, err
		}
		people = append(people, from+" → "+to)
	}
	slices.Sort(people)
	return people, nil
}

// EndDelegations ends, while workflows are removed, the delegations that are for these alone: both people are told, and open tasks come back where the
// delegation says so. Those that name others go on for them.
func EndDelegations(ctx context.Context, tx *store.Tx, gone []string) error {
	if err := tx.Lock(ctx, "workflow delegations"); err != nil {
		return err
	}
	rows, err := openDelegations(tx)
	if err != nil {
		return err
	}
	for _, d := range rows {
		over := func(code string) bool {
			return isGone(code) || slices.ContainsFunc(gone, func(c string) bool { return strings.EqualFold(c, code) })
		}
		if codes := d.codes(); len(codes) == 0 || slices.ContainsFunc(codes, func(c string) bool { return !over(c) }) {
			continue
		}
		if err := endNow(tx.System().Model(&delegation{}).Where("id = ?", d.ID), tx.Now().UTC()).Error; err != nil {
			return err
		}
	}
	return nil
}
