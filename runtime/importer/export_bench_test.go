package importer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
)

// BenchmarkExport exports 4,000 records that refer to people, departments and as many other records.
func BenchmarkExport(b *testing.B) {
	o := store.Options{Dir: b.TempDir()}
	a, err := open(o, 2)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, a.Close()) })
	w := people(b, a)
	w.every = time.Second
	rows := 4_000
	sites, refs := [][]string{{"名称", "编码"}}, [][]string{{"编号", "人员", "工点", "单选"}}
	for i := range rows {
		sites = append(sites, []string{fmt.Sprint("工点 ", i), fmt.Sprint("S-", i)})
		refs = append(refs, []string{fmt.Sprintf("R-%06d", i), "boss;clerk", fmt.Sprint("S-", i*7919%rows), "乙"})
	}
	require.Zero(b, w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Add}, false, sites...).Errors)
	require.Zero(b, w.run(w.boss, importer.Request{SchemaCode: "ref", Mode: importer.Add}, false, refs...).Errors)
	for b.Loop() {
		begun := time.Now()
		w.file(w.boss, "ref", "xlsx", "zh", "number", "people", "site", "radio")
		b.ReportMetric(float64(rows)/time.Since(begun).Seconds(), "rows/s")
	}
}
