package savedfilter

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
)

// SharedBy are the filters that a person shares with everybody who sees their lists. A person to whom they are given keeps their own filters of the same names.
func SharedBy() belonging.Things {
	shared := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&row{}).Where("owner = ? AND shared = ?", person, true)
	}
	return belonging.Things{Count: belonging.Counted(shared), End: belonging.Changed(shared, func() map[string]any { return map[string]any{"shared": false} }), Give: give}
}

func give(_ context.Context, tx *store.Tx, from, to string) (int, error) {
	var own []row
	if err := tx.System().Select("query_code", "folded").Where("owner = ?", to).Find(&own).Error; err != nil {
		return 0, err
	}
	var all []row
	if err := tx.System().Select("id", "query_code", "folded").Where("owner = ? AND shared = ?", from, true).Find(&all).Error; err != nil {
		return 0, err
	}
	var ids []string
	for _, r := range all {
		if !slices.ContainsFunc(own, func(o row) bool { return o.QueryCode == r.QueryCode && o.Folded == r.Folded }) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return 0, nil
	}
	done := tx.System().Model(&row{}).Where("id IN ?", ids).UpdateColumn("owner", to)
	return int(done.RowsAffected), done.Error
}
