package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
)

// withNodes gives names that were kept before workflows had nodes, or not at all, the nodes that versions of workflows tell: an apply that renames some is
// then in the log as any other. now are the names that was is compared with; want are all of the plan.
func (db *DB) withNodes(ctx context.Context, c conn, was, now, want names.Set) (names.Set, names.Set, error) {
	if db.nodes == nil || hasNodes(was) || !hasNodes(want) {
		return was, now, nil
	}
	var kept []names.Entry
	err := db.within(ctx, c, 0, func(_ context.Context, tx *Tx) (err error) {
		kept, err = db.nodes(tx)
		return err
	})
	if err != nil || len(kept) == 0 {
		return was, now, err
	}
	was, now = maps.Clone(was), maps.Clone(now)
	if len(was[names.Workflow]) > 0 {
		was[names.Workflow] = slices.Clone(was[names.Workflow])
		for i, w := range was[names.Workflow] {
			if j := slices.IndexFunc(kept, func(k names.Entry) bool { return strings.EqualFold(k.Code, w.Code) }); j >= 0 {
				was[names.Workflow][i].Parts = kept[j].Parts
			}
		}
		return was, now, nil
	}
	// No workflow is known: those that are there go on, and what has gone before is not told.
	was[names.Workflow], now[names.Workflow] = nil, nil
	for j, i := range names.OriginsOf(names.Workflow, kept, want[names.Workflow]) {
		if i >= 0 {
			was[names.Workflow] = append(was[names.Workflow], kept[i])
			now[names.Workflow] = append(now[names.Workflow], want[names.Workflow][j])
		}
	}
	return was, now, nil
}

func hasNodes(s names.Set) bool {
	return slices.ContainsFunc(s[names.Workflow], func(e names.Entry) bool { return len(e.Parts[names.Node]) > 0 })
}
