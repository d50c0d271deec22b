// Package hook holds named points of a record's life: ordered chains of handlers, each of which calls the next.
package hook

import (
	"context"
	"slices"
)

// Handler acts on an event; it calls next to go on, and returns an error to refuse.
type Handler[E any] func(ctx context.Context, event E, next func() error) error

// Point is a place where handlers can stand. The zero value is ready; handlers run in the order of their adding.
type Point[E any] struct{ handlers []Handler[E] }

// Add appends a handler.
func (p *Point[E]) Add(h Handler[E]) { p.handlers = append(p.handlers, h) }

// Empty tells that no handler is here.
func (p *Point[E]) Empty() bool { return len(p.handlers) == 0 }

// Run calls the handlers around last.
func (p *Point[E]) Run(ctx context.Context, event E, last func() error) error {
	var call func(i int) error
	call = func(i int) error {
		if i == len(p.handlers) {
			return last()
		}
		return p.handlers[i](ctx, event, func() error { return call(i + 1) })
	}
	return call(0)
}

// Then is a point with the handlers of p and then those of q.
func (p *Point[E]) Then(q *Point[E]) *Point[E] {
	switch {
	case len(q.handlers) == 0:
		return p
	case len(p.handlers) == 0:
		return q
	}
	return &Point[E]{handlers: slices.Concat(p.handlers, q.handlers)}
}
