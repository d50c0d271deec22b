package app

import (
	"slices"
	"time"

	"github.com/sluice-platform/sluice/runtime/record"
)

const (
	changesEvery = time.Second
	// changesBack is how long a transaction may take from its write to its end, and how much the clocks of two nodes may differ; looks begin so
	// long before the last one, however late they come.
	changesBack = 10 * time.Second
	changesMost = 2_000 // writes that are looked at in one step; of more than these only the last are told
)

// followChanges tells those who watch a model which of its records were written, on whatever node. Nothing is read while
// nobody watches.
func (a *App) followChanges() {
	tick := time.NewTicker(changesEvery)
	defer tick.Stop()
	f := &changeFollower{before: a.opened} // this loop may begin later
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		at := a.Now() // before it is asked who watches: what is written from here on is news for whoever has joined meanwhile
		models := a.events.Watched()
		if len(models) == 0 {
			f.idle(at)
			continue
		}
		written, err := record.Recent(a.background, a.db, models, f.before.Add(-changesBack), changesMost)
		if err != nil {
			if a.background.Err() == nil {
				a.cfg.Log.Warn("follow the changes", "error", err)
			}
			continue
		}
		for model, of := range f.news(at, models, written) {
			a.events.Send(Event{Name: "changes", Watched: model, Written: of}, false)
		}
	}
}

// changeFollower knows what has been told of changes.
type changeFollower struct {
	told   map[string]bool // ids of writes that the last look found
	known  []string        // models that were watched then
	before time.Time       // when the last look began
}

// idle notes a look at which nobody watched.
func (f *changeFollower) idle(at time.Time) { f.told, f.known, f.before = nil, nil, at }

// news is what of the writes that a look finds has to be told, by model. at is when the look began. Of a model that nobody has watched
// until now, only what came since the last look is news; the times of writes are whole milliseconds.
func (f *changeFollower) news(at time.Time, models []string, written []record.Written) map[string][]record.Written {
	now, out := make(map[string]bool, len(written)), map[string][]record.Written{}
	for _, w := range written {
		now[w.ID] = true
		if !f.told[w.ID] && (slices.Contains(f.known, w.Model) || !w.At.Before(f.before.Truncate(time.Millisecond))) {
			out[w.Model] = append(out[w.Model], w)
		}
	}
	f.told, f.known, f.before = now, models, at
	return out
}

// Watched are the models that somebody watches, each once.
func (h *Events) Watched() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, l := range h.joined {
		for _, model := range l.watch {
			if _, comments := WatchedRecord(model); !comments && !slices.Contains(out, model) {
				out = append(out, model)
			}
		}
	}
	return out
}
