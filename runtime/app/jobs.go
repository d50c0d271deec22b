package app

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/job"
)

// startJobs opens the queue, tells it who does what, begins to work, and lets open pages hear how their jobs get on.
func (a *App) startJobs(ctx context.Context) (err error) {
	a.jobs, err = job.New(ctx, job.Config{DB: a.db, Workers: a.cfg.Workers, Active: a.active, Clock: a.cfg.Clock, Log: a.cfg.Log})
	if err != nil {
		return err
	}
	a.bulk.Use(a.jobs)
	a.importer.Use(a.jobs)
	a.export.Use(a.jobs, a.files)
	a.channels.Use(a.jobs)
	for _, workers := range a.workers() {
		for kind, w := range workers {
			if err := a.jobs.Register(kind, w); err != nil {
				return err
			}
		}
	}
	if err := a.jobs.Start(ctx); err != nil {
		return fmt.Errorf("start the jobs: %w", err)
	}
	if a.cfg.Workers > 0 {
		a.work.Go(a.keepSchedules)
	}
	if a.cfg.Workers > 0 && (a.channels.Open(channel.Mail) || a.channels.Open(channel.Webhook)) {
		a.work.Go(func() { a.channels.Follow(a.background) })
	}
	a.work.Go(func() { a.jobs.Follow(a.background, a.events.Listening, a.tellProgress) })
	return nil
}

// workers are who does the jobs of the product, by kind.
func (a *App) workers() []map[string]job.Worker {
	return []map[string]job.Worker{a.bulk.Workers(), a.importer.Workers(), a.export.Workers(), a.channels.Workers(), a.packWorkers(), a.auditWorkers(), a.cfg.Jobs}
}

// caller is a person for whom a job works, with the roles and departments of this moment.
func (a *App) caller(ctx context.Context, user string) (principal.Principal, bool) {
	person, known := a.people.Person(ctx, user)
	if !known || person.Disabled {
		return principal.Principal{}, false
	}
	return authn.Principal(ctx, a.people, person, ""), true
}

// active reports whether jobs may still be done for a person.
func (a *App) active(ctx context.Context, user string) bool {
	person, known := a.people.Person(ctx, user)
	return known && !person.Disabled
}

// tellProgress sends the progress of a job to its owner's pages.
func (a *App) tellProgress(owner string, p job.Progress) {
	text, err := json.Marshal(p)
	if err != nil {
		a.cfg.Log.Error("encode a job's progress", "job", p.ID, "error", err)
		return
	}
	a.events.Send(Event{Name: "job", Data: string(text), To: owner}, false)
}
