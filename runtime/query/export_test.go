package query

import (
	"context"
	"time"
)

// WithSearchTime gives searches other times than their own: for one model, for all, and how many models are searched.
func (r *Reader) WithSearchTime(each, all time.Duration, models int) {
	r.limits = &searchTime{each: each, all: all, models: models}
}

// SearchLane is the lane of searches.
type SearchLane = searchLane

// NewSearchLane makes a lane.
func NewSearchLane() *SearchLane { return newSearchLane() }

// Enter is enter.
func (l *searchLane) Enter(ctx context.Context, person string) (func(), error) {
	return l.enter(ctx, person)
}

// People is how many people search or wait.
func (l *searchLane) People() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.people)
}

// SearchPlaces is how many people search at once.
func SearchPlaces() int { return cap(newSearchLane().all) }
