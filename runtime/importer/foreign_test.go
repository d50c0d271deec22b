package importer_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
)

// A label comes before a code of something else: "Name" above a column of a foreign file is the property of that label, not the name that the
// system makes of a record, though all headings of the row happen to be codes. A row of codes in a file of ours has the column of ids, or is hidden.
func TestLabelsBeforeCodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		head := func(rows ...[]string) string {
			p := w.propose(w.boss, w.upload(w.boss, "a.xlsx", file(t, rows...)), func(r *importer.HeadRequest) { r.SchemaCode, r.QueryCode = "site", "site" })
			return columnsAs(p)
		}
		require.Equal(t, "title code above", head([]string{"Name", "Code", "Above"}, []string{"左岸", "L", ""}))
		require.Equal(t, "title code above", head([]string{"name", "code", "above"}, []string{"左岸", "L", ""}))
		require.Equal(t, "id - title code above", head([]string{"id", "name", "title", "code", "above"}, []string{"ID", "Name", "名称", "编码", "上级"}, []string{"", "左岸", "左岸", "L", ""}))
		out := w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Add, Language: "en"}, false, []string{"Name", "Code", "Above"}, []string{"左岸", "L", ""})
		require.Equal(t, []int64{1, 0}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
	})
}

// The first look at an upload is the only one that opens it: choices in the dialog are answered of what is kept.
func TestSecondLook(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		up := w.upload(w.boss, "a.xlsx", file(t, []string{"编号", "备注"}, []string{"B-1", "x"}))
		first := w.propose(w.boss, up)
		removed := 0
		require.NoError(t, filepath.WalkDir(w.files, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			removed++
			return os.Remove(path)
		}))
		require.Positive(t, removed)
		require.Equal(t, first.Columns, w.propose(w.boss, up, func(r *importer.HeadRequest) { r.HeadRow = 1 }).Columns)
	})
}
