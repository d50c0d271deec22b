package quality

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// processes evaluates the processes of a node by its sheets: done when all required sheets are completed, locked while a required process before
// is not done.
func (r *roller) processes(ctx context.Context, n world.Row, f facts) error {
	if len(f.processes) == 0 {
		return nil
	}
	waits, err := r.holds(ctx, n, f)
	if err != nil {
		return err
	}
	byID := map[string]world.Row{}
	for _, p := range f.processes {
		byID[p.ID] = p
	}
	for range f.processes { // a change opens what comes next
		changed := false
		for _, p := range f.processes {
			values := f.process(p, byID, waits)
			different := map[string]any{}
			for code, v := range values {
				if !same(p.Values[code], v) {
					different[code], p.Values[code] = v, v
				}
			}
			if len(different) == 0 {
				continue
			}
			changed = true
			version, err := r.w.Update(ctx, process, p.ID, whole(p.Values["version"]), different)
			if err != nil {
				return err
			}
			p.Values["version"] = version
		}
		if !changed {
			return nil
		}
	}
	return nil
}

// process is the state of one process.
func (f facts) process(p world.Row, byID map[string]world.Row, waits map[string]string) map[string]any {
	var total, done int64
	begun := false
	for _, b := range f.bindings {
		if b.Text(codes.JbsID) != p.ID {
			continue
		}
		completed := isDone(b)
		begun = begun || whole(b.Values[codes.Instances]) > 0
		if b.Is(codes.Required) {
			total++
			done += count(completed)
		} else if completed {
			begun = true
		}
	}
	status := codes.OptionOpen
	switch {
	case begun && done == total:
		status = codes.OptionDone
	case begun:
		status = codes.OptionDoing
	case lockedBy(p, byID, waits) != "":
		status = codes.OptionLocked
	}
	return map[string]any{"status": status, "sheetTotal": decimal.NewFromInt(total), "sheetDone": decimal.NewFromInt(done)}
}

// lockedBy is the first process before this one that is required and not done, or the hold point that it waits for (holds); "" when there is none.
func lockedBy(p world.Row, byID map[string]world.Row, waits map[string]string) string {
	for _, id := range p.Set(codes.PrevIDs) {
		if before, ok := byID[id]; ok && before.Is(codes.Required) && before.Text(codes.Status) != codes.OptionDone {
			return before.Text(codes.Title)
		}
	}
	return waits[p.Text(codes.Code)]
}
