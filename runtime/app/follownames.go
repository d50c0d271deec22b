package app

import (
	"context"
	"fmt"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/store"
)

// followNames brings what is kept along with renames, and logs who renamed what: a publication, an apply, or a turn of dev. It is a store.Renamed.
func followNames(ctx context.Context, tx *store.Tx, epoch int64, steps []names.Step) error {
	if err := endRemoved(ctx, tx, epoch, steps); err != nil {
		return err
	}
	if err := codes.Rewrite(ctx, tx, epoch, steps); err != nil {
		return err
	}
	for _, s := range steps {
		if s.New == "" {
			continue
		}
		kind := rename.WordOf(s.Kind)
		if kind == "" {
			kind = string(s.Kind)
		}
		now := names.Join(s.Owner, s.New)
		e := audit.Entry{Kind: audit.Renamed, Subject: now, About: now, Detail: map[string]string{"kind": kind, "old": names.Join(s.Owner, s.Old), "new": s.New, "epoch": fmt.Sprint(epoch)}}
		if err := audit.Write(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}
