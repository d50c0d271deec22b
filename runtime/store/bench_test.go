package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// benchWorld is SQLite with lots and an index for the page.
func benchWorld(b *testing.B) (*world, *store.DB, string) {
	dir := b.TempDir()
	db, err := store.Open(b.Context(), store.Options{Dir: dir, System: []any{&file{}}})
	require.NoError(b, err)
	b.Cleanup(func() { db.Close() })
	w := newWorld()
	for i := range w.c.Storage.Tables {
		if t := &w.c.Storage.Tables[i]; t.Name == "d_lot" {
			t.Indexes = []plan.Index{{Columns: []string{"result", "day", "id"}, Desc: []bool{false, true, false}}}
		}
	}
	w.fill(rand.New(rand.NewPCG(1, 2)), 5000)
	w.save(b, db)
	return w, db, dir
}

func benchQuery(w *world) *plan.Query {
	q := &plan.Query{Model: "lot", Limit: 20, Order: []plan.Order{{By: col("day", plan.Date), Descending: true}, {By: col("id", plan.ID)}},
		Where: plan.AllOf(&plan.Compare{Op: plan.EQ, A: col("result", plan.Text), B: val(plan.Text, "OK")},
			&plan.Compare{Op: plan.GE, A: col("day", plan.Date), B: val(plan.Date, "2020-01-01")})}
	for _, f := range w.c.Model("lot").Fields {
		if f.Property != nil {
			q.Select = append(q.Select, col(f.Code, f.Property.Kind()))
		}
	}
	return q
}

// BenchmarkPage reads a page of 20 rows of 18 columns through the store, and the same statement by hand: the difference is
// what plans cost.
func BenchmarkPage(b *testing.B) {
	w, db, dir := benchWorld(b)
	q := benchQuery(w)
	b.Run("store", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			err := db.Read(b.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.Query(b.Context(), w.c, q, func([]any) error { n++; return nil })
			})
			if err != nil || n != 20 {
				b.Fatal(n, err)
			}
		}
	})
	b.Run("store/total", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, db.Read(b.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := tx.Total(b.Context(), store.Fix(w.c, q))
				return err
			}))
		}
	})
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := store.SQL("sqlite", w.c, q); err != nil {
				b.Fatal(err)
			}
		}
	})
	text, args, err := store.SQL("sqlite", w.c, q)
	require.NoError(b, err)
	pool, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(dir, "sluice.db"))+"?mode=ro")
	require.NoError(b, err)
	defer pool.Close()
	byHand(b, pool, "by hand", text, args, len(q.Select), false)
	byHand(b, pool, "by hand in a transaction", text, args, len(q.Select), true)
}

func byHand(b *testing.B, pool *sql.DB, name, text string, args []any, columns int, inTx bool) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		row, to := make([]any, columns), make([]any, columns)
		for i := range row {
			to[i] = &row[i]
		}
		for b.Loop() {
			query := pool.QueryContext
			if inTx {
				tx, err := pool.BeginTx(b.Context(), &sql.TxOptions{ReadOnly: true})
				require.NoError(b, err)
				defer tx.Rollback()
				query = tx.QueryContext
				if err := scan(query(b.Context(), text, args...)); err != nil {
					b.Fatal(err)
				}
				require.NoError(b, tx.Commit())
				continue
			}
			rows, err := query(b.Context(), text, args...)
			require.NoError(b, err)
			for rows.Next() {
				if err := rows.Scan(to...); err != nil {
					b.Fatal(err)
				}
			}
			rows.Close()
		}
	})
}

func scan(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	row, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		to[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// BenchmarkCursor compares page 1 with a page far behind, by cursor and by offset.
func BenchmarkCursor(b *testing.B) {
	w, db, _ := benchWorld(b)
	q := benchQuery(w)
	q.Where = plan.True
	q.Order = []plan.Order{{By: col("id", plan.ID)}}
	for _, page := range []struct {
		name   string
		after  []any
		offset int
	}{{"first", nil, 0}, {"cursor", []any{fakeID(4000)}, 0}, {"offset", nil, 3900}} {
		b.Run(page.name, func(b *testing.B) {
			q.After, q.Offset = page.after, page.offset
			for b.Loop() {
				n := 0
				err := db.Read(b.Context(), func(_ context.Context, tx *store.Tx) error {
					return tx.Query(b.Context(), w.c, q, func([]any) error { n++; return nil })
				})
				if err != nil || n != 20 {
					b.Fatal(fmt.Sprint(n, err))
				}
			}
		})
	}
}
