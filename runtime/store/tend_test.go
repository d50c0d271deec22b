package store_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// A table that was filled at once is made known to the planner of PostgreSQL when the indexes stand, and then no more; small ones can
// wait. While another transaction of the server is older than the rows they are not visible to all, and the next call tries again.
func TestLargeTablesAreKnown(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	db := storetest.Open(t, store.Options{URL: storetest.Postgres(t), System: []any{&file{}}, Log: slog.New(slog.NewTextHandler(&said, nil))})
	apply(t, db, base())
	require.Equal(t, "off", ask[string](t, db, `SHOW jit`))
	run(t, db, `INSERT INTO d_contract (id, title) SELECT gen_random_uuid(), repeat(md5(i::text), 20) FROM generate_series(1, 8000) AS i`)
	run(t, db, `INSERT INTO d_lot (id, part, version) SELECT gen_random_uuid(), i::text, 1 FROM generate_series(1, 100) AS i`)
	known := func(table string) bool {
		return ask[bool](t, db, `SELECT relallvisible > 0 AND reltuples > 0 FROM pg_class WHERE relname = '`+table+`'`)
	}
	require.False(t, known("d_contract"))
	require.Eventually(t, func() bool { return assert.NoError(t, db.EnsureIndexes(t.Context())) && known("d_contract") }, time.Minute, 20*time.Millisecond)
	gathered := func() int {
		return bytes.Count(said.Bytes(), []byte(`background work is done" kind=statistics name=d_contract`))
	}
	before := gathered()
	require.Positive(t, before)
	require.NoError(t, db.EnsureIndexes(t.Context()))
	require.NoError(t, db.EnsureIndexes(store.Background(t.Context())))
	require.Equal(t, before, gathered())
	require.False(t, known("d_lot"), "it is small")
	require.NotContains(t, said.String(), "name=d_lot ")
}
