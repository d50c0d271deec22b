package directory_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestWithinTransactions: when everybody who may read holds a connection, and asks for an organisation that has to be read again, nobody
// waits without end.
func TestWithinTransactions(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		o.People(t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		const callers = 40 // more than there are connections
		gate := make(chan struct{})
		var held atomic.Int32
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				_ = db.Read(ctx, func(ctx context.Context, _ *store.Tx) error {
					held.Add(1)
					<-gate
					o.People(ctx)
					return nil
				})
			})
		}
		for last := int32(-1); last != held.Load(); time.Sleep(200 * time.Millisecond) {
			last = held.Load()
		}
		require.Less(t, held.Load(), int32(callers), "all connections are held")
		o.Use(compiled(t)) // what was read is of other definitions
		begun := time.Now()
		close(gate)
		all.Wait()
		require.Less(t, time.Since(begun), 5*time.Second)
		require.NoError(t, o.Fresh(t.Context()))
	})
}

// TestBeginsWithWhatWasStored: a transaction sees the organisation as it was stored before the transaction began, although nobody asked for
// it meanwhile.
func TestBeginsWithWhatWasStored(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		id := o.id()
		for n := range 20 {
			name := fmt.Sprint("Ann ", n)
			o.write(func(ctx context.Context, tx *store.Tx) error {
				return o.putPerson(tx, told, principal.Person{ID: id, Username: "ann", Name: name})
			})
			ask := func(ctx context.Context, _ *store.Tx) error {
				p, _ := o.Person(ctx, id)
				require.Equal(t, name, p.Name)
				return nil
			}
			require.NoError(t, []func(context.Context, store.Do) error{db.Read, db.Write, db.ReadCommitted}[n%3](t.Context(), ask))
		}
	})
}
