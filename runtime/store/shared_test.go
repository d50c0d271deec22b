package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// tally is a counter as numbers of records have it.
type tally struct {
	Name  string `gorm:"primaryKey"`
	Value int64  `gorm:"not null"`
}

func (tally) TableName() string { return "sl_tally" }

// addNumber takes the next number and notes it.
func addNumber(tx *store.Tx) (code string, err error) {
	n, err := tx.Raise(tx.Context(), "sl_tally", "value", 1, []string{"name"}, "n")
	if err != nil {
		return "", err
	}
	code = fmt.Sprint(n)
	return code, addNote(tx, code)
}

func addNote(tx *store.Tx, code string) error {
	return tx.Note(tx.Context(), "sl_note", []string{"code", "done"}, []any{code, false})
}

// insist calls Attempt, and Write after a conflict, as those who write records do.
func insist(ctx context.Context, db *store.DB, name string, f store.Do) error {
	err := db.Attempt(ctx, name, f)
	for errors.Is(err, store.ErrConflict) {
		err = db.Write(ctx, f)
	}
	return err
}

// whole requires that the numbers that are noted are 1, 2, 3 and so on, and that the counter is at the last.
func whole(t *testing.T, db *store.DB) (stored []string) {
	t.Helper()
	var numbers []int
	for _, c := range codes(t, db) {
		if n, err := strconv.Atoi(c); err == nil {
			numbers, stored = append(numbers, n), append(stored, c)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		require.Equal(t, i+1, n, "a number is missing or there twice")
	}
	var last int64
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		last, err = tx.Number(t.Context(), `SELECT COALESCE(max(value), 0) FROM sl_tally`)
		return err
	}))
	require.EqualValues(t, len(numbers), last)
	return stored
}

// TestSharing: writers of several names and nodes number what they write with one counter, and some of them fail, before or after the
// database hears of it, or do what cannot be shared. The numbers of those whose call succeeded have no holes, and each hears of its own
// failure only.
func TestSharing(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		const writers, each = 12, 15
		o.System = []any{&note{}, &tally{}}
		nodes := []*store.DB{storetest.Open(t, o)}
		if o.URL != "" {
			nodes = append(nodes, storetest.Open(t, o))
		}
		require.NoError(t, nodes[0].Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return addNote(tx, "twice") }))
		boom := errors.New("boom")
		var mu sync.Mutex
		var known []string
		var wg sync.WaitGroup
		for w := range writers {
			db := nodes[w%len(nodes)]
			name := []string{"plain", "refused", "apart"}[w/2%3]
			wg.Go(func() {
				for i := range each {
					var code string
					var want *store.Duplicate
					fails := false
					err := insist(t.Context(), db, name, func(ctx context.Context, tx *store.Tx) (err error) {
						if code, err = addNumber(tx); err != nil {
							return err
						}
						switch {
						case i%5 == 3:
							fails = true
							return boom
						case i%5 == 4:
							n, err := tx.Number(t.Context(), "SELECT count(*) FROM sl_note WHERE code = $1", code)
							if err == nil && n != 1 {
								err = fmt.Errorf("%d of the note that was just written", n)
							}
							return err
						case name == "refused" && i%5 == 2:
							fails, want = true, &store.Duplicate{}
							return addNote(tx, "twice")
						case name == "apart" && i%5 == 2:
							return tx.System().Create(&note{Code: fmt.Sprint("by gorm ", w, i)}).Error
						}
						return nil
					})
					switch {
					case err == nil && !fails:
						mu.Lock()
						known = append(known, code)
						mu.Unlock()
					case !fails, want == nil && !errors.Is(err, boom), want != nil && !errors.As(err, &want):
						t.Error(w, i, err)
					}
				}
			})
		}
		wg.Wait()
		require.ElementsMatch(t, known, whole(t, nodes[0]))
	})
}

