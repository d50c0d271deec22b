package savedfilter

import (
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// readAtOnce is how many filters are in memory at a time.
const readAtOnce = 500

// OfList are the owners of the filters of a list, one for each filter.
func OfList(tx *store.Tx, list string) (owners []string, err error) {
	err = tx.System().Model(&row{}).Where("query_code = ?", strings.ToLower(list)).Order("owner, id").Pluck("owner", &owners).Error
	return owners, err
}

// Naming are the owners of the filters of which a condition names something, one for each filter. Conditions have the codes of now; those of lists and
// properties that are gone are not asked.
func Naming(tx *store.Tx, c *catalog.Catalog, names func(m *catalog.Model, f query.Filter) bool) (owners []string, err error) {
	log := tx.NameLog()
	var rows []row
	err = tx.System().FindInBatches(&rows, readAtOnce, func(*gorm.DB, int) error {
		for _, r := range rows {
			l := c.List(r.QueryCode)
			if l == nil {
				continue
			}
			var stored []query.Filter
			if err := json.Unmarshal([]byte(r.Filters), &stored); err != nil {
				return fmt.Errorf("read the saved filter %s: %w", r.ID, err)
			}
			for _, f := range now(log.Since(r.Epoch, r.UpdatedAt), l.Model, stored) {
				if names(l.Model, f) {
					owners = append(owners, r.Owner)
					break
				}
			}
		}
		return nil
	}).Error
	return owners, err
}
