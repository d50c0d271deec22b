package quality

import (
	"context"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
)

// Refresh computes a project from nothing and returns how many nodes changed.
func Refresh(ctx context.Context, act func(ctx context.Context, who principal.Principal, f func(w world.World) error) error, who principal.Principal, project string) (changed int, err error) {
	err = act(ctx, who, func(w world.World) error {
		r, err := rollerOf(w)
		if err != nil {
			return err
		}
		changed, err = r.refresh(ctx, project, "")
		return err
	})
	return changed, err
}
