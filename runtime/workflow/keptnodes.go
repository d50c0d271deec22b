package workflow

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// KeptNodes are the workflows that instances began with, and the nodes of the last version of each. It is a store.Nodes.
func KeptNodes(tx *store.Tx) ([]names.Entry, error) {
	var rows []template
	last := tx.System().Model(&template{}).Select("code, MAX(version)").Group("code")
	if err := tx.System().Where("(code, version) IN (?)", last).Order("code").Find(&rows).Error; err != nil {
		return nil, err
	}
	out := make([]names.Entry, 0, len(rows))
	for _, r := range rows {
		var document struct {
			Nodes []struct {
				ID string `json:"id"`
			} `json:"nodes"`
		}
		if json.Unmarshal(r.Document, &document) != nil {
			continue // who reads the version tells that it can't be read
		}
		one := names.Entry{Code: r.Code, Pack: r.Pack}
		for _, n := range document.Nodes {
			one.Add(names.Node, n.ID, nil)
		}
		out = append(out, one)
	}
	return out, nil
}
