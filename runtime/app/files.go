package app

import (
	"time"

	"github.com/sluice-platform/sluice/runtime/blob"
)

// Files keeps the uploaded files.
func (a *App) Files() *blob.Service { return a.files }

// sweepEvery is how often uploads that no record took are looked for.
const sweepEvery = time.Hour

// sweepFiles removes orphans while the system serves; Close ends it.
func (a *App) sweepFiles() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		gone, err := a.files.Sweep(a.background)
		if err != nil && a.background.Err() == nil {
			a.cfg.Log.Error("remove uploads that no record took", "error", err)
		} else if gone > 0 {
			a.cfg.Log.Info("removed uploads that no record took", "files", gone)
		}
	}
}
