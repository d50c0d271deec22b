package app

import (
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/blob"
)

// Files keeps the uploaded files.
func (a *App) Files() *blob.Service { return a.files }

// sweepEvery is how often uploads that no record took, and deleted records that are kept no longer, are looked for.
const sweepEvery = time.Hour

// sweepFiles removes deleted records that are kept no longer, and orphans, while the system serves; Close ends it.
func (a *App) sweepFiles() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		a.sweepRecycled()
		gone, err := a.files.Sweep(a.background)
		if err != nil && a.background.Err() == nil {
			a.cfg.Log.Error("remove uploads that no record took", "error", err)
		} else if gone > 0 {
			a.cfg.Log.Info("removed uploads that no record took", "files", gone)
		}
	}
}

// sweepRecycled deletes for ever what the recycle bin has kept long enough; its files are orphans then.
func (a *App) sweepRecycled() {
	state := a.State()
	view := state.Policy.View(principal.System("recycle bin"), a.Now(), a.cfg.Zone)
	gone, err := a.writer.SweepRecycled(a.background, view)
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("empty the recycle bin", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("deleted for ever what the recycle bin kept long enough", "records", gone)
	}
}
