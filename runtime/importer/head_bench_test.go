package importer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// BenchmarkHead asks for the head of a file of some 60 MB in twelve worksheets: the first time, and at each further choice of the dialog.
func BenchmarkHead(b *testing.B) {
	a, err := open(store.Options{Dir: b.TempDir()}, 1)
	require.NoError(b, err)
	b.Cleanup(func() { _ = a.Close() })
	w := people(b, a)
	var out bytes.Buffer
	book := workbook.NewWriter(&out, workbook.Options{})
	text := func(s string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: s}}
	}
	for month := range 12 {
		book.Sheet(workbook.SheetOptions{Name: fmt.Sprint(month+1, "月")})
		require.NoError(b, book.Row([]workbook.Out{text("编号"), text("名称"), text("备注")}, 0))
		for i := range 40000 {
			require.NoError(b, book.Row([]workbook.Out{text(fmt.Sprint(month, "-", i)), text(fmt.Sprint(rand.Uint64(), rand.Uint64(), rand.Uint64())), text(fmt.Sprint(rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()))}, 0))
		}
	}
	require.NoError(b, book.Close())
	up := w.upload(w.boss, "year.xlsx", out.Bytes())
	for i := range 4 {
		begun := time.Now()
		p := w.propose(w.boss, up, func(r *importer.HeadRequest) { r.SchemaCode, r.QueryCode, r.Sheet = "part", "part", &i })
		b.Logf("%d MB, head of worksheet %d: %s, %d worksheets", out.Len()>>20, i, time.Since(begun).Round(time.Millisecond), len(p.Sheets))
	}
}
