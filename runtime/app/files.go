package app

import (
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/temporary"
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
		a.sweepTemporary()
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		a.clearFiles()
	}
}

// clearFiles is a look of sweepFiles into the database.
func (a *App) clearFiles() {
	a.sweepRecycled()
	a.sweepExports()
	a.sweepImports()
	a.sweepAudit()
	gone, err := a.files.Sweep(a.background)
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("remove uploads that no record took", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("removed unused uploads", "files", gone)
	}
}

// sweepTemporary removes what a process that was killed has left in the folder of temporary files, from the start on.
func (a *App) sweepTemporary() {
	gone, err := temporary.Sweep(temporary.Age, time.Now())
	if err != nil {
		a.cfg.Log.Warn("clear temporary files", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("cleared temporary files that a killed process has left", "files", gone)
	}
}

// sweepExports removes the files of exports that are kept no longer.
func (a *App) sweepExports() {
	gone, err := a.export.Sweep(a.background)
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("remove old exports", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("removed old exports", "exports", gone)
	}
}

// sweepImports removes what imports kept for a correction that did not come.
func (a *App) sweepImports() {
	gone, err := a.importer.Sweep(a.background)
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("clear old imports", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("cleared old imports", "imports", gone)
	}
}

// sweepRecycled deletes permanently what the recycle bin has kept long enough; its files are orphans then.
func (a *App) sweepRecycled() {
	state := a.State()
	view := state.Policy.View(principal.System("recycle bin"), a.Now(), a.cfg.Zone)
	gone, err := a.writer.SweepRecycled(a.background, view)
	if err != nil && a.background.Err() == nil {
		a.cfg.Log.Error("empty the recycle bin", "error", err)
	} else if gone > 0 {
		a.cfg.Log.Info("permanently deleted expired records from the recycle bin", "records", gone)
	}
}

// holdsFile reports whether something besides records waits for a file.
func (a *App) holdsFile(tx *store.Tx, id string) (bool, error) {
	for _, holds := range []blob.Spare{a.drafts.Holds, a.importer.Holds} {
		if held, err := holds(tx, id); held || err != nil {
			return held, err
		}
	}
	if a.Portals().Holds(a.State().Catalog, id) || printing.Holds(a.State().Catalog, id) {
		return true, nil
	}
	for _, folder := range []string{portalFolder, printFolder} {
		if drafts, err := publish.DraftsWith(tx, folder, id); len(drafts) > 0 || err != nil {
			return true, err
		}
	}
	return publish.VersionWith(tx, printFolder, id) // an earlier version of a template can be taken again
}
