package app

import (
	"maps"
	"slices"
	"sync"
)

// Event is a server-sent event. Data is one line of JSON.
type Event struct {
	Name, Data string
	To         string // user id; "" = everybody
}

// Events hands each event to those who listen and may hear it. A listener that does not keep up loses events, never the sender time.
type Events struct {
	mu     sync.Mutex
	joined map[chan Event]string // user id
	last   map[string]Event      // kept for those who join later: faults that still stand
	closed bool
}

func newEvents() *Events { return &Events{joined: map[chan Event]string{}, last: map[string]Event{}} }

// Join returns a person's stream of events and the function that leaves it.
func (h *Events) Join(user string) (<-chan Event, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan Event, 16)
	if h.closed {
		close(c)
		return c, func() {}
	}
	h.joined[c] = user
	for _, e := range h.last {
		c <- e
	}
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, in := h.joined[c]; in {
			delete(h.joined, c)
			close(c)
		}
	}
}

// Listening are the people who listen, each once.
func (h *Events) Listening() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	users := map[string]bool{}
	for _, user := range h.joined {
		users[user] = true
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
	for c, user := range h.joined {
		if e.To != "" && e.To != user {
			continue
		}
		select {
		case c <- e:
		default:
		}
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
