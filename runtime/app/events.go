package app

import "sync"

// Event is a server-sent event. Data is one line of JSON.
type Event struct{ Name, Data string }

// Events hands each event to everybody who listens. A listener that does not keep up loses events, never the sender time.
type Events struct {
	mu     sync.Mutex
	joined map[chan Event]bool
	last   map[string]Event // kept for those who join later: faults that still stand
	closed bool
}

func newEvents() *Events { return &Events{joined: map[chan Event]bool{}, last: map[string]Event{}} }

// Join returns a stream of events and the function that leaves it.
func (h *Events) Join() (<-chan Event, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan Event, 16)
	if h.closed {
		close(c)
		return c, func() {}
	}
	h.joined[c] = true
	for _, e := range h.last {
		c <- e
	}
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.joined[c] {
			delete(h.joined, c)
			close(c)
		}
	}
}

// Send hands an event to all; keep makes those who join later get it too, until the next of its name.
func (h *Events) Send(e Event, keep bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.last, e.Name)
	if keep {
		h.last[e.Name] = e
	}
	for c := range h.joined {
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
