package importer_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// A template is imported as it is: its head is known in both languages, its example is left out, and what is written below it is taken.
func TestTemplate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for locale, want := range map[string]string{"zh": "构件导入模板", "en": "Parts import sample "} {
			var out bytes.Buffer
			name, err := w.app.Importer().Template(t.Context(), w.view(w.clerk), "part", "part", locale, &out)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(name, want) && strings.HasSuffix(name, ".xlsx"), name)
			book, err := workbook.Open(t.Context(), name, bytes.NewReader(out.Bytes()), int64(out.Len()), workbook.Usual)
			require.NoError(t, err)
			var rows [][]workbook.Out
			require.NoError(t, book.Rows(t.Context(), 0, 1, func(r workbook.Row) bool {
				var cells []workbook.Out
				for _, c := range r.Cells {
					cells = append(cells, workbook.Out{Cell: c})
				}
				rows = append(rows, cells)
				return true
			}))
			require.NoError(t, book.Close())
			require.NotContains(t, texts(rows), "secret") // not the clerk's to see, nor the price to write
			require.NotContains(t, texts(rows), "price")

			empty := w.run(w.clerk, importer.Request{FileName: w.upload(w.clerk, name, out.Bytes())}, false)
			require.Zero(t, empty.Added+empty.Errors, "%v", refusedAs(empty))

			filled := make([]workbook.Out, len(rows[0]))
			for i, key := range rows[0] {
				for column, value := range map[string]string{"number": "T-" + locale, "quantity": "5", "points.place": "left"} {
					if strings.TrimLeft(key.Text, "#:") == column {
						filled[i].Cell = property.Cell{Kind: property.CellText, Text: value}
					}
				}
			}
			var again bytes.Buffer
			b := workbook.NewWriter(&again, workbook.Options{})
			b.Sheet(workbook.SheetOptions{Name: "A"})
			for _, r := range append(rows, filled) {
				require.NoError(t, b.Row(r, 0))
			}
			require.NoError(t, b.Close())
			done := w.run(w.clerk, importer.Request{FileName: w.upload(w.clerk, name, again.Bytes())}, false)
			require.Equal(t, []int64{1, 0}, []int64{done.Added, done.Errors}, "%v", refusedAs(done))
			require.Empty(t, done.Ignored)
			require.Equal(t, []string{"left "}, w.points("T-"+locale))
		}
		_, err := w.app.Importer().Template(t.Context(), w.view(w.reader), "part", "part", "zh", &bytes.Buffer{})
		require.Equal(t, fault.Forbidden, fault.Of(err))
	})
}

// TestTemplateExamples: each example is one that the import takes: without its mark the row is a record.
func TestTemplateExamples(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, code := range []string{"1", "2"} { // two of one name, and one that the example can name
			w.save(w.boss, "site", map[string]any{"title": "一号工点", "code": "S-" + code})
		}
		w.save(w.boss, "site", map[string]any{"title": "三号工点", "code": "S-3"})
		for _, locale := range []string{"zh", "en"} {
			var out bytes.Buffer
			name, err := w.app.Importer().Template(t.Context(), w.view(w.boss), "part", "part", locale, &out)
			require.NoError(t, err)
			book, err := workbook.Open(t.Context(), name, bytes.NewReader(out.Bytes()), int64(out.Len()), workbook.Usual)
			require.NoError(t, err)
			var again bytes.Buffer
			b := workbook.NewWriter(&again, workbook.Options{})
			b.Sheet(workbook.SheetOptions{Name: "A"})
			examples, said := 0, []string{}
			require.NoError(t, book.Rows(t.Context(), 0, 1, func(r workbook.Row) bool {
				var cells []workbook.Out
				example := workbook.IsExample(r)
				for _, c := range r.Cells {
					if example && c.Kind != property.CellEmpty {
						examples++
						c.Text = strings.TrimPrefix(strings.TrimPrefix(c.Text, "示例 ▸ "), "Example ▸ ")
						said = append(said, c.Text)
					}
					cells = append(cells, workbook.Out{Cell: c})
				}
				return b.Row(cells, 0) == nil
			}))
			require.NoError(t, b.Close())
			require.NoError(t, book.Close())
			require.Contains(t, said, "三号工点")
			require.Equal(t, 19, examples) // all but the department, which nobody is in, and what is computed
			done := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, name, again.Bytes())}, true)
			require.Equal(t, []int64{1, 0}, []int64{done.Added, done.Errors}, "%v", refusedAs(done))
		}
		var out bytes.Buffer
		_, err := w.app.Importer().Template(t.Context(), w.view(w.boss), "card", "card", "en", &out)
		require.NoError(t, err)
		book, err := workbook.Open(t.Context(), "a.xlsx", bytes.NewReader(out.Bytes()), int64(out.Len()), workbook.Usual)
		require.NoError(t, err)
		var cells []string
		require.NoError(t, book.Rows(t.Context(), 0, 1, func(r workbook.Row) bool {
			if workbook.IsExample(r) {
				for _, c := range r.Cells {
					cells = append(cells, c.Text)
				}
			}
			return true
		}))
		require.NoError(t, book.Close())
		require.Contains(t, cells, "北京市朝阳区建国路1号", "an address is one")
	})
}

func texts(rows [][]workbook.Out) string {
	var out []string
	for _, r := range rows {
		for _, c := range r {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, " ")
}
