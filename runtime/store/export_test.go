package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Refusals name what refused, on both databases. This test is inside the package as statements on records are.
func testRefusals(t *testing.T, o Options) {
	db, err := Open(t.Context(), o)
	require.NoError(t, err)
	defer db.Close()
	long := "d_" + strings.Repeat("long", 20)
	want := plan.Storage{Tables: []plan.Table{
		{Name: "d_target", Model: "target"},
		{Name: long, Model: "long", Columns: []plan.Column{
			{Name: "a", Kind: plan.Text}, {Name: "b", Kind: plan.Text},
			{Name: "ref", Kind: plan.ID, References: "d_target"},
			{Name: "refs", Kind: plan.Set, References: "d_target"},
		}, Unique: []plan.Index{{Columns: []string{"a", "b"}}}},
	}}
	p, err := db.Plan(t.Context(), want, PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, ApplyOptions{}))
	write := func(at target, text string, args ...any) error {
		return db.Write(t.Context(), func(_ context.Context, tx *Tx) error {
			for i, a := range args {
				if id, ok := a.(string); ok && isUUID(id) {
					args[i] = tx.id(id)
				}
			}
			_, err := tx.exec(t.Context(), at, text, args...)
			return err
		})
	}
	id := func(n int) string { return fmt.Sprintf("00000000-0000-7000-8000-%012d", n) }
	t1, t2 := id(101), id(102)
	row := func(id, a, b string, ref any) target {
		return target{table: long, id: id, row: map[string]any{"id": id, "a": a, "b": b, "ref": ref}}
	}
	insert := `INSERT INTO ` + Ident(long) + ` (id, a, b, ref) VALUES ($1, $2, $3, $4)`
	require.NoError(t, write(target{table: "d_target", row: map[string]any{}}, `INSERT INTO d_target (id) VALUES ($1), ($2)`, t1, t2))
	before := db.Versions(long)
	require.NoError(t, write(row(id(1), "x", "y", t1), insert, id(1), "x", "y", t1))
	require.Greater(t, db.Versions(long), before)
	require.NoError(t, write(target{table: long, row: map[string]any{}}, `INSERT INTO `+Ident(LinkTable(long, "refs"))+` (v, id, ordinal) VALUES ($1, $2, 0)`, id(1), t2))

	var dup *Duplicate
	require.ErrorAs(t, write(row(id(2), "x", "y", nil), insert, id(2), "x", "y", nil), &dup)
	require.Equal(t, []any{"long", long, []string{"a", "b"}}, []any{dup.Model, dup.Table, dup.Columns})
	require.ErrorAs(t, write(row(id(1), "x", "z", nil), insert, id(1), "x", "z", nil), &dup)
	require.Equal(t, []string{"id"}, dup.Columns)

	var ref *Referenced
	require.ErrorAs(t, write(row(id(3), "q", "q", id(100)), insert, id(3), "q", "q", id(100)), &ref)
	require.Equal(t, []any{"long", long, "ref", true}, []any{ref.Model, ref.Table, ref.Column, ref.Missing})
	require.ErrorAs(t, write(target{table: "d_target", id: t1}, `DELETE FROM d_target WHERE id = $1`, t1), &ref)
	require.Equal(t, []any{"long", long, "ref", false}, []any{ref.Model, ref.Table, ref.Column, ref.Missing})
	require.ErrorAs(t, write(target{table: "d_target", id: t2}, `DELETE FROM d_target WHERE id = $1`, t2), &ref)
	require.Equal(t, []any{"long", "refs", false}, []any{ref.Model, ref.Column, ref.Missing})
	require.NoError(t, db.Read(context.Background(), func(_ context.Context, tx *Tx) error { return nil }))
}

// RefusalsForTest lets the outer test package, which has the databases, run it.
var RefusalsForTest = testRefusals

// Statement is the SQL of a page with the ways to searched texts that a reader would take now.
func Statement(ctx context.Context, tx *Tx, c *catalog.Catalog, q *plan.Query) (string, []any, error) {
	r, err := tx.reader(ctx, c, q)
	if err != nil {
		return "", nil, err
	}
	return r.page(0, q.Limit)
}

// Unnumbered is a statement as a connection of SQLite keeps it, and the order of its arguments.
var Unnumbered = unnumbered

// Unhurried lets groups take callers for as long as they like, and those of SQLite stay careful: so they do on a machine that has much else to do.
func Unhurried(db *DB) {
	switch d := db.d.(type) {
	case *sqliteDialect:
		d.group.hurry, d.group.careful = time.Hour, time.Hour
	case *postgresDialect:
		d.hurry = time.Hour
	}
}

// Waiting is how many writers wait for their turn.
func Waiting(db *DB) (n int) {
	switch d := db.d.(type) {
	case *sqliteDialect:
		return d.group.waiting()
	case *postgresDialect:
		d.groups.Range(func(_, g any) bool { n += g.(*postgresGroup).waiting(); return true })
	}
	return n
}

func (l *line[B]) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// Interrupt ends the writer's connection in a statement of a context that ends.
func Interrupt(t *testing.T, db *DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	var n int64
	err := db.d.writing().QueryRowContext(ctx, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c").Scan(&n)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// Abandon closes what a database has open, its log not written into it.
func Abandon(t *testing.T, db *DB) {
	t.Helper()
	db.stop()
	db.wg.Wait()
	Interrupt(t, db)
	d := db.d.(*sqliteDialect)
	require.NoError(t, d.reader.Close())
	require.NoError(t, d.writer.Close())
}

// GramQuery is what SQLite's index is asked for a text.
func GramQuery(text string) string { return gramQuery(text) }
