package notify_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestFollow: who begins to listen is told what they have not read, also when no message has come since others were told; the others are
// told nothing again, and each is told when theirs change.
func TestFollow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := notify.New(notify.Config{DB: db, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		send := func(people ...string) {
			t.Helper()
			require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
				for _, to := range people {
					if err := s.Put(tx, to, notify.Type(51)); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		send("ann", "ann", "bob")

		var mu sync.Mutex
		var listening []string
		listen := func(people ...string) {
			mu.Lock()
			defer mu.Unlock()
			listening = people
		}
		type told struct {
			user   string
			unread int64
		}
		heard := make(chan told, 100)
		ctx, end := context.WithCancel(t.Context())
		var over sync.WaitGroup
		over.Go(func() {
			s.Follow(ctx, func() []string {
				mu.Lock()
				defer mu.Unlock()
				return slices.Clone(listening)
			}, func(user string, c notify.Counts) { heard <- told{user, c.Station + c.Comment} })
		})
		t.Cleanup(func() { end(); over.Wait() })
		next := func(want told) {
			t.Helper()
			select {
			case got := <-heard:
				require.Equal(t, want, got)
			case <-time.After(time.Minute):
				t.Fatalf("%v was not told", want)
			}
		}
		listen("ann")
		next(told{"ann", 2})
		listen("ann", "bob") // nothing is written
		next(told{"bob", 1})
		listen("ann", "bob", "cleo")
		next(told{"cleo", 0})
		send("bob")
		next(told{"bob", 2})
		listen("bob")
		send("ann", "bob")
		next(told{"bob", 3})
		listen("ann", "bob") // who comes back
		next(told{"ann", 3})
		send("cleo", "ann") // and nobody was told what they knew
		next(told{"ann", 4})
		require.Empty(t, heard)
	}, notify.Tables()...)
}
