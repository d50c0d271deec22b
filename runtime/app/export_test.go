package app

import (
	"context"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/runtime/authn/authntest"
	"github.com/sluice-platform/sluice/runtime/store"
)

// SystemTables are the gorm models of the system's tables.
func (a *App) SystemTables() []any { return a.cfg.store().System }

// JobKinds are the kinds of jobs that the queue has workers for.
func (a *App) JobKinds() (out []string) {
	for _, workers := range a.workers() {
		out = slices.AppendSeq(out, maps.Keys(workers))
	}
	return out
}

// Looks are single looks of what looks again and again.
func (a *App) Looks() map[string]func() error {
	silent := func(look func()) func() error { return func() error { look(); return nil } }
	return map[string]func() error{
		"sweepTalk": silent(a.clearTalk), "sweepFiles": silent(a.clearFiles), "keepStarting": silent(func() { a.startRows(a.background, a.State().Catalog) }),
		"keepNode": func() error { return a.beat(a.background) }, "keepSchedules": func() error { return a.StartDue(a.background) }, "catchUp": func() error { return a.CatchUp(a.background) },
		"followPublished": func() error { return a.takeOver(a.background) }, "followBranding": func() error { return a.readBranding(a.background) },
		"fireTimers": func() error { _, err := a.flows.Fire(a.background); return err }, "ready": func() error { return a.Ready(a.background) },
	}
}

func init() { authntest.Cheapen() }

// StartAudit starts an audit of workflows for somebody.
func (a *App) StartAudit(ctx context.Context, owner string) (id string, err error) {
	err = a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err = a.startAudit(ctx, tx, owner)
		return err
	})
	return id, err
}
