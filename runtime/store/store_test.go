package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// note is a system model as other packages have them.
type note struct {
	Code string `gorm:"primaryKey"`
	Done bool
	At   time.Time
}

func (note) TableName() string { return "sl_note" }

// note2 is note a version later.
type note2 struct {
	Code  string `gorm:"primaryKey"`
	Done  bool
	At    time.Time
	Extra string `gorm:"not null;default:x"`
}

func (note2) TableName() string { return "sl_note" }

func codes(t *testing.T, db *store.DB) (out []string) {
	t.Helper()
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&note{}).Order("code").Pluck("code", &out).Error
	}))
	return out
}

func TestSystemModels(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		at := time.Date(2026, 11, 21, 3, 4, 5, 678e6, time.UTC)
		o.System = []any{&note{}}
		db, err := store.Open(t.Context(), o)
		require.NoError(t, err)
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Create(&note{Code: "a", Done: true, At: at}).Error
		}))
		require.NoError(t, db.Close())

		o.System = []any{&note2{}}
		db = storetest.Open(t, o)
		var n note2
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().First(&n, "code = ?", "a").Error }))
		require.True(t, n.At.Equal(at), n.At)
		require.True(t, n.Done)
		require.Equal(t, "x", n.Extra)
		require.ErrorIs(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().First(&n, "code = ?", "z").Error }), gorm.ErrRecordNotFound)
		require.Error(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&note{Code: "b"}).Error }), "a read cannot write")
	})
}

func TestWriteKeepsOrUndoes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		add := func(tx *store.Tx, code string) error { return tx.System().Create(&note{Code: code}).Error }
		boom := errors.New("boom")
		require.ErrorIs(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { _ = add(tx, "undone"); return boom }), boom)
		require.PanicsWithValue(t, "p", func() {
			_ = db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { _ = add(tx, "panicked"); panic("p") })
		})
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return add(tx, "a") }))
		err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := add(tx, "b"); err != nil {
				return err
			}
			_ = add(tx, "a") // a failed statement fails the transaction even when its error is dropped
			return nil
		})
		require.ErrorIs(t, err, gorm.ErrDuplicatedKey)
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			require.ErrorIs(t, tx.Try(t.Context(), func() error { _ = add(tx, "c"); return add(tx, "a") }), gorm.ErrDuplicatedKey)
			return tx.Try(t.Context(), func() error { return add(tx, "d") })
		}))
		require.Equal(t, []string{"a", "d"}, codes(t, db))
	}, &note{})
}

// Many writers at once, a third of which fail, panic or leave their goroutine: exactly the others' work stays.
func TestGroupedCommits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const writers, each = 16, 30
		want := map[string]bool{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					code := fmt.Sprintf("%02d-%02d", w, i)
					done := make(chan error, 1)
					go func() {
						defer func() {
							if recover() != nil {
								done <- errors.New("panicked")
							}
							close(done)
						}()
						done <- db.Write(context.Background(), func(_ context.Context, tx *store.Tx) error {
							if err := tx.System().Create(&note{Code: code}).Error; err != nil {
								return err
							}
							switch (w + i) % 6 {
							case 1:
								return errors.New("refused")
							case 3:
								panic("boom")
							}
							return nil
						})
					}()
					if err, ok := <-done; err == nil && ok {
						mu.Lock()
						want[code] = true
						mu.Unlock()
					}
				}
			})
		}
		wg.Wait()
		got := codes(t, db)
		require.Len(t, got, len(want))
		require.Len(t, want, writers*each*4/6)
		for _, c := range got {
			require.True(t, want[c], c)
		}
	}, &note{})
}

func TestWriteGivesUpWaiting(t *testing.T) {
	db := storetest.Open(t, store.Options{Dir: t.TempDir(), System: []any{&note{}}})
	hold, held := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			close(held)
			<-hold
			return tx.System().Create(&note{Code: "slow"}).Error
		})
	})
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, db.Write(ctx, func(context.Context, *store.Tx) error { t.Error("ran"); return nil }), context.DeadlineExceeded)
	close(hold)
	wg.Wait()
	require.Equal(t, []string{"slow"}, codes(t, db))

	ctx, cancel = context.WithCancel(t.Context())
	err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		require.NoError(t, tx.System().WithContext(ctx).Create(&note{Code: "x"}).Error)
		cancel()
		return tx.System().WithContext(ctx).Create(&note{Code: "y"}).Error
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"slow"}, codes(t, db))
}

func TestRefusals(t *testing.T) { storetest.EachOptions(t, store.RefusalsForTest) }
