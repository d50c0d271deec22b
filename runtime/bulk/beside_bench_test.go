package bulk_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// BenchmarkCreateDuringBulk creates items by 16 writers while a job changes many others.
func BenchmarkCreateDuringBulk(b *testing.B) {
	storetest.Databases(b, func(b *testing.B, o store.Options) {
		a, err := open(o, 2)
		require.NoError(b, err)
		defer func() { require.NoError(b, a.Close()) }()
		w := people(b, a)
		w.fill(30_000)
		clerk := w.rights(w.clerk)
		create := func() error {
			_, err := a.Writer().Save(b.Context(), clerk, record.Change{Model: "item", Set: map[string]json.RawMessage{"title": []byte(`"x"`), "note": []byte(`"y"`)}})
			return err
		}
		turn := 0
		storetest.Beside(b, create, func() (end func()) {
			turn++
			out, err := w.run(w.boss, bulk.Request{Kind: bulk.BatchUpdate, Property: "note", Value: json.RawMessage(fmt.Sprintf(`"turn %d"`, turn)),
				Selection: query.SelectionRequest{All: true}})
			require.NoError(b, err)
			for w.reached(*out.JobID) == 0 {
				time.Sleep(time.Millisecond)
			}
			return func() {
				b.Logf("%d of %d records changed", w.reached(*out.JobID), out.Total)
				require.NoError(b, a.Jobs().Cancel(b.Context(), w.boss, *out.JobID))
				for j := (job.Job{}); j.Finished == nil; time.Sleep(time.Millisecond) {
					j, err = a.Jobs().Get(b.Context(), w.boss, *out.JobID)
					require.NoError(b, err)
				}
			}
		})
	})
}
