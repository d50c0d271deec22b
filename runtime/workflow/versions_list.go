package workflow

import (
	"context"
	"fmt"
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
		if err := tx.System().Omit("document").Find(&kept).Error; err != nil {
			return err
		}
		runs := map[string]bool{}
		for _, c := range counts {
			runs[fmt.Sprintf("%s@%d", c.Code, c.Version)] = true
		}
		now := map[string]bool{} // versions that are the definition of now
		for _, t := range kept {
			key := fmt.Sprintf("%s@%d", t.Code, t.Version)
			w := view.Catalog.Workflow(t.Code)
			if w == nil || !runs[key] {
				continue
			}
			var err error
			if now[key], err = s.same(tx, view.Catalog, w, t); err != nil {
				return err
			}
		}
		for _, w := range view.Catalog.Workflows() {
			one := VersionCount{Workflow: w.Template.Code, Name: w.Label.Zh, NameI18n: i18n(w.Label), App: appOf(view.Catalog, w.Model)}
			for _, c := range counts {
				if strings.EqualFold(c.Code, one.Workflow) {
					if one.Count += c.Count; !now[fmt.Sprintf("%s@%d", c.Code, c.Version)] {
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
