package query

import (
	"context"
	"runtime"
	"sync"

	"github.com/sluice-platform/sluice/engine/fault"
)

// mostWaiting is how many searches of one person wait for their first; further ones are refused.
const mostWaiting = 8

// searchLane lets each person search once at a time, and as many people at once as there are cores: who types fast, or in many windows, waits
// for themselves and holds up nobody else.
type searchLane struct {
	all    chan struct{}
	mu     sync.Mutex
	people map[string]*searchTurn
}

// searchTurn is a person who searches, and how many of their searches are under way or wait.
type searchTurn struct {
	one   chan struct{}
	count int
}

func newSearchLane() *searchLane {
	return &searchLane{all: make(chan struct{}, max(1, runtime.NumCPU())), people: map[string]*searchTurn{}}
}

// enter waits for the turn of a person and then for a place; leave ends both. A caller that ends meanwhile gives its turn up.
func (l *searchLane) enter(ctx context.Context, person string) (leave func(), err error) {
	turn, err := l.take(person)
	if err != nil {
		return nil, err
	}
	for i, place := range []chan struct{}{turn.one, l.all} {
		select {
		case place <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-turn.one
			}
			l.give(person, turn)
			return nil, ctx.Err()
		}
	}
	return func() {
		<-l.all
		<-turn.one
		l.give(person, turn)
	}, nil
}

func (l *searchLane) take(person string) (*searchTurn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turn := l.people[person]
	if turn == nil {
		turn = &searchTurn{one: make(chan struct{}, 1)}
		l.people[person] = turn
	}
	if turn.count > mostWaiting {
		return nil, fault.Later(fault.TooManyRequests, 1)
	}
	turn.count++
	return turn, nil
}

func (l *searchLane) give(person string, turn *searchTurn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turn.count--; turn.count == 0 {
		delete(l.people, person)
	}
}
