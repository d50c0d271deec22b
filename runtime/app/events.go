package app

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
)

// Event is a server-sent event. Data is one line of JSON.
type Event struct {
	Name, Data string
	To         string           // user id; "" = everybody
	Watched    string           // a model: only those who watch it get the event; "" = everybody
	Written    []record.Written // of the watched model; who gets the event shows of it what its reader may see
}

// listener is who listens on a stream, and its place in the order of joining.
type listener struct {
	user  string
	at    uint64
	watch []string // models
	check chan struct{}
}

// maxStreams of one person: open pages on all devices. The next one ends the oldest, which may be of a page long gone.
const maxStreams = 50

// Events hands each event to those who listen and may hear it. A listener that does not keep up loses events, never the sender time.
type Events struct {
	mu     sync.Mutex
	joined map[chan Event]listener
	count  uint64
	last   map[string]Event // kept for those who join later: faults that still stand
	closed bool
}

func newEvents() *Events { return &Events{joined: map[chan Event]listener{}, last: map[string]Event{}} }

// Join returns a person's stream of events, with the writes of the models that are watched, and the function that leaves it.
func (h *Events) Join(user string, watch ...string) (<-chan Event, func()) {
	events, _, leave := h.JoinChecked(user, watch...)
	return events, leave
}

// JoinChecked is Join with what tells when to look again whether the person may still listen.
func (h *Events) JoinChecked(user string, watch ...string) (<-chan Event, <-chan struct{}, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, check := make(chan Event, 16), make(chan struct{}, 1)
	if h.closed {
		close(c)
		return c, check, func() {}
	}
	h.makeRoom(user)
	h.count++
	h.joined[c] = listener{user, h.count, watch, check}
	for _, e := range h.last {
		c <- e
	}
	return c, check, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, in := h.joined[c]; in {
			delete(h.joined, c)
			close(c)
		}
	}
}

// makeRoom ends a person's oldest stream when there is no place for another.
func (h *Events) makeRoom(user string) {
	var oldest chan Event
	n := 0
	for c, l := range h.joined {
		if l.user != user {
			continue
		}
		if n++; oldest == nil || l.at < h.joined[oldest].at {
			oldest = c
		}
	}
	if n >= maxStreams {
		delete(h.joined, oldest)
		close(oldest)
	}
}

// Listening are the people who listen, each once.
func (h *Events) Listening() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	users := map[string]bool{}
	for _, l := range h.joined {
		users[l.user] = true
	}
	return slices.Collect(maps.Keys(users))
}

// Send hands an event out; keep makes those who join later get it too, until the next of its name. Only events for
// everybody are kept.
func (h *Events) Send(e Event, keep bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.last, e.Name)
	if keep && e.To == "" {
		h.last[e.Name] = e
	}
	for c, l := range h.joined {
		if e.To != "" && e.To != l.user || e.Watched != "" && !slices.Contains(l.watch, e.Watched) {
			continue
		}
		select {
		case c <- e:
		default:
		}
	}
}

// Check makes every stream look again whether its person may still listen.
func (h *Events) Check() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.joined {
		select {
		case l.check <- struct{}{}:
		default: // it is about to
		}
	}
}

// checkEvery bounds how often all streams are checked while many sessions end.
const checkEvery = 200 * time.Millisecond

// checkStreams follows the changes of all nodes: a session that ended, or a person who was disabled, listens no longer.
func (a *App) checkStreams(tables []string) {
	if !authn.SessionsChanged(tables) {
		state := a.State()
		if state == nil {
			return
		}
		m := state.Catalog.Model(directory.User)
		if m == nil || !slices.Contains(tables, m.Table) {
			return
		}
	}
	if a.checking.CompareAndSwap(false, true) {
		time.AfterFunc(checkEvery, func() {
			a.checking.Store(false)
			a.events.Check()
		})
	}
}

// Close ends all streams, so that the server can stop.
func (h *Events) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for c := range h.joined {
		delete(h.joined, c)
		close(c)
	}
}
