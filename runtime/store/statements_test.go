package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestStatementInItself: a kept statement whose rows are being read is not the one that the same query runs again.
func TestStatementInItself(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(3, 4)), 5)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect() == "postgres" {
			t.Skip("its connection runs one query at a time")
		}
		w.save(t, db)
		q := &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{col("id", plan.ID)}}
		for range 3 {
			pairs := 0
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.Query(t.Context(), w.c, q, func([]any) error {
					return tx.Query(t.Context(), w.c, q, func([]any) error { pairs++; return nil })
				})
			}))
			require.Equal(t, 25, pairs)
		}
	}, &file{})
}

// TestUnnumbered: a kept statement has no numbers of parameters, which cost the driver more than the values, and gets the arguments
// in the order in which it names them. What names one twice, or is not understood, stays.
func TestUnnumbered(t *testing.T) {
	for _, c := range []struct {
		in, want string
		order    []int
	}{
		{`INSERT INTO "t" ("a", "b") VALUES ($1, $2)`, `INSERT INTO "t" ("a", "b") VALUES (?, ?)`, nil},
		{`SELECT ?2 || 'it''s $1' FROM "t" AS t WHERE "x""?9" = ?1`, `SELECT ? || 'it''s $1' FROM "t" AS t WHERE "x""?9" = ?`, []int{2, 1}},
		{`SELECT 1 - ?1 / ?2 FROM t`, `SELECT 1 - ? / ? FROM t`, nil},
		{"SELECT 1", "SELECT 1", nil},
		{"SELECT ?1, ?1, ?2", "SELECT ?1, ?1, ?2", nil},
		{"SELECT ?, ?", "SELECT ?, ?", nil},
		{"SELECT ?1, ?3", "SELECT ?1, ?3", nil},
		{"SELECT $a, :b", "SELECT $a, :b", nil},
		{"SELECT $1a", "SELECT $1a", nil},
		{"SELECT ?1 -- ?2", "SELECT ?1 -- ?2", nil},
		{"SELECT ?1 /* ?2 */", "SELECT ?1 /* ?2 */", nil},
		{"SELECT ?1, 'open", "SELECT ?1, 'open", nil},
		{"SELECT ?0", "SELECT ?0", nil},
		{"SELECT ?99999999999999999999", "SELECT ?99999999999999999999", nil},
	} {
		got, order := store.Unnumbered(c.in)
		require.Equal(t, c.want, got)
		require.Equal(t, c.order, order, c.in)
	}
}

// TestWriterStatements: what a writer asks of its own transaction, with arguments in any order and of the forms that callers have, is
// what it wrote; a statement that failed there ends the transaction, and a function that stops reading does not.
func TestWriterStatements(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(3, 4)), 5)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		q := &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{col("id", plan.ID)}}
		enough := errors.New("enough")
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			n, err := tx.Count(t.Context(), w.c, q)
			require.NoError(t, err)
			require.EqualValues(t, 5, n)
			require.ErrorIs(t, tx.Query(t.Context(), w.c, q, func([]any) error { return enough }), enough)
			pairs := 0
			if db.Dialect() == "sqlite" {
				require.NoError(t, tx.Query(t.Context(), w.c, q, func([]any) error {
					return tx.Query(t.Context(), w.c, q, func([]any) error { pairs++; return nil })
				}))
				require.Equal(t, 25, pairs)
			}
			require.NoError(t, tx.Note(t.Context(), "sl_meta_of_test", []string{"key", "value"}, []any{"a", "1"}, []any{"b", "2"}, []any{"c", "3"}))
			n, err = tx.Number(t.Context(), `SELECT count(*) FROM sl_meta_of_test WHERE value < $2 AND key >= $1`, "a", "3")
			require.NoError(t, err)
			require.EqualValues(t, 2, n)
			for i, of := range []string{"x", "y", "x", "x"} {
				n, err = tx.Raise(t.Context(), "sl_counter_of_test", "value", int64(10+i), []string{"model", "period"}, of, "")
				require.NoError(t, err)
				require.EqualValues(t, []int{10, 11, 22, 35}[i], n)
			}
			return nil
		}))
		err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			require.NoError(t, tx.Note(t.Context(), "sl_meta_of_test", []string{"key", "value"}, []any{"d", "4"}))
			var dup *store.Duplicate
			require.ErrorAs(t, tx.Note(t.Context(), "sl_meta_of_test", []string{"key", "value"}, []any{"a", "5"}), &dup)
			return nil // passed over
		})
		require.Error(t, err)
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			n, err := tx.Number(t.Context(), `SELECT count(*) FROM sl_meta_of_test`)
			require.NoError(t, err)
			require.EqualValues(t, 3, n)
			return nil
		}))
	}, &file{}, &testMeta{}, &testCounter{})
}

// testCounter is a system table of counters.
type testCounter struct {
	Model  string `gorm:"primaryKey"`
	Period string `gorm:"primaryKey"`
	Value  int64  `gorm:"not null"`
}

func (testCounter) TableName() string { return "sl_counter_of_test" }

// testMeta is a system table of two columns.
type testMeta struct {
	Key   string `gorm:"primaryKey"`
	Value string `gorm:"not null"`
}

func (testMeta) TableName() string { return "sl_meta_of_test" }