// TestSharedTurns: who fails before the database hears of it undoes nobody; when the database refuses what one has written, or one
// fails that has read it back, all come again; and so does, alone, who does what cannot be shared.
func TestSharedTurns(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, store.Options{URL: storetest.Pool(storetest.Postgres(t), 16), System: []any{&note{}, &tally{}}}) // groups read beside
	store.Unhurried(db)
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return addNote(tx, "twice") }))
	boom := errors.New("boom")
	fine := func(ctx context.Context, tx *store.Tx) error { _, err := addNumber(tx); return err }
	fails := func(ctx context.Context, tx *store.Tx) error { return errors.Join(fine(ctx, tx), boom) }
	names := 0
	// group runs writers with one commit: the first has its turn until the others wait.
	group := func(of ...store.Do) []error {
		names++
		name := fmt.Sprint("group ", names)
		out := make([]error, len(of))
		var wg sync.WaitGroup
		out[0] = db.Attempt(t.Context(), name, func(ctx context.Context, tx *store.Tx) error {
			for i := 1; i < len(of); i++ {
				wg.Go(func() { out[i] = db.Attempt(t.Context(), name, of[i]) })
				for store.Waiting(db) < i {
					runtime.Gosched()
				}
			}
			return of[0](ctx, tx)
		})
		wg.Wait()
		return out
	}
	conflicts := func(errs []error) (out []bool) {
		for _, err := range errs {
			out = append(out, errors.Is(err, store.ErrConflict))
		}
		return out
	}
	transactions := func() (n int64) {
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
			n, err = tx.Number(t.Context(), `SELECT count(DISTINCT xmin::text) FROM sl_note`)
			return err
		}))
		return n
	}
	before := transactions()
	errs := group(fine, fails, fine, fails)
	require.Equal(t, []error{nil, nil}, []error{errs[0], errs[2]})
	require.ErrorIs(t, errs[1], boom)
	require.Equal(t, []bool{false, false, false, false}, conflicts(errs))
	require.Equal(t, []string{"1", "2"}, whole(t, db))
	require.Equal(t, before+1, transactions(), "one for both")

	require.Equal(t, []bool{true, true, true}, conflicts(group(fine, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(fine(t.Context(), tx), addNote(tx, "twice"))
	}, fine)))
	require.Len(t, whole(t, db), 2)

	require.Equal(t, []bool{true, false, true}, conflicts(group(fine, func(ctx context.Context, tx *store.Tx) error {
		err := fine(t.Context(), tx)
		_, e := tx.Number(t.Context(), "SELECT count(*) FROM sl_note")
		return errors.Join(err, e, boom)
	}, fine)))
	require.Len(t, whole(t, db), 2)

	for _, alone := range []store.Do{
		func(ctx context.Context, tx *store.Tx) error { return tx.Lock(t.Context(), "x") },
		func(ctx context.Context, tx *store.Tx) error { return tx.System().Create(&note{Code: "x"}).Error },
		func(ctx context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_note SET done = true").Error
		},
		func(ctx context.Context, tx *store.Tx) error { return tx.Try(t.Context(), func() error { return nil }) },
		func(ctx context.Context, tx *store.Tx) error { _ = tx.Lock(t.Context(), "swallowed"); return nil },
		func(ctx context.Context, tx *store.Tx) error {
			return tx.Lend(t.Context(), nil)
		},
	} {
		require.Equal(t, []bool{false, true, false}, conflicts(group(fine, alone, fine)))
	}
	require.Len(t, whole(t, db), 14)

	require.Panics(t, func() {
		_ = db.Attempt(t.Context(), "panics", func(_ context.Context, tx *store.Tx) error { _ = fine(t.Context(), tx); panic("p") })
	})
	over, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, db.Attempt(over, "leaves", func(_ context.Context, tx *store.Tx) error { cancel(); return fine(t.Context(), tx) }), context.Canceled)
	require.Len(t, whole(t, db), 14)
	require.NoError(t, db.Attempt(t.Context(), "panics", fine))
	require.Len(t, whole(t, db), 15)
}

// TestSharingIsCutOff: connections are ended under those who share transactions. What was answered stays, nothing is there twice, and no
// number is missing.
func TestSharingIsCutOff(t *testing.T) {
	t.Parallel()
	const writers, wanted = 8, 120
	url := storetest.Postgres(t)
	db := storetest.Open(t, store.Options{URL: url, System: []any{&note{}, &tally{}}})
	admin, err := pgx.Connect(t.Context(), storetest.One(url))
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close(context.Background()) })
	var mu sync.Mutex
	var known []string
	var answered, cut atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; answered.Load() < wanted; i++ {
				var code string
				err := insist(t.Context(), db, "n", func(ctx context.Context, tx *store.Tx) (err error) { // once: nobody comes again who may have been stored
					code, err = addNumber(tx)
					return errors.Join(err, addNote(tx, fmt.Sprint("call ", w, " ", i)))
				})
				if err != nil {
					var away *store.Outage
					if !errors.As(err, &away) {
						t.Error(err)
						return
					}
					cut.Add(1)
					continue
				}
				answered.Add(1)
				mu.Lock()
				known = append(known, code)
				mu.Unlock()
			}
		})
	}
	for at := int64(20); at < wanted; at += 20 {
		for answered.Load() < at {
			runtime.Gosched()
		}
		_, err := admin.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		require.NoError(t, err)
	}
	wg.Wait()
	for db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { _, err := tx.Number(t.Context(), "SELECT 1"); return err }) != nil {
		t.Log("a connection of before")
	}
	require.Subset(t, whole(t, db), known)
	require.Len(t, known, len(slices.Compact(slices.Sorted(slices.Values(known)))))
	t.Log("answered", answered.Load(), "cut off", cut.Load())
}

// TestSharingInDoubt: the connection ends between the commit and its answer. Nobody comes again: all of it is stored.
func TestSharingInDoubt(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	var cut atomic.Int64
	through := storetest.Between(t, url, func() storetest.Heard {
		var doubt atomic.Bool // others commit on connections of their own meanwhile
		return storetest.Heard{
			Asked: func(question []byte, _ bool) {
				if bytes.Contains(question, []byte("in doubt")) {
					doubt.Store(true)
				}
			},
			Answered: func(answer []byte) bool {
				ends := doubt.Load() && bytes.Contains(answer, []byte("COMMIT\x00"))
				if ends {
					cut.Add(1)
				}
				return !ends
			},
		}
	})
	db := storetest.Open(t, store.Options{URL: through, System: []any{&note{}, &tally{}}})
	for i, begin := range []func(context.Context, store.Do) error{
		db.Write, func(ctx context.Context, f store.Do) error { return db.Attempt(ctx, "n", f) },
	} {
		var away *store.Outage
		err := begin(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := addNumber(tx)
			return errors.Join(err, addNote(tx, fmt.Sprint("in doubt ", i)))
		})
		require.ErrorAs(t, err, &away)
		require.NotErrorIs(t, err, store.ErrConflict)
		require.EqualValues(t, i+1, cut.Load())
	}
	require.Len(t, whole(t, db), 2)
}
