package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// BenchmarkRightsInForce publishes rights of the ship-lock example on one of two nodes on PostgreSQL. It reports what publishing takes, and how long
// after it the rights are in force on the other node.
func BenchmarkRightsInForce(b *testing.B) {
	const dir, path = "../../examples/ship-lock", "access/viewer.json"
	url, err := storetest.Server(b.Context())
	if err != nil {
		b.Skip(err)
	}
	var nodes [2]*app.App
	for i := range nodes {
		cfg := config(b, store.Options{URL: url, Dir: b.TempDir()}, dir)
		cfg.Key = "a key of this benchmark, long enough to be one"
		if nodes[i], err = app.Open(b.Context(), cfg); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = nodes[i].Close() })
	}
	var late time.Duration
	rows := []string{`"rows": "result == 'OK' and not hidden"`, `"rows": "result == 'OK'"`}
	for k := range b.N {
		now, err := nodes[0].DocumentText(b.Context(), rightsOf(nodes[0], "administrator"), "shiplock", path, 0)
		if err != nil {
			b.Fatal(err)
		}
		text := strings.Replace(*now.Text, rows[k%2], rows[(k+1)%2], 1)
		_, err = nodes[0].Publish(b.Context(), rightsOf(nodes[0], "administrator"), app.Changeset{Files: []app.Change{{Pack: "shiplock", Path: path, Text: &text, Seen: now.Seen}}}, app.Confirmation{})
		if err != nil {
			b.Fatal(err)
		}
		published := time.Now()
		for nodes[1].State().Catalog.Version != nodes[0].State().Catalog.Version {
			time.Sleep(100 * time.Microsecond)
		}
		late += time.Since(published)
	}
	b.ReportMetric(float64(late.Milliseconds())/float64(b.N), "ms-until-other-node/op")
}
