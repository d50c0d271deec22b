// Package followtest listens in tests to what a service tells those who follow it.
package followtest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Follower follows keys and hears what is told of them.
type Follower[K, V any] struct {
	t     testing.TB
	mu    sync.Mutex
	keys  []K
	heard chan V
}

// New lets a service follow until the test ends: it asks for the keys again and again, and tells.
func New[K, V any](t testing.TB, follow func(ctx context.Context, keys func() []K, tell func(V))) *Follower[K, V] {
	t.Helper()
	f := &Follower[K, V]{t: t, heard: make(chan V, 100)}
	ctx, end := context.WithCancel(t.Context())
	var over sync.WaitGroup
	over.Go(func() { follow(ctx, f.followed, func(told V) { f.heard <- told }) })
	t.Cleanup(func() { end(); over.Wait() })
	return f
}

func (f *Follower[K, V]) followed() []K {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.keys)
}

// Watch follows these keys instead of those before.
func (f *Follower[K, V]) Watch(keys ...K) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys = keys
}

// Next waits for what is told next.
func (f *Follower[K, V]) Next(want V) {
	f.t.Helper()
	select {
	case got := <-f.heard:
		require.Equal(f.t, want, got)
	case <-time.After(time.Minute):
		f.t.Fatalf("%v was not told", want)
	}
}

// Quiet holds that nothing else was told.
func (f *Follower[K, V]) Quiet() {
	f.t.Helper()
	require.Empty(f.t, f.heard)
}
