package printing_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// A template as a spreadsheet has its texts at their places, numbers as numbers, and sums that are computed; what its reader may not see is not there.
func TestSheets(t *testing.T) {
	each(t, func(w *world) {
		made := []string{
			w.save("clerk", "", 0, `{"title": "=1+1", "amount": "1200.50", "secret": "7", "lines": [{"what": "钢筋", "count": "2.5"}, {"what": "模板", "count": "4"}, {"what": "钢筋", "count": "1"}]}`).ID,
			w.save("clerk", "", 0, `{"title": "\ud840\udfb7/second", "amount": "3"}`).ID,
		}
		req := of("z_sums", made...)
		req.Sheets = true
		out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), req)
		require.NoError(w, err)
		require.Empty(w, out.Pages)
		require.Empty(w, out.Missing, "spreadsheets have fonts of their own")
		var file bytes.Buffer
		require.NoError(w, out.WriteXLSX(&file, "zh", "clerk"))
		b, err := workbook.Open(w.Context(), "a.xlsx", bytes.NewReader(file.Bytes()), int64(file.Len()), workbook.Limits{})
		require.NoError(w, err)
		defer func() { require.NoError(w, b.Close()) }()
		require.Equal(w, []workbook.Sheet{{Name: "=1+1"}, {Name: "\U000203b7 second"}}, b.Sheets())
		texts := map[string]property.Cell{}
		require.NoError(w, b.Rows(w.Context(), 0, 1, func(r workbook.Row) bool {
			for i, c := range r.Cells {
				if c.Kind != property.CellEmpty {
					texts[workbook.Ref(r.Number, i)] = c
				}
			}
			return true
		}))
		have := map[string]property.CellKind{}
		for _, c := range texts {
			have[c.Text] = c.Kind
		}
		require.Equal(w, property.CellText, have["单 =1+1"])
		require.Equal(w, property.CellNumber, have["1200.5"])
		require.Equal(w, property.CellNumber, have["2.5"])
		require.Contains(w, have, "3.5", "the sum of a group as it is now")
		require.Contains(w, have, "7.5", "and that of all")
		all := parts(t, file.Bytes())
		require.Equal(w, 3, strings.Count(all, "<f>SUBTOTAL(9,"), "of two groups and of all")
		require.Equal(w, 3, strings.Count(all, "SUBTOTAL(9,"))
		require.Contains(w, all, ".png", "the code is a picture")

		// Rows without a number have no sum: not on paper, and not in a spreadsheet, whose formula would make it zero.
		for _, lines := range []string{`[{"what": "钢筋"}, {"what": "模板"}]`, `[]`} {
			blank := of("z_sums", w.save("clerk", "", 0, `{"title": "blank", "lines": `+lines+`}`).ID)
			out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), blank)
			require.NoError(w, err)
			require.NotContains(w, written(out), "0", lines)
			require.NotContains(w, written(out), "0.00", lines)
			blank.Sheets = true
			out, err = w.app.Prints().Lay(w.Context(), w.as("clerk"), blank)
			require.NoError(w, err)
			file.Reset()
			require.NoError(w, out.WriteXLSX(&file, "zh", "clerk"))
			require.NotContains(w, parts(t, file.Bytes()), "SUBTOTAL", lines)
		}

		own := of("z_sums", w.save("own", "", 0, `{"title": "own", "amount": "5"}`).ID)
		own.Sheets = true
		out, err = w.app.Prints().Lay(w.Context(), w.as("own"), own)
		require.NoError(w, err)
		file.Reset()
		require.NoError(w, out.WriteXLSX(&file, "zh", "own"))
		hidden := parts(t, file.Bytes())
		require.Contains(w, hidden, "金额")
		require.NotContains(w, hidden, "底价", "the floor is hidden from them")

		labels := of("", made...)
		labels.Sheets, labels.Labels = true, &printing.Labels{}
		_, err = w.app.Prints().Lay(w.Context(), w.as("clerk"), labels)
		require.Equal(w, fault.BadParameter, fault.Of(err))
	})
}

// written are the texts on the pages of a printout.
func written(out *printing.Printout) (texts []string) {
	for _, p := range out.Pages {
		for _, m := range p.Marks {
			if text, is := m.(layout.TextMark); is {
				texts = append(texts, text.Text)
			}
		}
	}
	return texts
}

// parts is the text of all parts of a spreadsheet.
func parts(t *testing.T, xlsx []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(xlsx), int64(len(xlsx)))
	require.NoError(t, err)
	var out strings.Builder
	for _, part := range z.File {
		out.WriteString(part.Name + "\n")
		r, err := part.Open()
		require.NoError(t, err)
		_, err = io.Copy(&out, r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	return out.String()
}
