package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestAttempts: writers that come again, others that do not, and some that fail, before they wrote or after, share commits: exactly
// the work of those whose call succeeded stays, once, and nobody who does not come again hears of others' failures.
func TestAttempts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const writers, each = 16, 30
		boom := errors.New("boom")
		want := map[string]bool{}
		var again atomic.Int64
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					code := fmt.Sprintf("%02d-%02d", w, i)
					f := func(ctx context.Context, tx *store.Tx) error {
						switch (w*7 + i) % 12 {
						case 3:
							return boom
						case 5:
							_ = tx.System().Create(&note{Code: code}).Error
							return boom
						}
						return tx.System().Create(&note{Code: code}).Error
					}
					write := func(ctx context.Context, f store.Do) error { return db.Attempt(ctx, "", f) }
					if (w+i)%10 == 0 {
						write = db.Write
					}
					err := write(context.Background(), f)
					for errors.Is(err, store.ErrConflict) && (w+i)%10 != 0 {
						again.Add(1)
						err = db.Write(context.Background(), f)
					}
					switch {
					case err == nil:
						mu.Lock()
						want[code] = true
						mu.Unlock()
					case !errors.Is(err, boom):
						t.Error(code, err)
					}
				}
			})
		}
		wg.Wait()
		got := codes(t, db)
		require.Len(t, got, len(want))
		require.Len(t, want, writers*each*10/12)
		for _, c := range got {
			require.True(t, want[c], c)
		}
		t.Log("came again:", again.Load())
	}, &note{})
}

// TestAttemptIsUndoneByAnother: whose work went with another's is told so; nobody is who does not come again, and what is done again is
// not undone by the next failure.
func TestAttemptIsUndoneByAnother(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect() == "postgres" {
			t.Skip("each has a commit of its own")
		}
		store.Unhurried(db)
		attempt := func(ctx context.Context, f store.Do) error { return db.Attempt(ctx, "", f) }
		type writer struct {
			write func(context.Context, store.Do) error
			code  string
			then  error
		}
		// group runs writers with one commit: the first has its turn until the others wait.
		group := func(of ...writer) []error {
			out := make([]error, len(of))
			var wg sync.WaitGroup
			run := func(i int, before func()) {
				out[i] = of[i].write(context.Background(), func(ctx context.Context, tx *store.Tx) error {
					before()
					return errors.Join(tx.System().Create(&note{Code: of[i].code}).Error, of[i].then)
				})
			}
			run(0, func() {
				for i := 1; i < len(of); i++ {
					wg.Go(func() { run(i, func() {}) })
					for store.Waiting(db) < i {
						runtime.Gosched()
					}
				}
			})
			wg.Wait()
			return out
		}
		boom := errors.New("boom")
		errs := group(writer{db.Write, "a", nil}, writer{attempt, "b", boom}, writer{attempt, "c", nil}, writer{db.Write, "d", boom})
		require.Equal(t, []bool{true, false, true, false}, []bool{errs[0] == nil, errs[1] == nil, errs[2] == nil, errs[3] == nil})
		require.Equal(t, []string{"a", "c"}, codes(t, db))

		errs = group(writer{attempt, "e", nil}, writer{attempt, "f", nil}, writer{attempt, "g", boom}, writer{attempt, "h", nil})
		require.ErrorIs(t, errs[0], store.ErrConflict)
		require.ErrorIs(t, errs[1], store.ErrConflict)
		require.ErrorIs(t, errs[2], boom)
		require.NotErrorIs(t, errs[2], store.ErrConflict)
		require.NoError(t, errs[3], "one that came behind")
		require.Equal(t, []string{"a", "c", "h"}, codes(t, db))

		errs = group(writer{attempt, "e", nil}, writer{attempt, "f", nil}, writer{attempt, "g", boom})
		require.Equal(t, []bool{true, true, false}, []bool{errs[0] == nil, errs[1] == nil, errs[2] == nil}, "shortly after")
		require.Equal(t, []string{"a", "c", "e", "f", "h"}, codes(t, db))
	}, &note{})
}
