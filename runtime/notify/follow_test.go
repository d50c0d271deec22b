package notify_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/internal/followtest"
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
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for _, to := range people {
					if err := s.Put(tx, to, notify.Type(51)); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		send("ann", "ann", "bob")

		type told struct {
			user   string
			unread int64
		}
		f := followtest.New(t, func(ctx context.Context, listening func() []string, tell func(told)) {
			s.Follow(ctx, listening, func(user string, c notify.Counts) { tell(told{user, c.Station + c.Comment}) })
		})
		f.Watch("ann")
		f.Next(told{"ann", 2})
		f.Watch("ann", "bob") // nothing is written
		f.Next(told{"bob", 1})
		f.Watch("ann", "bob", "cleo")
		f.Next(told{"cleo", 0})
		send("bob")
		f.Next(told{"bob", 2})
		f.Watch("bob")
		send("ann", "bob")
		f.Next(told{"bob", 3})
		f.Watch("ann", "bob") // who comes back
		f.Next(told{"ann", 3})
		send("cleo", "ann") // and nobody was told what they knew
		f.Next(told{"ann", 4})
		f.Quiet()
	}, notify.Tables()...)
}
