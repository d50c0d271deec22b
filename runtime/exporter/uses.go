package exporter

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ChosenIn are the people who have exported from a list: what they chose last is kept.
func ChosenIn(tx *store.Tx, list string) (owners []string, err error) {
	err = tx.System().Model(&choice{}).Where("list = ?", strings.ToLower(list)).Order("owner").Pluck("owner", &owners).Error
	return owners, err
}

// Choosing are the owners of what people chose last in a list, where names says of a column that it names something. Paths have the codes of now.
func Choosing(tx *store.Tx, c *catalog.Catalog, names func(m *catalog.Model, path string) bool) (owners []string, err error) {
	log := tx.NameLog()
	var rows []choice
	if err := tx.System().Order("list, owner").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		l := c.List(r.List)
		if l == nil {
			continue
		}
		var columns []Column
		if err := json.Unmarshal([]byte(r.Columns), &columns); err != nil {
			return nil, fmt.Errorf("the fields that %s exported last of %s: %w", r.Owner, r.List, err)
		}
		is := func(path string) bool { return names(l.Model, path) }
		if naming(now(log.Since(r.Epoch, r.UpdatedAt), l.Model, nil, columns), "", is) {
			owners = append(owners, r.Owner)
		}
	}
	return owners, nil
}

func naming(columns []Column, above string, names func(path string) bool) bool {
	for _, one := range columns {
		if names(above+one.PropertyCode) || naming(one.ChildColumns, above+one.PropertyCode+".", names) {
			return true
		}
	}
	return false
}
