package app

import (
	"slices"
	"time"

	"github.com/sluice-platform/sluice/runtime/record"
)

const (
	changesEvery = time.Second
	// changesBack is how long a transaction may take from its write to its end, and how much the clocks of two nodes may differ.
	changesBack = 10 * time.Second
	changesMost = 2_000 // writes that are looked at in one step; of more than these only the last are told
)

// followChanges tells those who watch a model which of its records were written, on whatever node. Nothing is read while
// nobody watches.
func (a *App) followChanges() {
	tick := time.NewTicker(changesEvery)
	defer tick.Stop()
	told, known := map[string]bool{}, []string{}
	before := a.Now()
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		models := a.events.Watched()
		if len(models) == 0 {
			known, before = nil, a.Now()
			continue
		}
		written, err := record.Recent(a.background, a.db, models, a.Now().Add(-changesBack), changesMost)
		if err != nil {
			if a.background.Err() == nil {
				a.cfg.Log.Warn("follow the changes", "error", err)
			}
			continue
		}
		now := make(map[string]bool, len(written))
		news := map[string][]record.Written{}
		for _, w := range written {
			now[w.ID] = true
			// Of a model that nobody has watched until now, only what came after the last look is news.
			if !told[w.ID] && (slices.Contains(known, w.Model) || w.At.After(before)) {
				news[w.Model] = append(news[w.Model], w)
			}
		}
		told, known, before = now, models, a.Now()
		for model, of := range news {
			a.events.Send(Event{Name: "changes", Watched: model, Written: of}, false)
		}
	}
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
