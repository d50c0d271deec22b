package importer_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
)

// Rows that name records of their own model mean those that were called so when the file was made, also behind rows that rename them: here
// two sites swap their names, and a third gets a new one.
func TestRenamedInTheFile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		left := w.save(w.boss, "site", map[string]any{"title": "左岸", "code": "L"})
		right := w.save(w.boss, "site", map[string]any{"title": "右岸", "code": "R"})
		middle := w.save(w.boss, "site", map[string]any{"title": "江心", "code": "M"})
		above := []string{left, right, middle}
		names := []string{"左岸", "右岸", "江心"}
		rows := [][]string{{"id", "title", "code", "above"}, {"ID", "名称", "编码", "上级"}, {left, "右岸", "L", ""}, {right, "左岸", "R", ""}, {middle, "沙洲", "M", ""}}
		for i := range 40 { // more than the first transaction takes
			title, code := fmt.Sprint("测点", i), fmt.Sprint("P-", i)
			id := w.save(w.boss, "site", map[string]any{"title": title, "code": code, "above": above[i%3]})
			rows = append(rows, []string{id, title, code, names[i%3]})
		}
		rows[len(rows)-2][3] = "沙洲" // who writes the new name means the same
		rows[len(rows)-1][3] = "右岸（R）"
		for _, dry := range []bool{true, false} {
			out := w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Update}, dry, rows...)
			require.Equal(t, []int64{0, 4, 39, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "dry %v %v", dry, refusedAs(out))
		}
	})
}
