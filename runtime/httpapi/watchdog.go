package httpapi

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/runtime/stacks"
)

const (
	watchEvery = 5 * time.Second
	watchSpell = 15 * time.Second // without an answer in time, while calls exceed theirs
	watchQuiet = 10 * time.Minute // between two tellings
	watchGrace = 3 * time.Second  // for a call to end after its deadline
)

// watchdog logs the goroutines of a server that answers nothing any more. It ends nothing.
type watchdog struct {
	log  *slog.Logger
	busy func() bool // a publication holds the tables: calls wait for it, and nothing is wrong

	mu       sync.Mutex
	under    map[*underway]bool
	answered time.Time // the last answer in time
	late     time.Time // the last answer that took longer than its call may
	told     time.Time
}

// underway is a call that has not been answered.
type underway struct{ deadline time.Time }

func newWatchdog(log *slog.Logger, busy func() bool) *watchdog {
	return &watchdog{log: log, busy: busy, under: map[*underway]bool{}, answered: time.Now()}
}

// enter notes a call until the function that it returns is called.
func (w *watchdog) enter(limit time.Duration) (leave func()) {
	call := &underway{time.Now().Add(limit)}
	w.mu.Lock()
	if now := time.Now(); len(w.under) == 0 && !w.lately(now) { // a server that nobody called answered nobody
		w.answered = now
	}
	w.under[call] = true
	w.mu.Unlock()
	return func() {
		now := time.Now()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.under, call)
		if now.Before(call.deadline) {
			w.answered = now
		} else {
			w.late = now
		}
	}
}

// lately reports whether the last answer was late, not long ago.
func (w *watchdog) lately(now time.Time) bool {
	return w.late.After(w.answered) && now.Sub(w.late) < watchSpell
}

// hangs reports whether the server answers nothing, once in a while.
func (w *watchdog) hangs(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	late := w.lately(now) && w.late.Sub(w.answered) > watchSpell
	for call := range w.under {
		late = late || now.After(call.deadline.Add(watchGrace))
	}
	if !late || now.Sub(w.answered) < watchSpell || !w.told.IsZero() && now.Sub(w.told) < watchQuiet || w.busy() {
		return false
	}
	w.told = now
	return true
}

// watch looks until ctx ends.
func (w *watchdog) watch(ctx context.Context) {
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticks.C:
			if w.hangs(now) {
				w.log.Error("the server answers nothing", "goroutines", stacks.All())
			}
		}
	}
}
