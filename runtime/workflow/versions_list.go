package workflow

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// VersionCount is a workflow with its instances that have not ended (api.yaml WorkflowVersionCount).
type VersionCount struct {
	Workflow string            `json:"workflowCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	App      string            `json:"appCode"`
	Count    int64             `json:"count"`
	Old      int64             `json:"old"` // that run by an older version
}

// VersionCounts tells of each workflow how many instances run, and how many of them by an older version; those with most of the latter
// come first. For those who administer workflows.
func (s *Service) VersionCounts(ctx context.Context, view *authz.View) ([]VersionCount, error) {
	if !administers(view) {
		return nil, fault.New(fault.Forbidden)
	}
	out := []VersionCount{}
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var counts []struct {
			Code    string
			Version int
			Count   int64
		}
		if err := tx.System().Model(&instance{}).Select("code, version, COUNT(*) AS count").Where("live IS NOT NULL").Group("code, version").Find(&counts).Error; err != nil {
			return err
		}
		var kept []template
		if err := tx.System().Select("code", "version", "digest").Find(&kept).Error; err != nil {
			return err
		}
		now := map[string]int{} // the version of the definition of now, by workflow
		for _, t := range kept {
			if w := view.Catalog.Workflow(t.Code); w != nil && t.Digest == digestOf(w.Document) {
				now[strings.ToLower(t.Code)] = t.Version
			}
		}
		for _, w := range view.Catalog.Workflows() {
			one := VersionCount{Workflow: w.Template.Code, Name: w.Label.Zh, NameI18n: i18n(w.Label), App: appOf(view.Catalog, w.Model)}
			for _, c := range counts {
				if strings.EqualFold(c.Code, one.Workflow) {
					if one.Count += c.Count; now[strings.ToLower(one.Workflow)] != c.Version {
						one.Old += c.Count
					}
				}
			}
			out = append(out, one)
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b VersionCount) int {
		if a.Old != b.Old {
			return int(min(1, max(-1, b.Old-a.Old)))
		}
		return int(min(1, max(-1, b.Count-a.Count)))
	})
	return out, err
}
