package printing_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestTemplateReaders: a template that names roles is for those who have one: to others it is in no list, and no call prints with it, by its code
// either. What it verifies, and that records were printed with it, everybody is told as before.
func TestTemplateReaders(t *testing.T) {
	each(t, func(w *world) {
		prints := w.app.Prints()
		id := w.save("own", "", 0, `{"title": "闸门"}`).ID
		list := func(name string) string {
			got, err := prints.Attributes(w.Context(), w.as(name), printing.Wanted{SchemaCode: "sheet"})
			require.NoError(w, err)
			var codes []string
			for _, t := range got.Templates {
				codes = append(codes, t.Code)
			}
			return strings.Join(codes, " ")
		}
		require.Contains(w, list("own"), "zz_own")
		require.NotContains(w, list("clerk"), "zz_own")
		refused := func(err error) {
			w.Helper()
			require.Equal(w, fault.PrintTemplateNotFound, fault.Of(err), "%v", err)
		}
		_, err := prints.Attributes(w.Context(), w.as("clerk"), printing.Wanted{SchemaCode: "sheet", Code: "zz_own"})
		refused(err)
		_, err = prints.Lay(w.Context(), w.as("clerk"), of("zz_own", id))
		refused(err)
		sheets := of("zz_own", id)
		sheets.Sheets = true
		_, err = prints.Lay(w.Context(), w.as("clerk"), sheets)
		refused(err)
		refused(prints.Printed(w.Context(), w.as("clerk"), of("zz_own", id), "31111111-1111-7111-8111-111111111111"))
		batch := printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet", ObjectIDs: []string{id}}, Template: "zz_own"}
		_, err = prints.Batch(w.Context(), w.as("clerk"), batch)
		refused(err)
		refused(faultOf(prints.Maker().Readable(w.as("clerk"), "sheet", "", []string{"zz_own"})))

		paper, err := prints.Print(w.Context(), w.as("own"), of("zz_own", id), printing.File, "41111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		got, err := prints.Verify(w.Context(), w.everything(), nil, token(w, paper))
		require.NoError(w, err)
		require.Equal(w, printing.Genuine, got.Status)
		require.Equal(w, "仅限", got.Template)
		started, err := prints.Batch(w.Context(), w.as("own"), batch)
		require.NoError(w, err)
		_, _, err = w.ended("own", started.ID)
		require.NoError(w, err)
	})
}

// faultOf is what a refusal was wrapped around.
func faultOf(err error) error {
	for {
		inner, is := err.(interface{ Unwrap() error })
		if !is || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}

// TestToldTime: who administers the application may say which time is on paper. It is on the paper and in what verifies it; when it was really
// printed is kept and told beside it.
func TestToldTime(t *testing.T) {
	each(t, func(w *world) {
		prints := w.app.Prints()
		id := w.save("clerk", "", 0, `{"title": "闸门"}`).ID
		told := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
		req := of("z_told", id)
		req.Told = &told
		_, err := prints.Lay(w.Context(), w.as("clerk"), req)
		require.Equal(w, fault.PrintTimeForbidden, fault.Of(err))
		_, err = prints.Batch(w.Context(), w.as("clerk"), printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet", ObjectIDs: []string{id}}, Template: "z_told", Told: &told})
		require.Equal(w, fault.PrintTimeForbidden, fault.Of(err))
		may := prints.TellsTime
		require.NotNil(w, may)
		prints.TellsTime = func(view *authz.View, _ *catalog.Model) bool { return view.User() == w.ids["clerk"] }
		defer func() { prints.TellsTime = may }()
		late := w.clock.Add(time.Second)
		req.Told = &late
		_, err = prints.Lay(w.Context(), w.as("clerk"), req)
		require.Equal(w, fault.BadParameter, fault.Of(err), "what has not come")
		req.Told = &told
		paper, err := prints.Print(w.Context(), w.as("clerk"), req, printing.File, "51111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		var words []string
		for _, m := range paper.Pages[0].Marks {
			if text, is := m.(layout.TextMark); is {
				words = append(words, text.Text)
			}
		}
		require.Contains(w, strings.Join(words, " "), "2026-11-01", "the paper says it")
		got, err := prints.Verify(w.Context(), w.everything(), w.as("clerk"), token(w, paper))
		require.NoError(w, err)
		require.Equal(w, printing.Genuine, got.Status)
		require.Equal(w, told, got.Printed)
		require.Equal(w, w.clock, got.Made)
		past, err := prints.History(w.Context(), w.as("clerk"), "sheet", "", id)
		require.NoError(w, err)
		require.Equal(w, w.clock, past[0].At, "what was done when is not told")
		again, err := prints.Print(w.Context(), w.as("clerk"), req, printing.File, "61111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		require.Equal(w, token(w, paper), token(w, again), "the same paper again")
	})
}

// TestFixedRows: a form of a template has its rows on every page, also without data, and its bands are on the pages that they are for.
func TestFixedRows(t *testing.T) {
	each(t, func(w *world) {
		row := `{"what": "x", "count": 1},`
		rows := func(n int) *printing.Printout {
			id := w.save("clerk", "", 0, `{"title": "T", "lines": [`+strings.TrimSuffix(strings.Repeat(row, n), ",")+`]}`).ID
			out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of("z_fixed", id))
			require.NoError(w, err)
			return out
		}
		for n, pages := range map[int]int{0: 1, 1: 1, 10: 1, 11: 2, 25: 3} {
			out := rows(n)
			require.Len(w, out.Pages, pages, "%d rows", n)
			for i, p := range out.Pages {
				boxes, header := 0, ""
				for _, m := range p.Marks {
					switch m := m.(type) {
					case layout.BoxMark:
						boxes++
					case layout.TextMark:
						if m.Y < 20*layout.Millimeter {
							header += m.Text
						}
					}
				}
				require.Equal(w, 2*11, boxes, "%d rows, page %d", n, i)
				require.Equal(w, map[bool]string{true: "工程质量检验单 T", false: "续页 T"}[i == 0], header)
			}
		}
	})
}
