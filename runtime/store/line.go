package store

import (
	"context"
	"slices"
	"sync"
)

// line is where writers wait for their turn in a batch B, a transaction that several of them share.
type line[B any] struct {
	mu      sync.Mutex
	queue   []*member[B]
	running bool
	closed  bool
	idle    sync.WaitGroup
}

// member is one writer of a line.
type member[B any] struct {
	turn  chan *B       // its turn has come
	done  chan struct{} // it has finished
	alone bool          // it wants the connection, not a transaction
}

func newMember[B any]() *member[B] {
	return &member[B]{turn: make(chan *B, 1), done: make(chan struct{}, 1)}
}

// close waits for those who are in the line and takes no more.
func (l *line[B]) close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.idle.Wait()
	return nil
}

func (l *line[B]) ended() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// wait queues until the member's turn or the end of the context. serve runs while there is somebody in the line.
func (l *line[B]) wait(ctx context.Context, m *member[B], serve func()) (*B, error) {
	if err := l.enter(m, serve); err != nil {
		return nil, err
	}
	select {
	case b := <-m.turn:
		return b, nil
	case <-ctx.Done():
	}
	if l.leave(m) {
		return nil, ctx.Err()
	}
	return <-m.turn, nil // it came at the same moment
}

func (l *line[B]) enter(m *member[B], serve func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errClosed
	}
	l.queue = append(l.queue, m)
	if !l.running {
		l.running = true
		l.idle.Go(serve)
	}
	return nil
}

// busy reports whether somebody has a turn.
func (l *line[B]) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running
}

// leave takes a member out of the queue; false when its turn has come.
func (l *line[B]) leave(m *member[B]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.queue, m)
	if i < 0 {
		return false
	}
	l.queue = slices.Delete(l.queue, i, i+1)
	return true
}

// next takes the first of the queue, for a new batch or to join one. serve ends when there is none for a new batch.
func (l *line[B]) next(join bool) *member[B] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		l.running = join
		return nil
	}
	if join && l.queue[0].alone {
		return nil
	}
	m := l.queue[0]
	l.queue = slices.Delete(l.queue, 0, 1)
	return m
}

// more reports whether somebody waits; serve ends when there is nobody.
func (l *line[B]) more() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = len(l.queue) > 0
	return l.running
}
