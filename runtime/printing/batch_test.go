package printing_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// text is what a reader of PDF finds.
func text(t testing.TB, file []byte) string {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext (apt-get install poppler-utils)")
	}
	name := filepath.Join(t.TempDir(), "x.pdf")
	require.NoError(t, os.WriteFile(name, file, 0o600))
	out, err := exec.Command("pdftotext", name, "-").Output()
	require.NoError(t, err)
	return string(out)
}

func TestBatch(t *testing.T) {
	each(t, func(w *world) {
		prints := w.app.Prints()
		var ids []string
		const n = 2*printing.Part + 5
		for i := range n {
			ids = append(ids, w.save("clerk", "", 0, fmt.Sprintf(`{"title": "sheet %03d", "amount": %d}`, i, i)).ID)
		}
		mine := w.save("own", "", 0, `{"title": "own/1"}`).ID
		list := query.ListRequest{SchemaCode: "sheet"}
		start := func(name string, req printing.BatchRequest) string {
			w.Helper()
			started, err := prints.Batch(w.Context(), w.as(name), req)
			require.NoError(w, err)
			return started.ID
		}

		task, file, err := w.ended("clerk", start("clerk", printing.BatchRequest{ListRequest: list, All: true, Template: "sheet"}))
		require.NoError(w, err)
		require.Equal(w, "计量单 20261126090203.pdf", task.Name)
		require.EqualValues(w, n+1, task.Rows)
		found := text(w, file)
		require.Equal(w, n+1, strings.Count(found, "单 "), found)
		require.Less(w, strings.Index(found, "sheet 003"), strings.Index(found, "sheet 040"), "in the order of the list")

		// Codes of a batch are genuine, and its records say who printed them.
		past, err := prints.History(w.Context(), w.as("clerk"), "sheet", "", ids[n-1])
		require.NoError(w, err)
		require.Len(w, past, 1)
		require.Equal(w, printing.Batch, past[0].How)
		paper, err := prints.Lay(w.Context(), w.as("clerk"), of("sheet", ids[n-1]))
		require.NoError(w, err)
		got, err := prints.Verify(w.Context(), w.everything(), w.as("clerk"), paper.Codes()[0])
		require.NoError(w, err)
		require.Equal(w, printing.Genuine, got.Status, "the same second, person and record are the same paper")

		list.ObjectIDs = []string{ids[7], mine, ids[3]}
		_, file, err = w.ended("clerk", start("clerk", printing.BatchRequest{ListRequest: list, Template: "plain", Each: true}))
		require.NoError(w, err)
		z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
		require.NoError(w, err)
		var names []string
		for _, f := range z.File {
			names = append(names, f.Name)
			r, err := f.Open()
			require.NoError(w, err)
			one, err := io.ReadAll(r)
			require.NoError(w, err)
			require.Equal(w, 1, strings.Count(text(w, one), "单 "))
		}
		require.Equal(w, []string{"1 own_1.pdf", "2 sheet 003.pdf", "3 sheet 007.pdf"}, names)

		task, file, err = w.ended("own", start("own", printing.BatchRequest{ListRequest: list, Template: "plain"}))
		require.NoError(w, err)
		require.Equal(w, exporter.Lacks{Skipped: 2}, task.Lacks)
		require.Equal(w, "单 own/1", strings.TrimSpace(text(w, file)), "what its owner may not see is left out")

		list.ObjectIDs = []string{ids[7], ids[2]}
		task, file, err = w.ended("clerk", start("clerk", printing.BatchRequest{ListRequest: list, Template: "z_some"}))
		require.NoError(w, err)
		require.Equal(w, exporter.Lacks{Skipped: 1}, task.Lacks, "the template is not for the other one")
		require.Equal(w, "单 sheet 007", strings.TrimSpace(text(w, file)))

		rare := w.save("clerk", "", 0, `{"title": "𠮷𠀋𠮷"}`).ID
		list.ObjectIDs = []string{ids[7], rare, rare}
		task, _, err = w.ended("clerk", start("clerk", printing.BatchRequest{ListRequest: list, Template: "plain"}))
		require.NoError(w, err)
		require.Equal(w, exporter.Lacks{Missing: "𠀋𠮷"}, task.Lacks)

		refused := func(code fault.Code, name string, req printing.BatchRequest) {
			w.Helper()
			_, err := prints.Batch(w.Context(), w.as(name), req)
			require.Equal(w, code, fault.Of(err))
		}
		refused(fault.Forbidden, "reader", printing.BatchRequest{ListRequest: list})
		refused(fault.PrintTemplateNotFound, "clerk", printing.BatchRequest{ListRequest: list, Template: "none"})
		refused(fault.BadParameter, "clerk", printing.BatchRequest{ListRequest: list, All: true})
		refused(fault.BadParameter, "clerk", printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet"}})
		list.ObjectIDs = []string{ids[0]}
		_, _, err = w.ended("own", start("own", printing.BatchRequest{ListRequest: list, Template: "plain"}))
		require.Equal(w, fault.PrintNothing, fault.Of(err))
	})
}
