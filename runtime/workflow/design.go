package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Running counts the instances of each workflow that have not ended, by the code of the workflow. They stay on the version that they began with.
func (s *Service) Running(ctx context.Context, codes ...string) (out map[string]int64, err error) {
	out = map[string]int64{}
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []struct {
			Code string
			N    int64
		}
		q := tx.System().Model(&instance{}).Select("code, count(*) AS n").Where("status IN ?", []flow.Status{flow.Processing, flow.Exception}).Group("code")
		if len(codes) > 0 {
			q = q.Where("code IN ?", codes)
		}
		err := q.Scan(&rows).Error
		for _, r := range rows {
			out[r.Code] = r.N
		}
		return err
	})
	return out, err
}
