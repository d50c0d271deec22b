package importer_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
)

// BenchmarkImport imports a file of SLUICE_IMPORT_ROWS records (5,000 when it is not set).
func BenchmarkImport(b *testing.B) {
	o := store.Options{Dir: b.TempDir()}
	a, err := open(o, 2)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, a.Close()) })
	w := people(b, a)
	w.every = time.Second
	rows := 5_000
	if n, err := strconv.Atoi(os.Getenv(envRows)); err == nil {
		rows = n
	}
	w.save(w.boss, "site", map[string]any{"title": "上游", "code": "S1"})
	lines := [][]string{{"编号", "名称", "数量", "单价", "日期", "时刻", "时间", "完成", "状态", "标签", "经办人", "班组", "部门", "工点", "机密"}}
	for i := range rows {
		lines = append(lines, []string{fmt.Sprintf("P-%06d", i), "part " + strconv.Itoa(i), "#" + strconv.Itoa(i%1000), "#1.5", "@2026-11-25 00:00", "@2026-11-25 08:30", "08:30", "是", "打开", "A;B", "boss", "clerk;reader",
			"", "S1", "x"})
	}
	content := file(b, lines...)
	for b.Loop() {
		begun := time.Now()
		id, err := w.app.Importer().Start(b.Context(), w.view(w.boss), importer.Request{FileName: w.upload(w.boss, "a.xlsx", content), SchemaCode: "part", QueryField: "number", Mode: importer.AddOrUpdate}, false)
		require.NoError(b, err)
		out := w.ended(w.boss, id)
		took := time.Since(begun)
		b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
		b.Logf("added %d changed %d same %d errors %d in %v", out.Added, out.Changed, out.Same, out.Errors, took)
	}
}
