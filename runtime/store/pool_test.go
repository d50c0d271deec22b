package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// With the fewest connections that a pool may have, all who build indexes at once come to an end, beside others who write.
func TestLeastConnections(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	_, err := store.Open(t.Context(), store.Options{URL: storetest.Pool(url, store.LeastConns-1)})
	require.ErrorContains(t, err, fmt.Sprint("at least ", store.LeastConns))

	db := storetest.Open(t, store.Options{URL: storetest.Pool(url, store.LeastConns)})
	apply(t, db, base())
	values := make([]string, 500)
	for i := range values {
		values[i] = fmt.Sprintf("('@r%05d', '施工 no %d')", i, i)
	}
	run(t, db, `INSERT INTO d_contract (id, title) VALUES `+strings.Join(values, ","))
	apply(t, db, edit("d_contract", func(t *plan.Table) { column(t, "title").Search = true }))
	within, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() {
			if i%2 == 0 {
				errs[i] = db.EnsureIndexes(within)
				return
			}
			errs[i] = db.Write(within, func(context.Context, *store.Tx) error { return nil })
		})
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.EqualValues(t, len(values), hits(t, db, "d_contract", "title", "施工"))
}
