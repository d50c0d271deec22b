package portal

import (
	"strings"

	"github.com/sluice-platform/sluice/runtime/store"
)

// ArrangedBy are the people who have arranged a page for themselves.
func ArrangedBy(tx *store.Tx, page string) (owners []string, err error) {
	err = tx.System().Model(&arrangement{}).Where("portal = ?", strings.ToLower(page)).Order("user_id").Pluck("user_id", &owners).Error
	return owners, err
}
